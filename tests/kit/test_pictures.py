"""Pictures: every stone once and in its place, upright words, nothing that can run or break out."""

from __future__ import annotations

import builtins
import math
import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest

import boyi
from boyi.core.board import Board, Glyph, Label, Point, Stone, Zone
from boyi.core.errors import MissingPartError, OptionError, TextError, UnknownNameError
from boyi.core.game import Game
from boyi.core.position import Position
from boyi.core.python_position import PythonPosition
from boyi.core.words import Words
from boyi.games.jieqi.board import board as jieqi_board
from boyi.kit.picture import png, svg, text
from boyi.kit.picture.outlines import outlines
from boyi.kit.picture.view import last_path, turned
from tools import pictures

SVG = "{http://www.w3.org/2000/svg}"


def sample(name: str, plies: int = 12) -> Position:
    """A position some way into a game: always the same one."""
    position = boyi.start(name)
    for ply in range(plies):
        moves = position.moves()
        if moves:
            position.play(moves[(7 * ply + 3) % len(moves)])
    return position


def seats(position: Position) -> range:
    return range(len(position.board.rotations))


@pytest.fixture(params=sorted(boyi.all_games()))
def position(request: pytest.FixtureRequest) -> Position:
    return sample(request.param)


class Still(PythonPosition):
    """A position that only stands there, with whatever board and stones the test gives it."""

    shown: tuple[Stone, ...] = ()

    def initial(self) -> int:
        return 0

    def to_act(self, state: int) -> int:
        return 0

    def legal_moves(self, state: int) -> list[int]:
        return [0]

    def after(self, state: int, move: int) -> int:
        return state + 1

    def final_scores(self, state: int) -> None:
        return None

    def state_to_text(self, state: int) -> str:
        return f"<still & {state}>"

    def path(self, move: int) -> tuple[str, ...]:
        return (self.board.points[0].name,)

    def stones(self) -> list[Stone]:
        return list(self.shown)


def still(board: Board, *stones: Stone, title: str = "Still") -> Position:
    kind = type("Still", (Still,), {"shown": stones})
    return Game("still", Words(title, title), kind, lambda options: board, __name__).start()


def row(*glyphs: Glyph, colours: tuple[str, ...] = ("#112233", "#ddeeff"), **fields: Any) -> Board:
    """A board of one row, with a point for every glyph."""
    return Board(points=tuple(Point(f"p{x}", x, 0) for x in range(max(2, len(glyphs)))), lines=(),
                 glyphs={glyph.code: glyph for glyph in glyphs}, seat_names=(Words("A", "甲"), Words("B", "乙")),
                 seat_colours=colours, rotations=(0, 0), **fields)


def drawn(document: str) -> dict[str, tuple[str, float, float]]:
    """The stones of an SVG: from point to glyph code and centre, in units of the point distance."""
    found = {}
    for group in ElementTree.fromstring(document).iter(f"{SVG}g"):
        name = group.get("data-point")
        assert name is not None
        assert name not in found, "a stone was drawn twice"
        # The body is as large as its shadow, which lies a little lower.
        body = max(group.iter(f"{SVG}circle"),
                   key=lambda circle: (float(circle.get("r", 0)), -float(circle.get("cy", 0))))
        found[name] = (str(group.get("data-glyph")), float(body.get("cx", 0)) / svg.UNIT,
                       float(body.get("cy", 0)) / svg.UNIT)
    return found


# ---------------------------------------------------------------------- SVG


@pytest.mark.parametrize("theme", svg.THEMES)
@pytest.mark.parametrize("pieces", ["characters", "letters"])
def test_every_stone_once_and_in_its_place(position: Position, theme: str, pieces: str) -> None:
    for seat in seats(position):
        points = {point.name: point for point in turned(position.board, seat).points}
        found = drawn(svg.draw(position, seat=seat, pieces=pieces, theme=theme))
        assert {name: glyph for name, (glyph, _, _) in found.items()} == {
            stone.point: stone.glyph for stone in position.stones()}
        for name, (_, x, y) in found.items():
            assert (x, y) == pytest.approx((points[name].x, points[name].y), abs=0.001)


def test_svg_is_plain_and_always_the_same(position: Position) -> None:
    document = svg.draw(position)
    assert document == svg.draw(position.copy()) == position._repr_svg_()
    tags = {element.tag.removeprefix(SVG) for element in ElementTree.fromstring(document).iter()}
    assert tags <= {"svg", "title", "desc", "g", "path", "circle", "rect", "polygon"}, "no text, no scripts"
    names = {name for element in ElementTree.fromstring(document).iter() for name in element.attrib}
    assert not {name for name in names if name.startswith("on") or name in ("id", "href", "style")}


def test_everything_is_inside_the_picture(position: Position) -> None:
    for seat in seats(position):
        root = ElementTree.fromstring(svg.draw(position, seat=seat))
        left, top, width, height = map(float, str(root.get("viewBox")).split())
        for circle in root.iter(f"{SVG}circle"):
            x, y, radius = (float(circle.get(name, 0)) for name in ("cx", "cy", "r"))
            assert left <= x - radius < x + radius <= left + width
            assert top <= y - radius < y + radius <= top + height


def test_title_and_description_for_those_who_cannot_see() -> None:
    root = ElementTree.fromstring(svg.draw(boyi.start("othello")))
    assert root.findtext(f"{SVG}title") == "Othello 黑白棋" == root.get("aria-label")
    assert str(root.findtext(f"{SVG}desc")).startswith("Black to move. Position: ---")
    assert root.get("role") == "img"


HOSTILE = ['<script>alert(1)</script>', '"/><g onload="x">', "a&b", "]]>", "\x00\x1b[31m\ud800", "'\n\t",
           "url(http://x/y)"]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_names_stay_names(hostile: str) -> None:
    board = Board(points=(Point(hostile, 0, 0), Point("b", 1, 0)), lines=(),
                  glyphs={hostile: Glyph(hostile, 0, Words(hostile, hostile), letter=hostile, character=hostile)},
                  seat_names=(Words(hostile, hostile),), seat_colours=(hostile,), rotations=(0,),
                  labels=(Label(hostile, 0, 1),), zones=(Zone(hostile, ((0, 0), (1, 0), (1, 1)), 0),))
    shown = still(board, Stone(hostile, hostile), title=hostile)
    for theme in svg.THEMES:
        for pieces in ("characters", "letters"):
            document = svg.draw(shown, theme=theme, pieces=pieces, targets=(hostile,))
            document.encode()
            elements = list(ElementTree.fromstring(document).iter())
            tags = [element.tag.removeprefix(SVG) for element in elements]
            assert "script" not in tags
            assert tags.count("g") == 1
            assert not [name for element in elements for name in element.attrib if name.startswith("on")]
            assert not [element for element in elements if "url" in element.get("fill", "")]
            assert "\x1b" not in document
    assert text.draw(shown).replace("\n", "").isprintable()


def test_a_character_without_outline_falls_back_to_text() -> None:
    board = row(Glyph("Q", 0, Words("queen", "后"), letter="Q", character="♛"))
    shown = still(board, Stone("p0", "Q"))
    assert "♛" in [element.text for element in ElementTree.fromstring(svg.draw(shown)).iter(f"{SVG}text")]
    assert "<text" not in svg.draw(shown, pieces="letters")


def test_every_character_of_every_game_has_an_outline() -> None:
    boards = [boyi.start(name).board for name in boyi.all_games()]
    written = [glyph.letter + glyph.character for board in boards for glyph in board.glyphs.values()]
    written += [label.text for board in boards for label in board.labels]
    assert set("".join(written)) - {" "} <= set(outlines())


def test_covered_pieces_look_alike_and_tell_nothing() -> None:
    """Two covered pieces of one side differ in their place and in nothing else."""
    shown = still(jieqi_board(), Stone("a0", "X"), Stone("e3", "X"))
    groups = list(ElementTree.fromstring(svg.draw(shown)).iter(f"{SVG}g"))
    looks = [[(child.tag, {key: value for key, value in child.attrib.items() if key not in ("cx", "cy")})
              for child in group if child.tag != f"{SVG}title"] for group in groups]
    assert looks[0] == looks[1]
    assert not [child for group in groups for child in group if child.tag == f"{SVG}path"]


def test_marked_stones_are_crossed() -> None:
    board = row(Glyph("b", 0, Words("", "")), Glyph("B", 0, Words("", ""), style="marked"))
    plain, marked = ElementTree.fromstring(svg.draw(still(board, Stone("p0", "b"), Stone("p1", "B")))).iter(f"{SVG}g")
    assert len(list(plain.iter(f"{SVG}path"))) == 0
    assert len(list(marked.iter(f"{SVG}path"))) == 1


# ---------------------------------------------------------------------- seats and highlights


def test_the_seat_is_at_the_bottom() -> None:
    stars = [("chinese_checkers", {"players": count}) for count in (2, 3, 4, 5, 6)]
    for name, options in [("xiangqi", {}), ("jieqi", {}), *stars]:
        position = boyi.start(name, **options)
        for seat in seats(position):
            places = drawn(svg.draw(position, seat=seat))
            heights: dict[int | None, list[float]] = {}
            for glyph, _, y in places.values():
                heights.setdefault(position.board.glyphs[glyph].seat, []).append(y)
            lowest = max(heights, key=lambda owner: sum(heights[owner]) / len(heights[owner]))
            assert lowest == seat, f"{name} of {options}: seat {lowest} sits where {seat} should"


@pytest.mark.parametrize(("name", "options"), [
    *((name, {}) for name in sorted(boyi.all_games())), ("chinese_checkers", {"players": 6})])
def test_turning_is_turning(name: str, options: dict[str, object]) -> None:
    """Distances stay, left and right are not exchanged, and words stay as they are."""
    board = boyi.start(name, **options).board
    corners = [0, len(board.points) // 3, len(board.points) - 2]

    def shape(points: Sequence[Point]) -> list[float]:
        (ax, ay), (bx, by), (cx, cy) = ((points[corner].x, points[corner].y) for corner in corners)
        distances = [math.hypot(points[0].x - point.x, points[0].y - point.y) for point in points]
        return [(bx - ax) * (cy - ay) - (cx - ax) * (by - ay), *distances]

    assert shape(board.points)[0] != 0
    for seat in range(len(board.rotations)):
        view = turned(board, seat)
        assert shape(view.points) == pytest.approx(shape(board.points), abs=1e-4)
        assert [label.text for label in view.labels] == [label.text for label in board.labels]
        assert [point.name for point in view.points] == [point.name for point in board.points]
        for (start, end), (other_start, other_end) in zip(board.lines, view.lines, strict=True):
            assert math.dist(start, end) == pytest.approx(math.dist(other_start, other_end), abs=1e-4)


def circles(document: str, kind: str) -> Iterator[tuple[float, float]]:
    for circle in ElementTree.fromstring(document).iter(f"{SVG}circle"):
        if circle.get("class") == kind:
            yield float(circle.get("cx", 0)) / svg.UNIT, float(circle.get("cy", 0)) / svg.UNIT


def test_the_last_move_is_shown_by_itself() -> None:
    position = boyi.start("xiangqi")
    assert list(circles(svg.draw(position), "last")) == []
    position.play("h2e2")
    assert set(circles(svg.draw(position), "last")) == {(7, 7), (4, 7)}
    assert list(circles(svg.draw(position, last_move=()), "last")) == []
    assert set(circles(svg.draw(position, last_move=["a0", "a1", "b1"]), "last")) == {(0, 9), (0, 8), (1, 8)}
    assert position.ply == 1, "looking changes nothing"


def test_a_pass_has_no_path() -> None:
    position = boyi.parse("othello", "XO------" + "-" * 56 + " O")
    assert [position.format_move(move) for move in position.moves()] == ["pass"]
    position.play("pass")
    assert last_path(position) == ()


def test_targets_on_empty_and_occupied_points() -> None:
    document = svg.draw(boyi.start("xiangqi"), targets=["e2", "b9"], last_move=())
    assert set(circles(document, "target")) == {(4, 7), (1, 0)}


@pytest.mark.parametrize(("asked", "error"), [
    ({"seat": 2}, TextError), ({"seat": -1}, TextError), ({"seat": "0"}, TextError),
    ({"pieces": "runes"}, UnknownNameError), ({"targets": ["z9"]}, UnknownNameError),
    ({"last_move": ["a0", ""]}, UnknownNameError),
])
def test_what_cannot_be_shown_is_refused(asked: dict[str, Any], error: type[Exception]) -> None:
    position = boyi.start("xiangqi")
    for draw in (svg.draw, text.draw, png.draw):
        with pytest.raises(error):
            draw(position, **asked)
    with pytest.raises(UnknownNameError, match="wood, paper"):
        svg.draw(position, theme="glass")


# ---------------------------------------------------------------------- PNG


def pixels(data: bytes) -> list[list[tuple[int, ...]]]:
    """Decode an 8-bit RGBA PNG, the kind that resvg writes."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height, depth, colours = struct.unpack(">IIBB", data[16:26])
    assert (depth, colours) == (8, 6)
    packed, at = b"", 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    raw, above, rows = zlib.decompress(packed), bytearray(4 * width), []
    for y in range(height):
        start = y * (4 * width + 1)
        kind, line = raw[start], bytearray(raw[start + 1:start + 1 + 4 * width])
        for i in range(4 * width):
            left, up = line[i - 4] if i >= 4 else 0, above[i]
            corner = above[i - 4] if i >= 4 else 0
            guess = left + up - corner
            nearest = min((left, up, corner), key=lambda value: abs(guess - value))
            line[i] = (line[i] + (0, left, up, (left + up) // 2, nearest)[kind]) % 256
        rows.append([tuple(line[i:i + 4]) for i in range(0, 4 * width, 4)])
        above = line
    return rows


def test_png_has_the_asked_width_and_the_colours_of_the_stones() -> None:
    position = boyi.start("othello")
    picture = pixels(png.draw(position, width=300, theme="paper"))
    root = ElementTree.fromstring(svg.draw(position))
    left, top, width, height = map(float, str(root.get("viewBox")).split())
    assert len(picture[0]) == 300
    assert len(picture) == pytest.approx(300 * height / width, abs=1)
    for name, (glyph, x, y) in drawn(svg.draw(position)).items():
        pixel = picture[round((svg.UNIT * y - top) * 300 / width)][round((svg.UNIT * x - left) * 300 / width)]
        wanted = bytes.fromhex(position.board.seat_colours["XO".index(glyph)][1:])
        assert pixel == (*wanted, 255), name


def test_png_without_a_width_is_twice_the_svg() -> None:
    position = boyi.start("tic_tac_toe")
    width = float(str(ElementTree.fromstring(svg.draw(position)).get("width")))
    assert struct.unpack(">I", png.draw(position)[16:20])[0] == round(2 * width)


@pytest.mark.parametrize("width", [0, -5, 15, 1_000_000])
def test_silly_widths_are_refused(width: int) -> None:
    with pytest.raises(OptionError, match="16 to 8192"):
        png.draw(boyi.start("othello"), width=width)


def test_without_resvg_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: Any, **named: Any) -> Any:
        if name == "resvg_py":
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingPartError, match="pip install resvg-py"):
        png.draw(boyi.start("othello"))


@pytest.mark.parametrize("name", sorted(boyi.all_games()))
def test_the_pictures_of_the_readme_are_fresh(name: str) -> None:
    """If this fails: `python tools/pictures.py`, and look at what it drew."""
    assert (pictures.TARGET / f"{name}.svg").read_text(encoding="utf-8") == svg.draw(pictures.scene(name))


@pytest.mark.parametrize("name", pictures.CASES)
def test_pictures_of_repetitions_are_fresh_and_judged_as_the_page_says(name: str) -> None:
    """If the first fails: `python -m tools.pictures`, and look at what it drew."""
    case = pictures.CASES[name]
    assert (pictures.TARGET / f"{name}.svg").read_text(encoding="utf-8") == case.draw()
    page = (pictures.ROOT / "docs" / "explanation" / "repetition.md").read_text(encoding="utf-8")
    assert f"../pictures/{name}.svg" in page
    verdicts = []
    for rules in ("cxa", "axf"):
        outcome = case.play(rules=rules).outcome()
        assert outcome is not None
        loser = {0: "Black", 1: "Red", None: ""}[outcome.winner]
        verdicts.append(f"{loser} loses: {outcome.reason.replace('_', ' ')}" if loser else "draw")
    assert f"| `{name}` | {verdicts[0]} | {verdicts[1]} |" in page


# ---------------------------------------------------------------------- text


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("pieces", ["characters", "letters"])
def test_text_boards_align(position: Position, ascii_only: bool, pieces: str) -> None:
    for seat in seats(position):
        for coordinates in (True, False):
            board = text.draw(position, seat=seat, pieces=pieces, ascii_only=ascii_only, coordinates=coordinates)
            assert len({text.width(line) for line in board.splitlines()}) == 1
            assert not ascii_only or board.isascii()
            assert "\x1b" not in board


def test_colours_change_nothing_but_colours(position: Position) -> None:
    coloured = text.draw(position, colour=True)
    assert "\x1b[0m" in coloured
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == text.draw(position)


@pytest.mark.parametrize(("shown", "columns"), [("", 0), ("abc", 3), ("將", 2), ("Ｘ", 2), ("●×", 2), ("e\u0301", 1)])
def test_width_counts_columns(shown: str, columns: int) -> None:
    assert text.width(shown) == columns


def board_of(name: str, moves: str = "", start: str | None = None, **asked: Any) -> str:
    options = asked.pop("options", {})
    position = boyi.start(name, **options) if start is None else boyi.parse(name, start, **options)
    for move in moves.split():
        position.play(move)
    return "\n" + "\n".join(line.rstrip() for line in text.draw(position, **asked).splitlines()) + "\n"


def test_xiangqi_as_text() -> None:
    assert board_of("xiangqi", "h2e2 h9g7", targets=["e6"]) == """
9  車──馬──象──士──將──士──象─(┬)──車
   │   │   │   │ ╲ │ ╱ │   │   │   │
8  ├───┼───┼───┼───┼───┼───┼───┼───┤
   │   │   │   │ ╱ │ ╲ │   │   │   │
7  ├───砲──┼───┼───┼───┼──[馬]─砲──┤
   │   │   │   │   │   │   │   │   │
6  卒──┼───卒──┼──(卒)─┼───卒──┼───卒
   │   │   │   │   │   │   │   │   │
5  ├───┴───┴───┴───┴───┴───┴───┴───┤
   │    楚  河          漢  界     │
4  ├───┬───┬───┬───┬───┬───┬───┬───┤
   │   │   │   │   │   │   │   │   │
3  兵──┼───兵──┼───兵──┼───兵──┼───兵
   │   │   │   │   │   │   │   │   │
2  ├───炮──┼───┼───炮──┼───┼───┼───┤
   │   │   │   │ ╲ │ ╱ │   │   │   │
1  ├───┼───┼───┼───┼───┼───┼───┼───┤
   │   │   │   │ ╱ │ ╲ │   │   │   │
0  俥──傌──相──仕──帥──仕──相──傌──俥
   a   b   c   d   e   f   g   h   i
"""


def test_xiangqi_in_ascii_from_the_other_side() -> None:
    assert board_of("xiangqi", "h2e2 h9g7", ascii_only=True, seat=1) == r"""
i   h   g   f   e   d   c   b   a
R---N---B---A---K---A---B---N---R   0
|   |   |   | \ | / |   |   |   |
+---+---+---+---+---+---+---+---+   1
|   |   |   | / | \ |   |   |   |
+---+---+---+---C---+---+---C---+   2
|   |   |   |   |   |   |   |   |
P---+---P---+---P---+---P---+---P   3
|   |   |   |   |   |   |   |   |
+---+---+---+---+---+---+---+---+   4
|                               |
+---+---+---+---+---+---+---+---+   5
|   |   |   |   |   |   |   |   |
p---+---p---+---p---+---p---+---p   6
|   |   |   |   |   |   |   |   |
+---c--[n]--+---+---+---+---c---+   7
|   |   |   | \ | / |   |   |   |
+---+---+---+---+---+---+---+---+   8
|   |   |   | / | \ |   |   |   |
r--(+)--b---a---k---a---b---n---r   9
"""


def test_jieqi_as_text() -> None:
    """Covered pieces are X and x; the last move is the player's, not the turning-up that chance added."""
    assert board_of("jieqi", "b2e2R h7e7c") == """
9  ｘ──ｘ──ｘ──ｘ──將──ｘ──ｘ──ｘ──ｘ
   │   │   │   │ ╲ │ ╱ │   │   │   │
8  ├───┼───┼───┼───┼───┼───┼───┼───┤
   │   │   │   │ ╱ │ ╲ │   │   │   │
7  ├───ｘ──┼───┼──[砲]─┼───┼──(┼)──┤
   │   │   │   │   │   │   │   │   │
6  ｘ──┼───ｘ──┼───ｘ──┼───ｘ──┼───ｘ
   │   │   │   │   │   │   │   │   │
5  ├───┴───┴───┴───┴───┴───┴───┴───┤
   │    楚  河          漢  界     │
4  ├───┬───┬───┬───┬───┬───┬───┬───┤
   │   │   │   │   │   │   │   │   │
3  Ｘ──┼───Ｘ──┼───Ｘ──┼───Ｘ──┼───Ｘ
   │   │   │   │   │   │   │   │   │
2  ├───┼───┼───┼───俥──┼───┼───Ｘ──┤
   │   │   │   │ ╲ │ ╱ │   │   │   │
1  ├───┼───┼───┼───┼───┼───┼───┼───┤
   │   │   │   │ ╱ │ ╲ │   │   │   │
0  Ｘ──Ｘ──Ｘ──Ｘ──帥──Ｘ──Ｘ──Ｘ──Ｘ
   a   b   c   d   e   f   g   h   i
"""


def test_othello_as_text() -> None:
    assert board_of("othello", "f5 d6 c3 d3 c4 f4") == """
   a  b  c  d  e  f  g  h
1  ·  ·  ·  ·  ·  ·  ·  ·
2  ·  ·  ·  ·  ·  ·  ·  ·
3  ·  ·  ●  ○  ·  ·  ·  ·
4  ·  ·  ●  ●  ● [○] ·  ·
5  ·  ·  ·  ○  ○  ●  ·  ·
6  ·  ·  ·  ○  ·  ·  ·  ·
7  ·  ·  ·  ·  ·  ·  ·  ·
8  ·  ·  ·  ·  ·  ·  ·  ·
"""


def test_liuzhou_as_text() -> None:
    assert board_of("liuzhou", "a1 f6 b1 f5 a2 e5 b2 !f6") == """
   a   b   c   d   e   f
1  ●───●───┬───┬───┬───┐
   │   │   │   │   │   │
2  ●───●───┼───┼───┼───┤
   │   │   │   │   │   │
3  ├───┼───┼───┼───┼───┤
   │   │   │   │   │   │
4  ├───┼───┼───┼───┼───┤
   │   │   │   │   │   │
5  ├───┼───┼───┼───○───○
   │   │   │   │   │   │
6  └───┴───┴───┴───┴──[○×]
"""


def test_chinese_checkers_as_text() -> None:
    assert board_of("chinese_checkers", "o1-m5", options={"players": 3}) == """
            a ·
           b · ·
          c · · ·
         d · · · ·
e C C C C · · · · · E E E E
 f C C C · · · · · · E E E
  g C C · · · · · · · E E
   h C · · · · · · · · E
    i · · · · · · · · ·
   j · · · · · · · · · ·
  k · · · · · · · · · · ·
 l · · · · · · · · · · · ·
m · · · ·[A]· · · · · · · ·
         n A A A A
          o(·)A A
           p A A
            q A
"""


def test_neighbours_share_a_narrow_column() -> None:
    """On the star a step to the right leaves ( ) and [ ] only one column between them."""
    assert "n(·|A]A A" in board_of("chinese_checkers", "n1-m5 d1-e5", last_move=["n1", "n2"])


def test_tic_tac_toe_as_text() -> None:
    assert board_of("tic_tac_toe", "b2 a1 c1") == """
   a  b  c
1  O  · [X]
2  ·  X  ·
3  ·  ·  ·
"""


def test_a_position_prints_as_its_board() -> None:
    position = boyi.start("tic_tac_toe")
    assert str(position) == text.draw(position)


def test_black_is_black_and_white_is_white_whoever_begins() -> None:
    board = row(Glyph("w", 0, Words("", "")), Glyph("b", 1, Words("", "")), colours=("#ffffff", "#000000"))
    assert text.draw(still(replace(board, cells=True), Stone("p0", "w"), Stone("p1", "b"))) == "○  ●"
