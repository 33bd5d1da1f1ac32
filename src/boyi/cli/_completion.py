"""Shell completion: what may be typed for a value, told by its metavar or by the name of its parameter.

Typer completes commands and options; here are the values. Only a shell that completes pays for it (`cli.COMPLETING`).
To list the games none of them is loaded.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from typing import Any

import typer
from typer import _completion_classes as shells
from typer._click.shell_completion import CompletionItem, add_completion_class

from boyi.core.errors import BoyiError
from boyi.core.game import Game
from boyi.games import all_games, find_game, game_names

__all__ = ["complete_values"]

CHOICES = re.compile(r"[a-z]+(\|[a-z]+)+")
"""A metavar that lists all values: `zh|en`."""

Source = Callable[[typer.Context, str], Iterable[str]]
"""The values that may be meant, of a parameter in its context, by what has been typed of one."""


def complete_values(command: Any) -> None:
    """Let the parameters of a command, and of those below it, complete their values."""
    add_completion_class(WholeWordsBash, "bash")
    for below in getattr(command, "commands", {}).values():
        complete_values(below)
    for parameter in command.params:
        source = find_source(parameter.name, parameter.metavar or "")
        if source is not None:
            vars(parameter)["shell_complete"] = _items(source)


def find_source(name: str, metavar: str) -> Source | None:
    """Where the values of a parameter come from; None where anything may stand."""
    if CHOICES.fullmatch(metavar):
        return lambda context, typed: metavar.split("|")
    return BY_NAME.get(name) or BY_METAVAR.get(metavar.partition(" ")[0].partition("|")[0].rstrip("."))


def _items(source: Source) -> Callable[[typer.Context, str], list[CompletionItem]]:
    def complete(context: typer.Context, typed: str) -> list[CompletionItem]:
        try:
            return [CompletionItem(value) for value in source(context, typed) if value.startswith(typed)]
        except BoyiError:        # of a game that there is not: the command itself will say so
            return []
    return complete


# ---------------------------------------------------------------------- what there is

def _games(context: typer.Context, typed: str) -> Iterable[str]:
    return game_names()


def _agents(context: typer.Context, typed: str) -> Iterable[str]:
    """`lev` → `level:`, `level:` → `level:1` …, `mcts:nodes=8,` → `mcts:nodes=8,depth=` …"""
    from boyi.agents.spec import all_kinds, find_kind

    name, colon, settings = typed.partition(":")
    if not colon:
        return [f"{kind.name}:" if kind.leading else kind.name for kind in all_kinds().values()]
    kind = find_kind(name)
    if kind.leading is not None and "," not in settings:
        levels = _levels(context, settings) if kind.leading.name == "level" else ()
        return [f"{name}:{level}" for level in levels]
    before = typed[:-len(settings.rpartition(",")[2])] if settings.rpartition(",")[2] else typed
    return [f"{before}{parameter.name}=" for parameter in kind.parameters]


def _levels(context: typer.Context, typed: str) -> Iterable[str]:
    from boyi.core.level import DIFFICULTIES, MOST
    from boyi.kit.ladder import find_ladder

    game = _game(context)
    highest = MOST if game is None else len(find_ladder(game, game.start().players))
    return [*map(str, range(1, highest + 1)), *(one.name for one in DIFFICULTIES)]


def _seats(context: typer.Context, typed: str) -> Iterable[str]:
    """Agents with commas between them: the last of them."""
    before, comma, last = typed.rpartition(",")
    return [before + comma + agent for agent in _agents(context, last)]


def _game(context: typer.Context) -> Game | None:
    """The game that has been typed already; while an option waits for its value, the words are not yet assigned."""
    names = game_names()
    return next((find_game(word) for word in (context.params.get("game"), *context.args) if word in names), None)


def _rules(context: typer.Context, typed: str) -> Iterable[str]:
    game = _game(context)
    return [choice for option in (game.options if game else ()) if option.name == "rules" for choice in option.choices]


def _options(context: typer.Context, typed: str) -> Iterable[str]:
    """`NAME=`, and where the name is there, `NAME=VALUE`."""
    game = _game(context)
    for option in game.options if game else ():
        values = option.choices or (("on", "off") if isinstance(option.default, bool) else ())
        yield from ([f"{option.name}={value}" for value in values] if typed.startswith(f"{option.name}=") else
                    [f"{option.name}="])


def _notations(context: typer.Context, typed: str) -> Iterable[str]:
    game = _game(context)
    return game.notations if game else {name for one in all_games().values() for name in one.notations}


def _protocols(context: typer.Context, typed: str) -> Iterable[str]:
    from boyi.engine import list_protocols

    game = _game(context)
    return list_protocols(game) if game else ()


def _formats(context: typer.Context, typed: str) -> Iterable[str]:
    from boyi.core.formats import all_formats

    return all_formats(all_games().values())


BY_NAME: dict[str, Source] = {
    "rules": _rules, "option": _options, "notation": _notations, "protocol": _protocols,
}
BY_METAVAR: dict[str, Source] = {
    "GAME": _games, "AGENT": _agents, "SPEC": _agents, "AGENTS": _seats, "FORMAT": _formats, "LEVEL": _levels,
}


# ---------------------------------------------------------------------- bash

BREAKS = frozenset(":=")


class WholeWordsBash(shells.BashComplete):
    """Bash takes `level:5` and `rules=simple` for three words each, and replaces only the last of them."""

    def get_completion_args(self) -> tuple[list[str], str]:
        words = os.environ["COMP_WORDS"].split("\n")
        words, at = words[:int(os.environ["COMP_CWORD"]) + 1], 1
        while at < len(words):
            if at > 1 and ((words[at] and set(words[at]) <= BREAKS) or set(words[at - 1][-1:]) & BREAKS):
                words[at - 1:at + 1] = [words[at - 1] + words[at]]
            else:
                at += 1
        self._kept = words[-1][:max(map(words[-1].rfind, BREAKS)) + 1]
        return words[1:-1], words[-1]

    def format_completion(self, item: CompletionItem) -> str:
        return str(item.value).removeprefix(self._kept)
