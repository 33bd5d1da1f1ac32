"""A position as PNG: our SVG, turned into pixels by resvg."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from boyi.core.errors import MissingPartError, OptionError
from boyi.core.position import Position
from boyi.kit.picture import svg

WIDEST = 8192
"""Pixels; more is a slip of the keyboard and not a picture."""


def draw(position: Position, *, width: int | None = None, seat: int = 0, pieces: str = "characters",
         last_move: Sequence[str] | None = None, targets: Iterable[str] = (), theme: str = "wood",
         coordinates: bool = True) -> bytes:
    """Draw `position` as the bytes of a PNG file, `width` pixels wide (default: that of the SVG, twice)."""
    if width is not None and not 16 <= width <= WIDEST:
        raise OptionError(f"a picture is 16 to {WIDEST} pixels wide, not {width}")
    return render(svg.draw(position, seat=seat, pieces=pieces, last_move=last_move, targets=targets, theme=theme,
                           coordinates=coordinates), width)


def render(document: str, width: int | None = None) -> bytes:
    """An SVG of ours in pixels."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise MissingPartError("drawing PNG needs resvg. Install it with: pip install resvg-py") from None
    # All our characters are outlines; looking through the system's fonts would only cost time.
    if width is None:
        return bytes(svg_to_bytes(svg_string=document, zoom=2.0, skip_system_fonts=True))
    return bytes(svg_to_bytes(svg_string=document, width=width, skip_system_fonts=True))
