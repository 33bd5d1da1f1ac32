"""Real servers that really stand still: nobody loses a second that was not theirs.

What is charged is compared with how long it all took by the player's own clock: a slow machine makes both longer. What
follows exactly is in `test_fair_clocks`.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from boyi.server.client import RoomClient
from boyi.server.fair_clock import BEAT_MS, LATE_MS
from boyi.server.protocol import events
from boyi.server.protocol.messages import EventMessage, Move
from boyi.server.store import tables
from boyi.server.store.database import Database
from tests.scale import SOAK
from tests.server.databases import postgres
from tests.server.playing import leave, seated
from tests.server.serving import Place, Served, serving_in_thread
from tests.server.test_kill import free_port, start

STALL_SECONDS = 8.5 if SOAK else 1.2
CLOCK = {"main_ms": 5_000 if SOAK else 60_000}
"""Under soak the stall is longer than the clock."""

UNSEEN_MS = BEAT_MS + LATE_MS + 5


class Game:
    """A game with a clock, and what its events said."""

    def __init__(self, clients: list[RoomClient]) -> None:
        self.ada, self.bob = clients
        self.heard: list[Any] = []
        self.ada.on_message = self._hear

    def _hear(self, message: Any) -> None:
        if isinstance(message, EventMessage):
            self.heard.append(message.body)

    async def move(self, client: RoomClient, move: str) -> int:
        """Make a move, after the turn for it has come: what it cost."""
        await client.until(lambda: client.turn is not None)
        await client.request(Move, move=move)
        plies = len(client.state.game.plies)  # type: ignore[union-attr]
        await self.ada.until(lambda: len(self.ada.state.game.plies) >= plies)  # type: ignore[union-attr]
        moved = [body for body in self.heard if events.kind_of(body) == "moved"][-1]
        return int(moved.spent_ms + moved.credit_ms)

    @property
    def stalled_ms(self) -> int:
        return sum(body.ms for body in self.heard if isinstance(body, events.Stalled))


@contextlib.asynccontextmanager
async def playing(place: Place) -> AsyncIterator[tuple[Game, float]]:
    """A game that begins, and when."""
    began = time.monotonic()
    clients = await seated(place, "othello", {}, 2, clock=CLOCK)
    try:
        yield Game(clients), began
    finally:
        await leave(clients)


def block(served: Served) -> None:
    """A callback takes long."""
    served.loop.call_soon_threadsafe(time.sleep, STALL_SECONDS)
    time.sleep(STALL_SECONDS)


def collect(served: Served) -> None:
    """The garbage collector takes long."""
    def slow(phase: str, _: Any) -> None:
        if phase == "start":
            time.sleep(STALL_SECONDS)

    gc.callbacks.append(slow)
    done = threading.Event()
    served.loop.call_soon_threadsafe(gc.collect)
    served.loop.call_soon_threadsafe(done.set)
    done.wait()
    gc.callbacks.remove(slow)


@pytest.mark.parametrize("stall", [block, collect], ids=["blocked", "collecting"])
def test_the_loop_stands_still(stall: Callable[[Served], None], served: Served) -> None:
    async def run() -> None:
        async with playing(served.place) as (game, began):
            await asyncio.to_thread(stall, served)
            spent_ms = await game.move(game.ada, "f5")
            assert spent_ms <= 1000 * (time.monotonic() - began - STALL_SECONDS) + UNSEEN_MS
            assert game.stalled_ms >= 1000 * STALL_SECONDS - UNSEEN_MS
    asyncio.run(run())


@contextlib.contextmanager
def locked(database: str) -> Iterator[None]:
    """Nobody else can write."""
    engine = Database(database).engine
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            connection.execute(sa.text("BEGIN IMMEDIATE"))
        else:
            connection.execute(sa.text(f"LOCK TABLE {tables.events.name} IN ACCESS EXCLUSIVE MODE"))
        yield
        connection.rollback()
    engine.dispose()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def on_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Served, str]]:
    with postgres() if request.param == "postgresql" else \
            contextlib.nullcontext(f"sqlite:///{tmp_path}/boyi.sqlite") as database, \
            serving_in_thread(tmp_path, database=database) as served:
        yield served, database


def test_the_database_is_locked(on_database: tuple[Served, str]) -> None:
    served, database = on_database

    async def run() -> None:
        async with playing(served.place) as (game, began):
            with locked(database):
                move = asyncio.create_task(game.move(game.ada, "f5"))
                await asyncio.sleep(STALL_SECONDS)
                assert not move.done()
                released = time.monotonic()
            spent_ms = await move
            assert spent_ms <= 1000 * (time.monotonic() - began - STALL_SECONDS / 2)
            spent_ms = await game.move(game.bob, "d6")
            assert spent_ms <= 1000 * (time.monotonic() - released)
            assert game.stalled_ms >= 1000 * STALL_SECONDS / 2
    asyncio.run(run())


def test_the_disk_is_slow(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    real = served.place.server.store.writer._write_group
    lobby = served.place.server.lobby
    assert lobby is not None
    clock = lobby.clock

    def silent_ms() -> int:
        """Stalls of the whole server that are too short to be written down."""
        return clock._stalled_ms - clock.noted_ms

    def slow(*values: Any, **named: Any) -> bool:
        time.sleep(0.3)
        return real(*values, **named)

    async def run() -> None:
        async with playing(served.place) as (game, _):
            monkeypatch.setattr(served.place.server.store.writer, "_write_group", slow)
            began, silent_before_ms = time.monotonic(), silent_ms()
            first_ms = await game.move(game.ada, "f5")   # her turn began before
            costs = [await game.move(game.bob, "d6"), await game.move(game.ada, "c3"), await game.move(game.bob, "d3")]
            assert first_ms + sum(costs) <= 1000 * (time.monotonic() - began) + first_ms - 3 * 300
            assert game.stalled_ms + silent_ms() - silent_before_ms >= 3 * 300
    asyncio.run(run())


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="there is no SIGSTOP on this system")
@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def test_the_process_is_frozen(kind: str, tmp_path: Path) -> None:
    async def run(database: str) -> None:
        port = free_port()
        process = await asyncio.to_thread(start, port, tmp_path, database)
        nothing: Any = None
        place = Place(nothing, f"http://127.0.0.1:{port}", nothing)
        try:
            async with playing(place) as (game, began):
                os.kill(process.pid, signal.SIGSTOP)
                frozen = time.monotonic()
                move = asyncio.create_task(game.move(game.ada, "f5"))
                await asyncio.sleep(STALL_SECONDS)
                frozen = time.monotonic() - frozen
                os.kill(process.pid, signal.SIGCONT)
                spent_ms = await move
                assert spent_ms <= 1000 * (time.monotonic() - began - frozen) + UNSEEN_MS
                assert game.stalled_ms >= 1000 * frozen - 2 * UNSEEN_MS
                await game.move(game.bob, "d6")
        finally:
            process.kill()
            process.wait()
            process.stdout.close()  # type: ignore[union-attr]

    with postgres() if kind == "postgresql" else contextlib.nullcontext(f"sqlite:///{tmp_path}/b.sqlite") as database:
        asyncio.run(run(database))
