"""What is each idea of a search worth? A match for every switch: the search with it turned against the search as it is.

    python -m benchmarks.ideas xiangqi                                   every switch, 400 games each at 0.01 s a move
    python -m benchmarks.ideas liuzhou --only killers futility --games 200

Switches are the options of the game's default search that are on or off. First both forms search a few positions with
equal nodes: where they visit the same nodes, the switch has no effect in this game and no match is played. Time is wall
time, so nothing else should run, and no more games at once (`--jobs`) than there are cores.

Games are kept in journals (`--folder`, outside the repository); the same command goes on with them.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import boyi
from benchmarks.revisions.build import default_folder, describe_checkout
from boyi.agents.searching import Algorithm, find_default
from boyi.arena.openings import distinct_openings
from boyi.cli._reporting import format_elo_interval
from boyi.core.position import Position
from boyi.core.searcher import Limits

GAMES = 400
SECONDS = 0.01
OPENING_PLIES = 8
CONDITIONS = ("--resign-value", "0.95", "--resign-moves", "3", "--draw-value", "0.06", "--draw-moves", "6", "--longest",
              "300")
"""Games are ended where both sides agree."""

PROBES = 6
PROBE_NODES = 20_000
PROBE_PLIES = 12
"""Positions that tell whether a switch has an effect, and by how many random moves they are reached."""

@dataclass(frozen=True)
class Idea:
    """A switch, turned."""

    name: str
    on: bool

    def __str__(self) -> str:
        return f"{self.name}={'on' if self.on else 'off'}"


def find_ideas(algorithm: Algorithm) -> list[Idea]:
    """The switches of an algorithm."""
    assert algorithm.options is not None
    return [Idea(part.name, not part.default) for part in fields(algorithm.options) if isinstance(part.default, bool)]


def find_probes(game: str) -> list[Position]:
    """The start, and positions after random moves, as the player to act sees them."""
    start = boyi.start(game)
    reached = distinct_openings(start, PROBE_PLIES, PROBES - 1, seed=1)
    return [position.observe(position.turn) for position in (start, *reached)]


def has_effect(algorithm: Algorithm, idea: Idea, probes: Sequence[Position]) -> bool:
    """Does the search go another way in any of the positions, or because of those before?"""
    def visit(values: Mapping[str, bool]) -> list[object]:
        searcher = algorithm.make(probes[0].game, values)
        found = [searcher.search(position, Limits(nodes=PROBE_NODES)) for position in probes]
        return [(result.lines, result.depth, result.statistics) for result in found]

    return visit({}) != visit({idea.name: idea.on})


def play(game: str, algorithm: Algorithm, idea: Idea, asked: argparse.Namespace) -> tuple[str, str]:
    """The result and the Elo of a match, played or gone on with."""
    spec = f"{algorithm.name}:seconds={asked.seconds:g}"
    journal = asked.folder / f"{game}-{idea.name}-{describe_checkout()}-{asked.seconds:g}-{asked.seed}.jsonl"
    words = ["match", game, f"{spec},{idea}", spec, "--games", str(asked.games), "--random-plies", str(OPENING_PLIES),
             "--seed", str(asked.seed), *CONDITIONS, "--jobs", str(asked.jobs), "--journal", str(journal), "--json"]
    done = subprocess.run([sys.executable, "-c", "from boyi.cli import main; main()", *words], stdout=subprocess.PIPE,
                          check=True)
    match = json.loads(done.stdout)
    ours = match["standings"][0]
    failures = sum(len(one["failures"]) for one in match["games"])
    result = f"{ours['wins']}-{ours['draws']}-{ours['losses']}" + (f" ({failures} failed)" if failures else "")
    return result, format_elo_interval(ours["score"], ours["low"], ours["high"])


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ideas", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--only", nargs="+", metavar="SWITCH", help="these (default: all)")
    parser.add_argument("--games", type=int, default=GAMES, help=f"of each match ({GAMES})")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"for a move ({SECONDS})")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="games at the same time (1)")
    parser.add_argument("--folder", type=Path, default=default_folder(), help=f"of the journals ({default_folder()})")
    asked = parser.parse_args(words)
    asked.folder.mkdir(parents=True, exist_ok=True)
    probes = find_probes(asked.game)
    algorithm = find_default(probes[0])
    ideas = {idea.name: idea for idea in find_ideas(algorithm)}
    for name in asked.only or ():
        if name not in ideas:
            parser.error(f"{algorithm.name} has no switch {name}, but: {', '.join(ideas)}")
    print("| against the default | result | Elo |")
    print("|---|---|---|")
    for idea in [ideas[name] for name in asked.only or ideas]:
        result, rating = play(asked.game, algorithm, idea, asked) if has_effect(algorithm, idea, probes) else (
            "no effect", "")
        print(f"| `{idea}` | {result} | {rating} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
