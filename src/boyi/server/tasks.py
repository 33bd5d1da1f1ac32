"""Work beside everything else, which is not lost when it fails."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from boyi.server.protocol.refusals import Refusal
from boyi.server.store import HeldError

log = logging.getLogger("boyi.rooms")


class Tasks:
    """The background tasks of a server; errors are logged."""

    def __init__(self) -> None:
        self.running: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self.running.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self.running.discard(task)
        if not task.cancelled():
            error = task.exception()
            if error is not None and not isinstance(error, Refusal | HeldError):
                log.error("a task failed", exc_info=error)

    async def cancel_all(self) -> None:
        for task in list(self.running):
            task.cancel()
        await asyncio.gather(*self.running, return_exceptions=True)
