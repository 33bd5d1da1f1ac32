"""How strong are the searches? Matches against other engines and against the ancestors, by `boyi match`.

    python -m benchmarks.strength [--only fairy] [--games N] [--seed N] [--jobs N]

A row is one command that anyone can type; it is printed before it runs. Time is wall time, so nothing else should
run on the machine, and no more games at once than it has cores.
"""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass

GAMES_FOLDERS = "/usr/games:/usr/local/games"


@dataclass(frozen=True)
class Row:
    """A match, and what it should show."""

    name: str
    command: str
    """What follows `boyi match`."""

    games: int
    wanted: float
    """The score of the first agent; with `share`, its multiple of the fair share of first places."""

    program: str = ""
    """What must be installed."""

    share: bool = False


FAIRY = "uci:fairy-stockfish,seconds=0.2 --rules checks --resign-value 0.98 --draw-value 0.02 --draw-from 80"
CHECKERS = "chinese_checkers multiplayer:seconds=0.05 multiplayer:preset=ancestor,seconds=0.05"

ROWS = (
    Row("xiangqi-fairy", f"xiangqi alphabeta:seconds=0.2 {FAIRY}", 100, 0.85, "fairy-stockfish"),
    Row("xiangqi-fairy-four", f"xiangqi alphabeta:seconds=0.05 {FAIRY}", 100, 0.60, "fairy-stockfish"),
    Row("xiangqi-sjaakii", "xiangqi alphabeta:seconds=0.2 uci:sjaakii,seconds=0.2 --rules checks", 100, 0.75,
        "sjaakii"),
    Row("xiangqi-hoixiangqi", "xiangqi alphabeta:seconds=0.3 'xboard:hoixiangqi -x,seconds=1' --rules checks", 40, 0.95,
        "hoixiangqi"),
    Row("othello-rhino", "othello alphabeta:seconds=0.1 'gtp:gtp-rhino -l 3' --random-plies 6", 100, 0.90, "gtp-rhino"),
    Row("jieqi-it2", "jieqi expectimax:seconds=0.1 expectimax:preset=it2,weights.king_gain=0,seconds=0.1", 60, 0.75),
    Row("liuzhou-random", "liuzhou alphabeta:nodes=2000 random", 1_000, 0.998),
    Row("liuzhou-depth-2", "liuzhou alphabeta:seconds=0.1 alphabeta:depth=2", 100, 0.90),
    Row("checkers-2", CHECKERS, 40, 0.95),
    Row("checkers-3", CHECKERS + " --option players=3", 30, 1.8, share=True),
    Row("checkers-6", CHECKERS + " --option players=6", 24, 1.8, share=True),
)


def run(row: Row, games: int, seed: int, jobs: int) -> str:
    """Play a match; its line of the table."""
    words = ["match", *shlex.split(row.command), "--games", str(games), "--seed", str(seed), "--jobs", str(jobs)]
    print("boyi", shlex.join(words), file=sys.stderr)
    done = subprocess.run([sys.executable, "-c", "from boyi.cli import main; main()", *words, "--json"],
                          stdout=subprocess.PIPE, check=True)
    match = json.loads(done.stdout)
    ours = match["standings"][0]
    value, low, high = (ours[name] for name in (
        ("share", "share_low", "share_high") if row.share else ("score", "low", "high")))
    failed = sum(len(game["failures"]) for game in match["games"])
    shown = [f"{number:.2f}×" if row.share else f"{100 * number:.1f} %" for number in (value, low, high, row.wanted)]
    return " | ".join((
        f"| {row.name}", f"`boyi {shlex.join(words)}`", f"{ours['wins']} {ours['draws']} {ours['losses']}",
        f"{shown[0]} ({shown[1]} to {shown[2]})", shown[3], "yes" if value >= row.wanted else "no", f"{failed} |"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="rows whose name has this in it")
    parser.add_argument("--games", type=int, help="number of games per row instead of its own")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    print("| match | command | won, drawn, lost | score (95 %) | wanted | met | failures |")
    print("|---|---|---|---|---|---|---|")
    for row in ROWS:
        if options.only not in row.name:
            continue
        if row.program and not (shutil.which(row.program) or shutil.which(row.program, path=GAMES_FOLDERS)):
            print(f"{row.name}: {row.program} is not installed; "
                  "on Debian: apt-get install fairy-stockfish sjaakii hoichess grhino", file=sys.stderr)
            continue
        print(run(row, options.games or row.games, options.seed, options.jobs), flush=True)


if __name__ == "__main__":
    main()
