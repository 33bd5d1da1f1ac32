"""A server behind nginx or Caddy with TLS, many sockets, and restarts of server and database in the middle.

    python -m benchmarks.proxies nginx --sockets 1000 --seconds 120

Every client comes from an address of its own, through the proxy of `deploy`. In the middle the server is stopped and
started again, later the database too; one address asks without end all the while. Printed is how long moves took, how
soon clients were back, that nothing acknowledged was lost, and that only the one address was refused.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import shutil
import ssl
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from benchmarks.load import Times
from benchmarks.sockets import Player, home
from boyi.server.protocol.events import Moved
from boyi.server.store import Store
from tests.server.databases import program
from tests.server.fronts import KINDS, Front, front
from tools.serving import ServerProcess

MOVE_SECONDS = 2.0
"""How long a player thinks, on average."""

RETRY_SECONDS = 0.2


class Database:
    """A durable PostgreSQL that can be restarted."""

    def __init__(self, folder: Path) -> None:
        found = program("initdb")
        if found is None:
            raise SystemExit("PostgreSQL not found; Debian, Ubuntu: apt-get install postgresql")
        self._folder, self._programs = folder, Path(found).resolve().parent
        self._become = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self._become:
            shutil.chown(folder, "postgres")
        self._run("initdb", "-D", f"{folder}/data", "-U", "boyi", "-A", "trust", "-E", "UTF8")
        self.control("start")
        self.address = f"postgresql://boyi@/postgres?host={quote(str(folder), safe='')}"

    def _run(self, name: str, *words: str) -> None:
        subprocess.run([*self._become, str(self._programs / name), *words], check=True, cwd=self._folder,
                       stdout=subprocess.DEVNULL)

    def control(self, what: str) -> None:
        self._run("pg_ctl", "-D", f"{self._folder}/data", "-w", "-l", f"{self._folder}/log", "-m", "fast",
                  "-o", f"-k {self._folder} -c listen_addresses= -c max_connections=200", what)


@dataclass
class Measured:
    """What was seen."""

    ack_seconds: list[float] = field(default_factory=list)
    back_seconds: list[float] = field(default_factory=list)
    """From when a connection broke until it was welcome again."""

    acked: dict[str, dict[int, str]] = field(default_factory=dict)
    """By room: by number of the event, the move."""

    refused: int = 0
    """Times that the one address that asks without end was refused."""

    answered: int = 0


class Client:
    """Someone in a room, who comes back when the connection breaks."""

    def __init__(self, proxy: Front, room: str, number: int, measured: Measured, token: str = "") -> None:
        self._proxy, self._room, self._token = proxy, room, token
        self._address = home(number)
        self._measured = measured
        self.socket: Player = Player(proxy.address, room, token)

    async def connect(self) -> None:
        """Be welcome, however long it takes."""
        while True:
            self.socket = Player(self._proxy.address, self._room, self._token, seen=self.socket.seq or None)
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(20):
                    await self.socket.connect(self._proxy.address, self._address, ssl=self._proxy.trust)
                    await asyncio.wait([self.socket.here, self.socket.lost], return_when=asyncio.FIRST_COMPLETED)
                if self.socket.here.done() and not self.socket.lost.done():
                    return
            await asyncio.sleep(RETRY_SECONDS)

    async def stay(self) -> None:
        """Come back again and again."""
        while True:
            await self.socket.lost
            lost = time.monotonic()
            await self.connect()
            self._measured.back_seconds.append(time.monotonic() - lost)

    async def play(self, generator: random.Random) -> None:
        """Move when it is one's turn."""
        while True:
            await asyncio.sleep(generator.uniform(0.5, 1.5) * MOVE_SECONDS)
            socket, turn = self.socket, self.socket.turn
            if socket.over:
                await socket.ask("rematch")
            if turn is None or socket.lost.done():
                continue
            socket.turn = None
            move, asked = generator.choice(turn.moves).text, time.monotonic()
            answer = await socket.ask("move", move=move)
            if answer["type"] == "ack":
                self._measured.ack_seconds.append(time.monotonic() - asked)
                self._measured.acked.setdefault(self._room, {})[answer["seq"]] = move


async def ask(proxy: Front, method: str, path: str, body: object, token: str, address: str) -> tuple[int, Any]:
    """A request through the proxy, from an address: status and answer."""
    place = urlsplit(proxy.address)
    reader, writer = await asyncio.open_connection(place.hostname, place.port, ssl=proxy.trust,
                                                   local_addr=(address, 0))
    data = json.dumps(body).encode() if body is not None else b""
    head = [f"{method} {path} HTTP/1.1", f"Host: {place.netloc}", "Connection: close", f"Content-Length: {len(data)}",
            *([f"Authorization: Bearer {token}"] if token else [])]
    writer.write("\r\n".join([*head, "", ""]).encode() + data)
    status, _, rest = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    with contextlib.suppress(OSError, ssl.SSLError):
        await writer.wait_closed()
    return int(status.split()[1]), json.loads(rest) if method == "POST" else None


async def open_room(proxy: Front, number: int, spectators: int, measured: Measured) -> list[Client]:
    """Two players who have begun a game, and spectators."""
    addresses = [home(8 * number), home(8 * number + 1)]
    tokens = [(await ask(proxy, "POST", "/api/session", {"name": f"p{number}"}, "", address))[1]["token"]
              for address in addresses]
    room = (await ask(proxy, "POST", "/api/rooms", {"game": "othello"}, tokens[0], addresses[0]))[1]["room"]
    clients = [Client(proxy, room, 8 * number + seat, measured, token) for seat, token in enumerate(tokens)]
    clients += [Client(proxy, room, 8 * number + 2 + one, measured) for one in range(spectators)]
    for client in clients:
        await client.connect()
    await clients[1].socket.must("join")
    for seat in (0, 1):
        await clients[seat].socket.must("sit", seat=seat)
        await clients[seat].socket.must("ready")
    await clients[0].socket.must("start")
    return clients


@contextlib.asynccontextmanager
async def pest(proxy: Front, measured: Measured) -> AsyncIterator[None]:
    """One address that asks without end."""
    async def bother() -> None:
        while True:
            with contextlib.suppress(OSError, IndexError):   # while the server is away
                status, _ = await ask(proxy, "GET", "/api/rooms", None, "", "127.200.0.1")
                measured.refused += status == 429
                measured.answered += status == 200
            await asyncio.sleep(0.005)

    task = asyncio.create_task(bother())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def check(database: str, measured: Measured) -> int:
    """How many of the acknowledged moves are not on disk."""
    store, missing = Store(database), 0
    for room, moves in measured.acked.items():
        events = await store.rooms.load(room)
        for seq, move in moves.items():
            found = [event.body.text for event in events[:seq] if isinstance(event.body, Moved)
                     and event.cause == events[seq - 1].cause] if seq <= len(events) else []
            missing += not (found and found[0].startswith(move))
    store.database.close()
    return missing


async def measure(kind: str, sockets: int, seconds: float, folder: Path) -> dict[str, Any]:
    database = Database(folder)
    settings = {"TRUSTED_PROXIES": "127.0.0.1", "CONNECTIONS_PER_ADDRESS": "1000"}
    server = ServerProcess(folder, "--engines", "0", database=database.address, settings=settings)
    measured, generator = Measured(), random.Random(1)
    place = Path(tempfile.mkdtemp(prefix="boyi-front-"))
    try:
        with front(kind, server.port, place) as proxy:
            rooms = [await open_room(proxy, number, 2, measured) for number in range(max(1, sockets // 4))]
            tasks = [asyncio.create_task(client.stay()) for clients in rooms for client in clients]
            tasks += [asyncio.create_task(client.play(generator)) for clients in rooms for client in clients[:2]]
            async with pest(proxy, measured):
                await asyncio.sleep(seconds / 3)
                port = server.port
                await asyncio.to_thread(server.end)
                server = await asyncio.to_thread(
                    lambda: ServerProcess(folder, "--engines", "0", database=database.address, settings=settings,
                                          port=port))
                await asyncio.sleep(seconds / 3)
                await asyncio.to_thread(database.control, "restart")
                await asyncio.sleep(seconds / 3)
            for task in tasks:
                task.cancel()
            for result in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(result, Exception):
                    raise result
        server.end()
        return {"proxy": kind, "sockets": sum(map(len, rooms)), "moves": len(measured.ack_seconds),
                "ack_ms": vars(Times.of(measured.ack_seconds)), "came_back": len(measured.back_seconds),
                "back_ms": vars(Times.of(measured.back_seconds)),
                "acknowledged_and_lost": await check(database.address, measured),
                "pest_answered": measured.answered, "pest_refused": measured.refused}
    finally:
        shutil.rmtree(place, ignore_errors=True)
        with contextlib.suppress(ProcessLookupError):
            server.end()
        database.control("stop")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("proxy", choices=KINDS)
    parser.add_argument("--sockets", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=120.0)
    chosen = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="boyi-px-", dir="/tmp"))
    try:
        print(json.dumps(asyncio.run(measure(chosen.proxy, chosen.sockets, chosen.seconds, folder)), indent=2))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
