"""The AI's players: a pool of worker processes, or of actors on a Ray cluster.

A worker that does not answer in time is killed and replaced, one that ends by itself too; the seat then
plays a legal move anyway, and everybody is told that it was not chosen (`Moved.fallback`). Questions are
answered in the order they came. A room asks one at a time, so a room of six AIs waits as long as
anybody's: nobody can fill the queue.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec
from msgspec import structs

from boyi.core.position import Position
from boyi.server import messages
from boyi.server.cluster import Cluster, ClusterWorker
from boyi.server.room import EngineRequest, Refusal
from boyi.server.worker import Question, Reply, ask

log = logging.getLogger("boyi.engines")

LONGEST_LINE = 2**20
MOST_ANALYSES = 8
"""So many may wait for one."""
START_SECONDS = 20.0
"""A new worker has so much longer for its first answer: it has to load the games."""

MARGIN = 0.1
"""Seconds kept back from the clock for the way to the worker and back."""

NICENESS = 19
"""An engine takes what is left over: whoever waits for a move of the AI can wait, whoever sends one cannot."""

BEGIN = (f"import os, runpy; getattr(os, 'nice', int)({NICENESS}); "
         "runpy.run_module('boyi.server.worker', run_name='__main__')")
"""How a worker begins: it is modest before it loads the games, which takes it longer than most moves."""

KEPT = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "SYSTEMROOT", "BOYI_GAMES", "CYTHON", "HOME")
"""What of the server's environment a worker gets; not, for one, the address of the database."""


@dataclass(frozen=True)
class Chosen:
    """A move for the AI's seat."""

    move: str
    fallback: bool = False


class Engines:
    """Workers that answer questions, never more than `workers` at a time."""

    def __init__(self, workers: int = 1, seconds: float = 10.0, command: Sequence[str] | None = None,
                 cluster: Cluster | None = None) -> None:
        self.seconds = seconds
        """The longest that a worker may think about a move."""

        self.command = list(command or (sys.executable, "-c", BEGIN))
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

    async def choose(self, request: EngineRequest, agent: str | None = None) -> Chosen:
        """A legal move for the seat that is to act, always."""
        observation = request.observation
        if not self._workers:
            return Chosen(_any_move(observation), fallback=True)
        seconds = None if request.remaining_ms is None else max(0.05, request.remaining_ms / 1000 - MARGIN)
        question = ask(observation, agent or f"level:{request.level}", seconds, request.increment_ms / 1000)
        reply = await self._answer(question, self.seconds if seconds is None else min(self.seconds, seconds))
        self.answered += 1
        if not reply.error and _is_legal(observation, reply.move):
            return Chosen(reply.move)
        return Chosen(_any_move(observation), fallback=True)

    async def analyse(self, position: Position, lines: int, nodes: int) -> messages.Analysis:
        """What the best moves of a position are worth; a `Refusal` when too many ask, or no engine answers.

        One at a time, whatever the number of workers: games come first.
        """
        if not self._workers or self._analyses >= MOST_ANALYSES:
            raise Refusal("flood")
        self._analyses += 1
        try:
            async with self._analysing:
                reply = await self._answer(structs.replace(ask(position, "", None, 0.0), lines=lines, nodes=nodes),
                                           self.seconds)
        finally:
            self._analyses -= 1
        if reply.analysis is None:
            raise Refusal("internal", "no engine could answer that")
        return reply.analysis

    async def _answer(self, question: Question, seconds: float) -> Reply:
        """What a worker says, or an error; a worker that fails is replaced."""
        self.waiting += 1
        try:
            worker = await self._idle.get()   # who waits longest is served first
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


def _any_move(observation: Position) -> str:
    return observation.format_move(random.choice(observation.moves()))


def _is_legal(observation: Position, move: str) -> bool:
    try:
        return observation.is_legal(observation.parse_move(move))
    except ValueError:
        return False


class Worker(Protocol):
    """Somebody who answers questions."""

    @property
    def is_new(self) -> bool:
        """Has it to be started first? That takes a while."""

    async def answer(self, question: Question) -> Reply:
        """What it says; an error if it fails, and then it must be stopped."""

    async def stop(self) -> None:
        """End it; asked again, it begins anew."""


class ProcessWorker:
    """One process, started when it is needed and again when it had to be ended."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: asyncio.subprocess.Process | None = None

    @property
    def is_new(self) -> bool:
        return self._process is None or self._process.returncode is not None

    async def answer(self, question: Question) -> Reply:
        if self._process is None or self._process.returncode is not None:
            await self.stop()
            environment = {name: os.environ[name] for name in KEPT if name in os.environ}
            self._process = await asyncio.create_subprocess_exec(
                *self._command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                env=environment, limit=LONGEST_LINE)
        process = self._process
        if process.stdin is None or process.stdout is None:
            raise OSError("a worker without pipes")
        process.stdin.write(msgspec.json.encode(question) + b"\n")
        await process.stdin.drain()
        line = await process.stdout.readline()
        if not line:
            raise EOFError("the worker has ended")
        return msgspec.json.decode(line, type=Reply)

    async def stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        if process.stdin is not None:
            process.stdin.close()
        await process.wait()
