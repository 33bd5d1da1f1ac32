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
line, each line with the number of its first move: `core.record_grammar`. There is
one writer (`Record.to_text`) and one reader (`Record.parse`, `read_records`), and
three things that keep a record honest: all rule options are written down, a record
of newer rules is refused, and the final position, the result and the reason are
compared with the replay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from boyi.core import record_grammar
from boyi.core.errors import BoyiError, RecordError, shorten
from boyi.core.game import Game, Options
from boyi.core.position import Position
from boyi.core.record_grammar import FORMAT_VERSION, HEADER_NAME, Entry, check_text, plain_entry, split_records
from boyi.core.result import MOST_PLAYERS, check_places, format_result, parse_result
from boyi.core.words import Words
from boyi.core.written import play_written, written_moves

__all__ = ["Record", "read_records", "write_records"]

_OWN_HEADERS = ("Boyi", "Game", "Rules", "Start", "Date", "Event", "Result", "Reason", "Final")


@dataclass(frozen=True)
class Record:
    """A game that was played: who, when, under which rules, move by move.

    >>> import boyi
    >>> position = boyi.start("othello")
    >>> position.play("f5")
    >>> record = Record.from_position(position, players=["Ada", "Grace"])
    >>> record.to_text().splitlines()[-1], record.replay() == position
    ('1. f5', True)
    """

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
        names = [check_text("a player's name", name) for name in self.players]
        while names and not names[-1]:
            names.pop()
        if len(names) > MOST_PLAYERS:
            raise RecordError(f"{len(names)} players are too many; a record names at most {MOST_PLAYERS}")
        object.__setattr__(self, "players", tuple(names))
        object.__setattr__(self, "entries", tuple(self.entries))
        object.__setattr__(self, "tags", dict(self.tags))
        object.__setattr__(self, "comment", check_text("a comment", self.comment).strip())
        for what, value in (("a date", self.date), ("an event", self.event), ("a reason", self.reason)):
            check_text(what, value)
        if self.result is not None:
            object.__setattr__(self, "result", check_places(self.result))
        for name, value in self.tags.items():
            if not re.fullmatch(HEADER_NAME, check_text("the name of a tag", name)):
                raise RecordError(f"{shorten(name)} is not the name of a tag: a letter, then letters, digits or _ . -")
            if name in _OWN_HEADERS or name.startswith(("Option.", "Player.")):
                raise RecordError(f"no tag may be called {name}: that header has a meaning of its own")
            check_text(f"tag {name}", value)

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
        """The position after that number of written moves; after all of them, compared with what the record says."""
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
            raise RecordError(Words(f"the moves lead to {reached} but the record says that they led to "
                                    f"{shorten(self.final, 200)}: it was changed, or the rules were",
                                    "着法走到的局面与棋谱所记的终局不同：棋谱被改动过，或规则已变"))
        outcome = position.outcome()
        if outcome is None:
            return
        if self.result is not None and self.result != outcome.places:
            raise RecordError(Words(f"the record says {format_result(self.result)} but the moves end in "
                                    f"{format_result(outcome.places)}: {outcome.words}",
                                    f"棋谱所记结果为 {format_result(self.result)}，而着法的结果是 "
                                    f"{format_result(outcome.places)}：{outcome.words.zh}"))
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
        return record_grammar.write(self.headers(), self.comment, self.entries)

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


def _parse(text: str, find_game: Callable[[str], Game]) -> Record:
    headers, comment, entries = record_grammar.read(text)
    version = _whole(headers.pop("Boyi", ""), "the version of the format")
    if version > FORMAT_VERSION:
        raise RecordError(f"the record is in version {version} of the format and this Boyi reads it up to version "
                          f"{FORMAT_VERSION}: a newer Boyi is needed")
    if "Game" not in headers:
        raise RecordError(Words("the record does not say which game it is: the header Game is missing",
                                "棋谱没有写明是哪种棋：缺少 Game 标签"))
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


def _whole(text: str, what: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", text):
        raise RecordError(f"{what} is a whole number and not {shorten(text)}")
    return int(text)


def _option_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
