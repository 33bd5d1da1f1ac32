"""Pings: whether a client is still there, and how long messages take to it."""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable

PING_SECONDS = 5.0
SPECTATOR_PING_SECONDS = 15.0
"""How often a client is pinged; lag matters only to those who may move."""

PING_JITTER = 0.2
"""Random jitter of the ping interval, as a fraction. At even intervals every pause of the server would bring more
connections into step, until all of them ping in the same moment and everyone waits."""

DEAD_PINGS = 4
"""A client that has not answered for this many intervals is gone."""

LAGS = 5
"""How many of the last measurements count."""


class Heartbeat:
    """Sends pings and measures the lag of a connection."""

    def __init__(self, send: Callable[[str], None], on_dead: Callable[[], None]) -> None:
        self._send = send
        self._on_dead = on_dead
        self._is_spectator = False
        self._timer: asyncio.TimerHandle | None = None
        self._sent: dict[int, float] = {}
        self._alive = time.monotonic()
        self._lags: deque[float] = deque(maxlen=LAGS)

    @property
    def lag_ms(self) -> int:
        """The round trip, as measured: the best of the last few, so that one late answer does not count."""
        return int(1000 * min(self._lags, default=0.0))

    def start(self, is_spectator: bool) -> None:
        """Ping now, and again and again."""
        self._is_spectator = is_spectator
        self._ping(1)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _ping(self, number: int) -> None:
        interval = SPECTATOR_PING_SECONDS if self._is_spectator else PING_SECONDS
        now = time.monotonic()
        if now - self._alive >= DEAD_PINGS * interval:
            self._on_dead()
            return
        self._sent = {number: now}
        self._send(f'{{"type":"ping","number":{number}}}')
        later = interval * random.uniform(1 - PING_JITTER, 1 + PING_JITTER)
        self._timer = asyncio.get_running_loop().call_later(later, self._ping, number + 1)

    def pong(self, number: int) -> None:
        """The client has answered a ping."""
        sent = self._sent.pop(number, None)
        if sent is not None:
            self._alive = time.monotonic()
            self._lags.append(self._alive - sent)
