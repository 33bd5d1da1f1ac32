"""What is not kept for ever: the events of rooms that were closed long ago, as the settings say.

Finished games stay, with their records; of a room that is closed only its journal goes: moves of games that nobody
finished, and chat. It is done in the background, some rooms at a time, so that nobody waits for it.
"""

from __future__ import annotations

import asyncio
import logging

from boyi.server.logs import facts
from boyi.server.store import StorageError, Store
from boyi.server.store.database import now_ms

log = logging.getLogger("boyi.retention")

DAY_MS = 86_400_000
LOOK_SECONDS = 3600.0
"""How often to look for what is too old."""

PORTION_ROOMS = 20
PAUSE_SECONDS = 0.5
"""How many rooms are cleared in one transaction, and how long others have the database to themselves after it."""


class Retention:
    """Removes what is older than it is to be kept."""

    def __init__(self, store: Store, closed_room_days: int) -> None:
        self._store = store
        self._closed_room_days = closed_room_days

    async def run(self) -> None:
        """Look now and then, for ever."""
        while self._closed_room_days:
            try:
                cleared = await self.clear()
                if cleared:
                    log.info("journals of closed rooms were removed", extra=facts(rooms=cleared))
            except StorageError as error:
                log.error("what is too old could not be removed: %s", type(error).__name__)
            await asyncio.sleep(LOOK_SECONDS)

    async def clear(self) -> int:
        """Remove all that is too old; how many rooms that were."""
        before, cleared = now_ms() - self._closed_room_days * DAY_MS, 0
        while True:
            portion = await self._store.rooms.clear_closed(before, PORTION_ROOMS)
            cleared += portion
            if portion < PORTION_ROOMS:
                return cleared
            await asyncio.sleep(PAUSE_SECONDS)
