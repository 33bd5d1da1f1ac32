"""Work that falls into independent tasks, on one process, on several, or on several machines.

    with Pool(jobs=2) as pool:
        for game in pool.run(match.play, range(100), in_order=True):
            ...

A task is anything that can be pickled, the work a function of it that can be pickled too (of a
module, or a method of an object; it is sent to every worker once, not with every task). What the
work returns must depend on the task alone. Then it does not matter who does a task, when, and how
often it was begun, and all of these give the same results:

- one job: tasks are done here, one after the other;
- several jobs: by processes that are started when there is something to do. They are fresh
  interpreters, which inherit no threads and no half-written pipes of engines;
- a cluster: as tasks of Ray, on all machines that have joined it.

A worker that dies (it was killed, its machine went away) costs the time of its task and nothing
else: another one does the task again, and its result is handed over once. A task that was begun
`ATTEMPTS` times in vain is an error that says what happened. An error that the work itself raises
is raised here.

`Pool.run` decides what is done next; a *crew* (`arena.crew`) does it. Nothing is handed out long
before it is needed: a caller that has enough closes the generator, and there is little to call off.
A pool lives on between runs, so that many short ones pay for its start once.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable
from types import TracebackType
from typing import TypeVar

from boyi.arena.cluster import Cluster
from boyi.arena.crew import Crew, Here
from boyi.arena.processes import Processes
from boyi.core.errors import BoyiError, shorten

__all__ = ["Pool"]

Task = TypeVar("Task")
Result = TypeVar("Result")

ATTEMPTS = 5
"""How often a task may be begun; if its worker dies every time, it is likely that the task kills it."""

AHEAD = 4
"""With results in order: this many times the number of workers may be begun or done before the next result."""


class Pool:
    """A place where tasks are done; see the top of this file.

    >>> with Pool(1) as pool:
    ...     list(pool.run(str.upper, ["a", "b"], in_order=True))
    ['A', 'B']
    """

    def __init__(self, jobs: int | None = None, cluster: str | None = None) -> None:
        """`jobs` tasks at the same time; None for one, or for as many as the cluster has processors.

        `cluster` is the address of a Ray cluster, as `ray.init` knows it.
        """
        self._busy = False
        self._crew: Crew
        if cluster is not None:
            self._crew = Cluster(cluster, jobs)
        elif jobs is None or jobs <= 1:
            self._crew = Here()
        else:
            self._crew = Processes(jobs)

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    @property
    def elsewhere(self) -> bool:
        """Are tasks done in other processes, so that this one has time for something else?"""
        return not isinstance(self._crew, Here)

    def close(self) -> None:
        """End all that was started here."""
        self._crew.close()

    def run(self, work: Callable[[Task], Result], tasks: Iterable[Task], *, in_order: bool = False,
            ahead: int | None = None,
            name: Callable[[Task], str] = lambda task: f"task {shorten(task)}") -> Generator[Result]:
        """The results of all tasks, in the order in which they end, or in that of the tasks.

        Close the generator to stop early. Tasks are asked for when they are needed. With `ahead` one is asked
        for only when fewer than `ahead` before it have not been handed over: then a task may depend on the results
        of those `ahead` and more before it. `name` is what errors call a task.
        """
        if self._busy:
            raise RuntimeError("a pool has one run at a time; exhaust or close the other one first")
        if ahead is not None and ahead < 1:
            raise ValueError(f"ahead is {ahead}, and with less than 1 no task ever begins")
        self._busy = True
        crew = self._crew
        coming = enumerate(tasks)
        begun = 0
        again: deque[tuple[int, Task]] = deque()      # their worker died
        running: dict[int, Task] = {}
        deaths: Counter[int] = Counter()
        early: dict[int, Result] = {}                 # in order: done, but one before is not
        ready: deque[tuple[int, Result]] = deque()
        handed: set[int] = set()                      # handed over, of those after `first`
        first = 0                                     # the first that has not been handed over
        try:
            crew.assign(work)
            while True:
                # 1. All workers are busy, also while the caller looks at the results.
                while crew.room > 0:
                    if again:
                        number, task = again.popleft()
                    elif begun - first >= (ahead or (AHEAD * crew.size if in_order else math.inf)):
                        break
                    else:
                        following = next(coming, None)
                        if following is None:
                            break
                        number, task = following
                        begun += 1
                    running[number] = task
                    crew.begin(number, task)
                # 2. Results, one at a time: each may make room for a task.
                if ready:
                    number, result = ready.popleft()
                    handed.add(number)
                    while first in handed:
                        handed.remove(first)
                        first += 1
                    yield result
                    continue
                if not running:
                    return
                # 3. What comes in. Results first: an error must not take those with it that came together with it.
                for end in sorted(crew.wait(), key=lambda end: (end.error is not None, end.number)):
                    task = running.pop(end.number)
                    if end.error is not None:
                        yield from (result for _, result in ready)
                        raise end.error
                    if end.death is not None:
                        deaths[end.number] += 1
                        if deaths[end.number] == ATTEMPTS:
                            raise BoyiError(
                                f"{name(task)} was begun {deaths[end.number]} times, and every time the process that "
                                f"had it died, last time so: {end.death}. Is there enough memory?")
                        again.append((end.number, task))
                    elif in_order:
                        early[end.number] = end.result
                        while first + len(ready) in early:
                            ready.append((first + len(ready), early.pop(first + len(ready))))
                    else:
                        ready.append((end.number, end.result))
        finally:
            self._busy = False
            crew.call_off()
