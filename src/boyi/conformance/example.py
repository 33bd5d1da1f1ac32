"""Random walks to ask about, and the smallest that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

__all__ = ["Example", "examples", "shrink"]

LENGTHS = (0, 1, 2, 3, 5, 8, 13, 20, 35, 60, 100, 400)
"""In plies: how long the walks are, over and over. Short ones first, as they are the easiest to understand."""

TRIES = 300
"""How often a smaller walk is tried."""

SMALL_SEEDS = 10


@dataclass(frozen=True)
class Example:
    """A random walk: `case.walk(seed, plies)` repeats it.

    >>> Example(seed=4, plies=3).plies
    3
    """

    seed: int
    plies: int


def examples(count: int) -> Iterator[Example]:
    """The same walks every time; even a few of them are of all lengths."""
    every = max(1, len(LENGTHS) // count)
    for number in range(count):
        yield Example(number, LENGTHS[number * every % len(LENGTHS)])


def shrink(fails: Callable[[Example], bool], found: Example) -> Example:
    """A walk that fails and is as short as can be found: of its own beginnings, and of those of small seeds.

    >>> shrink(lambda example: example.plies > 6 or example.seed == 4 and example.plies > 2, Example(12, 100))
    Example(seed=4, plies=3)
    """
    tries = TRIES
    best = found
    for seed in dict.fromkeys((found.seed, *range(SMALL_SEEDS))):
        for plies in range(best.plies):
            if tries == 0:
                return best
            tries -= 1
            if fails(Example(seed, plies)):
                best = Example(seed, plies)
                break
    return best
