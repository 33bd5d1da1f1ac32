"""Many games at once: what the arrays say is what positions stepped by hand say, whoever owns them."""

from __future__ import annotations

import contextlib
import threading
from typing import Any

import numpy as np
import pytest

import boyi
from boyi.core.board import Board
from boyi.core.encoder import PythonEncoder
from boyi.core.errors import BoyiError, IllegalMoveError, OptionError
from boyi.core.game import Game, Options
from boyi.core.position import OVER, Position
from boyi.envs import VectorEnv, encode, encoder_of, legal_actions, legal_mask
from tests.envs.variants import OURS, TOYS, asked_of, start
from tests.toys.line import BOARD, LinePosition

LONG = 60
"""Steps after which a game has shown what it is about."""


@asked_of(OURS + TOYS)
def test_masks_are_the_legal_moves_of_positions_stepped_by_hand(name: str, rules: dict[str, Any]) -> None:
    env = VectorEnv(start(name, rules), 4, seed=3, observations=True, autoreset=False)
    assert env.observations is not None
    mirrors = [start(name, rules) for _ in range(len(env))]
    encoder = encoder_of(mirrors[0])
    assert (env.masks.shape, env.rewards.shape) == ((4, encoder.policy_size), (4, mirrors[0].players))
    ended = [False] * len(env)
    for _ in range(LONG):
        for row, mirror in enumerate(mirrors):
            follow(mirror, env.position(row))       # what chance added
            if ended[row]:
                assert env.to_act[row] == OVER and not env.masks[row].any() and not env.observations[row].any()
                continue
            assert env.to_act[row] == mirror.turn
            assert (env.masks[row] == legal_mask([mirror])[0]).all()
            assert (env.observations[row] == encode([mirror])[0]).all()
        actions = env.sample()
        before = [mirror.ply for mirror in mirrors]
        for row, mirror in enumerate(mirrors):
            if not ended[row]:
                mirror.play(legal_actions(mirror)[actions[row]])
        rewards, terminations, truncations = env.step(actions)
        assert not truncations.any()
        for row, mirror in enumerate(mirrors):
            follow(mirror, env.position(row))
            outcome = mirror.outcome()
            assert terminations[row] == (outcome is not None)
            expected = outcome.scores if outcome is not None and not ended[row] else [0.0] * mirror.players
            assert rewards[row].tolist() == pytest.approx(expected)
            assert mirror.ply > before[row] or ended[row]
            ended[row] = outcome is not None
        if all(ended):
            break
    env.reset()
    assert (env.masks.any(axis=1)).all() and not env.terminations.any() and (env.rewards == 0).all()


def follow(mirror: Position, there: Position) -> None:
    """Play what was played there and not yet here: what chance gave."""
    moves, known = there.history(), mirror.history()
    assert moves[:len(known)] == known
    for move in moves[len(known):]:
        assert mirror.turn == boyi.CHANCE
        mirror.play(move)


@asked_of(OURS + TOYS)
def test_games_begin_anew(name: str, rules: dict[str, Any]) -> None:
    env = VectorEnv(start(name, rules), 3, seed=5, max_plies=40)
    ended = 0
    for _ in range(120):
        rewards, terminations, truncations = env.step(env.sample())
        for row in range(3):
            if terminations[row] or truncations[row]:
                ended += 1
                position = env.position(row)
                follow(start(name, rules), position)        # nobody but chance has acted yet
                assert (env.masks[row] == legal_mask([position])[0]).all() and env.to_act[row] == position.turn
            if not terminations[row]:
                assert not rewards[row].any()
    assert ended >= 3


def test_a_limit_of_plies_truncates() -> None:
    env = VectorEnv("othello", 2, seed=1, max_plies=5)
    for step in range(1, 11):
        _, terminations, truncations = env.step(env.sample())
        assert truncations.tolist() == [step % 5 == 0] * 2 and not terminations.any()
        assert env.position(0).ply == step % 5
    env = VectorEnv("othello", 2, seed=1, max_plies=5, autoreset=False)
    for _ in range(7):
        env.step(env.sample())
    assert env.to_act.tolist() == [OVER, OVER] and not env.masks.any() and env.truncations.all()
    assert env.position(0).ply == 5


def run(env: VectorEnv, steps: int) -> list[bytes]:
    """All that a run of sampled actions shows."""
    shown = []
    for _ in range(steps):
        actions = env.sample()
        env.step(actions)
        shown.append(b"".join(array.tobytes() for array in (
            actions, env.masks, env.to_act, env.rewards, env.terminations, env.truncations)))
    return shown


@asked_of([("jieqi", {}), ("othello", {}), ("race", {"players": 3}), ("chinese_checkers", {"players": 3})])
def test_the_same_seed_is_the_same_run_whatever_the_threads(name: str, rules: dict[str, Any]) -> None:
    runs = [run(VectorEnv(start(name, rules), 7, seed=11, max_plies=30, threads=threads), 50)
            for threads in (1, 2, 3, 16)]
    assert all(one == runs[0] for one in runs)
    again = VectorEnv(start(name, rules), 7, seed=12, max_plies=30)
    assert run(again, 50) != runs[0]
    again.reset(seed=11)
    assert run(again, 50) == runs[0]


def test_a_row_does_not_depend_on_those_beside_it() -> None:
    few, many = VectorEnv("jieqi", 2, seed=4), VectorEnv("jieqi", 9, seed=4)
    for _ in range(80):
        few.step(few.sample())
        many.step(many.sample())
    assert few.position(1).history() == many.position(1).history()


def test_what_is_sampled_does_not_change_the_dice() -> None:
    one, other = VectorEnv("jieqi", 1, seed=4), VectorEnv("jieqi", 1, seed=4)
    for _ in range(30):
        action = one.sample()
        other.sample()
        other.sample()
        one.step(action)
        other.step(action)
    assert one.position(0).history() == other.position(0).history()


def test_arrays_belong_to_the_caller() -> None:
    into: dict[str, Any] = {
        "masks": np.ones((2, 65), np.bool_), "to_act": np.full(2, 9, np.int32),
        "rewards": np.ones((2, 2), np.float32), "terminations": np.ones(2, np.bool_),
        "truncations": np.ones(2, np.bool_), "observations": np.ones((2, 192), np.float32)}
    env = VectorEnv("othello", 2, seed=1, into=into)
    mine = {name: getattr(env, name) for name in into}
    assert all(mine[name] is into[name] for name in into)
    assert into["masks"].sum() == 8 and not into["rewards"].any() and into["to_act"].tolist() == [0, 0]
    answer = env.step(env.sample(into=np.zeros(2, np.int64)))
    assert answer[0] is into["rewards"] and answer[1] is into["terminations"] and answer[2] is into["truncations"]
    assert into["to_act"].tolist() == [1, 1] and into["masks"].sum() == 6
    held = into["masks"]
    del env, answer, mine
    assert held.sum() == 6      # they outlive the environment


@pytest.mark.parametrize(("into", "words"), [
    ({"mask": np.zeros((2, 65), np.bool_)}, "no array is called 'mask'. There are: masks, to_act"),
    ({"masks": np.zeros((2, 64), np.bool_)}, r"shape \(2, 65\), and is one of bool with the shape \(2, 64\)"),
    ({"masks": np.zeros((2, 65), np.float32)}, "masks is to be a writeable array of bool"),
    ({"masks": np.zeros((65, 2), np.bool_).T}, "not in C order"),
    ({"masks": np.frombuffer(bytes(130), np.bool_).reshape(2, 65)}, "read-only"),
    ({"rewards": [0.0, 0.0]}, r"and is \[0.0, 0.0\]"),
])
def test_arrays_that_do_not_fit_are_refused(into: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        VectorEnv("othello", 2, into=into)


@pytest.mark.parametrize(("actions", "error", "words"), [
    ([19, 0], IllegalMoveError, "action 0 of row 1 is not legal there; legal are 19, 26, 37, 44. No game"),
    ([19, -1], IllegalMoveError, "action -1 of row 1"),
    ([19, 2**40 + 19], IllegalMoveError, "of row 1"),
    ([19], OptionError, r"actions are 2 whole numbers, one per row, and this is one of int64 with the shape \(1,\)"),
    ([19.0, 19.0], OptionError, "float64"),
    (None, OptionError, "actions are 2 whole numbers"),
])
def test_wrong_actions_are_refused_and_nothing_moves(actions: Any, error: type[BoyiError], words: str) -> None:
    env = VectorEnv("othello", 2, seed=1)
    before = env.masks.copy()
    with pytest.raises(error, match=words):
        env.step(actions)
    assert (env.masks == before).all() and [env.position(row).ply for row in range(2)] == [0, 0]
    env.step([19, 26])


@pytest.mark.parametrize(("settings", "words"), [
    ({"count": 0}, "count: 0 is not a whole number from 1"), ({"count": 1.5}, "count: 1.5"),
    ({"threads": 0}, "threads: 0"), ({"max_plies": 0}, "max_plies: 0"), ({"seed": "x"}, "'x' is not a seed"),
    ({"colour": 1}, "othello has no options"), ({"game": "othelo"}, "did you mean 'othello'"),
    ({"game": 3}, "3 is neither the name of a game nor a position"),
    ({"game": boyi.parse("othello", "X" * 64 + " X")}, "it is over"),
    ({"game": boyi.start("othello"), "colour": 1}, "a position has its options already"),
])
def test_wrong_settings_are_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(BoyiError, match=words):
        VectorEnv(**{**dict[str, Any](game="othello", count=1), **settings})


def test_the_gil_is_released() -> None:
    """Another thread gets to run in the midst of a step, and is told that these games are being stepped."""
    env = VectorEnv("xiangqi", 4096, seed=1)
    enough = threading.Event()

    def step_on() -> None:
        while not enough.is_set():
            with contextlib.suppress(OptionError):      # when it is the other who was first
                env.step(env.sample())

    stepping = threading.Thread(target=step_on)
    refused = False
    stepping.start()
    try:
        for _ in range(100_000):
            try:
                env.sample()
            except OptionError as error:
                refused = "being stepped by another thread" in str(error)
                break
    finally:
        enough.set()
        stepping.join()
    assert refused


class Clumsy(PythonEncoder):
    """Gives all moves the same number."""

    def __init__(self) -> None:
        super().__init__(version=1, players=2, planes=1, points=9, scalars=0, policy_size=1)

    def name(self, position: Position, move: int) -> int:
        return 0


class Fragile(LinePosition):
    """Breaks at the first move on a3."""

    def after(self, state: str, move: int) -> str:
        if move == 0:
            raise RuntimeError("a3 does not bear it")
        return super().after(state, move)


def toy(position: type[LinePosition], encoder: Any = None) -> Game:
    def board(options: Options) -> Board:
        return BOARD

    return Game(name="toy", title=boyi.Words("Toy", "玩具"), position=position, board=board, module=__name__,
                encoder=encoder)


def test_moves_that_share_a_number_are_refused_in_words() -> None:
    with pytest.raises(OptionError, match=r"a3 and b3 would both be action 0 .* needs an encoder of its own"):
        VectorEnv(toy(LinePosition, lambda options: Clumsy()).start(), 1)


def test_a_step_that_fails_midway_asks_for_a_reset() -> None:
    env = VectorEnv(toy(Fragile).start(), 2, seed=1)
    start = encoder_of(env.start).policy_index(env.start, 0)
    with pytest.raises(RuntimeError, match="a3 does not bear it"):
        env.step([start + 1, start])
    with pytest.raises(OptionError, match=r"the last step failed midway: reset\(\)"):
        env.step([start + 1, start + 1])
    env.reset()
    env.step([start + 1, start + 2])
    assert [env.position(row).ply for row in range(2)] == [1, 1]


def test_games_begin_from_a_position_with_its_history() -> None:
    position = boyi.start("othello")
    for move in ("f5", "d6"):
        position.play(move)
    env = VectorEnv(position, 1, seed=2, max_plies=3)
    for _ in range(3):
        env.step(env.sample())
    assert env.position(0).history() == position.history() and position.ply == 2
