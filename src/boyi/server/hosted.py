"""A room that this server owns.

It does one thing after the other, under its lock: decide, apply, commit, tell. Nobody is told before the commit, and if
that fails the room is made again from what is on disk; so what anyone ever saw is there after any crash. What happens,
happens when it was asked for: how long a request waited is nobody's time (`room_clock`).
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import logging
import secrets
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from boyi.agents.reasons import find_reason
from boyi.core.draws import SECRET_BYTES
from boyi.core.errors import shorten
from boyi.server.audience import Audience, Listener, Told
from boyi.server.budgets import Hold
from boyi.server.logs import facts
from boyi.server.lookahead import RETRY_SECONDS, LookAhead
from boyi.server.protocol import messages
from boyi.server.protocol.bodies import RoomSummary
from boyi.server.protocol.events import Closed, Ended, Event, Forfeited, Handed, Moved, Resigned, Started, TakenBack
from boyi.server.protocol.messages import encode
from boyi.server.protocol.refusals import Refusal
from boyi.server.room_clock import Occasion, RoomClock
from boyi.server.rooms import (
    Create,
    Decision,
    Identity,
    Internal,
    Moment,
    Pause,
    Presence,
    Room,
    Tick,
    asking,
    guards,
    telling,
)
from boyi.server.store import FencedError, FinishedGame, StorageError
from boyi.server.work import in_thread

if TYPE_CHECKING:
    from boyi.server.lobby import Lobby

log = logging.getLogger("boyi.rooms")

IDLE_SECONDS = 60.0
"""A room that nobody is in, and where nothing happens by itself, is forgotten after this long."""

COURSE = (Started, Ended, Closed)
"""Events with which a game begins or ends: who is playing is another matter after them."""

BEGINNINGS = (Create, messages.Start, messages.Rematch)
"""Commands that need a date, and chance."""

TURNS = (Started, Moved, TakenBack, Resigned, Ended, Handed)
"""Events after which a player may have to be told that it is their turn."""


class Hosted:
    """A room with its listeners, its clock and its place on disk."""

    def __init__(self, lobby: Lobby, room: Room, epoch: int) -> None:
        self.lobby = lobby
        self.epoch = epoch
        self.room = room
        self.audience = Audience(lambda person: self.room.viewer(person))
        self.idle_since = time.monotonic()
        self.holds: list[Hold] = []
        """Of quotas, by the creator of the room; released when it is forgotten."""

        self.lost = False
        """Another server owns the room now."""

        self._lock = asyncio.Lock()
        self._clock = RoomClock(lobby.clock, self.room.state.at, self._occasion(()),
                                waits=self.acting_person is not None)
        self._ahead = LookAhead(self)

    @property
    def identity(self) -> str:
        return self.room.state.room

    @property
    def acting_person(self) -> str | None:
        """The person whose clock runs."""
        game = self.room.state.game
        if self.room.state.phase != "playing" or game is None or game.clocks_ms is None or game.standing.turn is None:
            return None
        seat = self.room.state.seats[game.standing.turn]
        return seat.person if seat.level is None else None

    def now(self) -> int:
        """The time on the room's clock."""
        return self._clock.now_ms()

    # ------------------------------------------------------------------ doing

    async def perform(self, command: messages.Command | Internal, by: Identity | None = None) -> Decision:
        """Carry out a command: when this returns it is on disk and everyone has been told. Or a `Refusal`."""
        # The caller may be called off meanwhile; what is begun is finished all the same.
        return await asyncio.shield(self.lobby.tasks.spawn(self.carry_out(command, by)))

    async def perform_later(self, command: Internal) -> None:
        """Carry out what nobody waits for; tried again, until it could be saved."""
        try:
            await self.perform(command)
        except Refusal as refusal:
            if refusal.code == "storage" and not self.lobby.stopping:
                self.lobby.tasks.spawn(self._try_again(command))

    async def _try_again(self, command: Internal) -> None:
        await asyncio.sleep(RETRY_SECONDS)
        await self.perform_later(command)

    async def carry_out(self, command: messages.Command | Internal, by: Identity | None = None, lag_ms: int = 0,
                        arrived_ms: int | None = None) -> Decision:
        """As `perform`, in a task of the caller's that is not called off.

        It counts from when it arrived, on the server's fair clock; now, if that is not given.
        """
        if arrived_ms is None:
            arrived_ms = self.lobby.clock.now_ms()
        async with self._lock:
            if self.lost:
                raise Refusal("resync")
            if isinstance(command, Tick):
                # No flag falls before everything is heard that its player, or the AI, said in time.
                for unheard_ms in (self.audience.unheard_ms(self.acting_person), self._ahead.unheard_ms):
                    arrived_ms = arrived_ms if unheard_ms is None else min(arrived_ms, unheard_ms)
            begins = isinstance(command, BEGINNINGS)
            moment = Moment(self._clock.at(arrived_ms), lag_ms,
                            secrets.token_bytes(SECRET_BYTES) if begins else b"",
                            datetime.date.today().isoformat() if begins else "",
                            self.audience.connected, self._clock.stalled_ms)
            decision = self.room.decide(command, moment, by)
            if decision.events:
                try:
                    await self._commit(decision, moment.stalled_ms)
                except Refusal:
                    self._clock.failed(arrived_ms)
                    raise
            self._ahead.look()
            return decision

    async def _commit(self, decision: Decision, stalled_ms: int) -> None:
        told: list[tuple[int, Told]] = []
        games = []
        for event in decision.events:
            self.room.apply(event, decision.moves.get(event.seq, ()))
            told.append((event.seq, {viewer: encode(self.room.public(event, viewer))
                                     for viewer in self.room.viewers()}))
            if isinstance(event.body, Ended | Forfeited):
                games.append(self._finished(event.body))
        try:
            await self._save(decision, games)
        except asyncio.CancelledError:
            self._lose()   # it may or may not have been written: the next to ask for the room makes it again
            raise
        self.lobby.committed += len(decision.events)
        if games:
            self.lobby.openings.note_end()
        may_turn = any(isinstance(event.body, TURNS) for event in decision.events)
        self.audience.tell(told, telling.turn(self.room, self._acting()) if may_turn else None)
        self._clock.told(self.room.state.at, self._occasion(decision.events), stalled_ms)

    def _occasion(self, events: Sequence[Event]) -> Occasion:
        """Whether these events begin a turn, or change its hands."""
        game = self.room.state.game
        return (0 if game is None else game.turn_seq), any(isinstance(event.body, Handed) for event in events)

    async def _save(self, decision: Decision, games: list[FinishedGame]) -> None:
        try:
            await self.lobby.store.rooms.append(
                self.identity, self.epoch, decision.events, self.summary(), self.room.settings.public, games,
                self.lobby.peers.own_name, self._playing(decision.events))
        except StorageError as error:
            if isinstance(error, FencedError):
                self._lose()
                raise Refusal("resync") from error
            log.error("a room could not be saved: %s", error)
            self.lobby.failed_commits += 1
            if not await self._is_on_disk_after_all(decision.events):
                raise Refusal("storage") from error

    def _playing(self, events: Sequence[Event]) -> Sequence[str | None] | None:
        """Who is playing after these events, by seat; None if they change nothing in that."""
        if not any(isinstance(event.body, COURSE) for event in events):
            return None
        return self.room.players if self.room.state.phase == "playing" else ()

    async def _is_on_disk_after_all(self, new: Sequence[Event]) -> bool:
        """After a failure: the room as it is on disk. A connection that broke at the end may have done its work."""
        try:
            stored = await self.lobby.store.rooms.load(self.identity)
        except StorageError as error:
            self._lose()   # the next to ask for the room makes it again
            raise Refusal("storage") from error
        if not stored:
            self._lose()
            return False
        self.room = await in_thread(Room.replay, self.identity, stored)
        return stored[-len(new):] == list(new)

    def _acting(self) -> int | None:
        game = self.room.state.game
        return None if game is None else game.standing.turn

    def _finished(self, end: Ended | Forfeited) -> FinishedGame:
        """The present game, which is over or has its rated result."""
        game = self.room.state.game
        result = None if game is None else game.forfeit or game.result
        if game is None or result is None:
            raise AssertionError("a game that ended has a result")
        return FinishedGame(self.identity, game.number, self.room.settings.game, self.room.settings.public,
                            result.rated, game.names, result.places, game.date, telling.record(self.room).to_text(),
                            self.room.players, is_played_on=game.forfeit is not None and game.result is not None,
                            options=self.room.settings.options,
                            encounters=self.room.conduct.encounters(end) if isinstance(end, Ended) else ())

    def _lose(self) -> None:
        self.lost = True
        self.lobby.lost += 1
        log.warning("a room was lost", extra=facts(room=self.identity, epoch=self.epoch))
        self._ahead.stop()
        self.audience.dismiss_all("resync")
        self.lobby.forget(self)

    # ------------------------------------------------------------------ listening

    async def enter(self, listener: Listener, seen: int | None) -> None:
        """Connect a client, and tell it what it has not seen."""
        async with self._lock:
            if self.lost:
                raise Refusal("resync")
            viewer = self.audience.viewer(listener)
            identity = listener.identity
            listener.send(encode(messages.Welcome(self.identity, identity.person if identity else None, viewer,
                                                  self.room.seq, self.now())))
            missed = self.audience.missed(viewer, seen, self.room.seq)
            if missed is None:
                missed = [encode(messages.Room(telling.view(self.room, viewer)))]
            for text in missed:
                listener.send(text)
            self.audience.add(listener)
            turn = telling.turn(self.room, viewer)
            if turn is not None:
                listener.send(encode(turn))
                self._clock.player_is_back()
                self._ahead.look()
        if identity is not None:
            await self.note_presence(identity.person)

    async def exit(self, listener: Listener) -> None:
        """Disconnect a client."""
        self.audience.remove(listener)
        self.idle_since = time.monotonic()
        if listener.identity is not None and not self.lost and not self.lobby.stopping:
            await self.note_presence(listener.identity.person)

    async def note_presence(self, person: str) -> None:
        """Write down whether a person is connected, as it is then."""
        await self.perform_later(Presence(person))

    async def note_absences(self) -> None:
        """After a start: who was here before is away until they come back."""
        for person in list(self.room.state.persons):
            await self.note_presence(person.person)
        await self.go_on()

    async def go_on(self) -> None:
        """See to it that what is due in the room happens."""
        async with self._lock:
            self._ahead.look()

    # ------------------------------------------------------------------ answering

    async def display(self, check: messages.Check, listener: Listener) -> messages.Display:
        async with self._lock:
            move = telling.last_move(self.room, check.seat, self.audience.viewer(listener))
            return messages.Display(check.id, check.seat, move)

    async def history(self, ask: messages.AskHistory, listener: Listener) -> str:
        """The course of the game, encoded."""
        while True:
            async with self._lock:
                told = telling.history(self.room, ask.id, self.audience.viewer(listener))
            if told is not None:
                return told
            await asyncio.sleep(0)   # a long game is worked out in portions

    async def hint(self, ask: messages.Hint, listener: Listener) -> messages.HintGiven:
        """The strongest move that is found in a second, in a player's place."""
        person = listener.identity.person if listener.identity else ""
        async with self._lock:
            seat, game = asking.hinted_seat(self.room, person), guards.playing(self.room.state)
            observation = self.room.views.observe(seat).copy()
            meets_level = any(seat.level is not None for seat in self.room.conduct.seats)
        if ask.notation not in ("", *observation.game.notations):
            raise Refusal("unreadable", f"there is no notation {shorten(ask.notation)} of this game")
        line = await self._ahead.hint(observation, game.turn_seq, person, ask.notation)
        if meets_level:   # what comes of it does not show how strong the person is
            try:
                await self.lobby.store.encounters.note_hint(self.identity, game.number, seat)
            except StorageError as error:
                raise Refusal("storage") from error
        reason = await in_thread(find_reason, observation, observation.parse_move(line.moves[0]), line.wins_in)
        return messages.HintGiven(ask.id, line.moves[0], line.paths[0], line.moves, line.written, line.paths,
                                  line.odds, None if reason is None else reason.words)

    async def record(self, person: str | None) -> str:
        async with self._lock:
            return telling.record(self.room, self.room.viewer(person)).to_text()

    def summary(self) -> RoomSummary:
        return telling.summary(self.room)

    # ------------------------------------------------------------------ ending

    @property
    def is_idle(self) -> bool:
        """May it be forgotten until someone asks for it?"""
        return (not self.audience and not self._lock.locked() and not self._ahead.is_asking
                and self.room.deadline() is None and time.monotonic() - self.idle_since > IDLE_SECONDS)

    async def pause(self) -> None:
        """The server stops: write down how the clocks stand."""
        self._ahead.stop()
        if self.room.state.phase == "playing":
            with contextlib.suppress(Refusal):
                await self.perform(Pause())
