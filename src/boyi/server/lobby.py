"""All rooms of a server: who is connected, what is committed, who is told.

A `Hosted` room does one thing after the other, under its lock: decide, apply, commit, tell. Nobody is told
before the commit, and if that fails the room is made again from what is on disk; so what anybody ever
saw is there after any crash. Those who have a name are told at once, a crowd of spectators in portions, so that
nobody else has to wait for it. Sockets are the business of `app`: here there are `Listener`s that are sent texts.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import logging
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Coroutine, Sequence
from typing import Any, Protocol

from boyi.core.draws import SECRET_BYTES
from boyi.core.errors import BoyiError
from boyi.core.position import Position
from boyi.games import find_game
from boyi.server import messages, passwords
from boyi.server.config import Config
from boyi.server.engines import Engines
from boyi.server.events import Ended, Event, Handed, Moved, Resigned, Settings, Started, TakenBack
from boyi.server.messages import NewRoom, RoomSummary, encode
from boyi.server.room import (
    Create,
    Decision,
    EngineMove,
    EngineRequest,
    Identity,
    Internal,
    Moment,
    Pause,
    Presence,
    Refusal,
    Room,
    Tick,
)
from boyi.server.store import LEASE_MS, FencedError, FinishedGame, HeldError, Person, StorageError, Store

log = logging.getLogger("boyi.rooms")

RECENT = 32
"""So many events are kept ready for those who come back; whoever missed more is told the whole room."""

PORTION = 50
"""So many spectators are told before others have their turn."""

SERVER_HEADER, CLIENT_HEADER = "X-Boyi-Server", "X-Boyi-Client"
LOOK_SECONDS = LEASE_MS / 3000
"""So often a server says that it is alive, and sees to the rooms of those that are not."""

KNOWN_TOKENS = 10_000
KNOWN_SECONDS = 60.0
"""So many tokens are known without asking the database, and so long: it may have been ended at another server."""

IDLE_SECONDS = 60.0
RETRY_SECONDS = 1.0
MOST_PAUSE = 1 / 60
"""Of its clock, for a move that the AI had ready sooner."""

LOADERS = 16
"""So many rooms are taken up at a time after a start: what they write goes to the disk together."""

BEGINNINGS = (Create, messages.Start, messages.Rematch)
"""What needs a date, and chance."""

TURNS = (Started, Moved, TakenBack, Resigned, Ended, Handed)
"""After which somebody may have to be told that it is his turn."""


class Listener(Protocol):
    """Somebody who is connected."""

    identity: Identity | None

    def send(self, text: str) -> None:
        """Queue a message; never waits."""
        ...

    def dismiss(self, code: str) -> None:
        """Say why, and end the connection."""
        ...


def monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class Hosted:
    """A room that this server owns."""

    def __init__(self, lobby: Lobby, identity: str, epoch: int, events: list[Event]) -> None:
        self.lobby = lobby
        self.epoch = epoch
        self.room = Room.replay(identity, events)
        self.listeners: dict[Listener, None] = {}
        self.idle_since = time.monotonic()
        self._lock = asyncio.Lock()
        self._origin = monotonic_ms() - self.room.state.at
        self._recent: deque[tuple[int, dict[int | None, str]]] = deque(maxlen=RECENT)
        self._untold: deque[tuple[list[Listener], list[str]]] = deque()
        """Spectators who are still to be told, and what."""

        self._timer: asyncio.TimerHandle | None = None
        self._asked: tuple[int, int, int] | None = None
        self.lost = False
        """Another server owns the room now."""

    @property
    def identity(self) -> str:
        return self.room.state.room

    def now(self) -> int:
        """The time on the room's clock: it goes on where the last event left it."""
        return monotonic_ms() - self._origin

    # ------------------------------------------------------------------ doing

    async def perform(self, command: messages.Command | Internal, by: Identity | None = None,
                      lag_ms: int = 0) -> Decision:
        """Do what is asked: when this returns it is on disk and everybody has been told. Or a `Refusal`."""
        # Whoever asked may go away meanwhile; what is begun is finished all the same.
        return await asyncio.shield(self.lobby.spawn(self._perform(command, by, lag_ms)))

    async def _perform(self, command: messages.Command | Internal, by: Identity | None, lag_ms: int) -> Decision:
        async with self._lock:
            if self.lost:
                raise Refusal("resync")
            moment = Moment(self.now(), lag_ms)
            if isinstance(command, BEGINNINGS):
                moment = Moment(self.now(), lag_ms, secrets.token_bytes(SECRET_BYTES), datetime.date.today().isoformat())
            decision = self.room.decide(command, moment, by)
            if decision.events:
                await self._commit(decision)
            self._look_ahead()
            return decision

    async def _commit(self, decision: Decision) -> None:
        told: list[tuple[int, dict[int | None, str]]] = []
        games = []
        for event in decision.events:
            self.room.apply(event)
            told.append((event.seq, {viewer: encode(self.room.public(event, viewer))
                                     for viewer in self.room.viewers()}))
            if isinstance(event.body, Ended):
                games.append(self._finished())
        try:
            await self._save(decision, games)
        except asyncio.CancelledError:
            self._lose()   # nobody knows whether it was written: whoever asks for the room makes it again
            raise
        self._recent += told
        self.lobby.committed += len(decision.events)
        self._tell(told, any(isinstance(event.body, TURNS) for event in decision.events))

    async def _save(self, decision: Decision, games: list[FinishedGame]) -> None:
        try:
            await self.lobby.store.append(self.identity, self.epoch, decision.events, self.summary(),
                                          self.room.settings.public, games, self.lobby.name)
        except StorageError as error:
            if isinstance(error, FencedError):
                self._lose()
                raise Refusal("resync") from error
            log.error("a room could not be saved: %s", error)
            self.lobby.failed_commits += 1
            if not await self._is_on_disk_after_all(decision.events):
                raise Refusal("storage") from error

    async def _is_on_disk_after_all(self, new: Sequence[Event]) -> bool:
        """After a failure: the room as it is on disk. A connection that broke at the end may have done its work."""
        try:
            stored = await self.lobby.store.load(self.identity)
        except StorageError as error:
            self._lose()   # whoever asks for the room makes it again
            raise Refusal("storage") from error
        if not stored:
            self._lose()
            return False
        self.room = Room.replay(self.identity, stored)
        return stored[-len(new):] == list(new)

    def _tell(self, told: Sequence[tuple[int, dict[int | None, str]]], may_turn: bool) -> None:
        """Tell everybody what happened, and whoever is to act that it is his turn."""
        turn = self.room.turn(self._acting()) if may_turn else None
        turn_text = "" if turn is None else encode(turn)
        crowd = []
        for listener in list(self.listeners):
            if listener.identity is None:
                crowd.append(listener)
                continue
            viewer = self._viewer(listener)
            for _, views in told:
                listener.send(views.get(viewer, views[None]))
            if turn is not None and viewer == turn.seat:
                listener.send(turn_text)
        if crowd:
            is_waiting = bool(self._untold)
            self._untold.append((crowd, [views[None] for _, views in told]))
            if not is_waiting:
                self._tell_some()

    def _tell_some(self) -> None:
        """Tell a portion of the spectators; the next one when others have had their turn."""
        crowd, texts = self._untold[0]
        for listener in crowd[:PORTION]:
            for text in texts:
                listener.send(text)
        del crowd[:PORTION]
        if not crowd:
            self._untold.popleft()
        if self._untold:
            asyncio.get_running_loop().call_soon(self._tell_some)

    def _acting(self) -> int | None:
        game = self.room.state.game
        return None if game is None else game.standing.turn

    def _finished(self) -> FinishedGame:
        game = self.room.state.game
        if game is None or game.result is None:
            raise AssertionError("a game that ended has a result")
        return FinishedGame(self.identity, game.number, self.room.settings.game, self.room.settings.public,
                            game.result.rated, game.names, game.result.places, game.date, self.room.record().to_text())

    def _look_ahead(self) -> None:
        """See to what comes next: the clock, and the AI."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        deadline = self.room.deadline()
        if deadline is not None and not self.lobby.stopping:
            delay = max(0, deadline - self.now()) / 1000
            self._timer = asyncio.get_running_loop().call_later(delay, self._ring)
        request = self.room.engine_request()
        if request is None or self.lobby.stopping:
            self._asked = None
            return
        key = request.seat, request.epoch, request.turn_seq
        if key != self._asked:
            self._asked = key
            self.lobby.spawn(self._ask(key))

    def _ring(self) -> None:
        self._timer = None
        self.lobby.spawn(self._quietly(Tick()))

    async def _quietly(self, command: Internal) -> None:
        """Do something that nobody asked for; tried again later if it could not be saved."""
        try:
            await self.perform(command)
        except Refusal as refusal:
            if refusal.code == "storage" and not self.lobby.stopping:
                await asyncio.sleep(RETRY_SECONDS)
                self.lobby.spawn(self._quietly(command))

    async def _ask(self, key: tuple[int, int, int]) -> None:
        """Have the AI move. The key tells which question it answers; a later one makes the answer void."""
        request = self.room.engine_request()
        if request is None or (request.seat, request.epoch, request.turn_seq) != key:
            return
        began = time.monotonic()
        chosen = await self.lobby.engines.choose(request)
        await asyncio.sleep(max(0.0, self._pause(request) - (time.monotonic() - began)))
        while self._asked == key and not self.lobby.stopping:
            try:
                await self.perform(EngineMove(*key, chosen.move, chosen.fallback))
                return
            except Refusal as refusal:
                if refusal.code != "storage":
                    return   # stale, or the flag has fallen: both are seen to elsewhere
                await asyncio.sleep(RETRY_SECONDS)

    def _pause(self, request: EngineRequest) -> float:
        """How long the AI takes at least, in seconds: never much of its clock."""
        pause = self.lobby.config.engine_pause
        return pause if request.remaining_ms is None else min(pause, request.remaining_ms / 1000 * MOST_PAUSE)

    def _lose(self) -> None:
        self.lost = True
        if self._timer is not None:
            self._timer.cancel()
        for listener in list(self.listeners):
            listener.dismiss("resync")
        self.lobby.forget(self)

    # ------------------------------------------------------------------ listening

    def _viewer(self, listener: Listener) -> int | None:
        return self.room.viewer(listener.identity.person) if listener.identity else None

    async def enter(self, listener: Listener, seen: int | None) -> None:
        """Connect somebody, and tell him what he has not seen."""
        async with self._lock:
            if self.lost:
                raise Refusal("resync")
            viewer = self._viewer(listener)
            identity = listener.identity
            listener.send(encode(messages.Welcome(self.identity, identity.person if identity else None, viewer,
                                                  self.room.seq, self.now())))
            missed = [views for seq, views in self._recent if seen is not None and seq > seen]
            if seen is not None and seen <= self.room.seq and len(missed) == self.room.seq - seen:
                for views in missed:
                    listener.send(views.get(viewer, views[None]))
            else:
                listener.send(encode(messages.Room(self.room.view(viewer))))
            self.listeners[listener] = None
            self._tell_turn(listener)
        if identity is not None:
            await self._presence(identity.person)

    async def exit(self, listener: Listener) -> None:
        """Disconnect somebody."""
        self.listeners.pop(listener, None)
        self.idle_since = time.monotonic()
        if listener.identity is not None and not self.lost and not self.lobby.stopping:
            await self._presence(listener.identity.person)

    async def _presence(self, person: str) -> None:
        here = any(one.identity is not None and one.identity.person == person for one in self.listeners)
        await self._quietly(Presence(person, here))

    async def look_around(self) -> None:
        """After a start: whoever was here before is not, until he comes back."""
        for person in list(self.room.state.persons):
            await self._presence(person.person)
        async with self._lock:
            self._look_ahead()

    def _tell_turn(self, listener: Listener) -> None:
        turn = self.room.turn(self._viewer(listener))
        if turn is not None:
            listener.send(encode(turn))

    async def display(self, check: messages.Check, listener: Listener) -> messages.Display:
        async with self._lock:
            return messages.Display(check.id, check.seat, self.room.last_move(check.seat, self._viewer(listener)))

    async def history(self, ask: messages.AskHistory, listener: Listener) -> messages.History:
        async with self._lock:
            game = self.room.state.game
            return messages.History(ask.id, 0 if game is None else game.number,
                                    *self.room.history(self._viewer(listener)))

    async def hint(self, ask: messages.Hint, listener: Listener) -> messages.HintGiven:
        """What the AI would play in somebody's place."""
        async with self._lock:
            request = self.room.hint_request(listener.identity.person if listener.identity else None)
        chosen = await self.lobby.engines.choose(request)
        move = request.observation.parse_move(chosen.move)
        return messages.HintGiven(ask.id, chosen.move, list(request.observation.path(move)))

    async def record(self, person: str | None) -> str:
        async with self._lock:
            return self.room.record(self.room.viewer(person)).to_text()

    def summary(self) -> RoomSummary:
        state, settings = self.room.state, self.room.settings
        seats = state.seats
        names = []
        for seat in seats:
            person = state.person(seat.person)
            names.append(person.name if person is not None else "" if seat.level is None else f"level:{seat.level}")
        return RoomSummary(
            state.room, settings.game, state.phase, len(seats), sum(bool(name) for name in names), names,
            settings.rated, settings.locked, settings.clock, 0 if state.game is None else len(state.game.plies))

    @property
    def is_idle(self) -> bool:
        """May it be forgotten until somebody asks for it?"""
        return (not self.listeners and not self._lock.locked() and self._asked is None and self.room.deadline() is None
                and time.monotonic() - self.idle_since > IDLE_SECONDS)

    async def pause(self) -> None:
        """The server stops: write down how the clocks stand, and say so to all."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.room.state.phase == "playing":
            with contextlib.suppress(Refusal):
                await self.perform(Pause())
        for listener in list(self.listeners):
            listener.dismiss("stopping")


class Lobby:
    """All rooms, and who is who."""

    def __init__(self, config: Config, store: Store, engines: Engines) -> None:
        self.config = config
        self.store = store
        self.engines = engines
        self.name = ""
        """What this server is called in leases: its address, and what tells it from one that was there before."""

        self.stopping = False
        self.committed = 0
        self.failed_commits = 0
        self._rooms: dict[str, Hosted] = {}
        self._loading: dict[str, asyncio.Task[Hosted]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._tokens: OrderedDict[str, tuple[Person, float]] = OrderedDict()
        self._servers: dict[str, float] = {}
        """Other servers, and until when they are known to be some."""

        self._woken = asyncio.Event()
        self.forwarded: dict[str, set[Listener]] = {}
        """Who is in a room of another server, by way of this one."""

    # ------------------------------------------------------------------ tasks

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run something beside everything else; what goes wrong in it is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            error = task.exception()
            if error is not None and not isinstance(error, Refusal | HeldError):
                log.error("a task failed", exc_info=error)

    async def start(self, address: str) -> None:
        """Begin, at an address where other servers reach this one. Rooms that nobody owns are taken up."""
        self.name = f"{address}#{passwords.new_identity()}"
        if self.store.shared:
            await self.store.renew(self.name)
        await self._take_up_all()
        self.spawn(self._sweep())
        if self.store.shared:
            loop = asyncio.get_running_loop()
            self.store.listen(lambda: loop.call_soon_threadsafe(self._woken.set))
            self.spawn(self._keep())

    async def _take_up_all(self) -> None:
        rooms = asyncio.Queue[str]()
        for room in await self.store.open_rooms():
            if room not in self._rooms:
                rooms.put_nowait(room)
        for _ in range(min(LOADERS, rooms.qsize())):
            self.spawn(self._take_up(rooms))

    async def _keep(self) -> None:
        """Keep the leases of this server's rooms, and see to those whose server has died."""
        while not self.stopping:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._woken.wait()   # by a server that signs off
            self._woken.clear()
            try:
                await self.store.renew(self.name)
                await self._take_up_all()
            except StorageError as error:
                log.error("leases could not be renewed: %s", type(error).__name__)

    async def _take_up(self, rooms: asyncio.Queue[str]) -> None:
        while not rooms.empty():
            try:
                hosted = await self.find(rooms.get_nowait())
                await hosted.look_around()
            except HeldError:
                continue   # another server was faster
            except (BoyiError, ValueError) as error:
                # Others must not suffer for it; whoever asks for this one is told.
                log.error("a room cannot be opened: %s", type(error).__name__)

    async def _sweep(self) -> None:
        """Forget rooms that nobody is in."""
        while not self.stopping:
            await asyncio.sleep(IDLE_SECONDS / 2)
            for hosted in [one for one in self._rooms.values() if one.is_idle]:
                self.forget(hosted)

    async def stop(self) -> None:
        """Save, say goodbye to all, and end."""
        self.stopping = True
        await asyncio.gather(*(hosted.pause() for hosted in list(self._rooms.values())))   # one group of commits
        await self.engines.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.store.shared:
            with contextlib.suppress(StorageError):
                await self.store.sign_off(self.name)

    # ------------------------------------------------------------------ rooms

    @property
    def rooms(self) -> int:
        return len(self._rooms)

    @property
    def listeners(self) -> int:
        return sum(len(hosted.listeners) for hosted in self._rooms.values())

    def forget(self, hosted: Hosted) -> None:
        if self._rooms.get(hosted.identity) is hosted:
            del self._rooms[hosted.identity]
            if self.store.shared and not hosted.lost and not self.stopping:
                self.spawn(self.store.release(self.name, hosted.identity))

    async def create(self, wish: NewRoom, by: Identity) -> Hosted:
        """A new room, with its maker as the host."""
        if self.stopping:
            raise Refusal("stopping")
        if len(self._rooms) >= self.config.rooms:
            raise Refusal("full")
        game = find_game(wish.game)
        start = game.position(game, game.resolve(wish.options))
        settings = Settings(
            game=wish.game, options=dict(start.options), players=start.players, clock=wish.clock, rated=wish.rated,
            public=wish.public, locked=bool(wish.password), ai_on_disconnect=wish.ai_on_disconnect,
            ai_on_flag=wish.ai_on_flag, ai_level=wish.ai_level)
        hashed = await asyncio.to_thread(passwords.hash_password, wish.password) if wish.password else ""
        hosted = Hosted(self, passwords.new_identity(), 1, [])
        self._rooms[hosted.identity] = hosted
        try:
            await hosted.perform(Create(settings, hashed))
        except BaseException:
            self.forget(hosted)
            raise
        await hosted.perform(messages.Join(id=1, seen=0), Identity(by.person, by.name, by.account, "lobby"))
        await hosted._presence(by.person)  # noqa: SLF001  (he has not connected yet)
        return hosted

    async def find(self, room: str) -> Hosted:
        """A room by its name, from memory or from disk."""
        hosted = self._rooms.get(room)
        if hosted is not None:
            return hosted
        if self.stopping:
            raise Refusal("stopping")
        if room not in self._loading:
            task = self.spawn(self._load(room))
            self._loading[room] = task
            task.add_done_callback(lambda _: self._loading.pop(room, None))
        return await asyncio.shield(self._loading[room])

    async def _load(self, room: str) -> Hosted:
        if len(self._rooms) >= self.config.rooms:
            raise Refusal("full")
        try:
            epoch = await self.store.acquire(room, self.name)
            if epoch is None:
                raise Refusal("no_room")
            hosted = Hosted(self, room, epoch, await self.store.load(room))
        except HeldError:
            raise
        except StorageError as error:
            raise Refusal("storage") from error
        self._rooms[room] = hosted
        for listener in self.forwarded.pop(room, ()):   # whoever still listens to the old owner hears it from this one
            listener.dismiss("resync")
        return hosted

    async def admit(self, hosted: Hosted, person: str | None, password: str = "") -> None:
        """Let nobody see a room with a password who does not know it or is in it already."""
        stored = hosted.room.password
        if not stored or hosted.room.state.person(person) is not None:
            return
        if not await asyncio.to_thread(passwords.check_password, password, stored):
            raise Refusal("password")

    async def analyse(self, wish: messages.AskAnalysis) -> messages.Analysis:
        """What the best moves of a position are worth."""
        position = await asyncio.to_thread(_position, wish)
        if position.turn < 0:
            raise Refusal("game_over", "nobody is to act in this position")
        if any(hosted.room.shows(position) for hosted in self._rooms.values()):
            raise Refusal("playing", "a position of a game that is going on is not analysed")
        return await self.engines.analyse(position, wish.lines, wish.nodes)

    def credentials(self, client: str) -> dict[str, str]:
        """What tells another server that this is one too, and for whom it asks."""
        return {SERVER_HEADER: self.name, CLIENT_HEADER: client}

    async def is_server(self, name: str) -> bool:
        """Is it the name of another server of this database?"""
        now = time.monotonic()
        if name in self._servers and self._servers[name] > now:
            return True
        self._servers.pop(name, None)
        with contextlib.suppress(StorageError):
            if self.store.shared and await self.store.is_server(name):
                self._servers[name] = now + KNOWN_SECONDS
        return name in self._servers

    # ------------------------------------------------------------------ people

    async def identify(self, token: str) -> Person:
        """Whose token it is."""
        hashed = passwords.hash_token(token)
        person, until = self._tokens.get(hashed, (None, 0.0))
        now = time.monotonic()
        if person is None or (self.store.shared and until < now):
            self._tokens.pop(hashed, None)
            try:
                person = await self.store.find_token(hashed)
            except StorageError as error:
                raise Refusal("storage") from error
            if person is None:
                raise Refusal("token")
            self._tokens[hashed] = person, now + KNOWN_SECONDS
            while len(self._tokens) > KNOWN_TOKENS:
                self._tokens.popitem(last=False)
        return person

    async def log_out(self, token: str) -> None:
        """The token is nobody's any more; other servers may take it for another minute."""
        hashed = passwords.hash_token(token)
        await self.store.remove_token(hashed)
        self._tokens.pop(hashed, None)

    async def new_session(self, name: str) -> messages.Session:
        """A nickname for somebody without an account."""
        return await self._add(Person(passwords.new_identity(), name, False))

    async def register(self, name: str, password: str) -> messages.Session:
        hashed = await asyncio.to_thread(passwords.hash_password, password)
        return await self._add(Person(passwords.new_identity(), name, True, hashed))

    async def _add(self, person: Person) -> messages.Session:
        token = passwords.new_token()
        await self.store.add_person(person, passwords.hash_token(token))
        return messages.Session(person.id, person.name, person.account, token)

    async def login(self, name: str, password: str) -> messages.Session:
        person = await self.store.find_account(name)
        # Whether there is such an account must not be told by how long the answer takes.
        stored = person.password if person is not None else _NOBODY
        if not await asyncio.to_thread(passwords.check_password, password, stored) or person is None:
            raise Refusal("login")
        token = passwords.new_token()
        await self.store.add_token(person.id, passwords.hash_token(token))
        return messages.Session(person.id, person.name, True, token)


def _position(wish: messages.AskAnalysis) -> Position:
    game = find_game(wish.game)
    position = game.position(game, game.resolve(wish.options))
    if wish.start:
        position.set_text(wish.start)
    for text in wish.moves:
        for move in position.parse_moves(text):
            position.play(move)
    return position


_NOBODY = "scrypt$" + "00" * 16 + "$" + "00" * 32
