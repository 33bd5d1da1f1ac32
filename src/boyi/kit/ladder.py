"""The ladder of a game: its levels from the first, which a beginner beats, to the highest, which is all there is.

The levels are facts of the game. Its author may state them (`Game.levels`); usually `boyi levels fit` found them, and
they stand in `levels.toml` in the game's folder, or in `NAME.levels.toml` beside a game of one file:

    [for_two]
    command = "boyi levels fit othello --games 100"
    date = "2026-11-18"

    [[for_two.levels]]
    attention = 0.2
    …
    rating = 140

and `for_more` in the same way for more than two players. A game with neither has `core.strength.default_ladder`.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from boyi.core.errors import OptionError, TextError, shorten
from boyi.core.game import Game, load
from boyi.core.level import DIFFICULTIES, FORMER, MOST, Level, find_difficulty
from boyi.core.strength import default_ladder
from boyi.core.words import Language, Words
from boyi.kit.folder import refuse_unknown

__all__ = ["FILE", "TAKES", "Ladder", "find_ladder", "ladder_file", "low_evaluator", "read_ladders", "read_number",
           "searches", "write_ladders"]

FILE = "levels.toml"

TAKES = f"a level: a whole number from 1 to {MOST}, or {', '.join(one.name for one in DIFFICULTIES)}"
"""What a level looks like where the game is not known, to end a sentence."""

TITLES = (
    Words("novice", "新手"), Words("beginner", "入门"), Words("casual player", "爱好者"),
    Words("regular player", "熟手"),
    Words("good player", "好手"), Words("strong player", "强手"), Words("expert", "高手"),
    Words("candidate master", "准大师"), Words("master", "大师"),
)
"""Shared out over the ladder from its first level to its highest."""

MEANINGS = (
    (225, Words("someone who learnt the rules today can beat it", "今天刚学会规则的人也能赢它")),
    (400, Words("beats someone who learnt the rules today", "能赢今天刚学会规则的人")),
    (600, Words("beats someone who has played a few games", "能赢下过几盘的人")),
    (800, Words("beats someone who has played for a month", "能赢学棋一个月的人")),
    (1050, Words("beats someone who has played for half a year", "能赢学棋半年的人")),
    (1350, Words("beats someone who plays every week", "能赢每周都下棋的人")),
    (1700, Words("beats a club player", "能赢棋社棋手")),
    (10**9, Words("beats a strong club player", "能赢棋社强手")),
)
"""What a rating below each number means; estimates, for no people were measured."""

EVERYTHING = Words("everything the engine has", "引擎全力以赴")


@dataclass(frozen=True)
class Ladder:
    """The levels of a game with some number of players."""

    levels: tuple[Level, ...]
    """From 1 up."""

    command: str = ""
    """That fitted them; empty for those that were not."""

    date: str = ""

    def __len__(self) -> int:
        return len(self.levels)

    def number(self, level: int | str) -> int:
        """The number of a level that is given as one or as a difficulty.

        Up to `FORMER` numbers beyond the ladder mean its highest: records and specs of version 0.1.0 have them.
        """
        if isinstance(level, str):
            return self.read(level)
        if not 1 <= level <= max(len(self), FORMER):
            raise OptionError(f"there is no level {level} here; levels go from 1 to {len(self)}")
        return min(level, len(self))

    def read(self, text: str, option: str = "") -> int:
        """The number of a level that is typed, as a number or by its name; an error names the option."""
        level = read_number(text)
        if level is None or (isinstance(level, int) and level > len(self)):
            names = ", ".join(one.name for one in DIFFICULTIES)
            raise OptionError(f"{option}{': ' if option else ''}{shorten(text)} is not a level: a whole number from 1 "
                              f"to {len(self)}, or {names}")
        if isinstance(level, int):
            return level
        return next(one.level(len(self)) for one in DIFFICULTIES if one.name == level)

    def find(self, level: int | str) -> Level:
        """The level of that number or name."""
        return self.levels[self.number(level) - 1]

    def title(self, number: int) -> Words:
        """What a player of this strength is called."""
        number = self.number(number)
        if len(self) == 1:
            return TITLES[-1]
        return TITLES[int((number - 1) / (len(self) - 1) * (len(TITLES) - 1) + 0.5)]

    def meaning(self, number: int) -> Words | None:
        """What to expect of it; None where nothing was measured."""
        level = self.find(number)
        if level.full:
            return EVERYTHING
        return None if level.rating is None else next(words for below, words in MEANINGS if level.rating < below)

    def write(self, number: int, language: Language) -> str:
        """A level for a line of text: its number and its title.

        >>> Ladder(tuple(Level(nodes) for nodes in range(1, 11))).write(10, "en")
        '10 (master)'
        """
        title = self.title(number).say(language)
        return f"{number} 级·{title}" if language == "zh" else f"{number} ({title})"

    def describe(self, number: int) -> Words:
        """All that there is to say of a level besides its number."""
        parts, meaning, rating = [self.title(number)], self.meaning(number), self.find(number).rating
        if meaning is not None:
            parts.append(meaning)
        if rating is not None:
            parts.append(Words(f"about {round(rating, -1):.0f} on this ladder", f"本阶梯约 {round(rating, -1):.0f} 分"))
        return Words("; ".join(part.en for part in parts), "；".join(part.zh for part in parts))


def read_number(text: str) -> int | str | None:
    """A level as it is typed where no game is known: a number, or the name of a difficulty; None if it is neither.

    >>> read_number(" 7 "), read_number("中级"), read_number("0")
    (7, 'medium', None)
    """
    named, typed = find_difficulty(text), text.strip()
    if named is not None:
        return named.name
    if typed.isascii() and typed.isdigit() and len(typed) <= 3 and 1 <= int(typed) <= MOST:
        return int(typed)
    return None


def find_ladder(game: Game, players: int = 2) -> Ladder:
    """The ladder of a game with this number of players."""
    stated = game.levels if players == 2 else game.levels_for_more
    if stated:
        return Ladder(stated)
    if getattr(sys.modules.get(game.module), "GAME", None) is game:     # and not a variant, which was not measured
        found = _read_file(game.module).get("for_two" if players == 2 else "for_more")
        if found is not None:
            return found
    return Ladder(default_ladder(evaluator=low_evaluator(game), searches=searches(game)))


def low_evaluator(game: Game) -> str | None:
    """What low levels ask: the game's first evaluator."""
    return next(iter(game.evaluators), None)


def searches(game: Game) -> bool:
    """Does the game's own search compare static values, and not random games?"""
    return bool(game.evaluators) or game.search is not None


# ---------------------------------------------------------------------- the file

NAMES = [one.name for one in fields(Level)]


def ladder_file(game: Game) -> Path | None:
    """Where the ladder of a game stands: in its folder, or beside a game of one file; None for one without a file."""
    module = import_module(game.module)
    if getattr(module, "__file__", None) is None:
        return None
    code = Path(str(module.__file__))
    return code.with_name(FILE) if hasattr(module, "__path__") else code.with_suffix(f".{FILE}")


@cache
def _read_file(module: str) -> dict[str, Ladder]:
    """By number of players, the ladders that a game comes with. They are read once."""
    return read_ladders(load(module))


def read_ladders(game: Game) -> dict[str, Ladder]:
    """What stands in the file of a game: ladders `for_two` and `for_more`, if they were fitted."""
    file = ladder_file(game)
    if file is None:
        return {}
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TextError(f"{file.name} of {game.name} is not TOML: {error}") from error
    refuse_unknown(table, ("for_two", "for_more"), f"{file.name} of {game.name}")
    return {name: _read_ladder(part, f"{file.name} of {game.name}, {name}") for name, part in table.items()}


def _read_ladder(table: object, where: str) -> Ladder:
    if not isinstance(table, Mapping) or not isinstance(table.get("levels"), list):
        raise TextError(f"{where}: there are no levels")
    refuse_unknown(table, ("command", "date", "levels"), where)
    levels = table["levels"]
    if not 1 <= len(levels) <= MOST:
        raise TextError(f"{where}: a ladder has 1 to {MOST} levels, not {len(levels)}")
    return Ladder(tuple(_read_level(one, f"{where}, level {number}") for number, one in enumerate(levels, 1)),
                  str(table.get("command", "")), str(table.get("date", "")))


def _read_level(table: object, where: str) -> Level:
    if not isinstance(table, Mapping):
        raise TextError(f"{where}: {shorten(table)} is not a table")
    refuse_unknown(table, NAMES, where)
    values: dict[str, Any] = {"nodes": 0, **table}
    for name, value in values.items():
        right = (isinstance(value, str) if name == "evaluator" else
                 isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
                 and (isinstance(value, int) or name in ("temperature", "attention", "rating", "score")))
        if not right:
            raise TextError(f"{where}: {shorten(value)} is no value of {name}")
    return Level(**values)


def write_ladders(ladders: Mapping[str, Ladder]) -> str:
    """The text of the file, which `read_ladders` reads back."""
    lines = ["# How strong the levels are, written by `boyi levels fit`: see docs/search.md, Levels."]
    for name, one in ladders.items():
        lines += ["", f"[{name}]", f"command = {_write(one.command)}", f"date = {_write(one.date)}"]
        for level in one.levels:
            lines += ["", f"[[{name}.levels]]", *_write_level(level)]
    return "\n".join(lines) + "\n"


def _write_level(level: Level) -> Sequence[str]:
    lines = []
    for one in fields(Level):
        value = getattr(level, one.name)
        if one.default is MISSING or value != one.default:
            lines.append(f"{one.name} = {_write(value)}")
    return lines


def _write(value: str | float) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return repr(value)
