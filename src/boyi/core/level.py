"""How strong a level of a game is: what `level:5` notices, how far it searches and how freely it chooses.

The levels of a game are its ladder (`kit.ladder`), at most `MOST` of them. Three points of every ladder have names that
can be typed in place of a number: `level:easy`, `level:medium`, `level:hard`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from boyi.core.words import Words

__all__ = ["DIFFICULTIES", "FORMER", "MOST", "Difficulty", "Level", "find_difficulty", "ladder"]

MOST = 15
"""Levels in a ladder."""

FORMER = 10
"""As many levels had every game in version 0.1.0. In a shorter ladder the numbers up to this one mean its highest."""


@dataclass(frozen=True)
class Difficulty:
    """A point of every ladder by its name, for those who do not want to choose among numbers."""

    name: str
    """As it is typed."""

    title: Words
    share: float
    """How far up the ladder, from 0 to 1."""

    def level(self, highest: int) -> int:
        """The number of the level in a ladder up to `highest`.

        >>> [one.level(10) for one in DIFFICULTIES], [one.level(3) for one in DIFFICULTIES]
        ([2, 5, 8], [1, 2, 2])
        """
        return max(1, int(self.share * highest + 0.5))


DIFFICULTIES = (
    Difficulty("easy", Words("easy", "初级"), 0.2),
    Difficulty("medium", Words("medium", "中级"), 0.5),
    Difficulty("hard", Words("hard", "高级"), 0.8),
)
"""Easy is what a beginner beats, medium the middle of the ladder, hard what still leaves something above it."""


def find_difficulty(text: str) -> Difficulty | None:
    """The difficulty of that name, in either language."""
    typed = text.strip().lower()
    return next((one for one in DIFFICULTIES if typed in (one.name, one.title.en.lower(), one.title.zh)), None)


@dataclass(frozen=True)
class Level:
    """What is noticed, how much of it is searched, and the temperature at which one of the best moves is chosen."""

    nodes: int
    """Positions searched for a move; for a tree search, simulations. 0 for full strength: no such limit, all threads,
    and as long as the clock or the person allows."""

    lines: int = 1
    """The number of best moves it chooses among (MultiPV)."""

    temperature: float = 0.0
    """Of the softmax over their values, in units of the evaluator's scale: 1 is what turns even odds into 73 %.
    For a tree search, over the logarithms of their visits: at 1 a move is played as often as it was visited.
    At 0 the best move is played."""

    evaluator: str | None = None
    """What the search asks; None: the one that plays."""

    search: str | None = None
    """The search, by its name, that the level was fitted with; None: the game's own."""

    attention: float = 1.0
    """Below 1 the level overlooks moves: it plays by the attentive search (`search.attentive`), not by the game's."""

    depth: int = 0
    """Turns that it looks ahead; 0 for no such limit."""

    rating: float | None = None
    """In Elo, as it was fitted; random moves have 0. None where nothing was measured."""

    score: float | None = None
    """Against the level below, or the first against random moves, from 0 to 1; None where nothing was measured."""

    games: int = 0
    """By how many games."""

    @property
    def full(self) -> bool:
        """Is this the engine with all that it has?"""
        return self.nodes == 0


def ladder(nodes: Sequence[int], lines: Sequence[int], temperatures: Sequence[float],
           evaluator: str | None = None, search: str | None = None) -> tuple[Level, ...]:
    """Levels from 1 up that overlook nothing, for a game that states its own."""
    levels = tuple(Level(*row, evaluator=evaluator, search=search)
                   for row in zip(nodes, lines, temperatures, strict=True))
    if not 1 <= len(levels) <= MOST:
        raise ValueError(f"a ladder has 1 to {MOST} levels, not {len(levels)}")
    return levels
