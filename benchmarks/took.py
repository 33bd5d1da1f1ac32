"""The time per move of each side of a match, from its journal.

    boyi match liuzhou mcts:net=liuzhou,simulations=1400 level:8 --games 100 --time 10/move --journal match.jsonl
    python -m benchmarks.took match.jsonl

A match with a clock (`--time`) notes in its journal what every move took, to the millisecond; a generous clock limits
no agent. Forced moves are not asked for, and so not counted.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path

from boyi.core.record import Record
from boyi.games import find_game


def milliseconds(journal: Path) -> dict[str, tuple[float, int]]:
    """Per contestant the mean time per move, and the number of moves."""
    took: dict[str, list[float]] = defaultdict(list)
    names: list[str] = []
    for line in journal.read_text(encoding="utf-8").splitlines():
        facts = json.loads(line)
        if "contestants" in facts and "record" not in facts:
            names = facts["contestants"]
        elif "record" in facts:
            record = Record.parse(facts["record"], find_game)
            # There is a position before every move, and one after the last.
            for position, entry in zip(record.positions(), record.entries, strict=False):
                if entry.took is not None:
                    took[names[facts["contestants"][position.turn]]].append(entry.took)
    return {name: (1000 * sum(times) / len(times), len(times)) for name, times in took.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("journals", nargs="+", type=Path, metavar="JOURNAL")
    for journal in parser.parse_args().journals:
        for name, (mean, moves) in milliseconds(journal).items():
            print(f"{name}: {mean:.2f} ms per move, {moves} moves")


if __name__ == "__main__":
    main()
