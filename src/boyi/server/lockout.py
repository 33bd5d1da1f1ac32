"""How long one must wait after wrong passwords: the first few tries are free, then each wait is twice the last.

A try is charged before the password is checked, so that many at once gain nothing; the right password forgives all.
Tries at an account are counted in the database (`store.people`), those at a room here, by address and room.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

FREE_TRIES = 5
FIRST_WAIT_MS = 5_000
LONGEST_WAIT_MS = 15 * 60_000
"""At the longest wait about a hundred passwords a day can be tried, of anyone's account."""

FORGOTTEN_MS = 24 * 3_600_000
"""Tries are forgotten after a day without another."""

MOST_COUNTED = 100_000
"""Addresses at rooms; those that were quiet longest are forgotten first."""


def wait_ms(tries: int) -> int:
    """How long the next try must wait after a number of wrong ones.

    >>> [wait_ms(tries) // 1000 for tries in (1, 4, 5, 6, 7, 12, 13, 1000)]
    [0, 0, 5, 10, 20, 640, 900, 900]
    """
    if tries < FREE_TRIES:
        return 0
    return min(LONGEST_WAIT_MS, FIRST_WAIT_MS << min(tries - FREE_TRIES, 30))


class Lockout:
    """Tries by a key, in memory.

    >>> now = 0.0
    >>> lockout = Lockout(lambda: now)
    >>> [lockout.charge("key") for _ in range(7)]
    [0.0, 0.0, 0.0, 0.0, 0.0, 5.0, 5.0]
    >>> now = 5.0
    >>> lockout.charge("key"), lockout.charge("key")
    (0.0, 10.0)
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tries: OrderedDict[str, tuple[int, float]] = OrderedDict()
        """How many, and until when the next one waits."""

    def charge(self, key: str) -> float:
        """Count a try; or the seconds until there may be one."""
        now = self._clock()
        tries, until = self._tries.get(key, (0, 0.0))
        if now < until:
            return until - now
        if now - until > FORGOTTEN_MS / 1000:
            tries = 0
        self._tries[key] = tries + 1, now + wait_ms(tries + 1) / 1000
        self._tries.move_to_end(key)
        while len(self._tries) > MOST_COUNTED:
            self._tries.popitem(last=False)
        return 0.0

    def forgive(self, key: str) -> None:
        """It was right."""
        self._tries.pop(key, None)
