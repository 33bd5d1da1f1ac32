"""Panels as a picture, by matplotlib (the extra `plots`).

The same description always gives the same bytes of SVG: no date, no random names.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from boyi.core.errors import MissingPartError
from boyi.kit.picture.plots import COLOURS, INK, is_possible, new_figure, save
from boyi.lab.panel import Panel, Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw", "is_possible"]

WIDTH = 5.4
HEIGHT = 3.9
"""Of a panel, in inches."""


def draw(panels: Sequence[Panel], files: Sequence[Path]) -> None:
    """Draw the panels side by side into every file; its ending says how (`.svg`, `.png`)."""
    if not is_possible():
        raise MissingPartError.extra("a plot", "plots")
    columns = min(len(panels), 3)
    rows = math.ceil(len(panels) / columns)
    with new_figure(WIDTH * columns, HEIGHT * rows) as figure:
        places = figure.subplots(rows, columns, squeeze=False).flat
        for axes, panel in zip(places, panels, strict=False):
            _draw_panel(axes, panel)
        for axes in list(figure.axes)[len(panels):]:
            axes.set_axis_off()
        for file in files:
            save(figure, file, file.suffix.removeprefix("."))


def _draw_panel(axes: Axes, panel: Panel) -> None:
    axes.set_title(panel.title)
    axes.set_ylabel(panel.y_label)
    axes.set_xlabel(panel.x_label)
    if panel.logarithmic:
        axes.set_yscale("log")
    if panel.kind == "bars":
        _draw_bars(axes, panel)
    else:
        _draw_lines(axes, panel)
    if panel.percent:
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    if panel.reference is not None:
        axes.axhline(panel.reference, color=INK, linewidth=1, linestyle=(0, (4, 3)), zorder=1.5,
                     label=panel.reference_label or None)
    if not panel.logarithmic:
        low, high = axes.get_ylim()
        axes.set_ylim(*((0, 1) if panel.percent else (min(low, 0), high)))
    if len(panel.series) > 1 or panel.reference_label:
        # Above the axes, where no data can be hidden.
        labels = [series.label for series in panel.series] + [panel.reference_label] * bool(panel.reference_label)
        columns = len(labels) if sum(map(len, labels)) + 6 * len(labels) < 60 else 3
        axes.legend(loc="lower left", bbox_to_anchor=(-0.02, 1.0), ncols=columns, borderaxespad=0.2,
                    handlelength=1.4, columnspacing=1.2)
        axes.set_title(panel.title, pad=12 + 14 * math.ceil(len(labels) / columns))


def _errors(series: Series) -> list[list[float]] | None:
    """Distances from the values down and up, as matplotlib wants them."""
    if not series.low:
        return None
    return [[max(0.0, value - low) for value, low in zip(series.values, series.low, strict=True)],
            [max(0.0, high - value) for value, high in zip(series.values, series.high, strict=True)]]


def _draw_bars(axes: Axes, panel: Panel) -> None:
    """Groups of bars, one group per category."""
    width = min(0.8 / len(panel.series), 0.3)
    for number, series in enumerate(panel.series):
        places = [place + width * (number + 0.5 - len(panel.series) / 2) for place in range(len(panel.categories))]
        axes.bar(places, series.values, width * 0.92, color=COLOURS[number % len(COLOURS)], label=series.label,
                 yerr=_errors(series), error_kw={"ecolor": INK, "elinewidth": 1.1, "capsize": 3})
    crowded = sum(map(len, panel.categories)) > 44
    axes.set_xticks(range(len(panel.categories)), panel.categories, rotation=24 if crowded else 0,
                    ha="right" if crowded else "center", rotation_mode="anchor" if crowded else "default")
    axes.tick_params(axis="x", length=0)


def _draw_lines(axes: Axes, panel: Panel) -> None:
    """Lines with a mark at every point; those with error bars stand a little apart, so that all bars are seen."""
    places = sorted({place for series in panel.series for place in series.places})
    apart = (places[-1] - places[0]) / 60
    for number, series in enumerate(panel.series):
        shift = apart * (number - (len(panel.series) - 1) / 2) if series.low else 0
        axes.errorbar([place + shift for place in series.places], series.values, yerr=_errors(series),
                      color=COLOURS[number % len(COLOURS)], label=series.label, marker="osD^vPX"[number % 7],
                      markersize=5.5, linewidth=1.8, capsize=3, elinewidth=1.1)
    if len(places) <= 10 and all(place == int(place) for place in places):
        axes.set_xticks(places)
