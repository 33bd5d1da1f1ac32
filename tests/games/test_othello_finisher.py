"""Othello's solver at play: what it proves is played, and within which limits it is asked."""

from __future__ import annotations

import pytest

from boyi.agents import Clock, expectation_of, make_agent
from boyi.agents.searching import SearchingAgent
from boyi.core.searcher import Limits
from boyi.games.othello.finisher import OthelloFinisher, reach, share_of
from boyi.games.othello.solver import Solver
from tests.games.test_othello_solver import endings


def test_what_is_proven_is_played() -> None:
    finisher, solver = OthelloFinisher(), Solver()
    for position in endings(5, 12, 91):
        result, solution = finisher.finish(position, Limits(nodes=4_000_000)), solver.solve(position)
        assert result is not None and solution is not None
        assert result.value == 100 * solution.margin
        wins_in = result.lines[0].wins_in
        assert (wins_in or 0) * solution.margin >= 0 and (wins_in is None) == (solution.margin == 0)
        assert position.is_legal(result.move)


def test_only_who_wins() -> None:
    """With a few points more than can be solved, a win or a draw is played, and a loss is left to the search."""
    finisher, solver = OthelloFinisher(), Solver()
    limits = Limits(nodes=16_000)              # 8,000 of them are the solver's: it reaches 13 points
    told = {True: 0, False: 0}
    for position in endings(12, 14, 92):
        result, solution = finisher.finish(position, limits), solver.solve(position)
        assert solution is not None
        if result is not None:
            assert result.value * solution.margin > 0 or result.value == solution.margin == 0
            assert result.nodes <= 8_000
        told[result is not None] += 1
        if solution.margin < 0:
            assert result is None
    assert told[True] and told[False]


def test_who_likely_wins() -> None:
    """Further from the end a win is played that is not proven; all else is left to the search."""
    finisher, solver = OthelloFinisher(), Solver()
    limits = Limits(nodes=16_000)              # as above: 16 points are three beyond
    told = {True: 0, False: 0}
    for position in endings(12, 16, 97):
        result, solution = finisher.finish(position, limits), solver.solve(position)
        assert solution is not None
        if result is not None:
            assert result.value > 0 and result.lines[0].wins_in is None and position.is_legal(result.move)
            told[solution.margin > 0] += 1
    assert told[True] > 3 * told[False]
    assert finisher.finish(endings(1, 18, 98)[0], limits) is None


def test_limits() -> None:
    finisher = OthelloFinisher()
    far, near = endings(1, 40, 93)[0], endings(1, 10, 94)[0]
    assert finisher.finish(far, Limits(seconds=0.1)) is None
    assert finisher.finish(near, Limits(depth=3)) is None, "a depth is no limit of a solver"
    assert finisher.finish(near, Limits(seconds=1, lines=2)) is None
    assert share_of(Limits(seconds=1, nodes=10)) == Limits(seconds=0.5, nodes=5)
    assert reach(Limits(nodes=1_000_000)) == 20 and reach(Limits(nodes=250_000)) == pytest.approx(18)
    assert reach(Limits(seconds=1), threads=2) == reach(Limits(seconds=2))


def test_an_agent_asks_it() -> None:
    position = endings(1, 12, 95)[0]
    agent = make_agent("alphabeta:nodes=2000000,endings=on")
    solution = Solver().solve(position)
    assert solution is not None
    move = agent.choose(position, Clock())
    assert position.is_legal(move)
    assert expectation_of(agent) == (1 if solution.margin > 0 else 0 if solution.margin < 0 else 0.5)
    threads = make_agent("alphabeta:nodes=2000000,endings=on,threads=2")
    threads.choose(position, Clock())
    assert expectation_of(threads) == expectation_of(agent)
    assert isinstance(threads, SearchingAgent) and isinstance(threads._finisher, OthelloFinisher)
    assert threads._finisher._solver.options.threads == 2
    assert make_agent("alphabeta:nodes=100,endings=on").choose(endings(1, 30, 96)[0], Clock()) >= 0
