"""Two servers on one PostgreSQL: each room has one owner, the other forwards, and takes over when the owner dies."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from pathlib import Path

import msgspec
import pytest

from boyi.server.client import RoomClient, call
from boyi.server.events import Event, Paused
from boyi.server.messages import Join, Move, Ready, Sit, Start
from boyi.server.store import FencedError, Store
from tests.server.databases import postgres
from tests.server.serving import serving
from tests.server.test_kill import free_port, start


async def play(clients: list[RoomClient], moves: int) -> None:
    """Whoever is to act makes the first legal move."""
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
                    bob = await stack.enter_async_context(second.client(made["room"], tokens[1]))   # by the other door
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
                # Bob comes back to his door by himself, Ada to that one too; it owns the room now.
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
                    await zombie.append(made["room"], 1, [Event(hosted.room.seq + 1, 0, Paused())], hosted.summary(),
                                        True)
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
