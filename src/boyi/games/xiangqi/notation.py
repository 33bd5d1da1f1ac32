"""The ways in which xiangqi moves are written, besides our own `h2e2`.

    uci      h3e3        as our own with ranks 1 … 10 (Fairy-Stockfish)
    iccs     H2-E2       as our own in capitals
    wxf      C2=5        piece, file, direction, and file or distance (World Xiangqi Federation)
    chinese  炮二平五     the same in Chinese; `traditional` with the old characters

WXF and Chinese see the board from the mover's chair: their files are 1 … 9 from
their right. `=` (`.`, 平) is sideways, `+` (进) forwards, `-` (退) backwards; the
last figure is a distance along the file, else the file that is reached.

Where a file holds several pieces of the kind, the file's place is taken by the
piece's rank among them:

- two rooks, horses or cannons: `C+=5` 前炮平五 is the front one, `C-=5` 后炮平五 the rear one;
- advisors and elephants by custom go by the file alone, since only one of them can go that way;
- two pawns: `P+=5` 前兵平五, `P-=5` 后兵平五;
- three pawns or more, or two files with several: WXF numbers the pawns of the file from the front
  and writes number and file, `15=6`, `25=6`; Chinese says 前 中 后 of three, 一 … 五 of four and
  five, and with two such files numbers all their pawns 一 … 五, from the right and from the front.

For reading, all spellings that are about are welcome, as long as just one legal move fits:
the file alone, the federation's older signs for pawns (`++=4 P+=4 P5=4 P-=4 --=4`, and with two such
files `5+=4 5-=4`), 中五平四 for the middle pawn of file five, letters of either language and case, old and
new characters of either side, and digits of any width.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple

from boyi.core.errors import IllegalMoveError, TextError, shorten
from boyi.core.game import Notation, NotationGuide
from boyi.core.loose import Writing
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.words import Words
from boyi.games.xiangqi.board import FILE_NAMES, NUMERALS, RANKS

__all__ = ["GUIDE", "NOTATIONS", "WRITINGS"]

Place = Literal["front", "middle", "rear", "foremost", "rearmost"]


# ---------------------------------------------------------------------- from point to point

@dataclass(frozen=True)
class PointsNotation:
    """The two points of a move, in some spelling."""

    form: str
    """How the points (file and rank each) are joined."""

    first_rank: int
    capitals: bool
    pattern: re.Pattern[str]
    example: str

    def format(self, position: Position, move: int) -> str:
        if position.turn == CHANCE:                       # in jieqi
            return position.format_move(move)
        origin, target = position.path(move)
        text = self.form.format(*(f"{point[0]}{int(point[1:]) + self.first_rank}" for point in (origin, target)))
        return text.upper() if self.capitals else text

    def parse(self, position: Position, text: str) -> int:
        found = self.pattern.fullmatch(_plain(text).lower())
        if not found or position.turn == CHANCE:
            raise TextError(f"{shorten(text)} is not a move written as {self.example}")
        points = (found.groups()[:2], found.groups()[2:])
        wanted = tuple(f"{file}{int(rank) - self.first_rank}" for file, rank in points)
        for move in position.moves():
            if position.path(move) == wanted:
                return move
        raise _refusal(self, position, text)


# ---------------------------------------------------------------------- from the mover's chair

class Step(NamedTuple):
    """A move as its player sees it."""

    move: int
    kind: str
    """The FEN letter, in capitals."""

    file: int
    """1 … 9 from the mover's right."""

    number: int
    """1 for the foremost of its kind on the file, 2 for the next, ..."""

    of: int
    """How many of its kind stand on the file."""

    action: str
    """= sideways, + forwards, - backwards."""

    figure: int
    """Where the file changes, the new one, else the distance."""


SEEN = tuple(
    {f"{name}{rank}": (9 - file, rank) if seat == 0 else (file + 1, 9 - rank)
     for file, name in enumerate(FILE_NAMES) for rank in range(RANKS)} for seat in (0, 1))
"""By seat and point: (file, depth) as the player in that seat sees it."""


class Chair:
    """The board as the player to move sees it."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.columns: dict[tuple[str, int], list[int]] = {}
        """By kind and file, the depths of the mover's pieces, the foremost first."""

        self.kinds: dict[str, str] = {}
        """By point."""

        self.turn = position.turn
        self.seen = SEEN[self.turn]
        for stone in position.stones():
            if stone.glyph.isupper() == (self.turn == 0):
                file, depth = self.seen[stone.point]
                kind = self.kind(stone.glyph, stone.point)
                self.kinds[stone.point] = kind
                self.columns.setdefault((kind, file), []).append(depth)
        for depths in self.columns.values():
            depths.sort(reverse=True)

    def kind(self, glyph: str, point: str) -> str:
        """What a piece of the mover is called."""
        return glyph.upper()

    def step(self, move: int) -> Step:
        """A legal move."""
        origin, target = self.position.path(move)
        file, depth = self.seen[origin]
        new_file, new_depth = self.seen[target]
        kind = self.kinds[origin]
        depths = self.columns[kind, file]
        action = "=" if depth == new_depth else "+" if new_depth > depth else "-"
        return Step(move, kind, file, depths.index(depth) + 1, len(depths), action,
                    new_file if new_file != file else abs(new_depth - depth))

    def steps(self, kind: str) -> list[Step]:
        """All legal moves of one kind of piece."""
        return [self.step(move) for move in self.position.moves() if self.kinds[self.position.path(move)[0]] == kind]

    @cached_property
    def crowded(self) -> list[tuple[int, int]]:
        """The files with several of the mover's pawns, from their right, and how many each has."""
        return sorted((file, len(depths)) for (kind, file), depths in self.columns.items()
                      if kind == "P" and len(depths) > 1)

    def ordinal(self, step: Step) -> int:
        """The number of a pawn among all pawns of the crowded files."""
        return sum(pawns for file, pawns in self.crowded if file < step.file) + step.number

    def goes_by_file(self, step: Step) -> bool:
        """Is the file enough? For advisors and elephants it is when nothing else on it can go that way."""
        if step.of == 1:
            return True
        return step.kind in ("A", "B") and not any(
            other.move != step.move and (other.file, other.action, other.figure)
            == (step.file, step.action, step.figure) for other in self.steps(step.kind))


@dataclass(frozen=True)
class Wanted:
    """What a text in WXF or Chinese says; None where it does not say."""

    kind: str
    action: str
    figure: int
    file: int | None = None
    place: Place | None = None
    number: int | None = None
    """Counted from the front on the file, or (`all_files`) over all files with several pawns."""

    all_files: bool = False


class ChairNotation:
    """What WXF and Chinese have in common."""

    example = ""
    chair: type[Chair] = Chair

    def format(self, position: Position, move: int) -> str:
        if not position.is_legal(move):
            raise _refusal(self, position, move)
        if position.turn == CHANCE:                       # in jieqi
            return position.format_move(move)
        chair = self.chair(position)
        return self._write(chair, chair.step(move))

    def parse(self, position: Position, text: str) -> int:
        readings = list(self._read(_plain(text)))
        if not readings or position.turn == CHANCE:
            raise TextError(f"{shorten(text)} is not a move written as {self.example}")
        if position.turn == OVER:
            raise _refusal(self, position, text)
        chair = self.chair(position)
        for wanted in readings:
            fitting = [step for step in chair.steps(wanted.kind) if self._fits(chair, step, wanted)]
            if len(fitting) > 1 and wanted.file is not None and wanted.place is None:
                # "The middle pawn is neither front nor rear" and is written as usual, says the federation.
                fitting = [step for step in fitting if 2 * step.number == step.of + 1] or fitting
            if len(fitting) == 1:
                return fitting[0].move
            if fitting:
                shown = ", ".join(self._write(chair, step) for step in fitting)
                raise IllegalMoveError(Words(f"{shorten(text)} could be any of {shown}; write the one that is meant",
                                             f"可以是 {shown} 中的任何一着，请写明是哪一个子"))
        raise _refusal(self, position, text)

    def _fits(self, chair: Chair, step: Step, wanted: Wanted) -> bool:
        if (step.action, step.figure) != (wanted.action, wanted.figure):
            return False
        if wanted.file is not None and step.file != wanted.file:
            return False
        if wanted.place is not None:
            return self._at_place(step, wanted.place)
        if wanted.number is None:
            return True
        return step.of > 1 and wanted.number == (chair.ordinal(step) if wanted.all_files else step.number)

    def _at_place(self, step: Step, place: Place) -> bool:
        """Is that place on the file the piece's own?"""
        raise NotImplementedError

    def _write(self, chair: Chair, step: Step) -> str:
        raise NotImplementedError

    def _read(self, text: str) -> Iterator[Wanted]:
        """What the text can mean, the likeliest meaning first."""
        raise NotImplementedError


def _plain(text: object) -> str:
    """What was typed without blank space around it; what is no text is no move either."""
    return text.strip() if isinstance(text, str) else ""


def _refusal(notation: Notation, position: Position, text: object) -> IllegalMoveError:
    moves = position.moves()
    outcome = position.outcome()
    if outcome is not None:
        return IllegalMoveError(f"{shorten(text)} cannot be played: the game is over ({outcome.words})")
    examples = ", ".join(notation.format(position, move) for move in moves[:8])
    more = f" and {len(moves) - 8} more" if len(moves) > 8 else ""
    return IllegalMoveError(f"{shorten(text)} is not a legal move here; legal are {examples}{more}")


# ---------------------------------------------------------------------- WXF

class WxfNotation(ChairNotation):
    """`C2=5`."""

    example = "C2=5, H8+7, R+-1 (the front rook) or 15=4 (the foremost pawn of file 5)"
    letters: ClassVar = {"K": "K", "A": "A", "B": "E", "N": "H", "R": "R", "C": "C", "P": "P"}
    kinds: ClassVar = {"K": "K", "A": "A", "E": "B", "B": "B", "H": "N", "N": "N", "R": "R", "C": "C", "P": "P"}

    def _write(self, chair: Chair, step: Step) -> str:
        letter = self.letters[step.kind]
        if chair.goes_by_file(step):
            who = f"{letter}{step.file}"
        elif step.kind == "P" and (step.of > 2 or len(chair.crowded) > 1):
            who = f"{step.number}{step.file}"
        else:
            who = f"{letter}{'+' if step.number == 1 else '-'}"
        return f"{who}{step.action}{step.figure}"

    def _read(self, text: str) -> Iterator[Wanted]:
        found = re.fullmatch(r"([A-Z+\-1-9])([A-Z+\-1-9])([=.+\-])([1-9])", text.upper().translate(WIDE))
        if not found:
            return
        first, second, action, figure = found.groups()
        how = ("=" if action == "." else action, int(figure))
        if second in self.kinds and first in "+-":                    # +C=5, as some write it
            first, second = second, first
        if first in self.kinds and second.isdigit():
            yield Wanted(self.kinds[first], *how, file=int(second))
        elif first in self.kinds and second in "+-":
            yield Wanted(self.kinds[first], *how, place="front" if second == "+" else "rear")
        elif first == second and first in "+-":
            yield Wanted("P", *how, place="foremost" if first == "+" else "rearmost")
        elif first.isdigit() and second in "+-":
            yield Wanted("P", *how, file=int(first), place="front" if second == "+" else "rear")
        elif first.isdigit() and second.isdigit():
            yield Wanted("P", *how, file=int(second), number=int(first))
            if first == second:
                yield Wanted("P", *how, file=int(first), place="middle")

    def _at_place(self, step: Step, place: Place) -> bool:
        """Of four or five pawns, `P+` and `P-` are the second from either end; the ends are `++` and `--`."""
        inner = 1 if step.of > 3 else 0
        where = {"front": 1 + inner, "rear": step.of - inner, "middle": (step.of + 1) / 2,
                 "foremost": 1 if step.of > 3 else 0, "rearmost": step.of if step.of > 3 else 0}
        return step.of > 1 and step.number == where[place]


# ---------------------------------------------------------------------- Chinese

WIDE = {0xFF10 + digit: str(digit) for digit in range(10)} | {
    ord("＝"): "=", ord("．"): ".", ord("＋"): "+", ord("－"): "-", ord("—"): "-", ord("–"): "-", ord("−"): "-"}
KINDS = {character: kind for kind, characters in {
    "K": "帅帥将將", "A": "仕士", "B": "相象", "N": "马馬傌", "R": "车車俥", "C": "炮砲包", "P": "兵卒"}.items()
    for character in characters}
PLACES: dict[str, Place] = {"前": "front", "中": "middle", "后": "rear", "後": "rear"}
ACTIONS = {"平": "=", "进": "+", "進": "+", "退": "-"}


class ChineseNotation(ChairNotation):
    """`炮二平五`."""

    example = "炮二平五, 马８进７, 前车退一 or 一兵平四"

    def __init__(self, kinds: tuple[dict[str, str], dict[str, str]], rear: str, forwards: str) -> None:
        self.kinds = kinds
        """By seat: how each piece is called."""

        self.rear = rear
        self.actions = {"=": "平", "+": forwards, "-": "退"}

    def _write(self, chair: Chair, step: Step) -> str:
        seat = chair.turn
        digits = NUMERALS if seat == 0 else "１２３４５６７８９"
        name = self.kinds[seat][step.kind]
        if chair.goes_by_file(step):
            who = name + digits[step.file - 1]
        elif step.kind == "P" and len(chair.crowded) > 1:
            who = NUMERALS[chair.ordinal(step) - 1] + name
        elif step.of > 3:
            who = NUMERALS[step.number - 1] + name
        else:
            who = ("前" if step.number == 1 else self.rear if step.number == step.of else "中") + name
        return f"{who}{self.actions[step.action]}{digits[step.figure - 1]}"

    def _read(self, text: str) -> Iterator[Wanted]:
        characters = text.translate(WIDE).translate({ord(n): str(i) for i, n in enumerate(NUMERALS, 1)})
        if len(characters) != 4:
            return
        first, second, action, figure = tuple(characters)
        if action not in ACTIONS or figure not in "123456789":
            return
        how = (ACTIONS[action], int(figure))
        if first in KINDS and second in "123456789":
            yield Wanted(KINDS[first], *how, file=int(second))
        elif first in PLACES and second in KINDS:
            yield Wanted(KINDS[second], *how, place=PLACES[first])
        elif first in PLACES and second in "123456789":                # 中五平四: only pawns need this
            yield Wanted("P", *how, file=int(second), place=PLACES[first])
        elif first in "12345" and second in KINDS and KINDS[second] == "P":
            yield Wanted("P", *how, number=int(first), all_files=True)

    def _at_place(self, step: Step, place: Place) -> bool:
        where = {"front": 1, "middle": (step.of + 1) / 2, "rear": step.of}
        return step.of > 1 and step.number == where[place]


SIMPLIFIED = ChineseNotation(
    ({"K": "帅", "A": "仕", "B": "相", "N": "马", "R": "车", "C": "炮", "P": "兵"},
     {"K": "将", "A": "士", "B": "象", "N": "马", "R": "车", "C": "炮", "P": "卒"}), rear="后", forwards="进")
TRADITIONAL = ChineseNotation(
    ({"K": "帥", "A": "仕", "B": "相", "N": "傌", "R": "俥", "C": "炮", "P": "兵"},
     {"K": "將", "A": "士", "B": "象", "N": "馬", "R": "車", "C": "砲", "P": "卒"}), rear="後", forwards="進")

NOTATIONS: dict[str, Notation] = {
    "wxf": WxfNotation(),
    "chinese": SIMPLIFIED,
    "traditional": TRADITIONAL,
    "iccs": PointsNotation("{}-{}", 0, True, re.compile("([a-i])([0-9])-?([a-i])([0-9])"), "H2-E2"),
    "uci": PointsNotation("{}{}", 1, False, re.compile("([a-i])(10|[1-9])([a-i])(10|[1-9])"), "h3e3"),
}

GUIDE = NotationGuide(
    family="xiangqi", usual=Words("", "chinese"), example="h2e2",
    titles={"": Words("Algebraic", "坐标"), "wxf": Words("WXF", "WXF"), "chinese": Words("Chinese", "中文"),
            "traditional": Words("Chinese, traditional", "中文繁体"), "iccs": Words("ICCS", "ICCS"),
            "uci": Words("Algebraic, ranks from 1", "坐标（从 1 计）")})
"""How readers choose; jieqi shares it."""


# ---------------------------------------------------------------------- as people paste it

_PIECE = "[" + "".join(KINDS) + "]"
_FIGURE = "[1-9一二三四五六七八九]"
CHINESE_MOVE = f"(?:{_PIECE}{_FIGURE}|[前中后後]{_PIECE}|[前中后後]{_FIGURE}|[一二三四五1-5][兵卒])[平进進退]{_FIGURE}"
WXF_MOVE = r"(?:[KABEHNRCP][1-9+\-]|[+\-][KABEHNRCP]|[1-9+\-][1-9+\-])[=.+\-][1-9](?![0-9])"
"""What moves look like in running text, after full-width characters have become plain ones."""

ANY_MOVE = re.compile(rf"(?<![A-Za-z0-9])(?:[a-i][0-9]-?[a-i][0-9](?![0-9])|{WXF_MOVE})|{CHINESE_MOVE}", re.IGNORECASE)
FROM_ONE = re.compile(r"(?<![A-Za-z0-9])[a-i](?:10|[1-9])-?[a-i](?:10|[1-9])(?![0-9])", re.IGNORECASE)
JOINED = re.compile(r"[a-i][0-9][a-i][0-9]", re.IGNORECASE)


def play_any(position: Position, text: str) -> None:
    """A move in Chinese, WXF or between two points, with ranks from 0."""
    game = position.game
    name = "iccs" if text[0].lower() in FILE_NAMES and text[1:2].isdigit() and text[-2].lower() in FILE_NAMES else (
        "wxf" if text.isascii() else "chinese")
    position.play(game.notations[name].parse(position, text))


def play_from_one(position: Position, text: str) -> None:
    """A move between two points, with ranks from 1."""
    position.play(position.game.notations["uci"].parse(position, text.replace("-", "")))


WRITINGS = (Writing(ANY_MOVE, play_any), Writing(FROM_ONE, play_from_one), Writing(JOINED, play_any))
"""How people write xiangqi moves; programs of the chess family count ranks from 1."""
