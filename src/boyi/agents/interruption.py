"""Searching so that Ctrl-C ends the search.

Compiled code does not look for signals, and a handler in Python only runs when the search has returned. But the
system's part of a handler writes a byte to a socket at once (`signal.set_wakeup_fd`). A thread that waits for it tells
the search to stop. It is started once: a thread for every search, as there was before, took a third of a
millisecond of CPU, a fifth of a fast game.

Only the main thread hears of Ctrl-C; searches elsewhere need none of this.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import cast

from boyi.core.position import Position
from boyi.core.searcher import DeepeningSearcher, Limits, Result, Searcher

STOP_SECONDS = 0.05
"""Interval at which an interrupted search is stopped again: a stop before it has begun has no effect."""


def search(searcher: Searcher, position: Position, limits: Limits,
           on_depth: Callable[[Result], object] | None = None, only: tuple[int, ...] = ()) -> Result:
    """Search; Ctrl-C is a `KeyboardInterrupt` at once, and not only after the search.

    For searchers that deepen: `on_depth` is called with the result of every depth, and `only`, if not empty, are the
    first moves to keep to.
    """
    if threading.current_thread() is not threading.main_thread():
        return _search(searcher, position, limits, on_depth, only)
    guard = _find_guard()
    with guard.listening():
        before = guard.watch(searcher)
        try:
            return _search(searcher, position, limits, on_depth, only)
        finally:
            guard.watch(before)


def _search(searcher: Searcher, position: Position, limits: Limits,
            on_depth: Callable[[Result], object] | None, only: tuple[int, ...]) -> Result:
    if on_depth is None and not only:
        return searcher.search(position, limits)
    return cast(DeepeningSearcher, searcher).search(position, limits, on_depth, only)


@contextmanager
def listening() -> Generator[None]:
    """Many searches: what is the same for all of them is done once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    with _find_guard().listening():
        yield


def search_until_interrupted(searcher: Searcher, position: Position, limits: Limits,
                             on_depth: Callable[[Result], object] | None = None) -> tuple[Result, bool]:
    """Search; Ctrl-C ends it and is no error: the answer so far, and whether it was interrupted."""
    with _noting_interrupts() as interrupts:
        result = search(searcher, position, limits, on_depth)
    return result, bool(interrupts)


@contextmanager
def _noting_interrupts() -> Generator[list[int]]:
    """Keep Ctrl-C in a list."""
    noted: list[int] = []
    if (threading.current_thread() is not threading.main_thread()
            or signal.getsignal(signal.SIGINT) is not signal.default_int_handler):
        yield noted
        return

    def note(number: int, frame: FrameType | None) -> None:
        noted.append(number)

    signal.signal(signal.SIGINT, note)
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


class _Guard:
    """The thread that waits for Ctrl-C, and what it then tells to stop."""

    def __init__(self) -> None:
        self._heard, self._told = socket.socketpair()
        self._told.setblocking(False)
        self._searcher: Searcher | None = None
        self._listening = False
        threading.Thread(target=self._wait, name="interruption", daemon=True).start()

    @contextmanager
    def listening(self) -> Generator[None]:
        """Signals wake the thread until this is left; then the descriptor that was set before is set again."""
        if self._listening:
            yield
            return
        before = signal.set_wakeup_fd(self._told.fileno(), warn_on_full_buffer=False)
        self._listening = True
        try:
            yield
        finally:
            self._listening = False
            signal.set_wakeup_fd(before)

    def watch(self, searcher: Searcher | None) -> Searcher | None:
        """This is what Ctrl-C stops from now on; what it was before."""
        before, self._searcher = self._searcher, searcher
        return before

    def _wait(self) -> None:
        while numbers := self._heard.recv(64):
            searcher = self._searcher if signal.SIGINT in numbers else None
            while searcher is not None and searcher is self._searcher:     # not the one that is watched next
                searcher.stop()
                time.sleep(STOP_SECONDS)


_guard: _Guard | None = None


def _find_guard() -> _Guard:
    global _guard
    if _guard is None:
        _guard = _Guard()
    return _guard


def _forget_guard() -> None:
    global _guard
    _guard = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_guard)   # threads do not come along
