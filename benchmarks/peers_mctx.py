"""The peer of `benchmarks.selfplay`: a self-play loop of mctx (Gumbel MuZero) and pgx Othello, one thread, MLP 256-256.

    python benchmarks/peers_mctx.py BATCH SIMULATIONS STEPS

Run by `benchmarks.selfplay --peers PYTHON` in an environment of its own that has `pip install pgx mctx jax`. It prints
one line of JSON: what was searched and the CPU seconds it took, compilation not counted.
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
import mctx
import pgx

BATCH, SIMULATIONS, STEPS = map(int, sys.argv[1:4])
WIDTH = 256

env = pgx.make("othello")
init, step = jax.vmap(env.init), jax.vmap(env.step)
names = env.num_actions


def make_net(key: Any) -> Any:
    sizes = [("a", 8 * 8 * 2, WIDTH), ("b", WIDTH, WIDTH), ("policy", WIDTH, names), ("value", WIDTH, 1)]
    return {name: (0.05 * jax.random.normal(k, (n, m)), jnp.zeros(m))
            for (name, n, m), k in zip(sizes, jax.random.split(key, len(sizes)), strict=True)}


def ask(net: Any, observation: Any) -> Any:
    x = observation.reshape(observation.shape[0], -1).astype(jnp.float32)
    for layer in ("a", "b"):
        x = jax.nn.relu(x @ net[layer][0] + net[layer][1])
    return x @ net["policy"][0] + net["policy"][1], jnp.tanh(x @ net["value"][0] + net["value"][1])[:, 0]


def recurrent(net: Any, key: Any, action: Any, state: Any) -> Any:
    player = state.current_player
    state = step(state, action)
    logits, value = ask(net, state.observation)
    logits = jnp.where(state.legal_action_mask, logits - logits.max(axis=-1, keepdims=True), jnp.finfo(jnp.float32).min)
    reward = state.rewards[jnp.arange(state.rewards.shape[0]), player]
    value = jnp.where(state.terminated, 0.0, value)
    discount = jnp.where(state.terminated, 0.0, -jnp.ones_like(value))
    return mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=logits, value=value), state


def play(net: Any, state: Any, key: Any) -> Any:
    """One move in all games; those that are over begin anew."""
    logits, value = ask(net, state.observation)
    search, again = jax.random.split(key)
    output = mctx.gumbel_muzero_policy(
        params=net, rng_key=search, root=mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state),
        recurrent_fn=recurrent, num_simulations=SIMULATIONS, invalid_actions=~state.legal_action_mask,
        qtransform=mctx.qtransform_completed_by_mix_value, gumbel_scale=1.0)
    state = step(state, output.action)
    fresh = init(jax.random.split(again, BATCH))
    over = state.terminated | state.truncated
    state = jax.tree_util.tree_map(
        lambda new, old: jnp.where(over.reshape((-1,) + (1,) * (old.ndim - 1)), new, old), fresh, state)
    return state, output.action_weights


play_quickly = jax.jit(play)
net = make_net(jax.random.PRNGKey(0))
state = init(jax.random.split(jax.random.PRNGKey(1), BATCH))
state, _ = play_quickly(net, state, jax.random.PRNGKey(2))
jax.block_until_ready(state)
began = time.process_time()
for number in range(STEPS):
    state, _ = play_quickly(net, state, jax.random.PRNGKey(3 + number))
jax.block_until_ready(state)
print(json.dumps({"simulations": BATCH * SIMULATIONS * STEPS, "seconds": time.process_time() - began}))
