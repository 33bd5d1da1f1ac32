"""An engine for asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Self, TypeVar

from boyi.agents.analysis import Analysis
from boyi.agents.asking.engine import DEFAULT_LINES, Engine
from boyi.core.position import Position

__all__ = ["AsyncEngine"]

STOP_SECONDS = 0.05
"""Interval at which a cancelled question is stopped again: a stop before it has begun has no effect."""

Answer = TypeVar("Answer")


class AsyncEngine:
    """An `Engine` for asyncio: it thinks in a thread, and a question that is cancelled is stopped.

    >>> import asyncio, boyi
    >>> async def reply() -> int:
    ...     async with boyi.AsyncEngine("level:1") as engine:
    ...         return await engine.play(boyi.start("othello"))
    >>> boyi.start("othello").is_legal(asyncio.run(reply()))
    True
    """

    def __init__(self, spec: str) -> None:
        self._engine = Engine(spec)
        self._asking = asyncio.Lock()

    def __repr__(self) -> str:
        return f"Async{self._engine!r}"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None,
                        trace: TracebackType | None) -> None:
        await self.close()

    async def play(self, position: Position, *, seconds: float | None = None, nodes: int | None = None) -> int:
        """See `Engine.play`."""
        asked = position.copy()      # the caller may play on meanwhile
        return await self._ask(lambda: self._engine.play(asked, seconds=seconds, nodes=nodes))

    async def analyse(self, position: Position, *, seconds: float | None = None, nodes: int | None = None,
                      depth: int | None = None, lines: int = DEFAULT_LINES) -> Analysis:
        """See `Engine.analyse`."""
        asked = position.copy()
        return await self._ask(lambda: self._engine.analyse(asked, seconds=seconds, nodes=nodes, depth=depth,
                                                            lines=lines))

    async def _ask(self, question: Callable[[], Answer]) -> Answer:
        async with self._asking:
            answer = asyncio.ensure_future(asyncio.to_thread(question))
            try:
                return await asyncio.shield(answer)
            except asyncio.CancelledError:
                while not answer.done():
                    await asyncio.to_thread(self._engine.stop)
                    await asyncio.wait([answer], timeout=STOP_SECONDS)
                answer.exception()       # nobody wants it
                raise

    async def close(self) -> None:
        """See `Engine.close`; waits for the question that is being answered."""
        async with self._asking:
            await asyncio.to_thread(self._engine.close)
