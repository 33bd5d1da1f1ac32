"""The live analyses of a worker: searches that wait between their slices."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

from boyi.agents.analysis import Analysis
from boyi.agents.live import LiveSearch
from boyi.agents.searching import find_default, find_evaluator
from boyi.core.errors import TextError
from boyi.core.evaluator import Evaluator
from boyi.core.game import load, restore
from boyi.core.position import Position
from boyi.core.searcher import Searcher
from boyi.server.engines.describing import describe_lines
from boyi.server.engines.questions import Slice
from boyi.server.engines.slices import MOST_STREAMS
from boyi.server.protocol.live import LiveAnalysis

MOST_KEPT = MOST_STREAMS + 8
"""Searches that wait here. More are not asked for; should it happen, the one that waited longest is given up, and
begins again when its turn comes."""


@dataclass
class Stream:
    """One client's searches, of one position after the other. What one has found helps the next, by the table."""

    asked: Slice
    position: Position
    """What is searched: after a pass, if the threat is asked for."""

    searcher: Searcher
    search: LiveSearch


class Streams:
    """The streams of this worker, by number. One thread goes on with them; another may interrupt and leave."""

    def __init__(self) -> None:
        self._streams: OrderedDict[int, Stream] = OrderedDict()
        self._lock = threading.Lock()
        self._evaluators: dict[tuple[str, str], Evaluator | None] = {}
        """By game and search: read once, for it takes longer than a slice."""

    def go_on(self, asked: Slice) -> LiveAnalysis:
        """Search on for the length of a slice: what is known at its end."""
        with self._lock:
            stream = self._streams.get(asked.stream)
            if stream is not None:
                self._streams.move_to_end(asked.stream)
        if stream is None or _about(stream.asked) != _about(asked):
            stream = self._begin(asked, stream)
        found = stream.search.go_on(asked.lasts)
        return _tell(stream, found)

    def interrupt(self, number: int) -> None:
        """End the slice of a stream now."""
        with self._lock:
            stream = self._streams.get(number)
        if stream is not None:
            stream.search.interrupt()

    def leave(self, number: int) -> None:
        """Give up a stream, if it is here."""
        with self._lock:
            stream = self._streams.pop(number, None)
        if stream is not None:
            stream.search.leave()

    def _begin(self, asked: Slice, before: Stream | None) -> Stream:
        """Another position, or a new stream."""
        self.leave(asked.stream)
        position = restore(load(asked.module), asked.options, asked.start, asked.moves)
        if asked.threat and not position.play_null():
            raise TextError("nobody can pass here")
        is_same_game = before is not None and (before.asked.module, before.asked.options) == (
            asked.module, asked.options)
        if before is not None and is_same_game:
            searcher = before.searcher
        else:
            memory = {"table_mb": asked.table_mb, "megabytes": asked.table_mb}   # each search knows one of them
            searcher = self._make(position, memory)
        stream = Stream(asked, position, searcher, LiveSearch(searcher, position.copy(), asked.lines))
        with self._lock:
            self._streams[asked.stream] = stream
            oldest = next(iter(self._streams)) if len(self._streams) > MOST_KEPT else None
        if oldest is not None:
            self.leave(oldest)
        return stream

    def _make(self, position: Position, memory: dict[str, int]) -> Searcher:
        """A new searcher; the numbers of its evaluator are shared by all of the game."""
        algorithm, game = find_default(position), position.game
        key = game.module, algorithm.name
        if key not in self._evaluators:
            self._evaluators[key] = find_evaluator(game, {}, for_two=algorithm.for_two)
        evaluator = self._evaluators[key]
        return algorithm.make(game, memory, None if evaluator is None else evaluator.fork())


def _about(asked: Slice) -> tuple[object, ...]:
    """What makes a search another one."""
    return asked.module, asked.options, asked.start, asked.moves, asked.lines, asked.threat, asked.notation


def _tell(stream: Stream, found: Analysis | None) -> LiveAnalysis:
    if found is None:
        return LiveAnalysis([], stream.position.turn, 0, 0)
    lines = describe_lines(stream.position, found.lines, stream.asked.notation)
    return LiveAnalysis(lines, stream.position.turn, found.depth, found.nodes, round(found.seconds, 3), found.speed,
                        any(line.visits is not None for line in found.lines), stream.search.has_ended)
