"""People who look for an opponent, and how they are brought together: a queue for each game and clock.

A wish holds while its request is waited for (`POST /api/opponents`): who closes the page is out of the queue at once,
and nothing has to be remembered or cleaned up. Those who have waited longest are put into one public room, in seats
that are drawn, and told where it is; the game begins when all of them have connected. A room to which somebody does not
come is closed.

In memory and bounded. With several servers or workers each has queues of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from boyi.games import find_game
from boyi.server.budgets import ROOMS, SEEKERS, Payer
from boyi.server.protocol import messages
from boyi.server.protocol.bodies import NewRoom, SeekOpponent, SoughtGame
from boyi.server.protocol.parts import ClockRule
from boyi.server.protocol.refusals import Refusal
from boyi.server.rooms import Identity

if TYPE_CHECKING:
    from boyi.server.hosted import Hosted
    from boyi.server.lobby import Lobby

MOST_SEEKERS = 2000
"""On this server."""

ARRIVAL_SECONDS = 20.0
"""How long those who found each other have to connect to their room."""

LOOK_SECONDS = 0.2
"""How often it is looked whether they have."""

CLIENT = "matchmaking"
"""In whose name seats are taken for people."""


class Wish(NamedTuple):
    """What people must have in common to play with each other."""

    game: str
    clock: ClockRule | None
    rated: bool


@dataclass(eq=False)
class Seeker:
    """A person who waits."""

    by: Identity
    payer: Payer
    wish: Wish
    found: asyncio.Future[str] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    """The room; empty if none could be made, and not because of this person."""


class Matchmaking:
    """All queues of a server, the first that came first."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._queues: dict[Wish, list[Seeker]] = {}
        self._seekers: dict[str, Seeker] = {}
        """By person: everyone has one wish."""

        self._random = random.SystemRandom()

    def __len__(self) -> int:
        return len(self._seekers)

    def sought(self) -> list[SoughtGame]:
        """What people wait for."""
        return [SoughtGame(*wish, len(queue)) for wish, queue in self._queues.items()]

    async def seek(self, asked: SeekOpponent, by: Identity, payer: Payer, gone: asyncio.Future[None]) -> str:
        """The room where opponents were found; empty if nobody came in time, or the client has `gone`."""
        if self._lobby.stopping:
            raise Refusal("stopping")
        if asked.rated and not by.account:
            raise Refusal("no_account")
        players = find_game(asked.game).start().players
        earlier = self._seekers.get(by.person)
        if earlier is not None:
            self._drop(earlier)
            self._fail(earlier, Refusal("elsewhere"))
        if len(self._seekers) >= MOST_SEEKERS:
            raise Refusal("flood", "too many people look for an opponent", retry_after=5.0)
        hold = self._lobby.budgets.hold(SEEKERS, Payer(payer.address, by.person))
        seeker = Seeker(by, payer, Wish(asked.game, asked.clock, asked.rated))
        try:
            self._add(seeker)
            self._match(seeker.wish, players)
            either: list[asyncio.Future[Any]] = [seeker.found, gone]
            await asyncio.wait(either, timeout=asked.seconds, return_when=asyncio.FIRST_COMPLETED)
            if not seeker.found.done() and (gone.done() or self._seekers.get(by.person) is seeker):
                return ""
            return await seeker.found   # out of the queue: the room is being made
        finally:
            self._drop(seeker)
            hold.release()

    def stop(self) -> None:
        """The server stops: nobody waits any more."""
        for seeker in list(self._seekers.values()):
            self._drop(seeker)
            self._fail(seeker, Refusal("stopping"))

    # ------------------------------------------------------------------ the queues

    def _add(self, seeker: Seeker) -> None:
        self._seekers[seeker.by.person] = seeker
        self._queues.setdefault(seeker.wish, []).append(seeker)

    def _drop(self, seeker: Seeker) -> None:
        """Take somebody out of their queue; may be called twice."""
        if self._seekers.get(seeker.by.person) is seeker:
            del self._seekers[seeker.by.person]
            queue = self._queues[seeker.wish]
            queue.remove(seeker)
            if not queue:
                del self._queues[seeker.wish]

    def _fail(self, seeker: Seeker, refusal: Refusal) -> None:
        if not seeker.found.done():
            seeker.found.set_exception(refusal)
            seeker.found.exception()   # the client may have gone

    def _match(self, wish: Wish, players: int) -> None:
        """Take as many as a game needs out of the queue, if there are as many. The first is the host, and pays."""
        while len(self._queues.get(wish, ())) >= players:
            together = self._queues[wish][:players]
            try:
                self._lobby.budgets.charge(ROOMS, together[0].payer)
            except Refusal as refusal:
                self._drop(together[0])
                self._fail(together[0], refusal)
                continue
            for seeker in together:
                self._drop(seeker)
            self._lobby.tasks.spawn(self._bring_together(together))

    async def _bring_together(self, seekers: Sequence[Seeker]) -> None:
        """Make a room for people who have found each other, and see to it that the game begins."""
        host, wish = seekers[0], seekers[0].wish
        try:
            hosted = await self._lobby.create(NewRoom(wish.game, clock=wish.clock, rated=wish.rated), host.by,
                                              host.payer.address)
            seats = self._random.sample(range(len(seekers)), len(seekers))
            for seeker, seat in zip(seekers, seats, strict=True):
                by = _acting(seeker)
                if seeker is not host:
                    await hosted.perform(messages.Join(id=1, seen=0), by)
                    await hosted.note_presence(by.person)
                await hosted.perform(messages.Sit(id=2, seen=0, seat=seat), by)
                await hosted.perform(messages.Ready(id=3, seen=0), by)
        except Refusal as refusal:
            self._fail(host, refusal)
            _answer(seekers[1:], "")   # it was not their fault: they may ask again at once
            return
        _answer(seekers, hosted.identity)
        await self._begin(hosted, seekers)

    async def _begin(self, hosted: Hosted, seekers: Sequence[Seeker]) -> None:
        """Start the game when everyone is there, or close the room."""
        persons = {seeker.by.person for seeker in seekers}
        host = _acting(seekers[0])
        with contextlib.suppress(Refusal):   # somebody has stood up or left, or has started it themselves
            try:
                async with asyncio.timeout(ARRIVAL_SECONDS):
                    while not persons <= hosted.audience.connected:
                        await asyncio.sleep(LOOK_SECONDS)
            except TimeoutError:
                await hosted.perform(messages.Close(id=4, seen=0), host)
                return
            await hosted.perform(messages.Start(id=4, seen=0), host)


def _answer(seekers: Sequence[Seeker], room: str) -> None:
    for seeker in seekers:
        if not seeker.found.done():
            seeker.found.set_result(room)


def _acting(seeker: Seeker) -> Identity:
    """The person, as who takes their seat."""
    return Identity(seeker.by.person, seeker.by.name, seeker.by.account, CLIENT)
