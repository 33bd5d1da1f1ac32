"""Levels: how moves are chosen, and that a higher one plays better."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boyi
from boyi.agents import Clock, make_agent, read_spec
from boyi.agents.level import OUT_OF_REACH, choose_line, find_level
from boyi.arena.match import Match, play_match
from boyi.arena.standing import standings
from boyi.core.errors import OptionError
from boyi.core.level import DEFAULT_LEVELS, HIGHEST, Level
from boyi.core.searcher import Line
from tests.scale import scaled, some_of

LADDERS = list(dict.fromkeys(levels for game in boyi.all_games().values()
                             for levels in (game.levels, game.levels_for_more)))
OWN = [name for name, game in boyi.all_games().items() if game.levels != DEFAULT_LEVELS]
"""Games with levels of their own."""


def test_games_have_levels_of_their_own() -> None:
    assert set(OWN) == {"xiangqi", "jieqi", "othello", "liuzhou", "chinese_checkers"}
    checkers = boyi.find_game("chinese_checkers")
    assert find_level(3, checkers) == checkers.levels[2] != find_level(3, checkers, 3) == checkers.levels_for_more[2]


@pytest.mark.parametrize("levels", LADDERS)
def test_levels_rise(levels: tuple[Level, ...]) -> None:
    assert len(levels) == HIGHEST
    for lower, higher in pairwise(levels):
        assert lower.nodes < higher.nodes
        assert lower.temperature >= higher.temperature
        assert lower.lines >= higher.lines
    assert levels[-1].temperature == 0


def test_levels_repeat_themselves() -> None:
    def play(seed: int) -> list[int]:
        position, agent = boyi.start("othello"), make_agent(f"level:1,seed={seed}")
        for _ in range(10):
            position.play(agent.choose(position, Clock()))
        return position.history()
    assert play(1) == play(1)
    assert len({tuple(play(seed)) for seed in range(5)}) > 1


def test_lines_are_chosen_by_value() -> None:
    lines = [Line((1,), 100.0), Line((2,), 50.0), Line((3,), -1000.0), Line((4,), 90.0, wins_in=-4)]
    generator = random.Random(1)
    chosen = [choose_line(lines, 50.0, generator).moves[0] for _ in range(1000)]
    assert 650 < chosen.count(1) < 800   # e to 1
    assert chosen.count(1) + chosen.count(2) == 1000
    assert {choose_line(lines, 0.0, generator).moves[0] for _ in range(50)} == {1}
    late = [Line((1,), -100.0), Line((2,), 29990.0, wins_in=9)]   # the best need not come first
    assert {choose_line(late, 5.0, generator).moves[0] for _ in range(50)} == {2}
    assert choose_line(late, 0.0, generator).moves[0] == 2
    wins = [Line((1,), 29999.0, wins_in=1), Line((2,), 29990.0, wins_in=9)]
    assert {choose_line(wins, 500.0, generator).moves[0] for _ in range(50)} == {1}
    lost = [Line((1,), -29998.0, wins_in=-2), Line((2,), -29998.0, wins_in=-2)]
    assert choose_line(lost, 50.0, generator).moves[0] == 1


@pytest.mark.parametrize(("spec", "words"), [
    ("level", "as in level:5"),
    ("level:", "as in level:5"),
    ("level:0", "from 1 to 10"),
    ("level:11", "from 1 to 10"),
    ("level:five", "from 1 to 10"),
    ("level:5,nodes=3", "no parameter of level"),
])
def test_bad_levels_are_refused(spec: str, words: str) -> None:
    with pytest.raises(OptionError) as caught:
        read_spec(spec)
    assert words in str(caught.value)


lines = st.lists(st.builds(
    lambda value, wins_in: Line((0,), float(value if wins_in is None else math.copysign(30_000, wins_in) - wins_in),
                                wins_in),
    st.integers(-2_000, 2_000), st.none() | st.none() | st.integers(-20, 20).filter(bool)), min_size=1, max_size=8)


@given(lines, st.floats(0, 2_000), st.integers(0, 1_000))
def test_a_chosen_line_is_a_fair_one(lines: list[Line], temperature: float, seed: int) -> None:
    chosen = choose_line(lines, temperature, random.Random(seed))
    best = max(line.value for line in lines)
    assert any(chosen is line for line in lines)
    assert best - chosen.value <= OUT_OF_REACH * temperature
    if any(line.wins_in is None or line.wins_in > 0 for line in lines):
        assert chosen.wins_in is None or chosen.wins_in > 0


def test_a_high_temperature_plays_more_kinds_of_moves() -> None:
    def kinds(temperature: float) -> Counter[int]:
        lines = [Line((number,), -50.0 * number) for number in range(8)]
        generator = random.Random(1)
        return Counter(choose_line(lines, temperature, generator).moves[0] for _ in range(1_000))
    hot, cold = kinds(200.0), kinds(20.0)
    assert len(hot) == 8 and hot[0] > hot[2] > hot[4] > hot[7]
    assert len(cold) == 2 and cold[0] > 850


# ---------------------------------------------------------------------- at the board

CASES = [("chinese_checkers", players) for players in (4, 3, 6)] + [(game, 2) for game in OWN]


@pytest.mark.parametrize(("game", "players"), some_of(CASES, 6))
def test_a_level_beats_one_far_below(game: str, players: int) -> None:
    """Four steps of 67 % are 94 % together; equals would get the 75 % wanted here once in fourteen times."""
    start = boyi.start(game, **({} if players == 2 else {"players": players}))
    match = Match(("level:5,book=off", "level:1,book=off"), start, games=scaled(120 if players == 2 else 60),
                  random_plies=6, seed=4)
    higher, _ = standings(match, list(play_match(match)))
    if players == 2:
        assert higher.score >= 0.75
    else:
        assert higher.share >= 1.5   # times the first places among equals


@pytest.mark.parametrize("game", OWN)
def test_the_lowest_level_beats_random_moves(game: str) -> None:
    match = Match(("level:1,book=off", "random"), boyi.start(game), games=scaled(100), random_plies=2, seed=5)
    level, _ = standings(match, list(play_match(match)))
    assert level.score >= 0.9


def test_a_game_of_three_in_plain_python_is_played() -> None:
    """It knows no passing and has no evaluator, so it needs another search than the games that have them."""
    from tests.page.sixth import GAME

    position = GAME.start()
    while position.moves():
        position.play(make_agent("level:2").choose(position.copy(), Clock(None, 0.0)))
    assert position.outcome() is not None
