"""How much a server of rooms carries: rooms that play, sockets that listen, and how long a move waits for its `ack`.

    python -m benchmarks.rooms                                      1,000 rooms, 3,000 sockets, a move every 3 s, 10 min
    python -m benchmarks.rooms --database postgresql                the same on a PostgreSQL that is started for it
    python -m benchmarks.rooms --rooms 1 --spectators 1000          one room that everybody watches
    python -m benchmarks.rooms --seconds 60 --trouble silent        500 who never read
    python -m benchmarks.rooms --seconds 60 --trouble flood         20 who send nonsense as fast as they can
    python -m benchmarks.rooms --seconds 60 --trouble engines       50 rooms of AIs only, and an engine that hangs
    python -m benchmarks.rooms --seconds 60 --trouble reconnect     every connection breaks at once
    python -m benchmarks.rooms --seconds 60 --trouble restart       the server is killed and started again

Run it in the repository's folder. The server runs in a process of its own, on one core (`--core`), the clients in this
one, on the others. In each room two clients play any legal move of Othello, one of them every `--interval` seconds, and
`--spectators` watch; when a game is over the next one begins. With a `--trouble` there are two measurements, without it
and with it.

What is printed: moves that were acknowledged, the time from sending one to its `ack` and until those who watch have
been told of it (median, 99 %, longest), the server's processor time per move and per second, and its memory from
time to time.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import os
import random
import re
import resource
import select
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from benchmarks.sockets import Player, Watcher, home, post
from tests.server.databases import postgres

OPENING = 50
"""So many rooms are opened at a time."""

SAMPLES = 10
"""So often the memory is looked at."""


@dataclass(frozen=True)
class Times:
    """How long something took, in milliseconds."""

    median: float
    p99: float
    longest: float

    @staticmethod
    def of(seconds: Sequence[float]) -> Times:
        ordered = sorted(1000 * one for one in seconds) or [float("nan")]
        return Times(round(statistics.median(ordered), 2), round(ordered[int(0.99 * (len(ordered) - 1))], 2),
                     round(ordered[-1], 2))


@dataclass(frozen=True)
class Figures:
    """What was measured for a while."""

    seconds: float
    moves: int
    refused: int
    ack_ms: Times
    told_ms: Times
    """Until a spectator was told."""

    cpu_ms_per_move: float
    cpu_share: float
    """Of one core."""

    memory_mb: list[float]
    """Of the server, from the beginning to the end."""


@dataclass
class Server:
    """A server in a process of its own, on a core of its own."""

    core: int
    database: str
    folder: str
    engines: int
    process: subprocess.Popen[str] = field(init=False)
    address: str = field(init=False)
    port: int = 0

    def start(self) -> None:
        pinned = ["taskset", "-c", str(self.core)] if self.core >= 0 else []
        self.process = subprocess.Popen(
            [*pinned, sys.executable, "-m", "boyi", "serve", "--host", "127.0.0.1", "--port", str(self.port),
             "--engines", str(self.engines), "--database", self.database], stdout=subprocess.PIPE, text=True,
            cwd=self.folder, env={**os.environ, "BOYI_LANGUAGE": "en"})
        found = re.search(r"http://\S+", self.process.stdout.readline() if self.process.stdout else "")
        if found is None:
            raise RuntimeError("the server did not start")
        self.address = found[0].rstrip("/")
        self.port = int(self.address.rpartition(":")[2])

    def end(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    def memory(self) -> float:
        """Resident megabytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        found = re.search(r"VmRSS:\s+(\d+)", status)
        return round(int(found[1]) / 1024, 1) if found else float("nan")

    def processor_time(self) -> float:
        """Seconds that it has used; its engines not counted."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def children(self) -> list[int]:
        """Its engines."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return [int(one) for task in tasks for one in task.read_text(encoding="utf-8").split()]

    async def metric(self, name: str) -> float:
        def work() -> float:
            with urllib.request.urlopen(self.address + "/metrics", timeout=30) as answer:
                found = re.search(rf"^{name} (\S+)$", answer.read().decode(), re.MULTILINE)
            return float(found[1]) if found else float("nan")
        return await asyncio.to_thread(work)


@dataclass
class Room:
    """A room, those who play and those who watch."""

    number: int
    name: str
    tokens: list[str]
    players: list[Player] = field(default_factory=list)
    watchers: list[Watcher] = field(default_factory=list)
    sent: float = 0.0

    def address(self, guest: int = 0) -> str:
        """Whoever plays here comes from one address; those who watch too, up to fifty of them."""
        return home(self.number + guest // 50 * 1009)


@dataclass
class Load:
    """All rooms, and what has been measured."""

    server: Server
    interval: float
    rooms: list[Room] = field(default_factory=list)
    acks: list[float] = field(default_factory=list)
    told: list[float] = field(default_factory=list)
    refused: int = 0

    # ------------------------------------------------------------------ coming in

    async def open(self, rooms: int, spectators: int) -> None:
        waiting = asyncio.Semaphore(OPENING)

        async def one(number: int) -> None:
            async with waiting:
                self.rooms.append(await self._open_room(number, spectators))

        await asyncio.gather(*(one(number) for number in range(rooms)))

    async def _open_room(self, number: int, spectators: int) -> Room:
        """A room with two players and those who watch; the game has begun."""
        address, server = home(number), self.server.address
        tokens = [(await post(server, "/api/session", {"name": name}, "", address))["token"] for name in ("ada", "bob")]
        made = await post(server, "/api/rooms", {"game": "othello"}, tokens[0], address)
        room = Room(number, made["room"], tokens)
        await asyncio.gather(*(self._sit(room, seat) for seat in range(2)))
        await room.players[1].must("join")
        for seat, player in enumerate(room.players):
            await player.must("sit", seat=seat)
            await player.must("ready")
        await room.players[0].must("start")
        room.watchers = list(await asyncio.gather(*(self._watch(room, guest) for guest in range(spectators))))
        return room

    async def _sit(self, room: Room, seat: int) -> None:
        """Somebody comes to his room, or comes back to it."""
        old = room.players[seat] if len(room.players) > seat else None
        player = Player(self.server.address, room.name, room.tokens[seat], seen=None if old is None else old.seq)
        player.over = old is not None and old.over
        if old is None:
            room.players.append(player)
        else:
            room.players[seat] = player
        await player.connect(self.server.address, room.address())
        await player.here

    async def _watch(self, room: Room, guest: int, seen: int | None = None) -> Watcher:
        watcher = Watcher(self.server.address, room.name, seen=seen, told=lambda: self._hear(room))
        await watcher.connect(self.server.address, room.address(guest))
        await watcher.here
        return watcher

    def _hear(self, room: Room) -> None:
        if room.sent:
            self.told.append(time.perf_counter() - room.sent)

    # ------------------------------------------------------------------ playing

    async def play(self, room: Room, until: float) -> None:
        """A move every so often, by whoever is to act."""
        due = time.perf_counter() + random.uniform(0, self.interval)
        while due < until:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            due += self.interval
            mover = next((player for player in room.players if player.turn is not None), None)
            if mover is not None and mover.turn is not None:
                turn, mover.turn = mover.turn, None
                room.sent = time.perf_counter()
                answer = await mover.ask("move", move=random.choice(turn.moves).text)
                if answer["type"] == "ack":
                    self.acks.append(time.perf_counter() - room.sent)
                else:
                    self.refused += 1
            elif room.players[0].over:
                room.sent = 0.0   # what comes now is no move
                for player in room.players:
                    await player.ask("rematch")

    async def measure(self, seconds: float) -> Figures:
        """Everybody plays for a while."""
        self.acks, self.told, self.refused = [], [], 0
        server, used, began = self.server, self.server.processor_time(), time.perf_counter()
        memory = [server.memory()]

        async def look() -> None:
            for _ in range(SAMPLES):
                await asyncio.sleep(seconds / SAMPLES)
                memory.append(server.memory())

        await asyncio.gather(look(), *(self.play(room, began + seconds) for room in self.rooms))
        used, took = server.processor_time() - used, time.perf_counter() - began
        return Figures(round(took, 1), len(self.acks), self.refused, Times.of(self.acks), Times.of(self.told),
                       round(1000 * used / max(1, len(self.acks)), 3), round(used / took, 3), memory)

    async def come_back(self) -> Times:
        """Everybody connects at once, with what he has seen; how long that takes each."""
        taken: list[float] = []

        async def timed(work: Callable[[], Awaitable[None]]) -> None:
            began = time.perf_counter()
            while True:   # a server that is just starting, or that is asked too much at once, is asked again
                try:
                    async with asyncio.timeout(5):
                        await work()
                    break
                except (OSError, TimeoutError):
                    await asyncio.sleep(random.uniform(0.1, 0.5))
            taken.append(time.perf_counter() - began)

        async def watch(room: Room, guest: int) -> None:
            room.watchers[guest] = await self._watch(room, guest, room.watchers[guest].seq)

        await asyncio.gather(
            *(timed(partial(self._sit, room, seat)) for room in self.rooms for seat in range(2)),
            *(timed(partial(watch, room, guest)) for room in self.rooms for guest in range(len(room.watchers))))
        return Times.of(taken)

    def cut(self) -> None:
        for room in self.rooms:
            room.sent = 0.0
            for one in (*room.players, *room.watchers):
                one.abort()


# ---------------------------------------------------------------------- troubles

@contextlib.asynccontextmanager
async def silent(load: Load, notes: dict[str, Any], count: int = 500) -> AsyncIterator[None]:
    """Readers that never read: they say hello and take nothing from their sockets. Cut off, they come again."""
    notes["cut_off"] = 0

    async def never_read(number: int) -> None:
        room = load.rooms[number % len(load.rooms)]
        while True:
            plug = socket.socket()
            plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            plug.setblocking(False)
            plug.bind((home(40_000 + number), 0))
            loop = asyncio.get_running_loop()
            await loop.sock_connect(plug, ("127.0.0.1", load.server.port))
            deaf = Watcher(load.server.address, room.name)
            # The greeting and hello at once, since the answer to the greeting is not read either.
            await loop.sock_sendall(plug, deaf.greeting())
            # Whether the other end has gone can be seen without reading: only an error or a hang-up is asked for.
            while not has_hung_up(plug):
                await asyncio.sleep(2)
            plug.close()
            notes["cut_off"] += 1

    tasks = [asyncio.create_task(never_read(number)) for number in range(count)]
    await asyncio.sleep(5)
    yield
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            raise result
    notes["connections_at_the_end"] = await load.server.metric("boyi_connections")


def has_hung_up(plug: socket.socket) -> bool:
    poll = select.poll()
    poll.register(plug, select.POLLRDHUP)
    return bool(poll.poll(0))


@contextlib.asynccontextmanager
async def flood(load: Load, notes: dict[str, Any], count: int = 20) -> AsyncIterator[None]:
    """Clients that send nonsense and questions as fast as they can; cut off, they come again.

    They are a process of their own that gives way to this one: else the time would be measured that a move waits here.
    """
    names = [room.name for room in load.rooms]
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=pour_all, args=(load.server.address, names, count, there))
    process.start()
    await asyncio.to_thread(here.recv)
    try:
        yield
        here.send("enough")
        notes |= await asyncio.to_thread(here.recv)
    finally:
        process.kill()
        process.join()


def pour_all(server: str, rooms: list[str], count: int, pipe: Connection) -> None:
    """Many who flood, until the pipe says enough."""
    os.nice(19)
    notes = {"frames": 0, "cut_off": 0}

    async def work() -> None:
        tasks = [asyncio.create_task(pour(server, rooms, number, notes)) for number in range(count)]
        pipe.send("begun")
        await asyncio.to_thread(pipe.recv)
        for task in tasks:
            task.cancel()
        for result in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(result, Exception):
                raise result

    asyncio.run(work())
    pipe.send(notes)


async def pour(server: str, rooms: list[str], number: int, notes: dict[str, int]) -> None:
    """One who floods."""
    frames = [b"nonsense", b"{" * 3000, b'{"type":"check","id":1,"seen":0,"seat":0}',
              b'{"type":"history","id":2,"seen":0}', b'{"type":"move","id":3,"seen":0,"move":"a1"}',
              b'{"type":"chat","id":4,"seen":0,"text":"' + b"x" * 4000]
    generator = random.Random(number)
    while True:
        loud = Watcher(server, generator.choice(rooms))
        await loud.connect(server, home(50_000 + number))
        await asyncio.wait([loud.here, loud.lost], return_when=asyncio.FIRST_COMPLETED)
        while not loud.lost.done():
            for _ in range(10):
                loud.say(generator.choice(frames))
            notes["frames"] += 10
            await asyncio.sleep(0.002)
        notes["cut_off"] += 1
        await asyncio.sleep(0.1)


@contextlib.asynccontextmanager
async def engines(load: Load, notes: dict[str, Any], count: int = 50) -> AsyncIterator[None]:
    """Rooms of AIs only; after a while their engine is stopped in the middle of a thought."""
    server, before = load.server, await load.server.metric("boyi_engine_moves_total")
    hosts = []
    for number in range(count):
        address = home(60_000 + number)
        token = (await post(server.address, "/api/session", {"name": "host"}, "", address))["token"]
        made = await post(server.address, "/api/rooms", {"game": "xiangqi"}, token, address)
        host = Player(server.address, made["room"], token)
        await host.connect(server.address, address)
        await host.here
        for seat in range(2):
            await host.must("set_ai", seat=seat, level=4)
        await host.must("start")
        hosts.append(host)

    async def hang() -> None:
        await asyncio.sleep(5)
        children = server.children()
        for child in children:
            os.kill(child, signal.SIGSTOP)
        notes["engines_stopped"] = len(children)

    hanging = asyncio.create_task(hang())
    yield
    await hanging
    notes["engines_replaced"] = await server.metric("boyi_engines_replaced_total")
    notes["engine_moves"] = await server.metric("boyi_engine_moves_total") - before
    for host in hosts:
        host.abort()


@contextlib.asynccontextmanager
async def reconnect(load: Load, notes: dict[str, Any]) -> AsyncIterator[None]:
    """Every connection breaks at once, and all come back at once."""
    load.cut()
    await asyncio.sleep(1)
    began = time.perf_counter()
    notes["back_ms"] = asdict(await load.come_back())
    notes["all_back_seconds"] = round(time.perf_counter() - began, 2)
    yield


@contextlib.asynccontextmanager
async def restart(load: Load, notes: dict[str, Any]) -> AsyncIterator[None]:
    """The server is killed and started again."""
    began = time.perf_counter()
    load.server.end(signal.SIGKILL)
    await asyncio.to_thread(load.server.start)
    notes["listens_after_seconds"] = round(time.perf_counter() - began, 2)
    notes["back_ms"] = asdict(await load.come_back())
    notes["all_back_seconds"] = round(time.perf_counter() - began, 2)
    yield


TROUBLES = {"silent": silent, "flood": flood, "engines": engines, "reconnect": reconnect, "restart": restart}


async def run(arguments: argparse.Namespace, server: Server) -> dict[str, object]:
    load = Load(server, arguments.interval)
    began = time.perf_counter()
    await load.open(arguments.rooms, arguments.spectators)
    sockets = sum(len(room.players) + len(room.watchers) for room in load.rooms)
    report: dict[str, object] = {
        "rooms": len(load.rooms), "sockets": sockets, "database": server.database.partition(":")[0],
        "opened_in_seconds": round(time.perf_counter() - began, 1)}
    print(f"{len(load.rooms)} rooms, {sockets} sockets", file=sys.stderr)
    if arguments.trouble is None:
        return report | {"figures": asdict(await load.measure(arguments.seconds))}
    report["calm"] = asdict(await load.measure(arguments.seconds))
    print(json.dumps(report), file=sys.stderr)
    notes: dict[str, Any] = {}
    async with TROUBLES[arguments.trouble](load, notes):
        report[arguments.trouble] = asdict(await load.measure(arguments.seconds))
    report["notes"] = notes
    report["load"] = [round(one, 1) for one in os.getloadavg()]
    return report


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rooms", type=int, default=1000)
    parser.add_argument("--spectators", type=int, default=1, help="per room")
    parser.add_argument("--interval", type=float, default=3.0, help="seconds between the moves of a room")
    parser.add_argument("--seconds", type=float, default=600.0, help="of each measurement")
    parser.add_argument("--trouble", choices=sorted(TROUBLES), help="what disturbs the second measurement")
    parser.add_argument("--database", help="as of `boyi serve`, or postgresql for a new one; else a new SQLite file")
    parser.add_argument("--core", type=int, default=0, help="of the server; the clients keep off it; -1 for any")
    arguments = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if arguments.core >= 0 and len(os.sched_getaffinity(0)) > 1:
        os.sched_setaffinity(0, os.sched_getaffinity(0) - {arguments.core})
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        database = arguments.database or f"sqlite:///{folder}/boyi.sqlite"
        if database == "postgresql":
            database = stack.enter_context(postgres(durable=True))
        server = Server(arguments.core, database, folder, 1 if arguments.trouble == "engines" else 0)
        server.start()
        try:
            print(json.dumps(asyncio.run(run(arguments, server)), indent=2))
        finally:
            server.end()


if __name__ == "__main__":
    main()
