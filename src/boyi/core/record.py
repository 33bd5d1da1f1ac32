"""Records: a whole game as text that replays to the same position forever.

    [Boyi "1"]
    [Game "othello"]
    [Rules "1"]
    [Player.1 "Ada"]
    [Player.2 "Grace"]
    [Result "*"]
    [Final "------------------X--------XX------OXX-----O-------------------- O"]

    1. f5 {clk 0:04:57 eval +0.5} d6 {a quiet answer} c3

Headers come first, one a line; then the moves in the game's own writing, ten a
line, each line with the number of its first move. `docs/records.md` tells the
whole grammar. There is one writer (`Record.to_text`) and one reader
(`Record.parse`, `read_records`), and three things that keep a record honest:
all rule options are written down, a record of newer rules is refused, and the
final position, the result and the reason are compared with the replay.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from boyi.core.errors import BoyiError, RecordError, shorten
from boyi.core.game import Game, Options
from boyi.core.position import CHANCE, Position

__all__ = ["FORMAT_VERSION", "Entry", "Record", "format_result", "parse_result", "read_records", "split_records",
           "write_records"]

FORMAT_VERSION = 1
"""Grows when a reader of today could misunderstand what is written."""

MOST_PLAYERS = 64
MOVES_A_LINE = 10
COLUMNS = 100
_NAME = r"[A-Za-z][A-Za-z0-9_.\-]*"
_FIRST_HEADER = re.compile(r'^\[Boyi[ \t]+"', re.MULTILINE)
_HEADER = re.compile(rf'\[({_NAME})[ \t]+"((?:[^"\\\n]|\\.)*)"[ \t]*\][ \t]*(?:\r?\n|\Z)')
_TOKEN = re.compile(r'(?P<space>\s+)|(?P<number>[0-9]{1,9})\.(?!\S)|\{(?P<comment>(?:[^{}\\]|\\.)*)\}'
                    r'|"(?P<quoted>(?:[^"\\\n]|\\.)+)"|(?P<plain>[^\s{}\[\]"\\]+)', re.DOTALL)
_PLAIN = re.compile(r'[^\s{}\[\]"\\]+')
_NUMBER = re.compile(r"[0-9]{1,9}\.")
_MARKS = re.compile(r"\s*(?:clk\s+(?P<clock>[0-9:.]{1,20})\s*)?(?:took\s+(?P<took>[0-9:.]{1,20})\s*)?"
                    r"(?:eval\s+(?P<evaluation>[+-]?[0-9][0-9.e+-]{0,30})\s*)?(?:;(?P<comment>.*))?", re.DOTALL)
_TIME = re.compile(r"([0-9]{1,7}):([0-5][0-9]):([0-5][0-9](?:\.[0-9]{1,3})?)")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.?))", re.DOTALL)
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_RESULTS = {"1-0": (1, 2), "0-1": (2, 1), "1/2-1/2": (1, 1)}
_OWN_HEADERS = ("Boyi", "Game", "Rules", "Start", "Date", "Event", "Result", "Reason", "Final")


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
        if not _text("a move", self.text):
            raise RecordError("a move has a text, and this one is empty")
        for name in ("clock", "took"):
            object.__setattr__(self, name, _seconds(name, getattr(self, name)))
        if self.evaluation is not None:
            object.__setattr__(self, "evaluation", _finite("an evaluation", self.evaluation))
        object.__setattr__(self, "comment", _text("a comment", self.comment).strip())


@lru_cache(maxsize=4096)
def plain_entry(text: str) -> Entry:
    """An entry with nothing noted, shared: a base of a million moves holds few different ones."""
    return Entry(text)


@dataclass(frozen=True)
class Record:
    """A game that was played: who, when, under which rules, move by move."""

    game: Game
    options: Options
    """Every rule option, also those left at their defaults: defaults may change."""

    entries: tuple[Entry, ...] = ()
    start: str | None = None
    """The position text it began with; None for the start of the game."""

    players: tuple[str, ...] = ()
    """Names by seat; empty ones at the end are dropped."""

    date: str = ""
    """ISO 8601, as much as is known: `2026-11-15`, `2026`."""

    event: str = ""
    result: tuple[int, ...] | None = None
    """The place of each player, 1 for the best, equal ones sharing; None while the game goes on or is not known."""

    reason: str = ""
    """Why it ended: the rules' own word (see `Outcome.reason`), or `resignation`, `time`, `agreement`, ..."""

    tags: Mapping[str, str] = field(default_factory=dict)
    """Further headers, of any meaning."""

    comment: str = ""
    """What is said before the first move."""

    final: str | None = None
    """The position text after the last move, which a replay must reach."""

    rules_version: int = 1

    def __post_init__(self) -> None:
        names = [_text("a player's name", name) for name in self.players]
        while names and not names[-1]:
            names.pop()
        if len(names) > MOST_PLAYERS:
            raise RecordError(f"{len(names)} players are too many; a record names at most {MOST_PLAYERS}")
        object.__setattr__(self, "players", tuple(names))
        object.__setattr__(self, "entries", tuple(self.entries))
        object.__setattr__(self, "tags", dict(self.tags))
        object.__setattr__(self, "comment", _text("a comment", self.comment).strip())
        for what, value in (("a date", self.date), ("an event", self.event), ("a reason", self.reason)):
            _text(what, value)
        if self.result is not None:
            object.__setattr__(self, "result", _places(self.result))
        for name, value in self.tags.items():
            if not re.fullmatch(_NAME, _text("the name of a tag", name)):
                raise RecordError(f"{shorten(name)} is not the name of a tag: a letter, then letters, digits or _ . -")
            if name in _OWN_HEADERS or name.startswith(("Option.", "Player.")):
                raise RecordError(f"no tag may be called {name}: that header has a meaning of its own")
            _text(f"tag {name}", value)

    # ------------------------------------------------------------------ from positions and back

    @classmethod
    def from_position(
        cls, position: Position, *, players: Sequence[str] = (), date: str = "", event: str = "",
        result: Sequence[int] | None = None, reason: str = "", tags: Mapping[str, str] | None = None,
        comment: str = "", notes: Sequence[Mapping[str, object]] = (),
    ) -> Record:
        """The game that led to `position`.

        `result` (places) and `reason` are for games that ended off the board; where the
        rules ended it, they say how. `notes` holds, per written move from the first on,
        what `Entry` takes besides the text: clock, took, evaluation, comment.
        """
        game, options = position.game, position.options
        walk = game.parse(position.start_text, **options)
        texts = [text for text, _ in written_moves(walk, position.history())]
        if len(notes) > len(texts):
            raise RecordError(f"there are notes for {len(notes)} moves but only {len(texts)} moves")
        outcome = position.outcome()
        if outcome is not None:
            result, reason = outcome.places, outcome.reason
        return cls(
            game=game, options=options, rules_version=game.rules_version,
            start=None if position.start_text == game.start(**options).to_text() else position.start_text,
            entries=tuple(Entry(text, **notes[i]) if i < len(notes) and notes[i]  # type: ignore[arg-type]
                          else plain_entry(text) for i, text in enumerate(texts)),
            players=tuple(players), date=date, event=event, result=None if result is None else tuple(result),
            reason=reason, tags=dict(tags or {}), comment=comment, final=position.to_text())

    def begin(self) -> Position:
        """The position the record begins with."""
        if self.rules_version > self.game.rules_version:
            raise RecordError(
                f"the record was written under version {self.rules_version} of the rules of {self.game.name}, and this "
                f"Boyi knows them up to version {self.game.rules_version}: a newer Boyi is needed to replay it")
        try:
            if self.start is None:
                position = self.game.start(**self.options)
            else:
                position = self.game.parse(self.start, **self.options)
        except BoyiError as error:
            raise RecordError(f"the record cannot begin: {error}") from error
        if len(self.players) > position.players:
            raise RecordError(f"the record names {len(self.players)} players and the game has {position.players}")
        if self.result is not None and len(self.result) != position.players:
            raise RecordError(f"the record gives {len(self.result)} players a result and the game has "
                              f"{position.players}")
        return position

    def positions(self) -> Iterator[Position]:
        """The position at the start and after every written move, each one yours to keep."""
        position = self.begin()
        yield position.copy()
        for number, entry in enumerate(self.entries, 1):
            play_written(position, entry.text, number)
            yield position.copy()

    def replay(self, moves: int | None = None) -> Position:
        """The position after so many written moves; after all of them, checked against what the record claims."""
        if moves is not None and not 0 <= moves <= len(self.entries):
            raise RecordError(f"there is no move {moves}: the record has {len(self.entries)}")
        position = self.begin()
        for number, entry in enumerate(self.entries[:moves], 1):
            play_written(position, entry.text, number)
        if moves is None or moves == len(self.entries):
            self._compare(position)
        return position

    def _compare(self, position: Position) -> None:
        reached = position.to_text()
        if self.final is not None and reached != self.final:
            raise RecordError(f"the moves lead to {reached} but the record says that they led to "
                              f"{shorten(self.final, 200)}: it was changed, or the rules were")
        outcome = position.outcome()
        if outcome is None:
            return
        if self.result is not None and self.result != outcome.places:
            raise RecordError(f"the record says {format_result(self.result)} but the moves end in "
                              f"{format_result(outcome.places)}: {outcome.words}")
        if self.reason and self.reason != outcome.reason:
            raise RecordError(f"the record says that the game ended by {shorten(self.reason)} but the moves end it by "
                              f"{outcome.reason}: {outcome.words}")

    # ------------------------------------------------------------------ to text and back

    def headers(self) -> dict[str, str]:
        """All headers by name, in the order they are written."""
        headers = {"Boyi": str(FORMAT_VERSION), "Game": self.game.name, "Rules": str(self.rules_version)}
        headers |= {f"Option.{name}": _option_text(value) for name, value in self.options.items()}
        headers |= {f"Player.{seat}": name for seat, name in enumerate(self.players, 1) if name}
        headers |= {name: value for name, value in (("Event", self.event), ("Date", self.date)) if value}
        headers["Result"] = format_result(self.result)
        if self.reason:
            headers["Reason"] = self.reason
        headers |= self.tags
        headers |= {name: value for name, value in (("Start", self.start), ("Final", self.final)) if value is not None}
        return headers

    def to_text(self) -> str:
        """The record as text; `Record.parse` reads it back."""
        lines = [f'[{name} "{_escape(value, QUOTED)}"]' for name, value in self.headers().items()] + [""]
        if self.comment:
            lines.append(_comment(self.comment))
        line = ""
        for number, entry in enumerate(self.entries, 1):
            word = _write_entry(entry)
            if line and (number % MOVES_A_LINE == 1 or len(line) + len(word) > COLUMNS):
                lines.append(line)
                line = ""
            line = f"{line} {word}" if line else f"{number}. {word}"
        if line:
            lines.append(line)
        return "\n".join(lines).rstrip("\n") + "\n"

    def __str__(self) -> str:
        return self.to_text()

    @classmethod
    def parse(cls, text: str, find_game: Callable[[str], Game]) -> Record:
        """The one record that `text` holds. The moves are understood by `replay`, not here."""
        pieces = split_records(text)
        if len(pieces) != 1:
            raise RecordError(f"this is {len(pieces)} records and not one")
        return _parse(pieces[0], find_game)

    def with_final(self) -> Record:
        """The same record with the final position filled in; for records written by hand."""
        return replace(self, final=self.replay().to_text())


def read_records(text: str, find_game: Callable[[str], Game]) -> list[Record]:
    """All records of a text."""
    return [_parse(piece, find_game) for piece in split_records(text)]


def write_records(records: Sequence[Record]) -> str:
    """Several records as one text."""
    return "\n".join(record.to_text() for record in records)


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


def written_moves(position: Position, moves: Sequence[int]) -> Iterator[tuple[str, int]]:
    """Play `moves` on `position` and say how they are written: a decision and what chance
    then added make one text. Yields each text with the number of moves it stands for."""
    at, chance = 0, position.game.has_chance
    while at < len(moves):
        end = at + 1
        if chance:   # how many there are is known when they have been played
            position.play(moves[at])
            while end < len(moves) and position.turn == CHANCE and not position.is_forfeit(moves[end]):
                position.play(moves[end])
                end += 1
            for _ in range(at, end):
                position.undo()
        text = position.format_moves(moves[at:end])
        for move in moves[at:end]:
            position.play(move)
        yield text, end - at
        at = end


def play_written(position: Position, text: str, number: int) -> None:
    """Play a move in the game's own writing; a wrong one is reported with its number."""
    try:
        # Not `position.play(text)`: another notation could give a mistyped move a meaning.
        for move in position.parse_moves(text):
            position.play(move)
    except BoyiError as error:
        raise RecordError(f"move {number}: {error}", move_number=number) from error


def format_result(places: Sequence[int] | None) -> str:
    """A result as text: as in chess for two players, the places for more.

    >>> format_result((2, 1)), format_result((1, 1)), format_result((2, 1, 3)), format_result(None)
    ('0-1', '1/2-1/2', '2 1 3', '*')
    """
    if places is None:
        return "*"
    for text, known in _RESULTS.items():
        if tuple(places) == known:
            return text
    return " ".join(map(str, places))


def parse_result(text: str) -> tuple[int, ...] | None:
    """What `format_result` wrote."""
    if text == "*":
        return None
    if text in _RESULTS:
        return _RESULTS[text]
    words = text.split(" ")
    if 2 < len(words) <= MOST_PLAYERS and all(re.fullmatch("[0-9]{1,2}", word) for word in words):
        return _places(tuple(map(int, words)))
    raise RecordError(f"{shorten(text)} is not a result: 1-0, 0-1, 1/2-1/2, * or, for more than two players, "
                      "the place of each as in 2 1 3")


# ---------------------------------------------------------------------- reading

def _parse(text: str, find_game: Callable[[str], Game]) -> Record:
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
    comment, entries = _parse_moves(text, at)
    version = _whole(headers.pop("Boyi", ""), "the version of the format")
    if version > FORMAT_VERSION:
        raise RecordError(f"the record is in version {version} of the format and this Boyi reads it up to version "
                          f"{FORMAT_VERSION}: a newer Boyi is needed")
    if "Game" not in headers:
        raise RecordError("the record does not say which game it is: the header Game is missing")
    try:
        game = find_game(headers.pop("Game"))
        options = game.resolve({name.removeprefix("Option."): headers.pop(name) for name in list(headers)
                                if name.startswith("Option.")})
    except RecordError:
        raise
    except BoyiError as error:
        raise RecordError(str(error)) from error
    players: list[str] = []
    for name in [name for name in headers if name.startswith("Player.")]:
        seat = _whole(name.removeprefix("Player."), f"the seat in the header {shorten(name)}")
        if not 1 <= seat <= MOST_PLAYERS:
            raise RecordError(f"the header {shorten(name)} names a seat that is not from 1 to {MOST_PLAYERS}")
        players += [""] * (seat - len(players))
        players[seat - 1] = headers.pop(name)
    record = Record(
        game=game, options=options, entries=tuple(entries), start=headers.pop("Start", None), players=tuple(players),
        date=headers.pop("Date", ""), event=headers.pop("Event", ""), reason=headers.pop("Reason", ""),
        result=parse_result(headers.pop("Result", "*")), comment=comment, final=headers.pop("Final", None),
        rules_version=_whole(headers.pop("Rules", "1"), "the version of the rules"), tags=headers)
    if record.rules_version > game.rules_version:
        record.begin()
    return record


def _parse_moves(text: str, at: int) -> tuple[str, list[Entry]]:
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


def _whole(text: str, what: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", text):
        raise RecordError(f"{what} is a whole number and not {shorten(text)}")
    return int(text)


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


# ---------------------------------------------------------------------- writing

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


def _option_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# ---------------------------------------------------------------------- checks

def _text(what: str, value: object) -> str:
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


def _places(places: Sequence[int]) -> tuple[int, ...]:
    checked = tuple(places)
    if any(isinstance(place, bool) or not isinstance(place, int) for place in checked) or any(
            place != 1 + sum(other < place for other in checked) for place in checked) or not checked:
        raise RecordError(f"{shorten(places)} are not places: 1 for the best, equal ones sharing, as in (1, 3, 1)")
    return checked
