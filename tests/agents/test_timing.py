"""How long agents think when somebody counts, and what they say they expect."""

from __future__ import annotations

import pytest

import boyi
from boyi.agents import Clock, expectation_of, make_agent, prepare_agent, read_spec
from boyi.agents.searching import SearchingAgent
from boyi.agents.timing import DEFAULT_SECONDS, plan
from boyi.core.searcher import Limits


def test_nobody_counts() -> None:
    assert plan(None, Clock()) == Limits(seconds=DEFAULT_SECONDS)
    assert plan(Limits(nodes=7, lines=3), Clock()) == Limits(nodes=7, lines=3)


def test_a_clock_for_the_game_is_shared_out() -> None:
    assert plan(None, Clock(seconds=30)) == Limits(seconds=1)
    assert plan(Limits(seconds=5), Clock(seconds=30)) == Limits(seconds=1)
    assert plan(Limits(seconds=0.5), Clock(seconds=30)) == Limits(seconds=0.5)
    clock = Clock(seconds=30, increment_seconds=1)
    assert plan(Limits(nodes=7, lines=2), clock) == Limits(nodes=7, seconds=1.8, lines=2)
    assert plan(Limits(depth=7), Clock(seconds=0)).seconds == 0.01


@pytest.mark.parametrize("increment", [0.0, 0.1, 2.0])
def test_a_clock_lasts_for_any_number_of_moves(increment: float) -> None:
    left = 60.0
    for _ in range(500):
        seconds = plan(None, Clock(left, increment)).seconds
        assert seconds is not None
        assert seconds < left or left < 0.01
        left = max(0.0, left - seconds) + increment


def test_a_clock_for_the_move_is_used_up_but_for_a_reserve() -> None:
    for seconds in (0.001, 0.01, 0.1, 1.0, 60.0):
        planned = plan(None, Clock(move_seconds=seconds)).seconds
        assert planned is not None
        assert seconds / 2 <= planned < seconds
    assert plan(Limits(seconds=3), Clock(move_seconds=60)).seconds == 3


def test_nodes_are_a_limit_like_an_agents_own() -> None:
    assert plan(None, Clock(nodes=500)) == Limits(nodes=500)
    assert plan(Limits(nodes=300, depth=4), Clock(nodes=500)) == Limits(nodes=300, depth=4)
    assert plan(Limits(seconds=2), Clock(nodes=500)) == Limits(seconds=2, nodes=500)
    agent = make_agent("alphabeta")
    assert isinstance(agent, SearchingAgent)
    agent.choose(boyi.start("othello"), Clock(nodes=500))
    assert agent.result is not None
    assert agent.result.nodes <= 600
    level = make_agent("level:10,book=off,seed=1")
    assert level.choose(boyi.start("othello"), Clock(nodes=50)) in boyi.start("othello").moves()


@pytest.mark.parametrize("spec", ["alphabeta:depth=3", "mcts:nodes=300", "level:3,book=off"])
def test_searching_agents_say_what_they_expect(spec: str) -> None:
    agent = make_agent(spec)
    position = boyi.start("othello")
    prepare_agent(agent, position)
    assert expectation_of(agent) is None
    agent.choose(position, Clock())
    expected = expectation_of(agent)
    assert expected is not None
    assert 0.2 < expected < 0.8


def test_a_proven_end_is_certain() -> None:
    agent = make_agent("alphabeta:depth=4")
    position = boyi.start("tic_tac_toe")
    for move in ("a1", "b1", "a2", "b2"):
        position.play(move)
    position.play(agent.choose(position.copy(), Clock()))
    assert position.outcome() is not None
    assert expectation_of(agent) == 1
    position.undo()
    position.play("c1")
    agent = make_agent("alphabeta:depth=4")
    agent.choose(position.copy(), Clock())   # the other has two lines to close now
    assert expectation_of(agent) in (0, 1)


def test_who_does_not_search_expects_nothing() -> None:
    agent = make_agent("random:seed=1")
    prepare_agent(agent, boyi.start("othello"))
    assert expectation_of(agent) is None
    read_spec("random").check_clock(Clock(move_seconds=0.001))
    book = make_agent("alphabeta:depth=1,book=own")
    book.choose(boyi.start("othello"), Clock())
    assert expectation_of(book) is None   # its move is out of the book
