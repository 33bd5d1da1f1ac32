"""What is to be shown, before anybody draws it: a turned board, stones and highlights."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from boyi.core.board import Board, Glyph, Point, Stone
from boyi.core.errors import TextError, UnknownNameError, shorten
from boyi.core.position import CHANCE, Position

Pieces = Literal["characters", "simplified", "pictures", "letters"]
Place = tuple[float, float]


@dataclass(frozen=True)
class View:
    """A position as one seat sees it; every name in it is a point of the board."""

    board: Board
    """The board, turned so that the seat is at the bottom."""

    stones: tuple[tuple[Point, Glyph], ...]
    """What stands where, in the order of the board's points."""

    last_move: tuple[Point, ...]
    """The path of the last move; empty when there is none to show."""

    targets: tuple[Point, ...]
    """Points to point out, such as where a chosen stone may go."""

    arrows: tuple[tuple[tuple[Point, ...], str], ...] = ()
    """Moves to compare: the path of each and its colour."""


def look(position: Position, *, seat: int, pieces: str, last_move: Sequence[str] | None,
         targets: Iterable[str], stones: Iterable[Stone] | None = None,
         arrows: Iterable[tuple[Sequence[str], str]] = ()) -> View:
    """Collect what a picture of `position` shows, refusing unknown seats, points and piece sets.

    `stones` stand there instead of the position's own, as in the middle of a move.
    """
    if pieces not in get_args(Pieces):
        raise UnknownNameError.among("piece set", str(pieces), get_args(Pieces))
    board = turned(position.board, seat)
    points = {point.name: point for point in board.points}

    def find(names: Iterable[str]) -> tuple[Point, ...]:
        found = []
        for name in names:
            if name not in points:
                raise UnknownNameError(f"no point of the {position.game.name} board is called {shorten(name)}; "
                                       f"there are {board.points[0].name} to {board.points[-1].name}")
            found.append(points[name])
        return tuple(found)

    return View(
        board=board,
        stones=tuple(sorted(((points[stone.point], board.glyphs[stone.glyph])
                             for stone in (position.stones() if stones is None else stones)),
                            key=lambda pair: board.index[pair[0].name])),
        last_move=find(last_path(position) if last_move is None else last_move),
        targets=find(targets),
        arrows=tuple((find(path), colour) for path, colour in arrows if path),
    )


def last_path(position: Position) -> tuple[str, ...]:
    """The points of the last move that a player made, looking past what chance added to it."""
    before = position.copy()
    while before.ply:
        move = before.undo()
        if before.turn != CHANCE:
            return tuple(before.path(move))
    return ()


def destinations(position: Position, start: str) -> tuple[str, ...]:
    """Where the legal moves that begin at a point end, in the order of the board's points."""
    paths = [position.path(move) for move in position.moves()]
    ends = {path[-1] for path in paths if path and path[0] == start}
    return tuple(point.name for point in position.board.points if point.name in ends)


def turned(board: Board, seat: int) -> Board:
    """The board as a seat sees it: everything is turned about the middle, words stay upright."""
    if seat not in range(len(board.rotations)):
        raise TextError(f"seat {shorten(seat)} is not one of 0 to {len(board.rotations) - 1}")
    angle = board.rotations[seat] % 360
    if angle == 0:
        return board
    middle_x = (min(point.x for point in board.points) + max(point.x for point in board.points)) / 2
    middle_y = (min(point.y for point in board.points) + max(point.y for point in board.points)) / 2
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))

    def turn(place: Place) -> Place:
        x, y = place[0] - middle_x, place[1] - middle_y
        # Rounding keeps right angles exact, and the picture free of digits that mean nothing.
        return round(middle_x + x * cosine - y * sine, 6), round(middle_y + x * sine + y * cosine, 6)

    def moved(places: Iterable[Place]) -> tuple[Place, ...]:
        return tuple(turn(place) for place in places)

    return replace(
        board,
        points=tuple(Point(point.name, *turn((point.x, point.y))) for point in board.points),
        lines=tuple((turn(start), turn(end)) for start, end in board.lines),
        zones=tuple(replace(zone, corners=moved(zone.corners)) for zone in board.zones),
        labels=tuple(replace(label, x=x, y=y) for label in board.labels for x, y in [turn((label.x, label.y))]),
        dots=moved(board.dots),
        brackets=moved(board.brackets),
    )


def inscription(glyph: Glyph, pieces: str) -> str:
    """What is written on a stone; nothing on a plain or covered one."""
    if glyph.style == "covered":
        return ""
    if pieces == "letters":
        return glyph.letter
    return glyph.simplified or glyph.character if pieces == "simplified" else glyph.character
