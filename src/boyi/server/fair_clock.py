"""A clock that stands still while the server does.

Players are charged for their own time, from when the server told them that it is their turn until it received their
move, and never for the server's. This clock knows when the server stood still: a beat runs on the event loop every
`BEAT_MS`, and from one beat to the next the time goes on by at most `BEAT_MS + LATE_MS`. If a beat is later than that
the loop did not run, because the process was frozen, a callback blocked, garbage was collected or the machine slept;
the rest counts for nobody. A callback that runs before the late beat reads the time at which the clock stopped: so a
move that lay in the system's buffer meanwhile arrives at that time, too.

Bounds. Of a stall at most `BEAT_MS + LATE_MS` (50 ms) is charged, since it may begin just after a beat; and nothing is
given to anyone while the loop runs. A player cannot make the clock stand still by anything that they ask for, unless
it blocks the whole server, which is what the budgets are there to prevent; then it stands still for all alike.

What only one room waits for, its commits, is in `room_clock`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

log = logging.getLogger("boyi.clock")

BEAT_MS = 25
"""How often the event loop shows that it runs: 40 times a second cost it less than a thousandth of its time."""

LATE_MS = 25
"""How late a beat may be without counting as a stall: a busy loop has rounds of some milliseconds."""

NOTED_MS = 100
"""A stall from here on is written down in the games that it interrupted; a shorter one is given back silently."""


def monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class FairClock:
    """The time of a server, in milliseconds, without its stalls.

    >>> times = iter([0, 40, 9000, 9000, 9010])
    >>> clock = FairClock(lambda: next(times))
    >>> clock.beat(), clock.now_ms(), clock.now_ms()   # the loop has not run since 40
    (None, 40, 50)
    >>> clock.beat(), clock.now_ms(), clock.noted_ms
    (None, 60, 8950)
    """

    def __init__(self, read: Callable[[], int] | None = None) -> None:
        self._read = read or monotonic_ms
        self._stalled_ms = 0
        self._limit_ms: int | None = None
        """How far the time may go before the next beat; None before the first one."""

        self._timer: asyncio.TimerHandle | None = None
        self.noted_ms = 0
        """The sum of all stalls that are long enough to be written down."""

    def now_ms(self) -> int:
        now = self._read()
        if self._limit_ms is not None and now > self._limit_ms:
            now = self._limit_ms
        return now - self._stalled_ms

    def start(self) -> None:
        """Beat from now on; until then it is any clock."""
        self.beat()
        self._timer = asyncio.get_running_loop().call_later(BEAT_MS / 1000, self.start)

    def stop(self) -> None:
        """No stalls are noticed any more."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._limit_ms = None

    def beat(self) -> None:
        """The loop runs."""
        now = self._read()
        if self._limit_ms is not None and now > self._limit_ms:
            stall = now - self._limit_ms
            self._stalled_ms += stall
            if stall >= NOTED_MS:
                self.noted_ms += stall
                log.warning("the server stood still for %d ms", stall)
        self._limit_ms = now + BEAT_MS + LATE_MS
