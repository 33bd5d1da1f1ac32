"""The shapes of the characters on our boards, so that a picture needs no fonts.

They come from LXGW WenKai 霞鹜文楷 (`tools/glyphs.py`, LICENSES/OFL-1.1-LXGW-WenKai.txt).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Outline:
    """One character as a filled path, in units of the font size, y growing down from the base line."""

    path: str
    """SVG path data in thousandths of the font size."""

    advance: float
    """How far the next character is."""

    box: tuple[float, float, float, float]
    """Left, top, right, bottom of the ink."""


@cache
def outlines() -> Mapping[str, Outline]:
    """All the characters we have."""
    document = json.loads(files(__package__).joinpath("outlines.json").read_text(encoding="utf-8"))
    units = document["units"]
    return {
        character: Outline(entry["path"], entry["advance"] / units,
                           (left / units, top / units, right / units, bottom / units))
        for character, entry in document["outlines"].items() for left, top, right, bottom in [entry["box"]]
    }
