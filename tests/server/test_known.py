"""What is known of positions: the deepest is kept, with as many lines as are wanted, and the oldest is forgotten."""

from __future__ import annotations

import pytest

import boyi
from boyi.server import known
from boyi.server.known import Known, key_of
from boyi.server.protocol.live import LiveAnalysis
from boyi.server.protocol.study import AnalysedLine


def found(depth: int, lines: int = 1, **rest: bool) -> LiveAnalysis:
    return LiveAnalysis([AnalysedLine([f"move {number}"], [[]], 0.0, 0.5) for number in range(lines)], 0, depth,
                        1000 * depth, **rest)


def test_the_deepest_is_kept_and_cut_to_the_lines_that_are_wanted() -> None:
    cache = Known()
    assert cache.find(b"here", 1) is None
    cache.keep(b"here", 3, found(9, 3))
    cache.keep(b"here", 3, found(5, 3))
    cache.keep(b"here", 1, found(12))
    three, two, one = (cache.find(b"here", lines) for lines in (3, 2, 1))
    assert three is not None and two is not None and one is not None
    assert (three.depth, len(three.lines)) == (9, 3) and (two.depth, len(two.lines)) == (9, 2) and one.depth == 12
    assert cache.find(b"here", 4) is None, "three lines are not four"
    cache.keep(b"here", 1, found(3, ended=True))
    assert (end := cache.find(b"here", 1)) is not None and end.depth == 9, "with three lines it is deeper"


def test_the_oldest_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "MOST_POSITIONS", 2)
    cache = Known()
    cache.keep(b"a", 1, found(1))
    cache.keep(b"b", 1, found(1))
    cache.find(b"a", 1)
    cache.keep(b"c", 1, found(1))
    assert len(cache) == 2 and cache.find(b"b", 1) is None and cache.find(b"a", 1) is not None


def test_a_position_is_its_start_and_its_moves() -> None:
    position = boyi.start("xiangqi")
    before = key_of(position, threat=False)
    assert before != key_of(position, threat=True)
    assert before != key_of(boyi.start("jieqi"), threat=False)
    for move in ("h2e2", "h9g7", "e2h2", "g7h9"):
        position.play(move)
    assert before != key_of(position, threat=False), "it has been there once more"
    for _ in range(4):
        position.undo()
    assert before == key_of(position, threat=False)
