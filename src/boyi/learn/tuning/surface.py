"""A surface fitted to games: for few parameters, where SPSA has no need to climb in small steps.

Both sides of every trial are points of the ranges, scattered evenly (`Points`). What is fitted is a quadratic surface
of strength,

    strength(x) = Σ bᵢ xᵢ + Σ qᵢⱼ xᵢ xⱼ        score of x against y = logistic(strength(x) − strength(y))

by Newton's method with a weak prior, and the answer is its top. Never the best trial: of a thousand points that
met once, the one that won most was above all lucky. After half of the trials the ranges shrink to half around the
top, because a quadratic surface is true near it only (as in CLOP: Coulom, "CLOP: confident local optimization for
noisy black-box parameter tuning", ACG 2011).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from boyi.core.errors import MissingPartError
from boyi.learn.tuning.parameters import Parameter, Values

try:
    import numpy as np
    from scipy.stats import qmc
except ModuleNotFoundError as _missing:
    raise MissingPartError.extra("tuning by a surface", "tune") from _missing

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]

__all__ = ["Surface"]

PRIOR = 4.0
"""The variance of each coefficient before any game, in logits squared: over a range a parameter may matter by 350 Elo
and more, and a few games do not make it matter by thousands."""

NEWTON_STEPS = 12
SHRINKS = 0.5
"""After this share of the trials ranges shrink, and to this share of what they were."""

CLIMBS = 16
ROUNDS = 50
"""The number of points from which the top is looked for, and how often along each axis."""

GAMES = 2
"""In a trial."""


class Points:
    """Points of the unit cube: a random one, then a scrambled Sobol sequence.

    They are those of Optuna's `QMCSampler`, which version 0.1.0 used, so that its journals go on.
    """

    def __init__(self, dimensions: int, seed: int) -> None:
        seed %= 2**32
        self._first: Array | None = np.random.RandomState(seed).uniform(size=dimensions)
        # SciPy's new argument `rng` would give other points for the same seed.
        self._sequence = qmc.Sobol(dimensions, scramble=True, seed=seed)

    def next(self) -> Array:
        first, self._first = self._first, None
        return np.asarray(self._sequence.random()[0]) if first is None else first


class Surface:
    """The method `surface`. Trials are numbered from 0, and their scores are told in that order."""

    def __init__(self, parameters: Sequence[Parameter], pairs: int, seed: int) -> None:
        self._parameters = tuple(parameters)
        self._pairs = pairs
        self._seed = seed
        self._sides: list[tuple[Values, Values]] = []
        self._scores: list[float] = []
        self._low = np.full(len(parameters), -1.0)      # of each range, from -1 to 1
        self._high = np.full(len(parameters), 1.0)
        self._shrunk = False
        self._points = Points(2 * len(parameters), seed)

    @property
    def values(self) -> Values:
        """The top as far as it is known; the start while nothing is known."""
        if not self._scores:
            return tuple(float(one.start) for one in self._parameters)
        return self._from_units(self._top())

    def propose(self, number: int) -> tuple[Values, Values]:
        """The two sides of a trial, as they are played."""
        if not self._shrunk and number >= SHRINKS * self._pairs and self._scores:
            self._shrink()
        while len(self._sides) <= number:
            self._sides.append(self._sample())
        return self._sides[number]

    def tell(self, score: float) -> None:
        """What the first side scored in the next trial, from 0 to 1."""
        self._scores.append(score)

    # ------------------------------------------------------------------ where to look

    def _sample(self) -> tuple[Values, Values]:
        point, count = self._points.next(), len(self._parameters)
        fractions = random.Random(f"{self._seed} lots {len(self._sides)}")
        sides = []
        for units in (point[:count], point[count:]):
            values = self._from_units(self._low + units * (self._high - self._low))
            sides.append(tuple(one.round(value, fractions.random()) for one, value in
                               zip(self._parameters, values, strict=True)))
        return sides[0], sides[1]

    def _shrink(self) -> None:
        top = self._top()
        half = (self._high - self._low) / 2 * SHRINKS
        self._low = np.clip(top - half, -1.0, 1.0 - 2 * half)
        self._high = self._low + 2 * half
        self._shrunk = True

    def _from_units(self, units: Array) -> Values:
        return tuple(one.clip(one.low + (float(unit) + 1) / 2 * (one.high - one.low))
                     for one, unit in zip(self._parameters, units, strict=True))

    def _to_units(self, sides: Sequence[Values]) -> Array:
        low = np.array([one.low for one in self._parameters])
        high = np.array([one.high for one in self._parameters])
        return np.asarray((np.array(sides, float) - low) / (high - low) * 2 - 1)

    # ------------------------------------------------------------------ the surface

    def _top(self) -> Array:
        """Where the surface is highest, within the present ranges."""
        plus, minus = (_terms(self._to_units(side)) for side in
                       zip(*self._sides[:len(self._scores)], strict=True))
        start = np.clip(self._to_units([tuple(one.start for one in self._parameters)])[0], self._low, self._high)
        return _climb(_fit(plus - minus, np.array(self._scores)), self._low, self._high, start)


def _terms(points: Array) -> Array:
    """Of each point its coordinates, and all products of two of them."""
    first, second = np.triu_indices(points.shape[1])
    return np.concatenate([points, points[:, first] * points[:, second]], axis=1)


def _fit(table: Array, scores: Array) -> Array:
    """The coefficients that explain the scores best."""
    found = np.zeros(table.shape[1])
    for _ in range(NEWTON_STEPS):
        expected = 1 / (1 + np.exp(-table @ found))
        slope = GAMES * table.T @ (scores - expected) - found / PRIOR
        bend = GAMES * (table * (expected * (1 - expected))[:, None]).T @ table + np.eye(len(found)) / PRIOR
        found += np.linalg.solve(bend, slope)
    return found


def _climb(found: Array, low: Array, high: Array, start: Array) -> Array:
    """The highest point in a box: along one axis after the other, from several places, for it may have several tops.

    Where it is flat, the answer is the start.
    """
    count = len(low)
    linear, square = found[:count], np.zeros((count, count))
    square[np.triu_indices(count)] = found[count:]
    square = (square + square.T) / 2
    generator = random.Random(0)
    best, height = start, -np.inf
    for climb in range(CLIMBS):
        point = start.copy()
        if climb:
            point = low + np.array([generator.random() for _ in range(count)]) * (high - low)
        for _ in range(ROUNDS):
            for axis in range(count):
                # Of b x + q x² with all else fixed, the top is where it is level, or at one of the ends.
                bend = float(square[axis, axis])
                slope = float(linear[axis]) + 2 * float(square[axis] @ point - bend * point[axis])
                places = [float(point[axis]), float(low[axis]), float(high[axis])]
                if bend < 0:
                    places.append(min(max(-slope / (2 * bend), places[1]), places[2]))
                heights = [slope * place + bend * place * place for place in places]
                point[axis] = places[heights.index(max(heights))]
        reached = float(linear @ point + point @ square @ point)
        if reached > height + 1e-12:
            best, height = point, reached
    return best
