"""Opening books: what was played in a position before, and how it went.

A book is a table of positions. For every move that was played there it has the number of games, their results
for the player who moved, and the mean of its evaluations where there are any.

*One entry for all images.* A position is looked up by what a player sees: the stones, whose turn it is and
their legal moves. That is written down once per symmetry of the board, and the least of these texts is
the position's own; its digest is the key. Moves are named by their points on that same image of the board, so a
line and its mirror image are one line. To map a stored move back, every legal move of the position at hand is
given its name in the same way: the book's moves are those whose names it has, and they are always legal.

>>> import boyi
>>> from boyi.agents.book import Book
>>> from boyi.core.record import Record
>>> game = boyi.start("othello")
>>> game.play("f5")
>>> book = Book.empty(game.game)
>>> book.add(Record.from_position(game))
>>> [[boyi.start("othello").format_move(move) for move in found.moves] for found in book.look_up(boyi.start("othello"))]
[['d3', 'c4', 'f5', 'e6']]

The file is text, one JSON value a line, compressed by xz; docs/book.md tells all of it.
"""

from __future__ import annotations

import importlib
import json
import lzma
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Any

from boyi.core.errors import BoyiError, OptionError, explain, shorten
from boyi.core.game import Game, Options
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.core.written import play_written

FORMAT = "boyi book"
FORMAT_VERSION = 1
"""Grows when a reader of today could misunderstand what is written, also when keys are made in another way."""

OWN_FILE = "book.xz"
"""The book in a game's folder."""

LARGEST_BYTES = 64 << 20
"""No book is longer than this when it is unpacked."""

XZ_MAGIC = b"\xfd7zXZ\0"
HIGHEST_COUNT = 10**12
PLIES = 24
"""Plies of a game that are entered by default."""

RELIABLE_SHARE = 0.1
"""Moves played in a smaller share of the games than this are looked at but not played."""


class BookError(BoyiError, ValueError):
    """A file that is no book, or no book for this game."""


@dataclass(slots=True)
class Tally:
    """What is known of one move in one position."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    valued: int = 0
    """In how many games an evaluation of the move was noted."""

    value_sum: int = 0
    """The sum of these values for the player who moved, in hundredths of the game's smallest unit."""

    def add(self, result: int | None, value: float | None) -> None:
        """Count a game: 1, 0 or -1 for the player who moved, None for one without a result."""
        self.games += 1
        self.wins += result == 1
        self.draws += result == 0
        self.losses += result == -1
        if value is not None:
            self.valued += 1
            self.value_sum += round(100 * value)

    def merge(self, other: Tally) -> None:
        self.games += other.games
        self.wins += other.wins
        self.draws += other.draws
        self.losses += other.losses
        self.valued += other.valued
        self.value_sum += other.value_sum


@dataclass(frozen=True)
class BookMove:
    """A move that the book knows in a position."""

    moves: tuple[int, ...]
    """The legal moves it stands for: more than one where they are images of each other."""

    games: int
    wins: int
    draws: int
    losses: int
    value: float | None
    """The mean of its evaluations, for the player who moves, in the game's smallest unit; None without any."""

    @classmethod
    def from_tally(cls, moves: tuple[int, ...], tally: Tally) -> BookMove:
        return cls(moves, tally.games, tally.wins, tally.draws, tally.losses,
                   tally.value_sum / tally.valued / 100 if tally.valued else None)

    @property
    def score(self) -> float | None:
        """The share of the points, a draw counted as half; None without results."""
        known = self.wins + self.draws + self.losses
        return (self.wins + self.draws / 2) / known if known else None

    @property
    def weight(self) -> float:
        """How likely it is played: as often as others played it, and more where it went well.

        Two drawn games are added, so that one lucky game proves nothing.
        """
        known = self.wins + self.draws + self.losses
        return self.games * ((self.wins + self.draws / 2 + 1) / (known + 2)) ** 2


# ---------------------------------------------------------------------- positions and moves, however they are turned

@dataclass(frozen=True)
class View:
    """A position as the book sees it."""

    key: str
    moves: Mapping[str, tuple[int, ...]]
    """Per name, the legal moves that bear it."""


def view(position: Position) -> View:
    """The key of a position and the names of its moves, the same for all images of it."""
    legal = position.moves()
    stones = position.stones()
    # A hop is known by its ends: which way round it went changes nothing.
    paths = [path if len(path) < 3 else (path[0], path[-1]) for path in map(position.path, legal)]
    written = []
    for image in position.board.images:
        names = ["-".join(image[point] for point in path) if path else position.format_move(move)
                 for path, move in zip(paths, legal, strict=True)]
        placed = sorted(f"{image[stone.point]}{stone.glyph}" for stone in stones)
        written.append((f"{position.turn} {' '.join(placed)} {' '.join(sorted(names))}", names))
    own = min(text for text, _ in written)
    # A position that is its own image has several readings that are alike: a move's name is the least of its names.
    readings = [names for text, names in written if text == own]
    moves: dict[str, tuple[int, ...]] = {}
    for number, move in enumerate(legal):
        name = min(names[number] for names in readings)
        moves[name] = (*moves.get(name, ()), move)
    return View(blake2b(own.encode(), digest_size=8).hexdigest(), moves)


# ---------------------------------------------------------------------- the book

@dataclass
class Book:
    """Positions of one game under one set of rules, and what was played there."""

    game: Game
    options: Options
    games: int = 0
    """How many games were entered."""

    least_played: int = 1
    """Moves of fewer games than this are looked at but not played."""

    made: list[dict[str, Any]] = field(default_factory=list)
    """How it was made: a record per source, in order."""

    entries: dict[str, dict[str, Tally]] = field(default_factory=dict, repr=False)
    """Per key of a position, per name of a move."""

    @classmethod
    def empty(cls, game: Game, options: Mapping[str, object] | None = None) -> Book:
        return cls(game, game.resolve(options))

    def __len__(self) -> int:
        """The number of positions."""
        return len(self.entries)

    def suits(self, position: Position) -> bool:
        """Is it a book for this game under these rules?"""
        return position.game is self.game and position.options == self.options

    def accepts(self, record: Record) -> bool:
        """Is it a book for the game and the rules of this record?"""
        return record.game is self.game and record.options == self.options

    def add(self, record: Record, plies: int = PLIES) -> None:
        """Enter the first `plies` moves of a game. Moves without an alternative are left out."""
        if not self.accepts(record):
            raise BookError(f"this is a book of {_name(self.game, self.options)}, and the record is of "
                            f"{_name(record.game, record.options)}")
        position = record.begin()
        entered = []
        for number, entry in enumerate(record.entries[:plies], 1):
            player, legal = position.turn, position.moves()
            seen = view(position) if player >= 0 and len(legal) > 1 else None
            before = position.ply
            play_written(position, entry.text, number)
            if seen is not None:
                move = position.history()[before]
                entered += [(seen.key, name, player, entry.evaluation)
                            for name, moves in seen.moves.items() if move in moves]
        for key, name, player, value in entered:
            self.entries.setdefault(key, {}).setdefault(name, Tally()).add(_result(record.result, player), value)
        self.games += 1

    def merge(self, other: Book) -> None:
        """Add all that another book of the same game knows."""
        if other.game is not self.game or other.options != self.options:
            raise BookError(f"a book of {_name(other.game, other.options)} cannot be added to one of "
                            f"{_name(self.game, self.options)}")
        for key, moves in other.entries.items():
            own = self.entries.setdefault(key, {})
            for name, tally in moves.items():
                own.setdefault(name, Tally()).merge(tally)
        self.games += other.games
        self.least_played = max(self.least_played, other.least_played)
        self.made += other.made

    def prune(self, least: int) -> None:
        """Forget moves that were played in fewer games."""
        kept = {key: {name: tally for name, tally in moves.items() if tally.games >= least}
                for key, moves in self.entries.items()}
        self.entries = {key: moves for key, moves in kept.items() if moves}

    # ------------------------------------------------------------------ asking it

    def look_up(self, position: Position) -> tuple[BookMove, ...]:
        """What it knows of a position, the most played move first; nothing for one that it does not have."""
        if not self.suits(position) or position.turn < 0:
            return ()
        seen = view(position)
        found = [BookMove.from_tally(seen.moves[name], tally) for name, tally in self.entries.get(seen.key, {}).items()
                 if name in seen.moves]
        return tuple(sorted(found, key=lambda one: (-one.games, -one.weight, one.moves)))

    def best(self, position: Position) -> int | None:
        """The move with the most weight; None out of the book."""
        found = self._reliable(position)
        return max(found, key=lambda one: one.weight).moves[0] if found else None

    def choose(self, position: Position, generator: random.Random) -> int | None:
        """One of the moves by weight; None out of the book."""
        found = self._reliable(position)
        if not found:
            return None
        (chosen,) = generator.choices(found, [one.weight for one in found])
        return generator.choice(chosen.moves)

    def _reliable(self, position: Position) -> list[BookMove]:
        """The moves that were played often enough to be trusted."""
        found = self.look_up(position)
        least = max(self.least_played, RELIABLE_SHARE * sum(one.games for one in found))
        return [one for one in found if one.games >= least]

    # ------------------------------------------------------------------ as a file

    def to_bytes(self) -> bytes:
        """The book as a file; the same book gives the same bytes."""
        header = {"format": FORMAT, "version": FORMAT_VERSION, "game": self.game.name, "rules": self.game.rules_version,
                  "options": dict(self.options), "games": self.games,
                  **({"least_played": self.least_played} if self.least_played > 1 else {}), "made": self.made}
        lines = [header, *([key, {name: astuple(tally) for name, tally in sorted(moves.items())}]
                           for key, moves in sorted(self.entries.items()))]
        text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
        return lzma.compress(text.encode(), preset=6)

    @classmethod
    def from_bytes(cls, data: bytes, game: Game) -> Book:
        """The book that a file holds, checked in every line."""
        lines = _unpack(data)
        header = _parse(next(lines, b""), 1)
        if not isinstance(header, dict) or header.get("format") != FORMAT:
            raise BookError(f"this is no book: its first line should say \"format\": \"{FORMAT}\"")
        if header.get("version") != FORMAT_VERSION:
            raise BookError(f"the book is of version {shorten(header.get('version'))}, and this Boyi reads version "
                            f"{FORMAT_VERSION}")
        if header.get("game") != game.name:
            raise BookError(f"this is a book of {shorten(header.get('game'))} and not of {game.name}")
        if header.get("rules") != game.rules_version:
            raise BookError(f"the book was made under version {shorten(header.get('rules'))} of the rules of "
                            f"{game.name}, and here they are at version {game.rules_version}: build it anew")
        options, made, games = header.get("options"), header.get("made"), header.get("games")
        if not isinstance(options, dict) or not isinstance(made, list) or not all(isinstance(x, dict) for x in made):
            raise BookError('the first line of the book lacks "options" (names and values) or "made" (a list of '
                            "records)")
        if not isinstance(games, int) or not _is_count(games):
            raise BookError(f'"games": {shorten(games)} in the first line of the book is not a number of games')
        least_played = header.get("least_played", 1)
        if not isinstance(least_played, int) or not _is_count(least_played) or not least_played:
            raise BookError(f'"least_played": {shorten(least_played)} in the first line of the book is not a number of '
                            "games")
        try:
            book = cls(game, game.resolve(options), games, least_played, made)
        except OptionError as error:
            raise BookError(f"the book was made under rules that do not exist: {error}") from error
        for number, line in enumerate(lines, 2):
            key, moves = _read_entry(line, number)
            if key in book.entries:
                raise BookError(f"line {number} of the book: the position {key} was there before")
            book.entries[key] = moves
        return book


def _result(places: Sequence[int] | None, player: int) -> int | None:
    """1 for the first place, -1 for the last, else 0; all equal is a draw."""
    if places is None:
        return None
    return (places[player] == min(places)) - (places[player] == max(places))


def _name(game: Game, options: Options) -> str:
    return game.name + "".join(f" {name}={value}" for name, value in options.items())


# ---------------------------------------------------------------------- reading what may be hostile

def _unpack(data: bytes) -> Iterator[bytes]:
    """The lines of a file, unpacked no further than a book can be long."""
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=256 << 20)
    if not data.startswith(XZ_MAGIC):
        raise BookError("this is no book: it is not packed by xz")
    try:
        text = unpacker.decompress(data, LARGEST_BYTES + 1)
    except (lzma.LZMAError, EOFError) as error:
        raise BookError(f"the book is damaged: {error}") from error
    if len(text) > LARGEST_BYTES:
        raise BookError(f"this is no book: it unpacks to more than {LARGEST_BYTES >> 20} MB")
    if not unpacker.eof or unpacker.unused_data:
        raise BookError("the book is cut short or has something behind its end")
    return iter(text.splitlines())


def _parse(line: bytes, number: int) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise BookError(f"line {number} of the book is not JSON: {shorten(line[:40])}") from None


def _read_entry(line: bytes, number: int) -> tuple[str, dict[str, Tally]]:
    entry = _parse(line, number)
    wrong = BookError(f"line {number} of the book is not [KEY, {{MOVE: [games, wins, draws, losses, valued, "
                      f"sum of values]}}]: {shorten(line[:60])}")
    if not isinstance(entry, list) or len(entry) != 2:
        raise wrong
    key, moves = entry
    if (not isinstance(key, str) or len(key) != 16 or set(key) - set("0123456789abcdef")
            or not isinstance(moves, dict) or not moves):
        raise wrong
    tallies = {}
    for name, numbers in moves.items():
        if not isinstance(numbers, list) or len(numbers) != 6 or not all(map(_is_count, numbers[:5])):
            raise wrong
        games, wins, draws, losses, valued, value_sum = numbers
        if (not _is_count(abs(value_sum) if isinstance(value_sum, int) else None)
                or not 1 <= games >= max(valued, wins + draws + losses)):
            raise wrong
        tallies[name] = Tally(*numbers)
    return key, tallies


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= HIGHEST_COUNT


# ---------------------------------------------------------------------- finding one

def read_book(path: Path, game: Game) -> Book:
    """The book in a file."""
    try:
        return Book.from_bytes(path.read_bytes(), game)
    except BookError as error:
        raise BookError(f"{shorten(str(path))}: {error}") from error
    except (OSError, ValueError) as error:
        raise BookError(f"cannot read the book {shorten(str(path))}: {explain(error)}") from error


@cache
def _own_book(module: str) -> Book | None:
    package = importlib.import_module(module)
    if not hasattr(package, "__path__"):     # a game in one file has no folder of its own
        return None
    file = files(package) / OWN_FILE
    return Book.from_bytes(file.read_bytes(), package.GAME) if file.is_file() else None


def own_book(game: Game) -> Book | None:
    """The book that comes with a game, if there is one. It is read once; leave it as it is."""
    return _own_book(game.module)


def find_book(name: str, game: Game) -> Book | None:
    """A book as agents name it: `own` comes with the game, `none` is none, anything else is a file."""
    if name == "none":
        return None
    if name != "own":
        return read_book(Path(name), game)
    book = own_book(game)
    if book is None:
        raise BookError(f"no book comes with {game.name}; `boyi book build {game.name} FILE` makes one")
    return book
