"""A position as a card: the picture that other sites show of a link, 1200 × 630 pixels wherever it is shown."""

from __future__ import annotations

import re

from boyi.core.position import Position
from boyi.kit.picture import png, svg

WIDTH, HEIGHT = 1200, 630
MARGIN = 24
GROUND = {"wood": "#2f2318", "paper": "#efe9db"}
"""Around the board, by theme: what makes it stand out."""


def draw(position: Position, *, seat: int = 0, pieces: str = "characters", theme: str = "wood") -> bytes:
    """Draw `position` in the middle of a card, as the bytes of a PNG file."""
    return png.render(document(position, seat=seat, pieces=pieces, theme=theme), WIDTH)


def document(position: Position, *, seat: int = 0, pieces: str = "characters", theme: str = "wood") -> str:
    """The same as SVG."""
    board = svg.draw(position, seat=seat, pieces=pieces, theme=theme, coordinates=False)
    found = re.match(r'<svg [^>]*?width="([\d.]+)" height="([\d.]+)"', board)
    if found is None:
        raise AssertionError("our pictures say how large they are")
    scale = (HEIGHT - 2 * MARGIN) / float(found[2])
    width = round(scale * float(found[1]), 2)
    placed = board.replace(found[0], f'<svg x="{(WIDTH - width) / 2:g}" y="{MARGIN}" '
                           f'xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{HEIGHT - 2 * MARGIN}"', 1)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
            f'viewBox="0 0 {WIDTH} {HEIGHT}">\n<rect width="{WIDTH}" height="{HEIGHT}" fill="{GROUND[theme]}"/>\n'
            f"{placed}</svg>\n")
