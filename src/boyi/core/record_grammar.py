"""The grammar of records: headers, moves with what was noted beside them, comments, escapes.

It knows how a record is written, not what it means: `core.record` gives the headers their meaning, and only
a replay understands the moves. `docs/records.md` tells the whole grammar. `write` and `read` are inverses.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from boyi.core.errors import RecordError, shorten

__all__ = ["FORMAT_VERSION", "HEADER_NAME", "Entry", "check_text", "format_time", "plain_entry", "read",
           "read_course", "split_records", "write"]

FORMAT_VERSION = 1
"""Grows when a reader of today could misunderstand what is written."""

MOVES_PER_LINE = 10
COLUMNS = 100
HEADER_NAME = r"[A-Za-z][A-Za-z0-9_.\-]*"
_FIRST_HEADER = re.compile(r'^\[Boyi[ \t]+"', re.MULTILINE)
_HEADER = re.compile(rf'\[({HEADER_NAME})[ \t]+"((?:[^"\\\n]|\\.)*)"[ \t]*\][ \t]*(?:\r?\n|\Z)')
_TOKEN = re.compile(r'(?P<space>\s+)|(?P<number>[0-9]{1,9})\.(?!\S)|\{(?P<comment>(?:[^{}\\]|\\.)*)\}'
                    r'|"(?P<quoted>(?:[^"\\\n]|\\.)+)"|(?P<plain>[^\s{}\[\]"\\]+)', re.DOTALL)
_WORD = re.compile(r'[^\s{}"]+|"(?:[^"\\\n]|\\.)+"|\{(?:[^{}\\]|\\.)*\}', re.DOTALL)
_PLAIN = re.compile(r'[^\s{}\[\]"\\]+')
_NUMBER = re.compile(r"[0-9]{1,9}\.")
_MARKS = re.compile(r"\s*(?:clk\s+(?P<clock>[0-9:.]{1,20})\s*)?(?:took\s+(?P<took>[0-9:.]{1,20})\s*)?"
                    r"(?:eval\s+(?P<evaluation>[+-]?[0-9][0-9.e+-]{0,30})\s*)?(?:;(?P<comment>.*))?", re.DOTALL)
_TIME = re.compile(r"([0-9]{1,7}):([0-5][0-9]):([0-5][0-9](?:\.[0-9]{1,3})?)")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.?))", re.DOTALL)
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


@dataclass(frozen=True, slots=True)
class Entry:
    """One written move, and what was noted beside it."""

    text: str
    """The decision in the game's own writing, with what chance added to it."""

    clock: float | None = None
    """Seconds left to the player who moved, to the thousandth."""

    took: float | None = None
    """Seconds the move took, to the thousandth."""

    evaluation: float | None = None
    """For the player who moved, in the game's own unit (pawns, discs, ...)."""

    comment: str = ""
    """Whatever people have to say; blank space around it is not kept."""

    def __post_init__(self) -> None:
        if not check_text("a move", self.text):
            raise RecordError("a move has a text, and this one is empty")
        for name in ("clock", "took"):
            object.__setattr__(self, name, _seconds(name, getattr(self, name)))
        if self.evaluation is not None:
            object.__setattr__(self, "evaluation", _finite("an evaluation", self.evaluation))
        object.__setattr__(self, "comment", check_text("a comment", self.comment).strip())


@lru_cache(maxsize=4096)
def plain_entry(text: str) -> Entry:
    """An entry with nothing noted, shared: a base of a million moves holds few different ones."""
    return Entry(text)


def split_records(text: str) -> list[str]:
    """A text of records, cut into one text per record."""
    if not isinstance(text, str):
        raise RecordError(f"{shorten(text)} is not a text")
    text = text.removeprefix("\ufeff")
    begins = [found.start() for found in _FIRST_HEADER.finditer(text)]
    if not begins or text[:begins[0]].strip():
        raise RecordError(f"{shorten(text.strip(), 30)} is not a Boyi record: one begins with "
                          f'[Boyi "{FORMAT_VERSION}"]')
    return [text[begin:end] for begin, end in zip(begins, [*begins[1:], len(text)], strict=True)]


# ---------------------------------------------------------------------- reading

def read(text: str) -> tuple[dict[str, str], str, list[Entry]]:
    """The headers by name, the comment before the first move, and the moves."""
    headers: dict[str, str] = {}
    at = 0
    while at < len(text):
        found = _HEADER.match(text, at)
        if found:
            name, value = found.groups()
            if name in headers:
                raise RecordError(f"line {_line(text, at)}: the header {shorten(name)} is given twice")
            headers[name] = _unescape(value, text, at)
            at = found.end()
        elif text[at] in " \t\r\n":
            at += 1
        elif text[at] == "[":
            raise RecordError(f"line {_line(text, at)}: {shorten(text[at:].partition(chr(10))[0])} is not a header: "
                              '[Name "value"], with \\" for a quote and \\\\ for a backslash inside')
        else:
            break
    return headers, *_read_moves(text, at)


def _read_moves(text: str, at: int) -> tuple[str, list[Entry]]:
    """The comment before the first move, and the moves."""
    texts: list[str] = []
    notes: list[list[str]] = [[]]
    while at < len(text):
        found = _TOKEN.match(text, at)
        if not found:
            raise RecordError(f"line {_line(text, at)}: {shorten(text[at:at + 20])} is neither a move nor a comment "
                              '{in braces}; a move with odd characters goes into "quotes"')
        kind = found.lastgroup
        if kind == "number" and int(found["number"]) != len(texts) + 1:
            raise RecordError(f"line {_line(text, at)}: this is move {len(texts) + 1} and not {found['number']}; "
                              "was a move lost?", move_number=len(texts) + 1)
        if kind == "comment":
            notes[-1].append(_unescape(found["comment"], text, at))
        elif kind in ("plain", "quoted"):
            texts.append(_unescape(found[kind], text, at) if kind == "quoted" else found[kind])
            notes.append([])
        at = found.end()
    # A `;` keeps a comment from being read as marks; the first comment has none but is written the same way.
    comment = "\n".join(note.strip().removeprefix(";").strip() for note in notes[0])
    return comment, [_read_entry(word, noted, number)
                     for number, (word, noted) in enumerate(zip(texts, notes[1:], strict=True), 1)]


def _read_entry(text: str, notes: Sequence[str], number: int) -> Entry:
    if not notes:
        return plain_entry(text)
    marks: dict[str, float] = {}
    comments = []
    for note in notes:
        found = _MARKS.fullmatch(note)
        if not found:
            comments.append(note.strip())
            continue
        for name, value in found.groupdict().items():
            if value is None:
                continue
            if name == "comment":
                comments.append(value.strip())
            elif name in marks:
                raise RecordError(f"move {number} has two marks of one kind ({name})", move_number=number)
            else:
                marks[name] = _read_mark(name, value, number)
    return Entry(text, comment="\n".join(filter(None, comments)), **marks)


def _read_mark(name: str, value: str, number: int) -> float:
    if name != "evaluation":
        found = _TIME.fullmatch(value)
        if not found:
            raise RecordError(f"move {number}: {shorten(value)} is not a time as 0:03:12.5", move_number=number)
        hours, minutes, seconds = found.groups()
        return int(hours) * 3600 + int(minutes) * 60 + float(seconds)
    try:
        return _finite("an evaluation", float(value))
    except ValueError as error:
        raise RecordError(f"move {number}: {shorten(value)} is not an evaluation as +0.31",
                          move_number=number) from error


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _unescape(piece: str, text: str, at: int) -> str:
    """What an escaped piece, found in `text` at `at`, stands for."""
    if "\\" not in piece:
        return piece

    def character(found: re.Match[str]) -> str:
        short, long, plain = found.groups()
        code = int(short or long or "-1", 16)
        if 0 <= code <= 0x10FFFF:
            return chr(code)
        if plain == "n":
            return "\n"
        if plain and plain in '"\\{}':
            return plain
        raise RecordError(f"line {_line(text, at)}: {shorten(found[0])} is no escape; "
                          r"there are \\ \" \{ \} \n \u202e \U0001f600")

    return _ESCAPE.sub(character, piece)


def read_course(text: str) -> tuple[str, ...]:
    """The moves alone, as they are written, of a record that `write` wrote; not read in full, for that takes long.

    >>> read_course('[Boyi "1"]\\n\\n{hm} 1. f5 {took 0:00:01} "d 6"\\n3. c3\\n')
    ('f5', '"d 6"', 'c3')
    """
    body = text.rpartition("]\n\n")[2]
    return tuple([word for word in _WORD.findall(body)
                  if word[0] != "{" and (word[-1] != "." or not word[:-1].isdigit())])


# ---------------------------------------------------------------------- writing

def write(headers: Mapping[str, str], comment: str, entries: Iterable[Entry]) -> str:
    """A record as text."""
    lines = [f'[{name} "{_escape(value, QUOTED)}"]' for name, value in headers.items()] + [""]
    if comment:
        lines.append(_comment(comment))
    line = ""
    for number, entry in enumerate(entries, 1):
        word = _write_entry(entry)
        if line and (number % MOVES_PER_LINE == 1 or len(line) + len(word) > COLUMNS):
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else f"{number}. {word}"
    if line:
        lines.append(line)
    return "\n".join(lines).rstrip("\n") + "\n"


QUOTED = '"'
BRACED = "{}"


def _escape(text: str, marks: str) -> str:
    """Backslashes before `marks`; what cannot be seen (control characters, direction marks) as its number."""
    if text.isprintable() and not any(mark in text for mark in marks + "\\"):
        return text

    def escaped(c: str) -> str:
        if c in marks or c == "\\":
            return f"\\{c}"
        if c == "\n":
            return "\\n"
        if unicodedata.category(c) not in _UNSEEN:
            return c
        return f"\\u{ord(c):04x}" if ord(c) < 0x10000 else f"\\U{ord(c):08x}"

    return "".join(map(escaped, text))


def _write_entry(entry: Entry) -> str:
    plain = _PLAIN.fullmatch(entry.text) and not _NUMBER.fullmatch(entry.text) and entry.text.isprintable()
    word = entry.text if plain else f'"{_escape(entry.text, QUOTED)}"'
    marks = []
    if entry.clock is not None:
        marks.append(f"clk {format_time(entry.clock)}")
    if entry.took is not None:
        marks.append(f"took {format_time(entry.took)}")
    if entry.evaluation is not None:
        marks.append(f"eval {entry.evaluation:+}")
    if not marks:
        return f"{word} {_comment(entry.comment)}" if entry.comment else word
    note = f"; {_escape(entry.comment, BRACED)}" if entry.comment else ""
    return f"{word} {{{' '.join(marks)}{note}}}"


def _comment(comment: str) -> str:
    """A comment in braces, with a `;` before it when it could be taken for marks."""
    guard = "; " if _MARKS.fullmatch(comment) or comment.startswith(";") else ""
    return f"{{{guard}{_escape(comment, BRACED)}}}"


def format_time(seconds: float) -> str:
    """Seconds as hours, minutes and seconds.

    >>> format_time(192.5), format_time(3600)
    ('0:03:12.5', '1:00:00')
    """
    thousandths = round(seconds * 1000)
    minutes, rest = divmod(thousandths, 60_000)
    whole, part = divmod(rest, 1000)
    return f"{minutes // 60}:{minutes % 60:02}:{whole:02}" + (f".{part:03}".rstrip("0") if part else "")


# ---------------------------------------------------------------------- checks

def check_text(what: str, value: object) -> str:
    if not isinstance(value, str):
        raise RecordError(f"{what} is a text and not {shorten(value)}")
    return value


def _finite(what: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise RecordError(f"{shorten(value)} is not {what}: a finite number")
    return float(value)


def _seconds(what: str, value: object) -> float | None:
    if value is None:
        return None
    seconds = round(_finite(f"a time ({what})", value), 3)
    if not 0 <= seconds < 3.6e9:
        raise RecordError(f"{shorten(value)} is not a time ({what}): from 0 to a million hours")
    return seconds
