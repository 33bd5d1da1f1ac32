"""Ctrl-C in the middle of a search."""

from __future__ import annotations

import _thread
import signal
import threading

import pytest

import boyi
from boyi.agents.interruption import listening, search, search_until_interrupted
from boyi.agents.searching import all_algorithms
from boyi.core.position import Position
from boyi.core.searcher import Limits, Result, Searcher

LONG = Limits(seconds=100)
"""Nobody waits for the end of such a search."""


class Watched:
    """A searcher that tells when it begins and when it is stopped."""

    def __init__(self) -> None:
        self._searcher: Searcher = all_algorithms()["alphabeta"].make(boyi.start("xiangqi").game, {})
        self.began, self.stopped = threading.Event(), threading.Event()

    def search(self, position: Position, limits: Limits) -> Result:
        self.began.set()
        return self._searcher.search(position, limits)

    def stop(self) -> None:
        self.stopped.set()
        self._searcher.stop()


def interrupt(searcher: Watched) -> threading.Thread:
    """Ctrl-C as soon as the search has begun."""
    def work() -> None:
        searcher.began.wait()
        _thread.interrupt_main()
    thread = threading.Thread(target=work)
    thread.start()
    return thread


@pytest.fixture(autouse=True)
def _in_the_main_thread() -> None:
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("only the main thread hears of Ctrl-C, and this is another one")


def test_a_search_ends_at_once_with_its_answer() -> None:
    searcher, start = Watched(), boyi.start("xiangqi")
    thread = interrupt(searcher)
    result, interrupted = search_until_interrupted(searcher, start, LONG)
    thread.join()
    assert interrupted
    assert searcher.stopped.is_set()
    assert result.move in start.moves()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_search_ends_at_once_with_an_interrupt() -> None:
    searcher, start = Watched(), boyi.start("xiangqi")
    before = signal.set_wakeup_fd(-1)
    signal.set_wakeup_fd(before)
    thread = interrupt(searcher)
    with pytest.raises(KeyboardInterrupt):
        search(searcher, start, LONG)
    thread.join()
    assert start.to_text() == boyi.start("xiangqi").to_text()
    assert signal.set_wakeup_fd(before) == before


def test_searches_that_nobody_interrupts() -> None:
    searcher, start = Watched(), boyi.start("xiangqi")
    result, interrupted = search_until_interrupted(searcher, start, Limits(nodes=500))
    assert not interrupted
    assert search(Watched(), start, Limits(nodes=500)).lines == result.lines
    found: list[Result] = []
    thread = threading.Thread(target=lambda: found.append(search(Watched(), start, Limits(nodes=500))))
    thread.start()
    thread.join()
    assert found[0].lines == result.lines
    assert not searcher.stopped.is_set()


def test_one_of_many_searches_ends_at_once() -> None:
    searcher, start = Watched(), boyi.start("xiangqi")
    before = signal.set_wakeup_fd(-1)
    signal.set_wakeup_fd(before)
    with listening():
        first = search(Watched(), start, Limits(nodes=500))
        thread = interrupt(searcher)
        with pytest.raises(KeyboardInterrupt):
            search(searcher, start, LONG)
        thread.join()
        assert search(Watched(), start, Limits(nodes=500)).lines == first.lines
    assert signal.set_wakeup_fd(before) == before
