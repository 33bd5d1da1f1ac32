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

`Pool.run` decides who does what next; a *crew* (`_Here`, `_Processes`, `_Cluster`) does it. Nothing
is handed out long before it is needed: whoever stops listening has little to call off, and calls it
off by closing the generator. A pool lives on between runs, so that many short ones pay for its
start once.
"""

from __future__ import annotations

import _thread
import contextlib
import functools
import importlib
import logging
import math
import os
import pickle
import queue
import signal
import socket
import threading
import time
import traceback
import uuid
import warnings
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import FrameType, TracebackType
from typing import Any, Protocol, TypeVar

from boyi.core.errors import BoyiError, MissingPartError, shorten

__all__ = ["Pool", "join"]

Task = TypeVar("Task")
Result = TypeVar("Result")

ATTEMPTS = 5
"""So often a task may be begun; if its worker dies every time, it is likely that the task kills it."""

AHEAD = 4
"""With results in order: so many times the number of workers may be begun or done before the next result."""

GRACE_SECONDS = 2.0
"""So long a process has to put its things away, engines above all, when it is no longer needed."""

DEPTH = 2
"""On a cluster: how many tasks per processor are handed out, so that none waits for us."""

COUNT_SECONDS = 1.0
"""How often the processors of a cluster are counted; machines come and go."""

LONELY_SECONDS = 20.0
"""A cluster where nothing ended for so long is asked whether it has any processors left."""

CONNECT_SECONDS = 10.0
HELP = ("A cluster is begun by `ray start --head`, and every machine of it, this one too, joins it by "
        "`ray start --address=HOST:6379`; see docs/arena.md.")


@dataclass(frozen=True)
class _End:
    """How a task ended: with a result, with an error of its own, or with the death of whoever did it."""

    number: int
    result: Any = None
    error: BaseException | None = None
    death: str | None = None


class _Crew(Protocol):
    """Those who work."""

    @property
    def size(self) -> int:
        """How many tasks are done at the same time."""

    @property
    def room(self) -> int:
        """How many tasks it takes now."""

    def assign(self, work: Callable[[Any], Any]) -> None:
        """What tasks of the next run are for."""

    def begin(self, number: int, task: object) -> None:
        """Do a task; its number comes back with its end."""

    def wait(self) -> list[_End]:
        """Wait until a task has ended. Every task that was begun ends once, but for those called off."""

    def call_off(self) -> None:
        """Forget the tasks that have not ended."""

    def close(self) -> None:
        """Leave nothing behind."""


class Pool:
    """A place where tasks are done; see the top of this file."""

    def __init__(self, jobs: int | None = None, cluster: str | None = None) -> None:
        """So many tasks at the same time; None for one, or for as many as the cluster has processors.

        `cluster` is the address of a Ray cluster, as `ray.init` knows it.
        """
        self._busy = False
        self._crew: _Crew
        if cluster is not None:
            self._crew = _Cluster(cluster, jobs)
        elif jobs is None or jobs <= 1:
            self._crew = _Here()
        else:
            self._crew = _Processes(jobs)

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    @property
    def elsewhere(self) -> bool:
        """Are tasks done in other processes, so that this one has time for something else?"""
        return not isinstance(self._crew, _Here)

    def close(self) -> None:
        """End all that was started here."""
        self._crew.close()

    def run(self, work: Callable[[Task], Result], tasks: Iterable[Task], *, in_order: bool = False,
            ahead: int | None = None,
            name: Callable[[Task], str] = lambda task: f"task {shorten(task)}") -> Generator[Result]:
        """The results of all tasks, in the order in which they end, or in that of the tasks.

        Close the generator to stop early. Tasks are asked for when they are needed. With `ahead` one is asked
        for only when at most so many before it, less one, have not been handed over: then tasks may depend on
        the results of those that came so long before. `name` is what errors call a task.
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
        handed: set[int] = set()                      # over, that is, of those after `first`
        first = 0                                     # the first that has not been handed over
        try:
            crew.assign(work)
            while True:
                # 1. Everybody has something to do, also while the results are looked at.
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


# ---------------------------------------------------------------------- in this process

class _Here:
    """Nobody else: a task is done when its end is waited for."""

    size = 1

    def __init__(self) -> None:
        self._work: Callable[[Any], Any] | None = None
        self._next: tuple[int, object] | None = None

    @property
    def room(self) -> int:
        return 0 if self._next is not None else 1

    def assign(self, work: Callable[[Any], Any]) -> None:
        self._work = work

    def begin(self, number: int, task: object) -> None:
        self._next = number, task

    def wait(self) -> list[_End]:
        assert self._work is not None and self._next is not None
        number, task = self._next
        self._next = None
        return [_End(number, self._work(task))]

    def call_off(self) -> None:
        self._work = self._next = None

    def close(self) -> None:
        pass


# ---------------------------------------------------------------------- processes on this machine

class _Worker:
    """A process and our end of the pipe to it."""

    def __init__(self) -> None:
        self.pipe, theirs = Pipe()
        # A daemon: if somebody forgets to close the pool, it does not keep the program from ending.
        self.process: BaseProcess = get_context("spawn").Process(target=_serve, args=(theirs,), daemon=True)
        with _deaf_to_interrupts():
            self.process.start()
        theirs.close()   # only the process has it now, so its death is the end of the pipe
        self.knows: int | None = None
        """The number of the run it has the work of."""

        self.number: int | None = None
        """Of the task it has."""

    def send(self, number: int | None, content: bytes) -> None:
        """A task, or, without a number, the work."""
        with contextlib.suppress(OSError):   # it has died, and whoever waits for it will find that out
            self.pipe.send((number, content))

    def receive(self) -> tuple[Any, BaseException | None] | None:
        """The result of its task, and the error if there was one; None if it has died."""
        try:
            content = self.pipe.recv_bytes()
        except (EOFError, OSError):
            return None
        result: tuple[Any, BaseException | None] = pickle.loads(content)
        return result

    def end(self) -> str:
        """Let it go; how it ended."""
        self.pipe.close()
        self.process.join(2 * GRACE_SECONDS)
        if self.process.exitcode is None:
            self.process.kill()
            self.process.join()
        code = self.process.exitcode
        self.process.close()
        if code is not None and code < 0:
            with contextlib.suppress(ValueError):
                return f"it was ended by signal {-code} ({signal.Signals(-code).name})"
        return f"it ended with exit code {code}"


@contextlib.contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Let Ctrl-C wait. A process that is started here begins deaf, too, and so does not die of it while it loads."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()   # else the first process starts it, and that ends the deafness
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Processes:
    """Processes, each with one task at a time. One that has died is replaced when there is something to do."""

    def __init__(self, jobs: int) -> None:
        self.size = jobs
        self._workers: list[_Worker] = []
        self._run = 0
        self._work = b""

    @property
    def room(self) -> int:
        return self.size - sum(worker.number is not None for worker in self._workers)

    def assign(self, work: Callable[[Any], Any]) -> None:
        self._run += 1
        self._work = pickle.dumps(work)

    def begin(self, number: int, task: object) -> None:
        worker = next((worker for worker in self._workers if worker.number is None), None)
        if worker is None:
            worker = _Worker()
            self._workers.append(worker)
        if worker.knows != self._run:
            worker.send(None, self._work)
            worker.knows = self._run
        worker.number = number
        worker.send(number, pickle.dumps(task))

    def wait(self) -> list[_End]:
        workers = {worker.pipe: worker for worker in self._workers if worker.number is not None}
        ends = []
        for pipe in wait(list(workers)):
            assert isinstance(pipe, Connection)
            worker = workers[pipe]
            assert worker.number is not None
            answer = worker.receive()
            if answer is None:
                self._workers.remove(worker)
                ends.append(_End(worker.number, death=worker.end()))
            else:
                ends.append(_End(worker.number, *answer))
            worker.number = None
        return ends

    def call_off(self) -> None:
        self._dismiss([worker for worker in self._workers if worker.number is not None])

    def close(self) -> None:
        self._dismiss(self._workers)

    def _dismiss(self, workers: list[_Worker]) -> None:
        """Let them all go, then wait for each."""
        self._workers = [worker for worker in self._workers if worker not in workers]
        for worker in workers:
            worker.pipe.close()
        for worker in workers:
            worker.end()


def _serve(pipe: Connection) -> None:
    """What a process does: task after task, until nobody is at the other end of the pipe."""
    inbox: queue.SimpleQueue[tuple[int | None, bytes] | None] = queue.SimpleQueue()
    leaving = threading.Event()
    busy = False

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        if busy and leaving.is_set():   # else it is Ctrl-C, and that is for whoever has hired us
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, on_interrupt)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    # The thread notices also in the middle of a task that nobody is there any more: we were let go, or they died.
    threading.Thread(target=_listen, args=(pipe, inbox, leaving), daemon=True).start()
    work: Callable[[Any], Any] | None = None
    with contextlib.suppress(KeyboardInterrupt, OSError):
        while (message := inbox.get()) is not None and not leaving.is_set():
            number, content = message
            if number is None:
                work = _unpickled(content)
                continue
            assert work is not None
            busy = True
            answer = _attempt(work, content)
            busy = False
            pipe.send_bytes(answer)


def _listen(pipe: Connection, inbox: queue.SimpleQueue[tuple[int | None, bytes] | None],
            leaving: threading.Event) -> None:
    with contextlib.suppress(EOFError, OSError):
        while True:
            inbox.put(pipe.recv())
    leaving.set()
    inbox.put(None)
    # A task that is interrupted ends the engines it has started. One that does not listen is left behind.
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()
    time.sleep(GRACE_SECONDS)
    os._exit(1)


def _unpickled(content: bytes) -> Callable[[Any], Any]:
    """The work; what cannot be read is an error of every task."""
    try:
        work: Callable[[Any], Any] = pickle.loads(content)
    except Exception as error:   # noqa: BLE001  whatever it is, it is told where the work came from
        return functools.partial(_complain, error)
    return work


def _complain(error: Exception, task: object) -> None:
    raise error


def _attempt(work: Callable[[Any], Any], task: bytes) -> bytes:
    """Do a task: its result and None, or None and the error it raised, pickled."""
    try:
        return pickle.dumps((work(pickle.loads(task)), None))
    except Exception as error:   # noqa: BLE001  it is raised again at the other end
        error.add_note(f"In a worker of a pool:\n{traceback.format_exc()}")
        try:
            content = pickle.dumps((None, error))
            pickle.loads(content)
        except Exception:        # noqa: BLE001  some errors cannot travel; their words can
            content = pickle.dumps((None, RuntimeError("".join(traceback.format_exception(error)))))
        return content


# ---------------------------------------------------------------------- several machines

class _Cluster:
    """Tasks of Ray. What Ray says of a worker or a machine that died is a death like any other here."""

    def __init__(self, address: str, jobs: int | None) -> None:
        self._address = address
        self._jobs = jobs
        self._ray = _import_ray()
        self._joined = not self._ray.is_initialized()   # else somebody else joined, and will leave
        if self._joined:
            _join(self._ray, address)
        self._processors = 0
        self._counted = -COUNT_SECONDS
        self._running: dict[Any, int] = {}
        self._holder: list[Any] = []
        self._key = ""
        # Ray must not begin a task again by itself: the pool does, and counts.
        self._play = self._ray.remote(num_cpus=1, max_retries=0)(_make_player())
        if self.size < 1:
            self.close()
            raise BoyiError(f"the cluster at {shorten(address)} has no processors to play on; "
                            f"let a machine join it with: ray start --address={address}")

    @property
    def size(self) -> int:
        now = time.monotonic()
        if now - self._counted >= COUNT_SECONDS:
            self._counted = now
            self._processors = int(self._ray.cluster_resources().get("CPU", 0))
        return self._processors if self._jobs is None else min(self._jobs, self._processors)

    @property
    def room(self) -> int:
        # Whoever names a number of jobs wants no more than these; else one more each is on its way.
        depth = DEPTH if self._jobs is None else 1
        return max(1, depth * self.size) - len(self._running)

    def assign(self, work: Callable[[Any], Any]) -> None:
        self._key = uuid.uuid4().hex
        self._holder = [self._ray.put(pickle.dumps(work))]   # in a list, it is fetched only by who needs it

    def begin(self, number: int, task: object) -> None:
        self._running[self._play.remote(_version(), self._key, self._holder, pickle.dumps(task))] = number

    def wait(self) -> list[_End]:
        while True:
            references, _ = self._ray.wait(list(self._running), num_returns=1, timeout=LONELY_SECONDS)
            if references:
                return [self._end(reference) for reference in references]
            self._counted = -COUNT_SECONDS
            if self.size < 1:
                raise BoyiError(f"all machines with processors have left the cluster at {shorten(self._address)}")

    def _end(self, reference: Any) -> _End:
        number = self._running.pop(reference)
        errors = self._ray.exceptions
        try:
            answer = self._ray.get(reference)
        except errors.RayTaskError as error:
            return _End(number, error=error.cause if isinstance(error.cause, Exception) else error)
        except errors.RayError as error:
            return _End(number, death=str(error).partition("\n")[0])
        if isinstance(answer, str):
            return _End(number, error=BoyiError(answer))
        return _End(number, *pickle.loads(answer))

    def call_off(self) -> None:
        for reference in self._running:
            self._ray.cancel(reference)
        self._running.clear()
        self._holder = []

    def close(self) -> None:
        self._running.clear()
        if self._joined:
            self._ray.shutdown()


def _import_ray() -> Any:
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise MissingPartError.extra("a cluster", "cluster") from error


def join(address: str) -> Any:
    """Ray, when this process has joined the cluster at an address; whoever called this leaves it by `shutdown`."""
    ray = _import_ray()
    if not ray.is_initialized():
        _join(ray, address)
    return ray


def _join(ray: Any, address: str) -> None:
    """Become a driver of the cluster."""
    # Ray tells of machines that die on standard output, among the results. It has a switch for that, if not in public;
    # where that is missing, it talks.
    with contextlib.suppress(ImportError):
        vars(importlib.import_module("ray._private.worker"))["_worker_logs_enabled"] = False
    host, colon, port = address.rpartition(":")
    if colon and "/" not in host and port.isdecimal():
        try:   # Ray itself would try for minutes
            socket.create_connection((host, int(port)), CONNECT_SECONDS).close()
        except (OSError, OverflowError) as error:
            raise BoyiError(f"nobody answers at {shorten(address)} ({error}). {HELP}") from error
    try:
        with warnings.catch_warnings(action="ignore"):   # hints for users of Ray, who ours are not
            ray.init(address, log_to_driver=False, logging_level=logging.ERROR)
    except (ray.exceptions.RayError, OSError, RuntimeError, ValueError) as error:
        # Where Ray quotes a stack the last line says what went wrong.
        why = (str(error).strip() or type(error).__name__).splitlines()[-1].removesuffix(".")
        token = "" if os.environ.get("RAY_AUTH_MODE") == "token" else (
            " If the cluster has a token, set RAY_AUTH_MODE=token here, too.")
        raise BoyiError(f"cannot join the cluster at {shorten(address)}: {why}. {HELP}{token}") from error


@functools.cache
def _version() -> str:
    from importlib.metadata import version

    return version("boyi")


def _make_player() -> Callable[[str, str, list[Any], bytes], bytes | str]:
    """What a worker of Ray runs.

    A function inside a function travels as code, and so it can say what is wrong also
    where Boyi is missing. It must not use anything of this module but what it imports.
    """
    def play(version: str, key: str, holder: list[Any], task: bytes) -> bytes | str:
        import socket
        try:
            from boyi.arena.pool import do_for_cluster
        except ImportError as error:
            return (f"the machine {socket.gethostname()} of the cluster has no Boyi {version}, which this one has "
                    f"({error}); install the same version there, for the Python that ran `ray start`")
        return do_for_cluster(version, key, holder, task)
    return play


_assigned: tuple[str, Callable[[Any], Any]] | None = None
"""In a worker of Ray: the key of a run, and its work."""


def do_for_cluster(version: str, key: str, holder: list[Any], task: bytes) -> bytes | str:
    """In a worker of Ray: do a task; a text says why this is no place for it."""
    global _assigned
    if version != _version():
        return (f"the machine {socket.gethostname()} of the cluster has Boyi {_version()}, and this one has {version}; "
                f"install the same version on all")
    if _assigned is None or _assigned[0] != key:
        _assigned = key, _unpickled(_import_ray().get(holder[0]))
    return _attempt(_assigned[1], task)
