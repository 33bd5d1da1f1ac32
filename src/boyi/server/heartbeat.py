"""Pings: whether a client is still there, how long messages take to it, and what time it is in its room.

One timer pings all clients of a server: a `Heart` is a wheel of slots, each for the clients to be pinged in one moment,
and turns by one slot at a time. So a pause of the server neither makes clients look dead nor brings their pings
together.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from typing import Protocol

from boyi.server.fair_clock import FairClock

SLOT_SECONDS = 0.1

PING_SECONDS = 10.0
ACTING_PING_SECONDS = 5.0
"""How often a client is pinged, and that of a player whose clock runs: lag matters to no one else."""

PING_JITTER = 0.1
"""Random jitter of the ping interval, as a fraction, so that clients that came together do not stay together."""

DEAD_SECONDS = 20.0
"""A client that has answered no ping for this long is gone. The page gives a silent server as much (SILENCE_MS in
web/src/lib/connection.ts), which is well above the longest interval of pings."""

LAGS = 5
"""How many of the last measurements count."""

SLOTS = 1 + int(PING_SECONDS * (1 + PING_JITTER) / SLOT_SECONDS)


class Pinged(Protocol):
    """A client that is pinged."""

    @property
    def is_acting(self) -> bool:
        """Does the clock of its person run?"""
        ...

    def ping(self, number: int) -> None:
        """Send it a ping; never waits."""
        ...

    def dismiss(self, code: str) -> None:
        """Say why, and end the connection."""
        ...


Slot = dict["Heartbeat", Pinged]
"""Those who are pinged in one moment."""


class Heart:
    """Pings all clients of a server, as long as there are any."""

    def __init__(self) -> None:
        self.turns = 0
        """How often it has turned: its time, in slots."""

        self._slots: list[Slot] = [{} for _ in range(SLOTS)]
        self._timer: asyncio.TimerHandle | None = None

    def add(self, heartbeat: Heartbeat, client: Pinged, seconds: float) -> Slot:
        """Have a client pinged after some time: its slot."""
        slots = max(1, min(SLOTS - 1, round(seconds / SLOT_SECONDS)))
        slot = self._slots[(self.turns + slots) % SLOTS]
        slot[heartbeat] = client
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(SLOT_SECONDS, self.turn)
        return slot

    def turn(self) -> None:
        """Ping those whose time it is."""
        self.turns += 1
        here = self.turns % SLOTS
        due, self._slots[here] = self._slots[here], {}
        self._timer = asyncio.get_running_loop().call_later(SLOT_SECONDS, self.turn) if any(self._slots) else None
        for heartbeat, client in due.items():
            heartbeat.beat(client)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Heartbeat:
    """The pings of one client, and its lag. The client, which holds this, is known to the slot only."""

    def __init__(self, heart: Heart, clock: FairClock) -> None:
        self._heart = heart
        self._clock = clock
        self._slot: Slot | None = None
        self._number = self._answered = heart.turns
        """The last ping, and the last one that was answered: pings are numbered by the turns of the heart."""

        self._sent_ms = 0
        self._lags_ms: deque[int] = deque(maxlen=LAGS)

    @property
    def lag_ms(self) -> int:
        """The round trip, as measured: the best of the last few, so that one late answer does not count."""
        return min(self._lags_ms, default=0)

    def start(self, client: Pinged) -> None:
        """Ping a client now, and again and again."""
        self._answered = self._heart.turns
        self.beat(client)

    def stop(self) -> None:
        if self._slot is not None:
            self._slot.pop(self, None)
            self._slot = None

    def beat(self, client: Pinged) -> None:
        """Ping, unless the client is gone."""
        turns = self._heart.turns
        left = DEAD_SECONDS - (turns - self._answered) * SLOT_SECONDS
        if left <= 0:
            self._slot = None
            client.dismiss("resync")
            return
        self._number, self._sent_ms = turns, self._clock.now_ms()
        client.ping(turns)
        interval = ACTING_PING_SECONDS if client.is_acting else PING_SECONDS
        interval *= 1 + PING_JITTER * (2 * random.random() - 1)
        self._slot = self._heart.add(self, client, min(interval, left))

    def pong(self, number: int) -> None:
        """The client has answered a ping, perhaps one before the last."""
        self._answered = self._heart.turns
        if number == self._number:
            self._lags_ms.append(self._clock.now_ms() - self._sent_ms)
            self._number = -1   # it counts once
