"""Jieqi moves as xiangqi players write them, with a word for covered pieces.

A covered piece moves as the piece whose point it stands on, and is called so: 暗炮二平五, in WXF `XC2=5`. There is
never another one of that name on its file. Where a whole game is written, what chance told follows in brackets:
暗炮二平五(马), `XC2=5(H)`. For reading, 暗 and `X` may be left out where no open piece goes that way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from boyi.core.errors import IllegalMoveError, TextError, shorten
from boyi.core.game import Notation
from boyi.core.loose import Writing
from boyi.core.position import CHANCE, Position
from boyi.games.xiangqi import notation as xiangqi
from boyi.games.xiangqi.board import NUMERALS
from boyi.games.xiangqi.notation import Chair, ChairNotation, ChineseNotation, Step, Wanted, WxfNotation

__all__ = ["NOTATIONS", "WRITINGS"]

COVERED = "X"
ROLES = {f"{file}{rank}": kind for rank, row in {
    0: "RNBAKABNR", 2: ".C.....C.", 3: "P.P.P.P.P", 6: "P.P.P.P.P", 7: ".C.....C.", 9: "RNBAKABNR"}.items()
    for file, kind in zip("abcdefghi", row, strict=True) if kind != "."}
"""By point, as what a covered piece there moves."""

_TOLD = re.compile(r"(.*?)\s*(?:\(([^()]*)\)|=\s*([A-Za-z帅帥将將仕士相象马馬傌车車俥炮砲包兵卒]+))?")


class JieqiChair(Chair):
    """A covered piece is called X and what it moves as."""

    def kind(self, glyph: str, point: str) -> str:
        return COVERED + ROLES.get(point, "") if glyph in "Xx" else glyph.upper()


class _Telling(ChairNotation):
    """What the notations of jieqi have in common: they tell what chance added."""

    def name_of(self, letter: str) -> str:
        """A piece by its letter in position texts."""
        raise NotImplementedError

    def format_moves(self, position: Position, moves: Sequence[int]) -> str:
        text = self.format(position, moves[0])
        walk = position.copy()
        told = []
        for move in moves:
            if walk.turn == CHANCE:
                told.append(self.name_of(walk.format_move(move)))
            walk.play(move)
        return f"{text}({','.join(told)})" if told else text

    def parse_moves(self, position: Position, text: str) -> tuple[int, ...]:
        found = _TOLD.fullmatch(text.strip() if isinstance(text, str) else "")
        if position.turn == CHANCE or not found:
            raise TextError(f"{shorten(text)} is not a jieqi move as 暗炮二平五 or XC2=5")
        move = self.parse(position, found[1])
        letters = found[2] if found[2] is not None else found[3]
        if not letters:
            return (move,)
        walk = position.copy()
        walk.play(move)
        moves = [move]
        for letter in re.sub(r"[\s,，、吃x×翻]", "", letters):
            kind = xiangqi.KINDS.get(letter, WxfNotation.kinds.get(letter.upper(), ""))
            told = [one for one in walk.moves() if walk.format_move(one).upper() == kind] if walk.turn == CHANCE else []
            if not told:
                raise IllegalMoveError(f"{shorten(text)}: {shorten(letter)} cannot come here")
            walk.play(told[0])
            moves.append(told[0])
        return tuple(moves)


class JieqiWxf(_Telling, WxfNotation):
    """`XC2=5`."""

    example = "XC2=5 (a covered piece), H8+7 or R+-1"
    chair = JieqiChair

    def name_of(self, letter: str) -> str:
        return self.letters[letter.upper()]

    def _write(self, chair: Chair, step: Step) -> str:
        if step.kind[0] != COVERED:
            return super()._write(chair, step)
        return f"X{self.letters[step.kind[1:]]}{step.file}{step.action}{step.figure}"

    def _read(self, text: str) -> Iterator[Wanted]:
        covered = text[:1] in "Xx" and text != ""
        yield from _also_covered(super()._read(text[1:] if covered else text), covered)


class JieqiChinese(_Telling, ChineseNotation):
    """`暗炮二平五`."""

    example = "暗炮二平五, 马８进７ or 前车退一"
    chair = JieqiChair

    def name_of(self, letter: str) -> str:
        return self.kinds[letter.islower()][letter.upper()]

    def _write(self, chair: Chair, step: Step) -> str:
        if step.kind[0] != COVERED:
            return super()._write(chair, step)
        digits = NUMERALS if chair.turn == 0 else "１２３４５６７８９"
        name = self.kinds[chair.turn][step.kind[1:]]
        return f"暗{name}{digits[step.file - 1]}{self.actions[step.action]}{digits[step.figure - 1]}"

    def _read(self, text: str) -> Iterator[Wanted]:
        covered = text.startswith("暗")
        yield from _also_covered(super()._read(text[1:] if covered else text), covered)


def _also_covered(readings: Iterator[Wanted], covered: bool) -> Iterator[Wanted]:
    found = list(readings)
    if not covered:
        yield from found
    for wanted in found:
        if wanted.file is not None and wanted.place is None and wanted.number is None:
            yield replace(wanted, kind=COVERED + wanted.kind)


NOTATIONS: dict[str, Notation] = {
    "wxf": JieqiWxf(),
    "chinese": JieqiChinese(xiangqi.SIMPLIFIED.kinds, xiangqi.SIMPLIFIED.rear, xiangqi.SIMPLIFIED.actions["+"]),
    "traditional": JieqiChinese(xiangqi.TRADITIONAL.kinds, xiangqi.TRADITIONAL.rear, xiangqi.TRADITIONAL.actions["+"]),
    "iccs": xiangqi.NOTATIONS["iccs"],
    "uci": xiangqi.NOTATIONS["uci"],
}


# ---------------------------------------------------------------------- as people paste it

_REVEAL = r"(?:\s?\([^()\n]{1,6}\)|=[A-Za-z帅帥将將仕士相象马馬傌车車俥炮砲包兵卒]{1,2}(?![0-9]))?"
_MOVE = re.compile(
    r"(?<![A-Za-z0-9])(?:[a-i][0-9]-?[a-i][0-9](?:[RACPNBHE]{1,2}(?![A-Za-z0-9])|" + _REVEAL + ")"
    rf"|X?{xiangqi.WXF_MOVE}{_REVEAL})|暗?{xiangqi.CHINESE_MOVE}{_REVEAL}", re.IGNORECASE)


def _play(position: Position, text: str) -> None:
    plain = re.sub(r"^([a-i][0-9])-?([a-i][0-9])\s?[(=]?([A-Za-z]*)\)?$", r"\1\2\3", text, flags=re.IGNORECASE)
    for move in position.game.read_move(position, plain):
        position.play(move)


WRITINGS = (Writing(_MOVE, _play),)
