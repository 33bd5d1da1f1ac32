"""What a Liuzhou board looks like."""

from __future__ import annotations

from functools import cache

from boyi.core.board import Board, Glyph, Label, Point
from boyi.core.words import Words

SIZE = 6
LAST = SIZE - 1


def _symmetries() -> tuple[tuple[int, ...], ...]:
    """The seven images of the board besides itself: the start is empty, so all of them keep it."""
    images = (
        lambda r, c: (r, LAST - c), lambda r, c: (LAST - r, c), lambda r, c: (LAST - r, LAST - c),
        lambda r, c: (c, r), lambda r, c: (c, LAST - r), lambda r, c: (LAST - c, r), lambda r, c: (LAST - c, LAST - r),
    )
    return tuple(tuple(SIZE * image(r, c)[0] + image(r, c)[1] for r in range(SIZE) for c in range(SIZE))
                 for image in images)


@cache
def board() -> Board:
    return Board(
        points=tuple(Point(f"{'abcdef'[c]}{r + 1}", c, r) for r in range(SIZE) for c in range(SIZE)),
        lines=tuple(((i, 0), (i, LAST)) for i in range(SIZE)) + tuple(((0, i), (LAST, i)) for i in range(SIZE)),
        glyphs={
            "b": Glyph("b", 0, Words("black stone", "黑子")),
            "w": Glyph("w", 1, Words("white stone", "白子")),
            "B": Glyph("B", 0, Words("marked black stone", "被标记的黑子"), style="marked"),
            "W": Glyph("W", 1, Words("marked white stone", "被标记的白子"), style="marked"),
        },
        seat_names=(Words("Black", "黑方"), Words("White", "白方")),
        seat_colours=("#1b1b1b", "#f7f4ec"),
        labels=tuple(Label("abcdef"[i], i, -0.85) for i in range(SIZE))
        + tuple(Label(str(i + 1), -0.85, i) for i in range(SIZE)),
        rotations=(0, 0),
        symmetries=_symmetries(),
    )
