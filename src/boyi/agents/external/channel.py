"""A process that talks in lines, and where to find its program.

A thread reads whatever comes, so that the program never waits for us. What it may do to us is bounded: of a long
line only the beginning is kept, of many unread lines only the last ones, and an answer is waited for until its
deadline, however much else is said.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from typing import IO

from boyi.agents.agent import AgentError
from boyi.core.errors import OptionError, shorten

STARTING_SECONDS = 20.0
"""Timeout for a program's introduction, and for answers that need no search."""

LONGEST_LINE = 1 << 16
"""Characters that are kept of a longer line."""

MOST_LINES = 10_000
"""Unread lines that are kept; of more, the last ones."""

LAST_WORDS = 3
"""Lines of its error output that are repeated when a program has ended."""

QUIT_SECONDS = 0.5
"""Timeout after `quit`; then the process is killed."""

GAMES_FOLDERS = ("/usr/games", "/usr/local/games")


class Channel:
    """A process that talks in lines. Reading never blocks for longer than asked."""

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self.name = name
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                encoding="utf-8", errors="replace", bufsize=1, start_new_session=os.name == "posix")
        except OSError as error:
            raise AgentError(f"{name} does not start: {error.strerror or error}", "crash") from error
        self._lines = _Lines()
        self._complaints: deque[str] = deque(maxlen=LAST_WORDS)
        self._readers = [threading.Thread(target=_pump, args=arguments, daemon=True) for arguments in (
            (self._process.stdout, self._lines.put), (self._process.stderr, self._complain))]
        for reader in self._readers:
            reader.start()
        # An agent that was never closed must not leave its process behind.
        self._finalizer = weakref.finalize(self, _end, self._process)

    def _complain(self, line: str | None) -> None:
        if line:
            self._complaints.append(line)

    def send(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise self.ended() from None

    def receive(self, deadline: float, doing: str) -> str:
        """The next line; an `AgentError` at the deadline or when the process has ended."""
        line = self.poll(deadline - time.monotonic())
        if line is None:
            self.close()
            raise AgentError(f"{self.name} did not answer in time ({doing})", "timeout")
        return line

    def poll(self, seconds: float) -> str | None:
        """The next line, or None if none comes in that time."""
        try:
            return self._lines.get(seconds)
        except EOFError:
            raise self.ended() from None

    def ended(self) -> AgentError:
        """The error of a process that has ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=1.0)
        self._readers[1].join(timeout=0.5)
        code = self._process.returncode
        how = ("closed its output" if code is None else f"ended with exit code {code}" if code >= 0 else
               f"was ended by signal {-code}")
        last = f": {shorten(' / '.join(self._complaints), 200)}" if self._complaints else ""
        self.close()
        return AgentError(f"{self.name} {how}{last}", "crash")

    def close(self) -> None:
        """End the process: by `quit`, then by force."""
        if self._finalizer.detach() is not None:
            _end(self._process)


class _Lines:
    """The lines that have come and not been read, up to the end, which is None."""

    def __init__(self) -> None:
        self._waiting: deque[str | None] = deque(maxlen=MOST_LINES)
        self._news = threading.Condition()

    def put(self, line: str | None) -> None:
        with self._news:
            self._waiting.append(line)
            self._news.notify()

    def get(self, seconds: float) -> str | None:
        """The next line, or None if none comes in time; an `EOFError` if none will ever come."""
        with self._news:
            # Too late is too late, also for a line that has come: a program that never stops talking does not answer.
            if seconds <= 0 or not self._news.wait_for(lambda: self._waiting, seconds):
                return None
            if self._waiting[0] is None:
                raise EOFError
            return self._waiting.popleft()


def _pump(stream: IO[str], put: Callable[[str | None], None]) -> None:
    """Read to the end, which a thread must do lest the program wait for us."""
    with contextlib.suppress(ValueError, OSError), stream:
        while line := stream.readline(LONGEST_LINE):
            put(line.rstrip("\r\n"))
            while line and not line.endswith("\n"):
                line = stream.readline(LONGEST_LINE)
    put(None)


def _end(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    with contextlib.suppress(OSError, ValueError):
        process.stdin.write("quit\n")
    with contextlib.suppress(OSError):
        process.stdin.close()
    try:
        process.wait(timeout=QUIT_SECONDS)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)   # with whatever it started
            else:
                process.kill()
        process.wait()


def find_program(name: str) -> str:
    """The path of a program, as a shell would find it, or among Debian's games."""
    found = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", os.defpath), *GAMES_FOLDERS]))
    if found is None:
        raise OptionError(f"there is no program {shorten(name)} on the PATH or in {', '.join(GAMES_FOLDERS)}; "
                          f"install it, or write its whole path")
    return found
