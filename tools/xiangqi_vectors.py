"""Make tests/data/xiangqi/moves.json: positions of our own random games with the answers of outside engines.

Legal moves come from pyffish, perft 3 from Fairy-Stockfish. Run it with both installed:

    python tools/xiangqi_vectors.py
"""

from __future__ import annotations

import json
import random
import re
import subprocess
from pathlib import Path

import pyffish

import boyi

TARGET = Path(__file__).parent.parent / "tests" / "data" / "xiangqi" / "moves.json"
POSITIONS = 120


def to_ours(move: str) -> str:
    """From ranks 1–10 to ranks 0–9."""
    return re.sub(r"\d+", lambda rank: str(int(rank.group()) - 1), move)


def perft(fens: list[str], depth: int) -> list[int]:
    """Leaves as Fairy-Stockfish counts them."""
    script = ["uci", "setoption name UCI_Variant value xiangqi"]
    for fen in fens:
        script += [f"position fen {fen}", f"go perft {depth}"]
    answer = subprocess.run(["fairy-stockfish"], input="\n".join([*script, "quit"]), text=True,
                            capture_output=True, check=True).stdout
    return [int(count) for count in re.findall(r"Nodes searched: (\d+)", answer)]


def main() -> None:
    generator = random.Random(1937)
    fens: list[str] = []
    while len(fens) < POSITIONS:
        position = boyi.start("xiangqi", quiet_limit=0)
        boyi.playout(position, generator.randrange(1 << 62), generator.randrange(4, 220))
        if position.outcome() is None:
            board, side = position.to_text().split()[:2]
            fens.append(f"{board} {side} - - 0 1")
    counts = perft(fens, 3)
    rows = [{"fen": fen, "moves": sorted(map(to_ours, pyffish.legal_moves("xiangqi", fen, []))), "perft3": count}
            for fen, count in zip(fens, counts, strict=True)]
    TARGET.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
