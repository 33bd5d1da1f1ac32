"""Rate limits: token buckets, one per connection or address."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

MOST_ADDRESSES = 100_000


class Payer(NamedTuple):
    """Who pays for a request."""

    address: str
    person: str = ""
    """Who the client has proved to be, if anyone."""


@dataclass
class Bucket:
    """Holds `size` tokens and gets `per_second` new ones; each request takes one, or as many as it costs.

    >>> times = iter([0.0, 0.0, 0.0, 0.0, 1.0])
    >>> bucket = Bucket(size=2, per_second=1, clock=lambda: next(times))
    >>> [bucket.take() for _ in range(4)]
    [True, True, False, True]
    """

    size: float
    per_second: float
    clock: Callable[[], float] = time.monotonic
    _tokens: float = field(init=False)
    _filled: float = field(init=False)

    def __post_init__(self) -> None:
        self._tokens = self.size
        self._filled = self.clock()

    def take(self, tokens: float = 1) -> bool:
        """Take tokens, if there are enough."""
        self._fill()
        if self._tokens < tokens:
            return False
        self._tokens -= tokens
        return True

    def owe(self, tokens: float) -> None:
        """Take tokens whether they are there or not: a debt that time pays."""
        self._fill()
        self._tokens -= tokens

    def _fill(self) -> None:
        now = self.clock()
        self._tokens = min(self.size, self._tokens + (now - self._filled) * self.per_second)
        self._filled = now


class Buckets:
    """A bucket per address; the addresses that were quiet longest are forgotten first."""

    def __init__(self, size: float, per_second: float) -> None:
        self._size = size
        self._per_second = per_second
        self._by_address: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, tokens: float = 1) -> bool:
        return self._find(address).take(tokens)

    def owe(self, address: str, tokens: float) -> None:
        self._find(address).owe(tokens)

    def _find(self, address: str) -> Bucket:
        bucket = self._by_address.setdefault(address, Bucket(self._size, self._per_second))
        self._by_address.move_to_end(address)
        while len(self._by_address) > MOST_ADDRESSES:
            self._by_address.popitem(last=False)
        return bucket
