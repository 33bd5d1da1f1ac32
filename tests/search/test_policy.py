"""The root of a search to learn from: visits and targets against the naive version, and what must hold of them."""

from __future__ import annotations

from typing import Any

import pytest

import boyi
from boyi.core.errors import OptionError
from boyi.core.predictor import Predictor
from boyi.core.searcher import Limits
from boyi.search.mcts import MCTS
from boyi.search.mcts_options import MCTSOptions
from tests.search.batched_naive import HashPredictor
from tests.search.policy_naive import NaiveRoot
from tests.search.test_mcts import wander
from tests.toys import find_game_or_toy

# Game, rule options, plies into it.
POSITIONS: dict[str, tuple[str, dict[str, object], int]] = {
    "line": ("line", {}, 0),
    "line-late": ("line", {}, 5),
    "race-3": ("race", {"players": 3}, 7),
    "othello": ("othello", {}, 20),
    "othello-end": ("othello", {}, 55),
    "liuzhou": ("liuzhou", {}, 30),
    "tic-tac-toe": ("tic_tac_toe", {}, 3),
}
OPTIONS: dict[str, dict[str, Any]] = {
    "visits": {},
    "noise": {"root_noise": 0.25},
    "broad-noise": {"root_noise": 0.5, "root_noise_shape": 2.0, "seed": 3},
    "forced": {"forced_playouts": 2.0, "root_noise": 0.25},
    "forced-unsolved": {"forced_playouts": 4.0, "root_noise": 0.6, "solver": False, "seed": 9},
    "gumbel": {"gumbel": True, "gumbel_noise": 1.0},
    "gumbel-few": {"gumbel": True, "gumbel_noise": 1.0, "gumbel_moves": 4, "gumbel_scale": 0.1, "seed": 4},
    "gumbel-quiet": {"gumbel": True, "gumbel_moves": 8, "solver": False},
}


@pytest.mark.parametrize("simulations", [5, 17, 33, 90])
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("name", POSITIONS)
def test_agrees_with_the_naive_version(name: str, options: str, simulations: int) -> None:
    game, rules, plies = POSITIONS[name]
    position = wander(find_game_or_toy(game).start(**rules), plies, seed=len(name))
    encoder = position.game.make_encoder(position.options)
    chosen = MCTSOptions(selection="puct", exploration=1.25, **OPTIONS[options])
    searcher = MCTS(options=chosen, predictor=HashPredictor(encoder))
    result = searcher.search(position, Limits(nodes=simulations, lines=2000))
    naive = NaiveRoot(position, chosen, encoder, simulations)
    root = naive.run()
    assert {line.moves[0]: line.visits for line in result.lines} == {
        child.move: child.visits for child in root.children}
    found, expected = searcher.policy(), naive.policy()
    assert sum(found.values()) == pytest.approx(1)
    if root.proof is not None and root.proof[position.turn] >= 1:
        # Of several wins the soonest.
        assert [policy for policy in found.values() if policy] == [1]
        assert expected[next(move for move, policy in found.items() if policy)] > 0 and result.lines[0].wins_in
    elif expected:
        assert found == pytest.approx(expected, abs=1e-5)


def test_forced_playouts_are_taken_back() -> None:
    """Moves tried only because they had to be are learned less than they were tried, and sometimes not at all."""
    position = wander(boyi.start("othello"), 12, 2)
    encoder = position.game.make_encoder(position.options)
    less = gone = 0
    for seed in range(10):
        searcher = MCTS(options=MCTSOptions(selection="puct", forced_playouts=3.0, root_noise=0.9, seed=seed),
                        predictor=HashPredictor(encoder))
        result = searcher.search(position, Limits(nodes=100, lines=100))
        policy, tried = searcher.policy(), sum(line.visits or 0 for line in result.lines)
        assert policy[result.move] == max(policy.values()) >= (result.lines[0].visits or 0) / tried - 1e-6
        for line in result.lines:
            less += policy[line.moves[0]] < (line.visits or 0) / tried - 1e-6
            gone += bool(line.visits) and policy[line.moves[0]] == 0
    assert less > gone > 0


def test_every_candidate_is_tried_before_the_first_halving() -> None:
    """Also where the simulations are no more than the candidates: nothing is given up unseen."""
    position = boyi.start("xiangqi")
    options = MCTSOptions(selection="puct", gumbel=True, gumbel_moves=16, gumbel_noise=1.0)
    searcher = MCTS(options=options, predictor=Predictor(position.game.make_encoder(position.options)))
    result = searcher.search(position, Limits(nodes=17, lines=100))
    assert sorted((line.visits or 0 for line in result.lines), reverse=True)[:17] == [1] * 16 + [0]
    result = searcher.search(position, Limits(nodes=33, lines=100))
    # 16 once, 8 once more, then 4 twice: 1 each, 2, 4.
    assert sorted((line.visits or 0 for line in result.lines), reverse=True)[:17] == [4] * 4 + [2] * 4 + [1] * 8 + [0]


def test_refusals() -> None:
    with pytest.raises(OptionError, match="forced_playouts: they are for selection=puct"):
        MCTSOptions(forced_playouts=2.0)
    with pytest.raises(OptionError, match="forced_playouts: they are for selection=puct"):
        MCTSOptions(selection="puct", gumbel=True, forced_playouts=2.0)
    with pytest.raises(OptionError, match="gumbel_scale: -1 is not from 0"):
        MCTSOptions(gumbel_scale=-1)
    with pytest.raises(RuntimeError, match="no search has ended"):
        MCTS().policy()
