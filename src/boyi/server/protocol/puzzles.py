"""Requests and responses about puzzles, over HTTP."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from boyi.core.board import Stone
from boyi.core.words import Words
from boyi.server.protocol.messages import LegalMove, PlayedMove
from boyi.server.protocol.parts import MoveText, OptionValue, Standing

Verdict = Literal["right", "as_good", "wrong"]


class PuzzleTheme(Struct, frozen=True):
    """What puzzles of a game may be about."""

    name: str
    title: Words
    puzzles: int
    """How many are."""


class PuzzleRating(Struct, frozen=True):
    """How a person does at the puzzles of a game; only the first attempt at a puzzle counts."""

    rating: int
    tried: int
    solved: int


BEGINNER = PuzzleRating(1000, 0, 0)
"""Of a person who has not tried a puzzle yet: of about that rating is what a beginner solves half of."""


class PuzzleGame(Struct, frozen=True):
    """A game that has puzzles."""

    game: str
    title: Words
    puzzles: int
    day: str
    """The id of the puzzle of the day."""

    themes: list[PuzzleTheme]
    own: PuzzleRating | None = None
    """Of who asks, with an account; None before the first attempt."""


class ShownPuzzle(Struct, frozen=True):
    """A puzzle as it is asked: all but the solution."""

    id: str
    game: str
    options: dict[str, OptionValue]
    start: str
    start_stones: list[Stone]
    lead: list[PlayedMove]
    """The opponent's last turn, which leads to the question; empty for a composed position."""

    stones: list[Stone]
    standing: Standing
    moves: list[LegalMove]
    solver: int
    """The seat that has to find the moves."""

    asked: int
    """How many moves have to be found."""

    rating: int
    themes: list[str]


class PuzzleProgress(Struct, frozen=True, forbid_unknown_fields=True):
    """How far a puzzle has been solved."""

    made: Annotated[list[MoveText], Meta(max_length=100)] = []
    """The moves of the solution so far, replies too, as they were told."""

    rated: bool = True
    """Does it count for the rating of an account?"""


class PuzzleAttempt(PuzzleProgress, frozen=True, kw_only=True):
    """An answer: the next move."""

    move: MoveText
    """In any notation of the game."""


class PuzzleAnswer(Struct, frozen=True):
    """Was a move right, and how does it go on?"""

    verdict: Verdict
    """As good: not the move of the solution, but the engine holds it as good; that solves the puzzle."""

    solved: bool
    plies: list[PlayedMove]
    """The move and the replies to it; empty for a wrong one."""

    stones: list[Stone]
    standing: Standing
    moves: list[LegalMove]
    """What may be played next, until it is solved."""

    own: PuzzleRating | None = None
    change: int = 0
    """Of the rating, by this attempt."""


class KeptPuzzle(Struct, frozen=True):
    """A puzzle and what is answered to each right move, for a client that will be offline."""

    puzzle: ShownPuzzle
    answers: list[PuzzleAnswer]


class PuzzleHint(Struct, frozen=True):
    """Where the right move begins. A puzzle with a hint counts as not solved."""

    point: str
    """Empty for a move that touches no point."""

    own: PuzzleRating | None = None
    change: int = 0


class PuzzleSolution(Struct, frozen=True):
    """The whole line. A puzzle whose solution was shown counts as not solved."""

    plies: list[PlayedMove]
    own: PuzzleRating | None = None
    change: int = 0


OVER_HTTP: tuple[type[Struct], ...] = (
    PuzzleGame, PuzzleTheme, PuzzleRating, ShownPuzzle, PuzzleProgress, PuzzleAttempt, PuzzleAnswer, PuzzleHint,
    PuzzleSolution)
