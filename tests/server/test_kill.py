"""A server that is killed again and again, while people play: nothing that was acknowledged is lost."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pytest

from boyi.server.client import Refused, RoomClient, call
from boyi.server.protocol.events import Moved
from boyi.server.protocol.messages import Join, Move, Ready, Rematch, Sit, Start
from boyi.server.rooms import Room, telling
from boyi.server.store import Store
from tests.scale import SLOW, SOAK
from tests.server.databases import postgres

ROOMS = 50 if SOAK else 3
LIVES = 200 if SOAK else 2 if SLOW else 1
BUDGET_FACTOR = "10"
"""Fifty rooms of one person at one address are more than the usual budgets allow."""

LOOKED_AT = 5
"""How many rooms are compared with the disk after each death; all of them after the last."""


def free_port() -> int:
    """A port that stays free while its server is dead: not one of those that connections begin at by themselves."""
    while True:
        port = random.randrange(10_000, 30_000)
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


def start(port: int, folder: Path, database: str | None = None) -> subprocess.Popen[str]:
    """A server in a process of its own, which listens when this returns."""
    process = subprocess.Popen(
        [sys.executable, "-m", "boyi", "serve", "--port", str(port), "--database",
         database or f"sqlite:///{folder}/boyi.sqlite", "--engines", "0"],
        cwd=folder, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "BOYI_LANGUAGE": "en", "BOYI_SERVER_BUDGET_FACTOR": BUDGET_FACTOR})
    assert process.stdout is not None
    line = process.stdout.readline()
    if "http" not in line:
        process.kill()
        process.wait()
        process.stdout.close()
        raise RuntimeError("the server did not start")
    return process


async def play_for_ever(client: RoomClient, generator: random.Random, acked: dict[int, str]) -> None:
    """Move whenever it is one's turn, and remember what was acknowledged under which number."""
    while True:
        await client.until(lambda: client.turn is not None or client.state.phase == "finished")  # type: ignore[union-attr]
        turn = client.turn
        with contextlib.suppress(Refused):
            if turn is None:
                await client.request(Rematch)
                await client.until(lambda: client.state.phase == "playing")  # type: ignore[union-attr]
                continue
            move = generator.choice(turn.moves).text
            ack = await client.request(Move, move=move)
            acked[ack.seq] = move
        await client.until(lambda turn=turn: client.turn is not turn)  # type: ignore[misc]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/boyi.sqlite"
    else:
        with postgres() as address:
            yield address


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 on this system")
def test_acknowledged_moves_survive_kill_9(tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boyi.server.client.LONGEST_DELAY_SECONDS", 0.5)   # they come back soon: many lives to see

    async def run() -> None:
        generator = random.Random(11)
        port = free_port()
        address = f"http://127.0.0.1:{port}"
        store = Store(database)
        process = await asyncio.to_thread(start, port, tmp_path, database)
        tables: list[Table] = []
        try:
            tokens = [(await call(address, "POST", "/api/session", {"name": name}))["token"] for name in ("ada", "bob")]
            for number in range(ROOMS):
                game = ("othello", "tic_tac_toe", "jieqi")[number % 3]
                made = await call(address, "POST", "/api/rooms", {"game": game}, tokens[0])
                table = Table([RoomClient(address, made["room"], token) for token in tokens])
                for seat, client in enumerate(table.clients):
                    await client.__aenter__()
                    if seat:
                        await client.request(Join)
                    await client.request(Sit, seat=seat)
                    await client.request(Ready)
                await table.clients[0].request(Start)
                tables.append(table)
            players = [asyncio.create_task(play_for_ever(client, generator, table.acked))
                       for table in tables for client in table.clients]
            for life in range(LIVES):
                before = sum(len(table.acked) for table in tables)
                while sum(len(table.acked) for table in tables) < before + 2 * ROOMS:
                    await asyncio.sleep(0.05)
                    for player in players:
                        if player.done():
                            player.result()
                await asyncio.sleep(generator.uniform(0, 0.2))
                process.send_signal(signal.SIGKILL)
                process.wait()
                process.stdout.close()  # type: ignore[union-attr]
                some = tables if life == LIVES - 1 else generator.sample(tables, min(LOOKED_AT, ROOMS))
                for table in some:
                    await table.check(store)
                process = await asyncio.to_thread(start, port, tmp_path, database)
            for player in players:
                player.cancel()
            await asyncio.gather(*players, return_exceptions=True)
            for table in tables:
                mine = table.clients[0]
                while mine._socket is None:   # on PostgreSQL the lease of the server that died must run out first
                    await asyncio.sleep(0.05)
                async with RoomClient(address, mine.room, mine.token) as fresh:
                    assert fresh.state is not None
                    await mine.until(lambda: mine.state.seq >= fresh.state.seq)  # type: ignore[union-attr]  # noqa: B023
                    await fresh.until(lambda: mine.state.seq == fresh.state.seq)  # type: ignore[union-attr]  # noqa: B023
                    assert msgspec.to_builtins(fresh.state) == msgspec.to_builtins(mine.state)
            acked = sum(len(table.acked) for table in tables)
            assert acked >= 2 * ROOMS * LIVES
            print(f"{LIVES} deaths, {ROOMS} rooms: {acked} acknowledged moves, all of them there")
        finally:
            for table in tables:
                for client in table.clients:
                    await client.__aexit__()
            store.database.engine.dispose()
            process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()
    asyncio.run(run())


@dataclass
class Table:
    """Two who play, and what they were promised."""

    clients: list[RoomClient]
    acked: dict[int, str] = field(default_factory=dict)
    """From the event that an acknowledgement named to the move."""

    async def check(self, store: Store) -> None:
        """The server is dead: everything that was acknowledged is on disk, and everything that was told."""
        for client in self.clients:
            while client._socket is not None:   # what it sent before it died is still being heard
                await asyncio.sleep(0.01)
        events = await store.rooms.load(self.clients[0].room)
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        by_cause: dict[object, list[str]] = {}
        for event in events:
            if isinstance(event.body, Moved) and event.cause is not None:
                by_cause.setdefault(event.cause, []).append(event.body.text)
        for seq, move in self.acked.items():
            assert by_cause[events[seq - 1].cause][0].startswith(move), (seq, move)
        for client in self.clients:
            assert client.state is not None and client.state.seq <= len(events)
            room = Room.replay(client.room, events[:client.state.seq])
            between = room.referee is not None and room.referee.position.turn < 0 and room.state.phase == "playing"
            if not between:   # the last move was told, and the end not yet: nobody can come in there
                assert msgspec.to_builtins(telling.view(room, client.seat)) == msgspec.to_builtins(client.state)
