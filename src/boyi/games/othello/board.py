"""What an Othello board looks like."""

from __future__ import annotations

from functools import cache

from boyi.core.board import Board, Glyph, Label, Point
from boyi.core.words import Words

SIZE = 8


def _symmetries() -> tuple[tuple[int, ...], ...]:
    """The images of the board that keep the start: in the diagonals and, both together, by half a turn.

    (The other four exchange the colours of the first discs.)
    """
    points = [(row, column) for row in range(SIZE) for column in range(SIZE)]
    last = SIZE - 1
    return (
        tuple(SIZE * column + row for row, column in points),
        tuple(SIZE * (last - row) + last - column for row, column in points),
        tuple(SIZE * (last - column) + last - row for row, column in points),
    )


@cache
def board() -> Board:
    """The one board of Othello, whatever the options."""
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
