"""Tables of plain numbers: what an experiment measures, and how it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from boyi.core.words import Words

Value = str | int | float | None
Row = Mapping[str, Value]


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


def mean(rows: list[Row], name: str) -> float:
    """The mean of a column over some rows."""
    return sum(number(row, name) for row in rows) / len(rows)
