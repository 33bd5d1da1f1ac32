"""The learning rate from the beginning of a run to its end.

A schedule is asked with how much of the run is over, from 0 to 1, and answers with the rate. What the run's length is
counted in (minutes, iterations, games) is none of its business.

    cosine      a linear warm-up, then cosine annealing (Loshchilov and Hutter 2017)
    one-cycle   the same with a long warm-up, and down to next to nothing (Smith 2018)
    plateau     a warm-up, then constant; multiplied by a factor whenever the validation loss has not fallen for some
                iterations
    constant    a warm-up, then constant
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from boyi.core.errors import OptionError

Shape = Literal["cosine", "one-cycle", "plateau", "constant"]

LONG_WARM_UP = 0.3
"""The share of a run that `one-cycle` warms up for (Smith 2018)."""

SMALL = 0.04
"""Of the peak: where a warm-up begins. Of the floor: where `one-cycle` ends (Smith 2018: 1/25)."""


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """The learning rate over a run."""

    shape: Shape = "cosine"
    peak: float = 2e-3
    warm_up: float = 0.02
    """The share of a run that the warm-up takes; `one-cycle` takes `LONG_WARM_UP`."""

    floor: float = 0.02
    """Where the rate ends, as a share of its peak; for `one-cycle` `SMALL` of that."""

    patience: int = 5
    """For `plateau`: the number of iterations without a better validation loss after which the rate falls."""

    factor: float = 0.5
    """What it is then multiplied by."""

    def __post_init__(self) -> None:
        if self.shape not in get_args(Shape):
            raise OptionError(f"a schedule is one of {', '.join(get_args(Shape))}, not {self.shape!r}")
        for name, low, high in (("peak", 1e-7, 10), ("warm_up", 0, 1), ("floor", 0, 1), ("patience", 1, 10**6),
                                ("factor", 0.01, 0.99)):
            if not low <= getattr(self, name) <= high:
                raise OptionError(f"{name} of a schedule is from {low:g} to {high:g}, not {getattr(self, name)}")

    def rate(self, progress: float, losses: Sequence[float] = ()) -> float:
        """The rate when this share of the run is over; `losses` are those of validation so far, one per iteration.

        >>> schedule = Schedule(peak=1.0, warm_up=0.1, floor=0.0)
        >>> [round(schedule.rate(progress), 3) for progress in (0.05, 0.1, 0.55, 1.0)]
        [0.5, 1.0, 0.5, 0.0]
        >>> plateau = Schedule(shape="plateau", peak=1.0, warm_up=0.0, patience=2)
        >>> [plateau.rate(0.5, losses) for losses in ([3, 2, 1], [3, 2, 1, 1, 1], [3, 2, 1, 1, 1, 2, 2])]
        [1.0, 0.5, 0.25]
        """
        progress = min(max(progress, 0.0), 1.0)
        warm_up = LONG_WARM_UP if self.shape == "one-cycle" else self.warm_up
        if progress < warm_up:
            # Not from zero: the first step, too, should teach something.
            return self.peak * max(progress / warm_up, SMALL)
        if self.shape in ("constant", "plateau"):
            falls = self._falls(losses) if self.shape == "plateau" else 0
            return self.peak * float(self.factor**falls)
        floor = self.floor * (SMALL if self.shape == "one-cycle" else 1)
        share = (progress - warm_up) / (1 - warm_up) if warm_up < 1 else 1.0
        return self.peak * (floor + (1 - floor) * (1 + math.cos(math.pi * share)) / 2)

    def _falls(self, losses: Sequence[float]) -> int:
        falls, best, waited = 0, math.inf, 0
        for loss in losses:
            waited = 0 if loss < best else waited + 1
            best = min(best, loss)
            if waited == self.patience:
                falls, waited = falls + 1, 0
        return falls
