"""Moves as plain text, numbered, in the notation that the reader likes: for messages, forums and blogs.

    1. 炮二平五 马８进７
    2. 马二进三 车９平８

Jieqi writes its games so, too. What it reads is for `core.loose` to understand.
"""

from __future__ import annotations

from collections.abc import Sequence

from boyi.core.errors import BoyiError, RecordError
from boyi.core.formats import RecordFormat, decode
from boyi.core.game import Game, TellingNotation
from boyi.core.loose import read_loose
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.core.result import format_result
from boyi.core.words import Words

__all__ = ["plain_text"]


def plain_text(notations: Sequence[str]) -> RecordFormat:
    """The format of a game that has these notations; `own` is the position's own writing."""
    return RecordFormat(
        title=Words("plain text, 1. C2=5 H8+7", "文字棋谱"), suffixes=(".txt",), recognises=lambda data: False,
        split=lambda data: [data], read_one=_read, write=_write, notations=tuple(notations), certain=False)


def _read(game: Game, piece: bytes) -> Record:
    reading = read_loose(decode(piece, "utf-8-sig", "gb18030"), [game])
    if reading.problem is not None:
        raise RecordError(reading.problem, move_number=reading.number, move_text=reading.text)
    return reading.records[0]


def _write(records: Sequence[Record], notation: str) -> bytes:
    return "\n".join(_write_one(record, notation) for record in records).encode()


def _write_one(record: Record, notation: str) -> str:
    game, position = record.game, record.begin()
    lines = [] if record.start is None else [record.start]
    words: list[str] = []
    for entry in record.entries:
        try:
            moves = position.parse_moves(entry.text)
        except BoyiError as error:
            raise RecordError(str(error)) from error
        if not words or position.turn == 0:
            words.append(f"{len(words) + 1}." if position.turn == 0 else f"{len(words) + 1}. …")
        words[-1] += " " + _text(game, notation, position, moves, entry.text)
        for move in moves:
            position.play(move)
    lines += words
    if record.result is not None:
        lines.append(format_result(record.result))
    return "\n".join(lines) + "\n"


def _text(game: Game, name: str, position: Position, moves: Sequence[int], own: str) -> str:
    if name == "own":
        return own
    notation = game.notation(name)
    if isinstance(notation, TellingNotation):
        return notation.format_moves(position, moves)
    return notation.format(position, moves[0])
