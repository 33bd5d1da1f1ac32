"""How much of a run is over, and which iteration is its last.

A run's length is counted in minutes, iterations or games. Only minutes depend on the clock; everything else follows
from the number of iterations done.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

from boyi.learn.training.folder import Row
from boyi.learn.training.settings import Length

FIRST_GUESS_SECONDS = 10.0
"""What an iteration takes, before there was one."""

OnProgress = Callable[[str, int, int, str], None]
"""Called with the stage of an iteration, how much of it is done, of how much, and a few words."""


class Progress:
    """The progress of a run whose rows of metrics are those given, also those that are still to come."""

    def __init__(self, length: Length, games_per_iteration: int, rows: Sequence[Row]) -> None:
        self.length = length
        self._games_per_iteration = games_per_iteration
        self._rows = rows
        self._spent = rows[-1]["time"] if rows else 0.0
        self._began = time.monotonic()

    @property
    def iteration(self) -> int:
        """The last one that is done."""
        return int(self._rows[-1]["iteration"]) if self._rows else 0

    @property
    def seconds(self) -> float:
        """Spent on the run so far; what a killed session did after its last iteration is not counted."""
        return self._spent + time.monotonic() - self._began

    @property
    def share(self) -> float:
        """How much of the run is over, from 0 to 1."""
        if self.length.minutes is not None:
            return min(1.0, self.seconds / (60 * self.length.minutes))
        if self.length.iterations is not None:
            return min(1.0, self.iteration / self.length.iterations)
        assert self.length.games is not None
        return min(1.0, self.iteration * self._games_per_iteration / self.length.games)

    def share_after_next(self) -> float:
        """How much will be over after the next iteration, as far as can be known."""
        if self.length.minutes is None:
            return self._share_after(self.iteration + 1)
        took = self._rows[-1]["seconds"] if self._rows else FIRST_GUESS_SECONDS
        return min(1.0, self.share + took / (60 * self.length.minutes))

    def ends_with(self, iteration: int) -> bool:
        """Is this known to be the last iteration, or one after it? Of a run in minutes nobody knows."""
        return self.length.minutes is None and self._share_after(iteration) >= 1

    def next_is_last(self) -> bool:
        """Is the iteration under way the last? In minutes, the last evaluation must fit in, too."""
        if self.length.minutes is None:
            return self.ends_with(self.iteration + 1)
        # The longest so far: the last one is in full, as one before may have been.
        evaluation = max((row["exam_seconds"] for row in self._rows if "exam_seconds" in row), default=0.0)
        reserve = evaluation + (self._rows[-1]["seconds"] if self._rows else 0.0)
        return self.seconds + reserve >= 60 * self.length.minutes

    @property
    def finished(self) -> bool:
        """Is there nothing left to do? A finished run that is given more time goes on."""
        if not self._rows:
            return False
        if self.length.minutes is None:
            return self.ends_with(self.iteration)
        row = self._rows[-1]
        return bool(row["last"]) and self.length.minutes <= (row.get("minutes") or math.inf)

    def _share_after(self, iteration: int) -> float:
        most = (self.length.iterations if self.length.iterations is not None else
                math.ceil((self.length.games or 0) / self._games_per_iteration))
        return min(1.0, iteration / most)
