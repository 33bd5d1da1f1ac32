"""DhtmlXQ, how dpxq.com 东萍象棋 and its players in forums and blogs show games: tags around digits.

    [DhtmlXQ]
    [DhtmlXQ_red]Ada[/DhtmlXQ_red]
    [DhtmlXQ_binit]8979695949392919097717866646260600102030405060708012720323436383[/DhtmlXQ_binit]
    [DhtmlXQ_movelist]77477967[/DhtmlXQ_movelist]
    [/DhtmlXQ]

A point is two digits, the file from Red's left and the rank from Black's side, both from 0. `binit` tells where the 32
pieces stand, Red's first, 99 for one that is not on the board; left out, the game begins as usual. `movelist` is the
main line, four digits a move; in web pages it stands in `[0_1_0]`. Variations and comments are not read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from boyi.core.errors import BoyiError, RecordError, shorten
from boyi.core.formats import decode
from boyi.core.game import Game
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.core.words import Words
from boyi.games.xiangqi.board import FILE_NAMES

__all__ = ["looks_like_dhtmlxq", "read_dhtmlxq", "split_dhtmlxq", "write_dhtmlxq"]

PIECES = "RNBAKABNRCCPPPPPrnbakabnrccppppp"
_TAG = re.compile(r"\[DhtmlXQ_(\w{1,40})\]([^\[\]]*)\[/DhtmlXQ_", re.IGNORECASE)
_MAIN_LINE = re.compile(r"\[0_1_0\]([^\[\]]*)\[/0_1_0\]")
RESULTS = {"红胜": (1, 2), "黑胜": (2, 1), "和棋": (1, 1), "和局": (1, 1)}


def looks_like_dhtmlxq(data: bytes) -> bool:
    return re.search(rb"\[DhtmlXQ_(?:movelist|binit)\]|DhtmlXQ_movelist\s*=", data, re.IGNORECASE) is not None


def split_dhtmlxq(data: bytes) -> list[bytes]:
    """Each game from its [DhtmlXQ] on; a lone one may come without."""
    text = decode(data, "utf-8-sig", "gb18030")
    begins = [found.start() for found in re.finditer(r"\[DhtmlXQ\]", text, re.IGNORECASE)] or [0]
    pieces = [text[begin:end] for begin, end in zip(begins, [*begins[1:], len(text)], strict=True)]
    return [piece.encode() for piece in pieces if looks_like_dhtmlxq(piece.encode())]


def read_dhtmlxq(game: Game, piece: bytes) -> Record:
    text = decode(piece, "utf-8")
    tags = {name.lower(): value.strip() for name, value in _TAG.findall(text)}
    main_line = _MAIN_LINE.search(text)
    digits = re.sub(r"\s", "", main_line[1] if main_line else tags.get("movelist", ""))
    moves = [digits[at:at + 4] for at in range(0, len(digits), 4)]
    if not moves and not tags.get("binit"):
        raise RecordError(Words("there is neither a movelist nor a binit in it",
                                "其中既没有着法（movelist）也没有局面（binit）"))
    position = _begin(game, tags.get("binit", ""), moves)
    for number, move in enumerate(moves, 1):
        if not re.fullmatch("(?:[0-8][0-9]){2}", move):
            raise RecordError(Words(f"{shorten(move)} is not a move: four digits, file and rank of two points",
                                    f"{shorten(move)} 不是着法：应为四位数字，即两个点的列和行"),
                              move_number=number, move_text=move, position=position)
        try:
            position.play(position.parse_move(_point(move[:2]) + _point(move[2:])))
        except BoyiError as error:
            raise RecordError(f"move {number}: {error}", move_number=number, move_text=move,
                              position=position) from error
    outcome = position.outcome()
    stated = RESULTS.get(tags.get("result", "").replace("紅", "红").replace("勝", "胜"))
    return Record.from_position(
        position, players=(tags.get("redname") or tags.get("red", ""), tags.get("blackname") or tags.get("black", "")),
        event=tags.get("event", ""), date=tags.get("date", ""), result=None if outcome else stated,
        tags={name.capitalize(): tags[name] for name in ("title", "place", "round") if tags.get(name)})


def _point(digits: str) -> str:
    return f"{FILE_NAMES[int(digits[0])]}{9 - int(digits[1])}"


def _begin(game: Game, places: str, moves: Sequence[str]) -> Position:
    if not places:
        return game.start()
    if not re.fullmatch("[0-9]{64}", places):
        raise RecordError(Words(f"binit {shorten(places)} is not two digits for each of the 32 pieces",
                                f"binit {shorten(places)} 应为 64 位数字，每个棋子两位"))
    cells: dict[str, str] = {}
    for number, letter in enumerate(PIECES):
        place = places[2 * number:2 * number + 2]
        if place[0] == "9":
            continue                                      # not on the board
        if place in cells:
            raise RecordError(Words(f"two pieces stand on {_point(place)}: {cells[place]} and {letter}",
                                    f"{_point(place)} 上有两个棋子：{cells[place]} 和 {letter}"))
        cells[place] = letter
    rows = ["".join(cells.get(f"{file}{rank}", "1") for file in range(9)) for rank in range(10)]
    black = bool(moves) and cells.get(moves[0][:2], "").islower()
    try:
        return game.parse(f"{'/'.join(rows)} {'b' if black else 'w'} - - 0 1")
    except BoyiError as error:
        said = error.said
        raise RecordError(f"the game cannot begin: {error}" if said is None else
                          Words(f"the game cannot begin: {said.en}", f"开局局面有误：{said.zh}")) from error


# ---------------------------------------------------------------------- writing

def write_dhtmlxq(records: Sequence[Record], notation: str) -> bytes:
    return "\n".join(map(_write_one, records)).encode()


def _write_one(record: Record) -> str:
    record.replay()
    names = (*record.players, "", "")
    stated = next((word for word, places in RESULTS.items() if places == record.result), "")
    moves = "".join(f"{FILE_NAMES.index(point[0])}{9 - int(point[1])}"
                    for entry in record.entries for point in (entry.text[:2], entry.text[2:]))
    facts = {"title": record.tags.get("Title", ""), "event": record.event, "date": record.date, "red": names[0],
             "black": names[1], "result": stated, "binit": _places(record), "movelist": moves}
    lines = [f"[DhtmlXQ_{name}]{value.replace('[', '(').replace(']', ')')}[/DhtmlXQ_{name}]"
             for name, value in facts.items() if value]
    return "\n".join(["[DhtmlXQ]", *lines, "[/DhtmlXQ]", ""])


def _places(record: Record) -> str:
    standing: dict[str, list[str]] = {}
    for stone in record.begin().stones():
        standing.setdefault(stone.glyph, []).append(f"{FILE_NAMES.index(stone.point[0])}{9 - int(stone.point[1])}")
    return "".join(standing.get(letter, []).pop() if standing.get(letter) else "99" for letter in PIECES)
