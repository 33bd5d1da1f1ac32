"""SPSA: hill climbing by noisy games.

Simultaneous perturbation stochastic approximation tries all parameters at once. For every
pair of games each of them is moved up or down at random; the agent with the
parameters so moved plays the one with the opposite moves, and the parameters follow the
winner a little. As fishtest does it, for pair k of N, counted from 1:

    c(k) = step × (N / k)^γ                 how far the sides of a trial are from the middle
    R(k) = rate × ((A + N) / (A + k))^α × (k / N)^2γ     how far they follow: a(k) / c(k)²
    value += c(k) × R(k) × sign × (wins − losses of the + side in the pair)

with α = 0.602, γ = 0.101 and A = N / 10 (Spall's), so that `step` (c_end) and `rate`
(r_end) are what the two come to in the end. Values stay within their ranges.

- Kiefer, Wolfowitz, "Stochastic estimation of the maximum of a regression function", Ann. Math. Statist. 23, 1952.
- Spall, "Implementation of the simultaneous perturbation algorithm for stochastic optimization", IEEE Trans. AES 34,
  1998.
- Kiiski, "SPSA tuning" for Stockfish, 2011, and https://github.com/official-stockfish/fishtest.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from boyi.learn.tuning.parameters import Parameter, Values

__all__ = ["Spsa"]

ALPHA = 0.602
GAMMA = 0.101
STABILITY = 0.1
"""A, as a share of all pairs."""


class Spsa:
    """The method `spsa`. Trials are numbered from 0, and their scores are told in that order."""

    def __init__(self, parameters: Sequence[Parameter], pairs: int, rate: float, seed: int) -> None:
        self._parameters = tuple(parameters)
        self._pairs = pairs
        self._rate = rate
        self._seed = seed
        self._told = 0
        self.values: Values = tuple(float(one.start) for one in parameters)
        """Where the climb has come to."""

    def propose(self, number: int) -> tuple[Values, Values]:
        """The two sides of a trial, as they are played."""
        generator = random.Random(f"{self._seed} lots {number}")
        fractions = [generator.random() for _ in self._parameters]
        offsets = self._offsets(number)
        plus, minus = (tuple(
            one.round(one.clip(value + sign * offset), fraction)
            for one, value, offset, fraction in zip(self._parameters, self.values, offsets, fractions, strict=True))
            for sign in (1, -1))
        return plus, minus

    def tell(self, score: float) -> None:
        """What the + side scored in the next trial, from 0 to 1."""
        k = self._told + 1
        stable = STABILITY * self._pairs
        gain = self._rate * ((stable + self._pairs) / (stable + k)) ** ALPHA * (k / self._pairs) ** (2 * GAMMA)
        balance = 4 * score - 2      # wins less losses in a pair of games
        self.values = tuple(one.clip(value + gain * offset * balance) for one, value, offset in
                            zip(self._parameters, self.values, self._offsets(self._told), strict=True))
        self._told += 1

    def _offsets(self, number: int) -> list[float]:
        """By how much each parameter is moved up in the + side of a trial, and down in the other."""
        generator = random.Random(f"{self._seed} coins {number}")
        distance = (self._pairs / (number + 1)) ** GAMMA
        return [generator.choice((-1, 1)) * one.reach * distance for one in self._parameters]
