"""How positions come to be drawn by `print` and by notebooks, though core draws nothing.

The layer that draws registers a painter per format. `boyi/__init__.py` does it, which runs before any other module.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from boyi.core.position import Position

__all__ = ["Format", "Painter", "draw", "register_painter"]

Format = Literal["text", "svg"]
Painter = Callable[["Position"], str]

_painters: dict[Format, Painter] = {}


def register_painter(format_name: Format, painter: Painter) -> None:
    """From now on this painter draws positions in this format."""
    _painters[format_name] = painter


def draw(position: Position, format_name: Format) -> str:
    """The position as text or SVG."""
    return _painters[format_name](position)
