"""How fast, deep and strong is the search of jieqi? Measured in one run, on one thread.

    python benchmarks/jieqi.py [--seconds 0.1] [--minutes 5] [--json]

jieqi: expectimax from the start, nodes per second against the figure published for the ancestor's IT2 (23,700), depth
in one second against our `it2` preset, and a match against that preset at equal time. The referee draws what
turns up at random; pairs of games share their draws as far as they go the same way, with colours swapped.
Speed is in CPU time of this process; depths and the match are in wall time, for both sides alike.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from dataclasses import asdict, dataclass, replace
from typing import cast

from boyi import CHANCE, OVER
from boyi.core.searcher import Limits
from boyi.core.weights import tunable
from boyi.games import find_game
from boyi.games.jieqi.draws import DRAWS
from boyi.games.jieqi.position import JieqiPosition
from boyi.games.jieqi.weights import AncestorWeights
from boyi.search.expectimax import Expectimax
from boyi.search.expectimax_options import PRESETS

ANCESTOR_NODES_PER_SECOND = 23_700
"""The published speed of the ancestor's IT2."""

MOST_DECISIONS = 400
"""A game longer than this is a draw."""


@dataclass(frozen=True)
class Claim:
    """One row of the report."""

    name: str
    value: float
    unit: str
    wanted: float
    met: bool
    note: str = ""


def engine(name: str) -> Expectimax:
    """A preset with its evaluator; the ancestor's without the king in its captures, which makes them stronger."""
    game = find_game("jieqi")
    if name == "default":
        return Expectimax(next(iter(game.evaluators.values()))(), PRESETS[name])
    _, make = tunable(game.evaluators[name]())
    return Expectimax(make(AncestorWeights(king_gain=0)), PRESETS[name])


def jieqi_speed(rounds: int = 3) -> list[Claim]:
    """Nodes per second and depth in a second, from the start; the best of a few rounds."""
    start = find_game("jieqi").start().observe(0)
    rates: dict[str, float] = {}
    depths: dict[str, int] = {}
    for _ in range(rounds):
        for name in ("default", "it2"):
            began = time.process_time()
            result = engine(name).search(start, Limits(seconds=1))
            spent = time.process_time() - began
            rates[name] = max(rates.get(name, 0), result.nodes / spent)
            depths[name] = max(depths.get(name, 0), result.depth)
    ratio = rates["default"] / ANCESTOR_NODES_PER_SECOND
    deeper = depths["default"] - depths["it2"]
    return [
        Claim("jieqi nodes/s against the ancestor's IT2", ratio, "x", 30, ratio >= 30,
              f"{rates['default']:,.0f}/s; our it2 preset {rates['it2']:,.0f}/s"),
        Claim("jieqi depth in 1 s beyond our it2", deeper, "plies", 2, deeper >= 2,
              f"{depths['default']} against {depths['it2']}"),
    ]


def jieqi_game(players: tuple[Expectimax, Expectimax], limits: Limits, seed: bytes) -> float:
    """The score of player 0 in one game."""
    referee = cast(JieqiPosition, find_game("jieqi").start())
    while (turn := referee.turn) != OVER and referee.decisions < MOST_DECISIONS:
        if turn == CHANCE:
            referee.play(DRAWS.draw_move(referee, seed))
        else:
            referee.play(players[turn].search(referee.observe(turn), limits).move)
    outcome = referee.outcome()
    return outcome.scores[0] if outcome else 0.0


def jieqi_match(seconds: float, minutes: float, seed: int = 1, ours: str = "default", theirs: str = "it2") -> Claim:
    """Pairs of games until the time is used up."""
    rng = random.Random(seed)
    one, two = engine(ours), engine(theirs)
    pairs: list[float] = []
    wins = draws = losses = 0
    limits = Limits(seconds=seconds)
    deadline = time.monotonic() + 60 * minutes
    while time.monotonic() < deadline or not pairs:
        draw_seed = rng.randbytes(32)
        scores = (jieqi_game((one, two), limits, draw_seed), -jieqi_game((two, one), limits, draw_seed))
        wins += sum(score > 0 for score in scores)
        draws += sum(score == 0 for score in scores)
        losses += sum(score < 0 for score in scores)
        pairs.append(sum((score + 1) / 2 for score in scores) / 2)
        share = sum(pairs) / len(pairs)
        print(f"\r{2 * len(pairs)} games: +{wins} ={draws} -{losses}, {share:.1%}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    spread = math.sqrt(sum((pair - share) ** 2 for pair in pairs) / max(1, len(pairs) - 1) / len(pairs))
    return Claim(f"jieqi match of {ours} against {theirs}, {seconds} s per move", 100 * share, "%", 75, share >= 0.75,
                 f"±{196 * spread:.1f} (95 %), {2 * len(pairs)} games, +{wins} ={draws} -{losses}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=0.1, help="time for a move in the match")
    parser.add_argument("--minutes", type=float, default=5, help="how long the match may take")
    parser.add_argument("--theirs", choices=["it2", "iterative"], default="it2")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    claims = [*jieqi_speed(), jieqi_match(arguments.seconds, arguments.minutes, theirs=arguments.theirs)]
    if arguments.json:
        print(json.dumps([asdict(replace(claim, value=round(claim.value, 2))) for claim in claims], indent=2))
        return
    for claim in claims:
        verdict = "met" if claim.met else "MISSED"
        print(f"{claim.name:50} {claim.value:8.1f} {claim.unit:6} wanted {claim.wanted:g}: {verdict}  ({claim.note})")


if __name__ == "__main__":
    main()
