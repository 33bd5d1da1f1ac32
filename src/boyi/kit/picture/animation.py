"""A game as an SVG that plays itself: one file, by CSS, without scripts.

Every stone is one element for as long as it is on the board. What happens to it (it moves, turns, comes, goes) becomes
keyframes over the whole length of the game, which then begins again. The file shows the end of the game wherever
nothing may move: where the reader's system asks for less motion, and in programs that know no animation.

A long game is told faster, and of a very long one only the end (`MOST_MOVES`), so that both the file and the time it
takes to watch have a limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from boyi.core.board import Change, Point, Stone
from boyi.core.errors import UnknownNameError
from boyi.core.position import CHANCE, Position
from boyi.kit.picture.svg import STONE, THEMES, UNIT, Drawing, describe, to_attribute, to_number, to_text
from boyi.kit.picture.view import look

MOST_MOVES = 300
"""Written moves that are shown; of a longer game the last ones."""

MOVE_SECONDS = 0.9
"""From one move to the next, in a game that is not long."""

LONGEST_SECONDS = 120.0
"""All moves together."""

FIRST_SECONDS, LAST_SECONDS = 1.0, 4.0
"""How long the beginning and the end stand still."""

LEG_SECONDS = 0.3
"""What a stone takes from one point to the next; all legs of a move take at most `LEGS_SHARE` of its time."""

LEGS_SHARE = 0.7
FADE_SECONDS = 0.2


@dataclass
class _Step:
    """A written move: a decision and what chance added."""

    path: tuple[str, ...]
    changes: list[Change]


@dataclass
class _Piece:
    """A stone, from when it comes to the board until it leaves."""

    glyph: str
    point: str
    """The last ones it has."""

    comes: float | None = None
    goes: float | None = None
    """When, in seconds; None for what is there from the start, and for what stays."""

    ways: list[tuple[float, list[str]]] = field(default_factory=list)
    """When it starts to move, and through which points."""

    faces: list[tuple[float, str]] = field(default_factory=list)
    """From when on it looks like what."""


def draw(position: Position, *, title: str = "", seat: int = 0, pieces: str = "characters", theme: str = "wood",
         coordinates: bool = True) -> str:
    """Draw the game that led to `position` as one SVG document; `title` says what it is called."""
    if theme not in THEMES:
        raise UnknownNameError.among("theme", str(theme), THEMES)
    start, steps = _steps(position)
    pace = min(MOVE_SECONDS, LONGEST_SECONDS / max(1, len(steps)))
    whole = FIRST_SECONDS + pace * len(steps) + LAST_SECONDS
    found = _follow(start.stones(), steps, pace)
    view = look(position, seat=seat, pieces=pieces, last_move=(), targets=())
    drawing = Drawing(view, THEMES[theme], pieces, coordinates)
    return "\n".join(_document(drawing, position, title, found, steps, pace, whole)) + "\n"


def _steps(position: Position) -> tuple[Position, list[_Step]]:
    """The position to begin with, and the moves from there on."""
    walk = position.game.parse(position.start_text, **position.options)
    steps: list[_Step] = []
    starts: list[int] = []
    moves = position.history()
    at = 0
    while at < len(moves):
        starts.append(at)
        step = _Step(tuple(walk.path(moves[at])) if walk.turn >= 0 else (), [])
        while True:   # a decision, and chance until it is somebody's turn
            step.changes += walk.changes(moves[at])
            walk.play(moves[at])
            at += 1
            if at == len(moves) or walk.turn != CHANCE or walk.is_forfeit(moves[at]):
                break
        steps.append(step)
    skipped = max(0, len(steps) - MOST_MOVES)
    begin = position.game.parse(position.start_text, **position.options)
    for move in moves[:starts[skipped] if skipped else 0]:
        begin.play(move)
    return begin, steps[skipped:]


def _follow(stones: Iterable[Stone], steps: Sequence[_Step], pace: float) -> list[_Piece]:
    """What happens to each stone, and when."""
    standing = {stone.point: _Piece(stone.glyph, stone.point, faces=[(0.0, stone.glyph)]) for stone in stones}
    everyone = list(standing.values())
    for number, step in enumerate(steps):
        begins = FIRST_SECONDS + pace * number
        arrives = begins + _travel(len(step.path) - 1, pace)
        for change in step.changes:
            if change.kind == "captured":
                if (gone := standing.pop(change.point, None)) is not None:
                    gone.goes = arrives
            elif change.kind == "moved" and change.to is not None and change.point in standing:
                piece = standing[change.to] = standing.pop(change.point)
                legs = list(step.path) if step.path[:1] == (change.point,) and step.path[-1] == change.to else []
                piece.ways.append((begins, legs or [change.point, change.to]))
                piece.point = change.to
                _turn(piece, arrives, change.glyph)
            elif change.kind == "placed" or change.point not in standing:
                piece = standing[change.point] = _Piece(change.glyph, change.point, comes=begins,
                                                        faces=[(0.0, change.glyph)])
                everyone.append(piece)
            else:
                _turn(standing[change.point], arrives, change.glyph)
    return everyone


def _travel(legs: int, pace: float) -> float:
    return min(LEG_SECONDS * max(1, legs), LEGS_SHARE * pace)


def _turn(piece: _Piece, at: float, glyph: str) -> None:
    if glyph != piece.glyph:
        piece.faces.append((at, glyph))
        piece.glyph = glyph


# ---------------------------------------------------------------------- the document

def _document(drawing: Drawing, position: Position, title: str, pieces: Sequence[_Piece], steps: Sequence[_Step],
              pace: float, whole: float) -> Iterator[str]:
    left, top, right, bottom = drawing.extent()
    points = {point.name: point for point in drawing.board.points}
    width, height = to_number(UNIT * (right - left)), to_number(UNIT * (bottom - top))
    game, words = describe(position)
    name = " · ".join(part for part in (title, game) if part)
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="'
           f'{to_number(UNIT * left)} {to_number(UNIT * top)} {width} {height}" role="img" '
           f'aria-label="{to_attribute(name)}">')
    yield f"<title>{to_text(name)}</title>"
    yield f"<desc>{to_text(words)}</desc>"
    style = _Style(whole, pace, points)
    body = [line for number, piece in enumerate(pieces) for line in _stone(style, number, piece)]
    marks = list(_marks(style, drawing, steps, pace))
    bar = _bar(style, drawing, (left, right, bottom), pace * len(steps))
    yield "<style>"
    yield from style.rules
    yield "@media (prefers-reduced-motion:reduce){*{animation:none!important}}"
    yield "</style>"
    yield "<defs>"
    for number, code in enumerate(style.shapes):
        yield f'<g id="s{number}">'
        yield from drawing.shape((0.0, 0.0), drawing.board.glyphs[code])
        yield "</g>"
    yield "</defs>"
    yield from drawing.surface(left, top, right, bottom)
    yield from marks[:1]
    yield from body
    yield from marks[1:]
    yield bar
    yield "</svg>"


class _Style:
    """The animations of a document, and the shapes that it uses."""

    def __init__(self, whole: float, pace: float, points: dict[str, Point]) -> None:
        self.whole = whole
        self.pace = pace
        self.points = points
        self.rules: list[str] = []
        self.shapes: list[str] = []

    def shape(self, glyph: str) -> str:
        """The name of a shape."""
        if glyph not in self.shapes:
            self.shapes.append(glyph)
        return f"s{self.shapes.index(glyph)}"

    def place(self, point: str) -> str:
        where = self.points[point]
        return f"translate({to_number(UNIT * where.x)}px,{to_number(UNIT * where.y)}px)"

    def attribute(self, point: str) -> str:
        where = self.points[point]
        return f"translate({to_number(UNIT * where.x)} {to_number(UNIT * where.y)})"

    def add(self, name: str, frames: Iterable[tuple[float, str]], timing: str = "linear") -> str:
        """An animation of a class of that name: at each second, what holds. The class, as an attribute."""
        inside = "".join(f"{_percent(at, self.whole)}{{{said}}}" for at, said in frames)
        self.rules.append(f"@keyframes {name}{{{inside}}}"
                          f".{name}{{animation:{name} {to_number(self.whole)}s {timing} infinite}}")
        return f' class="{name}"'


def _percent(at: float, whole: float) -> str:
    written = f"{100 * min(1.0, max(0.0, at / whole)):.3f}".rstrip("0").rstrip(".")
    return f"{written}%"


def _stone(style: _Style, number: int, piece: _Piece) -> Iterator[str]:
    moves = ""
    if piece.ways:
        frames = [(0.0, f"transform:{style.place(piece.ways[0][1][0])}")]
        for begins, legs in piece.ways:
            last = len(legs) - 1
            length = _travel(last, style.pace)
            frames += [(begins + length * leg / last, f"transform:{style.place(point)}")
                       for leg, point in enumerate(legs)]
        frames.append((style.whole, f"transform:{style.place(piece.point)}"))
        moves = style.add(f"m{number}", frames)
    fades = ""
    if piece.comes is not None or piece.goes is not None:
        frames = [(0.0, f"opacity:{1 if piece.comes is None else 0}")]
        if piece.comes is not None:
            frames += [(piece.comes, "opacity:0"), (piece.comes + FADE_SECONDS, "opacity:1")]
        if piece.goes is not None:
            frames += [(piece.goes, "opacity:1"), (piece.goes + FADE_SECONDS, "opacity:0")]
        frames.append((style.whole, f"opacity:{1 if piece.goes is None else 0}"))
        fades = style.add(f"f{number}", frames)
    yield f'<g transform="{style.attribute(piece.point)}"{moves}>'
    yield f"<g{_hidden(piece.goes is not None)}{fades}>"
    for face in dict.fromkeys(glyph for _, glyph in piece.faces):
        shown = piece.faces[-1][1] == face
        turns = ""
        if len(piece.faces) > 1:
            turns = style.add(f"t{number}{style.shape(face)}", [
                (at, f"opacity:{int(glyph == face)}") for at, glyph in piece.faces], "step-end")
        yield f'<use href="#{style.shape(face)}"{_hidden(not shown)}{turns}/>'
    yield "</g></g>"


def _hidden(hidden: bool) -> str:
    return ' opacity="0"' if hidden else ""


def _marks(style: _Style, drawing: Drawing, steps: Sequence[_Step], pace: float) -> Iterator[str]:
    """Where the last move came from, and where it went."""
    for name, radius, end in (("from", 0.21, 0), ("to", STONE + 0.02, -1)):
        if not any(step.path for step in steps):
            return
        frames = [(0.0, "opacity:0")]
        for number, step in enumerate(steps):
            at = FIRST_SECONDS + pace * number
            if name == "to":
                at += _travel(len(step.path) - 1, pace)
            shown = bool(step.path) and (name == "to" or len(step.path) > 1)
            frames.append((at, f"transform:{style.place(step.path[end])};opacity:1" if shown else "opacity:0"))
        last = steps[-1].path
        shown = bool(last) and (name == "to" or len(last) > 1)
        place = f' transform="{style.attribute(last[end])}"' if shown else ""
        yield (f'<circle r="{to_number(UNIT * radius)}" fill="none" stroke="{drawing.accent}" '
               f'stroke-width="{to_number(0.055 * UNIT)}"{place}{_hidden(not shown)}'
               f'{style.add(name, frames, "step-end")}/>')


def _bar(style: _Style, drawing: Drawing, edges: tuple[float, float, float], played: float) -> str:
    """How far the game has come, along the lower edge."""
    left, right, bottom = edges
    moving = style.add("bar", [(0.0, "transform:scaleX(0)"), (FIRST_SECONDS, "transform:scaleX(0)"),
                               (FIRST_SECONDS + played, "transform:scaleX(1)"),
                               (style.whole, "transform:scaleX(1)")])
    return (f'<g transform="translate({to_number(UNIT * (left + 0.2))} {to_number(UNIT * (bottom - 0.16))})">'
            f'<rect width="{to_number(UNIT * (right - left - 0.4))}" height="4" rx="2" fill="{drawing.accent}"'
            f"{moving}/></g>")
