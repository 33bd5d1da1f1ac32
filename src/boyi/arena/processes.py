"""A crew of processes on this machine, each with one task at a time.

They are fresh interpreters, which inherit no threads and no half-written pipes of engines. One that has died is
replaced when there is something to do; one that is no longer needed has a moment to put its engines away.
"""

from __future__ import annotations

import _thread
import contextlib
import os
import pickle
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Any

from boyi.arena.crew import End
from boyi.arena.parcel import attempt, read_work

__all__ = ["Processes"]

GRACE_SECONDS = 5.0
"""How long a process has to put its things away, engines above all, when it is no longer needed."""

INTERRUPT_SECONDS = 0.1
"""Between two signals that interrupt a task: one just before a system call does not end it, the next one does."""


class _Worker:
    """A process and our end of the pipe to it."""

    def __init__(self) -> None:
        self.pipe, theirs = Pipe()
        # A daemon: a pool that was never closed must not keep the program from ending.
        self.process: BaseProcess = get_context("spawn").Process(target=_serve, args=(theirs,), daemon=True)
        with _interrupts_blocked():
            self.process.start()
        theirs.close()   # only the process has it now, so its death closes the pipe
        self.knows: int | None = None
        """The number of the run it has the work of."""

        self.number: int | None = None
        """Of the task it has."""

    def send(self, number: int | None, content: bytes) -> None:
        """A task, or, without a number, the work."""
        with contextlib.suppress(OSError):   # it has died, which `receive` will report
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
def _interrupts_blocked() -> Iterator[None]:
    """Block SIGINT. A process that is started here inherits that, and so does not die of Ctrl-C while it loads."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()   # else the first process starts it, and that unblocks the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Processes:
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

    def wait(self) -> list[End]:
        workers = {worker.pipe: worker for worker in self._workers if worker.number is not None}
        ends = []
        for pipe in wait(list(workers)):
            assert isinstance(pipe, Connection)
            worker = workers[pipe]
            assert worker.number is not None
            answer = worker.receive()
            if answer is None:
                self._workers.remove(worker)
                ends.append(End(worker.number, death=worker.end()))
            else:
                ends.append(End(worker.number, *answer))
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
    """What a process does: task after task, until the other end of the pipe is closed."""
    inbox: queue.SimpleQueue[tuple[int | None, bytes] | None] = queue.SimpleQueue()
    leaving = threading.Event()
    busy = False
    interrupted = False

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal interrupted
        # Before it is called off, this is Ctrl-C, which is for the parent process. Once, so that a task can clean up.
        if busy and leaving.is_set() and not interrupted:
            interrupted = True
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, on_interrupt)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    # The thread notices also during a task that the other end is closed: the pool let us go, or its process died.
    threading.Thread(target=_listen, args=(pipe, inbox, leaving), daemon=True).start()
    work: Callable[[Any], Any] | None = None
    with contextlib.suppress(KeyboardInterrupt, OSError):
        while (message := inbox.get()) is not None and not leaving.is_set():
            number, content = message
            if number is None:
                work = read_work(content)
                continue
            assert work is not None
            busy = True
            answer = attempt(work, content)
            busy = False
            pipe.send_bytes(answer)


def _listen(pipe: Connection, inbox: queue.SimpleQueue[tuple[int | None, bytes] | None],
            leaving: threading.Event) -> None:
    with contextlib.suppress(EOFError, OSError):
        while True:
            inbox.put(pipe.recv())
    leaving.set()
    inbox.put(None)
    # A task that is interrupted ends the engines it has started. One that does not react is left behind.
    end = time.monotonic() + GRACE_SECONDS
    while time.monotonic() < end:
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        else:
            _thread.interrupt_main()
        time.sleep(INTERRUPT_SECONDS)
    os._exit(1)
