"""Two servers on one PostgreSQL: each room has one owner, the other forwards, and takes over when the owner dies."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest
import websockets.asyncio.client

from boyi.server.budgets import SOCKETS
from boyi.server.client import Refused, RoomClient, call
from boyi.server.hosted import Hosted
from boyi.server.outbox import Outbox
from boyi.server.protocol.events import Event, Paused
from boyi.server.protocol.messages import Chat, Join, Move, Ready, Sit, Start
from boyi.server.rooms import Pause
from boyi.server.store import FencedError, Store
from boyi.server.store.leases import Leases
from boyi.server.store.tables import servers
from tests.server.databases import postgres
from tests.server.playing import leave, seated
from tests.server.serving import Place, serving
from tests.server.test_kill import free_port, start


async def play(clients: list[RoomClient], moves: int) -> None:
    """The player to act makes the first legal move."""
    for _ in range(moves):
        waiting = [asyncio.create_task(client.until(lambda client=client: client.turn is not None))  # type: ignore[misc]
                   for client in clients]
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()
        mover = next(client for client in clients if client.turn is not None)
        turn = mover.turn
        assert turn is not None
        await mover.request(Move, move=turn.moves[0].text)
        await mover.until(lambda mover=mover, turn=turn: mover.turn is not turn)  # type: ignore[misc]


async def taken_up(place: Place, room: str) -> None:
    async with asyncio.timeout(60):   # for ever, if nobody sees to it
        while place.server.rooms()._rooms.get(room) is None:
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("notified", [True, False])
def test_rooms_of_a_server_that_stops_are_taken_up(notified: bool, tmp_path: Path,
                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    """By a notification alone, as nobody looks for an hour; and without any, by looking."""
    if notified:
        monkeypatch.setattr("boyi.server.lobby.RENEW_SECONDS", 3600.0)
    else:
        monkeypatch.setattr(Leases, "listen", lambda *_: None)

    async def run(database: str) -> None:
        async with (serving(tmp_path, database=database) as second,
                    serving(tmp_path, database=database) as first):
            token = await first.person("ada")
            room = await first.room(token)
            async with second.client(room, token) as ada:
                await ada.request(Chat, text="by way of the other")
            await first.server.stop()
            await taken_up(second, room)   # nobody has asked for it
            async with second.client(room, token) as ada:
                assert ada.state is not None
                assert [line.text for line in ada.state.chat] == ["by way of the other"]
    with postgres() as database:
        asyncio.run(run(database))


def test_rooms_are_released_before_goodbyes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who comes back at once must find the room free, and the clock written down: not one of them waits for a lease."""
    async def run(database: str) -> None:
        done: list[str] = []
        async with (serving(tmp_path, database=database) as second,
                    serving(tmp_path, database=database) as first):
            clients = await seated(first, "othello", {}, 2)
            room = clients[0].room
            hosted = await first.server.rooms().find(room)
            release, perform, dismiss = Leases.release_all, type(hosted).perform, Outbox.dismiss

            async def note_release(leases: Leases, owner: str) -> None:
                await release(leases, owner)
                done.append("released")

            async def note_pause(hosted: Hosted, command: Any, *rest: Any) -> Any:
                if isinstance(command, Pause):
                    done.append("paused")
                return await perform(hosted, command, *rest)

            def note_goodbye(outbox: Outbox, code: str) -> None:
                done.append(code)
                dismiss(outbox, code)

            with monkeypatch.context() as patch:
                patch.setattr(Leases, "release_all", note_release)
                patch.setattr(Hosted, "perform", note_pause)
                patch.setattr(Outbox, "dismiss", note_goodbye)
                await first.server.stop()
            assert done == ["paused", "released", "stopping", "stopping"]
            await taken_up(second, room)
            await leave(clients)
    with postgres() as database:
        asyncio.run(run(database))


def test_clients_of_another_server_are_counted_by_their_own_address(tmp_path: Path) -> None:
    """A server passes on whose connection it is; who is no server is not believed."""
    async def run(database: str) -> None:
        async with (serving(tmp_path, database=database) as first,
                    serving(tmp_path, database=database) as second):
            token = await first.person("ada")
            room = await first.room(token)
            name = second.server.rooms().peers.own_name

            async def counted(server: str, client: str) -> set[str]:
                url = first.address.replace("http", "ws") + "/ws"
                async with websockets.asyncio.client.connect(url, proxy=None, additional_headers={
                        "X-Boyi-Server": server, "X-Boyi-Client": client}) as socket:
                    await socket.send(json.dumps({"type": "hello", "room": room}))
                    await socket.recv()
                    holders = first.server.budgets.holders(SOCKETS)
                async with asyncio.timeout(60):
                    while first.server.budgets.holders(SOCKETS):   # until it has noticed
                        await asyncio.sleep(0.01)
                return holders

            assert await counted(name, "192.0.2.7") == {"192.0.2.7"}
            assert await counted(name.partition("#")[0] + "#guessed", "192.0.2.7") == {"127.0.0.1"}
            async with second.client(room, token) as ada:   # as it is done in earnest
                await ada.request(Chat, text="hello")
                assert first.server.budgets.holders(SOCKETS) == {"127.0.0.1"}
            summary = await call(second.address, "GET", f"/api/rooms/{room}")
            assert summary["room"] == room
    with postgres() as database:
        asyncio.run(run(database))


def test_a_room_outlives_its_server(tmp_path: Path) -> None:
    async def run(database: str) -> None:
        port = free_port()
        first = await asyncio.to_thread(start, port, tmp_path, database)
        address = f"http://127.0.0.1:{port}"
        try:
            async with serving(tmp_path, database=database) as second, contextlib.AsyncExitStack() as stack:
                tokens = [(await call(address, "POST", "/api/session", {"name": name}))["token"]
                          for name in ("ada", "bob")]
                made = await call(address, "POST", "/api/rooms", {"game": "othello"}, tokens[0])
                ada = RoomClient(address, made["room"], tokens[0])
                async with ada:
                    bob = await stack.enter_async_context(second.client(made["room"], tokens[1]))   # elsewhere
                    await bob.request(Join)
                    for seat, client in enumerate((ada, bob)):
                        await client.request(Sit, seat=seat)
                        await client.request(Ready)
                    await ada.request(Start)
                    await play([ada, bob], 6)
                    record = await call(second.address, "GET", f"/api/rooms/{made['room']}/record")
                    assert record == await call(address, "GET", f"/api/rooms/{made['room']}/record")
                    await bob.until(lambda: len(bob.state.game.plies) == 6)  # type: ignore[union-attr]
                    before = msgspec.to_builtins(bob.state.game.plies)  # type: ignore[union-attr]
                    first.send_signal(signal.SIGKILL)
                    first.wait()
                with psycopg.connect(database) as connection:   # nobody waits for its leases to end
                    connection.execute(f"UPDATE {servers.name} SET seen = seen + 3600000")
                # Bob's client comes back to its server by itself, Ada's goes there too; it owns the room now.
                ada = await stack.enter_async_context(second.client(made["room"], tokens[0]))
                await play([ada, bob], 4)
                await bob.until(lambda: len(bob.state.game.plies) == 10)  # type: ignore[union-attr]
                assert msgspec.to_builtins(bob.state.game.plies)[:6] == before  # type: ignore[union-attr]
                hosted = await second.server.rooms().find(made["room"])
                assert hosted.epoch == 2
                # The dead server, were it only asleep, could not write any more.
                zombie = Store(database)
                zombie.open()
                with pytest.raises(FencedError):
                    await zombie.rooms.append(made["room"], 1, [Event(hosted.room.seq + 1, 0, Paused())],
                                              hosted.summary(), True)
                zombie.close()
                await play([ada, bob], 1)
        finally:
            if first.poll() is None:
                first.kill()
                first.wait()
            if first.stdout is not None:
                first.stdout.close()
    with postgres() as database:
        asyncio.run(run(database))


@pytest.mark.slow
def test_a_server_that_was_asleep_finds_itself_fenced_off(tmp_path: Path) -> None:
    """It is stopped in its tracks until its lease has run out, and wakes up believing that the room is its own."""
    async def run(database: str) -> None:
        port = free_port()
        first = await asyncio.to_thread(start, port, tmp_path, database)
        address = f"http://127.0.0.1:{port}"
        try:
            async with serving(tmp_path, database=database) as second:
                tokens = [(await call(address, "POST", "/api/session", {"name": name}))["token"]
                          for name in ("ada", "bob")]
                room = (await call(address, "POST", "/api/rooms", {"game": "othello"}, tokens[0]))["room"]
                async with RoomClient(address, room, tokens[0]) as ada, second.client(room, tokens[1]) as bob:
                    await bob.request(Join)
                    await ada.request(Chat, text="one")
                    first.send_signal(signal.SIGSTOP)
                    await taken_up(second, room)
                    # Bob listened to the sleeper, by way of the second server, and is told without asking.
                    await bob.request(Chat, text="two")
                    first.send_signal(signal.SIGCONT)
                    # Ada is still connected to the one that was asleep. It refuses her, if it has not found out before
                    # and sent her away: then her request is said again to the one that owns the room.
                    try:
                        await ada.request(Chat, text="three")
                    except Refused as refusal:
                        assert refusal.code == "resync"
                        await ada.request(Chat, text="three")
                    for client in (ada, bob):
                        await client.until(lambda client=client: len(client.state.chat) == 3)  # type: ignore[misc]
                        assert [line.text for line in client.state.chat] == ["one", "two", "three"]  # type: ignore[union-attr]
                    hosted = await second.server.rooms().find(room)
                    assert hosted.epoch == 2
        finally:
            first.kill()
            first.wait()
            if first.stdout is not None:
                first.stdout.close()
    with postgres() as database:
        asyncio.run(run(database))
