"""What there is to play, for clients that know no game: titles, options and boards as data.

A client draws whatever board it is sent and offers whatever options there are, so a new game needs no new
client. Characters come as outlines too: a phone need not have the fonts of an old book.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from boyi.core import formats
from boyi.core.board import Board, Glyph
from boyi.core.errors import BoyiError
from boyi.core.game import Game, Option
from boyi.core.words import Words
from boyi.games import find_game, listed_games
from boyi.kit.folder import read_text
from boyi.kit.introduction import FILE as INTRODUCTION
from boyi.kit.picture.outlines import outlines
from boyi.server.events import OptionValue, Stone, Text
from boyi.server.notation import NotationInfo, notations

MOST_SEATS = 6
"""The widest game that is looked for when a game's seat counts are listed."""

Place = tuple[float, float]


class OptionInfo(Struct, frozen=True):
    """A rule that can be played in more than one way."""

    name: str
    default: OptionValue
    help: Text
    choices: list[str]
    """For a text: the values it takes."""

    lowest: int
    highest: int


class FormatInfo(Struct, frozen=True):
    """A way to keep games in files."""

    name: str
    title: Text
    suffix: str
    """What the names of its files end with."""

    writes: bool
    """Some are only read."""

    notations: list[str]
    """How it can write moves, the usual way first."""


class GameInfo(Struct, frozen=True):
    """A game that rooms can be made for."""

    name: str
    title: Text
    players: list[int]
    """How many can play."""

    options: list[OptionInfo]
    notations: list[NotationInfo]
    """Ways to write its moves, its own first."""

    formats: list[FormatInfo]
    """Ways to keep its games in files, our own first."""

    has_chance: bool
    levels: int
    """How many levels the AI has."""

    introduction: bool
    """Whether it has one, under /api/games/{game}/introduction."""


class PointInfo(Struct, frozen=True):
    """A place where a stone can stand."""

    name: str
    x: float
    y: float


class ZoneInfo(Struct, frozen=True):
    """A part of the board with a colour of its own."""

    corners: list[Place]
    seat: int | None


class LabelInfo(Struct, frozen=True):
    """Something written on the board."""

    text: str
    x: float
    y: float
    size: float
    kind: str


class GlyphInfo(Struct, frozen=True):
    """What a kind of stone looks like."""

    code: str
    seat: int | None
    name: Text
    letter: str
    character: str
    style: str


class SeatInfo(Struct, frozen=True):
    """What a player is called, the colour of his stones, and how far the board turns for him."""

    name: Text
    colour: str
    rotation: int


class OutlineInfo(Struct, frozen=True):
    """A character as a path in thousandths of the font size, y growing down from the base line."""

    path: str
    advance: float
    box: tuple[float, float, float, float]


class BoardInfo(Struct, frozen=True):
    """A game's board, as `boyi.core.board.Board` has it, and what stands on it at the start."""

    game: str
    points: list[PointInfo]
    lines: list[tuple[Place, Place]]
    zones: list[ZoneInfo]
    labels: list[LabelInfo]
    dots: list[Place]
    brackets: list[Place]
    cells: bool
    surface: str
    glyphs: list[GlyphInfo]
    seats: list[SeatInfo]
    outlines: dict[str, OutlineInfo]
    """Of every character that the board or a piece may show."""

    stones: list[Stone]


def games() -> list[GameInfo]:
    """Every game there is."""
    return [describe(game) for game in listed_games()]


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
        points=[PointInfo(point.name, _round(point.x), _round(point.y)) for point in geometry.points],
        lines=[(_place(start), _place(end)) for start, end in geometry.lines],
        zones=[ZoneInfo([_place(corner) for corner in zone.corners], zone.seat)
               for zone in geometry.zones if zone.filled],
        labels=[LabelInfo(label.text, _round(label.x), _round(label.y), label.size, label.kind)
                for label in geometry.labels],
        dots=[_place(place) for place in geometry.dots],
        brackets=[_place(place) for place in geometry.brackets],
        cells=geometry.cells, surface=geometry.surface,
        glyphs=[_glyph(glyph) for glyph in geometry.glyphs.values()],
        seats=[SeatInfo(_text(words), colour, rotation) for words, colour, rotation in zip(
            geometry.seat_names, geometry.seat_colours, geometry.rotations, strict=True)],
        outlines=_outlines(geometry),
        stones=[Stone(stone.point, stone.glyph) for stone in position.stones()])


def describe(game: Game) -> GameInfo:
    """The facts about a game."""
    return GameInfo(game.name, _text(game.title), _players(game), [_option(option) for option in game.options],
                    notations(game), _formats(game), game.has_chance, len(game.levels),
                    bool(read_text(game, INTRODUCTION)))


def _formats(game: Game) -> list[FormatInfo]:
    return [FormatInfo(formats.OWN, Text("Boyi", "博弈"), ".boyi", True, ["own"]),
            *(FormatInfo(name, _text(one.title), one.suffixes[0], one.write is not None, list(one.notations))
              for name, one in game.formats.items())]


def _players(game: Game) -> list[int]:
    """How many can play: an option of that name says it, else the game itself."""
    if not any(option.name == "players" for option in game.options):
        return [game.start().players]
    counts = []
    for count in range(1, MOST_SEATS + 1):
        try:
            counts.append(game.start(players=count).players)
        except BoyiError:
            continue
    return counts


def _option(option: Option) -> OptionInfo:
    return OptionInfo(option.name, option.default, _text(option.help), list(option.choices), option.lowest,
                      option.highest)


def _glyph(glyph: Glyph) -> GlyphInfo:
    return GlyphInfo(glyph.code, glyph.seat, _text(glyph.name), glyph.letter, glyph.character, glyph.style)


def _outlines(geometry: Board) -> dict[str, OutlineInfo]:
    shown: Iterable[str] = [
        *(label.text for label in geometry.labels if label.kind == "words"),
        *(glyph.letter for glyph in geometry.glyphs.values()),
        *(glyph.character for glyph in geometry.glyphs.values())]
    known = outlines()
    return {character: OutlineInfo(known[character].path, known[character].advance, known[character].box)
            for character in sorted(set("".join(shown))) if character in known}


def _text(words: Words) -> Text:
    return Text(words.en, words.zh)


def _place(place: Place) -> Place:
    return _round(place[0]), _round(place[1])


def _round(value: float) -> float:
    """Digits that nobody could see cost bytes."""
    return round(value, 4)
