"""What a client has asked for and is still to be done, in the order and with the time of its arrival.

A connection goes on reading while a request of its client is being carried out, so that the next one is known to have
arrived although it waits. A client that asks for more than `MOST_WAITING` things at once is not read until they
are done.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from boyi.server.fair_clock import FairClock
from boyi.server.protocol.messages import Request
from boyi.server.tasks import Tasks

MOST_WAITING = 16


class Inbox:
    """The receiving side of a connection."""

    def __init__(self, clock: FairClock, tasks: Tasks) -> None:
        self._clock = clock
        self._tasks = tasks
        self._waiting: deque[tuple[Request, int]] = deque()
        """Requests and when they arrived; the first one is being carried out."""

        self._work: asyncio.Task[None] | None = None
        """Carries them out, while there are any. It does not end with the connection: what has arrived is done."""

    @property
    def oldest_ms(self) -> int | None:
        """When the oldest request that is not done arrived, on the server's fair clock."""
        return self._waiting[0][1] if self._waiting else None

    async def put(self, request: Request, do: Callable[[Request, int], Awaitable[None]]) -> None:
        """A request has arrived, and will be done.

        How is not kept here: what the owner of this inbox refers to would refer back to it.
        """
        self._waiting.append((request, self._clock.now_ms()))
        if self._work is None:
            self._work = self._tasks.spawn(self._do_all(do))
        elif len(self._waiting) > MOST_WAITING:
            await self.finish()

    async def finish(self) -> None:
        """Wait until all is done."""
        if self._work is not None:
            await asyncio.wait([self._work])

    def clear(self) -> None:
        """Forget what is not begun."""
        while len(self._waiting) > 1:
            self._waiting.pop()

    async def _do_all(self, do: Callable[[Request, int], Awaitable[None]]) -> None:
        try:
            while self._waiting:
                await do(*self._waiting[0])
                self._waiting.popleft()
                if self._waiting:
                    await asyncio.sleep(0)   # a client that asks a hundred things at once lets others in between
        finally:
            self._work = None
