"""What only one game can learn from, found through the game.

A game names a module (`Game.learning`) that exports `LEARNING`: commands for `boyi learn` that make sense for this game
alone. They are functions that know nothing of the command line: it makes options of their parameters, shows how far
they have come, and prints their `Answer` in the language and the form that is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from boyi.core.game import Game
from boyi.core.words import Words

__all__ = ["Answer", "Command", "Learning", "fill", "find_learning"]


@dataclass(frozen=True)
class Answer:
    """What a command has to say."""

    facts: Mapping[str, Any]
    """For `--json`; the rest is for people."""

    headers: tuple[Words, ...] = ()
    rows: Sequence[Sequence[str | Words]] = ()
    """A table, if there are any."""

    numbers: tuple[int, ...] = ()
    """Its columns of numbers."""

    lines: tuple[Words, ...] = ()
    """Said after the table."""

    interrupted: bool = False
    """It was interrupted, and this is what there is."""


@dataclass(frozen=True)
class Command:
    """A command of one game."""

    run: Callable[..., Answer]
    """Its parameters have typer's annotations and become arguments and options, its docstring becomes the help. By
    keyword it is also given `on_progress`, to be called with a few words about how far it has come."""

    takes_position: bool = False
    """It is also given, by keyword, the `position` of `--fen` and `--moves`, or None without these options."""


@dataclass(frozen=True)
class Learning:
    """What a game can learn from."""

    commands: Mapping[str, Command] = field(default_factory=dict)
    evaluator: str = ""
    """The command that `boyi learn evaluator GAME FILE` stands for, with FILE as its first parameter, where the game's
    learnt evaluator is no network."""


def find_learning(game: Game) -> Learning | None:
    """What this game alone can learn from, if there is anything."""
    if game.learning is None:
        return None
    learning = import_module(game.learning).LEARNING
    if not isinstance(learning, Learning):
        raise TypeError(f"{game.learning}.LEARNING is not a boyi.learn.own.Learning")
    return learning


def fill(words: Words, **values: object) -> Words:
    """A text with its blanks filled.

    >>> fill(Words("{count} games", "{count} 局"), count=3).zh
    '3 局'
    """
    return Words(words.en.format(**values), words.zh.format(**values))
