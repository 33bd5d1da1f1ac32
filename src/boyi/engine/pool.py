"""Many searches at once: as many threads as are set, each with a searcher of its own.

A thread keeps its searcher, and what its table holds, for the next job by the same search. Jobs of a higher priority
come first, else those that were asked for earlier.

    Job         a position to search, and how
    Listener    who hears of it
    Pool        the threads
"""

from __future__ import annotations

import heapq
import threading
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from boyi.agents.analysis import Analysis, analyse
from boyi.agents.searching import Algorithm
from boyi.core.errors import BoyiError, BrokenRulesError
from boyi.core.position import Position
from boyi.core.searcher import Limits, Searcher

THREAD = "searcher"
"""The name of each thread."""


class Listener(Protocol):
    """Hears of a job, in the thread that searches. After the end or a failure there is nothing more."""

    def deepen(self, analysis: Analysis) -> None:
        """A depth has ended."""
        ...

    def end(self, analysis: Analysis | None, *, cancelled: bool) -> None:
        """What was found; None for a job that was cancelled before it began."""
        ...

    def fail(self, reason: str) -> None:
        """It cannot be searched."""
        ...


@dataclass(eq=False)
class Job:
    """A position to search, and how."""

    position: Position
    """The job's own: nobody else plays on it."""

    algorithm: Algorithm
    values: Mapping[str, Any]
    """Settings of the search."""

    limits: Limits
    only: tuple[int, ...]
    """The first moves to keep to; none for all."""

    priority: int
    listener: Listener
    cancelled: bool = False
    """Set before the search is told to stop: one that had not begun by then stops after its first depth."""

    @property
    def search_key(self) -> tuple[object, ...]:
        """The same for jobs that one searcher can do."""
        return self.position.game.module, self.algorithm.name, tuple(sorted(self.values.items()))


class Pool:
    """Threads that do jobs; they are started when there is something to do."""

    def __init__(self, threads: int) -> None:
        self._wanted = threads
        self._waiting: list[tuple[int, int, Job]] = []
        """A heap: the priority, the highest first, and the number of the job."""

        self._numbers = 0
        self._running: dict[Job, Searcher | None] = {}
        """Without a searcher while it is being made."""

        self._threads = self._idle = self._generation = 0
        self._changed = threading.Condition()

    def submit(self, job: Job) -> None:
        """Do this as soon as a thread is free."""
        with self._changed:
            self._numbers += 1
            heapq.heappush(self._waiting, (-job.priority, self._numbers, job))
            self._start_threads()
            self._changed.notify_all()

    def cancel(self, job: Job) -> None:
        """End a job: one that is searched answers soon with what it has, one that waits at once, with nothing."""
        with self._changed:
            job.cancelled = True
            if job in self._running:
                searcher = self._running[job]
                if searcher is not None:
                    searcher.stop()       # a thread that is on to the next job has waited for this lock
                return
            left = [entry for entry in self._waiting if entry[2] is not job]
            if len(left) == len(self._waiting):
                return
            heapq.heapify(left)
            self._waiting = left
        job.listener.end(None, cancelled=True)
        with self._changed:
            self._changed.notify_all()

    def resize(self, threads: int) -> None:
        """From now on this number at once; a thread too many ends after its job."""
        with self._changed:
            self._wanted = threads
            self._start_threads()
            self._changed.notify_all()

    def forget(self) -> None:
        """Jobs that begin from now on know nothing of what was found before."""
        with self._changed:
            self._generation += 1

    def wait(self) -> None:
        """Until there is nothing left to do."""
        with self._changed:
            self._changed.wait_for(lambda: not self._waiting and not self._running)

    def _start_threads(self) -> None:
        """As many as there is work for."""
        for _ in range(min(self._wanted - self._threads, len(self._waiting) - self._idle)):
            self._threads += 1
            threading.Thread(target=self._work, name=THREAD, daemon=True).start()

    def _work(self) -> None:
        key: tuple[object, ...] | None = None
        searcher: Searcher | None = None
        while True:
            with self._changed:
                while self._threads <= self._wanted and not self._waiting:
                    self._idle += 1
                    self._changed.wait()
                    self._idle -= 1
                if self._threads > self._wanted:
                    self._threads -= 1
                    return
                job = heapq.heappop(self._waiting)[2]
                self._running[job] = None
                wanted = (*job.search_key, self._generation)
            try:
                if searcher is None or key != wanted:
                    searcher = None       # before there is another: tables are large
                    searcher, key = job.algorithm.make(job.position.game, job.values), wanted
                with self._changed:
                    self._running[job] = searcher
                job.listener.end(_search(searcher, job), cancelled=job.cancelled)
            except (BoyiError, BrokenRulesError) as error:
                job.listener.fail(str(error))
            except MemoryError:
                job.listener.fail("there is not enough memory for this search; set a smaller hash or fewer threads")
            except Exception as error:  # noqa: BLE001  (a bug: it must not cost the thread, nor the answer)
                traceback.print_exc()
                job.listener.fail(f"this should not have happened: {error!r}")
                searcher = None
            finally:
                with self._changed:
                    del self._running[job]
                    self._changed.notify_all()


def _search(searcher: Searcher, job: Job) -> Analysis:
    def hear(analysis: Analysis) -> None:
        if job.cancelled:
            searcher.stop()
        job.listener.deepen(analysis)

    return analyse(searcher, job.position, job.limits, hear, job.only)
