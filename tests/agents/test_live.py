"""A search that goes on a slice at a time: it is one search, it stands still between slices, and it ends when left."""

from __future__ import annotations

import threading
import time

import pytest

import boyi
from boyi.agents.live import LiveSearch
from boyi.agents.searching import all_algorithms, find_default
from boyi.core.errors import TextError
from boyi.core.position import Position
from boyi.core.searcher import Limits
from boyi.kit.gate import Gate

FEW = {"table_mb": 1, "megabytes": 1}


def begin(position: Position, lines: int = 1, algorithm: str = "") -> LiveSearch:
    found = all_algorithms()[algorithm] if algorithm else find_default(position)
    return LiveSearch(found.make(position.game, FEW), position.copy(), lines)


def searching() -> int:
    return sum(thread.name == "live search" for thread in threading.enumerate())


@pytest.mark.parametrize(("game", "algorithm"), [
    ("xiangqi", "alphabeta"), ("jieqi", "expectimax"), ("othello", "mcts"), ("chinese_checkers", "multiplayer")])
def test_a_search_goes_on_where_it_was(game: str, algorithm: str) -> None:
    search = begin(boyi.start(game), 2, algorithm)
    try:
        found = [search.go_on(0.05) for _ in range(6)]
        reports = [one for one in found if one is not None]
        assert reports and len(reports[-1].lines) == 2
        assert [one.nodes for one in reports] == sorted({one.nodes for one in reports}), "every slice adds nodes"
        if algorithm != "mcts":   # where a depth is the length of the best line
            assert [one.depth for one in reports] == sorted(one.depth for one in reports)
    finally:
        search.leave()


def test_between_slices_it_stands_still_and_its_time_does_not_count() -> None:
    search = begin(boyi.start("xiangqi"))
    try:
        search.go_on(0.05)
        time.sleep(0.1)   # until it has come to the gate
        nodes = search._gate.nodes
        time.sleep(0.3)
        assert search._gate.nodes == nodes
        found = search.go_on(0.05)
        assert found is not None and found.nodes > nodes and found.seconds < 0.4
    finally:
        search.leave()


def test_the_same_depth_is_found_as_by_a_search_without_pauses() -> None:
    position = boyi.start("othello")
    search = begin(position)
    while (found := search.go_on(0.002)) is None or found.depth < 8:
        pass
    search.leave()
    whole = find_default(position).make(position.game, FEW).search(position, Limits(depth=found.depth))
    assert (found.lines[0].value, found.lines[0].moves) == (whole.value, whole.lines[0].moves)


def test_one_that_is_left_ends_at_once_also_in_a_slice() -> None:
    before = searching()
    search = begin(boyi.start("xiangqi"))
    threading.Timer(0.1, search.leave).start()
    search.go_on(60)
    waiting = begin(boyi.start("xiangqi"))
    waiting.leave()
    waiting.leave()
    assert waiting.go_on(60) is None
    search.leave()
    assert searching() == before


def test_a_slice_can_be_interrupted() -> None:
    search = begin(boyi.start("xiangqi"))
    threading.Timer(0.1, search.interrupt).start()
    assert search.go_on(60) is not None and not search.has_ended
    search.leave()


def test_a_search_that_fails_says_so() -> None:
    search = begin(boyi.start("chinese_checkers", players=3), algorithm="alphabeta")
    with pytest.raises(TextError, match="two players"):
        search.go_on(60)
    assert search.has_ended


def test_a_gate_is_closed_and_opened_as_often_as_one_likes() -> None:
    gate = Gate()
    for _ in range(2):
        gate.close()
        gate.close()
        assert gate.is_closed
        gate.open()
        gate.open()
        assert not gate.is_closed
