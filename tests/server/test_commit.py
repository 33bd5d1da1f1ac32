"""Nothing is acknowledged that is not on disk."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from boyi.server.client import Refused, ServerError
from boyi.server.protocol.messages import (
    Move,
    Resign,
)
from boyi.server.rooms import Presence
from boyi.server.store import StorageError
from tests.server.databases import postgres
from tests.server.playing import leave, seated
from tests.server.serving import serving


def test_nothing_is_acknowledged_that_was_not_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            clients = await seated(place, "othello", {}, 2)
            before = msgspec.to_builtins(clients[0].state)
            real = place.server.store.rooms.append

            async def full(*_: Any, **__: Any) -> None:
                raise StorageError("database or disk is full")

            monkeypatch.setattr(place.server.store.rooms, "append", full)
            with pytest.raises(Refused) as refusal:
                await clients[0].request(Move, move="f5")
            assert refusal.value.code == "storage"
            monkeypatch.setattr(place.server.store.rooms, "append", real)
            async with place.client(clients[0].room) as fresh:
                assert msgspec.to_builtins(fresh.state) == before == msgspec.to_builtins(clients[0].state)
            await clients[0].request(Move, move="f5")   # and when there is room again the game goes on
            await leave(clients)
    asyncio.run(run())


@pytest.mark.parametrize("how", ["hello", "task"])
def test_what_is_called_off_while_it_is_saved_leaves_no_gap(how: str, tmp_path: Path,
                                                            monkeypatch: pytest.MonkeyPatch) -> None:
    """A client goes away while its presence is being written; or the task that writes is ended."""
    async def run() -> None:
        async with serving(tmp_path) as place:
            clients = await seated(place, "othello", {}, 2)
            room, token = clients[1].room, clients[1].token
            await leave(clients[1:])
            hosted, real = await place.server.rooms().find(room), place.server.store.rooms.append
            while hosted.room.state.persons[1].away_until is None:
                await asyncio.sleep(0.01)
            begun, goes_on = asyncio.Event(), asyncio.Event()

            async def slow(*values: Any, **named: Any) -> None:
                begun.set()
                await goes_on.wait()
                await real(*values, **named)

            monkeypatch.setattr(place.server.store.rooms, "append", slow)
            if how == "hello":
                monkeypatch.setattr("boyi.server.connection.ENTER_SECONDS", 0.05)
                async with place.raw(room, token) as socket:
                    await begun.wait()
                    await socket.socket.wait_closed()
            else:
                person = hosted.room.state.persons[1].person
                hosted.audience.connected |= {person}
                work = asyncio.create_task(hosted.carry_out(Presence(person)))
                await begun.wait()
                work.cancel()
                await asyncio.wait([work])
            goes_on.set()
            monkeypatch.setattr("boyi.server.connection.ENTER_SECONDS", 5.0)
            again = place.client(room, token)
            await again.__aenter__()
            await again.request(Resign)
            events = await place.server.store.rooms.load(room)
            assert [event.seq for event in events] == list(range(1, len(events) + 1))
            await leave([clients[0], again])
    asyncio.run(run())


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_read_only_disk_is_a_nack(kind: str, tmp_path: Path) -> None:
    """The database itself refuses, as it does when its disk can only be read: nothing is acknowledged or told."""
    async def run(database: str) -> None:
        async with serving(tmp_path, database=database) as place:
            clients = await seated(place, "othello", {}, 2)
            before = msgspec.to_builtins(clients[0].state)
            store, told = place.server.store, len(clients[1].state.game.plies)  # type: ignore[union-attr]
            read_only = "SET TRANSACTION READ ONLY" if store.is_shared else "PRAGMA query_only=ON"

            def refuse(connection: Any, *_: Any) -> None:
                if threading.current_thread().name == "boyi-store":   # of the others, which only read, nothing is asked
                    connection.execute(read_only)

            sa.event.listen(store.database.engine, "checkout", refuse)
            with pytest.raises(StorageError):
                await store.writer.write(lambda _: 1 / 0)   # the writing thread connects anew
            codes = []
            for move in ("f5", "d3"):
                with pytest.raises(Refused) as refusal:
                    await clients[0].request(Move, move=move)
                codes.append(refusal.value.code)
            assert codes == ["storage", "storage"]
            with pytest.raises(ServerError) as nobody:
                await place.person("eve")
            assert nobody.value.code == "storage"
            sa.event.remove(store.database.engine, "checkout", refuse)
            assert len(clients[1].state.game.plies) == told  # type: ignore[union-attr]
            async with place.client(clients[0].room) as fresh:
                assert msgspec.to_builtins(fresh.state) == before == msgspec.to_builtins(clients[0].state)
            with contextlib.suppress(StorageError):
                await store.writer.write(lambda _: 1 / 0)
            await clients[0].request(Move, move="f5")
            await leave(clients)

    with postgres() if kind == "postgresql" else contextlib.nullcontext(f"sqlite:///{tmp_path}/b.sqlite") as database:
        asyncio.run(run(database))
