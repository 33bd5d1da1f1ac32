"""Take the outlines of the characters on our boards out of a font.

    python tools/glyphs.py LXGWWenKai-Bold.ttf

writes `src/boyi/kit/picture/outlines.json`, so that a board looks the same
with no font installed. The font is LXGW WenKai 霞鹜文楷 (SIL Open Font Licence,
see LICENSES/OFL-1.1-LXGW-WenKai.txt); Debian has it as `fonts-lxgw-wenkai`.
Needs `pip install fonttools`.
"""

# mypy: disable-error-code="import-untyped, import-not-found, no-any-return"

from __future__ import annotations

import argparse
import functools
import json
from pathlib import Path

from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

TARGET = Path(__file__).parents[1] / "src" / "boyi" / "kit" / "picture" / "outlines.json"

LATIN = "".join(map(chr, range(33, 127)))
PIECES = "帥仕相俥傌炮兵將士象車馬砲卒帅将车马暗"
RIVER = "楚河漢界汉"
NUMBERS = "一二三四五六七八九十１２３４５６７８９"
PLAYERS = "红紅黑白先后後"

UNITS = 1000
"""All outlines are given on a square of this many units, y growing downwards from the base line."""


def outline(font: TTFont, character: str) -> dict[str, object]:
    """The shape of one character: how far it moves the pen, its box and its SVG path."""
    glyphs = font.getGlyphSet()
    glyph = glyphs[font.getBestCmap()[ord(character)]]
    scale = UNITS / font["head"].unitsPerEm
    flip = (scale, 0, 0, -scale, 0, 0)
    path = SVGPathPen(glyphs, ntos=lambda value: str(round(value)))
    glyph.draw(TransformPen(path, flip))
    bounds = BoundsPen(glyphs)
    glyph.draw(TransformPen(bounds, flip))
    return {
        "advance": round(glyph.width * scale),
        "box": [round(value) for value in bounds.bounds],
        "path": path.getCommands(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("font", type=Path)
    font = TTFont(parser.parse_args().font)
    characters = dict.fromkeys(LATIN + PIECES + RIVER + NUMBERS + PLAYERS)
    missing = [character for character in characters if ord(character) not in font.getBestCmap()]
    if missing:
        raise SystemExit(f"the font lacks {' '.join(missing)}")
    name = font["name"].getDebugName
    write = functools.partial(json.dumps, ensure_ascii=False)
    about = f"Outlines from {name(4)}, {name(5)}. {name(0)} SIL Open Font Licence 1.1. Made by tools/glyphs.py."
    # One character to a line: a change of the set is a readable diff.
    rows = ",\n".join(f"  {write(character)}: {write(outline(font, character))}" for character in characters)
    TARGET.write_text(f'{{\n"about": {write(" ".join(about.split()))},\n"units": {UNITS},\n'
                      f'"outlines": {{\n{rows}\n}}\n}}\n', encoding="utf-8")
    print(f"{TARGET.name}: {len(characters)} characters, {TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
