"""What an Othello board looks like."""

from __future__ import annotations

from functools import cache

from boyi.core.board import Board, Glyph, Label, Point
from boyi.core.words import Words

SIZE = 8


def _symmetries() -> tuple[tuple[int, ...], ...]:
    """The four images of the board that keep the start position: only they keep its colours."""
    images = (lambda r, c: (c, r), lambda r, c: (7 - r, 7 - c), lambda r, c: (7 - c, 7 - r))
    return tuple(tuple(8 * image(r, c)[0] + image(r, c)[1] for r in range(SIZE) for c in range(SIZE))
                 for image in images)


@cache
def board() -> Board:
    edges = [i - 0.5 for i in range(SIZE + 1)]
    return Board(
        points=tuple(Point(f"{'abcdefgh'[c]}{r + 1}", c, r) for r in range(SIZE) for c in range(SIZE)),
        lines=tuple(((x, -0.5), (x, 7.5)) for x in edges) + tuple(((-0.5, y), (7.5, y)) for y in edges),
        glyphs={
            "X": Glyph("X", 0, Words("black disc", "黑子")),
            "O": Glyph("O", 1, Words("white disc", "白子")),
        },
        seat_names=(Words("Black", "黑方"), Words("White", "白方")),
        seat_colours=("#1b1b1b", "#f7f4ec"),
        labels=tuple(Label("abcdefgh"[i], i, -0.85) for i in range(SIZE))
        + tuple(Label(str(i + 1), -0.85, i) for i in range(SIZE)),
        dots=((1.5, 1.5), (5.5, 1.5), (1.5, 5.5), (5.5, 5.5)),
        cells=True,
        surface="felt",
        rotations=(0, 0),
        symmetries=_symmetries(),
    )
