"""Load on a server of rooms: pairs of players who move at an interval, and spectators; what that costs the server."""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import statistics
import time
import urllib.request
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from benchmarks.sockets import Player, Watcher, home, post
from tools.serving import ServerProcess

OPENING = 50
"""The number of rooms that are opened at a time."""

ENTER_SECONDS = 20.0
"""How long a client waits for its welcome before it tries again, as the page does (SILENCE_MS)."""

LATE_SECONDS = 0.1

SAMPLES = 10
"""How often memory is measured."""


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
    repeated: int
    """Sent again after a connection broke; their time counts from the first sending."""

    late: int
    """Answered after more than `LATE_SECONDS`."""

    ack_ms: Times
    delivered_ms: Times
    """Until a spectator has been sent it."""

    cpu_ms_per_move: float
    cpu_share: float
    """Of one core, all servers together."""

    memory_mb: list[float]
    """Of all servers, from the beginning to the end."""


class Server:
    """A server in a process of its own, on a core of its own, that can be killed and started again."""

    def __init__(self, core: int, database: str, folder: str, engines: int) -> None:
        """On any core if it is negative."""
        self.database = database
        self._start = partial(ServerProcess, folder, "--engines", str(engines), database=database,
                              core=core if core >= 0 else None)
        self._process = self._start()
        self._used_before = 0.0
        """CPU seconds of processes that were killed."""

    @property
    def address(self) -> str:
        return self._process.address

    @property
    def port(self) -> int:
        return self._process.port

    def kill(self) -> None:
        """End it as a crash does."""
        self._used_before = self.cpu_seconds()
        self._process.end(signal.SIGKILL)

    def restart(self) -> None:
        """Kill it, and start it again on the same port."""
        port = self.port
        self.kill()
        self._process = self._start(port=port)

    def end(self) -> None:
        self._process.end()

    def memory(self) -> float:
        """Resident megabytes; 0 for one that was killed."""
        if not self._process.is_running:
            return 0.0
        status = Path(f"/proc/{self._process.pid}/status").read_text(encoding="utf-8")
        found = re.search(r"VmRSS:\s+(\d+)", status)
        return round(int(found[1]) / 1024, 1) if found else float("nan")

    def cpu_seconds(self) -> float:
        """CPU time so far, without that of its engines."""
        if not self._process.is_running:
            return self._used_before
        fields = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return self._used_before + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def children(self) -> list[int]:
        """The processes of its engines."""
        tasks = Path(f"/proc/{self._process.pid}/task").glob("*/children")
        return [int(one) for task in tasks for one in task.read_text(encoding="utf-8").split()]

    async def metric(self, name: str) -> float:
        """A figure of `GET /metrics`, summed over its labels."""
        def work() -> float:
            with urllib.request.urlopen(self.address + "/metrics", timeout=30) as answer:
                text = answer.read().decode()
            labels = "" if "{" in name else r"(?:\{.*\})?"
            found = re.findall(rf"^{re.escape(name)}{labels} (\S+)$", text, re.MULTILINE)
            return sum(map(float, found)) if found else float("nan")
        return await asyncio.to_thread(work)


@dataclass
class Room:
    """A room with its players and spectators."""

    number: int
    server: Server
    """Where its clients connect."""

    name: str
    tokens: list[str]
    players: list[Player] = field(default_factory=list)
    watchers: list[Watcher] = field(default_factory=list)
    sent: float = 0.0
    acknowledged: int = 0
    """The last event that an `ack` named."""

    def address(self, guest: int = 0) -> str:
        """Players come from one address; spectators too, up to fifty of them."""
        return home(self.number + guest // 50 * 1009)


@dataclass
class Load:
    """All rooms, and what has been measured."""

    servers: Sequence[Server]
    """On one database; rooms are made on them in turn."""

    interval: float
    rooms: list[Room] = field(default_factory=list)
    acks: list[float] = field(default_factory=list)
    delivered: list[float] = field(default_factory=list)
    refused: int = 0
    repeated: int = 0
    """Moves that were sent again after a connection broke."""

    @property
    def server(self) -> Server:
        """The first one."""
        return self.servers[0]

    # ------------------------------------------------------------------ coming in

    async def open(self, rooms: int, spectators: int) -> None:
        waiting = asyncio.Semaphore(OPENING)

        async def one(number: int) -> None:
            async with waiting:
                self.rooms.append(await self._open_room(number, spectators))

        await asyncio.gather(*(one(number) for number in range(rooms)))

    async def _open_room(self, number: int, spectators: int) -> Room:
        """A room with two players and spectators, in which a game has begun."""
        address, owner = home(number), self.servers[number % len(self.servers)]
        server = owner.address
        tokens = [(await post(server, "/api/session", {"name": name}, "", address))["token"] for name in ("ada", "bob")]
        made = await post(server, "/api/rooms", {"game": "othello"}, tokens[0], address)
        room = Room(number, owner, made["room"], tokens)
        await asyncio.gather(*(self._sit(room, seat) for seat in range(2)))
        await room.players[1].must("join")
        for seat, player in enumerate(room.players):
            await player.must("sit", seat=seat)
            await player.must("ready")
        await room.players[0].must("start")
        room.watchers = list(await asyncio.gather(*(self._watch(room, guest) for guest in range(spectators))))
        return room

    async def _sit(self, room: Room, seat: int) -> None:
        """Connect a player, for the first time or again."""
        old = room.players[seat] if len(room.players) > seat else None
        server = room.server.address
        player = Player(server, room.name, room.tokens[seat], seen=None if old is None else old.seq)
        player.over = old is not None and old.over
        if old is None:
            room.players.append(player)
        else:
            room.players[seat] = player
        await _enter(player, server, room.address())

    async def _watch(self, room: Room, guest: int, seen: int | None = None) -> Watcher:
        server = room.server.address
        watcher = Watcher(server, room.name, seen=seen, on_event=lambda: self._hear(room))
        await _enter(watcher, server, room.address(guest))
        return watcher

    def _hear(self, room: Room) -> None:
        if room.sent:
            self.delivered.append(time.perf_counter() - room.sent)

    # ------------------------------------------------------------------ playing

    async def play(self, room: Room, until: float) -> None:
        """A move at every interval, by the player to act."""
        due = time.perf_counter() + random.uniform(0, self.interval)
        while due < until:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            due += self.interval
            seat = next((seat for seat, player in enumerate(room.players) if player.turn is not None), None)
            if seat is not None:
                await self._move(room, seat)
            elif room.players[0].over:
                room.sent = 0.0   # what comes now is not a move
                for player in room.players:
                    await player.ask("rematch")

    async def _move(self, room: Room, seat: int) -> None:
        """A move of a seat; once more if the connection breaks before it is answered."""
        room.sent = time.perf_counter()
        while True:
            player = room.players[seat]
            turn, player.turn = player.turn, None
            if turn is None:
                return   # it was done after all: only its answer was lost
            answer = await player.ask("move", move=random.choice(turn.moves).text)
            if answer["type"] == "ack":
                self.acks.append(time.perf_counter() - room.sent)
                room.acknowledged = answer["seq"]
                return
            if answer.get("code") not in ("gone", "resync", "storage", "stopping"):
                self.refused += 1
                return
            self.repeated += 1
            while room.players[seat] is player or not room.players[seat].is_told:
                await asyncio.sleep(0.02)

    async def measure(self, seconds: float) -> Figures:
        """Let all rooms play for a while."""
        self.acks, self.delivered, self.refused, self.repeated = [], [], 0, 0
        used, began = self._cpu_seconds(), time.perf_counter()
        memory = [self._memory()]

        async def look() -> None:
            for _ in range(SAMPLES):
                await asyncio.sleep(seconds / SAMPLES)
                memory.append(self._memory())

        await asyncio.gather(look(), *(self.play(room, began + seconds) for room in self.rooms))
        used, took = self._cpu_seconds() - used, time.perf_counter() - began
        return Figures(round(took, 1), len(self.acks), self.refused, self.repeated,
                       sum(seconds > LATE_SECONDS for seconds in self.acks), Times.of(self.acks),
                       Times.of(self.delivered), round(1000 * used / max(1, len(self.acks)), 3),
                       round(used / took, 3), memory)

    def _cpu_seconds(self) -> float:
        return sum(server.cpu_seconds() for server in self.servers)

    def _memory(self) -> float:
        return round(sum(server.memory() for server in self.servers), 1)

    async def come_back(self, rooms: Sequence[Room] | None = None, retry_seconds: float = 0.5) -> Times:
        """Reconnect all clients (of some rooms) at once, each from the last event seen; how long that takes each."""
        taken: list[float] = []

        async def timed(work: Callable[[], Awaitable[None]]) -> None:
            began = time.perf_counter()
            while True:   # again if the server is just starting or overloaded
                try:
                    async with asyncio.timeout(ENTER_SECONDS):
                        await work()
                    break
                except (OSError, TimeoutError):
                    await asyncio.sleep(retry_seconds * random.uniform(0.2, 1))
            taken.append(time.perf_counter() - began)

        async def watch(room: Room, guest: int) -> None:
            room.watchers[guest] = await self._watch(room, guest, room.watchers[guest].seq)

        rooms = self.rooms if rooms is None else rooms
        await asyncio.gather(
            *(timed(partial(self._sit, room, seat)) for room in rooms for seat in range(2)),
            *(timed(partial(watch, room, guest)) for room in rooms for guest in range(len(room.watchers))))
        return Times.of(taken)

    def cut(self) -> None:
        for room in self.rooms:
            room.sent = 0.0
            for one in (*room.players, *room.watchers):
                one.abort()


async def _enter(client: Watcher, server: str, address: str) -> None:
    """Connect a client; one that is not welcomed leaves nothing open."""
    try:
        await client.connect(server, address)
        await client.welcomed()
    except BaseException:
        client.abort()
        raise
