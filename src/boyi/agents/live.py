"""A search that goes on until it is left, a slice at a time: for analyses that share a processor.

It is one search, in a thread of its own. Between slices it waits at a gate (`kit.gate`) with all that it has found and
is in the middle of, and goes on from there.

>>> import boyi
>>> from boyi.agents.searching import find_default
>>> position = boyi.start("othello")
>>> search = LiveSearch(find_default(position).make(position.game, {"table_mb": 1}), position, lines=2)
>>> first = search.go_on(0.05)
>>> later = search.go_on(0.05)
>>> len(later.lines), later.depth >= first.depth, later.nodes > first.nodes
(2, True, True)
>>> search.leave()
"""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Protocol, cast

from boyi.agents.analysis import Analysis, analyse
from boyi.core.position import Position
from boyi.core.searcher import DeepeningSearcher, Limits, Searcher
from boyi.kit.gate import Gate

WITHOUT_END = 10**15
"""Nodes: what no search comes to."""

STOP_SECONDS = 0.005
"""Interval at which a search is stopped again: a stop before it has begun has no effect."""


class PausableSearcher(DeepeningSearcher, Protocol):
    """A searcher that waits at a gate while it is closed; all of `boyi.search` do."""

    def pass_through(self, gate: Gate) -> None:
        """From the next search on, wait at a gate while it is closed."""
        ...


class LiveSearch:
    """A search of a position, which is its own from now on; it waits for the first slice."""

    def __init__(self, searcher: Searcher, position: Position, lines: int) -> None:
        self._searcher = cast(PausableSearcher, searcher)
        self._gate = Gate()
        self._gate.close()
        self._searcher.pass_through(self._gate)
        self._lock = threading.Lock()
        """Held by who opens or closes the gate."""

        self._slice_over = threading.Event()
        self._is_left = False
        self._found: Analysis | None = None
        self._failure: Exception | None = None
        self.has_ended = False
        """There is nothing left to find out, or the search failed."""

        self._thread = threading.Thread(target=self._search, args=(position, lines), name="live search", daemon=True)
        self._thread.start()

    def go_on(self, seconds: float) -> Analysis | None:
        """Search on for so long, or until it is interrupted or has ended; what is known then, if anything is.

        The nodes and seconds are those of the whole search so far, also where the last depth was finished earlier.
        """
        self._slice_over.clear()
        if not self.has_ended and not self._is_left:
            with self._lock:
                self._gate.open()
            self._slice_over.wait(seconds)
            with self._lock:
                if not self._is_left:
                    self._gate.close()
        if self._failure is not None:
            raise self._failure
        found = self._found
        if found is None or self.has_ended:
            return found
        return replace(found, nodes=max(found.nodes, self._gate.nodes), seconds=max(found.seconds, self._gate.seconds))

    def interrupt(self) -> None:
        """From another thread: end the slice now."""
        self._slice_over.set()

    def leave(self) -> None:
        """End the search; from any thread, also while a slice is running."""
        with self._lock:
            self._is_left = True
        while self._thread.is_alive():
            self._searcher.stop()
            with self._lock:
                self._gate.open()
            self._thread.join(STOP_SECONDS)
        self._slice_over.set()

    def _search(self, position: Position, lines: int) -> None:
        def note(found: Analysis) -> None:
            if not self._is_left:   # what a stopped search says last may be a guess
                self._found = found

        try:
            analyse(self._searcher, position, Limits(nodes=WITHOUT_END, lines=lines), note)
        except Exception as failure:  # noqa: BLE001  (the thread that goes on raises it)
            self._failure = failure
        finally:
            self.has_ended = not self._is_left
            self._slice_over.set()
