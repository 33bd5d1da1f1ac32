"""The peer of `benchmarks.selfplay`: OpenSpiel's Python AlphaZero, its MCTS and its evaluator, on Othello.

    python benchmarks/peers_openspiel.py own|numpy SIMULATIONS MOVES

Run by `benchmarks.selfplay --peers PYTHON` in an environment of its own that has
`pip install open_spiel jax flax optax orbax-checkpoint`. The network is an MLP of two layers of 256: OpenSpiel's own,
or one in NumPy in its place, which for one position at a time is much faster. It prints one line of JSON.
"""

import json
import os
import sys
import time
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts
from open_spiel.python.algorithms.alpha_zero.evaluator import AlphaZeroEvaluator

KIND = sys.argv[1]
SIMULATIONS, MOVES = map(int, sys.argv[2:4])
WIDTH = 256


class Net:
    """What OpenSpiel asks of a model."""

    def __init__(self, size: int, names: int) -> None:
        generator = np.random.default_rng(0)
        self.one, self.two, self.policy, self.value = (
            (0.05 * generator.standard_normal(shape)).astype(np.float32)
            for shape in ((size, WIDTH), (WIDTH, WIDTH), (WIDTH, names), (WIDTH,)))

    def inference(self, observation: Any, mask: Any) -> tuple[float, Any]:
        seen = np.maximum(np.maximum(observation.astype(np.float32) @ self.one, 0) @ self.two, 0)
        odds = np.exp(seen @ self.policy) * mask
        return float(np.tanh(seen @ self.value)), odds / odds.sum()


game = pyspiel.load_game("othello")
net: Any
if KIND == "own":
    from open_spiel.python.algorithms.alpha_zero.utils import api_selector
    net = api_selector("linen").Model.build_model(
        "mlp", game.observation_tensor_shape(), game.num_distinct_actions(), WIDTH, 2, 1e-4, 1e-3, None)
else:
    net = Net(game.observation_tensor_size(), game.num_distinct_actions())
evaluator = AlphaZeroEvaluator(game, net)
generator = np.random.RandomState(1)
bot = mcts.MCTSBot(game, 1.25, SIMULATIONS, evaluator, solve=False, random_state=generator,
                   child_selection_fn=mcts.SearchNode.puct_value, dirichlet_noise=(0.25, 0.3))
state = game.new_initial_state()
bot.mcts_search(state)                     # compiles what there is to compile
began = time.process_time()
for _ in range(MOVES):
    if state.is_terminal():
        state = game.new_initial_state()
    root = bot.mcts_search(state)
    visits = np.array([child.explore_count for child in root.children], float)
    state.apply_action(root.children[generator.choice(len(visits), p=visits / visits.sum())].action)
print(json.dumps({"simulations": SIMULATIONS * MOVES, "seconds": time.process_time() - began}))
