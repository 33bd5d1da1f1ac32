"""A server in this process, for tests: `async with serving(tmp_path) as place`.

Tests that need nothing special share a server in a thread: `with serving_in_thread(folder) as served`, and
`served.run(coroutine)` runs beside it, in its event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import websockets.asyncio.client

from boyi.server.app import Server
from boyi.server.client import RoomClient, call
from boyi.server.config import Config
from boyi.server.serve import Host, address_of, listen

T = TypeVar("T")

AMPLE = 10**6
"""A `budget_factor` for tests in which one address does everything."""

FIRST_MOVE = [sys.executable, str(Path(__file__).with_name("fake_engine.py")), "first"]


@dataclass
class Place:
    """A running server, and how to get at it."""

    server: Server
    address: str
    host: Host | None = None
    """None for a server in a process of its own."""

    async def person(self, name: str, password: str = "") -> str:
        """A token for a person."""
        if password:
            answer = await call(self.address, "POST", "/api/accounts", {"name": name, "password": password})
        else:
            answer = await call(self.address, "POST", "/api/session", {"name": name})
        return str(answer["token"])

    async def room(self, token: str, game: str = "othello", **wanted: Any) -> str:
        answer = await call(self.address, "POST", "/api/rooms", {"game": game, **wanted}, token)
        return str(answer["room"])

    def client(self, room: str, token: str = "", **rest: Any) -> RoomClient:
        return RoomClient(self.address, room, token, **rest)

    @contextlib.asynccontextmanager
    async def raw(self, room: str, token: str = "", seen: int | None = None, **hello: Any) -> AsyncIterator[Raw]:
        """A socket that nothing is checked or answered on by itself."""
        url = self.address.replace("http", "ws") + "/ws"
        # With a queue that has an end, closing before all was heard takes ten seconds.
        async with websockets.asyncio.client.connect(url, compression=None, max_size=2**24, max_queue=None,
                                                     proxy=None) as socket:
            raw = Raw(socket)
            await raw.say({"type": "hello", "room": room, "token": token, "seen": seen, "client": "raw"} | hello)
            yield raw


@dataclass
class Raw:
    """A socket, and everything that came through it."""

    socket: websockets.asyncio.client.ClientConnection

    async def say(self, message: Any) -> None:
        await self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    async def hear(self, *kinds: str) -> Any:
        """The next message of one of these types."""
        while True:
            async with asyncio.timeout(60):
                message = json.loads(await self.socket.recv())
            if not kinds or message["type"] in kinds:
                return message


@contextlib.asynccontextmanager
async def serving(folder: Path, *, engine_command: list[str] | None = None, **settings: Any) -> AsyncIterator[Place]:
    """A server on a free port with its database in a folder; starting it again goes on from there."""
    config = replace(Config(host="127.0.0.1", port=0, database=f"sqlite:///{folder}/boyi.sqlite", engine_pause=0.0),
                     **settings)
    server = Server(config, engine_command=engine_command or FIRST_MOVE)
    listening = listen(config.host, config.port)
    server.address = address_of(listening)
    addresses: asyncio.Queue[str] = asyncio.Queue()
    host = Host(server, addresses.put_nowait)
    running = asyncio.create_task(host.serve(sockets=[listening]))
    waiting = asyncio.create_task(addresses.get())
    await asyncio.wait([running, waiting], return_when=asyncio.FIRST_COMPLETED)
    if running.done():
        waiting.cancel()
        running.result()
        raise RuntimeError("the server did not start")
    try:
        yield Place(server, waiting.result().rstrip("/"), host)
    finally:
        host.should_exit = True
        await running
        listening.close()


@dataclass
class Served:
    """A server that runs in a thread of its own."""

    place: Place
    loop: asyncio.AbstractEventLoop

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something in the server's event loop, and wait for it."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()


@contextlib.contextmanager
def serving_in_thread(folder: Path, **settings: Any) -> Iterator[Served]:
    """A server for many tests; as `serving`."""
    started: list[Place] = []
    failures: list[BaseException] = []
    ready, over = threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        async with serving(folder, **settings) as place:
            started.append(place)
            ready.set()
            await over.wait()

    def run() -> None:
        try:
            loop.run_until_complete(serve())
        except BaseException as failure:  # noqa: BLE001  (told to the thread that waits)
            failures.append(failure)
        finally:
            ready.set()
            loop.close()

    thread = threading.Thread(target=run)
    thread.start()
    ready.wait()
    if failures:
        raise RuntimeError("the server did not start") from failures[0]
    try:
        yield Served(started[0], loop)
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
    if failures:
        raise RuntimeError("the server did not end well") from failures[0]
