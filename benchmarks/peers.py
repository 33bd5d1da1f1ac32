"""Ratios to peers: a piece of work that Boyi and another program both do, in turns, and the table of what came out.

They take turns, so that a busy machine slows both, and the best round of each counts. Where both sides count something,
they must agree before a clock is started. A peer that is not installed is skipped aloud on stderr; `make bench`
installs the peers.
"""

from __future__ import annotations

import argparse
import importlib
import json
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from types import ModuleType

import boyi
from boyi.core.errors import UnknownNameError

MINIMUM_SECONDS = 0.4
"""The least length of a measurement."""

Rate = Callable[[], float]
"""Does the work; the amount per second."""


class MissingError(Exception):
    """Why a row cannot be measured here."""


@dataclass(frozen=True)
class Work:
    """One row: something that we and a peer both do."""

    name: str
    unit: str
    ours: Rate
    peer: str
    theirs: Rate | float
    """A number is a figure that was published, not measured in this run."""

    wanted: float | None = None
    """The ratio we promise."""

    most_seconds: tuple[float, float] | None = None
    """(amount, seconds): an absolute promise, that amount of work in at most that time."""


@dataclass(frozen=True)
class Result:
    """What a row came to."""

    work: str
    unit: str
    ours: float
    peer: str
    theirs: float
    ratio: float
    measured: bool
    """False when the peer's rate is a published figure."""

    wanted: str
    met: bool | None
    note: str


def rate(step: Callable[[], int]) -> float:
    """Repeat a step, which returns the amount it did, for the minimum time; the amount per second."""
    done = 0
    began = time.perf_counter()
    while (elapsed := time.perf_counter() - began) < MINIMUM_SECONDS:
        done += step()
    return done / elapsed


def start(game: str, **options: object) -> boyi.Position:
    try:
        return boyi.start(game, **options)
    except UnknownNameError:
        raise MissingError(f"there is no game called {game} yet") from None


def package(name: str, distribution: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingError(f"{distribution} is not installed: pip install {distribution}") from None


def agree(what: str, ours: object, theirs: object) -> None:
    if ours != theirs:
        raise RuntimeError(f"{what}: we say {ours}, the peer says {theirs}; there is nothing to compare")


# ---------------------------------------------------------------------- measuring and reporting

def measure(work: Work, rounds: int) -> Result:
    """Let both sides take turns; the best of each counts."""
    ours = theirs = 0.0
    for _ in range(rounds):
        ours = max(ours, work.ours())
        theirs = max(theirs, work.theirs() if callable(work.theirs) else work.theirs)
    ratio = ours / theirs
    wanted, met, note = "", None, "" if callable(work.theirs) else "peer: published figure"
    if work.wanted is not None:
        wanted, met = f"{work.wanted:g}×", ratio >= work.wanted
    if work.most_seconds is not None:
        amount, seconds = work.most_seconds
        wanted, met = f"{1000 * seconds:g} ms", amount / ours <= seconds
        note = f"ours: {1000 * amount / ours:.1f} ms"
    return Result(work.name, work.unit, ours, work.peer, theirs, ratio, callable(work.theirs), wanted, met, note)


def results(rows: Sequence[Callable[[], Work]], rounds: int, only: str) -> Iterator[Result]:
    for row in rows:
        if only and only not in row.__name__:
            continue
        try:
            work = row()
        except MissingError as reason:
            print(f"skipped {row.__name__}: {reason}", file=sys.stderr)
            continue
        print(f"{work.name} ...", file=sys.stderr)
        yield measure(work, rounds)


def short(number: float) -> str:
    """Three significant figures: 13.5 M."""
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.3g}"


def cells(found: list[Result]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [("work", "ours", "peer", "theirs", "ratio", "wanted", "met", "note")]
    rows += [(one.work, f"{short(one.ours)} {one.unit}", one.peer, f"{short(one.theirs)} {one.unit}",
              f"{one.ratio:.{1 if one.ratio < 100 else 0}f}×", one.wanted,
              {True: "yes", False: "NO", None: ""}[one.met], one.note)
             for one in found]
    return rows


def print_table(found: list[Result]) -> None:
    rows = cells(found)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def print_markdown(found: list[Result]) -> None:
    first, *rest = cells(found)
    print("| " + " | ".join(first) + " |")
    print("|---" * len(first) + "|")
    for row in rest:
        print("| " + " | ".join(row) + " |")


def main(rows: Sequence[Callable[[], Work]], description: str) -> None:
    """A command that measures rows."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--rounds", type=int, default=3, help="best of how many (default 3)")
    parser.add_argument("--only", default="", help="only rows whose name contains this, e.g. xiangqi")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--markdown", action="store_true", help="print the table as Markdown, as in docs/results")
    chosen = parser.parse_args()
    if chosen.rounds < 1:
        parser.error("--rounds must be at least 1")
    found = list(results(rows, chosen.rounds, chosen.only))
    if chosen.json:
        print(json.dumps({"python": platform.python_version(), "machine": platform.machine(), "rounds": chosen.rounds,
                          "rows": [asdict(one) for one in found]}, indent=2, ensure_ascii=False))
    elif chosen.markdown:
        print_markdown(found)
    else:
        print_table(found)
