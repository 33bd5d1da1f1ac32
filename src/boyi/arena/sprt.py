"""SPRT: play until the answer is clear, and not a game longer.

A sequential probability ratio test compares two hypotheses, "the first is elo0 stronger"
and "it is elo1 stronger", after every pair of games. When the logarithm of their likelihood
ratio (LLR) leaves its bounds, the test is over: above, elo1 is accepted, below, elo0. The
bounds come from the two errors one is willing to make:

    lower = ln(beta / (1 − alpha))        upper = ln((1 − beta) / alpha)

Games come in pairs from one opening with colours changed. The two results of a pair hang
together, the more so the less balanced the opening, so a pair is one observation, of 0, ½,
1, 1½ or 2 points (the pentanomial model). Where there are no pairs, a game is one, of 0, ½
or 1 (trinomial). Only the mean of such a distribution is under test; the rest of it is
unknown and taken as what the games so far make most likely under each hypothesis (the
*generalized* SPRT). That is the test of Stockfish's fishtest.

- Wald, "Sequential tests of statistical hypotheses", Ann. Math. Statist. 16, 1945.
- Van den Bergh, "A practical introduction to the GSPRT" and "Comments on normalized Elo",
  2019-2021, which fishtest follows; Owen, "Empirical likelihood", 2001, for the
  most likely distribution with a given mean.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from boyi.core.errors import OptionError, UnknownNameError, shorten

__all__ = ["Scale", "Sprt", "Verdict", "parse_sprt"]

Scale = Literal["logistic", "normalized"]
Verdict = Literal["elo0", "elo1"]

NORMALIZED_ELO = 800 / math.log(10)
"""Points of normalized Elo in one standard deviation of a game's result."""

UNSEEN = 1e-3
"""What an outcome that has not occurred yet counts, so that no hypothesis is impossible; fishtest's number."""


@dataclass(frozen=True)
class Sprt:
    """A test of elo0 against elo1.

    >>> test = Sprt(elo0=0, elo1=10)
    >>> [round(bound, 3) for bound in test.bounds]
    [-2.944, 2.944]
    >>> test.verdict([100, 400, 1000, 500, 120])
    'elo1'
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    """How often elo1 may be accepted when elo0 is true."""

    beta: float = 0.05
    """How often elo0 may be accepted when elo1 is true."""

    scale: Scale = "logistic"
    """What elo0 and elo1 are: the usual Elo, or *normalized*, which counts in standard deviations of a game's result;
    then a test takes about as long in a game with many draws as in one with few."""

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1"):
            if not -2_000 <= getattr(self, name) <= 2_000:
                raise OptionError(f"{name} must be from -2000 to 2000, not {getattr(self, name):g}")
        if not self.elo0 < self.elo1:
            raise OptionError(f"elo0 must be below elo1, and {self.elo0:g} is not below {self.elo1:g}")
        for name in ("alpha", "beta"):
            if not 1e-9 <= getattr(self, name) < 0.5:
                raise OptionError(f"{name} is the share of wrong answers, above 0 and below 0.5, "
                                  f"not {getattr(self, name):g}")
        if self.scale not in ("logistic", "normalized"):
            raise UnknownNameError.among("scale of Elo", self.scale, ["logistic", "normalized"])

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the test ends."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[int]) -> float:
        """The logarithm of the likelihood ratio (LLR).

        `counts` tells how often each result occurred, the worst first: of pairs with 0, ½, 1, 1½, 2 points, or of
        games lost, drawn and won. Where a pair is scored more finely, as with more than two players (`learn.tuning`),
        there are more results, evenly spaced.
        """
        if len(counts) < 3 or len(counts) % 2 == 0 or min(counts) < 0:
            raise OptionError(f"a test counts three results of games, or five or more of pairs, always as many below "
                              f"the middle as above, not {shorten(list(counts))}")
        if not any(counts):
            return 0.0
        weights = [count or UNSEEN for count in counts]
        total = math.fsum(weights)
        shares = [weight / total for weight in weights]
        scores = [number / (len(counts) - 1) for number in range(len(counts))]
        low, high = (self._score(elo, shares, scores) for elo in (self.elo0, self.elo1))
        return total * math.fsum(
            share * math.log(under1 / under0) for share, under0, under1 in
            zip(shares, most_likely(shares, scores, low), most_likely(shares, scores, high), strict=True))

    def verdict(self, counts: Sequence[int]) -> Verdict | None:
        """Which hypothesis is accepted, or None: play on."""
        lower, upper = self.bounds
        ratio = self.ratio(counts)
        return "elo0" if ratio <= lower else "elo1" if ratio >= upper else None

    def _score(self, elo: float, shares: Sequence[float], scores: Sequence[float]) -> float:
        """The mean result that a difference in rating stands for."""
        if self.scale == "logistic":
            return 1 / (1 + 10 ** (-elo / 400))
        mean = sum(share * score for share, score in zip(shares, scores, strict=True))
        variance = sum(share * (score - mean) ** 2 for share, score in zip(shares, scores, strict=True))
        if len(shares) > 3:
            variance *= 2   # of one game; the mean of two varies half as much
        middle = 0.5 + elo / NORMALIZED_ELO * math.sqrt(variance)
        return min(max(middle, 1e-6), 1 - 1e-6)


def most_likely(shares: Sequence[float], scores: Sequence[float], mean: float) -> list[float]:
    """Of all distributions with the given mean the one that makes observed shares most likely.

    It is share / (1 + t × (score − mean)) with the t that gives this mean (Owen's empirical likelihood).

    >>> [round(share, 3) for share in most_likely([0.25, 0.5, 0.25], [0.0, 0.5, 1.0], 0.55)]
    [0.205, 0.49, 0.305]
    """
    gaps = [score - mean for score in scores]
    # Every share stays positive between these; the sum falls from +∞ to −∞, so that bisection cannot miss its zero.
    low, high = -1 / max(gaps), -1 / min(gaps)
    for _ in range(100):
        t = (low + high) / 2
        if t in (low, high):
            break
        if sum([share * gap / (1 + t * gap) for share, gap in zip(shares, gaps, strict=True)]) > 0:
            low = t
        else:
            high = t
    return [share / (1 + t * gap) for share, gap in zip(shares, gaps, strict=True)]


def parse_sprt(text: str) -> Sprt:
    """A test as people write it: `elo0=0,elo1=10`, perhaps with alpha, beta and scale.

    >>> parse_sprt("elo0=0,elo1=5,alpha=0.01")
    Sprt(elo0=0.0, elo1=5.0, alpha=0.01, beta=0.05, scale='logistic')
    """
    numbers: dict[str, float] = {}
    scale: Scale = "logistic"
    seen = set()
    for word in filter(None, text.replace(",", " ").split()):
        name, equals, value = word.partition("=")
        if not equals:
            raise OptionError(f"{shorten(word)} is not of the form NAME=VALUE, as in elo0=0,elo1=10")
        if name in seen:
            raise OptionError(f"{shorten(name)} is given twice")
        seen.add(name)
        if name == "scale":
            if value not in ("logistic", "normalized"):
                raise UnknownNameError.among("scale of Elo", value, ["logistic", "normalized"])
            scale = "normalized" if value == "normalized" else "logistic"
        elif name in ("elo0", "elo1", "alpha", "beta"):
            try:
                numbers[name] = float(value)
            except ValueError:
                raise OptionError(f"{name} is a number, not {shorten(value)}") from None
        else:
            raise UnknownNameError.among("setting of a test", name, ["elo0", "elo1", "alpha", "beta", "scale"])
    missing = [name for name in ("elo0", "elo1") if name not in numbers]
    if missing:
        raise OptionError(f"a test needs elo0 and elo1, as in elo0=0,elo1=10; {' and '.join(missing)} missing")
    return Sprt(**numbers, scale=scale)
