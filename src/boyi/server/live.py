"""Live analysis over a WebSocket: one position at a time, deeper and deeper until the client asks for another, stops,
or has used up its budget.

The client is told what is known of the position at once, then how far the search has come. The search itself is in an
engine, and takes turns with those of others (`engines.pool`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging

from msgspec import structs
from starlette.types import Receive, Send

from boyi.agents.searching import knows_passing
from boyi.core.errors import BoyiError
from boyi.core.position import Position
from boyi.server.asked import read_position
from boyi.server.budgets import LIVE, LOOP, MESSAGES, POSITIONS, SOCKETS, STREAMS, Hold, Payer
from boyi.server.connection import GoneError, receive_text
from boyi.server.engines.pool import Stream
from boyi.server.known import key_of
from boyi.server.likeness import Likeness
from boyi.server.lobby import Lobby
from boyi.server.metering import Meter
from boyi.server.outbox import GONE, GOODBYE_SECONDS, Outbox
from boyi.server.protocol.live import (
    Analyse,
    Exhausted,
    Greeting,
    LiveAnalysis,
    StopAnalysis,
    Update,
    decode_from_client,
)
from boyi.server.protocol.messages import UnreadableError, encode, nack
from boyi.server.protocol.refusals import REFUSALS, Refusal
from boyi.server.rooms import Identity
from boyi.server.wire import Line
from boyi.server.work import in_thread

log = logging.getLogger("boyi.sockets")

FIRST_SECONDS = 10.0
"""How long a client has for its first message."""

IDLE_SECONDS = 600.0
"""A socket on which nothing is analysed or said for so long is closed."""

UPDATE_SECONDS = 0.5
"""How often a client is told that the search has gone on, when it has finished no depth."""

GO_ON_SECONDS = 5.0
"""What a budget should hold before an analysis goes on that had used it up; seconds of an engine."""

MOST_FAILURES = 3
"""Engines that may fail one after the other at an analysis before it ends; each is replaced."""

MOST_MOVES = 4000
"""Of a game that is said in parts."""


class LiveConnection:
    """A client of live analysis."""

    def __init__(self, lobby: Lobby, receive: Receive, send: Send, address: str = "", line: Line | None = None) -> None:
        self.identity: Identity | None = None
        self.address = address
        self.payer = Payer(address)
        self.outbox = Outbox(send, None if line is None else line.write)
        self._lobby = lobby
        self._incoming = receive
        self._budgets = lobby.budgets
        self._messages = lobby.budgets.bucket(MESSAGES)
        self._token = ""
        self._holds: list[Hold] = []
        self._stream: Stream | None = None
        self._asked: Analyse | None = None
        """What was asked about last, all of it."""

        self._work: asyncio.Task[None] | None = None
        self._cut = ""

    @property
    def unsent(self) -> int:
        return len(self.outbox.waiting)

    @property
    def unheard_ms(self) -> int | None:
        return None

    def send(self, text: str) -> None:
        self.outbox.send(text)

    def dismiss(self, code: str) -> None:
        self.outbox.dismiss(code)

    async def run(self) -> str:
        """From the first message to the end of the connection: the code of why it was cut, if it was."""
        writer = self.outbox.start()
        reader = asyncio.create_task(self._read())
        self._lobby.analysing.add(self)
        self._lobby.tasks.spawn(self._lobby.engines.get_ready())
        try:
            await asyncio.wait([reader, writer], return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._lobby.analysing.discard(self)
            await self._stop()
            if self._stream is not None:
                self._lobby.engines.close_stream(self._stream)
            for hold in self._holds:
                hold.release()
            if self._token:
                self._lobby.accounts.detach(self._token, self)
            if self.outbox.ending is not None:
                self._lobby.cut[self.outbox.ending] += 1
                if not writer.done():
                    await asyncio.wait([writer], timeout=GOODBYE_SECONDS)   # let the client read why
            for task in (reader, writer):
                task.cancel()
            for result in await asyncio.gather(reader, writer, return_exceptions=True):
                if isinstance(result, Exception):
                    log.error("a live analysis failed", exc_info=result)
            with contextlib.suppress(*GONE):
                await self.outbox.close()
        return self._cut or self.outbox.ending or ""

    # ------------------------------------------------------------------ what a client says

    async def _read(self) -> None:
        seconds = FIRST_SECONDS
        while self.outbox.ending is None:
            try:
                async with asyncio.timeout(seconds):
                    text = await receive_text(self._incoming)
                self._budgets.take_from(self._messages, MESSAGES)
                meter = Meter()
                try:
                    await meter.run(self._take(text))
                finally:
                    self._budgets.owe(LOOP, self.payer, meter.seconds)
            except GoneError as gone:
                self._cut = gone.code
                return
            except TimeoutError:
                if self._work is None or self._work.done():
                    return
            except Refusal as refusal:
                self._lobby.refusals[refusal.code] += 1
                self.send(encode(nack(refusal)))
                self.dismiss(refusal.code)
            seconds = IDLE_SECONDS

    async def _take(self, text: str) -> None:
        """A message has arrived. A `Refusal` ends the connection; what only this position is refused for does not."""
        try:
            message = decode_from_client(text)
        except UnreadableError as error:
            raise Refusal("unreadable", str(error)) from error
        if isinstance(message, StopAnalysis):
            await self._stop()
        elif isinstance(message, Greeting):
            await self._greet(message.token)
        elif isinstance(message, Analyse):
            await self._stop()
            try:
                self._budgets.charge(LOOP, self.payer, 0)
                self._budgets.charge(POSITIONS, self.payer)
                self._asked = message = self._complete(message)
                self._work = asyncio.create_task(self._analyse(message, self._open()))
            except Refusal as refusal:
                self._refuse(message.id, refusal)

    async def _greet(self, token: str) -> None:
        """Who the client is; it counts from the next analysis on."""
        if self._stream is not None or self._token:
            raise Refusal("unreadable", "hello is the first message")
        self._lobby.bans.check(self.address)
        person = await self._lobby.accounts.identify(token)
        self._lobby.bans.check(self.address, person.id)
        self._lobby.accounts.attach(token, self)
        self._token = token
        self.identity = Identity(person.id, person.name, person.account, "")
        self.payer = Payer(self.address, person.id)

    def _open(self) -> Stream:
        """The stream of this client. A stranger shares one turn with all others of the address: tokens are free."""
        if self._stream is None:
            self._lobby.bans.check(self.address)
            if self._lobby.stopping:
                raise Refusal("stopping")
            self._holds = self._budgets.hold_all((SOCKETS, STREAMS), self.payer)
            person = self.identity
            is_known = person is not None and (person.account or self._budgets.is_regular(person.person))
            share = person.person if person is not None and is_known else self.payer.address
            self._stream = self._lobby.engines.open_stream(self.payer, share)
        return self._stream

    def _complete(self, asked: Analyse) -> Analyse:
        """The question with the moves that were kept from the one before."""
        if not asked.kept:
            return asked
        before = self._asked
        if before is None or asked.kept > len(before.moves) or (asked.game, asked.options, asked.start) != (
                before.game, before.options, before.start):
            raise Refusal("unreadable", "kept counts moves that were last asked about, of the same game and start")
        moves = before.moves[:asked.kept] + asked.moves
        if len(moves) > MOST_MOVES:
            raise Refusal("unreadable", f"a game has at most {MOST_MOVES} moves here")
        return structs.replace(asked, moves=moves, kept=0)

    async def _stop(self) -> None:
        """Nothing is analysed any more."""
        work, self._work = self._work, None
        if work is not None:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

    # ------------------------------------------------------------------ what a client is told

    async def _analyse(self, asked: Analyse, stream: Stream) -> None:
        """Tell how far the search of a position has come, until it is cancelled."""
        try:
            position = await in_thread(read_position, asked)
            keys = await self._lobby.check_analysable(position, self.payer.address)
            if asked.threat and not knows_passing(position):
                raise Refusal("not_allowed", "nobody can pass here")
            if asked.notation:
                position.game.notation(asked.notation)   # which refuses one that there is not
            await self._follow(asked, stream, position, keys)
        except Refusal as refusal:
            self._refuse(asked.id, refusal)
        except BoyiError as error:
            self._refuse(asked.id, Refusal("no_position", str(error)))
        except Exception:
            log.exception("a live analysis failed")
            self._refuse(asked.id, Refusal("internal"))

    async def _follow(self, asked: Analyse, stream: Stream, position: Position, keys: list[Likeness]) -> None:
        loop, key = asyncio.get_running_loop(), key_of(position, asked.notation, threat=asked.threat)
        known = self._lobby.known.find(key, asked.lines)
        told_at = 0.0
        if known is not None:
            self._tell(asked, known)
            told_at = loop.time()
            if known.ended:
                return
        is_new, failures = True, 0
        while True:
            try:
                self._budgets.charge(LIVE, self.payer, 0)
            except Refusal as refusal:
                wait = max(refusal.retry_after, GO_ON_SECONDS / (LIVE.per_second * self._budgets.factor))
                self.send(encode(Exhausted(asked.id, REFUSALS["exhausted"], round(1000 * wait))))
                return
            if self._lobby.played.has_any(keys):   # it may have been played since
                raise Refusal("playing", "a position of a game that is being played is not analysed")
            try:
                found = await self._lobby.engines.go_on(stream, position, asked.lines, threat=asked.threat,
                                                        notation=asked.notation, is_new=is_new)
            except Refusal as refusal:
                failures += 1
                if refusal.code != "internal" or failures == MOST_FAILURES or self._lobby.stopping:
                    raise
                is_new = True   # the search is lost with its engine; the next one begins it again
                continue
            is_new, failures = False, 0
            deeper = known is None or found.effort > known.effort or found.ended
            if found.lines:
                self._lobby.known.keep(key, asked.lines, found)
            if not deeper and known is not None:   # what was known before is better than what is found again
                found = structs.replace(known, nodes=max(known.nodes, found.nodes), speed=found.speed,
                                        seconds=max(known.seconds, found.seconds))
            if found.lines:
                known = found
            if known is not None and (deeper or loop.time() >= told_at + UPDATE_SECONDS):
                self._tell(asked, known)
                told_at = loop.time()
            if found.ended:
                return

    def _tell(self, asked: Analyse, found: LiveAnalysis) -> None:
        self.send(encode(Update(asked.id, found)))

    def _refuse(self, number: int, refusal: Refusal) -> None:
        self._lobby.refusals[refusal.code] += 1
        self.send(encode(nack(refusal, id=number)))
