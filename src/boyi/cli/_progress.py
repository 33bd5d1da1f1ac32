"""One line on standard error that says how far long work has come."""

from __future__ import annotations

import sys
import time
from types import TracebackType

PATIENCE_SECONDS = 0.5
"""Work that is done sooner says nothing."""

REST_SECONDS = 0.1
"""Nobody reads faster; `due` says when there is something to tell again."""


class Progress:
    """A line that is written over again, on a terminal only.

        with Progress("perft") as progress:
            progress.show("3 of 44")
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._began = time.perf_counter()
        self._shown = False
        self._last = -REST_SECONDS

    def __enter__(self) -> Progress:
        return self

    @property
    def due(self) -> bool:
        """Whether it is worth while to find out what to show."""
        now = time.perf_counter()
        return sys.stderr.isatty() and now - self._began >= PATIENCE_SECONDS and now - self._last >= REST_SECONDS

    def show(self, state: str) -> None:
        if sys.stderr.isatty() and time.perf_counter() - self._began >= PATIENCE_SECONDS:
            sys.stderr.write(f"\r\x1b[K{self._what}: {state}")
            sys.stderr.flush()
            self._shown = True
            self._last = time.perf_counter()

    def clear(self) -> None:
        """Take the line away: something else is about to be printed."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        self.clear()
