"""How Othello players keep games: GGF, plain transcripts and the WTHOR base.

**GGF**, the Generic Game Format of the GGS server: `(;GM[Othello]PB[Ada]PW[Grace]TY[8]RE[+2.000]
BO[8 ---…--- *]B[f5/0.5/12.1]W[d6]…;)`. A move is a point or `PA`, an evaluation for the player
who moved and the seconds they took; `RE` is Black's discs minus White's and how it came about
(`:r` resigned, `:t` time, `:s` agreed).

**Transcripts**: one game a line, the points one after the other, `f5d6c3…`; passes are not written.

**WTHOR** (`.wtb`), the tournament base of the French federation, little-endian: a header of 16 bytes
(how many games at 4, the year at 10, the board's size at 12, at how many empty points the best
score was computed at 14) and 68 bytes a game: tournament, black and white player (two bytes each),
Black's discs in the end, Black's discs with best play, and 60 moves 10·row + column, 0 for none.
Passes are not stored.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping, Sequence
from typing import cast

from boyi.core.errors import BoyiError, RecordError, shorten
from boyi.core.formats import RecordFormat, decode
from boyi.core.game import Game
from boyi.core.loose import Writing
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.core.record_grammar import Entry, plain_entry
from boyi.core.words import Words
from boyi.games.othello.position import OthelloPosition

__all__ = ["FORMATS", "WRITINGS"]

PASS = 64
PASS_WORDS = ("pa", "pass", "ps", "--")
BLACK, WHITE = 0, 1


def _play(position: Position, word: str, number: int) -> int:
    """Play a written move, and before it the pass that the format may leave out; how many were played."""
    passes = word.lower() in PASS_WORDS
    if passes and not position.moves():
        return 0                                  # some programs write the passes after the end
    forced = not passes and position.moves() == [PASS]
    try:
        if forced:
            position.play(PASS)
        position.play(position.parse_move(word))
    except BoyiError as error:
        if not passes and forced:
            position.undo()
        raise RecordError(f"move {number}: {error}", move_number=number, move_text=word, position=position) from error
    return 2 if forced else 1


def _margin(position: Position) -> int:
    return cast(OthelloPosition, position).margin()


# ---------------------------------------------------------------------- GGF

_PROPERTY = re.compile(r"\s*([A-Za-z]{1,4})\s*\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
_END = re.compile(r"\s*;\s*\)")
_BETWEEN = re.compile(r"[\s0-9]*(?=\(;|\Z)")      # GGS writes before synchronous games how many there are
_RESULT = re.compile(r"([+-]?[0-9]{1,3}(?:\.[0-9]{0,6})?)(?::([a-z]?))?")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,9}\.?[0-9]{0,9}|\.[0-9]{1,9})")
_CLOCK = re.compile(r"(?:(?:([0-9]{1,5}):)?([0-9]{1,5}):)?([0-9]{1,9}(?:\.[0-9]{0,9})?)")
_FLAGS = {"r": "resignation", "t": "time", "s": "agreement"}
_TAGS = {"RB": "BlackRating", "RW": "WhiteRating", "TI": "TimeControl", "TB": "BlackTimeControl",
         "TW": "WhiteTimeControl", "KM": "Komi"}


def _scan_ggf(text: str, at: int) -> tuple[list[tuple[str, str]], int]:
    """The properties of the game that begins at `at`, and where it ends."""
    properties = []
    at += 2
    while found := _PROPERTY.match(text, at):
        properties.append((found[1].upper(), re.sub(r"\\(.)", r"\1", found[2], flags=re.DOTALL)))
        at = found.end()
    end = _END.match(text, at)
    if not end:
        raise RecordError(Words(
            f"after {shorten(text[max(0, at - 20):at])} there is neither a property NAME[value] nor ;), "
            "the end of the game", f"{shorten(text[max(0, at - 20):at])} 之后应是属性 NAME[value] 或表示结束的 ;)"))
    return properties, end.end()


def _split_ggf(data: bytes) -> list[bytes]:
    text = decode(data, "utf-8-sig", "latin-1")
    pieces = []
    at = 0
    while True:
        between = _BETWEEN.match(text, at)
        if not between:
            what = shorten(text[at:at + 20].strip())
            raise RecordError(Words(f"{what} is not GGF: a game begins with (; and ends with ;)",
                                    f"{what} 不是 GGF：一局以 (; 开始，以 ;) 结束"))
        if between.end() == len(text):
            break
        at = _scan_ggf(text, between.end())[1]
        pieces.append(text[between.end():at].encode())
    if not pieces:
        raise RecordError("the file holds no game: one begins with (; and ends with ;)")
    return pieces


def _read_ggf(game: Game, piece: bytes) -> Record:
    properties, _ = _scan_ggf(decode(piece, "utf-8"), 0)
    facts: dict[str, str] = {}
    for name, value in properties:
        if name not in ("B", "W"):
            facts.setdefault(name, value.strip())
    if facts.get("GM", "Othello").lower() not in ("othello", "reversi"):
        raise RecordError(Words(f"this is a game of {shorten(facts['GM'])} and not of Othello",
                                f"这是 {shorten(facts['GM'])} 的棋谱，不是黑白棋"))
    kind = facts.get("TY", "8")
    size = re.search("[0-9]{1,3}", kind)
    if size and int(size[0]) != 8:
        raise RecordError(Words(f"the board is {size[0]} by {size[0]}; Boyi plays Othello on 8 by 8",
                                f"棋盘为 {size[0]}×{size[0]}；这里的黑白棋是 8×8"))
    if "a" in kind.lower():
        raise RecordError(f"TY[{shorten(kind)}] is anti-Othello, where fewer discs win")
    position = _read_board(game, facts["BO"]) if "BO" in facts else game.start()
    notes: list[Mapping[str, object]] = []
    for name, value in properties:
        if name not in ("B", "W"):
            continue
        word, *marks = (part.strip() for part in value.split("/"))
        number = len(notes) + 1
        side = "BW".index(name)
        if position.turn == 1 - side and position.moves() == [PASS] and word.lower() not in PASS_WORDS:
            position.play(PASS)
            notes.append({})
        elif position.turn == 1 - side:
            raise RecordError(Words(
                f"move {number}: {name}[{shorten(value)}] but {('Black', 'White')[1 - side]} is to move",
                f"第 {number} 步：写的是 {name}[{shorten(value)}]，但轮到{'黑白'[1 - side]}方走"),
                move_number=number, move_text=word, position=position)
        played = _play(position, word, number)
        notes += [{}] * (played - 1) + [_read_marks(marks, number)] * (played > 0)
    result, reason = _read_result(facts.get("RE", ""), "k" in kind.lower())
    outcome = position.outcome()
    if outcome is not None and result is not None and not reason and result != outcome.places:
        raise RecordError(Words(f"RE[{facts['RE']}] but {outcome.words}", f"RE[{facts['RE']}]，但{outcome.words.zh}"))
    tags = {ours: facts[theirs] for theirs, ours in _TAGS.items() if facts.get(theirs)}
    return Record.from_position(
        position, players=(facts.get("PB", ""), facts.get("PW", "")), event=facts.get("PC", ""), notes=notes,
        date=_read_date(facts.get("DT", "")), result=result, reason=reason, tags=tags)


def _read_board(game: Game, value: str) -> Position:
    """`8`, the 64 points and the side to move, with any blank space."""
    words = value.split()
    cells = "".join(words[1:])
    if not words or words[0] != "8" or len(cells) != 65:
        raise RecordError(f"BO[{shorten(value)}] is not a board: 8, then 64 points - * O, then the side to move * or O")
    try:
        return game.parse(f"{cells[:64]} {cells[64]}")
    except BoyiError as error:
        raise RecordError(f"BO: {error}") from error


def _read_marks(marks: Sequence[str], number: int) -> dict[str, object]:
    """The evaluation and the seconds of a move, each of which may be missing."""
    noted: dict[str, object] = {}
    if len(marks) > 2:
        raise RecordError(f"move {number}: a move has an evaluation and a time and nothing else", move_number=number)
    if marks and marks[0]:
        if not _NUMBER.fullmatch(marks[0]):
            raise RecordError(f"move {number}: {shorten(marks[0])} is not an evaluation", move_number=number)
        noted["evaluation"] = float(marks[0])
    if len(marks) == 2 and marks[1]:
        found = _CLOCK.fullmatch(marks[1])
        if not found:
            raise RecordError(f"move {number}: {shorten(marks[1])} is not a time in seconds", move_number=number)
        hours, minutes, seconds = found.groups()
        noted["took"] = int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(seconds)
    return noted


def _read_result(value: str, komi: bool) -> tuple[tuple[int, ...] | None, str]:
    """The places and the reason off the board; with komi, the discs alone do not tell who won."""
    if value.strip("?* ") == "":
        return None, ""
    found = _RESULT.fullmatch(value)
    if not found:
        raise RecordError(Words(f"RE[{shorten(value)}] is not a result as +2.000 or -64.00:r",
                                f"RE[{shorten(value)}] 不是结果，应如 +2.000 或 -64.00:r"))
    if komi:
        return None, _FLAGS.get(found[2] or "", "")
    margin = float(found[1])
    return ((1, 2) if margin > 0 else (2, 1) if margin < 0 else (1, 1)), _FLAGS.get(found[2] or "", "")


def _read_date(value: str) -> str:
    found = re.match(r"([0-9]{4})[.-]([0-9]{2})[.-]([0-9]{2})", value)
    return "-".join(found.groups()) if found else value


def _write_ggf(records: Sequence[Record], notation: str) -> bytes:
    return "".join(_write_one_ggf(record) + "\n" for record in records).encode()


def _write_one_ggf(record: Record) -> str:
    final = record.replay()
    margin = float(_margin(final))
    result = "?"
    flag = next((letter for letter, reason in _FLAGS.items() if reason == record.reason), "")
    if final.outcome() is not None:
        result = f"{margin:+.3f}"
    elif record.result is not None:
        result = "+64.000" if record.result == (1, 2) else "-64.000" if record.result == (2, 1) else "+0.000"
    cells, side = record.begin().to_text().replace("X", "*").split()
    rows = " ".join(cells[i:i + 8] for i in range(0, 64, 8))
    names = (*record.players, "", "")
    facts = {"GM": "Othello", "PC": record.event, "DT": record.date.replace("-", "."), "PB": names[BLACK],
             "PW": names[WHITE]}
    facts |= {theirs: record.tags.get(ours, "") for theirs, ours in _TAGS.items()}
    facts |= {"TY": "8", "RE": result + (f":{flag}" if flag else ""), "BO": f"8 {rows} {side}"}
    text = "(;" + "".join(f"{name}[{_escape_ggf(value)}]" for name, value in facts.items() if value)
    position = record.begin()
    for entry in record.entries:
        text += f"{'BW'[position.turn]}[{_write_move(entry)}]"
        position.play(position.parse_move(entry.text))
    return text + ";)"


def _write_move(entry: Entry) -> str:
    point = "PA" if entry.text == "pass" else entry.text
    evaluation = "" if entry.evaluation is None else f"{entry.evaluation:.9f}".rstrip("0").rstrip(".")
    took = "" if entry.took is None else f"{entry.took:.3f}".rstrip("0").rstrip(".")
    return f"{point}/{evaluation}/{took}".rstrip("/")


def _escape_ggf(value: str) -> str:
    return re.sub(r"([\]\\])", r"\\\1", value)


# ---------------------------------------------------------------------- transcripts

_WORD = re.compile(r"\s*([A-Ha-h][1-8]|--|[Pp][Aa](?:[Ss][Ss])?|[Pp][Ss])")


def _split_transcripts(data: bytes) -> list[bytes]:
    pieces = [line.strip().encode() for line in decode(data, "utf-8-sig").splitlines() if line.strip()]
    if not pieces:
        raise RecordError("the file is empty; a transcript is a line of points as f5d6c3")
    return pieces


def _read_transcript(game: Game, piece: bytes) -> Record:
    text = decode(piece, "utf-8")
    position = game.start()
    at = number = 0
    while at < len(text):
        found = _WORD.match(text, at)
        number += 1
        if not found:
            raise RecordError(f"move {number}: {shorten(text[at:at + 10])} does not begin with a point from a1 to h8",
                              move_number=number, move_text=text[at:at + 10].strip(), position=position)
        _play(position, found[1], number)
        at = found.end()
    return Record.from_position(position)


def _write_transcripts(records: Sequence[Record], notation: str) -> bytes:
    lines = []
    for record in records:
        if record.start is not None:
            raise RecordError("a transcript cannot tell that the game began elsewhere than at the start; write GGF")
        record.replay()
        lines.append("".join(entry.text for entry in record.entries if entry.text != "pass") + "\n")
    return "".join(lines).encode()


# ---------------------------------------------------------------------- WTHOR

_HEADER = struct.Struct("<4BIHHBBBx")
_GAME = struct.Struct("<HHHBB60s")
_POINTS = {10 * row + column: (8 * (row - 1) + column - 1, f"{' abcdefgh'[column]}{row}")
           for row in range(1, 9) for column in range(1, 9)}


def _split_wthor(data: bytes) -> list[bytes]:
    if len(data) < _HEADER.size:
        raise RecordError(f"a WTHOR file begins with a header of {_HEADER.size} bytes and this one has {len(data)}")
    *_, games, others, _, size, kind, _ = _HEADER.unpack_from(data)
    if size not in (0, 8):                         # 0 is how the oldest files say 8
        raise RecordError(f"the board is {size} by {size}; Boyi plays Othello on 8 by 8")
    if kind or others:
        raise RecordError("this is a WTHOR file of something else than games: players, tournaments or solitaires")
    if len(data) != _HEADER.size + games * _GAME.size:
        raise RecordError(f"the header promises {games} games, which is {_HEADER.size + games * _GAME.size} bytes, "
                          f"and the file has {len(data)}")
    header = data[:_HEADER.size]
    return [header + data[at:at + _GAME.size] for at in range(_HEADER.size, len(data), _GAME.size)]


def _read_wthor(game: Game, piece: bytes) -> Record:
    if len(piece) != _HEADER.size + _GAME.size:
        raise RecordError(f"a WTHOR game has {_GAME.size} bytes and this one has {len(piece) - _HEADER.size}")
    *_, year, _, _, empties = _HEADER.unpack_from(piece)
    tournament, black, white, discs, best, moves = _GAME.unpack_from(piece, _HEADER.size)
    if discs > 64:
        raise RecordError(f"Black cannot have {discs} discs")
    position = game.start()
    texts = []
    for number, byte in enumerate(moves.rstrip(b"\0"), 1):
        if byte not in _POINTS:
            raise RecordError(f"move {number}: the byte {byte} is not a point: 10 · row + column, each from 1 to 8",
                              move_number=number)
        point, name = _POINTS[byte]
        if position.is_legal(point):
            position.play(point)
        elif _play(position, name, number) == 2:
            texts.append("pass")
        texts.append(name)
    outcome = position.outcome()
    if outcome is not None and 2 * discs - 64 != _margin(position):
        raise RecordError(f"the base gives Black {discs} discs but {outcome.words}")
    return Record(
        game=game, options=position.options, rules_version=game.rules_version,
        entries=tuple(map(plain_entry, texts)), players=(f"WTHOR player {black}", f"WTHOR player {white}"),
        date=str(year) if year else "", event=f"WTHOR tournament {tournament}",
        result=outcome.places if outcome else (1, 2) if discs > 32 else (2, 1) if discs < 32 else (1, 1),
        reason=outcome.reason if outcome else "", final=position.to_text(),
        tags={"BlackDiscs": str(discs), "BestBlackDiscs": str(best), "BestFromEmpties": str(empties)})


FORMATS = {
    "ggf": RecordFormat(
        title=Words("GGF, the Generic Game Format of GGS", "GGF（GGS 通用棋谱格式）"), suffixes=(".ggf",),
        recognises=lambda data: re.match(rb"(?:\xef\xbb\xbf)?[\s0-9]*\(;", data) is not None,
        split=_split_ggf, read_one=_read_ggf, write=_write_ggf),
    "transcript": RecordFormat(
        title=Words("transcripts, f5d6c3…", "着法串 f5d6c3…"), suffixes=(".txt",),
        recognises=lambda data: re.match(rb"(?:\xef\xbb\xbf)?\s*(?:[A-Ha-h][1-8]\s*){4}", data) is not None,
        split=_split_transcripts, read_one=_read_transcript, write=_write_transcripts, certain=False),
    "wthor": RecordFormat(
        title=Words("WTHOR base", "WTHOR 棋谱库"), suffixes=(".wtb",),
        recognises=lambda data: False,             # nothing in its header tells it from other bytes
        split=_split_wthor, read_one=_read_wthor),
}


# ---------------------------------------------------------------------- as people paste it

def _play_pasted(position: Position, text: str) -> None:
    _play(position, text, position.ply + 1)


WRITINGS = (Writing(re.compile(r"(?<![A-Za-z])[a-h][1-8]|(?<=[1-8])[a-h][1-8]|--|\b(?:pass|pa|ps)\b", re.IGNORECASE),
                    _play_pasted),)
"""Points one after the other, with or without blanks, numbers and passes."""
