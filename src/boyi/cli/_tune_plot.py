"""A tuning run as a plot: the way of each parameter through its range, and the score against the start."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from boyi.core.errors import MissingPartError, OptionError, shorten

if TYPE_CHECKING:
    from boyi.lab.panel import Panel
    from boyi.learn.tuning.run import Check, State
    from boyi.learn.tuning.trial import Tuning

MOST_BARS = 20
"""More error bars would hide each other."""


def check_plot(path: Path) -> None:
    """Refuse before hours of games what could not be drawn after them."""
    from boyi.lab.plot import is_possible

    if path.suffix not in (".svg", ".png"):
        raise OptionError(f"--plot {shorten(str(path))}: a plot is a file that ends in .svg or .png")
    if not path.parent.is_dir():
        raise OptionError(f"--plot {shorten(str(path))}: there is no folder {shorten(str(path.parent))}")
    if not is_possible():
        raise MissingPartError.extra("a plot", "plots")


def draw_run(tuning: Tuning, state: State, checks: Sequence[Check], path: Path) -> None:
    from boyi.lab.plot import draw

    draw(_panels(tuning, state, checks), [path])


def _panels(tuning: Tuning, state: State, checks: Sequence[Check]) -> list[Panel]:
    """The way of each parameter through its range, and the score against the start, the more certain the longer."""
    from boyi.lab.panel import Panel, Series

    panels = [Panel(
        title=f"{tuning.method}: {tuning.start.game.title.en}, {tuning.start.players} players",
        y_label="place in its range", x_label="games", kind="lines", percent=True,
        series=tuple(Series(
            f"{one.name.removeprefix('weights.')} ({one.low:g}–{one.high:g})",
            tuple((values[number] - one.low) / (one.high - one.low) for _, values in state.path),
            tuple(2.0 * pairs for pairs, _ in state.path)) for number, one in enumerate(tuning.parameters)))]
    if checks:
        shown = [check for number, check in enumerate(reversed(checks))
                 if number % math.ceil(len(checks) / MOST_BARS) == 0]
        panels.append(Panel(
            title="tuned against start", y_label="score, 95 %", x_label="games", kind="lines", percent=True,
            series=(Series("score", tuple(check.score for check in shown), tuple(2.0 * check.pairs for check in shown),
                           low=tuple(check.interval[0] for check in shown),
                           high=tuple(check.interval[1] for check in shown)),), reference=0.5, reference_label="equal"))
    return panels
