"""When a search stops between depths, and what is thought about in the opponent's time."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence

import pytest

import boyi
from boyi.agents import Clock, close_agent, make_agent, prepare_agent
from boyi.agents.patience import CALM, CHANGED, FALLEN, RISEN, STEP, Patience, watch
from boyi.agents.pondering import Pondering
from boyi.agents.searching import SearchingAgent, all_algorithms, find_default
from boyi.core.position import Position
from boyi.core.searcher import DeepeningSearcher, Limits, Line, Result


def depth_stopped_at(moves: Sequence[int], odds: Sequence[float], **facts: int) -> int:
    """The depth after which a search with an aim of a second stops, if each depth takes a tenth of a second more."""
    stopped: list[int] = []
    hear = watch(Limits(seconds=10, soft_seconds=1), lambda result: result.value, lambda: stopped.append(depth))
    assert hear is not None
    for depth, (move, value) in enumerate(zip(moves, odds, strict=True), 1):
        hear(Result((Line((move,), value, facts.get("wins_in")),), depth, 1000, 0.1 * depth, {
            name: number for name, number in facts.items() if name != "wins_in"}))
        if stopped:
            return stopped[0]
    return 0


def test_a_clear_move_is_played_sooner() -> None:
    calm, restless = [7] * 40, [7, 8] * 20
    level = [0.5] * 40
    assert depth_stopped_at(calm, level) == 7       # CALM, 0.68
    assert depth_stopped_at(restless, level) == 14  # CHANGED, 1.4
    assert depth_stopped_at([7] * 9 + [8] + [8] * 30, level) == 7
    assert depth_stopped_at([7] * 6 + [8] * 34, level) == 11    # it changed its mind just before the aim
    assert CALM < 1 < CHANGED


def test_a_fall_is_thought_about() -> None:
    calm = [7] * 40
    falling = [0.8 - 0.02 * depth for depth in range(40)]
    assert depth_stopped_at(calm, falling) > depth_stopped_at(calm, [0.5] * 40)
    for odds, factor in ((0.3, FALLEN), (0.88, 1.1), (0.9, 1.0), (1.0, RISEN)):   # since the player's last move
        patience = Patience(1.0, odds_before=0.9)
        patience.hear(7, odds)
        assert patience.factor == pytest.approx(CHANGED * factor)
    patience.hear(7, 0.5)   # the last depth promised 1
    assert patience.factor == pytest.approx((CHANGED - STEP) * FALLEN)


def test_effort_counts_where_it_is_known() -> None:
    calm, level = [7] * 40, [0.5] * 40
    assert depth_stopped_at(calm, level, best_move_nodes=700) == depth_stopped_at(calm, level)
    assert depth_stopped_at(calm, level, best_move_nodes=950) < depth_stopped_at(calm, level)
    assert depth_stopped_at(calm, level, best_move_nodes=300) > depth_stopped_at(calm, level)


def test_a_proven_win_is_enough_and_a_loss_is_not() -> None:
    assert depth_stopped_at([7] * 40, [1.0] * 40, wins_in=3) == 1
    assert depth_stopped_at([7] * 40, [0.0] * 40, wins_in=-4) == 7


def test_without_an_aim_nothing_is_enough() -> None:
    assert watch(Limits(seconds=1), lambda result: 0.5, lambda: None) is None
    patience = Patience(None)
    patience.hear(7, 0.5)
    assert not patience.is_enough(1e9)
    patience.aim_seconds = 1.0   # a ponderhit
    assert patience.is_enough(1.4) and not patience.is_enough(1.3)


@pytest.mark.parametrize(("name", "options"), [
    ("othello", {}), ("xiangqi", {}), ("jieqi", {}), ("liuzhou", {}), ("chinese_checkers", {"players": 3})])
def test_a_search_that_is_stopped_between_depths_begins_no_other(name: str, options: dict[str, int]) -> None:
    position = boyi.start(name, **options)
    position = position.observe(position.turn)
    default = find_default(position)
    algorithm = default if default.ends_by_depth else all_algorithms()["multiplayer"]
    searcher = algorithm.make(position.game, {})
    told: list[Result] = []

    def hear(result: Result) -> None:
        told.append(result)
        if result.depth == 3:
            searcher.stop()

    result = searcher.search(position, Limits(depth=9), hear)  # type: ignore[call-arg]
    assert result.depth == told[-1].depth == 3
    assert result.lines == told[-1].lines


class Listed:
    """A searcher that tells of three depths; stops are heard."""

    def __init__(self) -> None:
        self.depths = 0
        self.stopped = False

    def search(self, position: Position, limits: Limits, on_depth: Callable[[Result], object] | None = None,
               only: Iterable[int] = ()) -> Result:
        self.stopped, result = False, Result((Line((position.moves()[0],), 0.0),), 0, 0, 0.0)
        for self.depths in range(1, 4):
            result = Result(result.lines, self.depths, 1, 2.0 * self.depths)
            if on_depth is not None:
                on_depth(result)
            if self.stopped:
                break
        return result

    def stop(self) -> None:
        self.stopped = True


def test_an_agent_keeps_to_its_aim() -> None:
    searcher: DeepeningSearcher = Listed()
    adaptive = SearchingAgent(lambda game: searcher, None, timing="adaptive")
    adaptive.choose(boyi.start("othello"), Clock(60.0))    # an aim of 2 s: 2.8 s after the first depth
    assert adaptive.result is not None and adaptive.result.depth == 2
    plain = SearchingAgent(lambda game: searcher, None)
    plain.choose(boyi.start("othello"), Clock(60.0))
    assert plain.result is not None and plain.result.depth == 3


# ------------------------------------------------------------------ in the opponent's time

def test_the_expected_reply_is_pondered_on() -> None:
    position = boyi.start("othello")
    agent = make_agent("alphabeta:depth=5,ponder=on")
    assert isinstance(agent, SearchingAgent)
    prepare_agent(agent, position)
    move = agent.choose(position.copy(), Clock())
    assert agent.result is not None and agent._pondering is not None
    expected = position.copy()
    for one in agent.result.lines[0].moves[:2]:
        expected.play(one)
    pondering = agent._pondering
    assert pondering.position == expected
    assert pondering._thread.is_alive()
    position.play(move)
    position.play(position.moves()[-1])
    again = agent.choose(position.copy(), Clock())   # whatever came
    assert not pondering._thread.is_alive()
    assert position.is_legal(again)
    last = agent._pondering
    assert last is not None and last is not pondering
    close_agent(agent)
    assert not last._thread.is_alive()


def test_agents_do_not_ponder_unless_told() -> None:
    agent = make_agent("alphabeta:depth=3")
    assert isinstance(agent, SearchingAgent)
    agent.choose(boyi.start("othello"), Clock())
    assert agent._pondering is None


def test_there_is_nothing_to_ponder_on_without_a_reply() -> None:
    jieqi = boyi.start("jieqi").observe(0)
    searcher = find_default(jieqi).make(jieqi.game, {})
    line = searcher.search(jieqi, Limits(depth=2)).lines[0].moves
    assert Pondering.begin(searcher, jieqi, line) is None       # a piece turns up first
    othello = boyi.start("othello")
    assert Pondering.begin(find_default(othello).make(othello.game, {}), othello, [othello.moves()[0]]) is None


def test_a_turn_of_several_actions_is_not_pondered_on() -> None:
    position, generator = boyi.start("liuzhou"), random.Random(1)
    while True:
        for move in position.moves():
            after = position.copy()
            after.play(move)
            if after.turn == position.turn:   # and takes a stone now
                searcher = find_default(position).make(position.game, {})
                assert Pondering.begin(searcher, position, [move, after.moves()[0]]) is None
                assert Pondering.begin(searcher, position, [move]) is None
                return
        position.play(generator.choice(position.moves()))
