"""What several commands need: their shared arguments, a position from the words of the command line, and JSON."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from boyi.core.errors import IllegalMoveError, OptionError, TextError, UnknownNameError, shorten
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.words import Language
from boyi.games import find_game

MOST_JOBS = 256

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="The game; `boyi games` lists them.")]
FenOption = Annotated[str | None, typer.Option("--fen", metavar="TEXT", help="Start from this position text.")]
MovesOption = Annotated[str | None, typer.Option(
    "--moves", metavar="MOVES", help="Play these moves first, separated by blanks or commas.")]
OptionsOption = Annotated[list[str] | None, typer.Option(
    "--option", metavar="NAME=VALUE", help="A rule option; may be given several times.")]
RulesOption = Annotated[str | None, typer.Option(
    "--rules", metavar="NAME", help="The rule set, short for --option rules=NAME.")]
JobsOption = Annotated[int | None, typer.Option(
    "--jobs", "-j", min=1, max=MOST_JOBS, help="The number of games played at the same time, each in a process; with "
    "agents limited in nodes they are the same games. One if not given, with --cluster as many as it has "
    "processors.")]
ClusterOption = Annotated[str | None, typer.Option(
    "--cluster", metavar="ADDRESS", help="Play on all machines of a Ray cluster, e.g. auto or 192.168.0.1:6379.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
LanguageOption = Annotated[str | None, typer.Option(
    "--language", metavar="zh|en", help="The language to speak; else that of the terminal (LANG).")]


@dataclass(frozen=True, kw_only=True)
class Start:
    """The options that say where a game begins."""

    fen: FenOption = None
    moves: MovesOption = None
    option: OptionsOption = None
    rules: RulesOption = None

    def options(self) -> dict[str, str]:
        """The rule options by name."""
        return read_options([*(self.option or []), *([] if self.rules is None else [f"rules={self.rules}"])])

    def start(self, game: str) -> Position:
        """The position before the moves."""
        record, options = find_game(game), self.options()
        return record.start(**options) if self.fen is None else record.parse(self.fen, **options)

    def position(self, game: str) -> Position:
        """The position after the moves."""
        position = self.start(game)
        for word in play_moves(position, self.moves):
            position.play(word)  # the game is over: let it say so
        return position


@dataclass(frozen=True, kw_only=True)
class Output:
    """The options that say how a command answers."""

    as_json: JsonOption = False
    language: LanguageOption = None

    @property
    def speech(self) -> Language:
        return read_language(self.language)


def read_options(pairs: Iterable[str]) -> dict[str, str]:
    """`NAME=VALUE` words as a mapping."""
    options = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise OptionError(f"option {shorten(pair)} is not of the form NAME=VALUE")
        if name in options:
            raise OptionError(f"option {shorten(name)} is given twice")
        options[name] = value
    return options


def split_moves(text: str) -> list[str]:
    """The moves in a text, separated by blanks or commas; move numbers (`12.`) are left out.

    >>> split_moves("1. h2e2, h9g7 2. h0g2")
    ['h2e2', 'h9g7', 'h0g2']
    """
    return [word for word in re.split(r"[\s,，、]+", text) if word and not re.fullmatch(r"[0-9]+\.+", word)]


def make_position(game: str, text: str | None, options: Iterable[str], moves: str | None = None,
                  rules: str | None = None) -> Position:
    """The position of `--fen`, `--option`, `--rules` and `--moves`."""
    return Start(fen=text, moves=moves, option=list(options), rules=rules).position(game)


def start_position(game: str, text: str | None, options: Iterable[str], rules: str | None) -> Position:
    """The position of `--fen`, `--option` and `--rules`."""
    return Start(fen=text, option=list(options), rules=rules).start(game)


def play_moves(position: Position, moves: str | None) -> list[str]:
    """Play the moves of `--moves` until the game is over; those that are left then."""
    words = split_moves(moves or "")
    for number, word in enumerate(words):
        if position.turn == OVER:
            return words[number:]
        try:
            position.play(word)
        except IllegalMoveError as error:
            raise IllegalMoveError(f"move {number + 1} of {shorten(moves)}: {error}") from error
        except TextError as error:
            raise TextError(f"move {number + 1} of {shorten(moves)}: {error}") from error
    return []


def read_language(choice: str | None) -> Language:
    """The language that was chosen, or else that of the environment."""
    if choice is None:
        names = ("BOYI_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
        place = next(filter(None, map(os.environ.get, names)), "")
        return "zh" if place.lower().startswith("zh") else "en"
    if choice == "zh":
        return "zh"
    if choice == "en":
        return "en"
    raise UnknownNameError.among("language", choice, ["zh", "en"])


def read_count(what: str, text: str, lowest: int, highest: int) -> int:
    """A whole number of the command line, refused in few words however long it is."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10 and lowest <= int(text) <= highest):
        raise TextError(f"{what} {shorten(text)} is not a whole number from {lowest} to {highest}")
    return int(text)


def name_turn(turn: int) -> int | str:
    """A turn as JSON has it: the number of a player, "chance" or "over"."""
    return "chance" if turn == CHANCE else "over" if turn == OVER else turn


def print_json_line(value: Any) -> None:
    """One line of JSON on standard output, at once: for commands that tell what happens while they run."""
    print(json.dumps(value, ensure_ascii=False), flush=True)


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    json.dump(value, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")
