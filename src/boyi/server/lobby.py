"""All rooms of a server."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter

from boyi.core.position import Position
from boyi.games import find_game
from boyi.server import passwords
from boyi.server.accounts import Accounts
from boyi.server.asked import read_position
from boyi.server.audience import Listener
from boyi.server.bans import Bans
from boyi.server.budgets import PASSWORDS, ROOMS_OF_ADDRESS, ROOMS_OF_PERSON, Budgets, Payer
from boyi.server.config import Config
from boyi.server.engines.pool import Engines
from boyi.server.fair_clock import FairClock
from boyi.server.heartbeat import Heart
from boyi.server.hosted import IDLE_SECONDS, Hosted
from boyi.server.known import Known
from boyi.server.likeness import Likeness
from boyi.server.loading import Loader
from boyi.server.lockout import Lockout
from boyi.server.matchmaking import Matchmaking
from boyi.server.metrics import Measures
from boyi.server.openings import OpeningCounts
from boyi.server.overseer import Overseer
from boyi.server.peers import Peers
from boyi.server.played import Played, alike
from boyi.server.protocol import messages
from boyi.server.protocol.bodies import LiveGame, NewRoom, OwnRoom
from boyi.server.protocol.parts import Settings
from boyi.server.protocol.refusals import Refusal
from boyi.server.protocol.study import Analysis, AskAnalysis
from boyi.server.retention import Retention
from boyi.server.reviews import GameReviews
from boyi.server.room_clock import RETURN_MS
from boyi.server.rooms import Create, Identity, Room, telling
from boyi.server.store import LEASE_MS, HeldError, Person, StorageError, Store
from boyi.server.tasks import Tasks
from boyi.server.turnstile import Turnstile
from boyi.server.work import in_thread

log = logging.getLogger("boyi.rooms")

RENEW_SECONDS = LEASE_MS / 3000
"""How often a server renews its leases, and takes over rooms of servers that have died."""

SHORTEST_PASSWORD = 6
"""Of a new room, in characters."""

DYING_SECONDS = 0.5
"""The same while the leases of a server that has died come to their end."""

NEW_SECONDS = 15.0
"""For how long a server that has just started, while others run, leaves rooms without an owner to them unless it has
clients in one. They are probably those of a server that died, whose clients have found their way to the others."""

HELD_SECONDS = 0.5
"""How long it is known without asking the database that another server owns a room. When a server has died, thousands
of clients ask for its rooms again and again until its leases end."""

ASKED_AT_ONCE = 50
"""Positions that another server is asked about in one request."""


class Lobby:
    """The rooms that this server owns."""

    def __init__(self, config: Config, store: Store, engines: Engines, budgets: Budgets | None = None,
                 turnstile: Turnstile | None = None) -> None:
        self.config = config
        self.store = store
        self.engines = engines
        self.budgets = budgets or Budgets()
        self.accounts = Accounts(store)
        self.lockout = Lockout()
        """Of those who try passwords of rooms."""

        self._passwords = passwords.Known()
        self.peers = Peers(store)
        self.bans = Bans()
        self.overseer = Overseer(self)
        self.played = Played()
        self.openings = OpeningCounts(store)
        self.tasks = Tasks()
        self.reviews = GameReviews(store, engines, self.tasks, config.review_seconds)
        self.turnstile = turnstile or Turnstile()
        self.clock = FairClock()
        self.heart = Heart()
        self.stopping = False
        self.committed = 0
        self.failed_commits = 0
        """For the metrics: events on disk, and writes that failed."""

        self.lost = 0
        self.refusals: Counter[str] = Counter()
        self.cut: Counter[str] = Counter()
        self.measures = Measures()
        """For the metrics: rooms that were lost, what was refused and which connections were cut, by code."""

        self.forwarded: dict[str, set[Listener]] = {}
        """Clients in rooms of other servers, by way of this one."""

        self.analysing: set[Listener] = set()
        """Clients of live analysis."""

        self.known = Known()
        self.matchmaking = Matchmaking(self)
        self._rooms: dict[str, Hosted] = {}
        self._loader = Loader(store, self.tasks, self._host, self._note_loaded)
        self._held: dict[str, tuple[str, float]] = {}
        """Rooms that other servers own, which, and until when that is known on the loop's clock."""

        self._takes_over_from = 0.0
        """From when on, on the loop's clock, this server loads rooms for which nobody has asked."""

        self._woken = asyncio.Event()
        """Another server has released its rooms, or has died."""

        self._awaited: dict[str, asyncio.Event] = {}
        """Rooms of dead servers for which clients wait; set when it is known what has become of them."""

    # ------------------------------------------------------------------ starting and stopping

    async def start(self, address: str) -> None:
        """Begin, at an address where other servers reach this one. Rooms that no server owns are taken over."""
        self.peers.introduce(address)
        self._loader.owner = self.peers.own_name
        self.clock.start()
        if self.store.is_shared:
            loop = asyncio.get_running_loop()
            self.store.leases.listen(self.peers.own_name, lambda: loop.call_soon_threadsafe(self._wake))
            await self.store.leases.renew(self.peers.own_name)
            for other in await self.store.leases.others(self.peers.own_name):
                if self.peers.is_silent(other):   # one that ended at this address a moment ago
                    await self.store.leases.bury(other)
                else:
                    self._takes_over_from = loop.time() + NEW_SECONDS
        await self._take_over()
        await self.overseer.start()
        self.tasks.spawn(self._sweep())
        self.tasks.spawn(self.measures.watch_loop())
        self.tasks.spawn(Retention(self.store, self.config.closed_room_days).run())
        self.tasks.spawn(self.openings.run())
        self.tasks.spawn(self.accounts.watch())
        if self.store.is_shared:
            self.tasks.spawn(self._keep_leases())

    def _wake(self) -> None:
        """Another server has released its rooms, or an administrator has ordered something."""
        self._woken.set()
        self.overseer.wake()

    def note_silence(self, server: str) -> None:
        """Another server could not be reached: is it dead?"""
        if server not in self.peers.silent:
            self._woken.set()
        self.peers.note_silence(server)

    async def until_taken_over(self, room: str) -> None:
        """Wait until it is known what has become of a room of a dead server.

        There is no limit in time here: thousands of clients wait, and to wake all of them every now and then would take
        the event loop for seconds.
        """
        await self._awaited.setdefault(room, asyncio.Event()).wait()

    def _note_loaded(self, room: str, loaded: Hosted | HeldError | Refusal) -> None:
        """Those who wait for a room look for it again, unless a dead server still has it."""
        if room in self._awaited and not (isinstance(loaded, HeldError) and self.peers.is_silent(loaded.owner)):
            self._awaited.pop(room).set()

    async def _take_over(self) -> None:
        """Load all rooms that no living server owns."""
        now = asyncio.get_running_loop().time()
        self._held = {room: (owner, until) for room, (owner, until) in self._held.items()
                      if until > now or self.peers.is_silent(owner)}
        rooms = [room for room in await self.store.leases.open_rooms() if room not in self._rooms]
        if now < self._takes_over_from:
            rooms = [room for room in rooms if room in self.forwarded]
        self._loader.take_over(rooms)

    async def _keep_leases(self) -> None:
        """Keep this server's rooms, and take over those whose server has died."""
        while not self.stopping:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(RENEW_SECONDS if not self.peers.silent else DYING_SECONDS):
                    await self._woken.wait()
            self._woken.clear()
            if self.stopping:
                return   # woken by its own release: to renew now would be to come back
            try:
                await self.store.leases.renew(self.peers.own_name)
                buried = [await self.store.leases.bury(server) for server in self.peers.silent]
                if any(buried):
                    self._loader.take_over(self._awaited, awaited=True)
                elif not buried:   # those that were silent are alive, or their leases have ended: all look again
                    self._held.clear()
                    while self._awaited:
                        self._awaited.popitem()[1].set()
                await self._take_over()
            except StorageError as error:
                log.error("leases could not be renewed: %s", type(error).__name__)

    async def _sweep(self) -> None:
        """Forget rooms that nobody is in."""
        while not self.stopping:
            await asyncio.sleep(IDLE_SECONDS / 2)
            for hosted in [one for one in self._rooms.values() if one.is_idle]:
                self.forget(hosted)

    async def stop(self) -> None:
        """Save, let other servers have the rooms, say goodbye to all, and end.

        In this order: a client that comes back at once finds its room at another server, and its clock has stood still.
        """
        self.stopping = True
        self.matchmaking.stop()
        hosted_rooms = list(self._rooms.values())
        await asyncio.gather(*(hosted.pause() for hosted in hosted_rooms))   # one group of commits
        if self.store.is_shared:
            with contextlib.suppress(StorageError):
                await self.store.leases.release_all(self.peers.own_name)
        for hosted in hosted_rooms:
            hosted.audience.dismiss_all("stopping")
        for listener in [*self.analysing, *(one for listeners in self.forwarded.values() for one in listeners)]:
            listener.dismiss("stopping")
        await self.engines.close()
        await self.tasks.cancel_all()
        self.clock.stop()
        self.heart.stop()

    def send_away_banned(self) -> None:
        """Close the connections of those who are banned now."""
        everyone = [listener for hosted in self._rooms.values() for listener in hosted.audience.listeners]
        everyone += [*self.analysing, *(listener for listeners in self.forwarded.values() for listener in listeners)]
        for listener in everyone if self.bans else ():
            try:
                self.bans.check(listener.address, listener.identity.person if listener.identity else None)
            except Refusal as refusal:
                listener.dismiss(refusal.code)

    # ------------------------------------------------------------------ rooms

    @property
    def rooms(self) -> int:
        """How many are in memory."""
        return len(self._rooms)

    @property
    def listeners(self) -> int:
        """How many clients are connected."""
        return sum(len(hosted.audience) for hosted in self._rooms.values())

    def phases(self) -> dict[str, int]:
        """How many rooms are in memory, by phase."""
        return Counter(hosted.room.state.phase for hosted in self._rooms.values())

    def connections(self) -> dict[str, int]:
        """How many clients are connected: people, spectators, and those of rooms that other servers own."""
        everyone = [listener for hosted in self._rooms.values() for listener in hosted.audience.listeners]
        people = sum(listener.identity is not None for listener in everyone)
        return {"person": people, "spectator": len(everyone) - people,
                "forwarded": sum(map(len, self.forwarded.values()))}

    def unsent(self) -> int:
        """How many messages wait for clients to read."""
        return sum(listener.unsent for hosted in self._rooms.values() for listener in hosted.audience.listeners)

    def of_person(self, person: str) -> list[OwnRoom]:
        """The rooms in memory in which a person plays."""
        found = ((hosted, hosted.room.state.seat_of(person)) for hosted in self._rooms.values()
                 if hosted.room.state.phase == "playing")
        return [OwnRoom(hosted.summary(), seat) for hosted, seat in found if seat is not None]

    def live_games(self, most: int) -> list[LiveGame]:
        """Public games that are being played here by somebody who is connected, those of the newest rooms first."""
        found: list[LiveGame] = []
        for hosted in reversed(self._rooms.values()):
            if len(found) >= most:
                break
            state, settings = hosted.room.state, hosted.room.settings
            if state.phase != "playing" or not settings.public or settings.locked:
                continue
            if any(seat.person in hosted.audience.connected for seat in state.seats):
                game = telling.live(hosted.room)
                found += [] if game is None else [game]
        return found

    async def create(self, wanted: NewRoom, by: Identity, address: str = "") -> Hosted:
        """A new room, with its creator as the host; what it costs is paid by the creator and their address."""
        if self.stopping:
            raise Refusal("stopping")
        if len(self._rooms) >= self.config.rooms:
            raise Refusal("full")
        game = find_game(wanted.game)
        start = game.position(game, game.resolve(wanted.options))
        settings = Settings(
            game=wanted.game, options=dict(start.options), players=start.players, clock=wanted.clock,
            rated=wanted.rated, public=wanted.public, locked=bool(wanted.password),
            ai_on_disconnect=wanted.ai_on_disconnect, ai_on_flag=wanted.ai_on_flag, ai_level=wanted.ai_level)
        hashed = ""
        if wanted.password:
            if len(wanted.password) < SHORTEST_PASSWORD:
                raise Refusal("short_password")
            hashed = await passwords.hash(wanted.password)
            self._passwords.remember(wanted.password, hashed)
        hosted = Hosted(self, Room(passwords.new_identity()), 1)
        hosted.holds = self.budgets.hold_all((ROOMS_OF_PERSON, ROOMS_OF_ADDRESS), Payer(address, by.person))
        self._rooms[hosted.identity] = hosted
        try:
            await hosted.perform(Create(settings, hashed))
        except BaseException:
            self.forget(hosted)
            raise
        await hosted.perform(messages.Join(id=1, seen=0, agent=wanted.agent),
                             Identity(by.person, by.name, by.account, "lobby"))
        await hosted.note_presence(by.person)   # the creator has not connected yet
        return hosted

    async def find(self, room: str) -> Hosted:
        """A room by its name, from memory or from disk."""
        hosted = self._rooms.get(room)
        if hosted is not None:
            return hosted
        if self.stopping:
            raise Refusal("stopping")
        if room not in self._loader:
            owner, known_until = self._held.get(room, ("", 0.0))
            if known_until > asyncio.get_running_loop().time() or (owner and self.peers.is_silent(owner)):
                raise HeldError(owner)   # a dead server's rooms are taken over when it is known to be dead
            if len(self._rooms) >= self.config.rooms:
                raise Refusal("full")
            if not passwords.is_identity(room):
                raise Refusal("no_room")
        try:
            return await self._loader.load(room)
        except HeldError as held:
            self._held[room] = held.owner, asyncio.get_running_loop().time() + HELD_SECONDS
            raise

    def present(self, room: str) -> Hosted | None:
        """A room, if it is in memory."""
        return self._rooms.get(room)

    def _host(self, epoch: int, room: Room) -> Hosted:
        """This server owns a room from now on."""
        hosted = Hosted(self, room, epoch)
        self._rooms[hosted.identity] = hosted
        self._held.pop(hosted.identity, None)
        asyncio.get_running_loop().call_later(RETURN_MS / 1000, self._note_absences, hosted)
        for listener in self.forwarded.pop(hosted.identity, ()):   # they still listen to the old owner
            listener.dismiss("resync")
        return hosted

    def _note_absences(self, hosted: Hosted) -> None:
        """Who is not back some time after a room was loaded is away."""
        if not hosted.lost and not self.stopping:
            self.tasks.spawn(hosted.note_absences())

    def forget(self, hosted: Hosted) -> None:
        """Drop a room from memory; it is on disk."""
        if self._rooms.get(hosted.identity) is hosted:
            del self._rooms[hosted.identity]
            self.played.forget(hosted.identity)
            for hold in hosted.holds:
                hold.release()
            if self.store.is_shared and not hosted.lost and not self.stopping:
                self.tasks.spawn(self.store.leases.release(self.peers.own_name, hosted.identity))

    async def leave_all(self, person: Person) -> None:
        """A person who is deleted leaves all rooms that this server owns; a game that they play is resigned."""
        by = Identity(person.id, person.name, person.account, "deleted")
        for hosted in [one for one in self._rooms.values() if one.room.state.person(person.id) is not None]:
            with contextlib.suppress(Refusal):
                await hosted.perform(messages.Leave(id=1, seen=0), by)

    async def admit(self, hosted: Hosted, payer: Payer, password: str = "") -> None:
        """A room with a password is for those who know it, and for those who are in it already."""
        stored = hosted.room.password
        if not stored or hosted.room.state.person(payer.person) is not None:
            return
        if not password:
            raise Refusal("password")
        if self._passwords.is_right(password, stored):
            return
        key = f"{payer.address} {hosted.identity}"
        waiting = self.lockout.charge(key)
        if waiting:
            raise Refusal("locked_out", retry_after=waiting)
        self.budgets.charge(PASSWORDS, payer)
        if not await passwords.check(password, stored):
            raise Refusal("password")
        self.lockout.forgive(key)
        self._passwords.remember(password, stored)

    # ------------------------------------------------------------------ analyses

    async def analyse(self, asked: AskAnalysis, payer: Payer) -> Analysis:
        """What the best moves of a position are worth."""
        position = await in_thread(read_position, asked)
        await self.check_analysable(position, payer.address)
        return await self.engines.analyse(position, asked.lines, asked.nodes, payer.person or payer.address)

    async def check_analysable(self, position: Position, address: str) -> list[Likeness]:
        """Refuse a position in which nobody acts, or of a game that is being played; else the keys of what may not be
        played."""
        if position.turn < 0:
            raise Refusal("game_over", "nobody is to act in this position")
        keys = await in_thread(alike, position)
        await self.refuse_played(keys, address)
        return keys

    async def refuse_played(self, keys: list[Likeness], address: str) -> None:
        """Refuse to say anything of positions that are being played, here or at another server."""
        if self.played.has_any(keys) or await self._is_played_elsewhere(keys, address):
            raise Refusal("playing", "a position of a game that is being played is not analysed")

    async def _is_played_elsewhere(self, keys: list[Likeness], address: str) -> bool:
        """Is one of these being played at another server? A `Refusal` if that cannot be known."""
        if not self.store.is_shared:
            return False
        others = await self.store.leases.others(self.peers.own_name)
        portions = [keys[at:at + ASKED_AT_ONCE] for at in range(0, max(1, len(keys)), ASKED_AT_ONCE)]
        return any(await asyncio.gather(*(self.peers.is_played(other, portion, address)
                                          for other in others for portion in portions)))

