"""How long agents think when somebody counts, and what they say they expect."""

from __future__ import annotations

from itertools import pairwise

import pytest

import boyi
from boyi.agents import Clock, expectation_of, make_agent, prepare_agent, read_spec
from boyi.agents.searching import SearchingAgent
from boyi.agents.timing import DEFAULT_SECONDS, LAG_SECONDS, TINY_SECONDS, TimePlan, allot, plan, plan_move
from boyi.core.searcher import Limits, Line, Result


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


# ------------------------------------------------------------------ the adaptive plan

LEFT = (0.0, 0.0005, 0.005, 0.02, 0.1, 0.3, 3.0, 60.0, 5400.0)
INCREMENTS = (0.0, 0.03, 1.0, 30.0)
TO_GO = (None, 60, 30, 10, 5, 4, 3, 2, 1)


def allotted(seconds: float, increment: float = 0.0, to_go: int | None = None, own_moves: int = 0) -> TimePlan:
    found = allot(Clock(seconds, increment, moves_to_go=to_go), own_moves)
    assert found is not None and found.aim_seconds is not None
    return found


@pytest.mark.parametrize("to_go", TO_GO)
@pytest.mark.parametrize("increment", INCREMENTS)
def test_never_more_than_what_is_left(increment: float, to_go: int | None) -> None:
    for seconds in LEFT:
        for own_moves in (0, 10, 100):
            found = allotted(seconds, increment, to_go, own_moves)
            assert found.aim_seconds is not None
            assert 0 < found.aim_seconds <= found.most_seconds
            assert found.most_seconds <= max(seconds, TINY_SECONDS)
            if seconds > 2 * LAG_SECONDS:
                assert found.most_seconds <= seconds - LAG_SECONDS


def test_more_time_is_never_less_for_a_move() -> None:
    def ordered(plans: list[TimePlan]) -> bool:
        return all(one.most_seconds <= two.most_seconds and (one.aim_seconds or 0) <= (two.aim_seconds or 0)
                   for one, two in pairwise(plans))

    for own_moves in (0, 20, 100):
        for to_go in TO_GO:
            assert ordered([allotted(seconds, 0.5, to_go, own_moves) for seconds in LEFT])
            assert ordered([allotted(30.0, increment, to_go, own_moves) for increment in INCREMENTS])
        assert ordered([allotted(30.0, 0.1, to_go, own_moves) for to_go in TO_GO])
    assert ordered([allotted(30.0, 0.1, None, own_moves) for own_moves in range(0, 200, 5)])
    assert allotted(30.0, own_moves=40).aim_seconds != allotted(30.0).aim_seconds


def test_the_last_move_before_more_time_may_use_it_up() -> None:
    last = allotted(10.0, to_go=1)
    assert last == TimePlan(10.0 - LAG_SECONDS, 10.0 - LAG_SECONDS)
    aims = [allotted(10.0, to_go=moves).aim_seconds for moves in (2, 4, 10)]
    assert aims == [pytest.approx((10.0 - LAG_SECONDS) / moves) for moves in (2, 4, 10)]
    assert allotted(10.0, to_go=2).most_seconds < 0.9 * 10.0
    assert allotted(10.0, to_go=1000) == allotted(10.0)   # so far away that it is no reason to save


@pytest.mark.parametrize("lag", [0.0, 0.009])
def test_a_blitz_clock_lasts_if_every_move_takes_the_most(lag: float) -> None:
    left = 3.0
    for move in range(500):
        left -= allotted(left, 0.03, own_moves=move).most_seconds + lag
        assert left > 0
        left += 0.03


def test_limits_by_either_plan() -> None:
    clock = Clock(seconds=30.02)
    assert plan_move(None, clock) == Limits(seconds=4.0, soft_seconds=1.0)
    assert plan_move(None, clock, timing="plain") == plan(None, clock)
    assert plan_move(Limits(nodes=7, lines=2), clock) == Limits(nodes=7, lines=2, seconds=4.0, soft_seconds=1.0)
    assert plan_move(Limits(seconds=2), clock) == Limits(seconds=2, soft_seconds=1.0)
    assert plan_move(Limits(seconds=0.5), clock) == Limits(seconds=0.5)
    assert plan_move(None, Clock(seconds=30.02, nodes=5)) == Limits(nodes=5, seconds=4.0, soft_seconds=1.0)
    for other in (Clock(), Clock(move_seconds=2.0), Clock(nodes=9)):
        assert plan_move(None, other) == plan(None, other)
        assert plan_move(Limits(depth=3), other) == plan(Limits(depth=3), other)


@pytest.mark.parametrize(("spec", "soft"), [("alphabeta", True), ("alphabeta:timing=plain", False), ("mcts", False)])
def test_agents_name_their_plan(spec: str, soft: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Limits] = []

    def search(searcher: object, position: boyi.Position, limits: Limits, on_depth: object = None) -> Result:
        asked.append(limits)
        assert (on_depth is not None) == soft
        return Result((Line(tuple(position.moves()[:1]), 0.0),), 1, 1, 0.0)

    monkeypatch.setattr("boyi.agents.searching.search", search)
    make_agent(spec).choose(boyi.start("othello"), Clock(30.0))
    assert (asked[0].soft_seconds is not None) == soft
    assert asked[0].seconds is not None and (asked[0].seconds > 2) == soft
