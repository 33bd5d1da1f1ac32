"""Boyi as an engine under XBoard's match manager, against another XBoard engine or itself.

    python -m benchmarks.xboard --games 40 --depth 3 --opponent 'fairy-stockfish'
    python -m benchmarks.xboard --games 10 --seconds 1 --opponent 'hoixiangqi -x' --ponder

XBoard judges every move and every claim. The games begin with a few random moves, each opening twice, so that each
engine has both colours. What it says of them is read from its debug file; the exit code is 1 if it had anything to
complain about, or if games are missing.

Needs xboard and xvfb (Debian: apt-get install xboard xvfb).
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import boyi
from boyi.core.position import OVER

OURS = f"{shlex.quote(sys.executable)} -m boyi engine xiangqi --protocol xboard"
LETTERS = str.maketrans("nNbB", "hHeE")
"""Our letters of horse and elephant, and XBoard's."""

COMPLAINTS = re.compile(
    r"illegal|unrecog|not recogni|\berror\b|warning|unknown|false (win|draw)|exited|disconnect|forfeit|hung|bad move|"
    r"ambiguous|could ?n.t|not implemented|traceback", re.IGNORECASE)
INNOCENT = re.compile(r"accepted|rejected|feature|StartChildProcess|<second: (Error \(unk|warning)")
"""What matches and is no complaint; not ours is what the other engine says of itself."""

SECONDS_PER_GAME = 300


def write_openings(path: Path, count: int, plies: int, seed: int) -> None:
    """Positions after a few random moves, one a line, as XBoard writes them."""
    chance, lines = random.Random(seed), list[str]()
    while len(lines) < count:
        position = boyi.start("xiangqi")
        for _ in range(plies):
            if position.turn != OVER:
                position.play(chance.choice(position.moves()))
        if position.turn != OVER:
            board, _, rest = position.to_text().partition(" ")
            lines.append(f"{board.translate(LETTERS)} {rest}")
    path.write_text("\n".join(lines) + "\n")


def find(program: str) -> str:
    path = shutil.which(program, path=os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/games"]))
    if path is None:
        sys.exit(f"{program} is not installed; on Debian: apt-get install xboard xvfb")
    return path


def play(folder: Path, arguments: argparse.Namespace) -> tuple[str, float]:
    """Let XBoard play the match in a folder; its last word, and the seconds it took."""
    command = [
        find("xvfb-run"), "-a", find("xboard"), "-noGUI", "-variant", "xiangqi", "-fcp", OURS, "-fd", ".",
        "-scp", arguments.opponent, "-sd", ".", "-mg", str(arguments.games), "-sgf", "games.pgn", "-debug",
        "-nameOfDebugFile", "debug.txt", "-matchPause", "100", "-lpf", "openings.fen", "-lpi", "-2", "-soundProgram",
        "", "-pgnEventHeader", "Boyi under XBoard", "-testClaims", "true", "-testLegality", "true",
        "-ponderNextMove", str(arguments.ponder).lower()]
    command += ["-st", f"{arguments.seconds // 60}:{arguments.seconds % 60:02d}"] if arguments.seconds else []
    command += ["-depth", str(arguments.depth)] if arguments.depth else []
    began = time.monotonic()
    environment = {**os.environ, "PATH": os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/games"])}
    with (folder / "output.txt").open("w") as output:
        process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=output, env=environment,
                                   start_new_session=True)
    try:
        # After the match it waits until the score is acknowledged.
        while process.poll() is None and time.monotonic() < began + SECONDS_PER_GAME * arguments.games:
            time.sleep(1)
            found = re.search(r"final score.*", (folder / "output.txt").read_text(errors="replace"))
            if found:
                return found[0], time.monotonic() - began
        return f"no final score: {(folder / 'output.txt').read_text(errors='replace')[-200:]}", time.monotonic() - began
    finally:
        # XBoard does not always leave when asked to.
        for how in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
                os.killpg(process.pid, how)
                process.wait(5)
                time.sleep(1)


def complaints(debug: str) -> Iterator[str]:
    for line in debug.splitlines():
        if COMPLAINTS.search(line) and not INNOCENT.search(line):
            yield line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--opponent", default=OURS, help="an XBoard engine; Boyi itself if not given")
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--seconds", type=int, default=0, help="whole seconds per move; no limit but depth if 0")
    parser.add_argument("--plies", type=int, default=4, help="random moves to begin with")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ponder", action="store_true")
    parser.add_argument("--folder", type=Path, help="where to keep games and debug file")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("games.pgn", "debug.txt", "output.txt"):
            (folder / name).unlink(missing_ok=True)
        write_openings(folder / "openings.fen", -(-arguments.games // 2), arguments.plies, arguments.seed)
        score, seconds = play(folder, arguments)
        debug, games = (path.read_text(errors="replace") if path.exists() else ""
                        for path in (folder / "debug.txt", folder / "games.pgn"))
    results = Counter(re.findall(r'\[Result "(.*?)"\]', games))
    reasons = Counter(re.findall(r">first : result \S+ \{(.*)\}", debug))
    print(f"{sum(results.values())} of {arguments.games} games in {seconds:.0f} s; {score}; {dict(results)}")
    for reason, count in reasons.most_common():
        print(f"  {count:4d}  {reason}")
    found = list(complaints(debug))
    print(f"{len(found)} complaints")
    for line in found[:20]:
        print(f"  {line}")
    sys.exit(bool(found) or sum(results.values()) != arguments.games)


if __name__ == "__main__":
    main()
