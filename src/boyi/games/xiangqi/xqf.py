"""XQF, the binary format of XQStudio 象棋演播室: import of the main line.

A header of 1024 bytes and then a tree of moves, each node followed by its first
child and then by its siblings; so the main line is what comes first, as long as
nodes say that they have a child.

header   0 `XQ`   2 version   3 mask   8 … 11 four keys   12 sum   13 14 15 keys of pieces, origins, targets
         16 … 47 where the 32 pieces stand   50 who begins   51 result   from 80 on texts, a length byte before each
node     origin + 24, target + 32, flags, a byte of no meaning; then the length of a comment (4 bytes) and the comment

A point is 10 · file + rank, both from 0 at Red's left. Up to version 10 nothing is
hidden and every node has a comment, be it empty. From version 11 on all numbers are
shifted by keys that are computed from those in the header, every byte of the tree is
shifted by a stream of 32 bytes, and a flag tells whether there is a comment.
Texts are in GBK.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from boyi.core.errors import BoyiError, RecordError
from boyi.core.game import Game
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.core.result import format_result
from boyi.core.words import Words

__all__ = ["looks_like_xqf", "read_xqf", "split_xqf"]

HEADER_BYTES = 1024
NEWEST = 18
PLAIN = 10
"""The last version that hides nothing."""

PIECES = "RNBAKABNRCCPPPPPrnbakabnrccppppp"
STREAM = b"[(C) Copyright Mr. Dong Shiwei.]"
RESULTS = {1: (1, 2), 2: (2, 1), 3: (1, 1)}
TEXTS = {"Title": (80, 64), "Event": (208, 64), "Date": (272, 16), "Site": (288, 16), "Red": (304, 16),
         "Black": (320, 16), "TimeControl": (336, 64), "RedTime": (400, 16), "BlackTime": (416, 16),
         "Annotator": (464, 16), "Author": (480, 16)}
"""Where a text stands, and in how many bytes with the one of its length."""


@dataclass(frozen=True)
class Keys:
    """What has to be subtracted to read a file; all 0 in one that hides nothing."""

    pieces: int = 0
    origin: int = 0
    target: int = 0
    comment: int = 0
    stream: bytes = bytes(32)

    @classmethod
    def of(cls, header: bytes) -> Keys:
        if header[2] <= PLAIN:
            return cls()
        mask, extra, (total, pieces, origin, target) = header[3], header[8:12], header[12:16]
        if (total + pieces + origin + target) % 256:
            raise RecordError(Words("the keys of this XQF file do not add up; it is damaged",
                                    "XQF 文件的密钥校验不符，文件已损坏"))

        def mixed(key: int, by: int) -> int:
            return (key * key * 54 + 221) * by % 256

        of_pieces = mixed(pieces, pieces)
        of_origin = mixed(origin, of_pieces)
        four = [(key & mask) | more for key, more in zip((total, pieces, origin, target), extra, strict=True)]
        return cls(of_pieces, of_origin, mixed(target, of_origin), (total * 256 + pieces) % 32000 + 767,
                   bytes(byte & four[i % 4] for i, byte in enumerate(STREAM)))


def looks_like_xqf(data: bytes) -> bool:
    return data[:2] == b"XQ" and len(data) > 2 and data[2] <= 64


def split_xqf(data: bytes) -> list[bytes]:
    if data[:2] != b"XQ":
        raise RecordError(Words("this is no XQF file: one begins with the letters XQ",
                                "这不是 XQF 文件：开头应为字母 XQ"))
    if len(data) < HEADER_BYTES:
        raise RecordError(Words(f"an XQF file begins with a header of {HEADER_BYTES} bytes and this one has "
                                f"{len(data)}",
                                f"XQF 文件头应有 {HEADER_BYTES} 字节，此文件只有 {len(data)} 字节，已损坏"))
    if data[2] > NEWEST:
        raise RecordError(Words(f"this is version {data[2]} of XQF; Boyi reads it up to version {NEWEST}",
                                f"这是 XQF 第 {data[2]} 版，目前最高支持第 {NEWEST} 版"))
    return [data]


def read_xqf(game: Game, piece: bytes) -> Record:
    header = split_xqf(piece)[0][:HEADER_BYTES]
    keys = Keys.of(header)
    comment, moves, comments = _read_tree(piece, header[2], keys)
    position = _begin(game, header, keys, moves)
    notes: list[Mapping[str, object]] = []
    for number, ((origin, target), noted) in enumerate(zip(moves, comments, strict=True), 1):
        text = _point(origin, f"move {number}", number) + _point(target, f"move {number}", number)
        try:
            position.play(position.parse_move(text))
        except BoyiError as error:
            raise RecordError(f"move {number}: {error}", move_number=number, move_text=text,
                              position=position) from error
        notes.append({"comment": noted} if noted else {})
    result = RESULTS.get(header[51])
    outcome = position.outcome()
    if outcome is not None and result is not None and outcome.places != result:
        raise RecordError(Words(f"the file gives the game as {format_result(result)} but {outcome.words}",
                                f"文件所记结果为 {format_result(result)}，但{outcome.words.zh}"))
    texts = {name: _text(header, *where) for name, where in TEXTS.items()}
    return Record.from_position(
        position, players=(texts.pop("Red"), texts.pop("Black")), event=texts.pop("Event"), date=texts.pop("Date"),
        result=result, notes=notes, comment=comment, tags={name: text for name, text in texts.items() if text})


def _read_tree(data: bytes, version: int, keys: Keys) -> tuple[str, list[tuple[int, int]], list[str]]:
    """The comment before the first move, and the moves and comments of the main line."""
    at = HEADER_BYTES

    def take(count: int) -> bytes:
        nonlocal at
        if count > len(data) - at:
            raise RecordError(Words(f"the file ends in the middle of move {len(comments)}",
                                    f"文件在第 {len(comments)} 步处中断"), move_number=len(comments) or None)
        taken = bytes((byte - keys.stream[(at + i) % 32]) % 256 for i, byte in enumerate(data[at:at + count]))
        at += count
        return taken

    moves: list[tuple[int, int]] = []
    comments: list[str] = []
    more = True
    while more:
        origin, target, flags, _ = take(4)
        more = bool(flags & 0xF0) if version <= PLAIN else bool(flags & 0x80)
        comment = ""
        if version <= PLAIN or flags & 0x20:
            length = int.from_bytes(take(4), "little") - keys.comment
            if length < 0:
                raise RecordError(Words(f"the comment of move {len(comments)} has a length below 0; the file is "
                                        "damaged",
                                        f"第 {len(comments)} 步注释的长度有误，文件已损坏"))
            comment = take(length).decode("gb18030", "replace").replace("\r\n", "\n").strip("\0 \n")
        moves.append(((origin - 24 - keys.origin) % 256, (target - 32 - keys.target) % 256))
        comments.append(comment)
    return comments[0], moves[1:], comments[1:]           # the first node is no move but the root


def _begin(game: Game, header: bytes, keys: Keys, moves: list[tuple[int, int]]) -> Position:
    places = bytearray(header[16:48])
    if header[2] > PLAIN + 1:
        for i in range(32):
            places[(i + keys.pieces + 1) % 32] = header[16 + i]
    cells: dict[int, str] = {}
    for letter, place in zip(PIECES, places, strict=True):
        point = (place - keys.pieces) % 256
        if point >= 90:
            continue                                      # not on the board
        if point in cells:
            raise RecordError(Words(
                f"two pieces stand on {_point(point, 'the board')}: {cells[point]} and {letter}",
                f"{_point(point, 'the board')} 上有两个棋子：{cells[point]} 和 {letter}"))
        cells[point] = letter
    # The byte that says who begins is not always kept up; the first move knows better.
    mover = cells.get(moves[0][0], "") if moves else ""
    black = mover.islower() if mover else header[50] == 1
    rows = ["".join(cells.get(10 * file + rank, "1") for file in range(9)) for rank in range(9, -1, -1)]
    try:
        return game.parse(f"{'/'.join(rows)} {'b' if black else 'w'} - - 0 1")
    except BoyiError as error:
        said = error.said
        raise RecordError(f"the game cannot begin: {error}" if said is None else
                          Words(f"the game cannot begin: {said.en}", f"开局局面有误：{said.zh}")) from error


def _point(point: int, where: str, number: int | None = None) -> str:
    if point >= 90:
        raise RecordError(Words(
            f"{where}: {point} is not a point: 10 · file + rank, at most 89",
            f"{'' if number is None else f'第 {number} 步：'}{point} 不是棋盘上的点（10 × 列 + 行，至多 89）"),
            move_number=number)
    return f"{'abcdefghi'[point // 10]}{point % 10}"


def _text(header: bytes, at: int, size: int) -> str:
    length = min(header[at], size - 1)
    return header[at + 1:at + 1 + length].decode("gb18030", "replace").strip("\0 ")
