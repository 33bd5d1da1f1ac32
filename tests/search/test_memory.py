"""What searches take is the system's again when they are gone, whatever small pieces were taken meanwhile."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import boyi
from boyi.core.searcher import Limits
from boyi.games.chinese_checkers.position import ChineseCheckersPosition
from boyi.games.chinese_checkers.solver import SoloSolver
from boyi.search.alphabeta import AlphaBeta
from boyi.search.alphabeta_options import AlphaBetaOptions
from boyi.search.expectimax import Expectimax
from boyi.search.expectimax_options import ExpectimaxOptions
from tests.arena.test_endurance import resident

ONES = 8
SMALL_BYTES = 100_000


def alphabeta() -> object:
    searcher = AlphaBeta(options=AlphaBetaOptions(table_mb=1))
    searcher.search(boyi.start("liuzhou"), Limits(nodes=200))
    return searcher


def expectimax() -> object:
    searcher = Expectimax(options=ExpectimaxOptions(table_mb=1))
    searcher.search(boyi.start("jieqi"), Limits(nodes=200))
    return searcher


def solver() -> object:
    made = SoloSolver(30)
    start = boyi.start("chinese_checkers")
    assert isinstance(start, ChineseCheckersPosition)
    made.plan(start, 0, alone=True)
    return made


@pytest.mark.parametrize("make", [alphabeta, expectimax, solver])
def test_searchers_leave_nothing_behind(make: Callable[[], object]) -> None:
    small = [bytes(SMALL_BYTES)]
    make()                                   # what is read and compiled once
    before = resident()
    for _ in range(4):
        searchers = []
        for _ in range(ONES):
            searchers.append(make())
            small.append(bytes(SMALL_BYTES))
        del searchers
    assert resident() - before < len(small) * SMALL_BYTES + (4 << 20)
