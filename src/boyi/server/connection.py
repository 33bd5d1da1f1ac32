"""One connection, from `hello` to its end: what a client says is read, paid for and done.

A frame that cannot be read is refused and forgotten. What is over a budget is refused with when to come back; too many
messages end the connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Coroutine
from typing import Any, TypeVar, cast

from starlette.types import Receive, Send

from boyi.server.budgets import CHATS, HINTS, LOG_LINES, LOOP, MESSAGES, SOCKETS, Hold, Payer
from boyi.server.forwarding import forward
from boyi.server.heartbeat import Heartbeat
from boyi.server.hosted import Hosted
from boyi.server.inbox import Inbox
from boyi.server.lobby import Lobby
from boyi.server.logs import facts
from boyi.server.metering import Meter
from boyi.server.outbox import GONE, GOODBYE_SECONDS, Outbox
from boyi.server.protocol import messages
from boyi.server.protocol.messages import AskHistory, Check, Hello, Pong, Request, UnreadableError, encode, nack
from boyi.server.protocol.refusals import Refusal
from boyi.server.rooms import Identity
from boyi.server.store import HeldError
from boyi.server.wire import CUT_CODE, Line

log = logging.getLogger("boyi.sockets")

T = TypeVar("T")

HELLO_SECONDS = 10.0
"""How long a client has to say hello."""

ENTER_SECONDS = 30.0
"""How long its room may take to be found and entered: longer than a lease, and than a page waits. Those who were sent
away sooner would come again, and make it longer for all."""


class GoneError(OSError):
    """The other end has closed the connection."""

    def __init__(self, code: str = "") -> None:
        super().__init__(code)
        self.code = code
        """Why the connection was cut while something was read from it."""


async def receive_text(receive: Receive) -> str:
    """The next message of a WebSocket: a `GoneError` when it is closed, a `Refusal` of what is no text or too long."""
    message = await receive()
    if message["type"] == "websocket.disconnect":
        # A client that closes like this itself pays like this, too.
        raise GoneError(message.get("reason", "") if message.get("code") == CUT_CODE else "")
    text = message.get("text")
    if text is None:
        raise Refusal("unreadable", "messages are text, not binary")
    if len(text) > messages.FRAME_BYTES:
        raise Refusal("unreadable", f"a message has at most {messages.FRAME_BYTES} bytes")
    return str(text)


class Connection:
    """A connected client; a `Listener` of its room."""

    def __init__(self, lobby: Lobby, receive: Receive, send: Send, address: str = "", line: Line | None = None) -> None:
        """A `line` is a short cut past `receive` and `send`, for what is sent and heard most."""
        self.identity: Identity | None = None
        self._lobby = lobby
        self.address = address
        self._incoming = receive
        self.payer = Payer(address)
        """Who pays for what is asked here; the person is known after hello."""

        self._token = ""
        self._hosted: Hosted | None = None
        self._elsewhere: tuple[str, str, str] | None = None
        """If another server owns the room: that server, the room, and the client's hello."""

        self.outbox = Outbox(send, None if line is None else line.write)
        self._inbox = Inbox(lobby.clock, lobby.tasks)
        self._heartbeat = Heartbeat(lobby.heart, lobby.clock)
        self._line = line
        self._budgets = lobby.budgets
        self._messages = lobby.budgets.bucket(MESSAGES)
        self._socket: Hold | None = None
        self._cut = ""
        """Why the connection was cut while something was read from it."""

        self._moves_received: dict[int, float] = {}
        """By number of a request: when a move came that is not answered yet, for the metrics."""

        self._thinking: set[asyncio.Task[None]] = set()
        """Answers that an engine is asked for; meanwhile the client is heard."""

    @property
    def unsent(self) -> int:
        return len(self.outbox.waiting)

    def send(self, text: str) -> None:
        self.outbox.send(text)

    def dismiss(self, code: str) -> None:
        self.outbox.dismiss(code)

    @property
    def unheard_ms(self) -> int | None:
        return self._inbox.oldest_ms

    @property
    def is_acting(self) -> bool:
        return (self._hosted is not None and self.identity is not None
                and self._hosted.acting_person == self.identity.person)

    def ping(self, number: int) -> None:
        if self._hosted is not None:
            self.outbox.send(f'{{"type":"ping","number":{number},"now":{self._hosted.now()}}}')

    async def run(self) -> str:
        """From `hello` to the end of the connection: the code of why it was cut, if it was."""
        writer = self.outbox.start()
        tasks = [writer]
        try:
            self._budgets.charge(LOOP, self.payer, 0)
            async with asyncio.timeout(HELLO_SECONDS):
                text = await self._receive()
            async with asyncio.timeout(ENTER_SECONDS):
                await self._metered(self._hello(text))
            if self._elsewhere is None:
                self._heartbeat.start(self)
                if self._line is not None:
                    self._line.on_pong = self._heartbeat.pong
                reader = asyncio.create_task(self._read())
            else:
                reader = asyncio.create_task(self._forward(*self._elsewhere))
            tasks.append(reader)
            await asyncio.wait([reader, writer], return_when=asyncio.FIRST_COMPLETED)
        except (GoneError, TimeoutError):
            pass
        except Refusal as refusal:
            self._lobby.refusals[refusal.code] += 1
            self.send(encode(nack(refusal)))
            self.dismiss(refusal.code)
        finally:
            self._note_cut()
            self._heartbeat.stop()
            if self._token:
                self._lobby.accounts.detach(self._token, self)
            if self._socket is not None:
                self._socket.release()
            if self._hosted is not None:
                self._lobby.tasks.spawn(self._leave(self._hosted))
            if self.outbox.ending is not None and not writer.done():
                await asyncio.wait([writer], timeout=GOODBYE_SECONDS)   # let the client read why
            tasks += self._thinking
            for task in tasks:
                task.cancel()
            for result in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(result, Exception):
                    log.error("a connection failed", exc_info=result)
            with contextlib.suppress(*GONE):
                await self.outbox.close()
        return self._cut or self.outbox.ending or ""

    async def _metered(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something, and pay for what it took of the event loop."""
        meter = Meter()
        try:
            return await meter.run(work)
        finally:
            self._budgets.owe(LOOP, self.payer, meter.seconds)

    async def _leave(self, hosted: Hosted) -> None:
        """A client that has gone was here until what it said is done; one that was cut off is not heard out."""
        if self.outbox.ending is not None:
            self._inbox.clear()
        await self._inbox.finish()
        await hosted.exit(self)

    def _note_cut(self) -> None:
        """Write down why the server ends the connection, if it does."""
        code = self.outbox.ending
        if code is not None:
            self._lobby.cut[code] += 1
            if code in ("stopping", "resync"):
                return   # nobody's fault, and often told to many at once
            with contextlib.suppress(Refusal):
                self._budgets.charge(LOG_LINES, Payer(self.payer.address))
                log.info("a connection was cut", extra=facts(
                    code=code, address=self.address, room=self._hosted.identity if self._hosted else None,
                    person=self.identity.person if self.identity else None))

    # ------------------------------------------------------------------ the first message

    async def _hello(self, text: str) -> None:
        """Read who the client is and which room it wants; enter it, or note which other server owns it."""
        try:
            hello = messages.decode_from_client(text)
        except UnreadableError as error:
            raise Refusal("unreadable", str(error)) from error
        if not isinstance(hello, Hello):
            raise Refusal("unreadable", "the first message is hello")
        if hello.protocol != messages.PROTOCOL:
            raise Refusal("protocol")
        self._lobby.bans.check(self.address)
        if hello.token:
            person = await self._lobby.accounts.identify(hello.token)
            self._lobby.bans.check(self.address, person.id)
            self._lobby.accounts.attach(hello.token, self)
            self._token = hello.token
            self.identity = Identity(person.id, person.name, person.account, hello.client)
            self.payer = Payer(self.payer.address, person.id)
        self._socket = self._budgets.hold(SOCKETS, self.payer)
        try:
            hosted = await self._find(hello.room)
        except HeldError as held:
            self._elsewhere = held.owner, hello.room, text
            return
        await self._lobby.admit(hosted, self.payer, hello.password)
        await self._lobby.turnstile.pass_through()
        self._hosted = hosted
        await hosted.enter(self, hello.seen)

    async def _find(self, room: str) -> Hosted:
        """The room; a `HeldError` if another server owns it. That of a dead server is waited for.

        Were its clients sent away they would come again at once, thousands of them, while it is being taken over.
        """
        while True:
            try:
                return await self._lobby.find(room)
            except HeldError as held:
                if not self._lobby.peers.is_silent(held.owner):
                    raise
            await self._lobby.until_taken_over(room)

    async def _forward(self, owner: str, room: str, hello: str) -> None:
        """Another server owns the room: pass on what is said."""
        async def receive() -> str | None:
            text = await self._receive()
            try:
                self._budgets.take_from(self._messages, MESSAGES)
            except Refusal:
                self.dismiss("flood")
                return None
            return text

        listeners = self._lobby.forwarded.setdefault(room, set())
        listeners.add(self)
        try:
            peers = self._lobby.peers
            if not await forward(owner, hello, peers.credentials(self.payer.address), receive, self.send):
                self._lobby.note_silence(owner)
            self.dismiss("resync")
        finally:
            listeners.discard(self)
            if not listeners and self._lobby.forwarded.get(room) is listeners:
                del self._lobby.forwarded[room]

    # ------------------------------------------------------------------ all others

    async def _receive(self) -> str:
        try:
            return await receive_text(self._incoming)
        except GoneError as gone:
            self._cut = gone.code
            raise

    async def _read(self) -> None:
        while self.outbox.ending is None:
            try:
                text = await self._receive()
            except GoneError:
                return
            except Refusal as refusal:
                self.send(encode(nack(refusal)))
                self.dismiss("unreadable")
                return
            try:
                self._budgets.take_from(self._messages, MESSAGES)
            except Refusal as refusal:
                self.send(encode(nack(refusal)))
                self.dismiss("flood")
                return
            await self._take(text)

    async def _take(self, text: str) -> None:
        """A message has arrived: a pong is heard at once, a request when those before it are done."""
        try:
            message = messages.decode_from_client(text)
            if isinstance(message, Pong):
                self._heartbeat.pong(message.number)
            elif isinstance(message, messages.Hint):
                self._think(message)
            elif isinstance(message, Request):
                if isinstance(message, messages.Move):
                    self._moves_received[message.id] = time.monotonic()
                await self._inbox.put(message, self._answer)
            else:
                raise UnreadableError("hello was said already")
        except UnreadableError as error:
            self.send(encode(nack(Refusal("unreadable", str(error)), seq=self._seq)))

    def _think(self, hint: messages.Hint) -> None:
        """A hint takes a while: other requests do not wait for it, and it is withdrawn when the client goes."""
        thinking = asyncio.create_task(self._answer(hint, self._lobby.clock.now_ms()))
        self._thinking.add(thinking)
        thinking.add_done_callback(self._thinking.discard)

    async def _answer(self, request: Request, arrived_ms: int) -> None:
        """Carry out a request, and say so or why not."""
        try:
            self._budgets.charge(LOOP, self.payer, 0)   # of what it will cost only whether anything is left is known
            self.send(await self._metered(self._carry_out(request, arrived_ms)))
            if request.id in self._moves_received:
                self._lobby.measures.move_seconds.observe(time.monotonic() - self._moves_received[request.id])
        except Refusal as refusal:
            self._lobby.refusals[refusal.code] += 1
            self.send(encode(nack(refusal, id=request.id, seq=self._seq)))
        except Exception:
            log.exception("a request failed")
            self.send(encode(nack(Refusal("internal"), id=request.id, seq=self._seq)))
        finally:
            self._moves_received.pop(request.id, None)

    @property
    def _seq(self) -> int:
        """The last event of the room."""
        return 0 if self._hosted is None else self._hosted.room.seq

    async def _carry_out(self, request: Request, arrived_ms: int) -> str:
        """The answer to a request, encoded, or a `Refusal`."""
        hosted, command = self._hosted, cast(messages.Command, request)
        if hosted is None:
            raise AssertionError("nothing is answered before hello")
        match request:
            case Check():
                return encode(await hosted.display(request, self))
            case AskHistory():
                return await hosted.history(request, self)
            case messages.Hint():
                self._budgets.charge(HINTS, self.payer)
                return encode(await hosted.hint(request, self))
            case messages.Chat():
                self._budgets.charge(CHATS, self.payer)
        decision = await hosted.carry_out(command, self.identity, self._heartbeat.lag_ms, arrived_ms)
        self._budgets.acknowledged(self.payer)
        return encode(messages.Ack(request.id, decision.seq))
