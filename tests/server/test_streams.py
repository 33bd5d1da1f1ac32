"""The live analyses of a worker: one search for one question, and none that is not wanted any more."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from msgspec import structs

import boyi
from boyi.core.errors import TextError
from boyi.server.engines import live
from boyi.server.engines.live import Streams
from boyi.server.engines.questions import Slice, ask_slice

CHECKED = "4k4/9/9/9/9/9/4r4/9/9/4K4 w - - 0 1"


def ask(stream: int = 1, moves: tuple[str, ...] = (), *, start: str = "", threat: bool = False) -> Slice:
    game = boyi.find_game("xiangqi")
    position = game.parse(start) if start else game.start()
    for move in moves:
        position.play(move)
    return ask_slice(position, stream, 1, threat=threat, notation="", lasts=0.05, table_mb=1)


def searching() -> int:
    return sum(thread.name == "live search" for thread in threading.enumerate())


@pytest.fixture
def streams() -> Iterator[Streams]:
    """None of its searches outlives a test, whatever becomes of it."""
    made = Streams()
    yield made
    for number in list(made._streams):
        made.leave(number)


def test_a_stream_goes_on_and_begins_anew_with_another_question(streams: Streams) -> None:
    first, second = streams.go_on(ask()), streams.go_on(structs.replace(ask(), lasts=0.1, number=7))
    begun = streams._streams[1].search
    assert second.nodes > first.nodes and searching() == 1
    assert streams.go_on(ask(moves=("h2e2",))).turn == 1
    assert streams._streams[1].search is not begun and searching() == 1
    assert streams.go_on(ask(moves=("h2e2",), threat=True)).turn == 0
    streams.leave(1)
    streams.leave(1)
    assert searching() == 0


def test_what_cannot_be_searched_leaves_nothing_behind(streams: Streams) -> None:
    streams.go_on(ask())
    with pytest.raises(TextError, match="pass"):
        streams.go_on(ask(start=CHECKED, threat=True))
    assert searching() == 0
    first = streams.go_on(ask())
    assert streams.go_on(ask()).nodes > first.nodes, "what was asked before begins again"


def test_the_one_that_waited_longest_is_given_up(monkeypatch: pytest.MonkeyPatch, streams: Streams) -> None:
    monkeypatch.setattr(live, "MOST_KEPT", 2)
    for number in (1, 2, 1, 3):
        streams.go_on(ask(number))
    assert sorted(streams._streams) == [1, 3]
    assert searching() == 2


def test_numbers_of_an_evaluator_are_read_once(streams: Streams) -> None:
    streams.go_on(ask(1))
    streams.go_on(ask(2))
    (evaluator,) = streams._evaluators.values()
    nets = {id(stream.searcher.evaluator.net) for stream in streams._streams.values()}  # type: ignore[attr-defined]
    assert nets == {id(evaluator.net)}  # type: ignore[union-attr]
