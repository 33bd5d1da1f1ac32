"""Means with 95 % intervals, and what an interval says."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from boyi.core.errors import OptionError

Verdict = Literal["more", "less", "open"]


def judge(low: float, high: float, level: float) -> Verdict:
    """Is a number with this 95 % interval more or less than a level, or is that open?

    >>> judge(0.52, 0.61, 0.5), judge(0.48, 0.61, 0.5)
    ('more', 'open')
    """
    return "more" if low > level else "less" if high < level else "open"


def mean_ratio(ratios: Sequence[float]) -> tuple[float, float, float]:
    """The geometric mean of ratios and its 95 % interval (by Student's t on their logarithms).

    >>> [round(one, 2) for one in mean_ratio([2.0, 2.0, 2.0])]
    [2.0, 2.0, 2.0]
    """
    if not ratios or min(ratios) <= 0:
        raise OptionError("a mean of ratios needs ratios, all above 0")
    mean, low, high = mean_interval([math.log(ratio) for ratio in ratios])
    return math.exp(mean), math.exp(low), math.exp(high)


def mean_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """The mean and its 95 % interval, by Student's t.

    >>> [round(one, 2) for one in mean_interval([1.0, 2.0, 3.0])]
    [2.0, -0.48, 4.48]
    """
    count = len(values)
    mean = math.fsum(values) / count
    if count == 1:
        return mean, mean, mean
    error = math.sqrt(math.fsum((one - mean) ** 2 for one in values) / (count - 1) / count)
    reach = _STUDENT[min(count - 1, len(_STUDENT)) - 1] * error
    return mean, mean - reach, mean + reach


def group_means(groups: Sequence[Sequence[float]]) -> list[tuple[float, float, float]]:
    """The mean of each group and its 95 % interval, by Student's t; the groups are taken to have the same spread.

    With three values in each of eight groups the spread is known from sixteen degrees of freedom instead of two.

    >>> [[round(one, 2) for one in mean] for mean in group_means([[1.0, 3.0], [10.0, 12.0]])]
    [[2.0, -2.3, 6.3], [11.0, 6.7, 15.3]]
    """
    reach = _common_reach(groups)
    means = [math.fsum(group) / len(group) for group in groups]
    return [(mean, mean - reach / math.sqrt(len(group)), mean + reach / math.sqrt(len(group)))
            for mean, group in zip(means, groups, strict=True)]


def _common_reach(groups: Sequence[Sequence[float]]) -> float:
    """Half the interval of a single value: Student's t times the standard deviation within groups."""
    freedom = sum(len(group) - 1 for group in groups)
    if freedom == 0:
        return 0.0
    squares = math.fsum((value - math.fsum(group) / len(group)) ** 2 for group in groups for value in group)
    return _STUDENT[min(freedom, len(_STUDENT)) - 1] * math.sqrt(squares / freedom)


_STUDENT = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.10,
            2.09, 2.09, 2.08, 2.07, 2.07, 2.06, 2.06, 2.06, 2.05, 2.05, 2.05, 2.04)
"""Two-sided 95 % quantiles of Student's t for 1, 2, … degrees of freedom; beyond, the last is close enough."""
