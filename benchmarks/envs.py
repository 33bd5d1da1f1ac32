"""How fast environments are stepped: random legal actions, with masks, beside pgx and OpenSpiel in the same run.

    python -m benchmarks.envs [--pgx PYTHON] [--rows 1024] [--rounds 3] [--only WORDS] [--markdown]

Rates are steps per second of CPU time, on one thread; a step is one decision of one player. Ours go through Python as a
learner's would: `step(sample())` for all rows, then again. PYTHON is the interpreter of an environment that has pgx
(`pip install pgx jax`), which runs in a process of its own. Rounds alternate between all of them, so that other load on
the machine affects all; the best round of each counts.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.peers import MissingError, package, short
from boyi.envs import VectorEnv

SECONDS = 1.0
"""The least CPU time of a measurement."""

PGX_STEPS = 200
"""Per row, of which a run of pgx is made: a second or so."""

WANTED = {"othello": 5e6, "xiangqi": 1e6}
"""What we promise, in steps per CPU second."""

Rate = Callable[[], float]


def rate(step: Callable[[], int]) -> float:
    """Repeat what returns how many steps it made; steps per CPU second."""
    made, began = 0, time.process_time()
    while (spent := time.process_time() - began) < SECONDS:
        made += step()
    return made / spent


def ours(game: str, rows: int, *, observations: bool = False, **options: Any) -> Rate:
    env = VectorEnv(game, rows, seed=1, observations=observations, **options)
    actions = env.sample()

    def step() -> int:
        for _ in range(16):
            env.step(env.sample(into=actions))
        return 16 * rows

    for _ in range(200):                # games in all their stages
        env.step(env.sample(into=actions))
    return lambda: rate(step)


def openspiel(game: str) -> Rate:
    """OpenSpiel from Python, a state after the other, which is how its environments step."""
    spiel = package("pyspiel", "open_spiel")
    loaded = spiel.load_game(game)
    draw = random.Random(1).random

    def play() -> int:
        state, steps = loaded.new_initial_state(), 0
        while not state.is_terminal():
            state.legal_actions_mask()
            moves = state.legal_actions()
            state.apply_action(moves[int(draw() * len(moves))])
            steps += 1
        return steps

    return lambda: rate(play)


def openspiel_compiled(game: str) -> Rate:
    """OpenSpiel's C++ alone: whole games of random bots in one call, without masks."""
    spiel = package("pyspiel", "open_spiel")
    loaded = spiel.load_game(game)
    bots = [spiel.make_uniform_random_bot(player, player + 1) for player in range(loaded.num_players())]
    seeds = iter(range(1, 1 << 30))

    def play() -> int:
        state = loaded.new_initial_state()
        spiel.evaluate_bots(state, bots, next(seeds))
        return int(state.move_number())

    return lambda: rate(play)


def pgx(python: str, game: str, rows: int) -> Rate:
    """pgx in its own environment; it measures itself."""
    script = str(Path(__file__).parent / "peers_pgx.py")

    def run() -> float:
        done = subprocess.run([python, script, game, str(rows), str(PGX_STEPS)], capture_output=True, text=True,
                              check=True)
        said = json.loads(done.stdout.splitlines()[-1])
        return float(said["steps"] / said["seconds"])

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--pgx", help="the Python of an environment with pgx")
    parser.add_argument("--rows", type=int, default=1024, help="games at once, ours and pgx's (default 1024)")
    parser.add_argument("--rounds", type=int, default=3, help="best of how many (default 3)")
    parser.add_argument("--only", nargs="+", default=[""], help="trials with one of these words in their titles")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown, as in docs/results")
    chosen = parser.parse_args()
    rows: int = chosen.rows
    trials: dict[str, Callable[[], Rate]] = {
        "othello: boyi": lambda: ours("othello", rows),
        "othello: boyi, with observations": lambda: ours("othello", rows, observations=True),
        "othello: OpenSpiel from Python": lambda: openspiel("othello"),
        "othello: OpenSpiel's C++, no masks": lambda: openspiel_compiled("othello"),
    }
    if chosen.pgx:
        trials["othello: pgx"] = lambda: pgx(chosen.pgx, "othello", rows)
    trials |= {
        "xiangqi: boyi": lambda: ours("xiangqi", rows),
        "xiangqi: boyi, with observations": lambda: ours("xiangqi", rows, observations=True),
        "jieqi: boyi": lambda: ours("jieqi", rows),
        "liuzhou: boyi": lambda: ours("liuzhou", rows),
        "chinese_checkers, 2 players: boyi": lambda: ours("chinese_checkers", rows, players=2),
        "chinese_checkers, 6 players: boyi": lambda: ours("chinese_checkers", rows, players=6),
        "tic_tac_toe, in plain Python: boyi": lambda: ours("tic_tac_toe", min(rows, 64)),
        "tic_tac_toe: OpenSpiel from Python": lambda: openspiel("tic_tac_toe"),
    }
    if chosen.pgx:
        trials["tic_tac_toe: pgx"] = lambda: pgx(chosen.pgx, "tic_tac_toe", rows)
    ready: dict[str, Rate] = {}
    for title, make in trials.items():
        if any(word in title for word in chosen.only):
            try:
                ready[title] = make()
            except MissingError as reason:
                print(f"skipped {title}: {reason}", file=sys.stderr)
    best = dict.fromkeys(ready, 0.0)
    for number in range(chosen.rounds):
        for title, measure in ready.items():
            found = measure()
            best[title] = max(best[title], found)
            print(f"round {number + 1}: {title}: {found:,.0f}", file=sys.stderr, flush=True)
    if chosen.markdown:
        print("| environment | steps per CPU second | wanted |\n|---|---:|---:|")
    for title, found in best.items():
        wanted = WANTED.get(title.removesuffix(": boyi"))
        promise = "" if wanted is None else short(wanted)
        if chosen.markdown:
            print(f"| {title} | {short(found)} | {promise} |")
        else:
            print(f"{title:40}{short(found):>10}  {promise}".rstrip())


if __name__ == "__main__":
    main()
