"""How strong a level of a game is: what `level:5` searches and how freely it chooses.

Every ladder has `HIGHEST` levels. A game says its own in `Game.levels`; `benchmarks/levels.py` measures them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["DEFAULT_LEVELS", "HIGHEST", "ROLLOUT_LEVELS", "Level", "ladder"]

HIGHEST = 10


@dataclass(frozen=True)
class Level:
    """A search cut short, and the temperature at which one of its best moves is chosen."""

    nodes: int
    """Positions searched for a move; for a tree search, simulations."""

    lines: int
    """The number of best moves it chooses among (MultiPV)."""

    temperature: float
    """Of the softmax over their values, in units of the evaluator's scale: 1 is what turns even odds into 73 %.
    For a tree search, over the logarithms of their visits: at 1 a move is played as often as it was visited.
    At 0 the best move is played."""

    nets: tuple[str, ...] = ()
    """Names of networks. Where one was trained for the rules that are played, the level is a tree search that asks it,
    instead of the game's own search."""

    simulations: int = 0
    """Of that tree search, for a move."""


def ladder(nodes: Sequence[int], lines: Sequence[int], temperatures: Sequence[float]) -> tuple[Level, ...]:
    """The levels of a game, from 1 up."""
    levels = tuple(Level(*row) for row in zip(nodes, lines, temperatures, strict=True))
    if len(levels) != HIGHEST:
        raise ValueError(f"a ladder has {HIGHEST} levels, not {len(levels)}")
    return levels


DEFAULT_LEVELS = ladder((300, 450, 700, 1_000, 1_600, 2_500, 4_000, 8_000, 16_000, 40_000),
                        (8, 8, 8, 6, 6, 5, 4, 3, 1, 1),
                        (1.0, 0.7, 0.5, 0.35, 0.25, 0.15, 0.1, 0.05, 0.0, 0.0))
"""For games that name none. They may be written in plain Python, where 10,000 nodes take seconds."""

ROLLOUT_LEVELS = ladder((20, 40, 75, 140, 250, 450, 800, 1_300, 2_000, 3_000),
                        (8, 8, 8, 6, 5, 4, 3, 2, 1, 1),
                        (0.7, 0.55, 0.4, 0.3, 0.2, 0.15, 0.1, 0.05, 0.0, 0.0))
"""The same where the game has no evaluator either, so that a simulation is a whole random game: 0.2 to 1 millisecond in
plain Python, so that the highest level seldom meets its limit in time (`agents.timing.PYTHON_SECONDS`)."""
