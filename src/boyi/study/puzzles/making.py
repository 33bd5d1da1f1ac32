"""Puzzles in number: tasks, processes, and a journal from which work that was interrupted goes on.

A task is a game of self-play, some composed endings or a record. What it finds depends on its name and the settings
alone, and is a line of the journal, `FILE.journal` beside the file that is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from boyi.agents.interruption import listening
from boyi.arena.journal import JournalFile
from boyi.arena.pool import Pool
from boyi.core.errors import BoyiError, OptionError, RecordError, explain, shorten
from boyi.core.record import Record
from boyi.games import find_game
from boyi.study.puzzles.collection import Puzzles, read_puzzle, write_puzzle
from boyi.study.puzzles.maker import CHECK, COMPOSED, Maker, MakerSettings
from boyi.study.puzzles.puzzle import Puzzle

__all__ = ["Made", "make"]

Task = tuple[str, int]
"""Where positions come from, "play", "composed" or "record", and which one."""


@dataclass(frozen=True)
class Made:
    """How far the making of puzzles is."""

    tasks: int
    puzzles: int
    composed: int
    """Of them."""


@dataclass(frozen=True)
class _Work:
    """What a process does with a task."""

    settings: MakerSettings
    records: Sequence[tuple[str, Record]]

    def __call__(self, task: Task) -> tuple[Task, list[list[Any]]]:
        kind, number = task
        maker = _make_maker(self.settings)
        with listening():
            if kind == "record":
                name, record = self.records[number]
                try:
                    found = maker.from_record(record, name)
                except RecordError:
                    found = []      # one that does not replay, or of other rules
            else:
                found = maker.from_play(number) if kind == "play" else maker.from_composed(number)
        return task, [write_puzzle(puzzle) for puzzle in found]


@cache
def _make_maker(settings: MakerSettings) -> Maker:
    return Maker(settings)


def make(file: Path, settings: MakerSettings, number: int, *, composed: float = 0.0,
         records: Sequence[tuple[str, Record]] = (), jobs: int = 1,
         on_progress: Callable[[Made], object] = lambda made: None) -> Puzzles:
    """See to it that the file holds at least this many puzzles, a share of them composed; what was made before counts.

    Records come first. Mirror images of a position are one puzzle.
    """
    game = find_game(settings.game)
    if composed and (game.puzzles is None or game.puzzles.compose is None):
        raise OptionError(f"{game.name} does not say how endings are put together; leave the share of composed "
                          f"puzzles out")
    found: dict[int, Puzzle] = {}
    done: set[Task] = set()

    def add(task: Task, lines: Sequence[object]) -> None:
        done.add(task)
        for line in lines:
            puzzle = read_puzzle(line)
            found.setdefault(puzzle.position(game, {}).symmetric_fingerprint, puzzle)

    def tell() -> Made:
        made = Made(len(done), len(found), count_composed())
        on_progress(made)
        return made

    def count_composed() -> int:
        return sum(puzzle.source == COMPOSED for puzzle in found.values())

    def tasks() -> Iterator[Task]:
        yield from (task for task in (("record", number) for number in range(len(records))) if task not in done)
        next_of = {kind: count() for kind in ("play", "composed")}
        while len(found) < number:
            kind = "composed" if count_composed() < composed * max(1, len(found)) else "play"
            task = kind, next(at for at in next_of[kind] if (kind, at) not in done)
            yield task

    facts = asdict(settings) | {"records": [name for name, _ in records]}
    with JournalFile(file.with_name(f"{file.name}.journal"), "puzzles", facts, option="FILE") as journal:
        for entry in journal.entries:
            add((entry["task"][0], entry["task"][1]), entry["puzzles"])
        tell()
        with Pool(jobs) as pool:
            for task, lines in pool.run(_Work(settings, records), tasks()):
                journal.add({"task": list(task), "puzzles": lines})
                add(task, lines)
                tell()
    puzzles = Puzzles(game, game.resolve(), tuple(found.values()),
                      {"nodes": CHECK * settings.nodes, "first_look": settings.nodes, "seed": settings.seed})
    write(file, puzzles)
    return puzzles


def write(file: Path, puzzles: Puzzles) -> None:
    """Write the file, whole or not at all."""
    draft = file.with_name(f".{file.name}.draft")
    try:
        draft.write_bytes(puzzles.to_bytes())
        draft.replace(file)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise BoyiError(f"cannot write {shorten(str(file))}: {explain(error)}") from error
