"""Plans of one player alone, and the end of a race at play."""

from __future__ import annotations

import random

import pytest

from boyi.agents.agent import Clock
from boyi.agents.spec import make_agent
from boyi.core.errors import OptionError
from boyi.core.searcher import Limits
from boyi.games.chinese_checkers import GAME
from boyi.games.chinese_checkers.finisher import ChineseCheckersFinisher, beam_width
from boyi.games.chinese_checkers.position import ChineseCheckersPosition
from boyi.games.chinese_checkers.solver import SoloSolver
from tests.games.chinese_checkers_naive import CORNERS, NaiveGame
from tests.games.chinese_checkers_solitaire import BIT, HOLES, board, moves
from tests.scale import SOAK
from tests.search.checkers_positions import ending

GOAL = board(CORNERS["D"])
WAITING = (*(hole for hole in CORNERS["A"].split() if hole != "n2"), "m7")
"""D has one piece outside, a step from the only open hole of the goal."""


def late_position(seed: int, walks: int) -> ChineseCheckersPosition:
    """A's pieces were moved out of their goal that many times, so that they can be back as soon; D's are home."""
    generator = random.Random(seed)
    own = GOAL
    while own == GOAL:
        for _ in range(walks):
            start, end = generator.choice([move for move in moves(own)
                                           if HOLES[move[1].bit_length() - 1] < "k"])   # above all of D's
            own ^= start ^ end
    game = NaiveGame(2)
    game.board = ({hole: "A" for hole, bit in zip(HOLES, BIT, strict=True) if own & bit}
                  | dict.fromkeys(WAITING, "D"))
    game.to_act = "A"
    position = GAME.parse(game.text())
    assert isinstance(position, ChineseCheckersPosition)
    return position


def fewest_turns(position: ChineseCheckersPosition, most: int) -> int:
    """By looking at every board, on the naive board's geometry."""
    level = {board(" ".join(stone.point for stone in position.stones() if stone.glyph == "A"))}
    for turns in range(most + 1):
        if GOAL in level:
            return turns
        level = {pieces ^ start ^ end for pieces in level for start, end in moves(pieces)}
    raise AssertionError(f"not there in {most} turns")


@pytest.mark.parametrize("seed", range(60 if SOAK else 12))
def test_the_fewest_turns_are_those_of_a_full_search(seed: int) -> None:
    position = late_position(seed, walks=4 if SOAK else 3)
    solver, fewest = SoloSolver(100), fewest_turns(position, 4)
    assert solver.least(position, 0, 9, alone=True) == fewest
    plan = solver.plan(position, 0, alone=True)
    assert plan is not None and fewest <= len(plan) <= fewest + 1
    wide = SoloSolver(5000).plan(position, 0, alone=True)
    assert wide is not None and len(wide) == fewest


def test_a_bound_never_says_too_much() -> None:
    """Plans that were found can be no shorter than what is proven, also with others about."""
    generator, solver = random.Random(3), SoloSolver(200)
    for players in (2, 3, 6):
        position = GAME.start(players=players)
        assert isinstance(position, ChineseCheckersPosition)
        agent = make_agent("multiplayer:nodes=60")
        while position.outcome() is None and position.ply < 60 * players:
            loose = generator.random() < 0.1
            position.play(generator.choice(position.moves()) if loose else agent.choose(position, Clock()))
            if position.outcome() is None and position.ply % 11 == 0:
                plan = solver.plan(position, position.turn)
                least = solver.least(position, position.turn, 30, 200)
                assert plan is None or least <= len(plan)


def test_a_plan_can_be_played_while_the_others_sit_out() -> None:
    position = GAME.start(players=3)
    assert isinstance(position, ChineseCheckersPosition)
    plan = SoloSolver(50).plan(position, 0)
    assert plan is not None
    for move in plan:
        assert not position.finished
        position.play(move)
        while position.outcome() is None and position.turn != 0:
            position.play_null()
    assert position.finished == (0,)


def test_ten_pieces_cross_an_empty_star() -> None:
    """The optimum is 27 (Bell 2009). A beam that is wide enough finds it; see also `cross` on the naive board."""
    plan = SoloSolver(10_000 if SOAK else 1_000).plan_across()
    assert plan is not None
    assert len(plan) == 27 if SOAK else 27 <= len(plan) <= 29


def test_what_cannot_be_planned_is_refused() -> None:
    solver = SoloSolver(10)
    with pytest.raises(OptionError, match="long_hops"):
        solver.plan(GAME.start(long_hops=True), 0)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="numbered from 0 to 1"):
        solver.plan(GAME.start(), 2)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="boards wide"):
        SoloSolver(0)
    assert solver.plan(GAME.start(), 0, 5) is None  # type: ignore[arg-type]


# ---------------------------------------------------------------------- at play

def test_a_race_is_finished_without_detours() -> None:
    for seed in range(6):
        position = late_position(seed, walks=3)
        finisher, fewest = ChineseCheckersFinisher(), fewest_turns(position, 3)
        for turns in range(fewest, 0, -1):
            result = finisher.finish(position, Limits(nodes=20_000))
            assert result is not None and result.depth == turns
            position.play(result.move)
            if position.outcome() is None:
                position.play("m7-m6" if turns % 2 == fewest % 2 else "m6-m7")
        assert position.finished == (0,)


def test_a_win_is_proven_by_counting() -> None:
    """D could arrive in one turn, so A wins only with one turn to go."""
    for seed in range(20):
        position = late_position(seed, walks=2)
        result = ChineseCheckersFinisher().finish(position, Limits(nodes=20_000))
        assert result is not None
        assert result.lines[0].wins_in == (1 if fewest_turns(position, 2) == 1 else None)
        assert (result.value > 29_000) == (result.lines[0].wins_in is not None)


def test_the_finisher_leaves_the_rest_to_the_search() -> None:
    finisher, late = ChineseCheckersFinisher(), late_position(1, walks=2)
    assert finisher.finish(GAME.start(), Limits(nodes=1000)) is None
    assert finisher.finish(GAME.start(players=3), Limits(nodes=1000)) is None
    for players in (3, 6):     # others may matter to the end
        assert finisher.finish(GAME.parse(ending(players, 1, outside=1).to_text()), Limits(nodes=1000)) is None
    assert finisher.finish(late, Limits(depth=4)) is None
    assert finisher.finish(late, Limits(nodes=1000, lines=2)) is None
    assert beam_width(Limits(nodes=1)) == 1


def test_agents_ask_the_finisher_unless_told_otherwise() -> None:
    position = late_position(2, walks=3)
    for spec, asked in (("alphabeta:nodes=50", True), ("alphabeta:nodes=50,endings=off", False)):
        agent = make_agent(spec)
        agent.choose(position, Clock())
        result = agent.result  # type: ignore[attr-defined]
        assert (result.statistics == {}) == asked
