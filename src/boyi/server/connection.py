"""One connection: what a client says is read, limited and done; what it is told waits in a bounded queue.

A frame that cannot be read is refused and forgotten; too many of anything end the connection. A reader that is
too slow is cut off, to come back and go on from what it has seen: its queue never grows beyond `MOST_BYTES`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import time
from collections import deque

from starlette.types import Receive, Send
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from boyi.server import messages
from boyi.server.limits import Bucket
from boyi.server.lobby import Hosted, Lobby
from boyi.server.messages import AskHistory, Check, Hello, Pong, Request, UnreadableError, encode, nack, text_of
from boyi.server.room import Identity, Refusal
from boyi.server.store import HeldError

log = logging.getLogger("boyi.sockets")

HELLO_SECONDS = 10.0
PING_SECONDS = 5.0
SPECTATOR_PING_SECONDS = 15.0
"""How often the way is measured, which matters to those only who may move."""

PING_SPREAD = 0.2
"""Pings come earlier or later by up to this part, by lot. At even intervals every pause of the server would bring more
connections into step, until all of them ping in the same moment and everybody waits."""

DEAD_PINGS = 4
"""Who has not answered for so many pings is gone."""

REQUESTS = 100
REQUESTS_PER_SECOND = 5.0
"""The longest burst, and what goes on for ever: 100 in 20 seconds."""

CHATS = 5
CHATS_PER_SECOND = 0.5

HINTS = 5
HINTS_PER_SECOND = 0.2

MOST_MESSAGES = 512
MOST_BYTES = 1_000_000
GOODBYE_SECONDS = 5.0

class GoneError(OSError):
    """The other end has closed the connection."""


GONE = RuntimeError, OSError
"""What sending to somebody raises who has gone, and hearing from him."""

CLOSE_CODES = {"stopping": 1012, "resync": 4000, "flood": 4001, "token": 4002, "no_room": 4004, "password": 4003,
               "protocol": 4005, "unreadable": 1003}


class Connection:
    """A connected client; the `Listener` of its room."""

    def __init__(self, lobby: Lobby, receive: Receive, send: Send, address: str = "") -> None:
        self.identity: Identity | None = None
        self._lobby = lobby
        self._incoming = receive
        self._outgoing = send
        self._address = address
        self._hosted: Hosted | None = None
        self._elsewhere: tuple[str, str, str] | None = None
        """The server that owns the room, if it is another one; the room, and what it has to be told first."""

        self._waiting: deque[str] = deque()
        self._bytes = 0
        self._wake = asyncio.Event()
        self._ending: str | None = None
        self._writer: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._requests = Bucket(REQUESTS, REQUESTS_PER_SECOND)
        self._chats = Bucket(CHATS, CHATS_PER_SECOND)
        self._hints = Bucket(HINTS, HINTS_PER_SECOND)
        self._pings: dict[int, float] = {}
        self._alive = time.monotonic()
        self._lags: deque[float] = deque(maxlen=5)

    @property
    def lag_ms(self) -> int:
        """The way there and back, as measured: the best of the last few, which no delayed answer can make worse."""
        return int(1000 * min(self._lags, default=0.0))

    # ------------------------------------------------------------------ being told

    def send(self, text: str) -> None:
        if self._ending is not None:
            return
        self._waiting.append(text)
        self._bytes += len(text)
        if len(self._waiting) > MOST_MESSAGES or self._bytes > MOST_BYTES:
            self.dismiss("resync")
        self._wake.set()

    def dismiss(self, code: str) -> None:
        if self._ending is None:
            if code == "resync":
                self._waiting.clear()
                self._bytes = 0
            self._waiting.append(encode(messages.Goodbye(code, text_of(messages.REFUSALS[code]))))
            self._ending = code
            self._wake.set()
            if self._writer is not None:   # whoever does not even read why has had his time
                asyncio.get_running_loop().call_later(GOODBYE_SECONDS, self._writer.cancel)

    async def _write(self) -> None:
        """Send what waits, until it is time to go."""
        with contextlib.suppress(*GONE):
            while True:
                while self._waiting:
                    text = self._waiting.popleft()
                    self._bytes -= len(text)
                    await self._outgoing({"type": "websocket.send", "text": text})
                if self._ending is not None:
                    await self._close(CLOSE_CODES.get(self._ending, 4000))
                    return
                self._wake.clear()
                await self._wake.wait()

    async def _close(self, code: int = 1000) -> None:
        await self._outgoing({"type": "websocket.close", "code": code})

    def _ping(self, number: int = 1) -> None:
        """Say a ping now, and the next one later."""
        interval = SPECTATOR_PING_SECONDS if self.identity is None else PING_SECONDS
        now = time.monotonic()
        if now - self._alive >= DEAD_PINGS * interval:
            self.dismiss("resync")
            return
        self._pings = {number: now}
        self.send(f'{{"type":"ping","number":{number}}}')
        later = interval * random.uniform(1 - PING_SPREAD, 1 + PING_SPREAD)
        self._timer = asyncio.get_running_loop().call_later(later, self._ping, number + 1)

    def _pong(self, pong: Pong) -> None:
        sent = self._pings.pop(pong.number, None)
        if sent is not None:
            self._alive = time.monotonic()
            self._lags.append(self._alive - sent)

    # ------------------------------------------------------------------ the conversation

    async def run(self) -> str:
        """From `hello` to the end of the connection: the code of why it was cut, if it was."""
        writer = self._writer = asyncio.create_task(self._write())
        tasks = [writer]
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                hello = await self._hello()
            if hello is not None:
                if self._elsewhere is None:
                    self._ping()
                    reader = asyncio.create_task(self._read())
                else:
                    reader = asyncio.create_task(self._forward(*self._elsewhere))
                tasks.append(reader)
                await asyncio.wait([reader, writer], return_when=asyncio.FIRST_COMPLETED)
        except (GoneError, TimeoutError):
            pass
        except Refusal as refusal:
            self.send(encode(nack(refusal.code, detail=refusal.detail)))
            self.dismiss(refusal.code)
        finally:
            if self._timer is not None:
                self._timer.cancel()
            if self._hosted is not None:
                self._lobby.spawn(self._hosted.exit(self))
            if self._ending is not None and not writer.done():
                await asyncio.wait([writer], timeout=GOODBYE_SECONDS)   # let him hear why
            for task in tasks:
                task.cancel()
            for result in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(result, Exception):
                    log.error("a connection failed", exc_info=result)
            with contextlib.suppress(*GONE):
                await self._close()
        return self._ending or ""

    async def _hello(self) -> Hello | None:
        text = await self._receive()
        try:
            hello = messages.decode_from_client(text)
        except UnreadableError as error:
            raise Refusal("unreadable", str(error)) from error
        if not isinstance(hello, Hello):
            raise Refusal("unreadable", "the first message is hello")
        if hello.protocol != messages.PROTOCOL:
            raise Refusal("protocol")
        if hello.token:
            person = await self._lobby.identify(hello.token)
            self.identity = Identity(person.id, person.name, person.account, hello.client)
        try:
            hosted = await self._lobby.find(hello.room)
        except HeldError as held:
            self._elsewhere = held.owner, hello.room, text
            return hello
        await self._lobby.admit(hosted, self.identity.person if self.identity else None, hello.password)
        self._hosted = hosted
        await hosted.enter(self, hello.seen)
        return hello

    async def _forward(self, owner: str, room: str, hello: str) -> None:
        """Another server owns the room: pass on what is said to it, and what it says."""
        listeners = self._lobby.forwarded.setdefault(room, set())
        listeners.add(self)
        try:
            await self._pass_on(owner, hello)
        finally:
            listeners.discard(self)
            if not listeners and self._lobby.forwarded.get(room) is listeners:
                del self._lobby.forwarded[room]

    async def _pass_on(self, owner: str, hello: str) -> None:
        url = owner.partition("#")[0].replace("http", "ws", 1) + "/ws"
        try:
            async with connect(url, compression=None, max_size=None, open_timeout=5, proxy=None,
                               additional_headers=self._lobby.credentials(self._address)) as far:
                await far.send(hello)

                async def ask() -> None:
                    with contextlib.suppress(*GONE, ConnectionClosed):
                        while self._requests.take():
                            await far.send(await self._receive())
                    await far.close()

                asking = asyncio.create_task(ask())
                try:
                    async for text in far:
                        self.send(text if isinstance(text, str) else text.decode())
                finally:
                    asking.cancel()
        except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError):
            pass   # it has died; another will own the room soon, perhaps this one
        self.dismiss("resync")

    async def _receive(self) -> str:
        message = await self._incoming()
        if message["type"] == "websocket.disconnect":
            raise GoneError
        text = message.get("text")
        if text is None:
            raise Refusal("unreadable", "messages are text, not binary")
        if len(text) > messages.FRAME_BYTES:
            raise Refusal("unreadable", f"a message has at most {messages.FRAME_BYTES} bytes")
        return str(text)

    async def _read(self) -> None:
        while self._ending is None:
            try:
                text = await self._receive()
            except GoneError:
                return
            except Refusal as refusal:
                self.send(encode(nack(refusal.code, detail=refusal.detail)))
                self.dismiss("unreadable")
                return
            if not self._requests.take():
                self.dismiss("flood")
                return
            await self._answer(text)
            await asyncio.sleep(0)   # whoever asks a hundred things at once lets others in between

    async def _answer(self, text: str) -> None:
        hosted = self._hosted
        if hosted is None:
            raise AssertionError("nothing is answered before hello")
        number: int | None = None
        try:
            message = command = messages.decode_from_client(text)
            if isinstance(message, Pong):
                self._pong(message)
                return
            if not isinstance(message, Request):
                raise UnreadableError("hello was said already")
            number = message.id
            if isinstance(message, Check):
                self.send(encode(await hosted.display(message, self)))
                return
            if isinstance(message, AskHistory):
                self.send(encode(await hosted.history(message, self)))
                return
            if isinstance(message, messages.Hint):
                if not self._hints.take():
                    raise Refusal("flood")
                self.send(encode(await hosted.hint(message, self)))
                return
            if isinstance(message, messages.Chat) and not self._chats.take():
                raise Refusal("flood")
            decision = await hosted.perform(command, self.identity, self.lag_ms)
            self.send(encode(messages.Ack(message.id, decision.seq)))
        except UnreadableError as error:
            self.send(encode(nack("unreadable", id=number, detail=str(error), seq=hosted.room.seq)))
        except Refusal as refusal:
            self.send(encode(nack(refusal.code, id=number, detail=refusal.detail, seq=hosted.room.seq)))
        except Exception:
            log.exception("a request failed")
            self.send(encode(nack("internal", id=number, seq=hosted.room.seq)))
