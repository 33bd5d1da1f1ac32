"""What is not kept for ever: journals of rooms that were closed long ago; finished games stay."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from boyi.server import retention
from boyi.server.client import ServerError, call
from boyi.server.protocol.messages import Close, Resign
from boyi.server.retention import DAY_MS, Retention
from boyi.server.store import FencedError, Store
from boyi.server.store.database import now_ms
from boyi.server.store.tables import events, rooms
from tests.server.databases import postgres
from tests.server.playing import leave, seated
from tests.server.serving import Place, serving
from tests.server.test_store import SUMMARY, event


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "sqlite":
        opened = Store(f"sqlite:///{tmp_path}/boyi.sqlite")
        opened.open()
        yield opened
        opened.close()
    else:
        with postgres() as address:
            opened = Store(address)
            opened.open()
            yield opened
            opened.close()


def age(store: Store, room: str, phase: str, days: float) -> None:
    with store.database.engine.begin() as connection:
        connection.execute(sa.update(rooms).where(rooms.c.id == room).values(
            phase=phase, updated=now_ms() - int(days * DAY_MS)))


def test_only_what_was_closed_long_ago_is_removed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "PORTION_ROOMS", 2)
    monkeypatch.setattr(retention, "PAUSE_SECONDS", 0.0)

    async def run() -> None:
        kept = {"young": ("closed", 29.0), "playing": ("playing", 99.0), "finished": ("finished", 99.0)}
        old = {f"old{number}": ("closed", 31.0) for number in range(5)}
        for room, (phase, days) in (kept | old).items():
            await store.rooms.append(room, 1, [event(1), event(2)], SUMMARY, True)
            age(store, room, phase, days)
        assert await Retention(store, 30).clear() == 5
        assert await Retention(store, 30).clear() == 0
        left = {room for (room,) in await store.database.read(sa.select(events.c.room))}
        assert left == set(kept)
        assert await store.rooms.summary("old1") == SUMMARY   # what it was is still known
        with pytest.raises(FencedError):   # a server that has it open from before
            await store.rooms.append("old1", 1, [event(3)], SUMMARY, True)
        assert not [room for room in await store.leases.open_rooms() if room.startswith("old")]
    asyncio.run(run())


def test_finished_games_of_cleared_rooms_can_still_be_had(tmp_path: Path) -> None:
    async def finish(place: Place) -> str:
        clients = await seated(place, "tic_tac_toe", {}, 2)
        await clients[1].request(Resign)
        await clients[0].until(lambda: clients[0].state.phase == "finished")  # type: ignore[union-attr]
        await clients[0].request(Close)
        await leave(clients)
        return clients[0].room

    async def run() -> None:
        async with serving(tmp_path) as place:
            open_room = await finish(place)
            record = await call(place.address, "GET", f"/api/records/{open_room}/1")
        store = Store(f"sqlite:///{tmp_path}/boyi.sqlite")
        age(store, open_room, "closed", 31)
        store.database.close()
        async with serving(tmp_path, closed_room_days=30) as place:
            async with asyncio.timeout(30):
                while await place.server.store.rooms.load(open_room):   # by itself, soon after the start
                    await asyncio.sleep(0.01)
            assert await call(place.address, "GET", f"/api/records/{open_room}/1") == record
            with pytest.raises(ServerError) as refusal:
                await call(place.address, "GET", f"/api/rooms/{open_room}")
            assert refusal.value.code == "no_room"
            with place.server.store.database.engine.begin() as connection:   # had it been locked
                connection.execute(sa.update(rooms).values(summary=connection.execute(
                    sa.select(rooms.c.summary)).scalar_one().replace(b'"locked":false', b'"locked":true')))
            with pytest.raises(ServerError) as refusal:
                await call(place.address, "GET", f"/api/records/{open_room}/1")
            assert refusal.value.code == "no_room"
    asyncio.run(run())


def test_nothing_is_removed_unless_it_is_asked_for(tmp_path: Path) -> None:
    async def run() -> None:
        store = Store(f"sqlite:///{tmp_path}/boyi.sqlite")
        store.open()
        await store.rooms.append("r", 1, [event(1)], SUMMARY, True)
        age(store, "r", "closed", 10_000)
        await asyncio.wait_for(Retention(store, 0).run(), 30)   # it has nothing to do, and ends
        assert await store.rooms.load("r") == [event(1)]
        store.close()
    asyncio.run(run())
