"""Carries out what administrators order while the server runs.

Every two seconds, and at once where the database notifies, it looks at the list of what was done (`store.orders`).
Those who are banned now are sent away, and those whose sessions were ended; rooms that are to be closed are closed by
their owner.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

from boyi.server.bans import PERSON
from boyi.server.logs import facts
from boyi.server.protocol.refusals import Refusal
from boyi.server.rooms import Shut
from boyi.server.store import HeldError, Person, StorageError
from boyi.server.store.orders import CLOSE_ROOM, DELETE_ACCOUNT, Action

if TYPE_CHECKING:
    from boyi.server.lobby import Lobby

log = logging.getLogger("boyi.admin")

LOOK_SECONDS = 2.0


class Overseer:
    """Looks for orders and carries them out."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._last = -1
        """The last action that was seen."""

        self._woken = asyncio.Event()

    async def start(self) -> None:
        """Learn who is banned before anyone comes."""
        await self.look()
        self._lobby.tasks.spawn(self._watch())

    def wake(self) -> None:
        """There may be something new."""
        self._woken.set()

    async def _watch(self) -> None:
        while not self._lobby.stopping:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._woken.wait()
            self._woken.clear()
            try:
                await self.look()
            except StorageError as error:
                log.error("orders could not be read: %s", type(error).__name__)

    async def look(self) -> None:
        """Carry out what is new."""
        found = await self._lobby.store.orders.after(self._last)
        new = [action for action in found if action.id > self._last]
        if new or self._last < 0:
            self._lobby.bans.replace(await self._lobby.store.orders.bans())
            self._lobby.send_away_banned()
            await self._lobby.accounts.look_again()
        for action in new:
            log.info("an administrator has ordered something", extra=facts(what=action.what, target=action.target))
            if action.what == DELETE_ACCOUNT and self._last >= 0:   # of earlier lives there is nobody left in a room
                await self._lobby.leave_all(Person(action.target.removeprefix(PERSON), "", True))
        for action in found:
            if action.what == CLOSE_ROOM and not action.done:
                await self._close(action)
        self._last = max([0, self._last, *(action.id for action in new)])

    async def _close(self, action: Action) -> None:
        """Close a room, if it is this server's to close."""
        try:
            hosted = await self._lobby.find(action.target)
            await hosted.perform(Shut())
        except HeldError:
            return   # its owner does it
        except Refusal as refusal:
            if refusal.code in ("storage", "stopping", "full", "resync"):
                return   # it is tried again
        await self._lobby.store.orders.carried_out(action.id)
