"""How much a server of rooms carries: rooms that play, sockets that listen, and how long a move waits for its `ack`.

    python benchmarks/rooms.py                                    1,000 rooms, 3,000 sockets, a move every 3 s, a minute
    python benchmarks/rooms.py --rooms 100 --seconds 20
    python benchmarks/rooms.py --rooms 1 --spectators 1000        one room that everybody watches

The server runs in a process of its own, the clients in this one. In each room two clients play any legal move of
Othello, one of them every `--interval` seconds, and `--spectators` watch; when a game is over the next one begins. What
is printed: moves that were acknowledged, the time from sending one to its `ack` (median, 99 %, longest), the server's
processor time per move and its memory before and after.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from boyi.server.client import Refused, RoomClient, ServerError, call
from boyi.server.messages import Join, Move, Ready, Rematch, Sit, Start


@dataclass(frozen=True)
class Report:
    """What was measured."""

    rooms: int
    sockets: int
    seconds: float
    moves: int
    median_ms: float
    p99_ms: float
    longest_ms: float
    server_cpu_ms_per_move: float
    memory_mb: tuple[float, float]
    """At the beginning and at the end."""


def memory(process: int) -> float:
    """Resident megabytes of a process."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text(encoding="utf-8"))
    return int(found[1]) / 1024 if found else float("nan")


def processor_time(process: int) -> float:
    """Seconds that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def patiently(server: str, path: str, body: object, token: str = "") -> dict[str, str]:
    """A request that waits while the server says that it is too much."""
    while True:
        try:
            answer: dict[str, str] = await call(server, "POST", path, body, token)
            return answer
        except ServerError as error:
            if error.code != "flood":
                raise
            await asyncio.sleep(1)


async def open_room(server: str, spectators: int) -> tuple[list[RoomClient], list[RoomClient]]:
    """A room with two players and those who watch; the game has begun."""
    tokens = [(await patiently(server, "/api/session", {"name": name}))["token"] for name in ("ada", "bob")]
    room = (await patiently(server, "/api/rooms", {"game": "othello"}, tokens[0]))["room"]
    players = [RoomClient(server, room, token) for token in tokens]
    for seat, player in enumerate(players):
        await player.__aenter__()
        if seat:
            await player.request(Join)
        await player.request(Sit, seat=seat)
        await player.request(Ready)
    await players[0].request(Start)
    watchers = [RoomClient(server, room) for _ in range(spectators)]
    await asyncio.gather(*(watcher.__aenter__() for watcher in watchers))
    return players, watchers


async def play(players: Sequence[RoomClient], interval: float, until: float, times: list[float]) -> None:
    """A move every so often, by whoever is to act."""
    await asyncio.sleep(random.uniform(0, interval))
    while time.perf_counter() < until:
        began = time.perf_counter()
        mover = next((player for player in players if player.turn is not None), None)
        try:
            if mover is not None and mover.turn is not None:
                await mover.request(Move, move=random.choice(mover.turn.moves).text)
                times.append(time.perf_counter() - began)
            elif players[0].state is not None and players[0].state.phase == "finished":
                await asyncio.gather(*(player.request(Rematch) for player in players))
        except Refused:
            pass   # the game ended in between
        await asyncio.sleep(max(0.0, interval - (time.perf_counter() - began)))


async def measure(rooms: int, spectators: int, interval: float, seconds: float) -> Report:
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "boyi", "serve", "--port", "0", "--engines", "0", "--database",
             f"sqlite:///{folder}/boyi.sqlite"], stdout=subprocess.PIPE, text=True, cwd=folder,
            env={**os.environ, "BOYI_LANGUAGE": "en", "BOYI_SERVER_CONNECTIONS_PER_ADDRESS": "1000000"})
        try:
            found = re.search(r"http://\S+", process.stdout.readline() if process.stdout else "")
            if found is None:
                raise RuntimeError("the server did not start")
            server = found[0].rstrip("/")
            opened = []
            for number in range(rooms):
                opened.append(await open_room(server, spectators))
                print(f"\r{number + 1} of {rooms} rooms", end="", file=sys.stderr)
            print(file=sys.stderr)
            times: list[float] = []
            before, used = memory(process.pid), processor_time(process.pid)
            until = time.perf_counter() + seconds
            await asyncio.gather(*(play(players, interval, until, times) for players, _ in opened))
            used, after = processor_time(process.pid) - used, memory(process.pid)
            for players, watchers in opened:
                await asyncio.gather(*(client.__aexit__() for client in (*players, *watchers)))
        finally:
            process.terminate()
            process.wait()
    ordered = sorted(1000 * one for one in times)
    return Report(rooms, rooms * (2 + spectators), seconds, len(times), round(statistics.median(ordered), 2),
                  round(ordered[int(0.99 * (len(ordered) - 1))], 2), round(ordered[-1], 2),
                  round(1000 * used / len(times), 3), (round(before, 1), round(after, 1)))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rooms", type=int, default=1000)
    parser.add_argument("--spectators", type=int, default=1, help="per room")
    parser.add_argument("--interval", type=float, default=3.0, help="seconds between the moves of a room")
    parser.add_argument("--seconds", type=float, default=60.0)
    arguments = parser.parse_args()
    report = asyncio.run(measure(arguments.rooms, arguments.spectators, arguments.interval, arguments.seconds))
    print(json.dumps(asdict(report), indent=2))


if __name__ == "__main__":
    main()
