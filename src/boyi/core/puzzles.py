"""What a game tells about its puzzles: themes, endings put together by chance, and what can be proven.

A puzzle is a position in which exactly one move is good. How such positions are found is the same in all games
(`boyi.study.puzzles`); a game adds what only it knows, in its folder, as `Game.puzzles`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from boyi.core.words import Words

if TYPE_CHECKING:
    from boyi.core.position import Position

__all__ = ["FILE", "Judge", "PuzzleFacts", "SolvedLine"]

FILE = "puzzles.xz"
"""The puzzles in a game's folder."""

Judge = Callable[["Position"], "Mapping[int, float] | None"]
"""The proven result of every legal move for the player to act (1 a win, 0.5 a draw, 0 a loss); None where the position
cannot be solved."""


@dataclass(frozen=True)
class SolvedLine:
    """A position and the line that solves it: what themes are found in."""

    position: Position
    """As the solver knows it, the solver to act. Not to be changed: take a copy."""

    moves: tuple[int, ...]
    """The solver's moves and the replies, from the first to the solver's last."""

    odds: float
    """The solver's odds after the best first move."""

    others: float
    """The same after the second best."""

    wins_in: int | None = None
    """Plies to a proven win, where there is one."""


def _no_themes(line: SolvedLine) -> Iterable[str]:
    return ()


@dataclass(frozen=True)
class PuzzleFacts:
    """What a game adds to the making of puzzles."""

    themes: Mapping[str, Words] = field(default_factory=dict)
    """The names of the game's own themes, and what people call them."""

    find_themes: Callable[[SolvedLine], Iterable[str]] = _no_themes
    """Which of them a line has."""

    compose: Callable[[random.Random], str] | None = None
    """The text of an ending that is put together by chance; not all need be positions of the game."""

    judge: Callable[[], Judge] | None = None
    """Makes what solves endings; None where a search has to do."""

    margin: float = 0.18
    """By how much in odds the best move must be better than the second best."""

    least: float = 0.4
    """The solver's odds after the best move, at least."""

    file: str | None = FILE
    """The puzzles that come with the game, in its folder; None where there are none."""
