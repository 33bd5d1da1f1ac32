"""Foreign formats for records, as data: a game names its own in `Game.formats`.

A file is first cut into pieces, one per record, and then each piece is read. So
a base of a hundred thousand games can be read with progress, and one wrong game
in it is reported without losing the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from boyi.core.errors import RecordError, UnknownNameError, shorten
from boyi.core.record import Record, read_records, write_records
from boyi.core.record_grammar import split_records
from boyi.core.words import Words

if TYPE_CHECKING:
    from boyi.core.game import Game

__all__ = ["OWN", "RecordFormat", "Source", "all_formats", "decode", "find_source", "write"]

OWN = "boyi"
"""The name of our own format, which every game has."""


@dataclass(frozen=True)
class RecordFormat:
    """A way in which other programs keep games."""

    title: Words
    suffixes: tuple[str, ...]
    """What the names of its files end with, in small letters: `.ggf`."""

    recognises: Callable[[bytes], bool]
    """Does a file begin like one of this format?"""

    split: Callable[[bytes], Sequence[bytes]]
    """The pieces of a file, one per record; a `RecordError` for what is no such file at all."""

    read_one: Callable[[Game, bytes], Record]
    """The record that a piece holds, replayed and found right; a `RecordError` otherwise."""

    write: Callable[[Sequence[Record], str], bytes] | None = None
    """Records as a file, with moves in the named notation; None for a format that is only read."""

    notations: tuple[str, ...] = ("own",)
    """How it can write moves, the usual way first."""

    certain: bool = True
    """Is a file that `recognises` accepts surely of this format? Bare moves are not: they may be of another game."""

    def read(self, game: Game, data: bytes) -> list[Record]:
        """All records of a file."""
        return Source("", self.split(data), lambda piece: self.read_one(game, piece)).read()


@dataclass(frozen=True)
class Source:
    """A file of records whose format is known, cut into pieces but not yet read."""

    format: str
    pieces: Sequence[bytes]
    read_piece: Callable[[bytes], Record]

    def __len__(self) -> int:
        return len(self.pieces)

    def records(self) -> Iterator[Record | RecordError]:
        """Each record, or what is wrong with it."""
        for piece in self.pieces:
            try:
                yield self.read_piece(piece)
            except RecordError as error:
                yield error

    def read(self) -> list[Record]:
        """All records; a `RecordError` for the first that is wrong."""
        records = []
        for number, record in enumerate(self.records(), 1):
            if isinstance(record, RecordError):
                raise RecordError(f"record {number}: {record}", move_number=record.move_number) from record
            records.append(record)
        return records


def all_formats(games: Iterable[Game]) -> dict[str, tuple[Game | None, RecordFormat | None]]:
    """Every format by name, our own first, with the game it belongs to."""
    known: dict[str, tuple[Game | None, RecordFormat | None]] = {OWN: (None, None)}
    for game in games:
        known |= {name: (game, one) for name, one in game.formats.items()}
    return known


def find_source(data: bytes, file_name: str, games: Sequence[Game], name: str | None = None) -> Source:
    """Recognise a file by the format's `name`, if given, else by what it holds, else by its suffix."""
    known = all_formats(games)
    if name is not None:
        if name not in known:
            raise UnknownNameError.among("format", name, known)
        return _source(name, data, games)
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[Boyi"):
        return _source(OWN, data, games)
    suffix = PurePath(file_name).suffix.lower()
    fitting = [(suffix in one.suffixes, key) for key, (_, one) in known.items() if one and one.recognises(data)]
    if not fitting:
        fitting = [(True, key) for key, (_, one) in known.items() if one and suffix in one.suffixes]
    if not fitting:
        raise RecordError(f"{shorten(file_name)} is in no format that Boyi knows; name one of "
                          f"{', '.join(known)} if you know better")
    return _source(max(fitting, key=lambda pair: pair[0])[1], data, games)


def _source(name: str, data: bytes, games: Sequence[Game]) -> Source:
    game, one = all_formats(games)[name]
    if game is None or one is None:
        by_name = {known.name: known for known in games}

        def find_game(wanted: str) -> Game:
            if wanted not in by_name:
                raise UnknownNameError.among("game", wanted, by_name)
            return by_name[wanted]

        pieces = [piece.encode() for piece in split_records(decode(data, "utf-8"))]
        return Source(name, pieces, lambda piece: _checked(read_records(piece.decode(), find_game)[0]))
    read_one = one.read_one
    return Source(name, one.split(data), lambda piece: read_one(game, piece))


def _checked(record: Record) -> Record:
    record.replay()
    return record


def write(records: Sequence[Record], name: str, notation: str | None, games: Sequence[Game]) -> bytes:
    """Records as a file of the format of that name."""
    known = all_formats(games)
    if name not in known:
        raise UnknownNameError.among("format", name, known)
    game, one = known[name]
    if game is None or one is None:
        if notation not in (None, "own"):
            raise UnknownNameError.among(f"notation of the format {name}", str(notation), ["own"])
        return write_records(records).encode()
    if one.write is None:
        raise RecordError(f"the format {name} is read but not written")
    for record in records:
        if record.game is not game:
            raise RecordError(f"the format {name} is for {game.name} and this is a record of {record.game.name}")
    if notation is not None and notation not in one.notations:
        raise UnknownNameError.among(f"notation of the format {name}", notation, one.notations)
    return one.write(records, notation or one.notations[0])


def decode(data: bytes, *encodings: str) -> str:
    """Bytes as text in the first encoding that fits."""
    if not isinstance(data, bytes):
        raise RecordError(f"{shorten(data)} is not the bytes of a file")
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise RecordError(f"the file is not text in {' or '.join(encodings)}")
