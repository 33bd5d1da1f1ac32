"""Rooms are loaded from the database, many at a time: those that clients wait for before those that are taken over.

When a server dies, thousands of clients ask another one for its rooms in the same moment. Loaded one by one, each room
would cost two transactions; in portions, a portion does.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from boyi.core.errors import BoyiError
from boyi.server.protocol.events import decode_event
from boyi.server.protocol.refusals import Refusal
from boyi.server.rooms import Room
from boyi.server.store import HeldError, StorageError, Store
from boyi.server.tasks import Tasks
from boyi.server.work import in_thread

if TYPE_CHECKING:
    from boyi.server.hosted import Hosted

log = logging.getLogger("boyi.rooms")

PORTION = 32
"""How many rooms are loaded at a time: their leases and their events come from the database together."""


class Loader:
    """Loads rooms for a server."""

    def __init__(self, store: Store, tasks: Tasks, host: Callable[[int, Room], Hosted],
                 settled: Callable[[str, Hosted | HeldError | Refusal], object]) -> None:
        self._store = store
        self._tasks = tasks
        self._host = host
        """Makes the room with its epoch this server's."""

        self._settled = settled
        """Is told what came of a room."""

        self.owner = ""
        """The name of this server."""

        self._loading: dict[str, asyncio.Future[Hosted | HeldError | Refusal]] = {}
        """What comes of a room: here it is, another server owns it, or why there is none."""

        self._asked: deque[str] = deque()
        self._listed: deque[str] = deque()
        """Rooms that clients wait for, and others; one may be in both."""

        self._work: asyncio.Task[None] | None = None

    def __contains__(self, room: str) -> bool:
        return room in self._loading

    async def load(self, room: str) -> Hosted:
        """A room, or a `HeldError` that names its owner, or a `Refusal`."""
        self._want(room, self._asked)
        loaded = await asyncio.shield(self._loading[room])
        # Errors are raised anew: one that many wait for would collect the traces of all of them.
        if isinstance(loaded, HeldError):
            raise HeldError(loaded.owner)
        if isinstance(loaded, Refusal):
            raise Refusal(loaded.code)
        return loaded

    def take_over(self, rooms: Iterable[str], *, awaited: bool = False) -> None:
        """Load rooms of a server that has died; those that clients wait for come first."""
        for room in rooms:
            if room not in self._loading:
                self._want(room, self._asked if awaited else self._listed)

    def _want(self, room: str, queue: deque[str]) -> None:
        if room not in self._loading:
            self._loading[room] = asyncio.get_running_loop().create_future()
        queue.append(room)
        if self._work is None:
            self._work = self._tasks.spawn(self._load_all())

    async def _load_all(self) -> None:
        await asyncio.sleep(0)   # until all who ask in this round of the loop have asked
        try:
            while portion := self._next():
                try:
                    await self._load_portion(portion)
                except StorageError as error:
                    log.error("rooms could not be loaded: %s", error)
                    for room in portion:
                        self._settle(room, Refusal("storage"))
        finally:
            self._work = None
            for room in list(self._loading):   # only if it was called off
                self._settle(room, Refusal("stopping"))

    def _next(self) -> list[str]:
        """The next portion."""
        portion: dict[str, None] = {}
        for queue in (self._asked, self._listed):
            while queue and len(portion) < PORTION:
                room = queue.popleft()
                if room in self._loading:
                    portion[room] = None
        return list(portion)

    async def _load_portion(self, rooms: Sequence[str]) -> None:
        epochs, owners = await self._store.leases.acquire_all(rooms, self.owner)
        journals = await self._store.rooms.load_all(list(epochs)) if epochs else {}
        for room in rooms:
            if room in owners:
                self._settle(room, HeldError(owners[room]))
            elif not journals.get(room):   # there is none, or its events were removed long after it was closed
                self._settle(room, Refusal("no_room"))
            else:
                try:
                    hosted = self._host(epochs[room], await in_thread(_replay, room, journals[room]))
                except (BoyiError, ValueError, msgspec.MsgspecError) as error:
                    # Other rooms must not suffer for it; a client that asks for this one is told.
                    log.error("a room cannot be opened: %s", type(error).__name__)
                    self._settle(room, Refusal("internal"))
                    continue
                self._settle(room, hosted)
                await hosted.go_on()

    def _settle(self, room: str, loaded: Hosted | HeldError | Refusal) -> None:
        future = self._loading.pop(room, None)
        if future is not None:
            future.set_result(loaded)
            self._settled(room, loaded)


def _replay(room: str, journal: Sequence[bytes]) -> Room:
    """A room as its events on disk say."""
    return Room.replay(room, map(decode_event, journal))
