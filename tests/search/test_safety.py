"""What no search may do, however it ends: break the position, overhear stop(), answer nonsense, keep memory."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import boyi
from boyi import Position
from boyi.core.evaluator import Evaluator, PythonEvaluator
from boyi.core.searcher import Limits, Result, Searcher
from boyi.games import find_game
from boyi.search.alphabeta import AlphaBeta
from boyi.search.alphabeta_options import AlphaBetaOptions
from boyi.search.expectimax import Expectimax
from boyi.search.mcts import MCTS
from boyi.search.mcts_options import MCTSOptions
from boyi.search.multiplayer import Multiplayer
from boyi.search.race_mcts import RaceMCTS, RaceMCTSOptions
from tests.search.test_alphabeta import positions

ENOUGH = 5_000
"""Nodes within which stop() must take effect."""

SEARCHERS: dict[str, Callable[[Evaluator], Searcher]] = {
    "alphabeta": AlphaBeta,
    "alphabeta-2": lambda evaluator: AlphaBeta(evaluator, AlphaBetaOptions(threads=2)),
    "expectimax": Expectimax,
    "mcts": lambda evaluator: MCTS(evaluator, MCTSOptions(megabytes=8)),
    "multiplayer": Multiplayer,
    "race_mcts": lambda evaluator: RaceMCTS(evaluator, RaceMCTSOptions(megabytes=8)),
}


def state(position: Position) -> tuple[object, ...]:
    return position.to_text(), position.history(), position.fingerprint, position.turn, position.moves()


class FailsInNullMove(PythonEvaluator):
    """Breaks down as soon as somebody passes."""

    def guess(self, position: Position) -> int:
        # In xiangqi and jieqi a null move is one from an empty point to the same.
        if any(move & 127 == move >> 7 for move in position.history()):
            raise ZeroDivisionError("inside a null move")
        return 300


class FailsLate(PythonEvaluator):
    """Breaks down after so many positions."""

    calls = 0

    def guess(self, position: Position) -> int:
        self.calls += 1
        if self.calls == 700:
            raise ZeroDivisionError("after a while")
        return position.fingerprint % 199 - 99


@pytest.mark.parametrize(("name", "game"), [
    ("alphabeta", "xiangqi"), ("alphabeta-2", "xiangqi"), ("expectimax", "xiangqi"), ("expectimax", "jieqi")])
def test_an_exception_inside_a_null_move_leaves_the_position_as_it_was(name: str, game: str) -> None:
    position = boyi.start(game)
    for _ in range(3):
        position.play(position.moves()[5])
        while position.turn < 0:
            position.play(position.moves()[0])
    before = state(position)
    with pytest.raises(ZeroDivisionError, match="inside a null move"):
        SEARCHERS[name](FailsInNullMove()).search(position, Limits(nodes=200_000))
    assert state(position) == before
    assert SEARCHERS[name](Evaluator()).search(position, Limits(nodes=500)).move in position.moves()


@pytest.mark.parametrize("name", SEARCHERS)
@pytest.mark.parametrize("game", ["xiangqi", "othello", "liuzhou", "chinese_checkers"])
def test_any_exception_leaves_the_position_as_it_was(name: str, game: str) -> None:
    position = boyi.start(game)
    boyi.playout(position, 4, 6)
    before = state(position)
    with pytest.raises(ZeroDivisionError):
        SEARCHERS[name](FailsLate()).search(position, Limits(nodes=200_000))
    assert state(position) == before


class SaysStop(PythonEvaluator):
    """Says stop itself, when it is asked about its n-th position (the 0th: before the search has begun to look)."""

    def __init__(self, when: int) -> None:
        self.when = when
        self.calls = 0
        self.later = 0
        self.searcher: Searcher | None = None

    def _stop(self) -> None:
        assert self.searcher is not None
        self.searcher.stop()

    def check(self, position: Position) -> None:
        super().check(position)
        if self.when == 0:
            self._stop()

    def guess(self, position: Position) -> int:
        self.calls += 1
        if self.calls == self.when:
            self._stop()
        self.later += self.calls > self.when
        return position.fingerprint % 199 - 99


@pytest.mark.parametrize("when", [0, 1, 2_000])
@pytest.mark.parametrize("name", SEARCHERS)
@pytest.mark.parametrize("game", ["othello", "xiangqi", "chinese_checkers"])
def test_stop_takes_effect_within_so_many_nodes(name: str, game: str, when: int) -> None:
    position = boyi.start(game)
    before = state(position)
    evaluator = SaysStop(when)
    searcher = evaluator.searcher = SEARCHERS[name](evaluator)
    result = searcher.search(position, Limits(nodes=300_000))
    # Before the first evaluation there are few nodes; later ones are counted by the evaluations after stop().
    assert result.nodes <= (ENOUGH if when < 2 else 60_000)
    assert evaluator.later <= ENOUGH
    assert state(position) == before and result.move in position.moves()


def test_a_stop_does_not_outlive_its_search() -> None:
    for name, make in SEARCHERS.items():
        searcher = make(Evaluator())
        searcher.stop()
        assert searcher.search(boyi.start("othello"), Limits(nodes=2_000)).nodes >= 1_000, name


def check_kind(position: Position, result: Result, nodes: int) -> None:
    """A legal move, legal lines, values on the scale, no more work than asked for."""
    assert result.move in position.moves() and result.depth >= 1 and 0 < result.nodes <= nodes
    assert len({line.moves[0] for line in result.lines}) == len(result.lines)
    for line in result.lines:
        assert -30_000 <= line.value <= 30_000
        assert (line.wins_in is not None) == (abs(line.value) > 28_100)
        for move in line.moves:
            position.play(move)
        for _ in line.moves:
            position.undo()


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("game", ["othello", "xiangqi", "liuzhou"])
def test_threads_give_the_same_kind_of_answer(game: str, threads: int) -> None:
    evaluator = next(iter(find_game(game).evaluators.values()))()
    searcher = AlphaBeta(evaluator, AlphaBetaOptions(threads=threads, table_mb=2))
    for position in positions(game, 6, 31, 50):
        before = state(position)
        for lines in (1, 3):
            check_kind(position, searcher.search(position, Limits(nodes=20_000, lines=lines)), 20_000)
        assert state(position) == before


def test_threads_see_the_same_mate() -> None:
    mate = boyi.parse("xiangqi", "3k5/R8/1R7/9/9/9/9/9/9/4K4 w")
    for _ in range(20):
        line = AlphaBeta(options=AlphaBetaOptions(threads=2, table_mb=1)).search(mate, Limits(depth=5)).lines[0]
        assert line.wins_in == 1


@pytest.mark.soak
@pytest.mark.parametrize("threads", [1, 2])
def test_a_hundred_million_nodes_leave_no_memory_behind(threads: int) -> None:
    statm = Path("/proc/self/statm")
    if not statm.exists():
        pytest.skip("this system does not tell how much memory a process holds (/proc/self/statm)")

    def resident() -> int:
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    searcher = AlphaBeta(find_game("xiangqi").evaluators["hand"](), AlphaBetaOptions(table_mb=1, threads=threads))
    position = boyi.start("xiangqi")
    searcher.search(position, Limits(nodes=2_000_000))      # touches what belongs to the searcher for good
    before, nodes = resident(), 0
    while nodes < 100_000_000:
        nodes += searcher.search(position, Limits(nodes=10_000_000)).nodes
    assert resident() - before < 4 << 20
