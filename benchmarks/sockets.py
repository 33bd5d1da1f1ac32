"""Clients of rooms that cost next to nothing, so that thousands of them fit beside the server that they measure.

A `Socket` speaks as much of HTTP and WebSocket as a client of rooms needs: it answers pings and looks into a
message only if it wants to know what it says. Its frames are masked with zeros, which the standard allows and which
costs no time. Every client may come from an address of its own (127.x.y.z), so that a server that limits addresses
treats them as different people.
"""

from __future__ import annotations

import asyncio
import base64
import json
import secrets
import struct
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec

TOLD_SECONDS = 0.25
"""How long after the welcome it is known whose turn it is."""

TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A


def home(number: int) -> str:
    """The address of the client with this number, on this machine."""
    return f"127.{1 + number // 62_500}.{number // 250 % 250}.{number % 250 + 1}"


async def post(server: str, path: str, body: object, token: str = "", address: str = "127.0.0.1") -> Any:
    """What the server answers to a POST, as JSON."""
    place = urlsplit(server)
    reader, writer = await asyncio.open_connection(place.hostname, place.port, local_addr=(address, 0))
    data = msgspec.json.encode(body)
    head = [f"POST {path} HTTP/1.1", f"Host: {place.netloc}", "Connection: close", f"Content-Length: {len(data)}"]
    if token:
        head.append(f"Authorization: Bearer {token}")
    writer.write("\r\n".join([*head, "", ""]).encode() + data)
    answer = await reader.read()
    writer.close()
    status, _, rest = answer.partition(b"\r\n\r\n")
    if not status.startswith(b"HTTP/1.1 20"):
        raise RuntimeError(f"{path}: {status[:60]!r} {rest[:200]!r}")
    return json.loads(rest)


def frame(opcode: int, data: bytes) -> bytes:
    """A whole frame from a client."""
    length = len(data)
    if length < 126:
        return struct.pack("!BBI", opcode, 0x80 | length, 0) + data
    return struct.pack("!BBHI", opcode, 0x80 | 126, length, 0) + data


class Socket(asyncio.Protocol):
    """One client. What it hears goes to `hear`, which subclasses write."""

    def __init__(self, host: str, hello: bytes) -> None:
        self._greeting = (f"GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          f"Sec-WebSocket-Key: {base64.b64encode(secrets.token_bytes(16)).decode()}\r\n"
                          "Sec-WebSocket-Version: 13\r\n\r\n").encode()
        self._hello = hello
        self._data = b""
        self._open = False
        self.transport: asyncio.Transport | None = None
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def connect(self, server: str, address: str, **options: Any) -> None:
        host, _, port = urlsplit(server).netloc.rpartition(":")
        await asyncio.get_running_loop().create_connection(
            lambda: self, host, int(port), local_addr=(address, 0), **options)

    def greeting(self) -> bytes:
        """What is sent before anything is received: the upgrade and hello."""
        return self._greeting + frame(TEXT, self._hello)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if not isinstance(transport, asyncio.Transport):
            raise TypeError("a stream is needed")
        self.transport = transport
        transport.write(self._greeting)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.lost.done():
            self.lost.set_result(None)

    def say(self, data: bytes) -> None:
        if self.transport is not None:
            self.transport.write(frame(TEXT, data))

    def data_received(self, data: bytes) -> None:
        self._data += data
        if not self._open:
            head, found, self._data = self._data.partition(b"\r\n\r\n")
            if not found:
                self._data = head
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.abort()
                return
            self._open = True
            self.say(self._hello)
        at, whole = 0, self._data
        while len(whole) - at >= 2:
            length, begin = whole[at + 1], at + 2
            if length == 126:
                if len(whole) < at + 4:
                    break
                length, begin = int.from_bytes(whole[at + 2:at + 4]), at + 4
            elif length == 127:
                if len(whole) < at + 10:
                    break
                length, begin = int.from_bytes(whole[at + 2:at + 10]), at + 10
            if len(whole) < begin + length:
                break
            self._frame(whole[at], whole[begin:begin + length])
            at = begin + length
        self._data = whole[at:]

    def _frame(self, opcode: int, data: bytes) -> None:
        if opcode == TEXT:
            if data.startswith(b'{"type":"ping","number":'):
                self.say(b'{"type":"pong","number":' + data[24:].partition(b",")[0].rstrip(b"}") + b"}")
            else:
                self.hear(data)
        elif opcode == PING and self.transport is not None:
            self.transport.write(frame(PONG, data))
        elif opcode == CLOSE:
            self.abort()

    def hear(self, data: bytes) -> None:
        """Handle a message."""

    def abort(self) -> None:
        """Drop the connection, as a failing network does."""
        if self.transport is not None:
            self.transport.abort()


class Watcher(Socket):
    """A spectator of a room."""

    def __init__(self, server: str, room: str, token: str = "", *, seen: int | None = None,
                 on_event: Callable[[], None] | None = None) -> None:
        self.client = secrets.token_hex(4)
        super().__init__(urlsplit(server).netloc, msgspec.json.encode({
            "type": "hello", "room": room, "token": token, "client": self.client, "seen": seen}))
        self.seq = 0
        self.here: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the server has welcomed this client."""

        self._on_event = on_event

    async def welcomed(self) -> None:
        """Wait until the server has welcomed this client; a `ConnectionError` if it hangs up instead."""
        try:
            await asyncio.wait([self.here, self.lost], return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not self.here.done():
                self.abort()
        if not self.here.done():
            raise ConnectionError("the server hung up")

    def hear(self, data: bytes) -> None:
        if data.startswith(b'{"type":"event","seq":'):
            self.seq = int(data[22:data.index(b",", 22)])
            if self._on_event is not None:
                self._on_event()
        elif data.startswith(b'{"type":"welcome"'):
            self.seq = json.loads(data)["seq"]
            if not self.here.done():
                self.here.set_result(None)


class _Move(msgspec.Struct):
    text: str


class _Turn(msgspec.Struct):
    seq: int
    moves: list[_Move]


_turns = msgspec.json.Decoder(_Turn)


class Player(Watcher):
    """A player in a seat."""

    def __init__(self, server: str, room: str, token: str, *, seen: int | None = None) -> None:
        super().__init__(server, room, token, seen=seen)
        self.turn: _Turn | None = None
        self.is_told = False
        """Is it known whose turn it is?"""

        self.over = False
        self._number = 0
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}

    def hear(self, data: bytes) -> None:
        if data.startswith(b'{"type":"turn"'):
            self.turn, self.over = _turns.decode(data), False
        elif data.startswith((b'{"type":"ack"', b'{"type":"nack"')):
            answer = json.loads(data)
            waiting = self._answers.pop(answer["id"], None)
            if waiting is not None and not waiting.done():
                waiting.set_result(answer)
        else:
            super().hear(data)
            if data.startswith(b'{"type":"welcome"'):   # a turn, if it is this player's, follows at once
                asyncio.get_running_loop().call_later(TOLD_SECONDS, self._tell)
            if b'"kind":"ended"' in data:
                self.turn, self.over = None, True

    def _tell(self) -> None:
        self.is_told = True

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        for waiting in self._answers.values():
            if not waiting.done():
                waiting.set_result({"type": "nack", "code": "gone"})

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """The `ack` or `nack` to a request."""
        if self.transport is None or self.lost.done():
            return {"type": "nack", "code": "gone"}
        self._number += 1
        waiting: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[self._number] = waiting
        self.say(msgspec.json.encode({"type": kind, "id": self._number, "seen": self.seq} | fields))
        return await waiting

    async def must(self, kind: str, **fields: Any) -> None:
        answer = await self.ask(kind, **fields)
        if answer["type"] != "ack":
            raise RuntimeError(f"{kind}: {answer}")
