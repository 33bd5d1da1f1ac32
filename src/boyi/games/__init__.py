"""The games: one folder each, found by looking, never listed.

A folder here is a game, and so is, from outside, what exports `GAME`:

- a module named by the entry-point group `boyi.games`;
- in a directory of the `BOYI_GAMES` path, a folder whose `__init__.py` has the word GAME in it, or a file `x.py` in
  which a line begins with `GAME =`. Nothing else there is imported: a directory of games may hold scripts, too.

Whoever comes first has the name: our own games, then entry points, then the path. A game from outside that is broken is
left out, with a `BoyiWarning` that says why (`broken_games`), and everything else works.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from boyi.core.errors import BoyiError, BoyiWarning, BrokenGameError, UnknownNameError, shorten
from boyi.core.facts import FIELDS, check_facts
from boyi.core.game import Game, game_directories, load

__all__ = ["BrokenGame", "all_games", "broken_games", "find_game", "find_readers", "game_names", "is_own",
           "listed_games"]

IN_PACKAGE = re.compile(rb"\bGAME\b")
IN_FILE = re.compile(rb"^GAME\b[^=\n]*=", re.MULTILINE)
"""What the text of a game says. It is looked for and not imported for, and also found where the text is no Python."""

PATH = "BOYI_GAMES"
"""As a place: a directory that the path names and that cannot be looked into."""

LONGEST_REASON = 300
OURS = str(Path(__file__).parent.parent)
"""Where our own code lies: what is wrong with a game is wrong elsewhere."""


@dataclass(frozen=True)
class BrokenGame:
    """A game from outside, or a place where games should be, that is left out."""

    name: str
    """As far as it is known: that of the game, or of its module or entry point."""

    place: str
    """Where it was found: a path, or the entry point of a package; `PATH` for a directory that cannot be read."""

    reason: str
    """What is wrong with it."""

    def __str__(self) -> str:
        if self.place == PATH:
            return f"{PATH} names {self.name}, where nothing can be looked for: {self.reason}"
        return f"the game {self.name} ({self.place}) is left out: {self.reason}"


@dataclass(frozen=True)
class _Candidate:
    """A module from outside that should export a game."""

    module: str
    place: str
    file: Path | None = None
    """Where it lies, if that is known."""


_broken: list[BrokenGame] = []
"""What the last look found broken."""


@cache
def all_games() -> dict[str, Game]:
    """Every game there is, by name, in the order in which they are listed.

    >>> list(all_games())[:3]
    ['xiangqi', 'jieqi', 'othello']
    """
    _broken.clear()
    games = {game.name: game for game in (load(f"{__name__}.{name}") for name in sorted(_folders()))}
    for candidate in [*_entry_points(), *_on_path()]:
        _admit(candidate, games)
    for broken in _broken:
        warnings.warn(str(broken), BoyiWarning, stacklevel=2)
    return dict(sorted(games.items(), key=lambda item: item[1].order))


def broken_games() -> tuple[BrokenGame, ...]:
    """The games from outside that are left out, and why."""
    all_games()
    return tuple(_broken)


def is_own(game: Game) -> bool:
    """Does the game come with Boyi?"""
    return game.module.startswith(f"{__name__}.")


def listed_games() -> list[Game]:
    """The games that are offered in lists."""
    return [game for game in all_games().values() if game.listed]


def find_game(name: str) -> Game:
    """The game of that name.

    >>> find_game("othello").title.en
    'Othello'
    >>> find_game("otello")
    Traceback (most recent call last):
    boyi.core.errors.UnknownNameError: no game is called 'otello'; did you mean 'othello'? ...
    """
    if name in _folders():
        # A command about one game should not wait for the tables of all others.
        return load(f"{__name__}.{name}")
    games = all_games()
    if name in games:
        return games[name]
    for broken in _broken:
        if broken.name == name:
            raise BrokenGameError(f"the game {name} ({broken.place}) is broken: {broken.reason}")
    raise UnknownNameError.among("game", name, games)


def game_names() -> list[str]:
    """What may be the name of a game, without loading any: the names of folders, files and entry points."""
    from importlib.metadata import entry_points

    found = {found.name for found in pkgutil.iter_modules(game_directories())}
    return sorted(_folders() | found | {entry.name for entry in entry_points(group="boyi.games")})


def find_readers(text: str, **options: object) -> list[Game]:
    """The games that can read a text as a position of theirs, under options that they have.

    A game that reads what another one owns (`Game.owns_text`) is among them only if there is no such other.
    """
    readers: list[Game] = []
    for game in all_games().values():
        try:
            game.parse(text, **options)
        except BoyiError:
            continue
        except Exception:
            if is_own(game):
                raise
            continue   # a game from outside whose author did not think of such a text
        readers.append(game)
    return [game for game in readers if game.owns_text(text)] or readers


@cache
def _folders() -> frozenset[str]:
    return frozenset(found.name for found in pkgutil.iter_modules(__path__) if found.ispkg)


# ---------------------------------------------------------------------- from outside

def _entry_points() -> Iterator[_Candidate]:
    from importlib.metadata import entry_points  # slow to load, and who asks for one of our own games does not need it

    try:
        for entry in entry_points(group="boyi.games"):
            package = "" if entry.dist is None else f" of {entry.dist.name}"
            yield _Candidate(entry.value.partition(":")[0].strip(), f"entry point {entry.name}{package}")
    except Exception as error:  # noqa: BLE001  (a package whose metadata cannot be read)
        _broken.append(BrokenGame("boyi.games", "entry points", _describe(error)))


def _on_path() -> Iterator[_Candidate]:
    """What looks like a game in the directories of `BOYI_GAMES`."""
    for directory in map(Path, game_directories()):
        try:
            inside = sorted(directory.iterdir())
        except OSError as error:
            _broken.append(BrokenGame(str(directory), PATH, error.strerror or str(error)))
            continue
        for path in inside:
            file, sign = (path, IN_FILE) if path.suffix == ".py" else (path / "__init__.py", IN_PACKAGE)
            try:
                if not file.is_file() or not sign.search(file.read_bytes()):
                    continue
            except OSError as error:
                _broken.append(BrokenGame(path.stem, str(path), f"it cannot be read: {error.strerror or error}"))
                continue
            if path.stem.isidentifier():
                yield _Candidate(path.stem, str(path), file)
            else:
                _broken.append(BrokenGame(path.stem, str(path),
                                          f"{shorten(path.stem)} cannot be imported by name; rename it"))


def _admit(candidate: _Candidate, games: dict[str, Game]) -> None:
    """Load a game and add it to the others, or note what is wrong with it."""
    name = candidate.module.rpartition(".")[2]
    try:
        module = importlib.import_module(candidate.module)
        origin = getattr(module, "__file__", None)
        if candidate.file is not None and (origin is None or not candidate.file.samefile(origin)):
            raise BrokenGameError(f"another module is called {candidate.module} and comes first: {origin}; rename it")
        if not hasattr(module, "GAME"):
            if candidate.file is not None:
                return    # a package that has the word in it, and no game
            raise BrokenGameError(f"the module {candidate.module} exports no GAME")
        game = module.GAME
        if isinstance(game, Game) and _belongs_elsewhere(game, candidate.module):
            return
        if isinstance(game, Game) and FIELDS["name"][0](game.name):
            name = game.name
        game = check_facts(game)
        if games.get(name) is game:
            return    # found in two ways
        if load(game.module) is not game:
            raise BrokenGameError(f"its record says module={game.module!r}, where there is another game; "
                                  f"write module=__name__")
        if name in games:
            raise BrokenGameError(f"there is a game of this name already, in {games[name].module}; choose another name")
        games[name] = game
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  (SystemExit, too: a game breaks only itself)
        _broken.append(BrokenGame(name, candidate.place, _describe(error)))


def _belongs_elsewhere(game: Game, module: str) -> bool:
    """Does a package only import this game from another module, which exports it?"""
    home = game.module
    return (isinstance(home, str) and home != module and not home.startswith(f"{module}.")
            and getattr(sys.modules.get(home), "GAME", None) is game)


def _describe(error: BaseException) -> str:
    """What was raised, in one line, with the place in the game where it happened."""
    try:
        words = " ".join(str(error).split())
    except Exception:  # noqa: BLE001  (an error that cannot be told)
        words = ""
    if isinstance(error, BrokenGameError):
        return words[:LONGEST_REASON]
    words = f"{type(error).__name__}: {words}" if words else type(error).__name__
    own = [frame for frame in traceback.extract_tb(error.__traceback__)
           if not frame.filename.startswith(OURS) and not re.search(r"importlib|\.pyx$", frame.filename)]
    place = f" ({Path(own[-1].filename).name}, line {own[-1].lineno})" if own else ""
    return words[:LONGEST_REASON] + ("" if isinstance(error, SyntaxError) else place)
