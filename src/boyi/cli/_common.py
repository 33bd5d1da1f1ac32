"""What several commands need: a position from the words of the command line, and JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

from boyi.core.errors import OptionError, shorten
from boyi.core.position import Position
from boyi.games import find_game


def read_options(pairs: Iterable[str]) -> dict[str, str]:
    """`NAME=VALUE` words as a mapping."""
    options = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise OptionError(f"option {shorten(pair)} is not of the form NAME=VALUE")
        if name in options:
            raise OptionError(f"option {name} is given twice")
        options[name] = value
    return options


def make_position(game: str, text: str | None, options: Iterable[str], moves: str | None = None) -> Position:
    """The position of `--fen`, `--option` and `--moves`."""
    record = find_game(game)
    chosen = read_options(options)
    position = record.parse(text, **chosen) if text is not None else record.start(**chosen)
    for word in (moves or "").split():
        position.play(word)
    return position


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    json.dump(value, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")
