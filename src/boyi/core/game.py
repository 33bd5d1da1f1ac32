"""A game as a frozen record of facts and parts.

Everything that is not a rule reads it: the command line, the arena, the
server, the documentation. A game's folder exports one, named `GAME`.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, overload, runtime_checkable

from boyi.core.board import Board
from boyi.core.dialect import Dialect
from boyi.core.errors import OptionError, TextError, UnknownNameError, shorten
from boyi.core.level import Level
from boyi.core.words import Words

if TYPE_CHECKING:
    from boyi.core.draws import Draws
    from boyi.core.encoder import Encoder
    from boyi.core.evaluator import Evaluator
    from boyi.core.formats import RecordFormat
    from boyi.core.loose import Writing
    from boyi.core.position import Position
    from boyi.core.puzzles import PuzzleFacts
    from boyi.core.searcher import Finisher
    from boyi.core.setup import Setup
    from boyi.core.token import Token

Value = bool | int | str

POINTS = Words("points", "分")
"""The unit of values where a game names none."""


class Options(Mapping[str, Value]):
    """The rule options of one position: complete, checked and immutable.

    >>> import boyi
    >>> boyi.start("chinese_checkers", players=3).options["players"]
    3
    """

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Value]) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> Value:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(tuple(sorted(self._values.items())))

    def __repr__(self) -> str:
        return f"Options({self._values})"


@dataclass(frozen=True)
class Option:
    """A rule that can be played in more than one way.

    >>> players = Option("players", 2, Words("how many play", "人数"), lowest=2, highest=6)
    >>> players.read("4")
    4
    """

    name: str
    default: Value
    help: Words
    """A sentence that explains it."""

    choices: tuple[str, ...] = ()
    """For a text: the values it takes."""

    lowest: int = 0
    highest: int = 1_000_000
    is_limit: bool = False
    """Does it only say when a long game ends? What was learnt under one limit may be tried under another."""

    title: Words | None = None
    """A short name for forms; without one the explanation stands there."""

    titles: tuple[Words, ...] = ()
    """For a text: its values in words, in the order of `choices`; without them they are shown as they are."""

    meanings: tuple[Words, ...] = ()
    """For a text: a sentence on each value."""

    def read(self, value: object) -> Value:
        """Check a value, given as itself or as text, and return it in its own type."""
        if isinstance(self.default, bool):
            truth = {"true": True, "yes": True, "on": True, "1": True,
                     "false": False, "no": False, "off": False, "0": False}
            if isinstance(value, bool):
                return value
            if isinstance(value, str) and value.lower() in truth:
                return truth[value.lower()]
            raise OptionError(f"option {self.name}: {shorten(value)} is neither true nor false")
        if isinstance(self.default, int):
            number = _whole_number(value)
            if number is None or not self.lowest <= number <= self.highest:
                raise OptionError(f"option {self.name}: {shorten(value)} is not a whole number "
                                  f"from {self.lowest} to {self.highest}")
            return number
        if isinstance(value, str) and value in self.choices:
            return value
        raise OptionError(f"option {self.name}: {shorten(value)} is not one of "
                          f"{', '.join(self.choices)}")


def _any_text(text: str) -> bool:
    return True


def _whole_number(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.isascii() and value.removeprefix("-").isdigit() and len(value) < 12:
        return int(value)
    return None


class Notation(Protocol):
    """A way to write moves: one writer and one reader, each for a given position.

    >>> import boyi
    >>> position = boyi.start("xiangqi")
    >>> position.game.notations["wxf"].format(position, position.parse_move("h2e2"))
    'C2=5'
    """

    def format(self, position: Position, move: int) -> str: ...

    def parse(self, position: Position, text: str) -> int: ...


@runtime_checkable
class TellingNotation(Notation, Protocol):
    """A notation that can also tell what chance added to a move."""

    def format_moves(self, position: Position, moves: Sequence[int]) -> str: ...

    def parse_moves(self, position: Position, text: str) -> tuple[int, ...]: ...


@dataclass(frozen=True)
class NotationGuide:
    """How readers choose among the notations of a game.

    >>> import boyi
    >>> boyi.find_game("xiangqi").notation_guide.titles["wxf"].en
    'WXF'
    """

    family: str
    """Games of one family share the reader's choice."""

    titles: Mapping[str, Words]
    """What each notation is called, the position's own writing under the empty name; those left out are not offered."""

    usual: Words
    """By language, the name of the notation for readers who have chosen none."""

    example: str
    """A move of the start in the position's own writing, to show each notation by."""


class _HasChance:
    """`Game.has_chance`: what the game states; what it leaves out is found out when somebody first asks."""

    @overload
    def __get__(self, game: None, kind: type[Game]) -> None: ...
    @overload
    def __get__(self, game: Game, kind: type[Game]) -> bool: ...
    def __get__(self, game: Game | None, kind: type[Game]) -> bool | None:
        if game is None:
            return None   # the default of the field: nothing is stated
        known = game.__dict__
        if known["has_chance"] is None:
            from boyi.core.chance import find_chance
            known["has_chance"] = find_chance(game)
        return bool(known["has_chance"])

    def __set__(self, game: Game, stated: bool | None) -> None:
        game.__dict__["has_chance"] = game.__dict__["stated_chance"] = stated


@dataclass(frozen=True)
class Game:
    """One game: its names, its rules as code, its look and its words.

    >>> import boyi
    >>> game = boyi.find_game("othello")
    >>> game.title.zh, game.start().players, "patterns" in game.evaluators
    ('黑白棋', 2, True)
    """

    name: str
    """The name on the command line; also the name of the game's folder."""

    title: Words
    position: Callable[[Game, Options], Position]
    """Makes the start position: the game's `Position` class."""

    board: Callable[[Options], Board]
    module: str
    """The module that exports this record as `GAME` (how a worker process finds it)."""

    rules_version: int = 1
    """Grows when the same moves would give another result."""

    has_chance: _HasChance = _HasChance()
    """Whether anything is drawn while it is played, under any of its options; a bool. Searches are chosen by it. It may
    be left out: a turn of CHANCE is enough, and `core.chance` finds it out. A compiled game states it."""

    finished_is_leaf: bool = False
    """Whether perft counts a game that ended early as one leaf, as is the custom in Othello."""

    draws: Draws | None = None
    """How chance is drawn from a committed secret; None: as `core.draws.Draws` does."""

    options: tuple[Option, ...] = ()
    presets: Mapping[str, Mapping[str, Mapping[str, Value]]] = field(default_factory=dict)
    """`presets[option][value]` are the defaults of other options under that value."""

    evaluators: Mapping[str, Callable[[], Evaluator]] = field(default_factory=dict)
    """What estimates the value of a position, by name. The first is for any number of players."""

    unit: Words = POINTS
    """What values are counted in, in the plural: pawns, discs, steps. Evaluators count in hundredths of it
    (`core.searcher.HUNDREDTHS`)."""

    strongest: str | None = None
    """The evaluator that plays between two where none is named; None: the first."""

    strongest_for_more: str | None = None
    """The same for searches for any number of players."""

    search: str | None = None
    """The search that plays it when none is named; None: one that suits what the game says of itself
    (`agents.searching.find_default`)."""

    search_for_more: str | None = None
    """The same with more than two players; None: `search`."""

    finisher: Callable[[int], Finisher] | None = None
    """What plays the end of the game where it can be solved, for agents that are told to ask it (`endings=on`). It is
    made for this number of threads, which it need not use."""

    finishes: bool = False
    """Do agents ask it that are told nothing?"""

    encoder: Callable[[Options], Encoder] | None = None
    """What networks see of a position under some options; None: the stones on the board, see `make_encoder`."""

    moves_without_points: int = 1
    """How many moves that touch no point (roll, hold, pass) a player may have at once. The encoder that is made of the
    board tells them apart by their numbers, modulo this one."""

    notations: Mapping[str, Notation] = field(default_factory=dict)
    """Other ways to write moves than the position's own, by name."""

    notation_guide: NotationGuide | None = None
    """How readers choose among them; None: each is called by its name, and the position's own is the usual one."""

    writings: tuple[Writing, ...] = ()
    """What moves look like in text that people paste, one way after the other; none: words in any of the notations."""

    formats: Mapping[str, RecordFormat] = field(default_factory=dict)
    """Foreign formats of records that can be read, and perhaps written, by name."""

    tally: Callable[[Position], Sequence[Token]] | None = None
    """What is counted beside the players, as far as the viewer of a position knows: pieces taken, material, discs,
    steps to go. Each belongs to a seat. None: nothing but `Position.tokens`."""

    setup: Setup | None = None
    """How positions are set up by hand; None: only by their text."""

    levels: tuple[Level, ...] = ()
    """How strong `level:1` and those above it are with two players, where the author says so. Usually that was measured
    and stands in a file beside the game, see `kit.ladder`."""

    levels_for_more: tuple[Level, ...] = ()
    """The same with more than two players."""

    protocols: Mapping[str, Dialect] = field(default_factory=dict)
    """The outside protocols (`uci`, `gtp`, …) that the game is played by, each with the dialect that its programs
    speak; the first is the one that `boyi engine` speaks unless told otherwise."""

    quiet_plies_field: int | None = None
    """Which word of the position text, counted from 0, counts the plies that lead to a draw when nothing happens. Set
    to 0 it lets a game go on elsewhere that our rules have ended. None where there is no such count."""

    owns_text: Callable[[str], bool] = _any_text
    """Is a position text that the game can read one of its own, if another game can read it, too? Jieqi reads those of
    xiangqi, and they are xiangqi's all the same."""

    order: int = 100
    """The game's place in lists, before those with a larger number."""

    listed: bool = True
    """Whether lists offer the game: the lobby, `boyi games`. One that is not listed can be played by its name."""

    template: str = ""
    """`boyi new` copies the game that names here the file with its test; see `games/tic_tac_toe`."""

    puzzles: PuzzleFacts | None = None
    """What the game knows about its puzzles, those that come with it among that; None: nothing of its own."""

    learning: str | None = None
    """The module with what only this game can learn from, if there is anything; `boyi.learn.own` looks into it."""

    def resolve(self, values: Mapping[str, object] | None = None) -> Options:
        """Check the given options and fill in the rest."""
        values = dict(values or {})
        known = {option.name: option for option in self.options}
        for name in values:
            if name not in known:
                raise OptionError(str(UnknownNameError.among(f"option of {self.name}", name, known))
                                  if known else f"{self.name} has no options, not even {shorten(name)}")
        chosen = {option.name: option.read(values.get(option.name, option.default))
                  for option in self.options}
        for option_name, presets in self.presets.items():
            for name, default in presets.get(str(chosen[option_name]), {}).items():
                if name not in values:
                    chosen[name] = default
        return Options(chosen)

    def start(self, **options: object) -> Position:
        """The position a game begins with."""
        return self.position(self, self.resolve(options))

    def parse(self, text: str, **options: object) -> Position:
        """The position that a text describes."""
        position = self.start(**options)
        position.set_text(text)
        return position

    def meet_chance(self) -> bool:
        """A position of the game came to a turn of CHANCE: from now on it is known that there is chance in it.

        False, and nothing is known, if the game states that there is none.
        """
        if self.__dict__["stated_chance"] is False:
            return False
        self.__dict__["has_chance"] = True
        return True

    def make_encoder(self, options: Options) -> Encoder:
        """The encoder for positions under these options: the game's own, or one that sees the stones on the board."""
        if self.encoder is not None:
            return self.encoder(options)
        from boyi.core.board_encoder import BoardEncoder
        return BoardEncoder(self, options)

    def read_move(self, position: Position, text: str) -> tuple[int, ...]:
        """Understand a move in the position's own writing or, where it is not that, in another notation of the game.

        A well-formed move that is illegal stays illegal, even if it would be legal read
        otherwise (xiangqi's ranks from 0 and from 1). More than one move comes back
        where the text also tells what chance added (jieqi).
        """
        try:
            return position.parse_moves(text)
        except TextError as own:
            for notation in self.notations.values():
                try:
                    if isinstance(notation, TellingNotation):
                        return notation.parse_moves(position, text)
                    return (notation.parse(position, text),)
                except TextError:
                    continue
            raise own

    def write_move(self, position: Position, move: int, notation: str | None = None) -> str:
        """A move as it is written in that notation, or (None) in the position's own writing."""
        return position.format_move(move) if notation is None else self.notation(notation).format(position, move)

    def notation(self, name: str) -> Notation:
        if name not in self.notations:
            raise UnknownNameError.among(f"notation of {self.name}", name, self.notations)
        return self.notations[name]

    def __reduce__(self) -> tuple[Callable[[str], Game], tuple[str]]:
        return load, (self.module,)


def game_directories() -> list[str]:
    """The directories of the `BOYI_GAMES` path, from now on importable.

    A worker process that is sent a position imports its game by name, without having looked for games.
    """
    directories = [directory for directory in os.environ.get("BOYI_GAMES", "").split(os.pathsep) if directory]
    sys.path += [directory for directory in directories if directory not in sys.path]
    return directories


def load(module: str) -> Game:
    """The game that a module exports."""
    game_directories()
    game = importlib.import_module(module).GAME
    if not isinstance(game, Game):
        raise TypeError(f"{module}.GAME is not a boyi.core.game.Game")
    return game


def belongs_to_another(part: type, game: Game) -> bool:
    """Does this class live in the package of another game, whose positions have fields that this game's have not?"""
    home = part.__module__.rpartition(".")[0]
    return home != game.module and isinstance(getattr(sys.modules.get(home), "GAME", None), Game)


def restore(game: Game, options: Mapping[str, object], text: str, moves: Sequence[int]) -> Position:
    """A position from what travels between processes: its start and the moves since."""
    position = game.parse(text, **options)
    for move in moves:
        position.play(move)
    return position
