"""How far long work has come: one line on standard error, and the pace of games."""

from __future__ import annotations

import math
import sys
import time
from types import TracebackType
from typing import Protocol

from boyi.cli import _texts as texts
from boyi.core.words import Language, Words

DELAY_SECONDS = 0.5
"""Work that is done sooner shows nothing."""

LOG_DELAY_SECONDS = 60.0
"""Work that is done sooner logs nothing."""

REFRESH_SECONDS = 0.1
"""Shortest interval between two lines."""

LOG_SECONDS = 60
"""Interval of lines about positions where standard error is no terminal."""

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

    def log(self, state: str) -> None:
        """Show what is worth a line of its own where standard error is no terminal."""
        if sys.stderr.isatty():
            self.show(state)
        elif time.perf_counter() - self._began >= LOG_DELAY_SECONDS:
            print(f"{self._what}: {state}", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away: something else is about to be printed."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        self.clear()


class Done(Protocol):
    """How far labelled games are (`learn.fitting.positions`)."""

    @property
    def games(self) -> int: ...
    @property
    def positions(self) -> int: ...
    @property
    def new_positions(self) -> int: ...


class PositionPace:
    """How fast positions come and how many there will be: on a terminal always, else a line now and then."""

    def __init__(self, progress: Progress, seconds: float | None, games: int | None) -> None:
        self._progress, self._seconds, self._games = progress, seconds, games
        self._began = self._last = time.monotonic()
        self._games_before: int | None = None

    def show(self, done: Done) -> None:
        now = time.monotonic()
        if self._games_before is None:
            self._games_before = done.games
        passed = max(1e-6, now - self._began)
        speed, games_speed = done.new_positions / passed, (done.games - self._games_before) / passed
        text = f"{done.positions:,} positions of {done.games:,} games, {speed:,.0f} positions/s"
        if games_speed:
            by_time = math.inf if self._seconds is None else self._seconds - passed
            by_games = math.inf if self._games is None else (self._games - done.games) / games_speed
            left = max(0.0, min(by_time, by_games))
            text += f", about {done.positions + left * speed:,.0f} in {round(left) // 3600}:{round(left) // 60 % 60:02}"
        if sys.stderr.isatty():
            self._progress.show(text)
        elif now - self._last >= LOG_SECONDS:
            self._last = now
            print(f"learn positions: {text}", file=sys.stderr, flush=True)


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
