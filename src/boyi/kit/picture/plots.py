"""How plots look, those of the lab and those of the arena; matplotlib draws them (the extra `plots`)."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from boyi.core.errors import MissingPartError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = ("#2f6690", "#d1603d", "#5b8e7d", "#8d6a9f", "#c9a227", "#6b705c", "#a23b72")
"""Told apart also by those who see red and green alike, and in print."""

INK = "#2b2b2b"
PALE = "#d9d9d9"

STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans", "font.size": 10, "axes.titlesize": 11, "axes.titleweight": "bold",
    "axes.titlelocation": "left", "axes.edgecolor": "#8a8a8a", "axes.labelcolor": INK, "axes.titlecolor": INK,
    "text.color": INK, "xtick.color": INK, "ytick.color": INK, "axes.spines.top": False, "axes.spines.right": False,
    "axes.axisbelow": True, "axes.grid": True, "axes.grid.axis": "y", "grid.color": PALE, "grid.linewidth": 0.8,
    "figure.facecolor": "white", "axes.facecolor": "white", "legend.frameon": False, "legend.fontsize": 9,
    "svg.hashsalt": "boyi", "svg.fonttype": "path",
}


def is_possible() -> bool:
    """Is matplotlib installed?"""
    return importlib.util.find_spec("matplotlib") is not None


def require() -> None:
    """Say how to install matplotlib if it is not there."""
    if not is_possible():
        raise MissingPartError.extra("a plot", "plots")


@contextmanager
def new_figure(width: float, height: float) -> Iterator[Figure]:
    """A figure of that many inches, in our style as long as this lasts."""
    require()
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    with matplotlib.rc_context(STYLE):
        yield Figure(figsize=(width, height), layout=ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.12))


def save(figure: Figure, file: Path | IO[bytes], kind: str) -> None:
    """Write a figure as `svg` or `png`: the same figure gives the same bytes, without a date."""
    figure.savefig(file, dpi=130, format=kind, metadata={"Date": None} if kind == "svg" else {"Software": None})
