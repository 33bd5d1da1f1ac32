"""What an answer takes of the event loop, which everyone shares."""

from __future__ import annotations

import time
import types
from collections.abc import Coroutine, Generator
from typing import Any, TypeVar

T = TypeVar("T")


class Meter:
    """Adds up the seconds that the steps of a coroutine take of this thread; while it waits nothing is counted.

    >>> import asyncio
    >>> async def work() -> int:
    ...     await asyncio.sleep(0.01)
    ...     return 7
    >>> meter = Meter()
    >>> asyncio.run(meter.run(work())), 0 < meter.seconds < 0.01
    (7, True)
    """

    __slots__ = ("seconds",)

    def __init__(self) -> None:
        self.seconds = 0.0

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What the coroutine returns, measured."""
        return await self._steps(work)

    @types.coroutine
    def _steps(self, work: Coroutine[Any, Any, T]) -> Generator[Any, Any, T]:
        given = awaited = None
        thrown: BaseException | None = None
        while True:
            began = time.thread_time()
            try:
                awaited = work.send(given) if thrown is None else work.throw(thrown)
            except StopIteration as done:
                result: T = done.value
                return result
            finally:
                self.seconds += time.thread_time() - began
                given = thrown = None   # an error would refer to this frame, and the frame to the error
            try:
                given, awaited = (yield awaited), None
            except GeneratorExit:
                work.close()
                raise
            except BaseException as error:  # noqa: BLE001  (it is handed on)
                awaited, thrown = None, error
