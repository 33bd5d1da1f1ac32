"""The puzzles of a game: as a file, and as what the next one is chosen from.

The file is text, one JSON value a line, compressed by xz. The first line says what it is and how it was made, each
other line is a puzzle:

    {"format": "boyi puzzles", "version": 1, "game": "othello", "rules": 1, "options": {}, "made": {"nodes": 50000}}
    ["3fa9c1d2", "position text", ["lead"], ["solution"], ["theme"], 1480, "self-play"]
"""

from __future__ import annotations

import datetime
import hashlib
import importlib
import json
import lzma
import random
from collections import Counter
from collections.abc import Collection as Some
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from boyi.core.errors import BoyiError, OptionError, UnknownNameError, explain, shorten
from boyi.core.game import Game, Options
from boyi.study.puzzles.puzzle import Puzzle
from boyi.study.puzzles.themes import check_theme, themes_of

FORMAT = "boyi puzzles"
FORMAT_VERSION = 1
LARGEST_BYTES = 64 << 20
"""No file is longer than this when it is unpacked."""

CLOSEST = 20
"""The next puzzle is drawn among this many whose ratings are closest to the wanted one."""


class PuzzleError(BoyiError, ValueError):
    """A file without puzzles, or none for this game."""


@dataclass(frozen=True)
class Puzzles:
    """The puzzles of a game under one set of rules."""

    game: Game
    options: Options
    puzzles: tuple[Puzzle, ...]
    made: Mapping[str, Any] = field(default_factory=dict)
    """How they were made: nodes of the search that checked them, and what else is worth knowing."""

    def __len__(self) -> int:
        return len(self.puzzles)

    @cached_property
    def by_id(self) -> Mapping[str, Puzzle]:
        return {puzzle.id: puzzle for puzzle in self.puzzles}

    def find(self, name: str) -> Puzzle:
        """The puzzle of an id."""
        if name not in self.by_id:
            raise UnknownNameError(f"no puzzle of {self.game.name} is called {shorten(name)}")
        return self.by_id[name]

    @cached_property
    def themes(self) -> Mapping[str, int]:
        """How many puzzles have each theme, in the order in which themes are listed; those that none has are left
        out."""
        counts = Counter(theme for puzzle in self.puzzles for theme in puzzle.themes)
        return {name: counts[name] for name in themes_of(self.game) if counts[name]}

    def of_day(self, day: datetime.date) -> Puzzle:
        """The puzzle of a day: the same for everybody, and another one every day until all have had theirs."""
        order = sorted(self.puzzles, key=lambda puzzle: hashlib.sha256(puzzle.id.encode()).digest())
        return order[day.toordinal() % len(order)]

    def choose(self, generator: random.Random, *, theme: str | None = None, rating: int | None = None,
               without: Some[str] = ()) -> Puzzle | None:
        """One of a theme, about as hard as `rating` says, that is not among those `without`; None if all are."""
        if theme is not None:
            check_theme(self.game, theme)
        left = [puzzle for puzzle in self.puzzles
                if puzzle.id not in without and (theme is None or theme in puzzle.themes)]
        if rating is not None:
            left = sorted(left, key=lambda puzzle: (abs(puzzle.rating - rating), puzzle.id))[:CLOSEST]
        return generator.choice(left) if left else None

    # ------------------------------------------------------------------ as a file

    def to_bytes(self) -> bytes:
        """The file; the same puzzles give the same bytes."""
        header = {"format": FORMAT, "version": FORMAT_VERSION, "game": self.game.name, "rules": self.game.rules_version,
                  "options": dict(self.options), "made": dict(self.made)}
        ordered = sorted(self.puzzles, key=lambda puzzle: (puzzle.rating, puzzle.id))
        lines = [header, *map(write_puzzle, ordered)]
        text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
        return lzma.compress(text.encode(), preset=9)

    @classmethod
    def from_bytes(cls, data: bytes, game: Game) -> Puzzles:
        """What a file holds, checked in every line but not played through."""
        lines = _unpack(data)
        header = lines[0] if lines else None
        if not isinstance(header, dict) or header.get("format") != FORMAT:
            raise PuzzleError(f'these are no puzzles: the first line should say "format": "{FORMAT}"')
        if header.get("version") != FORMAT_VERSION:
            raise PuzzleError(f"the puzzles are of version {shorten(header.get('version'))}, and this Boyi reads "
                              f"version {FORMAT_VERSION}")
        if header.get("game") != game.name:
            raise PuzzleError(f"these are puzzles of {shorten(header.get('game'))} and not of {game.name}")
        if header.get("rules") != game.rules_version:
            raise PuzzleError(f"the puzzles were made under version {shorten(header.get('rules'))} of the rules of "
                              f"{game.name}, and here they are at version {game.rules_version}: make them anew")
        options, made = header.get("options"), header.get("made")
        if not isinstance(options, dict) or not isinstance(made, dict):
            raise PuzzleError('the first line lacks "options" or "made", which are names and values')
        try:
            resolved = game.resolve(options)
        except OptionError as error:
            raise PuzzleError(f"the puzzles were made under rules that do not exist: {error}") from error
        return cls(game, resolved, tuple(read_puzzle(line, number) for number, line in enumerate(lines[1:], 2)), made)


def write_puzzle(puzzle: Puzzle) -> list[Any]:
    """A puzzle as a line of a file or a journal has it."""
    return [list(value) if isinstance(value, tuple) else value for value in astuple(puzzle)]


def read_puzzle(line: object, number: int = 1) -> Puzzle:
    """The counterpart of `write_puzzle`."""
    match line:
        case [str(name), str(start), list(lead), list(solution), list(themes), int(rating), str(source)] if (
                solution and all(isinstance(text, str) for text in (*lead, *solution, *themes))):
            return Puzzle(name, start, tuple(lead), tuple(solution), tuple(themes), rating, source)
    raise PuzzleError(f"line {number} is not [id, start, [lead], [solution], [themes], rating, source]: "
                      f"{shorten(line, 80)}")


def _unpack(data: bytes) -> Sequence[Any]:
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=256 << 20)
    try:
        text = unpacker.decompress(data, LARGEST_BYTES + 1)
    except (lzma.LZMAError, EOFError) as error:
        raise PuzzleError(f"these are no puzzles, or they are damaged: {error}") from error
    if len(text) > LARGEST_BYTES or not unpacker.eof or unpacker.unused_data:
        raise PuzzleError("the file is cut short, too long, or has something behind its end")
    try:
        return [json.loads(line) for line in text.splitlines()]
    except (ValueError, RecursionError) as error:
        raise PuzzleError(f"a line of the puzzles is not JSON: {error}") from None


def read_puzzles(path: Path, game: Game) -> Puzzles:
    """The puzzles of a file."""
    try:
        return Puzzles.from_bytes(path.read_bytes(), game)
    except PuzzleError as error:
        raise PuzzleError(f"{shorten(str(path))}: {error}") from error
    except OSError as error:
        raise PuzzleError(f"cannot read {shorten(str(path))}: {explain(error)}") from error


@cache
def _own_puzzles(module: str) -> Puzzles | None:
    package = importlib.import_module(module)
    game: Game = package.GAME
    if game.puzzles is None or game.puzzles.file is None or not hasattr(package, "__path__"):
        return None
    file = files(package) / game.puzzles.file
    return Puzzles.from_bytes(file.read_bytes(), game) if file.is_file() else None


def own_puzzles(game: Game) -> Puzzles | None:
    """The puzzles that come with a game, if there are any; read when first asked for."""
    return _own_puzzles(game.module)


def games_with_puzzles(games: Iterable[Game]) -> list[Game]:
    """Those of the games that have puzzles."""
    return [game for game in games if own_puzzles(game) is not None]
