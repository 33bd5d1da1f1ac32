"""A process that chooses moves for the AI: a line of JSON comes in, a line goes out.

Each question gets a new agent, so that nothing is carried over from one seat's knowledge to another's. The main thread
answers and another one reads, so that a question can be stopped while it is being answered. The searches of live
analyses wait between their slices in threads of their own (`live`).
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial

import msgspec

from boyi.agents.agent import Clock, stop_agent
from boyi.agents.analysis import Analysis as Found
from boyi.agents.analysis import analyse
from boyi.agents.searching import find_default
from boyi.agents.spec import make_agent
from boyi.agents.timing import limit_python
from boyi.core.errors import BoyiError
from boyi.core.game import load, restore
from boyi.core.position import Position
from boyi.core.searcher import Limits
from boyi.server.engines.describing import describe_lines
from boyi.server.engines.live import Streams
from boyi.server.engines.questions import Asked, Leave, Question, Reply, Slice, Stop, Told
from boyi.server.protocol.study import Analysis
from boyi.study.puzzles.answer import accepts

STOP_SECONDS = 0.005
"""Interval at which a search is stopped again: a stop before it has begun has no effect."""


class Answering:
    """Answers one question at a time; another thread may stop it."""

    def __init__(self) -> None:
        self._number: int | None = None
        """Of the question that is being answered."""

        self._last_stopped = -1
        """Questions up to this number are not wanted any more."""

        self._stop: Callable[[], None] | None = None
        """Stops what is at work on the question."""

        self._streams = Streams()

    def answer(self, question: Asked) -> Reply:
        """A move, an analysis or a slice of a live one, or why there is none."""
        self._number = question.number   # first this, then the look at what was stopped: `stop` does it the other way
        try:
            if question.number <= self._last_stopped:
                reply = Reply(error="stopped before it began")
            else:
                reply = self._find(question)
        finally:
            self._number = self._stop = None
        return msgspec.structs.replace(reply, number=question.number, stopped=question.number <= self._last_stopped)

    def stop(self, number: int) -> None:
        """End the answer to a question soon; returns when it has ended, and at once if it has not begun."""
        self._last_stopped = max(number, self._last_stopped)
        while self._number == number:
            stop = self._stop
            if stop is not None:
                stop()
            time.sleep(STOP_SECONDS)

    def leave(self, stream: int) -> None:
        """A stream is closed."""
        self._streams.leave(stream)

    def _find(self, question: Asked) -> Reply:
        try:
            if isinstance(question, Slice):
                self._stop = partial(self._streams.interrupt, question.stream)
                return Reply(live=self._streams.go_on(question))
            observation = restore(load(question.module), question.options, question.start, question.moves)
            if question.lines:
                *earlier, last = self._analyse(observation, question)
                return Reply(analysis=last, earlier=earlier)
            if question.compare:
                move, expected = question.compare
                return Reply(accepted=accepts(observation, move, expected, question.nodes))
            clock = Clock(question.seconds, question.increment_seconds)
            agent = make_agent(question.agent)
            self._stop = partial(stop_agent, agent)
            return Reply(observation.format_move(agent.choose(observation.copy(), clock)))
        except (BoyiError, RuntimeError, OverflowError) as error:
            return Reply(error=f"{type(error).__name__}: {error}"[:500])

    def _analyse(self, position: Position, question: Question) -> list[Analysis]:
        """What the best moves of a position are worth, for the player to act: as the last depths found."""
        searcher = find_default(position).make(position.game, {})
        self._stop = searcher.stop
        limits = Limits(nodes=question.nodes or None, seconds=question.search_seconds or None, lines=question.lines)
        found = deque[Analysis](maxlen=question.depths)
        analyse(searcher, position.copy(), limit_python(limits, position),
                lambda analysis: found.append(_as_body(position, analysis, question.notation)), tuple(question.only))
        return list(found)


def _as_body(position: Position, analysis: Found, notation: str) -> Analysis:
    return Analysis(describe_lines(position, analysis.lines, notation), position.turn, analysis.depth, analysis.nodes)


def main() -> None:
    answering, questions = Answering(), queue.SimpleQueue[Asked | None]()

    def read() -> None:
        decoder = msgspec.json.Decoder[Told](Told)
        last = -1
        for line in sys.stdin.buffer:
            told = decoder.decode(line)
            if isinstance(told, Stop):
                answering.stop(told.number)
            elif isinstance(told, Leave):
                answering.leave(told.stream)
            else:
                last = told.number
                questions.put(told)
        questions.put(None)
        answering.stop(last)   # nobody reads the answer any more

    threading.Thread(target=read, name="reader", daemon=True).start()
    encoder = msgspec.json.Encoder()
    while (question := questions.get()) is not None:
        sys.stdout.buffer.write(encoder.encode(answering.answer(question)) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
