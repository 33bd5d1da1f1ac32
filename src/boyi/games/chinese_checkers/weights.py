"""The numbers behind the evaluators of Chinese checkers; `boyi tune` can look for better ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from boyi.core.errors import OptionError

__all__ = ["TUNED", "RaceWeights", "AncestorWeights"]

HEAVIEST = 1_000
"""Sums over six players, fifteen pieces and sixteen steps squared stay far within 32 bits."""


def _check(weights: Any) -> None:
    """A burden below 0 would be no burden: pieces are ranked by it."""
    for field in fields(weights):
        value = getattr(weights, field.name)
        if not 0 <= value <= HEAVIEST:
            raise OptionError(f"the weight {field.name} of Chinese checkers is from 0 to {HEAVIEST}, not {value:g}")


@dataclass(frozen=True, kw_only=True)
class AncestorWeights:
    """What `AncestorEvaluator` leaves open."""

    own_weight: float = 3.0
    """How much more the player's own way counts than that of one opponent."""

    def __post_init__(self) -> None:
        _check(self)


@dataclass(frozen=True, kw_only=True)
class RaceWeights:
    """What `RaceEvaluator` counts, in hundredths of a step."""

    lag: int = 6
    """Per squared step to go: two pieces half-way are better than one there and one at home."""

    aside: int = 12
    """Per hole beside the line from corner to corner, where chains are built."""

    hop: int = 18
    """Off for each hop forward that is ready."""

    turn: int = 90
    """What it is worth to be the one who moves."""

    half: int = 900
    """With more than two players: how large a lead must be to count for half of what is still open."""

    def __post_init__(self) -> None:
        _check(self)
        if self.half < 1:
            raise OptionError(f"the weight half of Chinese checkers is from 1 to {HEAVIEST}, not {self.half}")


TUNED: Mapping[int, RaceWeights] = {
    2: RaceWeights(lag=16, aside=80, hop=40),
    **dict.fromkeys((3, 4, 5, 6), RaceWeights(lag=14, aside=40, hop=0)),
}
"""By the number of players, what `boyi tune` found with two and three and a test showed to be better than the defaults
(docs/results/learning.md); those for three also are with six, where moves are pruned (docs/results/ideas.md)."""
