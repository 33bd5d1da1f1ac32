"""What a position has in common with its images: the board turned or mirrored, the colours exchanged.

A search values all of them alike, so an analysis of one is an analysis of all. The images are found from the board
itself, and no game has to name them: every rotation and reflection under which the points of the board stay where
points are, and stones named not by their colour but by whose they are, counted from the player to act. That may take
positions for alike which are not (soldiers that go backwards), but they never occur.

Two keys: `Likeness.total` is a sum over the stones and takes a few microseconds; positions that are alike share it, and
few others do. `Likeness.digest` takes a hundred times as long and decides.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b

from msgspec import Struct

from boyi.core.board import Board, Stone
from boyi.core.position import Position

ANGLES = 12
"""Rotations that are tried, of a whole turn: those of squares and of hexagons are among them."""

MOST_BOARDS = 64
"""Boards that are remembered; there are a few per game."""

MASK = (1 << 63) - 1


class Likeness(Struct, frozen=True):
    """The keys of a position with its images."""

    game: str
    total: int
    digest: str


def likeness(position: Position) -> Likeness:
    """The keys of a position in which a player is to act."""
    shape, stones = shape_of(position.board), position.stones()
    return Likeness(position.game.name, shape.total(stones, position.turn), shape.digest(stones, position.turn))


class Shape:
    """The images of a board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._players = len(board.seat_names)
        self._images = list(_images([(point.x, point.y) for point in board.points]))
        self._kinds = _kinds(board)
        orbits = [min(image[number] for image in self._images) for number in range(len(board.points))]
        self._weights: list[Mapping[str, Mapping[str, int]]] = [
            {code: {point.name: _weight(self._relative(seat, turn), kind, orbits[number])
                    for number, point in enumerate(board.points)}
             for code, (seat, kind) in self._kinds.items()}
            for turn in range(self._players)]
        """Per player to act, stone and point: what it adds to the total. Points that are images of each other are
        equal."""

    def _relative(self, seat: int | None, turn: int) -> int:
        return -1 if seat is None else (seat - turn) % self._players

    def total(self, stones: Iterable[Stone], turn: int) -> int:
        """See `Likeness.total`."""
        weights = self._weights[turn]
        return sum(weights[stone.glyph][stone.point] for stone in stones) & MASK

    def digest(self, stones: Iterable[Stone], turn: int) -> str:
        """See `Likeness.digest`."""
        index = self.board.index
        named = [(index[stone.point], self._kinds[stone.glyph]) for stone in stones]
        placed = [(number, self._relative(seat, turn), kind) for number, (seat, kind) in named]
        least = min(sorted((image[number], whose, kind) for number, whose, kind in placed) for image in self._images)
        return blake2b(repr((self._players, least)).encode(), digest_size=12).hexdigest()


def _kinds(board: Board) -> dict[str, tuple[int | None, int]]:
    """Whose each glyph is, and which of theirs: a red and a black general are both the first of their seats."""
    counts: dict[int | None, int] = {}
    kinds = {}
    for code, glyph in board.glyphs.items():
        kinds[code] = glyph.seat, counts.get(glyph.seat, 0)
        counts[glyph.seat] = counts.get(glyph.seat, 0) + 1
    return kinds


def _images(points: list[tuple[float, float]]) -> Iterator[list[int]]:
    """Per rotation and reflection that keeps a set of points, where each of them goes; first, where it is."""
    middle_x, middle_y = (math.fsum(axis) / len(points) for axis in zip(*points, strict=True))
    centred = [(x - middle_x, y - middle_y) for x, y in points]
    places = {(round(x, 3) + 0.0, round(y, 3) + 0.0): number for number, (x, y) in enumerate(centred)}
    for mirror in (1, -1):
        for step in range(ANGLES):
            cosine, sine = math.cos(2 * math.pi * step / ANGLES), math.sin(2 * math.pi * step / ANGLES)
            image = [places.get((round(cosine * mirror * x - sine * y, 3) + 0.0,
                                 round(sine * mirror * x + cosine * y, 3) + 0.0)) for x, y in centred]
            known = [number for number in image if number is not None]
            if len(known) == len(points):
                yield known


def _weight(whose: int, kind: int, orbit: int) -> int:
    """A number that no other stone on no other place has; the same on all servers."""
    return int.from_bytes(blake2b(f"{whose} {kind} {orbit}".encode(), digest_size=8).digest(), "big")


_shapes: dict[int, Shape] = {}
"""By the identity of their boards, which they keep alive."""


def shape_of(board: Board) -> Shape:
    """The images of a board, found once."""
    shape = _shapes.get(id(board))
    if shape is None:
        if len(_shapes) >= MOST_BOARDS:
            _shapes.clear()
        shape = _shapes[id(board)] = Shape(board)
    return shape
