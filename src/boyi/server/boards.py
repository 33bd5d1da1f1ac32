"""A game's board as data, for clients that draw whatever board they are sent.

Characters come as outlines too: a phone need not have the fonts of an old book.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from msgspec import Struct

from boyi.core.board import Board, Glyph, Label, Point, Stone
from boyi.core.words import Words
from boyi.games import find_game
from boyi.kit.picture.outlines import Outline, outlines
from boyi.server.notation import family, usual

Place = tuple[float, float]


class ZoneInfo(Struct, frozen=True):
    """A part of the board with a colour of its own."""

    corners: list[Place]
    seat: int | None


class SeatInfo(Struct, frozen=True):
    """A player's name, the colour of their stones, and how far the board turns for them."""

    name: Words
    colour: str
    rotation: int


class BoardInfo(Struct, frozen=True):
    """A game's board, as `boyi.core.board.Board` has it, and what stands on it at the start."""

    game: str
    points: list[Point]
    lines: list[tuple[Place, Place]]
    zones: list[ZoneInfo]
    labels: list[Label]
    coordinates: dict[str, list[Label]]
    """By notation, the coordinates that its moves are read by, in place of those among `labels`."""

    notation_family: str
    """As in `GameInfo`."""

    usual_notation: Words
    dots: list[Place]
    brackets: list[Place]
    cells: bool
    surface: str
    glyphs: list[Glyph]
    seats: list[SeatInfo]
    outlines: dict[str, Outline]
    """Of every character that the board or a piece may show."""

    stones: list[Stone]


def board(name: str, options: Mapping[str, object] | None = None) -> BoardInfo:
    """The board of a game under these options; given as themselves or as text, for instance from an address.

    >>> board("othello").surface
    'felt'
    """
    game = find_game(name)
    position = game.position(game, game.resolve(options))
    geometry = position.board
    return BoardInfo(
        game=position.game.name,
        points=[replace(point, x=_round(point.x), y=_round(point.y)) for point in geometry.points],
        lines=[(_place(start), _place(end)) for start, end in geometry.lines],
        zones=[ZoneInfo([_place(corner) for corner in zone.corners], zone.seat)
               for zone in geometry.zones if zone.filled],
        labels=_labels(geometry.labels),
        coordinates={name: _labels(labels) for name, labels in geometry.coordinates.items()},
        notation_family=family(game), usual_notation=usual(game),
        dots=[_place(place) for place in geometry.dots],
        brackets=[_place(place) for place in geometry.brackets],
        cells=geometry.cells, surface=geometry.surface,
        glyphs=list(geometry.glyphs.values()),
        seats=[SeatInfo(words, colour, rotation) for words, colour, rotation in zip(
            geometry.seat_names, geometry.seat_colours, geometry.rotations, strict=True)],
        outlines=_outlines(geometry),
        stones=position.stones())


def _labels(labels: Iterable[Label]) -> list[Label]:
    return [replace(label, x=_round(label.x), y=_round(label.y)) for label in labels]


def _outlines(geometry: Board) -> dict[str, Outline]:
    shown: Iterable[str] = [
        *(label.text for label in geometry.labels if label.kind == "words"),
        *(label.text for labels in geometry.coordinates.values() for label in labels if not label.text.isascii()),
        *(glyph.letter for glyph in geometry.glyphs.values()),
        *(glyph.character for glyph in geometry.glyphs.values()),
        *(glyph.simplified for glyph in geometry.glyphs.values())]
    known = outlines()
    return {character: known[character] for character in sorted(set("".join(shown))) if character in known}


def _place(place: Place) -> Place:
    return _round(place[0]), _round(place[1])


def _round(value: float) -> float:
    """Digits that nobody could see cost bytes."""
    return round(value, 4)
