"""A pool of workers that choose moves for the AI.

A worker that does not answer in time is killed and replaced, one that ends by itself too; the seat then
plays a legal move anyway, and everyone is told that it was not chosen (`Moved.fallback`). Questions are
answered in the order they came. A room asks one at a time, so that no room can fill the queue: a room of six AIs waits
as long as any other.
"""

from __future__ import annotations

import asyncio
import logging
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec

from boyi.core.position import Position
from boyi.server.engines.cluster import Cluster, ClusterWorker
from boyi.server.engines.process import PROGRAM, ProcessWorker
from boyi.server.engines.questions import Question, Reply, ask_analysis, ask_move
from boyi.server.protocol.bodies import Analysis
from boyi.server.protocol.refusals import Refusal
from boyi.server.rooms import EngineRequest

log = logging.getLogger("boyi.engines")

MOST_ANALYSES = 8
"""How many may wait for one."""

START_SECONDS = 20.0
"""How much longer the first answer of a new worker may take: it has to load the games."""

MARGIN_SECONDS = 0.1
"""Kept back from the clock for the way to the worker and back."""

SHORTEST_SECONDS = 0.05
"""What an engine is given at least, however little is left on the clock."""


class Worker(Protocol):
    """What answers questions."""

    @property
    def is_new(self) -> bool:
        """Does it have to be started first? That takes a while."""

    async def answer(self, question: Question) -> Reply:
        """What it says; an error if it fails, and then it must be stopped."""

    async def stop(self) -> None:
        """End it; asked again, it begins anew."""


@dataclass(frozen=True)
class Chosen:
    """A move for the AI's seat."""

    move: int
    fallback: bool = False
    """It was not chosen: no engine gave a legal answer in time."""


class Engines:
    """Workers that answer questions, never more than `workers` at a time."""

    def __init__(self, workers: int = 1, seconds: float = 10.0, command: Sequence[str] | None = None,
                 cluster: Cluster | None = None) -> None:
        self.seconds = seconds
        """The longest that a worker may think about a move."""

        self.command = list(command or (sys.executable, "-c", PROGRAM))
        self._workers: list[Worker] = [
            ProcessWorker(self.command) if cluster is None else ClusterWorker(cluster) for _ in range(workers)]
        self._cluster = cluster
        self._idle: asyncio.LifoQueue[Worker] = asyncio.LifoQueue()
        for worker in self._workers:
            self._idle.put_nowait(worker)
        self._analysing = asyncio.Semaphore()
        self._analyses = 0
        self.waiting = 0
        self.answered = 0
        self.replaced = 0
        """For the metrics."""

    async def choose(self, request: EngineRequest) -> Chosen:
        """A legal move for the seat that is to act, always."""
        observation = request.observation
        if not self._workers:
            return _any_move(observation)
        seconds = None
        if request.remaining_ms is not None:
            seconds = max(SHORTEST_SECONDS, request.remaining_ms / 1000 - MARGIN_SECONDS)
        question = ask_move(observation, f"level:{request.level}", seconds, request.increment_ms / 1000)
        reply = await self._answer(question, self.seconds if seconds is None else min(self.seconds, seconds))
        self.answered += 1
        move = None if reply.error else _read_legal(observation, reply.move)
        return _any_move(observation) if move is None else Chosen(move)

    async def analyse(self, position: Position, lines: int, nodes: int) -> Analysis:
        """What the best moves of a position are worth; a `Refusal` when too many ask, or no engine answers.

        One at a time, whatever the number of workers: games come first.
        """
        if not self._workers or self._analyses >= MOST_ANALYSES:
            raise Refusal("flood")
        self._analyses += 1
        try:
            async with self._analysing:
                reply = await self._answer(ask_analysis(position, lines, nodes), self.seconds)
        finally:
            self._analyses -= 1
        if reply.analysis is None:
            raise Refusal("internal", "no engine could answer that")
        return reply.analysis

    async def _answer(self, question: Question, seconds: float) -> Reply:
        """What a worker says, or an error; a worker that fails is replaced."""
        self.waiting += 1
        try:
            worker = await self._idle.get()   # first come, first served
        finally:
            self.waiting -= 1
        try:
            async with asyncio.timeout(seconds + (START_SECONDS if worker.is_new else 0.0)):
                return await worker.answer(question)
        except (TimeoutError, OSError, EOFError, msgspec.DecodeError, ValueError) as error:
            self.replaced += 1
            log.warning("an engine is replaced: %s", type(error).__name__)
            await worker.stop()
            return Reply(error=type(error).__name__)
        except asyncio.CancelledError:
            await worker.stop()   # it may be in the middle of an answer that nobody will read
            raise
        finally:
            self._idle.put_nowait(worker)

    async def close(self) -> None:
        for worker in self._workers:
            await worker.stop()
        if self._cluster is not None:
            await asyncio.to_thread(self._cluster.leave)


def _any_move(observation: Position) -> Chosen:
    return Chosen(random.choice(observation.moves()), fallback=True)


def _read_legal(observation: Position, text: str) -> int | None:
    """The move that an engine answered, if it is a legal one."""
    try:
        move = observation.parse_move(text)
    except ValueError:
        return None
    return move if observation.is_legal(move) else None
