"""Commands of `boyi learn` that a game brings along (`learn.own`), found when they are needed.

To look for them loads all games, so that other commands are found first.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from functools import cached_property
from typing import Any

import typer
import typer.core

from boyi.cli._common import (
    FenOption,
    JsonOption,
    LanguageOption,
    MovesOption,
    make_position,
    print_json,
    read_language,
)
from boyi.cli._progress import Progress
from boyi.cli._table import print_table
from boyi.core.errors import BoyiWarning
from boyi.core.game import Game
from boyi.core.words import Language, Words
from boyi.games import all_games, is_own
from boyi.learn.needs import needs_extra
from boyi.learn.own import Answer, Command, find_learning

GIVEN = ("position", "on_progress")
"""Parameters of a command that are not options."""


class LearnGroup(typer.core.TyperGroup):
    """The group `learn`: its own commands, then those of games."""

    @cached_property
    def _of_games(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for game in all_games().values():
            try:
                found |= _commands(game)
            except Exception as error:
                if is_own(game):
                    raise
                warnings.warn(f"the commands that {game.name} brings for `boyi learn` are left out: "
                              f"{type(error).__name__}: {error}", BoyiWarning, stacklevel=2)
        return found

    def list_commands(self, ctx: Any) -> list[str]:
        return [*super().list_commands(ctx), *self._of_games]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return super().get_command(ctx, cmd_name) or self._of_games.get(cmd_name)


def _commands(game: Game) -> dict[str, Any]:
    """The commands of one game."""
    learning = find_learning(game)
    if learning is None or not learning.commands:
        return {}
    app = typer.Typer(rich_markup_mode=None)
    app.callback()(lambda: None)      # without one, typer makes no group of a single command
    for name, command in learning.commands.items():
        app.command(name)(_with_options(game.name, name, command))
    return dict(typer.main.get_group(app).commands)


def run(name: str, command: Command, arguments: dict[str, Any], as_json: bool, language: Language) -> None:
    """Run a command and print its answer."""
    with needs_extra("fitting an evaluator"), Progress(f"learn {name}") as progress:
        answer = command.run(**arguments, on_progress=progress.show)
    show(answer, as_json, language)


def show(answer: Answer, as_json: bool, language: Language) -> None:
    if as_json:
        print_json(answer.facts)
    else:
        if answer.rows:
            print_table([header.say(language) for header in answer.headers],
                        [[cell.say(language) if isinstance(cell, Words) else cell for cell in row]
                         for row in answer.rows], numbers=answer.numbers)
        for line in answer.lines:
            print(line.say(language))
    if answer.interrupted:
        raise typer.Exit(130)


def _with_options(game: str, name: str, command: Command) -> Callable[..., None]:
    """The function that typer makes a command of: its parameters, and those that all commands have."""
    def call(**words: Any) -> None:
        language, as_json = read_language(words.pop("language")), words.pop("as_json")
        if command.takes_position:
            fen, moves = words.pop("fen"), words.pop("moves")
            words["position"] = None if fen is None and moves is None else make_position(game, fen, [], moves)
        run(name, command, words, as_json, language)

    def option(name: str, default: object, annotation: Any) -> inspect.Parameter:
        return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)

    position = [option("fen", None, FenOption), option("moves", None, MovesOption)] if command.takes_position else []
    own = [option(parameter.name, parameter.default, parameter.annotation)
           for parameter in inspect.signature(command.run, eval_str=True).parameters.values()
           if parameter.name not in GIVEN]
    parameters = [*position, *own, option("as_json", False, JsonOption), option("language", None, LanguageOption)]
    call.__doc__ = command.run.__doc__
    call.__signature__ = inspect.Signature(parameters)   # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return call
