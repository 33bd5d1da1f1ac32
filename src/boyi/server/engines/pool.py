"""A pool of workers that choose moves for the AI.

*One deadline.* A question has one, which includes the time that it waits (`queue` says in which order). For a move it
is a moment before the flag falls, so that a seat always plays: the best move that the engine has found by then, or a
legal move of our own, and everyone is told that it was not chosen (`Moved.fallback`). Hints and analyses are refused
when theirs has passed.

*Nothing for nobody.* Who asks waits in a task, and cancelling it withdraws the question: it leaves the queue, or the
worker is told to stop. A worker that does not obey soon, or that fails, is killed and replaced.

*Games first.* An analysis gives way to a move or a hint that no other worker is free for, and begins again later; after
a few times it is answered with what was found. A search of a review gives way to an analysis, too. At most half of the
workers analyse or review, though one always may.

*Live analyses* take turns: each has a search that stays in one worker, and asks for a slice of time again and again.
The more payers there are, the shorter the slices (`slices`).

*Shares.* What a question took of a worker's time is charged to who asked (`Asker.payer`, `budgets.ENGINES`). Who has
had more than their share waits behind the others, and gets no analysis; but a worker is never idle while anyone's game
waits.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import random
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from boyi.agents.opponents import find_opponent
from boyi.agents.timing import DEFAULT_SECONDS
from boyi.core.position import Position
from boyi.kit.ladder import find_ladder
from boyi.server.budgets import ENGINES, LIVE, Budgets, Payer
from boyi.server.engines.cluster import Cluster, ClusterWorker
from boyi.server.engines.desk import Desk, Job, Worker
from boyi.server.engines.process import PROGRAM, ProcessWorker
from boyi.server.engines.questions import (
    Asked,
    Question,
    Reply,
    ask_analysis,
    ask_comparison,
    ask_hint,
    ask_move,
    ask_search,
    ask_slice,
)
from boyi.server.engines.queue import KINDS, RANKS, RETRY_SECONDS, Asker, Kind, Queue, Waiting, rank
from boyi.server.engines.slices import MOST_STREAMS, Stream, plan_slice
from boyi.server.protocol.live import LiveAnalysis
from boyi.server.protocol.refusals import Refusal
from boyi.server.protocol.study import AnalysedLine, Analysis
from boyi.server.rooms import EngineRequest

__all__ = ["Asker", "Chosen", "Engines", "Stream", "Worker"]

log = logging.getLogger("boyi.engines")

WAIT_SECONDS = 60.0
"""How long a question for a move may wait where no clock says less."""

HINT_SEARCH_SECONDS = 1.0
"""How long an engine searches for a hint, in seconds."""

HINT_SECONDS = 20.0
ANALYSIS_SECONDS = 25.0
"""How long people wait for a hint, and for an analysis, before they are told to come back."""

LIVE_SECONDS = 60.0
"""How long a slice of a live analysis waits for its turn before it is asked for again."""

FULL_SECONDS = 10.0
"""When to come back if as many analyse as can."""

REVIEW_WAIT_SECONDS = 600.0
"""How long a search of a review may wait; nobody looks at it."""

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


@dataclass(frozen=True)
class Chosen:
    """A move for the AI's seat."""

    move: int
    fallback: bool = False
    """It was not chosen: no engine gave a legal answer in time."""


class Engines:
    """Workers that answer questions, never more than `workers` at a time."""

    def __init__(self, workers: int = 1, seconds: float = 10.0, command: Sequence[str] | None = None,
                 cluster: Cluster | None = None, budgets: Budgets | None = None, threads: int = 1) -> None:
        self.seconds = seconds
        """The longest that a worker may think about a move."""

        self.command = list(command or (sys.executable, "-c", PROGRAM))
        self._cluster = cluster
        self._threads = threads
        self._desks = [Desk(ProcessWorker(self.command) if cluster is None else ClusterWorker(cluster))
                       for _ in range(workers)]
        self._queue = Queue[Job]()
        self._numbers = itertools.count(1)
        self._streams: dict[int, Stream] = {}
        self._stream_numbers = itertools.count(1)
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

    async def hint(self, observation: Position, payer: str, notation: str = "") -> AnalysedLine:
        """The strongest line that is found in a second; a `Refusal` if that cannot be said in time."""
        if not self._desks:
            raise Refusal("not_allowed", "this server has no engines")
        question = ask_hint(observation, HINT_SEARCH_SECONDS, notation)
        reply = await self._ask(question, Asker("hint", payer), HINT_SECONDS)
        if reply is None:
            raise Refusal("flood", "no engine is free just now", retry_after=RETRY_SECONDS)
        line = reply.analysis.lines[0] if reply.analysis is not None and reply.analysis.lines else None
        if line is None or _read_legal(observation, line.moves[0]) is None:
            raise Refusal("internal", "no engine could answer that")
        return line

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

    async def search(self, position: Position, lines: int, seconds: float, only: tuple[int, ...], depths: int,
                     payer: str) -> Reply | None:
        """What the last depths of a search in the background find, for a review; None if no worker had the time."""
        if not self._desks:
            raise Refusal("not_allowed", "this server has no engines")
        question = ask_search(position, lines, seconds, only, depths)
        reply = await self._ask(question, Asker("review", payer), REVIEW_WAIT_SECONDS)
        return None if reply is None or reply.stopped else reply

    async def accepts(self, position: Position, move: int, expected: int, nodes: int, payer: str) -> bool:
        """Is a move as good as the expected one? A `Refusal` when too many ask; without engines no other move is."""
        if not self._desks:
            return False
        self._budgets.charge(ENGINES, Payer("", payer), 0)
        reply = await self._ask(ask_comparison(position, move, expected, nodes), Asker("analysis", payer),
                                ANALYSIS_SECONDS)
        if reply is None:
            raise Refusal("flood", "no engine is free just now", retry_after=RETRY_SECONDS)
        if reply.accepted is None:
            raise Refusal("internal", "no engine could answer that")
        return reply.accepted

    # ------------------------------------------------------------------ live analyses

    @property
    def streams(self) -> int:
        """How many there are."""
        return len(self._streams)

    async def get_ready(self) -> None:
        """Someone will want a live analysis: start a worker for it if it is idle."""
        for desk in self._desks[:1]:
            if desk.waiting is None:
                with contextlib.suppress(OSError):   # who asks is told
                    await desk.worker.start()

    def open_stream(self, payer: Payer, share: str) -> Stream:
        """A new live analysis. All of one `share`, a person or an address, take one turn in a round."""
        if not self._desks:
            raise Refusal("not_allowed", "this server has no engines")
        crowds = Counter(stream.desk for stream in self._streams.values())
        desk = min(range(self._most_analysing), key=lambda number: crowds[number])
        if crowds[desk] >= MOST_STREAMS:
            raise Refusal("flood", "too many analyse just now", retry_after=FULL_SECONDS)
        stream = Stream(next(self._stream_numbers), desk, Asker("live", share), payer)
        self._streams[stream.number] = stream
        return stream

    def close_stream(self, stream: Stream) -> None:
        """Its search ends."""
        if self._streams.pop(stream.number, None) is not None and self._desks:   # else all have ended
            self._desks[stream.desk].worker.leave(stream.number)

    async def go_on(self, stream: Stream, position: Position, lines: int, *, threat: bool, notation: str = "",
                    is_new: bool) -> LiveAnalysis:
        """Search on for a slice when its turn has come: how far it has come then. Cancelled, the slice ends."""
        lasts, table_mb = plan_slice(stream, self._streams.values(), is_new=is_new)
        asked = ask_slice(position, stream.number, lines, threat=threat, notation=notation, lasts=lasts,
                          table_mb=table_mb)
        stream.is_searching = True
        try:
            reply = await self._ask(asked, stream.asker, LIVE_SECONDS, stream)
        finally:
            stream.is_searching = False
        if reply is None:
            raise Refusal("flood", "no engine is free just now", retry_after=RETRY_SECONDS)
        if reply.live is None:
            raise Refusal("internal", "no engine could answer that")
        return reply.live

    async def _ask_move(self, request: EngineRequest, asker: Asker, seconds: float) -> int | None:
        """What an engine chooses; None if none does within this number of seconds."""
        clock = None if request.remaining_ms is None else without_margin(request.remaining_ms / 1000)
        question = ask_move(request.observation, self._agent(request), clock, request.increment_ms / 1000)
        reply = await self._ask(question, asker, seconds)
        return None if reply is None or reply.error else _read_legal(request.observation, reply.move)

    def _agent(self, request: EngineRequest) -> str:
        """Who is asked: a level, or an opponent by name."""
        position = request.observation
        seconds = min(request.seconds or DEFAULT_SECONDS, self.seconds)
        if request.opponent:
            return find_opponent(request.opponent, position).timed(seconds)
        if request.level < len(find_ladder(position.game, position.players)):
            return f"level:{request.level}"
        return f"level:{request.level},seconds={seconds:g},threads={self._threads}"

    async def _ask(self, question: Asked, asker: Asker, seconds: float, stream: Stream | None = None) -> Reply | None:
        """What a worker says; None if none has within this number of seconds. Cancelled, the question is withdrawn."""
        loop = asyncio.get_running_loop()
        job = Job(question, loop.time(), loop.time() + seconds, loop.create_future(),
                  desk=self._desks[stream.desk] if stream is not None and self._desks else None,
                  payer=None if stream is None else stream.payer)
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
        is_any_idle = False
        for desk in reversed(self._desks):   # live analyses are at the first ones
            if desk.waiting is None:
                waiting = self._queue.take(self._kinds(), self._is_behind, desk.can_answer)
                if waiting is None:
                    is_any_idle = True
                    continue
                desk.waiting, desk.stop, desk.gives_way = waiting, asyncio.Event(), False
                desk.task = asyncio.get_running_loop().create_task(self._answer(desk, waiting, desk.stop))
        if not is_any_idle:
            self._give_way()

    def _give_way(self) -> None:
        """No worker is idle: stop an analysis, or first a review, if a question waits that comes before it; one at a
        time."""
        studying = sorted(((RANKS[desk.waiting.asker.kind], desk) for desk in self._desks
                           if desk.is_studying and desk.waiting is not None), key=lambda pair: -pair[0])
        if any(desk.gives_way for _, desk in studying):
            return
        for own, desk in studying:
            # An analysis that may not begin, because of a review, takes the place of that.
            first = self._queue.first([kind for kind in KINDS if RANKS[kind] < own], self._is_behind, desk.can_answer)
            if (first is not None and desk.waiting is not None and desk.stop is not None
                    and rank(first.asker, self._is_behind) < rank(desk.waiting.asker, self._is_behind)):
                desk.gives_way = True
                desk.stop.set()
                return

    def _kinds(self) -> Sequence[Kind]:
        """What may begin now."""
        studying = sum(desk.is_studying for desk in self._desks)
        return KINDS if studying < self._most_analysing else ("game", "hint")

    @property
    def _most_analysing(self) -> int:
        """Workers that may analyse or review at a time."""
        return max(1, len(self._desks) // 2)

    async def _answer(self, desk: Desk, waiting: Waiting[Job], stop: asyncio.Event) -> None:
        """Have a worker answer a question, and then the next one."""
        asker, job, loop = waiting.asker, waiting.what, asyncio.get_running_loop()
        began = loop.time()
        try:
            reply = await self._hear(desk.worker, job, stop)
        finally:
            spent = loop.time() - began
            self.busy_seconds += spent
            self._queue.spent(asker.kind, spent)
            if job.payer is None:
                self._budgets.owe(ENGINES, Payer("", asker.payer), spent)
            else:
                self._budgets.owe(LIVE, job.payer, spent)
            gives_way = desk.gives_way
            desk.waiting = desk.stop = desk.task = None
            desk.gives_way = False
        if not job.reply.done():
            if gives_way and reply.stopped and asker.kind != "live" and job.given_way < MOST_GIVEN_WAY:
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
        if isinstance(question, Question) and question.seconds is not None:
            # What it has waited is gone from its clock.
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
