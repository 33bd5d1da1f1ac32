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
from pathlib import Path

import msgspec
import pytest

from boyi.server.client import Refused, RoomClient, call
from boyi.server.messages import Join, Move, Ready, Rematch, Sit, Start
from tests.scale import SOAK, scaled

ROOT = Path(__file__).parents[2]
ROOMS = 50 if SOAK else 3
LIVES = max(2, scaled(20) if not SOAK else 200)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(port: int, folder: Path, database: str | None = None) -> subprocess.Popen[str]:
    """A server in a process of its own, which listens when this returns."""
    process = subprocess.Popen(
        [sys.executable, "-m", "boyi", "serve", "--port", str(port), "--database",
         database or f"sqlite:///{folder}/boyi.sqlite", "--engines", "0"],
        cwd=folder, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "BOYI_LANGUAGE": "en", "BOYI_SERVER_CONNECTIONS_PER_ADDRESS": "10000"})
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


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 on this system")
def test_acknowledged_moves_survive_kill_9(tmp_path: Path) -> None:
    async def run() -> None:
        generator = random.Random(11)
        port = free_port()
        address = f"http://127.0.0.1:{port}"
        process = await asyncio.to_thread(start, port, tmp_path)
        tables: list[tuple[list[RoomClient], dict[int, str]]] = []
        try:
            for number in range(ROOMS):
                tokens = []
                for name in ("ada", "bob"):
                    while True:
                        try:
                            tokens.append((await call(address, "POST", "/api/session", {"name": name}))["token"])
                            break
                        except Exception as error:   # fifty rooms are more than one address may make at once
                            if getattr(error, "code", "") != "flood":
                                raise
                            await asyncio.sleep(2)
                while True:
                    try:
                        made = await call(address, "POST", "/api/rooms", {
                            "game": ("othello", "tic_tac_toe", "jieqi")[number % 3]}, tokens[0])
                        break
                    except Exception as error:
                        if getattr(error, "code", "") != "flood":
                            raise
                        await asyncio.sleep(2)
                clients = [RoomClient(address, made["room"], token) for token in tokens]
                for seat, client in enumerate(clients):
                    await client.__aenter__()
                    if seat:
                        await client.request(Join)
                    await client.request(Sit, seat=seat)
                    await client.request(Ready)
                await clients[0].request(Start)
                tables.append((clients, {}))
            players = [asyncio.create_task(play_for_ever(client, generator, acked))
                       for clients, acked in tables for client in clients]
            for _ in range(LIVES):
                before = sum(len(acked) for _, acked in tables)
                while sum(len(acked) for _, acked in tables) < before + 5 * ROOMS:
                    await asyncio.sleep(0.05)
                    for player in players:
                        if player.done():
                            player.result()
                await asyncio.sleep(generator.uniform(0, 0.2))
                process.send_signal(signal.SIGKILL)
                process.wait()
                process.stdout.close()  # type: ignore[union-attr]
                process = await asyncio.to_thread(start, port, tmp_path)
            for player in players:
                player.cancel()
            await asyncio.gather(*players, return_exceptions=True)
            for clients, acked in tables:
                async with RoomClient(address, clients[0].room, clients[0].token) as fresh:
                    assert fresh.state is not None
                    await clients[0].until(lambda: clients[0].state.seq >= fresh.state.seq)  # type: ignore[union-attr]  # noqa: B023
                    await fresh.until(lambda: clients[0].state.seq == fresh.state.seq)  # type: ignore[union-attr]  # noqa: B023
                    assert msgspec.to_builtins(fresh.state) == msgspec.to_builtins(clients[0].state)
                await check_disk(tmp_path, clients[0].room, acked)
            assert sum(len(acked) for _, acked in tables) >= 5 * ROOMS * LIVES
        finally:
            for clients, _ in tables:
                for client in clients:
                    await client.__aexit__()
            process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()
    asyncio.run(run())


async def check_disk(folder: Path, room: str, acked: dict[int, str]) -> None:
    """Every acknowledged move is the event, or one of the events, that the acknowledgement named."""
    from boyi.server.events import Moved
    from boyi.server.room import Room
    from boyi.server.store import Store

    store = Store(f"sqlite:///{folder}/boyi.sqlite")
    events = {event.seq: event for event in await store.load(room)}
    store._engine.dispose()
    assert list(events) == list(range(1, len(events) + 1))
    by_cause: dict[object, list[str]] = {}
    for event in events.values():
        if isinstance(event.body, Moved) and event.cause is not None:
            by_cause.setdefault(event.cause, []).append(event.body.text)
    for seq, move in acked.items():
        assert by_cause[events[seq].cause][0].startswith(move), (seq, move)
    Room.replay(room, events.values())
