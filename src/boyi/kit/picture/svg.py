"""A position as SVG: self-contained, without scripts, fonts or ids, the same bytes every time.

There are no ids on purpose: pictures share a page in notebooks, and an id that
occurs twice makes one picture borrow parts of another. So every stone carries
its own shapes, and depth comes from flat shapes laid over each other.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from types import MappingProxyType
from xml.sax.saxutils import escape

from boyi.core.board import Glyph, Label, Point
from boyi.core.errors import UnknownNameError
from boyi.core.position import OVER, Position
from boyi.kit.picture.outlines import outlines
from boyi.kit.picture.view import Place, View, inscription, look

UNIT = 60
"""Pixels between neighbouring points."""

STONE = 0.45
"""Radius of a stone, in units of the point distance."""

ARROW_WIDTH, ARROW_HEAD, ARROW_RING = 0.13, 0.36, 0.3
"""Of arrows: how wide the shaft is, how long the head, and the radius where a move touches a single point; in units."""


@dataclass(frozen=True)
class Theme:
    """The colours of a board."""

    frame: str
    board: str
    line: str
    words: str
    felt: str
    """The playing area of boards with a cloth."""

    felt_line: str
    hole: str
    face: str
    """The side of a piece that bears a character."""

    edge: str
    """The rim of such a piece."""

    back: str
    """The side without one: covered pieces."""

    accent: str
    """Highlights, and nothing else."""

    felt_accent: str
    tint: float
    """How strongly zones show the colour of their owner."""

    shadow: float
    """How dark the shadows of the stones are; 0 for a flat picture."""

    grain: float
    """How plainly the grain of the wood shows; 0 for none."""


THEMES: Mapping[str, Theme] = MappingProxyType({
    "wood": Theme(frame="#7b5430", board="#e7c792", line="#5a3d1f", words="#7a5630", felt="#326e52",
                  felt_line="#1c4533", hole="#c9a166", face="#f8ecd2", edge="#b98a52", back="#c4935a",
                  accent="#1f6a8c", felt_accent="#f2c14e", tint=0.16, shadow=0.28, grain=0.09),
    "paper": Theme(frame="#d8d0bf", board="#faf7ef", line="#4a463f", words="#8a8274", felt="#e4ebdf",
                   felt_line="#7d8f80", hole="#ece6d8", face="#fffdf8", edge="#57524a", back="#cfc6b4",
                   accent="#1f6a8c", felt_accent="#1f6a8c", tint=0.12, shadow=0.0, grain=0.0),
})


def draw(position: Position, *, seat: int = 0, pieces: str = "characters", last_move: Sequence[str] | None = None,
         targets: Iterable[str] = (), arrows: Iterable[tuple[Sequence[str], str]] = (), theme: str = "wood",
         coordinates: bool = True) -> str:
    """Draw `position` as one SVG document.

    `last_move` is a path of points; without it the last move of the position's
    history is shown, and an empty path shows none. `targets` are points to mark,
    `arrows` paths of moves, each with a colour.
    """
    if theme not in THEMES:
        raise UnknownNameError.among("theme", str(theme), THEMES)
    view = look(position, seat=seat, pieces=pieces, last_move=last_move, targets=targets, arrows=arrows)
    return "\n".join(Drawing(view, THEMES[theme], pieces, coordinates).document(position)) + "\n"


class Drawing:
    """One picture in the making; its methods yield lines of SVG, from the bottom layer to the top."""

    def __init__(self, view: View, theme: Theme, pieces: str, coordinates: bool) -> None:
        self.view = view
        self.board = view.board
        self.theme = theme
        self.pieces = pieces
        self.labels = [label for label in self.board.labels if coordinates or label.kind == "words"]
        felt = self.board.surface == "felt"
        self.line = theme.felt_line if felt else theme.line
        self.accent = theme.felt_accent if felt else theme.accent
        self.grid = _bounds(place for line in self.board.lines for place in line) if self.board.lines else None

    def document(self, position: Position) -> Iterator[str]:
        left, top, right, bottom = self.extent()
        width, height = to_number(UNIT * (right - left)), to_number(UNIT * (bottom - top))
        box = f"{to_number(UNIT * left)} {to_number(UNIT * top)} {width} {height}"
        title, words = describe(position)
        yield (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="{box}" '
               f'role="img" aria-label="{to_attribute(title)}">')
        yield f"<title>{to_text(title)}</title>"
        yield f"<desc>{to_text(words)}</desc>"
        yield from self.surface(left, top, right, bottom)
        yield from self.trail()
        for point, glyph in self.view.stones:
            yield from self.stone(point, glyph)
        yield from self.marks()
        for path, colour in self.view.arrows:
            yield from self.arrow(path, colour)
        yield "</svg>"

    def extent(self) -> tuple[float, float, float, float]:
        """What must be visible, and as much room on the left as on the right, above as below."""
        places = [corner for point in self.board.points for corner in _corners(point.x, point.y, 0.5)]
        places += [place for line in self.board.lines for place in line]
        places += [place for zone in self.board.zones for place in zone.corners]
        inner = _bounds(places)
        outer = _bounds(places + [corner for label in self.labels
                                  for corner in _corners(label.x, label.y, label.size / 2)])
        across = max(inner[0] - outer[0], outer[2] - inner[2]) + 0.3
        along = max(inner[1] - outer[1], outer[3] - inner[3]) + 0.3
        return inner[0] - across, inner[1] - along, inner[2] + across, inner[3] + along

    # ------------------------------------------------------------------ the board

    def surface(self, left: float, top: float, right: float, bottom: float) -> Iterator[str]:
        """All that never moves."""
        yield from self.ground(left, top, right, bottom)
        yield from self.zones()
        yield from self.lines()
        yield from self.holes()
        for label in self.labels:
            yield from self.label(label)

    def ground(self, left: float, top: float, right: float, bottom: float) -> Iterator[str]:
        yield _rectangle(left, top, right, bottom, fill=self.theme.frame, rx=0.16 * UNIT)
        yield _rectangle(left + 0.07, top + 0.07, right - 0.07, bottom - 0.07, fill=self.theme.board, rx=0.1 * UNIT)
        yield from self.grain(left + 0.07, top + 0.07, right - 0.07, bottom - 0.07)
        if self.grid is None or self.board.surface == "holes":
            return
        x0, y0, x1, y1 = self.grid
        if self.board.surface == "felt":
            yield _rectangle(x0 - 0.06, y0 - 0.06, x1 + 0.06, y1 + 0.06, fill=self.theme.felt_line, rx=0.04 * UNIT)
            yield _rectangle(x0, y0, x1, y1, fill=self.theme.felt)
        elif not self.board.cells:
            yield _rectangle(x0 - 0.09, y0 - 0.09, x1 + 0.09, y1 + 0.09, fill="none", stroke=self.line,
                             stroke_width=0.045 * UNIT)

    def grain(self, left: float, top: float, right: float, bottom: float) -> Iterator[str]:
        """Long faint waves across the wood; their places look chosen at random but are not."""
        if not self.theme.grain:
            return
        strokes = []
        y, step = top + 0.2, 0
        while y < bottom - 0.2:
            bend = 0.12 * math.sin(2.4 * step)
            third = (right - left) / 3
            strokes.append(f"M{_place((left, y))}C{_place((left + third, y + bend))} "
                           f"{_place((right - third, y - bend))} {_place((right, y))}")
            step += 1
            y += 0.28 + 0.16 * math.sin(1.7 * step)
        yield _element("path", d="".join(strokes), fill="none", stroke=self.theme.frame, stroke_width=0.03 * UNIT,
                       stroke_opacity=self.theme.grain)

    def zones(self) -> Iterator[str]:
        for zone in filter(attrgetter("filled"), self.board.zones):
            corners = " ".join(f"{to_number(UNIT * x)},{to_number(UNIT * y)}" for x, y in zone.corners)
            if zone.seat is None:
                yield _element("polygon", points=corners, fill=self.theme.line, fill_opacity=0.4 * self.theme.tint)
            else:
                yield _element("polygon", points=corners, fill=self.colour(zone.seat), fill_opacity=self.theme.tint)

    def lines(self) -> Iterator[str]:
        strokes = [f"M{_place(start)}L{_place(end)}" for start, end in self.board.lines]
        if self.grid is not None:
            strokes += [stroke for place in self.board.brackets for stroke in _brackets(place, self.grid)]
        if strokes:
            yield _element("path", d="".join(strokes), fill="none", stroke=self.line, stroke_width=0.025 * UNIT,
                           stroke_opacity=0.45 if self.board.surface == "holes" else 1.0, stroke_linecap="square")
        for place in self.board.dots:
            yield _circle(place, 0.07, fill=self.line)

    def holes(self) -> Iterator[str]:
        if self.board.surface == "holes":
            for point in self.board.points:
                yield _circle((point.x, point.y), 0.2, fill=self.theme.hole, stroke=self.line,
                              stroke_width=0.02 * UNIT)

    def label(self, label: Label) -> Iterator[str]:
        yield from _write(label.text, label.x, label.y, label.size, self.theme.words)

    # ------------------------------------------------------------------ the stones

    def stone(self, point: Point, glyph: Glyph) -> Iterator[str]:
        yield f'<g class="stone" data-point="{to_attribute(point.name)}" data-glyph="{to_attribute(glyph.code)}">'
        yield f"<title>{to_text(f'{glyph.name.en} {glyph.name.zh}, {point.name}')}</title>"
        yield from self.shape((point.x, point.y), glyph)
        yield "</g>"

    def shape(self, place: Place, glyph: Glyph) -> Iterator[str]:
        """What a stone looks like, at a place."""
        colour = self.colour(glyph.seat)
        written = inscription(glyph, self.pieces)
        if self.theme.shadow:
            yield _circle((place[0], place[1] + 0.05), STONE, fill="#000000", fill_opacity=self.theme.shadow)
        if glyph.style == "covered":
            yield from self.back(place, colour)
        elif written and glyph.character:
            yield from self.piece(place, colour, written, glyph.picture if self.pieces == "pictures" else "")
        else:
            yield from self.disc(place, colour)
            yield from _write(written, *place, 0.5, _readable_on(colour), centred=True)
        if glyph.style == "marked":
            yield _cross(place, 0.17, _readable_on(colour))

    def colour(self, seat: int | None) -> str:
        """A player's colour; anything that is not plainly a colour (such as a link) gives way to the lines'."""
        colour = "" if seat is None else self.board.seat_colours[seat]
        return colour if re.fullmatch("#[0-9a-fA-F]{3,8}|[a-zA-Z]+", colour) else self.theme.line

    def piece(self, place: Place, colour: str, written: str, picture: str) -> Iterator[str]:
        yield _circle(place, STONE, fill=self.theme.edge)
        yield _circle(place, STONE - 0.025, fill=self.theme.face)
        yield _circle(place, STONE - 0.07, fill="none", stroke=colour, stroke_width=0.02 * UNIT)
        if re.fullmatch(r"[-0-9.MLHVCQAZmlhvcqaz ]+", picture):
            scale = to_number(0.92 * STONE * UNIT / 50)
            yield _element("path", d=picture, fill=colour, fill_rule="evenodd",
                           transform=f"translate({_place(place)}) scale({scale})")
            return
        size = 0.42 if len(written) > 1 else 0.66 if written.isascii() else 0.62
        yield from _write(written, *place, size, colour, centred=True)

    def back(self, place: Place, colour: str) -> Iterator[str]:
        yield _circle(place, STONE, fill=self.theme.edge)
        yield _circle(place, STONE - 0.025, fill=self.theme.back)
        yield _circle(place, STONE - 0.075, fill="none", stroke=colour, stroke_width=0.03 * UNIT)
        yield _circle(place, 0.2, fill="none", stroke=colour, stroke_width=0.022 * UNIT, stroke_opacity=0.7)
        yield _circle(place, 0.05, fill=colour, fill_opacity=0.7)

    def disc(self, place: Place, colour: str) -> Iterator[str]:
        x, y = place
        light = _luminance(colour)
        # On flat paper a white stone is only its outline.
        yield _circle(place, STONE, fill=_mix(colour, "#000000", 0.3 if self.theme.shadow else 0.6 * light))
        yield _circle(place, STONE - 0.02, fill=colour)
        if self.theme.shadow:
            # Thin layers, each smaller and nearer to the light, look round.
            for step in range(1, 6):
                yield _circle((x - 0.022 * step, y - 0.026 * step), STONE - 0.02 - 0.062 * step, fill="#ffffff",
                              fill_opacity=0.022 + 0.09 * light ** 2)

    # ------------------------------------------------------------------ highlights

    def trail(self) -> Iterator[str]:
        """The way of the last move, below the stones."""
        path = self.view.last_move
        if len(path) > 1:
            yield _element("path", d="M" + "L".join(_place((point.x, point.y)) for point in path), fill="none",
                           stroke=self.accent, stroke_opacity=0.55, stroke_width=0.09 * UNIT,
                           stroke_linecap="round", stroke_linejoin="round", class_="last")
        ground = self.theme.felt if self.board.surface == "felt" else self.theme.board
        for point in path[:-1]:
            yield _circle((point.x, point.y), 0.21, fill=ground, stroke=self.accent, stroke_width=0.055 * UNIT,
                          class_="last")

    def marks(self) -> Iterator[str]:
        """Rings and dots above the stones."""
        for point in self.view.last_move[-1:]:
            yield _circle((point.x, point.y), STONE + 0.02, fill="none", stroke=self.accent,
                          stroke_width=0.055 * UNIT, class_="last")
        occupied = {point.name for point, _ in self.view.stones}
        for point in self.view.targets:
            if point.name in occupied:
                yield _circle((point.x, point.y), STONE + 0.02, fill="none", stroke=self.accent,
                              stroke_width=0.055 * UNIT, stroke_dasharray=to_number(0.12 * UNIT), class_="target")
            else:
                yield _circle((point.x, point.y), 0.14, fill=self.accent, fill_opacity=0.75, class_="target")

    def arrow(self, path: Sequence[Point], colour: str) -> Iterator[str]:
        """A move: an arrow along its path, or a ring where it touches one point."""
        last = path[-1]
        if len(path) == 1:
            yield _circle((last.x, last.y), ARROW_RING, fill=colour, fill_opacity=0.35, stroke=colour,
                          stroke_width=ARROW_WIDTH * UNIT, class_="arrow")
            return
        before = path[-2]
        length = math.hypot(last.x - before.x, last.y - before.y)
        across = ((last.x - before.x) / length, (last.y - before.y) / length)
        neck = (last.x - ARROW_HEAD * across[0], last.y - ARROW_HEAD * across[1])
        sides = [(neck[0] + side * ARROW_HEAD * across[1] / 2, neck[1] - side * ARROW_HEAD * across[0] / 2)
                 for side in (1, -1)]
        way = [(point.x, point.y) for point in path[:-1]] + [neck]
        yield _element("path", d="M" + "L".join(map(_place, way)), fill="none", stroke=colour, stroke_opacity=0.8,
                       stroke_width=ARROW_WIDTH * UNIT, stroke_linejoin="round", class_="arrow")
        yield _element("path", d="M" + "L".join(map(_place, [(last.x, last.y), *sides])) + "Z", fill=colour,
                       fill_opacity=0.8, class_="arrow")


# ---------------------------------------------------------------------- words


def describe(position: Position) -> tuple[str, str]:
    """The title of the picture, and in a few words what it shows."""
    names = position.board.seat_names
    turn = position.turn
    if turn == OVER:
        outcome = position.outcome()
        state = f"The game is over: {outcome.words.en}." if outcome else "The game is over."
    elif 0 <= turn < len(names):
        state = f"{names[turn].en} to move."
    else:
        state = "Chance is to decide."
    return f"{position.game.title.en} {position.game.title.zh}", f"{state} Position: {position.to_text()}"


def _write(text: str, x: float, y: float, size: float, colour: str, *, centred: bool = False) -> Iterator[str]:
    """Text centred on a place: as outlines if we have all its characters, else in the reader's fonts.

    Running words stand on a common base line; `centred` puts the ink of each character
    itself in the middle, as it should be on a round piece.
    """
    shapes = [None if character == " " else outlines().get(character) for character in text]
    if any(shape is None and character != " " for shape, character in zip(shapes, text, strict=True)):
        yield _element("text", to_text(text), x=float(UNIT * x), y=UNIT * (y + 0.35 * size), fill=colour,
                       font_size=UNIT * size, font_family="serif", text_anchor="middle")
        return
    advances = [0.35 if shape is None else shape.advance for shape in shapes]
    pen = x - size * sum(advances) / 2
    # Half the height of a digit, or of an ideograph, above the base line is the middle of the line.
    middle = 0.35 if text.isascii() else 0.38
    for shape, advance in zip(shapes, advances, strict=True):
        if shape is not None:
            left, top, right, bottom = shape.box
            dx = pen + (size * (advance - left - right) / 2 if centred else 0)
            dy = y + size * (-(top + bottom) / 2 if centred else middle)
            scale = UNIT * size / 1000
            yield _element("path", transform=f"translate({_place((dx, dy))})scale({scale:.5g})", d=shape.path,
                           fill=colour)
        pen += size * advance


def to_text(text: str) -> str:
    """Text as XML content; characters that XML cannot hold become U+FFFD."""
    return escape(re.sub("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text))


def to_attribute(text: str) -> str:
    return to_text(text).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;").replace("\r", "&#13;")


# ---------------------------------------------------------------------- shapes and colours


def _element(tag: str, content: str = "", /, **attributes: object) -> str:
    written = ""
    for name, value in attributes.items():
        shown = to_number(value) if isinstance(value, float) else str(value)
        written += f' {name.rstrip("_").replace("_", "-")}="{to_attribute(shown)}"'
    return f"<{tag}{written}>{content}</{tag}>" if content else f"<{tag}{written}/>"


def _circle(place: Place, radius: float, **attributes: object) -> str:
    x, y = place
    return _element("circle", cx=float(UNIT * x), cy=float(UNIT * y), r=float(UNIT * radius), **attributes)


def _rectangle(left: float, top: float, right: float, bottom: float, **attributes: object) -> str:
    return _element("rect", x=float(UNIT * left), y=float(UNIT * top), width=float(UNIT * (right - left)),
                    height=float(UNIT * (bottom - top)), **attributes)


def _cross(place: Place, arm: float, colour: str) -> str:
    x, y = place
    strokes = (f"M{_place((x - arm, y - arm))}L{_place((x + arm, y + arm))}"
               f"M{_place((x - arm, y + arm))}L{_place((x + arm, y - arm))}")
    return _element("path", d=strokes, fill="none", stroke=colour, stroke_width=0.075 * UNIT, stroke_linecap="round")


def _brackets(place: Place, grid: tuple[float, float, float, float]) -> Iterator[str]:
    """Four small corners around a crossing, leaving out those beyond the edge."""
    x, y = place
    for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        near_x, near_y, far_x, far_y = x + 0.08 * dx, y + 0.08 * dy, x + 0.22 * dx, y + 0.22 * dy
        if grid[0] <= far_x <= grid[2] and grid[1] <= far_y <= grid[3]:
            yield f"M{_place((far_x, near_y))}L{_place((near_x, near_y))}L{_place((near_x, far_y))}"


def _bounds(places: Iterable[Place]) -> tuple[float, float, float, float]:
    xs, ys = zip(*places, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _corners(x: float, y: float, half: float) -> list[Place]:
    return [(x + dx, y + dy) for dx in (-half, half) for dy in (-half, half)]


def _place(place: Place) -> str:
    return f"{to_number(UNIT * place[0])} {to_number(UNIT * place[1])}"


def to_number(value: float) -> str:
    """The same two decimals everywhere, so that the same position gives the same bytes."""
    written = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if written == "-0" else written


def _channels(colour: str) -> tuple[int, int, int] | None:
    return ((int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16))
            if re.fullmatch("#[0-9a-fA-F]{6}", colour) else None)


def _luminance(colour: str) -> float:
    """How light a colour looks, 0 to 1; a colour given by name counts as medium."""
    channels = _channels(colour)
    return 0.5 if channels is None else (0.299 * channels[0] + 0.587 * channels[1] + 0.114 * channels[2]) / 255


def _mix(colour: str, other: str, share: float) -> str:
    first, second = _channels(colour), _channels(other)
    if first is None or second is None:
        return colour
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(first, second, strict=True))


def _readable_on(colour: str) -> str:
    return "#1b1b1b" if _luminance(colour) > 0.5 else "#f7f4ec"
