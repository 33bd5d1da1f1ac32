"""An event loop whose clock is scripted: when everything waits, it is the time of what comes next.

Nothing in it takes time but what waits for time, so that hours pass in no time, and every run is the same.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Skipping(selectors.DefaultSelector):
    """Instead of waiting, it notes how long it would have waited."""

    skipped = 0.0

    def select(self, timeout: float | None = None) -> Any:
        if timeout is None:
            raise RuntimeError("everything waits, and nothing will ever happen")
        self.skipped += max(0.0, timeout)
        return super().select(0)


class ScriptedLoop(asyncio.SelectorEventLoop):
    """Seconds pass only when nothing else can happen."""

    def __init__(self) -> None:
        self._skipping = _Skipping()
        super().__init__(self._skipping)

    def time(self) -> float:
        return self._skipping.skipped


def run(work: Coroutine[Any, Any, T]) -> T:
    """As `asyncio.run`, by a scripted clock that begins at 0. No sockets, threads or processes: they take real time."""
    with asyncio.Runner(loop_factory=ScriptedLoop) as runner:
        return runner.run(work)
