"""A pool of workers that choose moves for the AI.

*One deadline.* A question has one, which includes the time that it waits (`queue` says in which order). For a move it
is a moment before the flag falls, so that a seat always plays: the best move that the engine has found by then, or a
legal move of our own, and everyone is told that it was not chosen (`Moved.fallback`). Hints and analyses are refused
when theirs has passed.

*Nothing for nobody.* Who asks waits in a task, and cancelling it withdraws the question: it leaves the queue, or the
worker is told to stop. A worker that does not obey soon, or that fails, is killed and replaced.

*Games first.* An analysis gives way to a move or a hint that no other worker is free for, and begins again later; after
a few times it is answered with what was found. At most half of the workers analyse, though one always may.

*Shares.* What a question took of a worker's time is charged to who asked (`Asker.payer`, `budgets.ENGINES`). Who has
had more than their share waits behind the others, and gets no analysis; but a worker is never idle while anyone's game
waits.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import random
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec

from boyi.core.position import Position
from boyi.server.budgets import ENGINES, Budgets, Payer
from boyi.server.engines.cluster import Cluster, ClusterWorker
from boyi.server.engines.process import PROGRAM, ProcessWorker
from boyi.server.engines.questions import Question, Reply, ask_analysis, ask_move
from boyi.server.engines.queue import KINDS, RETRY_SECONDS, Asker, Kind, Queue, Waiting, rank
from boyi.server.protocol.bodies import Analysis
from boyi.server.protocol.refusals import Refusal
from boyi.server.rooms import EngineRequest

__all__ = ["Asker", "Chosen", "Engines", "Worker"]

log = logging.getLogger("boyi.engines")

WAIT_SECONDS = 60.0
"""How long a question for a move may wait where no clock says less."""

HINT_SECONDS = 20.0
ANALYSIS_SECONDS = 25.0
"""How long people wait for a hint, and for an analysis, before they are told to come back."""

START_SECONDS = 20.0
"""How much longer the first answer of a new worker may take: it has to load the games."""

OBEY_SECONDS = 0.5
"""How long a worker has to answer when it is told to stop; a search does within a hundredth."""

LAST_CALL_SECONDS = 0.15
LAST_CALL_SHARE = 0.3
"""So long before its deadline a question is answered with what was found, and the most of the time that is left."""

MARGIN_SECONDS = 0.3
MARGIN_SHARE = 0.25
"""What is kept back of a clock for the way to the room, and the most of it."""

SHORTEST_SECONDS = 0.05
"""What an engine is given at least, however little is left on the clock."""

MOST_GIVEN_WAY = 3
"""So often an analysis gives way and begins again."""


class Worker(Protocol):
    """What answers questions, one at a time."""

    @property
    def is_new(self) -> bool:
        """Has it not answered anything yet? Starting takes a while."""

    async def answer(self, question: Question) -> Reply:
        """What it says; an error if it fails, and then it must be ended."""

    def stop(self, number: int) -> None:
        """Have the question of that number answered soon, with what was found so far."""

    async def end(self) -> None:
        """End it, whatever it does; asked again, it begins anew."""


@dataclass(frozen=True)
class Chosen:
    """A move for the AI's seat."""

    move: int
    fallback: bool = False
    """It was not chosen: no engine gave a legal answer in time."""


@dataclass(eq=False)
class Job:
    """A question on its way."""

    question: Question
    asked: float
    """When, on the clock of the event loop."""

    deadline: float
    """When nobody waits for it any more."""

    reply: asyncio.Future[Reply]
    given_way: int = 0
    """How often it was begun and put back."""


@dataclass(eq=False)
class Desk:
    """A worker, and what it is at."""

    worker: Worker
    waiting: Waiting[Job] | None = None
    """Whose question; None when it is idle."""

    stop: asyncio.Event | None = None
    """Set when that is to be answered with what was found."""

    gives_way: bool = False
    """It was stopped for a question that comes first."""

    task: asyncio.Task[None] | None = None


class Engines:
    """Workers that answer questions, never more than `workers` at a time."""

    def __init__(self, workers: int = 1, seconds: float = 10.0, command: Sequence[str] | None = None,
                 cluster: Cluster | None = None, budgets: Budgets | None = None) -> None:
        self.seconds = seconds
        """The longest that a worker may think about a move."""

        self.command = list(command or (sys.executable, "-c", PROGRAM))
        self._cluster = cluster
        self._desks = [Desk(ProcessWorker(self.command) if cluster is None else ClusterWorker(cluster))
                       for _ in range(workers)]
        self._queue = Queue[Job]()
        self._numbers = itertools.count(1)
        self._budgets = budgets or Budgets()

        # For the metrics.
        self.answered = Counter[Kind]()
        """Questions that an engine answered."""

        self.withdrawn = Counter[Kind]()
        """Questions that nobody wanted an answer to any more."""

        self.late = Counter[Kind]()
        """Questions whose deadline passed."""

        self.fallbacks = 0
        """Moves that no engine chose."""

        self.given_way = 0
        """How often an analysis was stopped for something that comes first."""

        self.replaced = 0
        """Workers that failed or did not obey."""

        self.busy_seconds = 0.0
        """Of all workers together."""

    @property
    def waiting(self) -> dict[Kind, int]:
        """Questions that wait for a worker."""
        return {kind: self._queue.count(kind) for kind in KINDS}

    # ------------------------------------------------------------------ asking

    async def choose(self, request: EngineRequest, payer: str) -> Chosen:
        """A legal move for the seat that is to act, always, and before its flag falls."""
        seconds = WAIT_SECONDS + self.seconds
        if request.remaining_ms is not None:
            seconds = min(seconds, without_margin(request.remaining_ms / 1000))
        move = await self._ask_move(request, Asker("game", payer), seconds) if self._desks else None
        if move is None:
            self.fallbacks += 1
            return Chosen(choose_anyhow(request.observation), fallback=True)
        return Chosen(move)

    async def hint(self, request: EngineRequest, payer: str) -> int:
        """What the AI would play; a `Refusal` if that cannot be said in time."""
        if not self._desks:
            raise Refusal("not_allowed", "this server has no engines")
        move = await self._ask_move(request, Asker("hint", payer), HINT_SECONDS)
        if move is None:
            raise Refusal("flood", "no engine is free just now", retry_after=RETRY_SECONDS)
        return move

    async def analyse(self, position: Position, lines: int, nodes: int, payer: str) -> Analysis:
        """What the best moves of a position are worth; a `Refusal` when too many ask, or no engine answers."""
        if not self._desks:
            raise Refusal("not_allowed", "this server has no engines")
        self._budgets.charge(ENGINES, Payer("", payer), 0)
        reply = await self._ask(ask_analysis(position, lines, nodes), Asker("analysis", payer), ANALYSIS_SECONDS)
        if reply is None:
            raise Refusal("flood", "no engine is free just now", retry_after=RETRY_SECONDS)
        if reply.analysis is None:
            raise Refusal("internal", "no engine could answer that")
        return reply.analysis

    async def _ask_move(self, request: EngineRequest, asker: Asker, seconds: float) -> int | None:
        """What an engine chooses; None if none does within this number of seconds."""
        clock = None if request.remaining_ms is None else without_margin(request.remaining_ms / 1000)
        question = ask_move(request.observation, f"level:{request.level}", clock, request.increment_ms / 1000)
        reply = await self._ask(question, asker, seconds)
        return None if reply is None or reply.error else _read_legal(request.observation, reply.move)

    async def _ask(self, question: Question, asker: Asker, seconds: float) -> Reply | None:
        """What a worker says; None if none has within this number of seconds. Cancelled, the question is withdrawn."""
        loop = asyncio.get_running_loop()
        job = Job(question, loop.time(), loop.time() + seconds, loop.create_future())
        waiting = self._queue.add(asker, job)
        self._work_off()
        try:
            async with asyncio.timeout_at(job.deadline):
                return await job.reply
        except TimeoutError:
            self.late[asker.kind] += 1
            return None
        except asyncio.CancelledError:
            self.withdrawn[asker.kind] += 1
            raise
        finally:
            if not self._queue.remove(waiting):
                for desk in self._desks:
                    if desk.waiting is waiting and desk.stop is not None:
                        desk.stop.set()

    # ------------------------------------------------------------------ working off

    def _is_behind(self, payer: str) -> bool:
        """Has a payer had more than their share?"""
        return self._budgets.wait_seconds(ENGINES, Payer("", payer)) > 0

    def _work_off(self) -> None:
        """Give questions to workers that are idle; when none is, an analysis may give way."""
        for desk in self._desks:
            if desk.waiting is None:
                waiting = self._queue.take(self._kinds(), self._is_behind)
                if waiting is None:
                    return
                desk.waiting, desk.stop, desk.gives_way = waiting, asyncio.Event(), False
                desk.task = asyncio.get_running_loop().create_task(self._answer(desk, waiting, desk.stop))
        self._give_way()

    def _give_way(self) -> None:
        """No worker is idle: stop an analysis if a question waits that comes before it; one at a time."""
        analysing = [desk for desk in self._desks if desk.waiting is not None and desk.waiting.asker.kind == "analysis"]
        if not analysing or any(desk.gives_way for desk in analysing):
            return
        first = self._queue.first(self._kinds(), self._is_behind)
        for desk in analysing:
            if (first is not None and desk.waiting is not None and desk.stop is not None
                    and rank(first.asker, self._is_behind) < rank(desk.waiting.asker, self._is_behind)):
                desk.gives_way = True
                desk.stop.set()
                return

    def _kinds(self) -> Sequence[Kind]:
        """What may begin now."""
        analysing = sum(desk.waiting is not None and desk.waiting.asker.kind == "analysis" for desk in self._desks)
        return KINDS if analysing < max(1, len(self._desks) // 2) else ("game", "hint")

    async def _answer(self, desk: Desk, waiting: Waiting[Job], stop: asyncio.Event) -> None:
        """Have a worker answer a question, and then the next one."""
        asker, job, loop = waiting.asker, waiting.what, asyncio.get_running_loop()
        began = loop.time()
        try:
            reply = await self._hear(desk.worker, job, stop)
        finally:
            spent = loop.time() - began
            self.busy_seconds += spent
            self._budgets.owe(ENGINES, Payer("", asker.payer), spent)
            gives_way = desk.gives_way
            desk.waiting = desk.stop = desk.task = None
            desk.gives_way = False
        if not job.reply.done():
            if gives_way and reply.stopped and job.given_way < MOST_GIVEN_WAY:
                job.given_way += 1
                self.given_way += 1
                self._queue.put_back(waiting)
            else:
                self.answered[asker.kind] += not reply.error
                job.reply.set_result(reply)
        self._work_off()

    async def _hear(self, worker: Worker, job: Job, stop: asyncio.Event) -> Reply:
        """What a worker says when it has finished, is stopped or its time is up; one that fails is replaced."""
        loop = asyncio.get_running_loop()
        question = msgspec.structs.replace(job.question, number=next(self._numbers))
        if question.seconds is not None:   # what it has waited is gone from its clock
            question = msgspec.structs.replace(
                question, seconds=max(SHORTEST_SECONDS, question.seconds - (loop.time() - job.asked)))
        starting = START_SECONDS if worker.is_new else 0.0
        answering = loop.create_task(worker.answer(question))
        stopping = loop.create_task(stop.wait())
        try:
            left = max(0.0, job.deadline - loop.time())
            left -= min(LAST_CALL_SECONDS, left * LAST_CALL_SHARE)
            await asyncio.wait({answering, stopping}, timeout=min(self.seconds + starting, left),
                               return_when=asyncio.FIRST_COMPLETED)
            if not answering.done():
                worker.stop(question.number)
                await asyncio.wait({answering}, timeout=OBEY_SECONDS + starting)
            if not answering.done():
                raise TimeoutError
            return answering.result()
        except (TimeoutError, OSError, EOFError, msgspec.DecodeError, ValueError) as error:
            self.replaced += 1
            log.warning("an engine is replaced: %s", type(error).__name__)
            await _cancel(answering)
            await worker.end()
            return Reply(error=type(error).__name__)
        finally:
            await _cancel(answering, stopping)

    async def close(self) -> None:
        """End all workers; who still waits is told that there is no answer."""
        desks, self._desks = self._desks, []
        asked = [desk.waiting for desk in desks if desk.waiting is not None]
        while (waiting := self._queue.take()) is not None:
            asked.append(waiting)
        for waiting in asked:
            if not waiting.what.reply.done():
                waiting.what.reply.set_result(Reply(error="the server stops"))
        await _cancel(*(desk.task for desk in desks if desk.task is not None))
        for desk in desks:
            await desk.worker.end()
        if self._cluster is not None:
            await asyncio.to_thread(self._cluster.leave)


async def _cancel(*tasks: asyncio.Task[None] | asyncio.Task[Reply] | asyncio.Task[bool]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def without_margin(seconds: float) -> float:
    """What may be used of a clock, so that a move is made before it has run out."""
    return seconds - min(MARGIN_SECONDS, seconds * MARGIN_SHARE)


def choose_anyhow(observation: Position) -> int:
    """A legal move without an engine, at once: one that wins most by captures on its square; else any."""
    moves = observation.moves()
    gains = [observation.exchange_now(move) for move in moves]
    most = max(gains)
    return random.choice([move for move, gain in zip(moves, gains, strict=True) if gain == most])


def _read_legal(observation: Position, text: str) -> int | None:
    """The move that an engine answered, if it is a legal one."""
    try:
        move = observation.parse_move(text)
    except ValueError:
        return None
    return move if observation.is_legal(move) else None
