"""gymnasium's own checker passes for every game, against any agent, from any seat."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import boyi
from boyi.agents import Clock
from boyi.core.errors import BoyiError, IllegalMoveError, OptionError
from boyi.core.position import Position
from boyi.envs import SingleEnv, single
from tests.envs.variants import OURS, TOYS, asked_of, start

ID = "boyi.envs.single_env:boyi/Single-v0"


@asked_of(OURS)
def test_it_passes_the_checker_of_gymnasium(name: str, rules: dict[str, Any], capsys: Any) -> None:
    env = gymnasium.make(ID, game=name, seat=1, **rules)
    check_env(env.unwrapped)


@asked_of(TOYS)
def test_so_do_games_from_outside(name: str, rules: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*not having a spec")
        check_env(single(start(name, rules), seat=1))


def play_out(env: SingleEnv, seed: int) -> tuple[list[int], float]:
    """Random actions to the end; the moves of the game and the last reward."""
    generator = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    while True:
        assert (observation["action_mask"] == info["action_mask"]).all() and observation in env.observation_space
        observation, reward, terminated, truncated, info = env.step(
            generator.choice(np.flatnonzero(info["action_mask"])))
        if terminated or truncated:
            return env.position.history(), reward
        assert reward == 0 and env.position.turn == env.seat


@asked_of([*OURS[:6], ("chinese_checkers", {"players": 3}), *TOYS])
def test_a_seed_is_a_game(name: str, rules: dict[str, Any]) -> None:
    seat = start(name, rules).players - 1
    env = single(start(name, rules), seat=seat, max_plies=60)
    moves, reward = play_out(env, 1)
    outcome = env.position.outcome()
    assert reward == pytest.approx(outcome.scores[seat] if outcome else 0.0)
    assert play_out(env, 1) == (moves, reward)
    assert play_out(single(start(name, rules), seat=seat, max_plies=60), 1) == (moves, reward)


def test_levels_play() -> None:
    env = single("othello", opponent="level:2", seat=1)
    moves, _ = play_out(env, 4)
    assert play_out(env, 4)[0] == moves
    env.close()
    env.close()


class First:
    """Plays the first legal move, and remembers what it was shown."""

    def __init__(self) -> None:
        self.seen: list[Position] = []

    def choose(self, observation: Position, clock: Clock) -> int:
        self.seen.append(observation)
        return observation.moves()[0]


def test_agents_are_shown_what_their_seat_may_know() -> None:
    agent = First()
    env = single("jieqi", opponent=agent, max_plies=20)
    play_out(env, 2)
    assert agent.seen and all(view.to_text() == view.observe(1).to_text() and view.turn == 1 for view in agent.seen)


def test_every_seat_has_its_opponent() -> None:
    agents = First(), First()
    env = single("chinese_checkers", players=3, opponent=agents, seat=1, max_plies=12)
    play_out(env, 2)
    assert {view.turn for view in agents[0].seen} == {0} and {view.turn for view in agents[1].seen} == {2}


def test_illegal_actions() -> None:
    env = single("othello")
    env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated, info["outcome"]) == (-1.0, True, False, "illegal_move")
    assert not observation["action_mask"].any()
    strict = single("othello", illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(IllegalMoveError, match="action 0 is not legal here; legal are 19"):
        strict.step(0)


@pytest.mark.parametrize(("settings", "words"), [
    ({"opponent": "levl:3"}, "did you mean 'level'"), ({"opponent": 3}, "3 is neither a spec such as 'level:3' nor"),
    ({"opponent": ["random", "random"]}, "there are 1 other seats, and here are 2 agents"),
    ({"seat": 2}, "seat: 2 is not a whole number from 0 to 1"),
])
def test_wrong_settings_are_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(BoyiError, match=words):
        single("othello", **settings)


def test_wrong_calls_are_refused() -> None:
    env = single("othello")
    with pytest.raises(OptionError, match="no game is under way"):
        env.step(19)
    with pytest.raises(OptionError, match="reset takes no options"):
        env.reset(options={"opening": 1})
    env.reset(seed=1)
    env.step(0)
    with pytest.raises(OptionError, match="no game is under way"):
        env.step(19)


def test_pictures() -> None:
    env = single("othello", render_mode="ansi")
    env.reset(seed=1)
    assert isinstance(env.render(), str) and env._repr_svg_().startswith("<svg")
    pixels = single("othello", render_mode="rgb_array")
    pixels.reset(seed=1)
    picture = pixels.render()
    assert isinstance(picture, np.ndarray) and picture.dtype == np.uint8 and picture.shape[2] == 3
    assert boyi.start("othello").ply == 0
