"""A puzzle: a position, the move that led to it, the line that solves it, and what it is about."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from boyi.core.game import Game
from boyi.core.position import Position
from boyi.core.written import play_written

__all__ = ["Puzzle", "Step", "make_id"]

ID_DIGITS = 8


@dataclass(frozen=True)
class Puzzle:
    """A position in which exactly one move is good, and its solution.

    All moves are in the game's own writing; what chance added to one is written with it, as in a record.
    """

    id: str
    """Says which position it is, so that it stays the same when a file is made anew."""

    start: str
    """The text of the position before `lead`, as the solver knows it."""

    lead: tuple[str, ...]
    """The opponent's last turn, which leads to the question; empty for a composed position."""

    solution: tuple[str, ...]
    """The solver's moves and the replies, in the order in which they are made; the last is the solver's."""

    themes: tuple[str, ...]
    """Names of themes, of the game's own (`Game.puzzles`) and of those of every game (`themes`)."""

    rating: int
    """How hard it is: see `rating`."""

    source: str
    """Where the position comes from: "self-play", "composed" or the name of a file."""

    def begin(self, game: Game, options: Mapping[str, object]) -> Position:
        """The position before the opponent's last turn."""
        return game.parse(self.start, **options)

    def position(self, game: Game, options: Mapping[str, object]) -> Position:
        """The position in question."""
        position = self.begin(game, options)
        for number, text in enumerate(self.lead, 1):
            play_written(position, text, number)
        return position

    def steps(self, game: Game, options: Mapping[str, object]) -> Iterator[Step]:
        """The moves of the solution one by one, each with the position in which it is made."""
        position = self.position(game, options)
        solver = position.turn
        for number, text in enumerate(self.solution, 1):
            yield Step(position.copy(), text, position.turn == solver and len(position.moves()) > 1)
            play_written(position, text, number)


@dataclass(frozen=True)
class Step:
    """A move of a solution."""

    position: Position
    """Before it."""

    text: str
    asked: bool
    """Has the solver to find it? Else it is a reply, or the only legal move."""

    @property
    def move(self) -> int:
        """The move as a number."""
        return self.position.parse_moves(self.text)[0]


def make_id(start: str, lead: tuple[str, ...]) -> str:
    """The id of the puzzle of a position."""
    return hashlib.sha256("\n".join((start, *lead)).encode()).hexdigest()[:ID_DIGITS]
