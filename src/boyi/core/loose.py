"""What people paste: moves with or without numbers, in any notation, a position, or the text of an engine's protocol.

No header tells the game, so it is guessed: every game tries to read the moves, and the one that gets farthest is it.
What cannot be read is said in both languages, with the first move that failed and the game up to there.

>>> from boyi.games import listed_games
>>> reading = read_loose("1. 炮二平五 马８进７ 2. 马二进三", listed_games())
>>> [entry.text for entry in reading.records[0].entries]
['h2e2', 'h9g7', 'h0g2']
>>> reading = read_loose("炮二平五 马8进9 马二进三 车9平6", listed_games())
>>> reading.problem.en
'Move 4 (Black), “车9平6”, cannot be played in this position.'
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from boyi.core.errors import BoyiError, BrokenRulesError, IllegalMoveError, RecordError, TextError
from boyi.core.formats import OWN, all_formats, find_source
from boyi.core.game import Game
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.record import Record
from boyi.core.words import Words

__all__ = ["Reading", "Writing", "read_file", "read_loose"]

MOST_MOVES = 4000
MOST_GAMES = 50
"""Of one file."""

LONGEST_TEXT = 200_000
LONGEST_COMMENT = 4000
LONGEST_POSITION = 2000
"""Characters; what is longer is no position text."""


@dataclass(frozen=True)
class Writing:
    """A way in which people write the moves of a game."""

    move: re.Pattern[str]
    """One move, wherever it begins in a text (after `unicodedata.normalize("NFKC", …)`)."""

    play: Callable[[Position, str], None]
    """Play a move that is written so, and before it what people leave out (passes)."""


@dataclass(frozen=True)
class Reading:
    """What was read."""

    records: tuple[Record, ...] = ()
    problem: Words | None = None
    """What could not be read."""

    number: int | None = None
    """The first move that failed, counted from 1."""

    text: str = ""
    """How it is written."""

    until: Record | None = None
    """The game up to there."""


UNKNOWN = Words(
    "This is neither a game nor a position that can be read. Moves such as 炮二平五, C2=5, h2e2 or f5d6c3, PGN, FEN, "
    "DhtmlXQ and XQF files can.",
    "看不出这是棋谱还是局面。可以识别：炮二平五、C2=5、h2e2、f5d6c3 等着法，"
    "PGN、FEN、东萍 DhtmlXQ 与 XQF 文件。")
EMPTY = Words("There is nothing to read.", "没有可以识别的内容。")
NO_POSITION = Words("This looks like a position (FEN), but it cannot be read", "这像是一个局面（FEN），但无法识别")
BINARY = Words("This file is in no format that can be read.", "无法识别这种文件格式。")
TOO_BIG = Words(f"This text is too long: at most {LONGEST_TEXT} characters are read.",
                f"文字太长，最多识别 {LONGEST_TEXT} 字。")
TOO_LONG = Words(f"A game has at most {MOST_MOVES} moves here.", f"一局棋最多 {MOST_MOVES} 步。")


# ---------------------------------------------------------------------- files and text

def read_file(data: bytes, file_name: str, games: Sequence[Game], preferred: str = "") -> Reading:
    """The games of a file, or of a text that was pasted; `preferred` names the game that is likelier than others."""
    if not data.strip(b"\xef\xbb\xbf \t\r\n\0"):
        return Reading(problem=EMPTY)
    suffix = file_name[file_name.rfind("."):].lower() if "." in file_name else ""
    for name, (_, one) in all_formats(games).items():
        if one is None:
            certain = data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[Boyi")
        else:
            certain = one.certain and (one.recognises(data) or suffix in one.suffixes)
        if certain:
            return _read_format(data, file_name, games, OWN if one is None else name)
    text = _decode(data)
    if text is None:
        return Reading(problem=BINARY)
    reading = read_loose(text, games, preferred)
    if reading.problem is not None:
        try:    # one game a line, perhaps
            source = find_source(data, file_name, games)
            return _too_many(len(source)) if len(source) > MOST_GAMES else Reading(tuple(source.read()))
        except BoyiError:
            pass
    return reading


def _too_many(games: int) -> Reading:
    return Reading(problem=Words(f"The file holds {games} games; at most {MOST_GAMES} are read.",
                                 f"文件中有 {games} 局棋，最多识别 {MOST_GAMES} 局。"))


def _decode(data: bytes) -> str | None:
    """A text in any encoding that people use; None for what is no text."""
    encodings = ("utf-16",) if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "gb18030")
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return None if re.search(r"[\0-\x08\x0e-\x1f]", text) else text
    return None


def _read_format(data: bytes, file_name: str, games: Sequence[Game], name: str) -> Reading:
    """A file whose format is known: the games that are right, and what is wrong with the first that is not."""
    records: list[Record] = []
    wrong: RecordError | None = None
    try:
        source = find_source(data, file_name, games, name)
        if len(source) > MOST_GAMES:
            return _too_many(len(source))
        for found in source.records():
            if isinstance(found, Record):
                records.append(found)
            else:
                wrong = wrong or found
    except RecordError as error:
        wrong = error
    except BoyiError as error:
        wrong = RecordError(error.said or str(error))
    if wrong is None:
        return Reading(tuple(records))
    if wrong.position is not None and wrong.move_number is not None:
        return _stopped(wrong.position, wrong.move_number, wrong.move_text, wrong, tuple(records))
    said = wrong.said or Words(_sentence(str(wrong)), UNREADABLE_FORMAT.format(name=name.upper()))
    if wrong.move_number is not None and wrong.said is None:
        said = Words(said.en, f"第 {wrong.move_number} 步无法识别。")
    return Reading(tuple(records), said, wrong.move_number, wrong.move_text)


UNREADABLE_FORMAT = "这像是 {name} 格式的棋谱，但内容有误，无法识别。"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")


# ---------------------------------------------------------------------- moves without a format

_PROTOCOL = re.compile(r"""(?:position\s)? (?:(?P<start>startpos) | fen\s(?P<fen>[^\n]{1,2000}?))
    (?:\smoves\b(?P<moves>.*))?""", re.IGNORECASE | re.DOTALL | re.VERBOSE)
_ROWS = re.compile(r"[A-Za-z0-9]+(?:/[A-Za-z0-9]+){4,}")
_NOISE = re.compile(r"""\s+ | \{[^{}]{0,4000}\} | ;[^\n]* | \$[0-9]+
    | (?:第\s*)?[0-9一二三四五六七八九十]{1,4}\s*(?:\.+|、|:|\)|回合) (?![0-9=+\-]) | [0-9]{1,3}(?=\s|\Z) | \.{2,}
    | [,，。;；、!！?？"'“”‘’|·•~\u200b\ufeff]+ | [-–—/](?=\s|\Z)""", re.VERBOSE)
_NUMBERED = re.compile(r"\s*(?:第\s*)?[0-9]{1,3}\s*(?:\.|、|:|\)|回合)")
_RESULT = re.compile(r"""(?P<score>1-0 | 0-1 | 1/2-1/2 | 1⁄2-1⁄2 | 0\.5-0\.5 | \*(?!\w))
    | (?P<side>\w)?方?先?(?P<word>[胜勝负負和])(?:棋|局)?(?=\W|\Z)""", re.VERBOSE)
_WORD = re.compile(r"[^\s,，;；。、(){}]+")


def read_loose(text: str, games: Sequence[Game], preferred: str = "") -> Reading:
    """The game or the position in a text; see the module."""
    if len(text) > LONGEST_TEXT:
        return Reading(problem=TOO_BIG)
    text = unicodedata.normalize("NFKC", text)[:LONGEST_TEXT].strip().strip("`").strip()
    if not text:
        return Reading(problem=EMPTY)
    ordered = sorted(games, key=lambda game: game.name != preferred)
    begun = _begin(text, ordered)
    if isinstance(begun, Reading):
        return begun
    best: _Attempt | None = None
    for position, rest in begun:
        for writing in position.game.writings or (None,):
            attempt = _attempt(position.copy(), writing, rest)
            if attempt is not None and (best is None or attempt.worth > best.worth):
                best = attempt
        if best is not None and best.error is None and best.position.turn != CHANCE:
            break
    if best is None:
        return Reading(problem=UNKNOWN)
    if best.error is None:
        return Reading((Record.from_position(best.position, result=best.result),))
    if not best.played and not best.likely:
        return Reading(problem=UNKNOWN)
    return _stopped(best.position, best.played + 1, best.text, best.error)


def _begin(text: str, games: Sequence[Game]) -> Reading | list[tuple[Position, str]]:
    """Where the game may begin, by game, and the text of its moves; or what was read already: a position alone."""
    told = _PROTOCOL.fullmatch(re.sub(r"[ \t]+", " ", text))
    if told and told["start"]:
        return _starts(games, told["moves"] or "")
    line, _, rest = text.partition("\n")
    stated = told["fen"] if told else re.sub(r"^(?:fen|局面)\s*[:=]\s*", "", line, flags=re.IGNORECASE).strip()
    moves = (told["moves"] or "") if told else rest
    for position_text, after in ((stated, moves), *([] if told else [(" ".join(text.split()), "")])):
        readers = _readers(position_text, games)
        if readers and not after.strip():
            return Reading((Record.from_position(readers[0]),))
        if readers:
            return [(position, after) for position in readers]
    if told or _ROWS.match(stated):
        return Reading(problem=_refused_position(stated, games))
    return _starts(games, text)


def _starts(games: Sequence[Game], text: str) -> list[tuple[Position, str]]:
    return [(game.start(), text) for game in games]


def _readers(text: str, games: Sequence[Game]) -> list[Position]:
    """The position that a text is to each game that reads it; only to those whose own it is, if there are any."""
    if len(text) > LONGEST_POSITION:
        return []
    found = []
    for game in games:
        try:
            found.append(game.parse(text))
        except (BoyiError, BrokenRulesError):
            continue
    return [position for position in found if position.game.owns_text(text)] or found


def _refused_position(text: str, games: Sequence[Game]) -> Words:
    """Why a text that looks like a position is none, in the words of the first game that says it in both languages."""
    for game in games:
        try:
            game.parse(text)
        except BoyiError as error:
            if error.said is not None:
                return Words(f"{NO_POSITION.en}: {error.said.en}.", f"{NO_POSITION.zh}：{error.said.zh}。")
        except BrokenRulesError:
            continue
    return Words(f"{NO_POSITION.en}.", f"{NO_POSITION.zh}。")


@dataclass
class _Attempt:
    """One game's try at the moves of a text."""

    position: Position
    played: int = 0
    likely: bool = False
    """Does the text hold anything that looks like a move of the game?"""

    error: BoyiError | None = None
    text: str = ""
    """The move that failed."""

    result: tuple[int, ...] | None = None
    brackets: int = 0
    """How many characters were searched in vain for the end of a variation."""

    @property
    def worth(self) -> tuple[bool, int, bool, bool]:
        """Who tells what chance brings, tells it with the move: a game that waits for it is unlikely to be this one."""
        return self.error is None, self.played, self.position.turn != CHANCE, self.likely


def _attempt(position: Position, writing: Writing | None, text: str) -> _Attempt | None:
    """Play what a text says; None where nothing in it looks like a move."""
    attempt = _Attempt(position, likely=writing is not None)
    if writing is not None:
        text = _moves_only(text, writing.move)
        if not text:
            return None
    for word, is_move in _words(text, None if writing is None else writing.move, attempt):
        attempt.text = word
        if attempt.played >= MOST_MOVES:
            attempt.error = TextError(TOO_LONG)
            return attempt
        try:
            if writing is None:
                for move in position.game.read_move(position, word):
                    position.play(move)
            elif is_move:
                writing.play(position, word)
            else:
                attempt.error = TextError(f"{word} is no move")
                return attempt
        except (BoyiError, BrokenRulesError) as error:
            attempt.error = error if isinstance(error, BoyiError) else TextError(str(word))
            return attempt
        attempt.played += 1
    if not attempt.played:
        return None
    return attempt


def _moves_only(text: str, move: re.Pattern[str]) -> str:
    """The text without its title and whatever is said below the moves: lines in which nothing looks like a move."""
    lines = re.sub(r"\{[^{}]{0,4000}\}", lambda comment: " " * len(comment[0]), text).splitlines()
    held = [bool(move.search(line)) or bool(_NUMBERED.match(line)) for line in lines]
    if not any(bool(move.search(line)) for line in lines):
        return ""
    first, last = held.index(True), len(held) - held[::-1].index(True)
    tail = " ".join(found[0] for line in lines[last:] for found in [_RESULT.fullmatch(line.strip())] if found)
    return "\n".join(lines[first:last]) + "\n" + tail


def _words(text: str, move: re.Pattern[str] | None, attempt: _Attempt) -> Iterator[tuple[str, bool]]:
    """The moves of a text, and what stands where a move should be."""
    at = 0
    while at < len(text):
        found = move.match(text, at) if move else None
        if found:
            yield found[0], True
        elif text[at] == "(":
            at = _after_variation(text, at, attempt)
            continue
        else:
            found = _NOISE.match(text, at)
            if not found and (found := _RESULT.match(text, at)):
                attempt.result = _result(attempt.position, found)
            if not found:
                found = _WORD.match(text, at)
                if found:
                    yield found[0][:40], move is None
        at = found.end() if found and found.end() > at else at + 1


def _after_variation(text: str, at: int, attempt: _Attempt) -> int:
    """Behind the bracket that closes the one here; brackets that are never closed are looked for only so long."""
    depth = 0
    if attempt.brackets > LONGEST_TEXT:
        return at + 1
    for place in range(at, min(len(text), at + LONGEST_COMMENT)):
        depth += (text[place] == "(") - (text[place] == ")")
        if depth == 0:
            return place + 1
    attempt.brackets += LONGEST_COMMENT
    return at + 1


def _result(position: Position, found: re.Match[str]) -> tuple[int, ...] | None:
    """The places that a result names, of a game of two."""
    if position.players != 2:
        return None
    if found["score"]:
        return {"1-0": (1, 2), "0-1": (2, 1), "*": None}.get(found["score"], (1, 1))
    if found["word"] == "和":
        return (1, 1)
    sides = [name.zh[:1] for name in position.board.seat_names]
    side = (found["side"] or "").replace("紅", "红")
    if side not in sides:
        return None
    wins = (found["word"] in "胜勝") == (side == sides[0])
    return (1, 2) if wins else (2, 1)


def _stopped(position: Position, number: int, text: str, error: BoyiError, records: tuple[Record, ...] = ()) -> Reading:
    """What is said of the first move that failed."""
    cause: BaseException | None = error
    while isinstance(cause, RecordError) and isinstance(cause.__cause__, BoyiError):
        cause = cause.__cause__
    said = error.said or (cause.said if isinstance(cause, BoyiError) else None)
    seats = position.board.seat_names
    whose = seats[position.turn] if 0 <= position.turn < len(seats) else None
    shown = text[:40]
    en = f"Move {number}{f' ({whose.en})' if whose else ''}" + (f", “{shown}”," if shown else "")
    zh = f"第 {number} 步{f'（{whose.zh}）' if whose else ''}" + (f"“{shown}”" if shown else "")
    if said is not None:
        problem = Words(f"{en.rstrip(',')}: {said.en.removeprefix(f'move {number}: ').rstrip('.')}.",
                        f"{zh}：{said.zh.removeprefix(f'第 {number} 步：').rstrip('。')}。")
    elif position.turn == OVER:
        problem = Words(f"{en} comes after the end of the game.", f"{zh}之前棋局已经结束。")
    elif isinstance(cause, IllegalMoveError):
        problem = Words(f"{en} cannot be played in this position.", f"{zh}在此局面不能走。")
    else:
        problem = Words(f"{en} is not a move that can be read.", f"{zh}不是能识别的着法。")
    return Reading(records, problem, number, text, Record.from_position(position))
