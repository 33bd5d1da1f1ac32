"""Who is pinged when, and who is taken for gone; in an event loop whose time is scripted."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from boyi.server.fair_clock import FairClock
from boyi.server.heartbeat import (
    ACTING_PING_SECONDS,
    DEAD_SECONDS,
    PING_JITTER,
    PING_SECONDS,
    SLOT_SECONDS,
    Heart,
    Heartbeat,
)
from tests.server.scripted import ScriptedLoop, run


@dataclass
class Client:
    """A client that answers after some time, or not at all."""

    loop: ScriptedLoop
    is_acting: bool = False
    lag_ms: int | None = 0
    pinged_ms: list[int] = field(default_factory=list)
    dismissed_ms: int | None = None
    heartbeat: Heartbeat | None = None

    def ping(self, number: int) -> None:
        self.pinged_ms.append(self.loop.ms)
        if self.lag_ms is not None:
            self.loop.later(self.lag_ms, lambda: self._beats.pong(number))

    def dismiss(self, code: str) -> None:
        assert code == "resync"
        self.dismissed_ms = self.loop.ms

    def start(self, heart: Heart, clock: FairClock) -> None:
        self.heartbeat = Heartbeat(heart, clock)
        self.heartbeat.start(self)

    @property
    def _beats(self) -> Heartbeat:
        assert self.heartbeat is not None
        return self.heartbeat

    @property
    def gaps(self) -> list[float]:
        return [(later - before) / 1000 for before, later in zip(self.pinged_ms, self.pinged_ms[1:], strict=False)]


def test_pings_come_in_time_and_to_those_who_act_more_often() -> None:
    async def scene(loop: ScriptedLoop) -> None:
        heart, clock = Heart(), FairClock(lambda: loop.ms)
        watching, acting = Client(loop, lag_ms=40), Client(loop, is_acting=True, lag_ms=70)
        for client in (watching, acting):
            client.start(heart, clock)
        await asyncio.sleep(300)
        for client, seconds in ((watching, PING_SECONDS), (acting, ACTING_PING_SECONDS)):
            assert len(client.gaps) >= 300 / seconds * 0.8
            for gap in client.gaps:
                assert abs(gap - seconds) <= seconds * PING_JITTER + SLOT_SECONDS
            assert client._beats.lag_ms == client.lag_ms
            assert client.dismissed_ms is None
        assert len(set(watching.gaps)) > 5   # not in step
        heart.stop()
    run(scene)


@pytest.mark.parametrize("stall_ms", [0, 30_000])
def test_who_does_not_answer_is_gone_and_a_stall_of_the_server_kills_nobody(stall_ms: int) -> None:
    async def scene(loop: ScriptedLoop) -> None:
        heart, clock = Heart(), FairClock(lambda: loop.ms)
        dead, slow = Client(loop, lag_ms=None), Client(loop, lag_ms=12_000)   # slower than the next ping
        for client in (dead, slow):
            client.start(heart, clock)
        await asyncio.sleep(5)
        loop.stall(stall_ms)
        await asyncio.sleep(120)
        assert slow.dismissed_ms is None
        assert dead.dismissed_ms is not None
        assert abs(dead.dismissed_ms - stall_ms - 1000 * DEAD_SECONDS) <= 1000 * SLOT_SECONDS + 25
        heart.stop()
    run(scene)


def test_the_timer_runs_only_while_there_are_clients() -> None:
    async def scene(loop: ScriptedLoop) -> None:
        heart = Heart()
        clients = [Client(loop) for _ in range(3)]
        for client in clients:
            client.start(heart, FairClock(lambda: loop.ms))
        await asyncio.sleep(30)
        for client in clients:
            client._beats.stop()
        pinged = [list(client.pinged_ms) for client in clients]
        await asyncio.sleep(30)
        turns = heart.turns
        await asyncio.sleep(30)
        assert heart.turns == turns and [client.pinged_ms for client in clients] == pinged
    run(scene)
