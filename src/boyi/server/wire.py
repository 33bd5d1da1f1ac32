"""How bytes arrive: HTTP and WebSocket connections that cannot be held open, dripped into or flooded for free.

Uvicorn's own protocols take whatever comes. These add what a server among strangers needs:

- a connection that is waited for (silent, in the middle of a head or a body, or before hello) has a time limit, and an
  address has a limited number of them: one more cuts the oldest, so that a real client always gets in;
- what was read is parsed in small slices, one in each round of the event loop: 16 kB of empty pings are thousands of
  frames, and everyone else would wait for them;
- frames and bytes of a WebSocket are paid for as they arrive, control frames too, and a message has few fragments;
- what is no UTF-8 ends the connection, without a traceback.

And they are cheaper: a message is written, and the answer to a ping heard, without waking a task (`Line`). A server
with thousands of clients does little else.
"""

from __future__ import annotations

import asyncio
import struct
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Protocol, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.http11 import Request

from boyi.server.budgets import BYTES, FRAMES, WAITING, Budgets, Payer, payer_address
from boyi.server.protocol.messages import FRAME_BYTES
from boyi.server.protocol.refusals import Refusal
from boyi.server.proxies import Proxies
from boyi.server.turnstile import Turnstile

HEAD_SECONDS = 10.0
"""How long a client has for the head of a request, from when it connects or from the first byte of a later one."""

BODY_SECONDS = 30.0
"""How long a client has for a body: a file of games in half a minute, which a slow telephone can do."""

HEAD_BYTES = 16_384
"""The longest head of a request."""

HTTP_SLICE_BYTES, SOCKET_SLICE_BYTES = 4096, 1024
"""What is parsed in one round of the event loop: at worst 170 empty frames, which take 2 ms."""

FRAGMENTS = 16
"""The most frames of one message: a client has no reason to cut 8 kB into more."""

CUT_CODE = 1008
"""With which the application is told that a WebSocket was cut here; the reason is the code of a refusal."""

RECEIVE_BYTES = 2 * FRAME_BYTES
"""The receive buffer of a connection; what does not fit waits at the client."""


LINE = "boyi.line"
"""The extension of the ASGI scope of a WebSocket that is its `Line`."""

TEXT_FRAME = 0x81
"""The first byte of a whole text message (RFC 6455, 5.2)."""

FLUSH_BYTES = 65_536
"""More than this is not put together before it goes to the system, which says when a client reads too slowly."""

PONG_START, PONG_END = b'{"type":"pong","number":', b"}"
"""How our own clients write it; written otherwise it is read as any other message."""


class Line(Protocol):
    """A short cut past ASGI to a WebSocket."""

    on_pong: Callable[[int], None] | None
    """Is told the number of every answer to a ping; without it, they go the way of all messages."""

    def write(self, text: str) -> bool:
        """Send a message at once, unless it would have to wait for the client to read; was it sent?"""
        ...


class Waits(Protocol):
    """A connection that is waited for."""

    def give_up(self) -> None:
        """End it."""
        ...


class Waiting:
    """The connections that are waited for, by address and the oldest first."""

    def __init__(self, budgets: Budgets) -> None:
        self._budgets = budgets
        self._by_address: dict[str, OrderedDict[Waits, None]] = {}

    def __len__(self) -> int:
        return sum(len(waiting) for waiting in self._by_address.values())

    def add(self, address: str, connection: Waits) -> None:
        """Wait for a connection; if its address has too many, the oldest of them is given up."""
        waiting = self._by_address.setdefault(address, OrderedDict())
        waiting[connection] = None
        while len(waiting) > self._budgets.most(WAITING, Payer(address)):
            waiting.popitem(last=False)[0].give_up()

    def remove(self, address: str, connection: Waits) -> None:
        """It has said what was waited for, or is gone."""
        waiting = self._by_address.get(address)
        if waiting is not None:
            waiting.pop(connection, None)
            if not waiting:
                del self._by_address[address]


@dataclass(frozen=True)
class Doors:
    """What the connections of a server share."""

    budgets: Budgets
    proxies: Proxies
    waiting: Waiting
    turnstile: Turnstile


class Http(H11Protocol):
    """An HTTP connection; waited for unless a request is being answered."""

    def __init__(self, doors: Doors, config: uvicorn.Config, server_state: ServerState,
                 app_state: dict[str, Any]) -> None:
        super().__init__(config, server_state, app_state)
        self._doors = doors
        self._address = ""
        """Whose connection it is; empty for one of a proxy or another server, which limits its clients itself."""

        self._unread = bytearray()
        self._is_heard = False
        """Has it had its turn (`turnstile`)?"""

        self._phase = ""
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        peer = self.client[0] if self.client else ""
        self._address = "" if self._doors.proxies.limits_its_clients(peer) else payer_address(peer)
        self._enter("head")

    def connection_lost(self, exc: Exception | None) -> None:
        self._enter("gone")
        self._unread.clear()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self._is_heard:
            if not self._unread:
                self._enter("queued")   # from here on it waits for the server
                self._doors.turnstile.call(self._hear)
            self._unread += data
            if len(self._unread) > HTTP_SLICE_BYTES:   # else it is read on: so it is known if it goes
                self.transport.pause_reading()
        elif self._unread or len(data) > HTTP_SLICE_BYTES:
            is_feeding = bool(self._unread)
            self._unread += data
            if not is_feeding:
                self.transport.pause_reading()
                self._feed()
        else:
            self._take(data)

    def _hear(self) -> None:
        """The first that a connection says has its turn."""
        self._is_heard = True
        self._feed()

    def _feed(self) -> None:
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            self._unread.clear()
            return
        piece = bytes(self._unread[:HTTP_SLICE_BYTES])
        del self._unread[:HTTP_SLICE_BYTES]
        self._take(piece)
        if self._unread:
            self.loop.call_soon(self._feed)
        elif not self.flow.read_paused and self.transport.get_protocol() is self:
            self.transport.resume_reading()

    def _take(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._enter("upgraded")
        self.connections.discard(self)
        self._unread.clear()
        peer = self.client[0] if self.client else ""
        client = self._doors.proxies.source(peer, self.headers).address
        # Behind a proxy those who are waited for are told apart; what another server passes on it has waited for.
        address = "" if client == peer and self._doors.proxies.limits_its_clients(peer) else payer_address(client)
        protocol = Socket(self._doors, address, self.config, self.server_state, self.app_state)
        protocol.connection_made(self.transport)
        self.transport.set_protocol(protocol)
        self.transport.resume_reading()
        head = [event.method, b" ", event.target, b" HTTP/1.1\r\n"]
        for name, value in self.headers:
            head += [name, b": ", value, b"\r\n"]
        protocol.begin(b"".join([*head, b"\r\n"]))

    # ------------------------------------------------------------------ waiting

    def _look(self) -> None:
        """What is waited for now?"""
        if self._phase in ("upgraded", "gone"):
            return
        if self.conn.their_state is h11.SEND_BODY:
            self._enter("body")
        elif self.conn.their_state is h11.IDLE:
            has_begun = self.cycle is None or self.conn.trailing_data[0]
            self._enter("head" if has_begun else "idle")   # an idle connection has uvicorn's own time limit
        else:
            self._enter("answer")

    def _enter(self, phase: str) -> None:
        if phase == self._phase:
            return
        self._phase = phase
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if phase in ("head", "body"):
            self._timer = self.loop.call_later(HEAD_SECONDS if phase == "head" else BODY_SECONDS, self.give_up)
        if self._address:
            if phase in ("head", "body", "idle"):
                self._doors.waiting.add(self._address, self)
            else:
                self._doors.waiting.remove(self._address, self)

    def give_up(self) -> None:
        self.transport.abort()


class Socket(WebSocketsSansIOProtocol):
    """A WebSocket; waited for until the server has said something, which it does after hello."""

    def __init__(self, doors: Doors, address: str, config: uvicorn.Config, server_state: ServerState,
                 app_state: dict[str, Any]) -> None:
        super().__init__(config, server_state, app_state)
        self._doors = doors
        self._address = address
        self._frames = doors.budgets.bucket(FRAMES)
        self._bytes = doors.budgets.bucket(BYTES)
        self._unread = bytearray()
        self._is_feeding = False
        self._is_waited_for = True
        self._received_after_close = 0
        self.on_pong: Callable[[int], None] | None = None
        self._unsent = bytearray()
        self._extensions: dict[str, Any] = {}
        """Of the ASGI scope."""

    def begin(self, head: bytes) -> None:
        """Read the request that opens the WebSocket."""
        if self._address:
            self._doors.waiting.add(self._address, self)
        super().data_received(head)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self.transport.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._unread.clear()
        super().connection_lost(exc)
        self.conn.parser.close()   # a generator that refers to what refers to it
        self.on_pong = None   # and so does this
        self._extensions.clear()

    # ------------------------------------------------------------------ what arrives

    def data_received(self, data: bytes) -> None:
        if self._unread or len(data) > SOCKET_SLICE_BYTES:
            self._unread += data
            self._feed_soon()
        else:
            self._take(data)

    def receive(self) -> Coroutine[Any, Any, Any]:
        return self._receive() if self._unread else super().receive()

    async def _receive(self) -> Any:
        message = await super().receive()
        if not self.read_paused:
            self._feed_soon()
        return message

    def _feed_soon(self) -> None:
        """Go on with what was read, when others have had their turn."""
        if self._unread and not self._is_feeding:
            self._is_feeding = True
            self.transport.pause_reading()
            self.loop.call_soon(self._feed)

    def _feed(self) -> None:
        self._is_feeding = False
        if self.transport.is_closing():
            self._unread.clear()
        elif not self.read_paused:   # else the messages so far are answered first, and `receive` goes on
            piece = bytes(self._unread[:SOCKET_SLICE_BYTES])
            del self._unread[:SOCKET_SLICE_BYTES]
            self._take(piece)
            if self._unread:
                self._feed_soon()
            elif not self.read_paused:
                self.transport.resume_reading()

    def _take(self, data: bytes) -> None:
        if self.close_sent:   # its own goodbye may be behind it
            self._received_after_close += len(data)
            if self._received_after_close > RECEIVE_BYTES:
                self.transport.abort()
                return
        try:
            self._doors.budgets.take_from(self._bytes, BYTES, len(data))
        except Refusal:
            self._cut("flood")
            return
        super().data_received(data)

    def handle_events(self) -> None:
        """What the slice that was parsed last held."""
        events = self.conn.events_received()
        try:
            self._doors.budgets.take_from(self._frames, FRAMES, len(events))
        except Refusal:
            self._cut("flood")
            return
        is_pinged = False
        for event in events:
            if isinstance(event, Request):
                self.handle_connect(event)
                if self.response.status_code == 101:
                    self._extensions = cast(dict[str, Any], self.scope["extensions"])
                    self._extensions[LINE] = self
            elif not isinstance(event, Frame):
                continue
            elif event.opcode is Opcode.TEXT:
                if self.on_pong is None or not self._take_pong(event):
                    self.handle_text(event)
            elif event.opcode is Opcode.PING:
                is_pinged = True
            elif event.opcode is Opcode.CONT:
                if len(self.frames) >= FRAGMENTS:
                    self._cut("unreadable")
                    return
                self.handle_cont(event)
            elif event.opcode is Opcode.BINARY:
                self.handle_bytes(event)
            elif event.opcode is Opcode.CLOSE:
                self.handle_close(event)
        if is_pinged and not self.transport.is_closing():
            self.handle_ping()   # one write for all of them

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                if not self.close_sent:
                    self.conn.send_close(1007)
                    self.handle_parser_exception()
                return
        super().send_receive_event_to_app()

    def _take_pong(self, frame: Frame) -> bool:
        """Tell of the answer to a ping; False if the frame is something else."""
        data = bytes(frame.data)
        number = data[len(PONG_START):-1]
        if not (frame.fin and data.startswith(PONG_START) and data.endswith(PONG_END) and number.isdigit()
                and len(number) < 16) or self.on_pong is None:
            return False
        self.on_pong(int(number))
        return True

    # ------------------------------------------------------------------ what is sent

    def write(self, text: str) -> bool:
        if not self.handshake_complete or self.close_sent or not self.writable.is_set() or self.transport.is_closing():
            return False
        if self._is_waited_for:
            self._stop_waiting()
        data = text.encode()
        length = len(data)
        if length < 126:
            head = bytes((TEXT_FRAME, length))
        elif length < 1 << 16:
            head = struct.pack("!BBH", TEXT_FRAME, 126, length)
        else:
            head = struct.pack("!BBQ", TEXT_FRAME, 127, length)
        if not self._unsent:   # what is said in the same round of the event loop goes to the system together
            self.loop.call_soon(self._flush)
        self._unsent += head
        self._unsent += data
        if len(self._unsent) > FLUSH_BYTES:
            self._flush()
        return True

    def _flush(self) -> None:
        if self._unsent and not self.transport.is_closing():
            self.transport.write(bytes(self._unsent))
        self._unsent.clear()

    def send(self, message: Any) -> Coroutine[Any, Any, None]:
        self._flush()
        if self._is_waited_for and message["type"] == "websocket.send":
            self._stop_waiting()
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True   # by an answer that says why not
        return super().send(message)

    # ------------------------------------------------------------------ ending

    def _stop_waiting(self) -> None:
        if self._is_waited_for:
            self._is_waited_for = False
            self._doors.waiting.remove(self._address, self)

    def _cut(self, code: str) -> None:
        """End it at once; the application is told why."""
        self.queue.put_nowait({"type": "websocket.disconnect", "code": CUT_CODE, "reason": code})
        self._unread.clear()
        self.transport.abort()

    def give_up(self) -> None:
        self.transport.abort()
