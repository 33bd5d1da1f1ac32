"""What can be set in an engine: the protocols' own settings, and every option of the search and of the game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from boyi.agents import spelling
from boyi.agents.searching import LARGEST, Algorithm
from boyi.core.errors import OptionError, shorten
from boyi.core.game import Game

Kind = Literal["check", "spin", "combo", "string", "button"]
Value = bool | int | float | str

MOST_LINES = 500
MOST_MILLISECONDS = 10_000
HASH_LIMIT_MB = 1 << 15
THREADS_LIMIT = 64


@dataclass(frozen=True)
class Setting:
    """One thing that can be set, in the kinds that UCI knows."""

    name: str
    kind: Kind
    default: Value = ""
    lowest: int = 0
    highest: int = 0
    choices: tuple[str, ...] = ()
    target: str = ""
    """The field of the search's options that it sets, or the rule (`rule:NAME`); empty for a protocol's own."""

    def read(self, text: str) -> Value:
        """The value that a text stands for; an `OptionError` says what would be one."""
        if self.kind == "check":
            if text.lower() in ("true", "false", "on", "off", "1", "0"):
                return text.lower() in ("true", "on", "1")
            raise OptionError(f"{self.name} is true or false, not {shorten(text)}")
        if self.kind == "spin":
            digits = text.removeprefix("-")
            if digits.isascii() and digits.isdigit() and len(digits) < 12 and self.lowest <= int(text) <= self.highest:
                return int(text)
            raise OptionError(f"{self.name} is a whole number from {self.lowest} to {self.highest}, "
                              f"not {shorten(text)}")
        if self.kind == "combo":
            for choice in self.choices:
                if choice.lower() == spelling.find(self.target, text.lower(), self.choices).lower():
                    return choice
            raise OptionError(f"{self.name} is one of {', '.join(self.choices)}, not {shorten(text)}")
        if isinstance(self.default, float):
            if len(text) < 30 and text.replace(".", "", 1).removeprefix("-").isdecimal() and text.isascii():
                return float(text)
            raise OptionError(f"{self.name} is a number, not {shorten(text)}")
        return text

    def show(self, value: Value) -> str:
        """A value in words of the protocols."""
        return str(value).lower() if isinstance(value, bool) else str(value)


def list_settings(game: Game, algorithm: Algorithm) -> Iterator[Setting]:
    """Everything that can be set for a game whatever the protocol, the well-known names first."""
    hints = get_type_hints(algorithm.options) if algorithm.options is not None else {}
    defaults: dict[str, Any] = {}
    if algorithm.options is not None:
        defaults = {part.name: part.default for part in fields(algorithm.options)}
    if "table_mb" in hints:
        yield Setting("Hash", "spin", defaults.pop("table_mb"), 0, HASH_LIMIT_MB, target="table_mb")
    elif "megabytes" in hints:
        yield Setting("Hash", "spin", defaults.pop("megabytes"), 1, HASH_LIMIT_MB, target="megabytes")
    yield Setting("Clear Hash", "button")
    if "threads" in hints:
        yield Setting("Threads", "spin", defaults.pop("threads"), 1, THREADS_LIMIT, target="threads")
    yield Setting("MultiPV", "spin", 1, 1, MOST_LINES)
    yield Setting("Move Overhead", "spin", 10, 0, MOST_MILLISECONDS)
    yield Setting("Ponder", "check", False)
    yield Setting("OwnBook", "check", False)
    evaluators = tuple(game.evaluators)
    if evaluators:
        plays = game.strongest if algorithm.for_two and game.strongest is not None else evaluators[0]
        yield Setting("Evaluator", "combo", plays, choices=evaluators, target="evaluator")
    for option in game.options:
        target = f"rule:{option.name}"
        if isinstance(option.default, bool):
            yield Setting(option.name, "check", option.default, target=target)
        elif isinstance(option.default, int):
            yield Setting(option.name, "spin", option.default, option.lowest, option.highest, target=target)
        else:
            yield Setting(option.name, "combo", option.default, choices=option.choices, target=target)
    for name, default in defaults.items():
        hint = hints[name]
        if get_origin(hint) in (Union, UnionType):
            (hint,) = (part for part in get_args(hint) if part is not NoneType)
        if default is None:
            continue          # left open: the search decides by itself
        if hint is bool:
            yield Setting(name, "check", default, target=name)
        elif get_origin(hint) is Literal:
            yield Setting(name, "combo", default, choices=get_args(hint), target=name)
        elif hint is int:
            yield Setting(name, "spin", default, -LARGEST, LARGEST, target=name)
        else:
            yield Setting(name, "string", default, target=name)
