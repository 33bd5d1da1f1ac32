"""The peer of `benchmarks.envs`: random games of pgx, many at once, with masks and autoreset, one thread.

    python benchmarks/peers_pgx.py GAME ROWS STEPS

Run by `benchmarks.envs --pgx PYTHON` in an environment of its own that has `pip install pgx jax`. All steps are one
compiled loop, which is the fastest way to use pgx on a CPU. It prints one line of JSON: the steps and the CPU seconds
they took, compilation not counted.
"""

import json
import os
import sys
import time
from typing import Any

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset

GAME, ROWS, STEPS = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])

env = pgx.make(GAME)
init = jax.vmap(env.init)
step = jax.vmap(auto_reset(env.step, env.init))


def advance(carried: Any, _: Any) -> Any:
    state, key = carried
    key, choose, again = jax.random.split(key, 3)
    action = jax.random.categorical(choose, jnp.where(state.legal_action_mask, 0.0, -jnp.inf), axis=-1)
    state = step(state, action, jax.random.split(again, ROWS))
    return (state, key), state.terminated.sum()


def play(state: Any, key: Any) -> Any:
    return jax.lax.scan(advance, (state, key), length=STEPS)


play_quickly = jax.jit(play)
state = init(jax.random.split(jax.random.PRNGKey(0), ROWS))
(state, key), _ = play_quickly(state, jax.random.PRNGKey(1))
jax.block_until_ready(state)
began = time.process_time()
(state, key), ended = play_quickly(state, key)
jax.block_until_ready(ended)
print(json.dumps({"steps": ROWS * STEPS, "seconds": time.process_time() - began, "games": int(ended.sum())}))
