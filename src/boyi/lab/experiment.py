"""What an experiment is: a question, one thing that is varied, numbers, and what follows from them.

    measure    plays and searches; gives tables of plain numbers
    panels     draws from the tables; a description, no picture yet
    conclude   says two sentences that follow from the tables, whatever they say

The three are kept apart so that everything a reader sees is derived from the numbers in the JSON file, and nothing is
concluded before it was measured.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from boyi.arena.match import Match, Played
from boyi.arena.pool import Pool
from boyi.core.errors import UnknownNameError
from boyi.core.words import Language, Words
from boyi.lab.kept import KeptRows
from boyi.lab.panel import Panel
from boyi.lab.table import Row, Table

Scale = Literal["quick", "full"]
SCALES: tuple[Scale, ...] = ("quick", "full")

Sentences = tuple[Words, Words]


@dataclass
class Session:
    """A run of an experiment: the seed of everything random, who plays its games, and how far it has come."""

    seed: int = 1
    on_step: Callable[[int, int, str], None] = lambda done, total, what: None
    """Called before each step: the number of steps done, the number of all, and what is next."""

    pool: Pool | None = None
    """Who plays games; None for this process alone. What is timed is always done here."""

    kept: KeptRows | None = None
    """Where steps are kept that can be; None for nowhere."""

    folder: Path | None = None
    """Where work is kept that goes on by itself after an interruption, such as training; None for nowhere."""

    total: int = 0
    done: int = 0
    cpu_seconds: float = 0.0
    """What other processes, and runs before this one, have added to its CPU time."""

    @contextmanager
    def workplace(self) -> Iterator[Path]:
        """A folder to work in: the one that is kept, or one that is gone afterwards."""
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            yield self.folder
            return
        with TemporaryDirectory(prefix="boyi-lab-") as place:
            yield Path(place)

    def plan(self, total: int) -> None:
        """Announce the number of steps."""
        self.total, self.done = total, 0

    def step(self, what: str) -> None:
        """Begin a step."""
        self.on_step(min(self.done, self.total), self.total, what)
        self.done += 1

    def keep(self, what: str, facts: Sequence[object], measure: Callable[[], Row]) -> Row:
        """Begin a step whose numbers are kept: a run that goes on after an interruption does not measure them again.

        They depend on the experiment, its size, the seed, `what` and these facts, and on nothing else.
        """
        self.step(what)
        known = None if self.kept is None else self.kept.find(what, facts)
        if known is not None:
            row, seconds = known
            self.cpu_seconds += seconds
            return row
        began, others = time.process_time(), self.cpu_seconds
        found = measure()
        if self.kept is not None:
            self.kept.add(what, facts, found, time.process_time() - began + self.cpu_seconds - others)
        return found

    def play(self, match: Match, numbers: Sequence[int] | None = None) -> list[Played]:
        """Games of a match, all or those with these numbers: the same games whoever plays them."""
        wanted = range(match.games) if numbers is None else numbers
        if self.pool is None:
            return [match.play(number) for number in wanted]
        games = []
        for played, process, seconds in self.pool.run(_Timed(match).play, wanted, in_order=True,
                                                      name=lambda number: f"game {number + 1}"):
            games.append(played)
            if process != os.getpid():
                self.cpu_seconds += seconds
        return games


@dataclass(frozen=True)
class _Timed:
    """A match whose games say which process played them, and for how many seconds of CPU time."""

    match: Match

    def play(self, number: int) -> tuple[Played, int, float]:
        began = time.process_time()
        played = self.match.play(number)
        return played, os.getpid(), time.process_time() - began


@dataclass(frozen=True)
class Experiment:
    """One question and how it is answered."""

    name: str
    game: str
    question: Words
    varied: Words
    """The switch, and what stays the same."""

    sizes: Mapping[Scale, Any]
    """Per scale, a frozen record of how much is measured."""

    measure: Callable[[Any, Session], tuple[Table, ...]]
    panels: Callable[[Mapping[str, Table]], tuple[Panel, ...]]
    conclude: Callable[[Mapping[str, Table]], Sentences]

    def run(self, scale: Scale = "quick", session: Session | None = None) -> Report:
        """Measure, and draw conclusions."""
        if scale not in self.sizes:
            raise UnknownNameError.among("scale", scale, self.sizes)
        session = session or Session()
        began = time.process_time()
        tables = self.measure(self.sizes[scale], session)
        seconds = time.process_time() - began + session.cpu_seconds
        return Report.of(self, scale, session.seed, seconds, tables)


@dataclass(frozen=True)
class Report:
    """An answer."""

    experiment: Experiment
    scale: Scale
    seed: int
    seconds: float
    """CPU time of the whole experiment."""

    tables: tuple[Table, ...]
    panels: tuple[Panel, ...]
    sentences: Sentences
    versions: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, experiment: Experiment, scale: Scale, seed: int, seconds: float, tables: tuple[Table, ...]) -> Report:
        """What follows from tables."""
        by_name = {table.name: table for table in tables}
        return cls(experiment, scale, seed, seconds, tables, experiment.panels(by_name), experiment.conclude(by_name),
                   {"boyi": version("boyi"), "python": platform.python_version(), "machine": platform.machine()})

    @property
    def command(self) -> str:
        """How to get it again."""
        return f"boyi lab run {self.experiment.name} --scale {self.scale} --seed {self.seed}"

    @property
    def shown(self) -> list[Table]:
        """The tables for people."""
        return [table for table in self.tables if not table.detail]

    def say(self, language: Language) -> str:
        """The two sentences."""
        return ("" if language == "zh" else " ").join(sentence.say(language) for sentence in self.sentences)

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {
            "experiment": self.experiment.name, "game": self.experiment.game,
            "question": asdict(self.experiment.question), "varied": asdict(self.experiment.varied),
            "command": self.command, "scale": self.scale, "seed": self.seed,
            "inputs": asdict(self.experiment.sizes[self.scale]), "versions": dict(self.versions),
            "cpu_seconds": round(self.seconds, 1),
            "tables": {table.name: [dict(row) for row in table.rows] for table in self.tables},
            "sentences": [asdict(sentence) for sentence in self.sentences],
        }
