"""Xiangqi games as PGN, as Chinese servers and programs exchange them.

    [Game "Chinese Chess"]
    [Red "Ada"]
    [Format "WXF"]

    1. C2=5 H8+7 {a comment} 2. H2+3 (2. R1+1 R9=8) R9=8 1/2-1/2

Moves are in ICCS, WXF or Chinese, and may be mixed. Variations are skipped.
Times and evaluations are kept in comments as chess programs do, `[%clk 0:03:12]
[%emt 0:00:05] [%eval 0.31]`, where an evaluation is always for Red.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from boyi.core.errors import BoyiError, IllegalMoveError, RecordError, shorten
from boyi.core.formats import decode
from boyi.core.game import Game
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.core.record_grammar import Entry, format_time
from boyi.core.result import format_result, parse_result
from boyi.core.words import Words

__all__ = ["looks_like_pgn", "read_pgn", "split_pgn", "write_pgn"]

COLUMNS = 80
NOTATIONS = ("iccs", "wxf", "chinese")
FORMAT_TAGS = {"iccs": "ICCS", "wxf": "WXF", "chinese": "Chinese", "traditional": "Chinese"}
GAME_NAMES = ("chinese chess", "chinesechess", "xiangqi", "象棋", "中国象棋", "中國象棋")
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
OWN_TAGS = ("Game", "Event", "Date", "Red", "Black", "White", "Result", "FEN", "SetUp", "Format", "Termination",
            "BoyiOptions")

_TOKEN = re.compile(r"""(?P<space>\s+)
    | \[\s*(?P<tag>[^\s"\[\]]+)\s+"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]
    | \{(?P<comment>[^}]*)\}
    | (?P<line>[;%][^\n]*)
    | (?P<open>\() | (?P<close>\))
    | (?P<word>[^\s{}()\[\];]+)""", re.VERBOSE)
_NUMBERED = re.compile(r"[0-9]{1,4}(?:\.+|…|．)")
_PAWN = re.compile(r"[1-5][1-9][=.+\-][1-9]")
_MARK = re.compile(r"\[%(clk|emt|eval)\s+([^\]\s]{1,24})\s*\]")
_TIME = re.compile(r"(?:([0-9]{1,5}):)?([0-9]{1,5}):([0-9]{1,2}(?:\.[0-9]{1,6})?)")
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}(?:\.[0-9]{1,9})?")


class Token(NamedTuple):
    kind: Literal["tag", "comment", "open", "close", "move", "result"]
    text: str
    value: str
    at: int


def _tokens(text: str) -> Iterator[Token]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if not found:
            line = text.count("\n", 0, at) + 1
            what = shorten(text[at:at + 20])
            raise RecordError(Words(
                f"line {line}: {what} is neither a tag [Name \"value\"] nor a move nor a comment {{in braces}}",
                f"第 {line} 行的 {what} 既不是标签 [Name \"value\"]，也不是着法或 {{注释}}"))
        begin, at = at, found.end()
        if found["tag"] is not None:
            yield Token("tag", found["tag"], re.sub(r"\\(.)", r"\1", found["value"]), begin)
        elif found["comment"] is not None:
            yield Token("comment", found["comment"], "", begin)
        elif found["open"] or found["close"]:
            yield Token("open" if found["open"] else "close", "", "", begin)
        elif found["word"] is not None:
            word = found["word"]
            if word in RESULTS:
                yield Token("result", word, "", begin)
                continue
            if not _PAWN.fullmatch(word):                 # 15.4 is a pawn's move and not the fourth word of move 15
                word = _NUMBERED.sub("", word, count=1) if _NUMBERED.match(word) else word
            word = word.rstrip("!?")
            if word.strip(".…") and not word.startswith("$") and not word.isdigit():
                yield Token("move", word, "", begin)


def looks_like_pgn(data: bytes) -> bool:
    return re.match(rb'(?:\xef\xbb\xbf)?\s*\[\s*[A-Za-z]+\s+"', data) is not None


def split_pgn(data: bytes) -> list[bytes]:
    """A game begins with the first tag, or whatever else, after the moves or the result of the last one."""
    text = decode(data, "utf-8-sig", "gb18030")
    begins: list[int] = []
    moves_seen = ended = True
    depth = 0
    for token in _tokens(text):
        depth += (token.kind == "open") - (token.kind == "close")
        if (token.kind == "tag" and moves_seen and depth <= 0) or (ended and token.kind != "comment"):
            begins.append(token.at)
            moves_seen = ended = False
            depth = 0
        moves_seen |= token.kind in ("move", "result")
        ended |= token.kind == "result" and depth <= 0
    if not begins:
        raise RecordError(Words("the file holds no game: neither tags nor moves", "其中没有棋谱：既无标签也无着法"))
    ends = [*begins[1:], len(text)]
    begins[0] = 0                                         # with the comments before it
    return [text[begin:end].encode() for begin, end in zip(begins, ends, strict=True)]


def read_pgn(game: Game, piece: bytes) -> Record:
    tags: dict[str, str] = {}
    words: list[str] = []
    comments: list[list[str]] = [[]]
    ending: str | None = None
    depth = 0
    for token in _tokens(decode(piece, "utf-8")):
        if token.kind == "open":
            depth += 1
        elif token.kind == "close":
            depth -= 1
            if depth < 0:
                raise RecordError(Words("a variation is closed that was never opened: there is a ) too many",
                                        "变着括号不配对：多了一个 )"))
        elif depth:
            continue
        elif token.kind == "tag":
            tags.setdefault(token.text, token.value)
        elif token.kind == "comment":
            comments[-1].append(token.text.strip())
        elif token.kind == "move":
            words.append(token.text)
            comments.append([])
        else:
            ending = token.text
    if depth:
        raise RecordError(Words("a variation is not closed: a ) is missing", "变着括号不配对：缺少 )"))
    if tags.get("Game", GAME_NAMES[0]).strip().lower() not in GAME_NAMES:
        raise RecordError(Words(f"this is a game of {shorten(tags['Game'])} and not of Chinese Chess",
                                f"这是 {shorten(tags['Game'])} 的棋谱，不是象棋"))
    result = _result(tags.get("Result"), ending)
    position = _begin(game, tags)
    notes: list[Mapping[str, object]] = []
    for number, (word, noted) in enumerate(zip(words, comments[1:], strict=True), 1):
        notes.append(_read_notes(noted, position.turn, number))
        _play(game, position, word, number)
    outcome = position.outcome()
    if outcome is not None and result is not None and outcome.places != result:
        raise RecordError(Words(f"the game is given as {format_result(result)} but {outcome.words}",
                                f"棋谱写明结果为 {format_result(result)}，但{outcome.words.zh}"))
    return Record.from_position(
        position, players=(_known(tags, "Red") or _known(tags, "White"), _known(tags, "Black")),
        event=_known(tags, "Event"), date=_known(tags, "Date").replace(".??", "").replace(".", "-"), result=result,
        reason=_known(tags, "Termination"), notes=notes, comment="\n".join(comments[0]),
        tags={_tag_name(name): value for name, value in tags.items() if name not in OWN_TAGS and _known(tags, name)})


def _known(tags: Mapping[str, str], name: str) -> str:
    """A tag's value; PGN writes ? for what it does not know."""
    value = tags.get(name, "")
    return "" if set(value) <= set("?.") else value


def _tag_name(name: str) -> str:
    """A tag under a name that is free in our records."""
    name = re.sub(r"[^A-Za-z0-9_.\-]", "_", name)
    return f"Pgn.{name}" if name in ("Boyi", "Rules", "Start", "Reason", "Final") or not name[:1].isalpha() \
        or name.startswith(("Option.", "Player.", "Pgn.")) else name


def _result(tag: str | None, ending: str | None) -> tuple[int, ...] | None:
    if tag is not None and tag not in RESULTS and set(tag) - set("? "):
        raise RecordError(Words(f"{shorten(tag)} is not a result: {', '.join(RESULTS)}",
                                f"{shorten(tag)} 不是结果，应为 {'、'.join(RESULTS)} 之一"))
    stated = {text for text in (tag, ending) if text in RESULTS and text != "*"}
    if len(stated) > 1:
        raise RecordError(Words(f"the tags give the result as {tag} and the moves end with {ending}",
                                f"标签中的结果是 {tag}，着法末尾却是 {ending}"))
    return parse_result(stated.pop()) if stated else None


def _begin(game: Game, tags: Mapping[str, str]) -> Position:
    pairs = [pair.partition("=") for pair in tags.get("BoyiOptions", "").split()]
    options = {name: value for name, _, value in pairs}
    try:
        return game.parse(tags["FEN"], **options) if tags.get("FEN") else game.start(**options)
    except BoyiError as error:
        said = error.said
        raise RecordError(f"the game cannot begin: {error}" if said is None else
                          Words(f"the game cannot begin: {said.en}", f"开局局面有误：{said.zh}")) from error


def _play(game: Game, position: Position, word: str, number: int) -> None:
    refused: BoyiError | None = None
    for name in NOTATIONS:
        try:
            position.play(game.notations[name].parse(position, word))
            return
        except BoyiError as error:
            if refused is None or isinstance(error, IllegalMoveError):
                refused = error
    if not isinstance(refused, IllegalMoveError):
        raise RecordError(f"move {number}: {shorten(word)} is not a move in ICCS (H2-E2), WXF (C2=5) or Chinese "
                          "(炮二平五)", move_number=number, move_text=word, position=position)
    raise RecordError(f"move {number}: {refused}", move_number=number, move_text=word, position=position) from refused


def _read_notes(comments: Sequence[str], turn: int, number: int) -> dict[str, object]:
    noted: dict[str, object] = {}
    for comment in comments:
        for name, value in _MARK.findall(comment):
            if name == "eval":
                if _NUMBER.fullmatch(value):              # a mate in a number of moves (#3) has no number of ours
                    noted["evaluation"] = float(value) * (1 if turn == 0 else -1)
                continue
            found = _TIME.fullmatch(value)
            if not found:
                raise RecordError(Words(f"move {number}: {shorten(value)} is not a time as 0:03:12.5",
                                        f"第 {number} 步的 {shorten(value)} 不是时间，应如 0:03:12.5"),
                                  move_number=number)
            hours, minutes, seconds = found.groups()
            noted["clock" if name == "clk" else "took"] = int(hours or 0) * 3600 + int(minutes) * 60 + float(seconds)
    rest = "\n".join(filter(None, (_MARK.sub("", comment).strip() for comment in comments)))
    return noted | ({"comment": rest} if rest else {})


# ---------------------------------------------------------------------- writing

def write_pgn(records: Sequence[Record], notation: str) -> bytes:
    return "\n".join(_write_one(record, notation) for record in records).encode("utf-8", "replace")


def _write_one(record: Record, notation: str) -> str:
    record.replay()
    names = (*record.players, "", "")
    date = record.date.replace("-", ".")
    tags = {"Game": "Chinese Chess", "Event": record.event or "?", "Site": record.tags.get("Site", "?"),
            "Date": date + "????.??.??"[len(date):] if re.fullmatch("[0-9.]*", date) else date,
            "Round": record.tags.get("Round", "?"), "Red": names[0] or "?", "Black": names[1] or "?",
            "Result": format_result(record.result)}
    tags |= {name.removeprefix("Pgn."): value for name, value in record.tags.items() if name not in ("Site", "Round")}
    if record.reason:
        tags["Termination"] = record.reason
    changed = [f"{option.name}={record.options[option.name]}" for option in record.game.options
               if record.options[option.name] != option.default]
    if changed:
        tags["BoyiOptions"] = " ".join(changed)
    if record.start is not None:
        tags |= {"SetUp": "1", "FEN": record.start}
    tags["Format"] = FORMAT_TAGS[notation]
    lines = [f'[{name} "{_escape(value)}"]' for name, value in tags.items()]
    return "\n".join([*lines, "", *_wrap(_movetext(record, notation))]) + "\n"


def _movetext(record: Record, notation: str) -> Iterator[str]:
    """The words of the moves, each with its comment; a number before Red's move and after an interruption."""
    position = record.begin()
    number = int(position.to_text().split()[-1])
    if record.comment:
        yield _braces(record.comment)
    interrupted = True
    for entry in record.entries:
        turn = position.turn
        (move,) = position.parse_moves(entry.text)
        if turn == 0 or interrupted:
            yield f"{number}." if turn == 0 else f"{number}..."
        yield record.game.notations[notation].format(position, move)
        position.play(move)
        comment = _write_notes(entry, turn)
        if comment:
            yield _braces(comment)
        interrupted = bool(comment)
        number += turn
    yield format_result(record.result)


def _write_notes(entry: Entry, turn: int) -> str:
    parts = []
    if entry.clock is not None:
        parts.append(f"[%clk {format_time(entry.clock)}]")
    if entry.took is not None:
        parts.append(f"[%emt {format_time(entry.took)}]")
    if entry.evaluation is not None:
        parts.append(f"[%eval {entry.evaluation * (1 if turn == 0 else -1):.9g}]")
    return " ".join([*parts, entry.comment]).strip()


def _braces(comment: str) -> str:
    """PGN cannot say } inside a comment."""
    return "{" + comment.replace("}", ")") + "}"


def _escape(value: str) -> str:
    return re.sub(r'(["\\])', r"\\\1", " ".join(value.splitlines()))


def _wrap(words: Iterator[str]) -> list[str]:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > COLUMNS:
            lines.append(word)
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return lines
