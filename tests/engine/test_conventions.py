"""Fairy-Stockfish's conventions: ten ranks, UCI_Variant, its position texts. What it counts, we count."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable

import pytest

import boyi
from boyi.agents.external import GAMES_FOLDERS
from boyi.core.position import OVER
from tests.scale import scaled

OURS = [sys.executable, "-m", "boyi", "engine", "xiangqi", "--protocol", "uci"]
VARIANT = "setoption name UCI_Variant value xiangqi"


@pytest.fixture(scope="module")
def fairy() -> list[str]:
    found = shutil.which("fairy-stockfish", path=os.pathsep.join([os.environ.get("PATH", ""), *GAMES_FOLDERS]))
    if found is None:
        pytest.skip("fairy-stockfish is not installed; on Debian: apt-get install fairy-stockfish")
    return [found]


def moves_after(command: list[str], positions: Iterable[str]) -> list[dict[str, int]]:
    """What an engine lists under `go perft 2`, for each position."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        def ask(line: str, last: str) -> str:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(line + "\n")
            process.stdin.flush()
            said = [""]
            while not said[-1].startswith(last):
                said.append(process.stdout.readline())
                assert said[-1], f"the engine has gone after {line}"
            return "".join(said)
        ask(f"uci\n{VARIANT}\nisready", "readyok")
        counts = []
        for position in positions:
            said = ask(f"position {position}\ngo perft 2", "Nodes searched")
            counts.append({move: int(count) for move, count in re.findall(r"([a-i]\d+[a-i]\d+): (\d+)", said)})
            # Fairy-Stockfish may crash over a position that comes before its count has quite ended.
            ask("isready", "readyok")
        process.communicate("quit\n", timeout=60)
    return counts


def test_the_same_moves_in_the_same_writing(fairy: list[str]) -> None:
    chance, positions = random.Random(4), ["startpos"]
    for _ in range(scaled(200)):
        position, written = boyi.start("xiangqi"), []
        for _ in range(chance.randrange(1, 60)):
            if position.turn == OVER:
                break
            move = chance.choice(position.moves())
            written.append(re.sub(r"\d", lambda rank: str(int(rank[0]) + 1), position.format_move(move)))
            position.play(move)
        if position.turn != OVER:
            positions += [f"startpos moves {' '.join(written)}", f"fen {position.to_text()}"]
    ours, theirs = moves_after(OURS, positions), moves_after(fairy, positions)
    for text, one, other in zip(positions, ours, theirs, strict=True):
        assert one == other, text


def test_what_a_manager_asks_first() -> None:
    """cutechess and its like: introduce, set what was offered, be ready, begin a game, play by the clock."""
    session = ["uci", "setoption name Hash value 8", "setoption name Threads value 1", VARIANT, "isready", "ucinewgame",
               "isready", "position startpos", "go wtime 200 btime 200 winc 0 binc 0 movestogo 40", "isready"]
    program = subprocess.run(OURS, input="\n".join(session), capture_output=True, text=True, timeout=60, check=True)
    said = program.stdout
    assert re.match(r"id name Boyi \S+\nid author .*?\n(option name .*\n)+uciok\n", said)
    for line in re.findall(r"option name .*", said):
        assert re.fullmatch(r"option name .+ type (check default (true|false)|button|string default \S*|"
                            r"spin default -?\d+ min -?\d+ max -?\d+|combo default \S+( var \S+)+)", line), line
        if found := re.search(r"default (-?\d+) min (-?\d+) max (-?\d+)", line):
            default, lowest, highest = map(int, found.groups())
            assert -2**31 < lowest <= default <= highest < 2**31, line
    assert said.count("readyok") == 3
    assert len(re.findall(r"^bestmove [a-i]\d+[a-i]\d+", said, flags=re.MULTILINE)) == 1
    assert program.stderr == ""
