"""Charts, described: which numbers of which rows, as bars or lines. `lab.plot` draws them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from boyi.lab.table import Row, number

__all__ = ["Panel", "Series", "bars", "match_bars"]


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

    @classmethod
    def of(cls, rows: Sequence[Row], value: str, label: str = "", *, place: str = "", errors: bool = True) -> Series:
        """A column of some rows, with error bars from `low` to `high`; of lines, over the column `place`."""
        def column(name: str) -> tuple[float, ...]:
            return tuple(number(row, name) for row in rows)

        return cls(label, column(value), column(place) if place else (), column("low") if errors else (),
                   column("high") if errors else ())


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


def bars(title: str, y_label: str, rows: Sequence[Row], value: str, name: Callable[[Row], str], *,
         reference: float | None = None, percent: bool = False) -> Panel:
    """A bar with its error bar for every row."""
    return Panel(title, y_label, (Series.of(rows, value),), categories=tuple(map(name, rows)), percent=percent,
                 reference=reference)


def match_bars(rows: Sequence[Row]) -> Panel:
    """Matches of two, each with the score of the one that is named first."""
    return bars("Matches at equal nodes", "score of the first named", rows, "score",
                lambda row: f"{row['one']} – {row['other']}", percent=True, reference=0.5)
