"""Does a wheel for an older processor search as fast as a build for this one? The same searches in both, in turns.

    python -m benchmarks.wheel [--cpu x86-64-v2] [--runs 5] [--only search] [--allowed 5] [--core 0] [--json]

The last commit (or `--revision`) is compiled twice, with `-Dcpu=native` and with `-Dcpu=x86-64-v2`, as wheels are, each
in an environment of its own (`--folder`, outside the repository). Then both do the searches of `benchmarks/trials.py`,
one after the other, who begins changing with every run; medians of CPU time are compared. "Base" is the native build,
"ours" the other. The exit code is 1 if a search is slower by more than is allowed, or if the two find different things.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.revisions.build import build, default_folder
from benchmarks.speed_against import Compared, compare, measure, show, show_markdown
from benchmarks.trials import TRIALS

NATIVE = "native"


def take_turns(pythons: Sequence[str], names: Sequence[str], runs: int, scale: float,
               core: int | None) -> list[Compared]:
    """Every trial in both builds, run after run."""
    measured: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]] = {name: ([], []) for name in names}
    for number in range(runs):
        for name in names:
            for side in (0, 1) if number % 2 == 0 else (1, 0):
                measured[name][side].append(measure(pythons[side], name, scale, core))
            print(f"run {number + 1} of {runs}: {name}: {compare(name, *measured[name]).ratio:.3f}", file=sys.stderr,
                  flush=True)
    return [compare(name, *both) for name, both in measured.items()]


def fails(rows: Sequence[Compared], allowed: float) -> bool:
    """Is any slower by more than `allowed` per cent, or different?"""
    return any(not row.same or row.ratio < 1 - allowed / 100 for row in rows)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.wheel", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cpu", default="x86-64-v2", help="what the wheel is for, as -march has it (x86-64-v2)")
    parser.add_argument("--revision", default="HEAD", help="a commit, tag or branch of this repository (HEAD)")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", nargs="+", default=["search: "], metavar="WORDS",
                        help="trials with one of these in the name (default: all searches)")
    parser.add_argument("--scale", type=float, default=1.0, help="how much work; 0.2 for a look")
    parser.add_argument("--allowed", type=float, default=5.0, help="per cent that may be lost (5)")
    parser.add_argument("--core", type=int, help="pin trials to this core")
    parser.add_argument("--folder", type=Path, default=default_folder(),
                        help=f"where builds are kept (default: {default_folder()})")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true")
    form.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args(words)
    names = [trial.name for trial in TRIALS if any(word in trial.name for word in arguments.only)]
    if not names or arguments.runs < 1:
        parser.error("there is no such trial" if not names else "--runs must be at least 1")
    pythons = [build(arguments.revision, arguments.folder, cpu).python for cpu in (NATIVE, arguments.cpu)]
    rows = take_turns(pythons, names, arguments.runs, arguments.scale, arguments.core)
    if arguments.json:
        print(json.dumps({"cpu": arguments.cpu, "runs": arguments.runs, "scale": arguments.scale,
                          "load": os.getloadavg(), "trials": [asdict(row) for row in rows]}, indent=2))
    else:
        print(show_markdown(rows) if arguments.markdown else show(rows, arguments.allowed))
    return int(fails(rows, arguments.allowed))


if __name__ == "__main__":
    sys.exit(main())
