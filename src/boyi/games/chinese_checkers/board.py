"""The star of Chinese checkers as data: its holes, its corners, who sits where, and how it looks.

Holes are numbered 0 … 120 row by row. For arithmetic each has three coordinates `(y, q, s)` with
y + q + s = 0 and the centre at (0, 0, 0): y is the row, counted downwards; along the six directions
one coordinate stays, one grows by 1 and one falls by 1. Each corner is where one coordinate, or its
negative, is 5 or more: that number is the hole's *height* towards the corner, 8 at the apex.
"""

from __future__ import annotations

from functools import cache
from math import sqrt

from boyi.core.board import Board, Glyph, Label, Mark, Point, Zone
from boyi.core.words import Words

ROW_LENGTHS = (1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1)
"""How many holes each row has, from the top."""

HOLES = sum(ROW_LENGTHS)

CORNERS = "ABCDEF"
"""The corners, clockwise from the bottom; the opposite of corner k is (k + 3) % 6."""

SEATS = {2: "AD", 3: "ACE", 4: "ABDE", 5: "ABCDE", 6: "ABCDEF"}
"""Per number of players: the home corner of player 0, 1, …"""

COLOURS: tuple[tuple[str, str, str, Mark], ...] = (
    ("red", "红", "#c0152a", "disc"),
    ("yellow", "黄", "#f7e98a", "triangle"),
    ("green", "绿", "#2bb37f", "square"),
    ("blue", "蓝", "#1b3f91", "diamond"),
    ("purple", "紫", "#b48bd6", "cross"),
    ("orange", "橙", "#f0891a", "ring"),
)
"""Per corner: the colour of the pieces that start there, and the sign on them. The colours are far apart (a difference
of 30 or more in CIELAB) also to people who confuse red and green, or blue and yellow; a test computes it."""

DIRECTIONS = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
"""What a step adds to (y, q): right, down right, down left, and their opposites three places on."""

_ROW_HEIGHT = sqrt(3) / 2


def _coordinates() -> tuple[tuple[int, int, int], ...]:
    found = []
    for row, length in enumerate(ROW_LENGTHS):
        y = row - 8
        for place in range(length):
            q = (2 * place - (length - 1) - y) // 2   # the middle of every row is above the centre of the star
            found.append((y, q, -y - q))
    return tuple(found)


COORDINATES = _coordinates()
"""Per hole: (y, q, s)."""

HOLE_AT = {(y, q): hole for hole, (y, q, _) in enumerate(COORDINATES)}
"""From (y, q) to the hole's number."""

NAMES = tuple(f"{chr(97 + row)}{place + 1}" for row, length in enumerate(ROW_LENGTHS) for place in range(length))
"""Per hole: a1 (the top apex) … q1 (the bottom one)."""

MIRROR = tuple(HOLE_AT[y, s] for y, _, s in COORDINATES)
"""Per hole: its image when left and right are exchanged."""


def height(corner: int, hole: int) -> int:
    """How far a hole lies towards a corner: 8 at its apex, 5 in its fourth row, 0 across the centre."""
    y, q, s = COORDINATES[hole]
    return (y, -q, s, -y, q, -s)[corner]


@cache
def camp(corner: int, pieces: int = 10) -> frozenset[int]:
    """The holes of a corner: its ten, or fifteen with the next row."""
    lowest = 5 if pieces == 10 else 4
    # Towards its corner a hole is high in one coordinate; where the other two exceed 4 the row
    # below the corner runs on into the corners to the left and right.
    return frozenset(hole for hole in range(HOLES) if height(corner, hole) >= lowest
                     and sum(abs(coordinate) > 4 for coordinate in COORDINATES[hole]) == (height(corner, hole) > 4))


def apex(corner: int) -> int:
    """The outermost hole of a corner."""
    return next(hole for hole in range(HOLES) if height(corner, hole) == 8)


def steps_between(one: int, other: int) -> int:
    """How many steps lie between two holes."""
    return max(abs(a - b) for a, b in zip(COORDINATES[one], COORDINATES[other], strict=True))


def _place(hole: int) -> tuple[float, float]:
    y, q, _ = COORDINATES[hole]
    return 6 + q + y / 2, (y + 8) * _ROW_HEIGHT


def _lines() -> tuple[tuple[tuple[float, float], tuple[float, float]], ...]:
    """The lattice lines in three directions, each drawn once from end to end."""
    lines = []
    for dy, dq in DIRECTIONS[:3]:
        for hole, (y, q, _) in enumerate(COORDINATES):
            if (y - dy, q - dq) in HOLE_AT:
                continue
            end = hole
            while (y + dy, q + dq) in HOLE_AT:
                y, q = y + dy, q + dq
                end = HOLE_AT[y, q]
            if end != hole:
                lines.append((_place(hole), _place(end)))
    return tuple(lines)


def _triangle(corner: int, pieces: int) -> tuple[tuple[float, float], ...]:
    """The outline of a corner, half a row outside its outer holes."""
    rows = 4 if pieces == 10 else 5
    tips = [_place(hole) for hole in camp(corner, pieces)
            if sum(steps_between(hole, other) == rows - 1 for other in camp(corner, pieces)) == rows]
    middle = tuple(sum(tip[axis] for tip in tips) / 3 for axis in (0, 1))
    # The incircle of a triangle with side n - 1 has the radius (n - 1) / (2 * sqrt(3)).
    scale = 1 + 0.5 * _ROW_HEIGHT / ((rows - 1) / (2 * sqrt(3)))
    return tuple((round(middle[0] + scale * (x - middle[0]), 4), round(middle[1] + scale * (y - middle[1]), 4))
                 for x, y in tips)


@cache
def board(players: int = 2, pieces: int = 10) -> Board:
    """The star with the seats of that many players."""
    seats = [CORNERS.index(letter) for letter in SEATS[players]]
    return Board(
        points=tuple(Point(NAMES[hole], *_place(hole)) for hole in range(HOLES)),
        lines=_lines(),
        glyphs={CORNERS[corner]: Glyph(CORNERS[corner], seat,
                                       Words(f"{COLOURS[corner][0]} piece", f"{COLOURS[corner][1]}子"),
                                       letter=CORNERS[corner], mark=COLOURS[corner][3])
                for seat, corner in enumerate(seats)},
        seat_names=tuple(Words(COLOURS[corner][0].capitalize(), f"{COLOURS[corner][1]}方") for corner in seats),
        seat_colours=tuple(COLOURS[corner][2] for corner in seats),
        zones=tuple(Zone(f"corner {letter}", _triangle(corner, pieces if corner in seats else 10),
                         seats.index(corner) if corner in seats else None)
                    for corner, letter in enumerate(CORNERS)),
        labels=tuple(Label(NAMES[hole][0], _place(hole)[0] - 0.9, _place(hole)[1])
                     for hole in range(HOLES) if NAMES[hole][1:] == "1"),
        surface="holes",
        rotations=tuple(-60 * corner % 360 for corner in seats),
        # Left and right may be exchanged where that leaves every seat at its corner: only A and D lie on the axis.
        symmetries=(MIRROR,) if players == 2 else (),
    )
