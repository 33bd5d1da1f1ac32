"""A worker that is a process of this machine."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Sequence

import msgspec

from boyi.server.engines.questions import Asked, Leave, Reply, Stop

LONGEST_LINE = 2**20
"""Bytes of an answer."""

NICENESS = 19
"""Engines take the processor time that is left over: a move of the AI can wait, a move of a person cannot."""

PROGRAM = (f"import os, runpy; getattr(os, 'nice', int)({NICENESS}); "
           "runpy.run_module('boyi.server.engines.worker', run_name='__main__')")
"""What a worker runs: it is nice before it loads the games, which takes it longer than most moves."""

KEPT = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "SYSTEMROOT", "BOYI_GAMES", "CYTHON", "HOME")
"""What a worker gets of the server's environment; not, for one, the address of the database."""


class ProcessWorker:
    """One process, started when it is needed, and again after it had to be ended."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: asyncio.subprocess.Process | None = None
        self._has_answered = False
        self._starting = asyncio.Lock()
        self._stopped = 0
        """The number of the question that was stopped last."""

    @property
    def is_new(self) -> bool:
        return not self._has_answered or self._process is None or self._process.returncode is not None

    async def start(self) -> None:
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                await self.end()
                environment = {name: os.environ[name] for name in KEPT if name in os.environ}
                self._process = await asyncio.create_subprocess_exec(
                    *self._command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                    env=environment, limit=LONGEST_LINE)

    async def answer(self, question: Asked) -> Reply:
        await self.start()
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise OSError("a worker without pipes")
        process.stdin.write(msgspec.json.encode(question) + b"\n")
        if self._stopped == question.number:   # while the process was started
            self.stop(question.number)
        await process.stdin.drain()
        line = await process.stdout.readline()
        if not line:
            raise EOFError("the worker has ended")
        reply = msgspec.json.decode(line, type=Reply)
        if reply.number != question.number:
            raise ValueError(f"the worker answered question {reply.number}, not {question.number}")
        self._has_answered = True
        return reply

    def stop(self, number: int) -> None:
        self._stopped = number
        self._tell(Stop(number))

    def leave(self, stream: int) -> None:
        self._tell(Leave(stream))

    def _tell(self, told: Stop | Leave) -> None:
        if self._process is not None and self._process.stdin is not None and self._process.returncode is None:
            self._process.stdin.write(msgspec.json.encode(told) + b"\n")

    async def end(self) -> None:
        process, self._process = self._process, None
        self._has_answered = False
        if process is None:
            return
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        if process.stdin is not None:
            process.stdin.close()
        await process.wait()
