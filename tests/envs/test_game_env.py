"""PettingZoo's own checkers pass for every game, and rewards, views and refusals are what the docs say."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import boyi
import boyi.envs
from boyi.core.errors import BoyiError, IllegalMoveError, MissingPartError, OptionError
from boyi.envs import GameEnv, aec, encode
from tests.envs.variants import OURS, SELDOM, TOYS, asked_of, start


# PettingZoo warns of observations with a mask, and of masks without an action after the end, except in its own games
# that have them, which it knows by name.
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be",
                            "ignore:Observation is not a NumPy array", "ignore:Action mask numpy array is all zeros",
                            "ignore:Observation numpy array is all zeros")
@asked_of(OURS + TOYS)
def test_it_passes_the_checkers_of_pettingzoo(name: str, rules: dict[str, Any], capsys: Any) -> None:
    api_test(aec(start(name, rules)), num_cycles=60)
    api_test(aec(start(name, rules), max_plies=9), num_cycles=60)
    seed_test(lambda: aec(start(name, rules)), num_cycles=40)


@asked_of(OURS, seldom=SELDOM)
def test_it_is_drawn(name: str, rules: dict[str, Any], capsys: Any) -> None:
    render_test(lambda render_mode: aec(name, render_mode=render_mode, **rules))
    assert "_v" in str(aec(name, **rules)) and aec(name, **rules)._repr_svg_().startswith("<svg")


def test_no_game_is_forgotten() -> None:
    assert {name for name, _ in OURS} == {game.name for game in boyi.all_games().values()
                                          if game.module.startswith("boyi.")}


def play_out(env: GameEnv, seed: int) -> dict[str, float]:
    """Random actions to the end; the sums of rewards."""
    generator = np.random.default_rng(seed)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    env.reset(seed=seed)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        totals[agent] += reward
        if terminated or truncated:
            assert not observation["action_mask"].any()
            env.step(None)
        else:
            env.step(generator.choice(np.flatnonzero(observation["action_mask"])))
    return totals


@asked_of(OURS)
def test_rewards_are_the_final_scores(name: str, rules: dict[str, Any]) -> None:
    env = aec(name, max_plies=300, **rules)
    totals = play_out(env, 3)
    outcome = env.position.outcome()
    assert list(totals.values()) == pytest.approx(outcome.scores if outcome else [0.0] * len(totals))


def test_a_player_sees_what_it_may_know() -> None:
    env = aec("jieqi")
    generator = np.random.default_rng(1)
    env.reset(seed=1)
    for agent in env.agent_iter(60):
        observation, _, over, cut, _ = env.last()
        if over or cut:
            break
        player, position = int(agent[-1]), env.position
        assert position.turn == player
        assert (observation["observation"] == encode([position.observe(player)])[0]).all()
        other = env.observe(f"player_{1 - player}")
        assert not other["action_mask"].any()
        env.step(generator.choice(np.flatnonzero(observation["action_mask"])))


def test_who_acts_illegally_has_lost() -> None:
    env = aec("othello")
    env.reset(seed=1)
    env.step(0)
    assert env.rewards == {"player_0": -1.0, "player_1": 1.0} and all(env.terminations.values())
    assert env.infos["player_1"] == {"outcome": "illegal_move"}


def test_or_is_told() -> None:
    env = aec("othello", illegal="raise")
    env.reset(seed=1)
    with pytest.raises(IllegalMoveError, match="action 0 is not legal here; legal are 19, 26, 37, 44"):
        env.step(0)
    assert env.position.ply == 0 and env.agent_selection == "player_0"
    env.step(np.int8(19))
    assert env.agent_selection == "player_1"


@pytest.mark.parametrize(("settings", "words"), [
    ({"illegal": "ignore"}, "illegal: 'ignore' is neither 'lose' nor 'raise'"),
    ({"render_mode": "hologram"}, "no render mode is called 'hologram'"), ({"max_plies": 0}, "max_plies: 0"),
    ({"board": 6}, "othello has no options"),
])
def test_wrong_settings_are_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(BoyiError, match=words):
        aec("othello", **settings)


def test_wrong_calls_are_refused() -> None:
    env = aec("othello")
    with pytest.raises(OptionError, match=r"no game has begun: reset\(\)"):
        env.step(19)
    env.reset()
    with pytest.raises(OptionError, match="'f5' is not an action: a whole number from 0 to 64"):
        env.step("f5")  # type: ignore[arg-type]


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "boyi.envs.game_env")
    with pytest.raises(MissingPartError, match=r"boyi.envs.GameEnv needs .* pip install 'boyi\[envs\]'"):
        aec("othello")
    with pytest.raises(AttributeError, match="no attribute 'Vector'"):
        boyi.envs.Vector  # noqa: B018


def test_it_begins_from_a_position() -> None:
    position = boyi.start("othello")
    position.play("f5")
    env = aec(position)
    env.reset()
    assert env.agent_selection == "player_1" and env.position.history() == position.history()
