"""Several workers behind one address: rooms go from one to the other, and nothing is lost or late."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from boyi.core.errors import OptionError
from boyi.server import workers
from boyi.server.client import RoomClient, ServerError, call
from boyi.server.config import Config
from boyi.server.protocol.events import Moved, Resigned
from boyi.server.protocol.messages import Join, Ready, Sit, Start
from boyi.server.store import Store
from boyi.server.store.tables import rooms
from tests.server.databases import postgres
from tests.server.test_kill import free_port, play_for_ever

CLOCK = {"main_ms": 600_000, "increment_ms": 0}


def test_sqlite_has_one_server() -> None:
    with pytest.raises(OptionError, match="need PostgreSQL"):
        workers.check(Config(workers=2))


def children(parent: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True, check=False)
    return [int(line) for line in found.stdout.split()]


@contextlib.asynccontextmanager
async def serving_workers(database: str, folder: Path) -> AsyncIterator[tuple[str, subprocess.Popen[str]]]:
    """Two workers, and their parent."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "boyi", "serve", "--port", str(port), "--database", database, "--engines", "0",
         "--workers", "2"], cwd=folder, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "BOYI_LANGUAGE": "en", "BOYI_SERVER_HOST": "127.0.0.1",
             "BOYI_SERVER_CONNECTIONS_PER_ADDRESS": "10000"})
    assert process.stdout is not None
    try:
        line = await asyncio.to_thread(process.stdout.readline)
        assert "http" in line
        yield f"http://127.0.0.1:{port}", process
    finally:
        process.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(process.wait, 60) == 0
        process.stdout.close()


async def tables(address: str, stack: contextlib.AsyncExitStack, count: int) -> list[list[RoomClient]]:
    made = []
    tokens = [(await call(address, "POST", "/api/session", {"name": name}))["token"] for name in ("ada", "bob")]
    for _ in range(count):
        room = (await call(address, "POST", "/api/rooms", {"game": "othello", "clock": CLOCK}, tokens[0]))["room"]
        clients = [await stack.enter_async_context(RoomClient(address, room, token)) for token in tokens]
        await clients[1].request(Join)
        for seat, client in enumerate(clients):
            await client.request(Sit, seat=seat)
            await client.request(Ready)
        await clients[0].request(Start)
        made.append(clients)
    return made


@pytest.mark.slow
@pytest.mark.parametrize("how", ["replaced", "killed"])
def test_games_go_on_while_workers_come_and_go(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All workers are replaced one by one, or one is killed: no acknowledged move is lost, and no flag falls."""
    monkeypatch.setattr("boyi.server.client.LONGEST_DELAY_SECONDS", 0.5)

    async def run(database: str) -> None:
        async with serving_workers(database, tmp_path) as (address, parent), contextlib.AsyncExitStack() as stack:
            games = await tables(address, stack, 3)
            acked: list[dict[int, str]] = [{} for _ in games]
            generator = random.Random(3)
            players = [asyncio.create_task(play_for_ever(client, generator, promised))
                       for clients, promised in zip(games, acked, strict=True) for client in clients]
            await more(acked, 5, players)
            first = children(parent.pid)
            assert len(first) == 2
            if how == "replaced":
                parent.send_signal(signal.SIGHUP)
            else:
                os.kill(first[0], signal.SIGKILL)
            async with asyncio.timeout(60):
                while len(set(children(parent.pid)) - set(first)) < (2 if how == "replaced" else 1):
                    await asyncio.sleep(0.1)
            await more(acked, 5, players)
            for player in players:
                player.cancel()
            await asyncio.gather(*players, return_exceptions=True)
            store = Store(database)
            for clients, promised in zip(games, acked, strict=True):
                events = await store.rooms.load(clients[0].room)
                assert [event.seq for event in events] == list(range(1, len(events) + 1))
                for seq, move in promised.items():
                    texts = [event.body.text for event in events
                             if event.cause == events[seq - 1].cause and isinstance(event.body, Moved)]
                    assert texts[0].startswith(move)
                assert not any(isinstance(event.body, Resigned) for event in events)   # on time, or abandoned
                # Time that nobody had is nobody's: the players think for milliseconds.
                spent = sum(event.body.spent_ms for event in events if isinstance(event.body, Moved))
                assert spent < CLOCK["main_ms"] / 10
            store.database.close()
    with postgres() as database:
        asyncio.run(run(database))


async def more(acked: list[dict[int, str]], moves: int, players: list[asyncio.Task[None]]) -> None:
    """Wait until in each game so many moves more were acknowledged."""
    before = [len(one) for one in acked]
    async with asyncio.timeout(60):
        while any(len(one) < was + moves for one, was in zip(acked, before, strict=True)):
            await asyncio.sleep(0.02)
            for player in players:
                if player.done():
                    player.result()


@pytest.mark.slow
def test_workers_share_an_address_and_end_together(tmp_path: Path) -> None:
    """Each worker is asked at times, and rooms of one are reached by way of the other."""
    async def run(database: str) -> None:
        async with serving_workers(database, tmp_path) as (address, parent), contextlib.AsyncExitStack() as stack:
            await tables(address, stack, 2)
            store = Store(database)
            async with asyncio.timeout(30):
                while len({owner for (owner,) in await store.database.read(sa.select(rooms.c.owner))}) < 2:
                    token = (await call(address, "POST", "/api/session", {"name": "cyd"}))["token"]
                    with contextlib.suppress(ServerError):   # so many rooms at once may be too many
                        await call(address, "POST", "/api/rooms", {"game": "othello"}, token)
            store.database.close()
            workers_of = children(parent.pid)
        for process in workers_of:
            with pytest.raises(ProcessLookupError):
                os.kill(process, 0)
    with postgres() as database:
        asyncio.run(run(database))
