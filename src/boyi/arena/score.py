"""What a score says: its 95 % interval, the difference in Elo, the likelihood of superiority."""

from __future__ import annotations

import math

__all__ = ["Z95", "elo", "interval", "normal_share", "superiority"]

Z95 = 1.959964
"""Standard deviations to either side of the mean that hold 95 % of a normal distribution."""


def interval(score: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a mean of `count` results between 0 and 1 (Wilson 1927).

    It never claims certainty, also when all results are equal. A draw counts as half a
    win with the spread of a whole one, so with many draws it is wider than it must be.

    >>> [round(bound, 3) for bound in interval(0.5, 100)]
    [0.404, 0.596]
    """
    if not count:
        return 0.0, 1.0
    z = Z95
    middle = (score + z * z / (2 * count)) / (1 + z * z / count)
    reach = z / (1 + z * z / count) * math.sqrt(score * (1 - score) / count + z * z / (4 * count * count))
    # At the ends rounding would leave a trace of doubt, and a difference in rating of thousands.
    return 0.0 if score == 0 else middle - reach, 1.0 if score == 1 else middle + reach


def elo(score: float) -> float:
    """The difference in rating at which a score is expected.

    >>> round(elo(0.75))
    191
    """
    if not 0 < score < 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


def superiority(wins: int, losses: int) -> float:
    """LOS: how likely the one with these wins and losses is the stronger of two; draws say nothing about that.

    >>> round(superiority(60, 40), 3)
    0.977
    """
    return normal_share((wins - losses) / math.sqrt(wins + losses)) if wins + losses else 0.5


def normal_share(deviations: float) -> float:
    """The share of a normal distribution below this many standard deviations.

    >>> round(normal_share(1.959964), 4)
    0.975
    """
    return math.erfc(-deviations / math.sqrt(2)) / 2
