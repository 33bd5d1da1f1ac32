"""One thread that writes, many writes in one transaction.

It takes whatever is waiting, writes it in one transaction and waits once for the disk (group commit): alone a commit
takes milliseconds, together they cost little more than one. What is of the same kind (`write_batched`) goes by one
statement for the whole group, and the event loop that waits is woken once for all of them. If the transaction fails,
everything in it is tried again one by one, so that one bad write harms no other.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import sqlalchemy as sa

from boyi.server.metrics import Histogram
from boyi.server.store.database import Database
from boyi.server.store.errors import storage_error

MOST_IN_A_GROUP = 256

T = TypeVar("T")
B = TypeVar("B")


@dataclass(frozen=True)
class _Batched(Generic[B]):
    item: B


@dataclass(frozen=True)
class _Write(Generic[B]):
    work: Callable[[sa.Connection], Any] | _Batched[B]
    future: asyncio.Future[Any]


class _Next:
    """Something urgent waits."""


class Writer(Generic[B]):
    """The writing thread of a database."""

    def __init__(self, database: Database, batch: Callable[[sa.Connection, Sequence[B]], None]) -> None:
        self._database = database
        self._batch = batch
        """Writes all batched items of a group."""

        self._queue: queue.SimpleQueue[_Write[B] | _Next | None] = queue.SimpleQueue()
        self._urgent: deque[_Write[B]] = deque()
        """What comes before all others; for each of them there is a `_Next` in the queue."""

        self._thread: threading.Thread | None = None
        self._connection: sa.Connection | None = None
        """Of the thread."""

        self.groups = 0
        self.writes = 0
        self.seconds = Histogram()
        """For the metrics: how many transactions, how many writes were in them, and how long they took."""

    @property
    def waiting(self) -> int:
        """How many writes wait for the thread."""
        return self._queue.qsize()

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="boyi-store", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Write what is waiting, and end the thread."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
            self._thread = None

    async def write(self, work: Callable[[sa.Connection], T], *, urgent: bool = False) -> T:
        """Have something written; when this returns it is on disk, or it fails with a `StorageError`.

        What is urgent goes with the next transaction, however many writes wait.
        """
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        if urgent:
            self._urgent.append(_Write(work, future))
            self._queue.put(_Next())
        else:
            self._queue.put(_Write(work, future))
        return await future

    async def write_batched(self, item: B) -> None:
        """Have an item written together with all others of its group."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put(_Write(_Batched(item), future))
        await future

    # ------------------------------------------------------------------ in the thread

    def _run(self) -> None:
        ended = False
        while not ended:
            group = [self._queue.get()]
            while len(group) < MOST_IN_A_GROUP and group[-1] is not None:
                try:
                    group.append(self._queue.get_nowait())
                except queue.Empty:
                    break
            ended = group[-1] is None
            urgent = [self._urgent.popleft() for _ in range(len(self._urgent))]
            # From here on no write can be cancelled: its caller is told, or has gone.
            writes = [write for write in (*urgent, *group)
                      if isinstance(write, _Write) and not write.future.cancelled()]
            if writes and not self._write_group(writes):
                for write in writes:
                    self._write_group([write], last=True)
        self._disconnect()

    def _write_group(self, group: Sequence[_Write[B]], last: bool = False) -> bool:
        """Write a group in one transaction; False if it failed and should be tried singly."""
        began = time.monotonic()
        try:
            # One connection for all: to open one costs as much as to commit.
            if self._connection is None:
                self._connection = self._database.engine.connect()
            with self._connection.begin():
                batched = [write.work.item for write in group if isinstance(write.work, _Batched)]
                if batched:
                    self._batch(self._connection, batched)
                results = [None if isinstance(write.work, _Batched) else write.work(self._connection)
                           for write in group]
        except Exception as error:  # noqa: BLE001  (whatever it is, the callers must be told)
            self._disconnect()
            if not last and len(group) > 1:
                return False
            _report(group, [storage_error(error)] * len(group))
            return True
        self.seconds.observe(time.monotonic() - began)
        self.groups += 1
        self.writes += len(group)
        _report(group, results)
        return True

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(sa.exc.SQLAlchemyError):
                connection.close()


def _report(group: Sequence[_Write[Any]], results: Sequence[Any]) -> None:
    """Give the callers their results: each event loop is woken once."""
    waiting: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any]]] = {}
    for write, result in zip(group, results, strict=True):
        waiting.setdefault(write.future.get_loop(), []).append((write.future, result))
    for loop, pairs in waiting.items():
        with contextlib.suppress(RuntimeError):   # its loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_settle, pairs)


def _settle(pairs: Sequence[tuple[asyncio.Future[Any], Any]]) -> None:
    for future, result in pairs:
        if future.done():
            continue   # its caller has gone
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)
