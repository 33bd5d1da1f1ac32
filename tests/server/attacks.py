"""Attacks on a server from one address, as coroutines: each goes on until it is told that it is over.

To add one, write a coroutine that takes a `Target`, counts in `target.met` what the server did about it ("refused",
"cut"), and looks at `target.over`; then put it into `ATTACKS`.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import struct
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]

GONE = OSError, asyncio.IncompleteReadError, EOFError


@dataclass
class Target:
    """A server, and the address that attacks it."""

    port: int
    source: str
    """An address of this machine, as 127.0.1.1: it has millions of them."""

    room: str
    """A room with a long game of jieqi."""

    over: asyncio.Event = field(default_factory=asyncio.Event)
    met: Counter[str] = field(default_factory=Counter)
    """What the server did about it: "refused" in words, or "cut"."""

    async def connect(self) -> Streams:
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.source, 0))

    async def ask(self, method: str, path: str, body: object = None, token: str = "") -> tuple[int, Any]:
        """A request over HTTP: the status, and the JSON that came."""
        data = b"" if body is None else json.dumps(body).encode()
        reader, writer = await self.connect()
        try:
            writer.write(f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer "
                         f"{token}\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data)
            head = await reader.readuntil(b"\r\n\r\n")
            answer = await reader.read()
            return int(head.split()[1]), json.loads(answer) if answer.startswith((b"{", b"[")) else answer
        finally:
            writer.transport.abort()

    async def open(self, token: str = "", *, hello: bool = True) -> Socket:
        """A WebSocket, in the room unless there is to be no hello."""
        reader, writer = await self.connect()
        key = base64.b64encode(os.urandom(16)).decode()
        writer.write(f"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        if b" 101 " not in await reader.readuntil(b"\r\n\r\n"):
            writer.transport.abort()
            raise ConnectionRefusedError("no WebSocket was opened")
        socket = Socket(reader, writer)
        if hello:
            socket.say({"type": "hello", "room": self.room, "token": token, "client": "x"})
            await socket.hear("welcome")
        return socket


@dataclass
class Socket:
    """A WebSocket of which every frame is at hand."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    turn: Any = None
    """The last turn that it was told of."""

    def say(self, message: object) -> None:
        self.writer.write(frame(0x81, json.dumps(message).encode()))

    async def hear(self, *kinds: str) -> Any:
        """The next message of some kinds; any, if none is named."""
        while True:
            first, second = await self.reader.readexactly(2)
            length = second & 0x7F
            if length >= 126:
                length = int.from_bytes(await self.reader.readexactly(2 if length == 126 else 8), "big")
            data = await self.reader.readexactly(length)
            if first & 0x0F == 8:
                raise ConnectionResetError("the server has closed it")
            if first & 0x0F == 1:
                message = json.loads(data)
                if message["type"] == "ping":
                    self.say({"type": "pong", "number": message["number"]})
                if message["type"] == "turn":
                    self.turn = message
                if not kinds or message["type"] in kinds:
                    return message

    def close(self) -> None:
        self.writer.transport.abort()


def frame(first: int, data: bytes = b"") -> bytes:
    """A frame of a client, masked by zeros."""
    length = struct.pack("!B", 0x80 | len(data)) if len(data) < 126 else struct.pack("!BH", 0x80 | 126, len(data))
    return bytes([first]) + length + bytes(4) + data


PING, TEXT_BEGUN, CONTINUATION = frame(0x89), frame(0x01), frame(0x00)


async def again(target: Target, work: Callable[[Target], Awaitable[None]], pause: float = 0.01) -> None:
    """Attack again and again; a connection that breaks was cut."""
    while not target.over.is_set():
        try:
            await work(target)
        except GONE:
            target.met["cut"] += 1
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(target.over.wait(), pause)


async def together(target: Target, count: int, work: Callable[[Target], Awaitable[None]], pause: float = 0.01) -> None:
    async with asyncio.TaskGroup() as group:
        for _ in range(count):
            group.create_task(again(target, work, pause))


# ---------------------------------------------------------------------- the attacks

async def flood(target: Target, first: bytes, rest: bytes) -> None:
    socket = await target.open()
    try:
        socket.writer.write(first)
        while not target.over.is_set():
            socket.writer.write(rest)
            await socket.writer.drain()
            if socket.reader.at_eof():
                raise ConnectionResetError
            await asyncio.sleep(0)
    finally:
        socket.close()


async def empty_pings(target: Target) -> None:
    """Frames of six bytes that each want an answer."""
    await together(target, 10, lambda one: flood(one, b"", PING * 2_700))


async def empty_continuations(target: Target) -> None:
    """A message that never ends and never grows, but in memory."""
    await together(target, 10, lambda one: flood(one, TEXT_BEGUN, CONTINUATION * 20))


async def hold(target: Target, count: int, begin: Callable[[], Awaitable[Streams]], drip: bytes) -> None:
    """Keep connections that are never finished, and open others for those that are cut."""
    held: list[Streams] = []
    reading: list[asyncio.Task[bytes]] = []
    try:
        while not target.over.is_set():
            while len(held) < count and not target.over.is_set():
                try:
                    held.append(await begin())
                    reading.append(asyncio.create_task(held[-1][0].read()))
                except GONE:
                    target.met["refused"] += 1
                    break
            for _, writer in held:
                writer.write(drip)
            await asyncio.sleep(0.02)
            for reader, writer in [streams for streams in held if streams[0].at_eof() or streams[0].exception()]:
                target.met["cut"] += 1
                writer.transport.abort()
                held.remove((reader, writer))
    finally:
        for _, writer in held:
            writer.transport.abort()
        await asyncio.gather(*reading, return_exceptions=True)


async def half_open_heads(target: Target) -> None:
    """Requests whose head goes on letter by letter."""
    async def begin() -> Streams:
        streams = await target.connect()
        streams[1].write(b"GET /api/rooms HTTP/1.1\r\nHost: localhost\r\nX-Long: ")
        return streams

    await hold(target, 150, begin, b"x")


async def slow_bodies(target: Target) -> None:
    """Requests whose body goes on letter by letter."""
    async def begin() -> Streams:
        streams = await target.connect()
        streams[1].write(b"POST /api/positions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n")
        return streams

    await hold(target, 150, begin, b" ")


async def silent_sockets(target: Target) -> None:
    """WebSockets that never say hello."""
    async def begin() -> Streams:
        socket = await target.open(hello=False)
        return socket.reader, socket.writer

    await hold(target, 150, begin, b"")


async def connection_storm(target: Target) -> None:
    """Connections that come and go as fast as they can."""
    async def come(one: Target) -> None:
        reader, writer = await one.connect()
        try:
            writer.write(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await reader.readuntil(b"\r\n\r\n")
        finally:
            writer.transport.abort()

    await together(target, 10, come, 0.0)


async def tiny_chunks(target: Target) -> None:
    """A body in chunks of one byte: thousands of them in one read."""
    async def send(one: Target) -> None:
        reader, writer = await one.connect()
        try:
            writer.write(b"POST /api/positions HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                         + b"1\r\n \r\n" * 20_000 + b"0\r\n\r\n")
            if b" 200 " not in await reader.readuntil(b"\r\n\r\n"):
                one.met["refused"] += 1
        finally:
            writer.transport.abort()

    await together(target, 4, send)


async def history_storm(target: Target) -> None:
    """The dearest question there is in a room, as often as it is answered."""
    async def ask(one: Target) -> None:
        socket = await one.open()
        try:
            number = 0
            while not one.over.is_set():
                for _ in range(20):
                    number += 1
                    socket.say({"type": "history", "id": number, "seen": 0})
                for _ in range(20):
                    if (await socket.hear("history", "nack", "goodbye"))["type"] != "history":
                        one.met["refused"] += 1
        finally:
            socket.close()

    await together(target, 10, ask)


async def request_storm(target: Target) -> None:
    """Descriptions of everything, which take long to write."""
    async def ask(one: Target) -> None:
        for path in ("/api/schema", "/api/openapi.json", "/api/games/jieqi?quiet_limit=30", "/"):
            status, answer = await one.ask("GET", path)
            if status == 429:
                assert answer["retry_after"] > 0 and answer["words"]["zh"]
                one.met["refused"] += 1

    await together(target, 10, ask, 0.0)


async def many_rooms(target: Target) -> None:
    """Persons and rooms without end."""
    async def create(one: Target) -> None:
        status, session = await one.ask("POST", "/api/session", {"name": "mallory"})
        while status in (200, 201) and not one.over.is_set():
            status, _ = await one.ask("POST", "/api/rooms", {"game": "othello"}, session["token"])
        one.met["refused"] += status == 429

    await together(target, 4, create)


@dataclass(frozen=True)
class Attack:
    """An attack, by name."""

    name: str
    work: Callable[[Target], Awaitable[None]]


ATTACKS = [Attack(work.__name__, work) for work in (
    empty_pings, empty_continuations, half_open_heads, slow_bodies, silent_sockets, connection_storm, tiny_chunks,
    history_storm, request_storm, many_rooms)]
