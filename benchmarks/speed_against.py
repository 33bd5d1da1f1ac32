"""Is this checkout as fast as another one? The same work in both, in turns, by CPU time.

    python -m benchmarks.speed_against BASE [--runs 5] [--only rules rooms] [--scale 1] [--json | --markdown]

BASE is another checkout, built: its `.venv/bin/python` runs the same trials (`benchmarks/trials.py` of this one). Each
run of a trial is a fresh process. The two checkouts take turns trial by trial, and who begins changes with
every run, so that whatever else the machine does happens to both. Medians are compared. A trial whose
outcome differs is marked: then not only the speed has changed. All of it takes a quarter of an hour on an idle machine.

The exit code is 1 if anything is slower than allowed (`--allowed 3`, in per cent) or differs.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.trials import TRIALS

ROOT = Path(__file__).parents[1]
MOST_SECONDS = 300.0
"""A trial that takes longer hangs."""


@dataclass(frozen=True)
class Compared:
    """What a trial came to in both checkouts; rates are per CPU second."""

    trial: str
    unit: str
    base: float
    ours: float
    ratio: float
    """Ours by the base's, medians of all runs; above 1 is faster."""

    lowest: float
    highest: float
    """The same for the worst and the best pair of runs."""

    same: bool
    """Did the same come out?"""


def measure(python: str, trial: str, scale: float, core: int | None) -> dict[str, Any]:
    """Run a trial once in a fresh process."""
    pinned = ["taskset", "-c", str(core)] if core is not None and not trial.startswith("rooms") else []
    done = subprocess.run([*pinned, python, "-m", "benchmarks.trials", trial, str(scale)], cwd=ROOT, text=True,
                          capture_output=True, timeout=MOST_SECONDS, check=False,
                          env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"})
    if done.returncode:
        raise RuntimeError(f"{python}: {trial} failed:\n{done.stderr}")
    measured: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return measured


def compare(trial: str, base: Sequence[dict[str, Any]], ours: Sequence[dict[str, Any]]) -> Compared:
    def rates(runs: Sequence[dict[str, Any]]) -> list[float]:
        return [run["amount"] / run["seconds"] for run in runs]

    theirs, mine = statistics.median(rates(base)), statistics.median(rates(ours))
    pairs = [one / other for one, other in zip(rates(ours), rates(base), strict=True)]
    return Compared(trial, ours[0]["unit"], theirs, mine, mine / theirs, min(pairs), max(pairs),
                    len({run["fingerprint"] for run in (*base, *ours)}) == 1)


def show(rows: Sequence[Compared], allowed: float) -> str:
    """The rows as a table."""
    lines = [["trial", "base", "ours", "unit per CPU second", "ratio", "pairs", ""]]
    for row in rows:
        note = "DIFFERS" if not row.same else "SLOWER" if row.ratio < 1 - allowed / 100 else ""
        lines.append([row.trial, number(row.base), number(row.ours), row.unit, f"{row.ratio:.3f}",
                      f"{row.lowest:.3f}–{row.highest:.3f}", note])
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
                     for line in lines)


def show_markdown(rows: Sequence[Compared]) -> str:
    lines = ["| trial | base | ours | per CPU second | ratio | pairs of runs |", "|---|---:|---:|---|---:|---|"]
    lines += [f"| {row.trial} | {number(row.base)} | {number(row.ours)} | {row.unit} | {row.ratio:.3f} | "
              f"{row.lowest:.3f}–{row.highest:.3f} |" for row in rows]
    return "\n".join(lines)


def number(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 1000 else f"{rate:.4g}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("base", type=Path, help="the other checkout, with its .venv")
    parser.add_argument("--python", help="the other checkout's Python; else BASE/.venv/bin/python")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", nargs="+", default=[""], metavar="WORDS", help="trials with one of these in the name")
    parser.add_argument("--scale", type=float, default=1.0, help="how much work; 0.2 for a look")
    parser.add_argument("--allowed", type=float, default=3.0, help="per cent that may be lost")
    parser.add_argument("--core", type=int, help="pin trials to this core; rooms, which have clients, are not pinned")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args()
    pythons = {"base": arguments.python or str(arguments.base.resolve() / ".venv" / "bin" / "python"),
               "ours": sys.executable}
    names = [trial.name for trial in TRIALS if any(word in trial.name for word in arguments.only)]
    for python in pythons.values():   # an editable install compiles what changed when it is first imported
        subprocess.run([python, "-c", "import boyi; boyi.all_games()"], check=True, capture_output=True)

    runs: dict[str, dict[str, list[dict[str, Any]]]] = {name: {"base": [], "ours": []} for name in names}
    for number in range(arguments.runs):
        for name in names:
            for side in ("base", "ours") if number % 2 == 0 else ("ours", "base"):
                runs[name][side].append(measure(pythons[side], name, arguments.scale, arguments.core))
            latest = compare(name, runs[name]["base"], runs[name]["ours"])
            print(f"run {number + 1} of {arguments.runs}: {name}: {latest.ratio:.3f}", file=sys.stderr, flush=True)

    rows = [compare(name, one["base"], one["ours"]) for name, one in runs.items()]
    if arguments.json:
        print(json.dumps({"runs": arguments.runs, "scale": arguments.scale, "load": os.getloadavg(),
                          "trials": [asdict(row) for row in rows]}, indent=2))
    else:
        print(show_markdown(rows) if arguments.markdown else show(rows, arguments.allowed))
    if any(not row.same or row.ratio < 1 - arguments.allowed / 100 for row in rows):
        sys.exit(1)


if __name__ == "__main__":
    main()
