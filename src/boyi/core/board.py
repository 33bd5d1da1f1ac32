"""Geometry as data: what a board looks like, with no word about how it is drawn.

The terminal, the SVG, the PNG and the browser all draw from a `Board` and from
the `Stone`s of a position. x grows to the right, y grows downwards, and the
distance between neighbouring points is 1. Seat 0 sits at the bottom.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from boyi.core.words import Words

Mark = Literal["", "disc", "ring", "triangle", "square", "diamond", "cross"]
ChangeKind = Literal["placed", "moved", "captured", "flipped", "revealed", "marked"]


@dataclass(frozen=True)
class Point:
    """A place where a stone can stand.

    >>> Point("a1", x=0, y=5)    # y grows downwards
    Point(name='a1', x=0, y=5)
    """

    name: str
    x: float
    y: float


@dataclass(frozen=True)
class Zone:
    """A part of the board with a meaning or a colour of its own.

    >>> Zone("palace", ((3, 0), (5, 0), (5, 2), (3, 2)), seat=1, filled=False).seat
    1
    """

    name: str
    corners: tuple[tuple[float, float], ...]
    seat: int | None = None
    """Whose zone it is, where it belongs to a player (a palace, a home corner)."""

    filled: bool = True
    """Is it painted in its owner's colour, or are the lines around it enough (a palace)?"""


@dataclass(frozen=True)
class Label:
    """Words or coordinates written on the board.

    >>> Label("a", x=0, y=6).kind
    'coordinate'
    """

    text: str
    x: float
    y: float
    size: float = 0.35
    """Height in units of the point distance."""

    kind: Literal["coordinate", "words"] = "coordinate"
    """Coordinates may be left out of a picture; words (the river's) belong to the board."""


@dataclass(frozen=True)
class Glyph:
    """What a kind of stone looks like.

    >>> Glyph("W", 0, Words("white pawn", "白兵")).name.zh
    '白兵'
    """

    code: str
    """One character: what stands for it in position texts."""

    seat: int | None
    """Whose it is; it gives the colour."""

    name: Words

    letter: str = ""
    """Shown on the stone by letter piece sets; empty for a plain stone."""

    character: str = ""
    """Shown on the stone by the Chinese piece set; empty for a plain stone."""

    simplified: str = ""
    """The same in simplified characters, where that is another one."""

    picture: str = ""
    """Drawn on the stone by the pictorial piece set: SVG path data, filled (even-odd), between -50 and 50 around the
    middle of a stone of that radius. Empty where there is none."""

    style: Literal["plain", "covered", "marked"] = "plain"

    mark: Mark = ""
    """A sign on a plain stone, that tells its owner from others whatever the eye makes of the colours."""

    royal: bool = False
    """Is it the piece that a check threatens?"""


@dataclass(frozen=True)
class Stone:
    """A stone on a point.

    >>> import boyi
    >>> boyi.parse("tic_tac_toe", "X--/-O-/---").stones()
    [Stone(point='a1', glyph='X'), Stone(point='b2', glyph='O')]
    """

    point: str
    glyph: str
    """The code of its `Glyph`."""


@dataclass(frozen=True)
class Change:
    """One thing that a move does to the board.

    A move's changes, done in their order to the stones before it, give the stones after it:

        placed    `glyph` comes to stand on `point`, which was empty
        moved     `glyph` goes from `point` to `to`, which is empty by then
        captured  `glyph` leaves `point` and the board
        flipped, revealed, marked   what stands on `point` becomes `glyph`

    >>> import boyi
    >>> position = boyi.start("othello")
    >>> [(change.kind, change.point) for change in position.changes(position.parse_move("f5"))]
    [('placed', 'f5'), ('flipped', 'e5')]
    """

    kind: ChangeKind
    point: str
    glyph: str
    """The stone's code: for a capture as it was, otherwise as it is afterwards."""

    to: str | None = None
    """Where a moved stone went."""

    def __post_init__(self) -> None:
        if self.to is None:   # left to the class: what is written of a change is what the instance holds
            self.__dict__.pop("to", None)


@dataclass(frozen=True)
class Covered:
    """How many of a player's covered pieces may be of this kind, as far as the viewer knows.

    >>> import boyi
    >>> next(iter(boyi.start("jieqi").pools())).count > 0
    True
    """

    seat: int
    """Whose it is."""

    glyph: str
    count: int


@dataclass(frozen=True)
class Board:
    """Points, lines, zones, labels and glyphs of a game's board.

    >>> import boyi
    >>> board = boyi.start("xiangqi").board
    >>> len(board.points), [name.en for name in board.seat_names]
    (90, ['Red', 'Black'])
    """

    points: tuple[Point, ...]
    lines: tuple[tuple[tuple[float, float], tuple[float, float]], ...]
    glyphs: Mapping[str, Glyph]
    seat_names: tuple[Words, ...]
    """What the players are called: Red and Black, ..."""

    seat_colours: tuple[str, ...]
    """A CSS colour per seat."""

    zones: tuple[Zone, ...] = ()
    labels: tuple[Label, ...] = ()
    coordinates: Mapping[str, tuple[Label, ...]] = field(default_factory=dict)
    """By the name of a notation, the coordinates that its moves are read by, in place of those among `labels`."""

    dots: tuple[tuple[float, float], ...] = ()
    """Small marks on the lines (star points)."""

    brackets: tuple[tuple[float, float], ...] = ()
    """Crossings marked by four small corners (cannon and pawn points); fewer at the edge of the board."""

    cells: bool = False
    """Stones stand inside squares (Othello) and not on crossings."""

    surface: Literal["plain", "felt", "holes"] = "plain"
    """What the stones rest on: the board itself, a cloth, or holes at every point."""

    rotations: tuple[int, ...] = (0, 180)
    """By how many degrees the board turns clockwise to bring each seat to the bottom."""

    symmetries: tuple[tuple[int, ...], ...] = field(default=(), repr=False)
    """Permutations of the points that turn a legal game into a legal game of the same
    players: `symmetries[k][i]` is where point i goes. Only those that keep the start."""

    @cached_property
    def index(self) -> Mapping[str, int]:
        """From a point's name to its number."""
        return {point.name: number for number, point in enumerate(self.points)}

    @cached_property
    def images(self) -> tuple[Mapping[str, str], ...]:
        """By a point's name, where it goes: first as it is, then by each of the symmetries."""
        names = [point.name for point in self.points]
        return tuple({name: names[there] for name, there in zip(names, permutation, strict=True)}
                     for permutation in (range(len(names)), *self.symmetries))
