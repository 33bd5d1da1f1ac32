"""How far long work has come: one line on standard error, and the pace of games."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from boyi.cli import _texts as texts
from boyi.core.words import Language, Words

DELAY_SECONDS = 0.5
"""Work that is done sooner shows nothing."""

REFRESH_SECONDS = 0.1
"""Shortest interval between two lines."""

PACE = Words("{speed:.2f} games/s, {left} left", "每秒 {speed:.2f} 局，还需 {left}")


class Progress:
    """A line that is written over again, on a terminal only.

        with Progress("perft") as progress:
            progress.show("3 of 44")
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._began = time.perf_counter()
        self._shown = False
        self._last = -REFRESH_SECONDS

    def __enter__(self) -> Progress:
        return self

    @property
    def due(self) -> bool:
        """Whether a new line would be shown."""
        now = time.perf_counter()
        return sys.stderr.isatty() and now - self._began >= DELAY_SECONDS and now - self._last >= REFRESH_SECONDS

    def show(self, state: str) -> None:
        if sys.stderr.isatty() and time.perf_counter() - self._began >= DELAY_SECONDS:
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


class Pace:
    """How fast games come, and how long the rest will take."""

    def __init__(self, before: int) -> None:
        self._before = before
        self._began = time.monotonic()

    def say(self, games: int, most: int, language: Language) -> str:
        """With `games` of all `most` ended."""
        speed = max(1, games - self._before) / max(1e-6, time.monotonic() - self._began)
        left = round(max(0, most - games) / speed)
        return texts.say(PACE, language, speed=speed, left=f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02}")
