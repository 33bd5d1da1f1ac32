"""When to stop between depths: soon if the best move is clear, later if the search is unsure of it.

A search has an aim (`Limits.soft_seconds`). When a depth has ended, the aim is multiplied by three factors, and no
other depth is begun if that time is over:

    stability   below 1 after the best move has stayed the same for some depths, above it after a change
    fall        above 1 when the odds have fallen since earlier depths, or since the player's last move
    effort      below 1 when nearly all nodes were spent on the best root move; 1 if the search does not count them
                (`Result.statistics`, `best_move_nodes`)

So do the time managers of chess engines, Stockfish and Ethereal among them. A proven win ends the search. The hard
limit, `Limits.seconds`, stays the search's own. All this is asked once per depth, so it is in Python, and searches need
not know of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from boyi.core.searcher import Limits, Result

# Guesses in the range of what chess engines use; none is tuned.
CHANGED, CALM, STEP = 1.4, 0.68, 0.12
"""The factor of stability: after a change, at least, and by how much less with every depth that kept the move."""

FALL_WEIGHT = 5.0
"""By how much more for odds that fell from 1 to 0."""

RISEN, FALLEN = 0.85, 1.7
"""The factor of a fall is at least and at most this."""

EFFORT_BASE, EFFORT_WEIGHT, EFFORT_LEAST = 0.4, 2.0, 0.5
"""The factor of effort: base and weight of the share of nodes spent on other moves, and the least."""

OLDER = 0.5
"""Weight of the latest depth in the mean of earlier odds that a fall is measured from."""


class Patience:
    """Hears of every depth of one search, and tells whether it has thought long enough."""

    def __init__(self, aim_seconds: float | None, odds_before: float | None = None) -> None:
        self.aim_seconds = aim_seconds
        """None for no aim yet, as in pondering: then nothing is enough."""

        self._before = odds_before
        """Odds at the player's last move, from 0 to 1; None if there was none."""

        self._mean: float | None = None
        self._move: int | None = None
        self._kept = 0
        """Depths that kept the best move."""

        self.factor = CHANGED
        """What the aim is multiplied by, since the last depth."""

    def hear(self, move: int, odds: float, effort: float | None = None, *, won: bool = False) -> None:
        """A depth has ended: its best move, the odds of winning, the share of nodes spent on that move."""
        self._kept = self._kept + 1 if move == self._move else 0
        self._move = move
        earlier = [known for known in (self._before, self._mean) if known is not None]
        fall = max(earlier) - odds if earlier else 0.0
        self._mean = odds if self._mean is None else OLDER * odds + (1 - OLDER) * self._mean
        self.factor = (max(CALM, CHANGED - STEP * self._kept)
                       * min(FALLEN, max(RISEN, 1 + FALL_WEIGHT * fall))
                       * (1.0 if effort is None else max(EFFORT_LEAST, EFFORT_BASE + EFFORT_WEIGHT * (1 - effort))))
        if won:
            self.factor = 0.0

    def is_enough(self, seconds: float) -> bool:
        """Should no other depth be begun after this long?"""
        return self.aim_seconds is not None and seconds >= self.factor * self.aim_seconds


def effort_of(nodes: int, statistics: Mapping[str, int]) -> float | None:
    """The share of nodes that was spent on the best root move; None if the search does not count them."""
    spent = statistics.get("best_move_nodes")
    return None if spent is None or nodes <= 0 else min(1.0, spent / nodes)


def watch(limits: Limits, odds: Callable[[Result], float], stop: Callable[[], object],
          odds_before: float | None = None) -> Callable[[Result], None] | None:
    """What a search calls after every depth so that it keeps to its aim; None where it has none."""
    if limits.soft_seconds is None:
        return None
    patience = Patience(limits.soft_seconds, odds_before)

    def hear(result: Result) -> None:
        line = result.lines[0]
        patience.hear(line.moves[0], odds(result), effort_of(result.nodes, result.statistics),
                      won=line.wins_in is not None and line.wins_in > 0)
        if patience.is_enough(result.seconds):
            stop()
    return hear
