"""What an experiment is: a question, one thing that is varied, numbers, and what follows from them.

    measure    plays and searches; gives tables of plain numbers
    panels     draws from the tables; a description, no picture yet
    conclude   says two sentences that follow from the tables, whatever they say

The three are kept apart so that everything a reader sees is derived from the numbers in the JSON file, and nothing is
concluded before it was measured.
"""

from __future__ import annotations

import math
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any, Literal

from boyi.core.errors import OptionError, UnknownNameError
from boyi.core.words import Language, Words

Scale = Literal["quick", "full"]
SCALES: tuple[Scale, ...] = ("quick", "full")

Value = str | int | float | None
Row = Mapping[str, Value]
Sentences = tuple[Words, Words]


# ---------------------------------------------------------------------- tables

@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    """The key of its value in a row."""

    header: Words
    form: str = ""
    """How a cell is written, with the row's values by name: `{low:.0%}–{high:.0%}`; empty for the value as it is."""

    @property
    def text(self) -> bool:
        """Is it set flush left?"""
        return not self.form

    def write(self, row: Row) -> str:
        """The cell of a row; a dash where nothing was measured."""
        if row.get(self.name) is None:
            return "–"
        return self.form.format(**row) if self.form else str(row[self.name])


@dataclass(frozen=True)
class Table:
    """Rows of numbers and the columns that are shown of them."""

    name: str
    """Its key in the JSON file."""

    title: Words
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    detail: bool = False
    """Only for the JSON file: too long to be read."""

    def find(self, **values: Value) -> Row:
        """The one row with these values."""
        (row,) = self.select(**values)
        return row

    def select(self, **values: Value) -> list[Row]:
        """All rows with these values."""
        return [row for row in self.rows if all(row[name] == value for name, value in values.items())]

    def numbers(self, column: str, /, **values: Value) -> list[float]:
        """A column as numbers, of the rows with these values."""
        return [number(row, column) for row in self.select(**values)]


def number(row: Row, name: str) -> float:
    """A value that must be a number."""
    value = row[name]
    if isinstance(value, str) or value is None:
        raise TypeError(f"{name}={value!r} is no number")
    return float(value)


# ---------------------------------------------------------------------- pictures, described

@dataclass(frozen=True)
class Series:
    """Points of one colour."""

    label: str
    values: tuple[float, ...]
    places: tuple[float, ...] = ()
    """Of lines: where on the horizontal axis. Bars stand at the panel's categories."""

    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    """Ends of the error bars; empty for none."""


@dataclass(frozen=True)
class Panel:
    """One of the charts of a picture; its words are English."""

    title: str
    y_label: str
    series: tuple[Series, ...]
    kind: Literal["bars", "lines"] = "bars"
    x_label: str = ""
    categories: tuple[str, ...] = ()
    logarithmic: bool = False
    percent: bool = False
    reference: float | None = None
    """A line across: what to compare with."""

    reference_label: str = ""


# ---------------------------------------------------------------------- experiments

@dataclass
class Bench:
    """What an experiment works at: a seed for everything random, and somebody who watches."""

    seed: int = 1
    watch: Callable[[int, int, str], None] = lambda done, total, what: None
    """Told how many steps are done, of how many, and what is next."""

    total: int = 0
    done: int = 0

    def plan(self, total: int) -> None:
        """Say how many steps there will be."""
        self.total, self.done = total, 0

    def step(self, what: str) -> None:
        """Begin a step."""
        self.watch(min(self.done, self.total), self.total, what)
        self.done += 1


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

    measure: Callable[[Any, Bench], tuple[Table, ...]]
    panels: Callable[[Mapping[str, Table]], tuple[Panel, ...]]
    conclude: Callable[[Mapping[str, Table]], Sentences]

    def run(self, scale: Scale = "quick", bench: Bench | None = None) -> Report:
        """Measure, and draw conclusions."""
        if scale not in self.sizes:
            raise UnknownNameError.among("scale", scale, self.sizes)
        bench = bench or Bench()
        began = time.process_time()
        tables = self.measure(self.sizes[scale], bench)
        return Report.of(self, scale, bench.seed, time.process_time() - began, tables)


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


# ---------------------------------------------------------------------- what follows from numbers

Verdict = Literal["more", "less", "open"]


def judge(low: float, high: float, level: float) -> Verdict:
    """Is a number with this 95 % interval more or less than a level, or is that open?

    >>> judge(0.52, 0.61, 0.5), judge(0.48, 0.61, 0.5)
    ('more', 'open')
    """
    return "more" if low > level else "less" if high < level else "open"


def mean_ratio(ratios: Sequence[float]) -> tuple[float, float, float]:
    """The geometric mean of ratios and its 95 % interval (by Student's t on their logarithms).

    >>> [round(one, 2) for one in mean_ratio([2.0, 2.0, 2.0])]
    [2.0, 2.0, 2.0]
    """
    if not ratios or min(ratios) <= 0:
        raise OptionError("a mean of ratios needs ratios, all above 0")
    mean, low, high = mean_interval([math.log(ratio) for ratio in ratios])
    return math.exp(mean), math.exp(low), math.exp(high)


def mean_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """The mean and its 95 % interval, by Student's t.

    >>> [round(one, 2) for one in mean_interval([1.0, 2.0, 3.0])]
    [2.0, -0.48, 4.48]
    """
    count = len(values)
    mean = math.fsum(values) / count
    if count == 1:
        return mean, mean, mean
    spread = math.sqrt(math.fsum((one - mean) ** 2 for one in values) / (count - 1) / count)
    reach = _STUDENT[min(count - 1, len(_STUDENT)) - 1] * spread
    return mean, mean - reach, mean + reach


_STUDENT = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.10,
            2.09, 2.09, 2.08, 2.07, 2.07, 2.06, 2.06, 2.06, 2.05, 2.05, 2.05, 2.04)
"""Two-sided 95 % points of Student's distribution for 1, 2, … degrees of freedom; beyond, the last is close enough."""
