"""Answers that are the same for everyone and take long to make: made once, in a thread, and kept encoded."""

from __future__ import annotations

import asyncio
import gzip
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import msgspec

from boyi.server.work import in_thread

MOST_ANSWERS = 256
MOST_BYTES = 16_000_000
"""What is kept, together; what was not asked for longest is forgotten first."""

Answer = tuple[bytes, bytes]
"""JSON, plain and compressed."""


class Kept:
    """The kept answers of a server, by what was asked."""

    def __init__(self) -> None:
        self._answers: OrderedDict[object, asyncio.Task[Answer]] = OrderedDict()
        self._bytes = 0

    async def find(self, key: object, make: Callable[[], Any]) -> Answer:
        """The answer to a question; requests that come while it is made wait for the same one."""
        task = self._answers.get(key)
        if task is None:
            task = self._answers[key] = asyncio.create_task(self._make(key, make))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())   # nobody may be left to see it
        else:
            self._answers.move_to_end(key)
        return await asyncio.shield(task)

    async def _make(self, key: object, make: Callable[[], Any]) -> Answer:
        try:
            answer = await in_thread(_encode, make)
        except BaseException:
            del self._answers[key]   # what cannot be answered is not kept
            raise
        self._bytes += _size(answer)
        while len(self._answers) > MOST_ANSWERS or self._bytes > MOST_BYTES:
            other, task = next(iter(self._answers.items()))
            if other == key or not task.done():
                break   # the oldest is being made: the next that is made looks again
            del self._answers[other]
            self._bytes -= _size(task.result())
        return answer


def _encode(make: Callable[[], Any]) -> Answer:
    plain = msgspec.json.encode(make())
    return plain, gzip.compress(plain, 5, mtime=0)


def _size(answer: Answer) -> int:
    return len(answer[0]) + len(answer[1])
