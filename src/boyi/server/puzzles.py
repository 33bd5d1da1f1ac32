"""Puzzles on a server: which one comes, whether a move is right, and what that does to a rating.

Nothing is kept of an attempt that is under way: an answer comes with the moves that were right before it.
"""

from __future__ import annotations

import datetime
import random
from dataclasses import dataclass
from functools import cached_property

from boyi.core.errors import OptionError, UnknownNameError
from boyi.core.position import Position
from boyi.games import find_game, listed_games
from boyi.server.protocol.messages import PlayedMove
from boyi.server.protocol.positions import (
    describe_legal_moves,
    describe_played,
    describe_standing,
    describe_stones,
)
from boyi.server.protocol.puzzles import (
    KeptPuzzle,
    PuzzleAnswer,
    PuzzleGame,
    PuzzleRating,
    PuzzleTheme,
    ShownPuzzle,
    Verdict,
)
from boyi.server.protocol.refusals import Refusal
from boyi.study.puzzles.collection import Puzzles, games_with_puzzles, own_puzzles
from boyi.study.puzzles.puzzle import Puzzle, Step
from boyi.study.puzzles.themes import themes_of

__all__ = ["Asked", "bundle", "choose", "find_puzzles", "list_games", "next_rating", "of_day", "show"]

EARLY, EARLY_FACTOR, FACTOR = 20, 60, 24
"""So many first attempts count for more; by how much a rating changes at most, in Elo points."""

LOWEST_RATING = 100

BUNDLE = 20
"""Puzzles of a game that a browser keeps for when it is offline."""


def find_puzzles(name: str) -> Puzzles:
    """The puzzles of a game."""
    puzzles = own_puzzles(find_game(name))
    if puzzles is None or not len(puzzles):
        raise UnknownNameError(f"there are no puzzles of {name}; there are of: "
                               f"{', '.join(game.name for game in games_with_puzzles(listed_games())) or 'no game'}")
    return puzzles


def of_day(puzzles: Puzzles) -> Puzzle:
    """The puzzle of today, everywhere on Earth the same one."""
    return puzzles.of_day(datetime.datetime.now(datetime.UTC).date())


def list_games() -> list[PuzzleGame]:
    """The games that have puzzles."""
    found = []
    for game in games_with_puzzles(listed_games()):
        puzzles, titles = find_puzzles(game.name), themes_of(game)
        found.append(PuzzleGame(game.name, game.title, len(puzzles), of_day(puzzles).id,
                                [PuzzleTheme(name, titles[name], count) for name, count in puzzles.themes.items()]))
    return found


def choose(puzzles: Puzzles, theme: str | None, rating: str | None, without: set[str]) -> Puzzle:
    """The next puzzle; those `without` come again only when there are no others."""
    if rating is not None and not (rating.isascii() and rating.isdigit() and len(rating) <= 4):
        raise OptionError("a rating is a whole number of at most four digits")
    wanted = None if rating is None else int(rating)
    for seen in (without, set[str]()):
        found = puzzles.choose(random.Random(), theme=theme, rating=wanted, without=seen)
        if found is not None:
            return found
    raise UnknownNameError(f"there are no puzzles of {puzzles.game.name} of that theme")


def show(puzzles: Puzzles, puzzle: Puzzle) -> ShownPuzzle:
    """A puzzle as it is asked."""
    position = puzzle.begin(puzzles.game, puzzles.options)
    start_stones = describe_stones(position)
    lead = [describe_played(position, position.parse_moves(text)) for text in puzzle.lead]
    asked = sum(step.asked for step in puzzle.steps(puzzles.game, puzzles.options))
    return ShownPuzzle(puzzle.id, puzzles.game.name, dict(puzzles.options), puzzle.start, start_stones, lead,
                       describe_stones(position), describe_standing(position, position.turn),
                       describe_legal_moves(position), position.turn, asked, puzzle.rating, list(puzzle.themes))


def bundle(puzzles: Puzzles) -> list[KeptPuzzle]:
    """Puzzles of every rating with their answers, for a reader who will be offline; the same ones for everybody."""
    ranked = sorted(puzzles.puzzles, key=lambda puzzle: (puzzle.rating, puzzle.id))
    count = min(BUNDLE, len(ranked))
    return [_keep(puzzles, ranked[number * len(ranked) // count]) for number in range(count)]


def _keep(puzzles: Puzzles, puzzle: Puzzle) -> KeptPuzzle:
    answers, made = list[PuzzleAnswer](), tuple[str, ...]()
    while not answers or not answers[-1].solved:
        answers.append(Asked(puzzles, puzzle, made).go_on())
        made = puzzle.solution[:len(made) + len(answers[-1].plies)]
    return KeptPuzzle(show(puzzles, puzzle), answers)


@dataclass(frozen=True)
class Asked:
    """A puzzle, and how far a person has come."""

    puzzles: Puzzles
    puzzle: Puzzle
    made: tuple[str, ...] = ()
    """The moves of the solution that were made, replies too."""

    @cached_property
    def _steps(self) -> list[Step]:
        return list(self.puzzle.steps(self.puzzles.game, self.puzzles.options))

    @cached_property
    def step(self) -> Step:
        """What has to be found now."""
        done = len(self.made)
        if self.made != self.puzzle.solution[:done] or done >= len(self._steps) or not self._steps[done].asked:
            raise Refusal("unreadable", "the moves before the last one are not those of the solution so far")
        return self._steps[done]

    def read(self, text: str) -> int:
        """The move that an answer names, a legal one."""
        return self.step.position.game.read_move(self.step.position, text)[0]

    def go_on(self) -> PuzzleAnswer:
        """The right move was made: it, and the replies."""
        step = self.step
        board, plies = step.position.copy(), list[PlayedMove]()
        rest = self._steps[len(self.made):]
        for number, following in enumerate(rest):
            if number and following.asked:
                break
            plies.append(describe_played(board, board.parse_moves(following.text)))
        return answer("right", plies, board, solved=len(plies) == len(rest))

    def accept(self, move: int) -> PuzzleAnswer:
        """Another move was made that is as good."""
        board = self.step.position.copy()
        return answer("as_good", [describe_played(board, (move,))], board, solved=True)

    def refuse(self) -> PuzzleAnswer:
        """A move was made that is not good."""
        return answer("wrong", [], self.step.position, solved=False)

    def solution(self) -> list[PlayedMove]:
        """What is left of the line."""
        board = self.step.position.copy()
        return [describe_played(board, board.parse_moves(step.text)) for step in self._steps[len(self.made):]]


def answer(verdict: Verdict, plies: list[PlayedMove], board: Position, *, solved: bool) -> PuzzleAnswer:
    """What is said to a move, and how the board stands then."""
    return PuzzleAnswer(verdict, solved, plies, describe_stones(board), describe_standing(board, board.turn),
                        [] if solved else describe_legal_moves(board))


def next_rating(before: PuzzleRating, puzzle: int, *, solved: bool) -> PuzzleRating:
    """A rating after an attempt at a puzzle, which counts like an opponent (Elo).

    >>> next_rating(PuzzleRating(1000, 0, 0), 1000, solved=True)
    PuzzleRating(rating=1030, tried=1, solved=1)
    """
    expected = 1 / (1 + 10 ** ((puzzle - before.rating) / 400))
    factor = EARLY_FACTOR if before.tried < EARLY else FACTOR
    rating = max(LOWEST_RATING, round(before.rating + factor * (solved - expected)))
    return PuzzleRating(rating, before.tried + 1, before.solved + solved)
