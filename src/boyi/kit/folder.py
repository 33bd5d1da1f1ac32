"""The files that lie beside a game's code in its folder: `rules.md`, `introduction.toml`, `pictures.toml`,
`openings.toml`, `lessons/`.

A game need not have any of them. What is wrong in one that it has is said with the name of the file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.resources import files
from typing import Any

from boyi.core.errors import TextError, UnknownNameError, shorten
from boyi.core.game import Game
from boyi.core.words import Words

__all__ = ["list_files", "read_table", "read_text", "read_words", "refuse_unknown"]


def read_text(game: Game, name: str) -> str:
    """A text file of the game's folder; empty where there is none, or where the game is a single file."""
    if not hasattr(import_module(game.module), "__path__"):
        return ""     # what lies beside it belongs to others
    try:
        return (files(game.module) / name).read_text(encoding="utf-8")
    except OSError:
        return ""


def list_files(game: Game, folder: str, suffix: str) -> list[str]:
    """The names of files in a folder of the game's folder, sorted; none where there is no such folder."""
    if not hasattr(import_module(game.module), "__path__"):
        return []
    try:
        return sorted(file.name for file in (files(game.module) / folder).iterdir() if file.name.endswith(suffix))
    except OSError:
        return []


def read_table(game: Game, name: str) -> dict[str, Any]:
    """A TOML file of the game's folder; empty where there is none."""
    try:
        return tomllib.loads(read_text(game, name))
    except tomllib.TOMLDecodeError as error:
        raise TextError(f"{name} of {game.name} is not TOML: {error}") from error


def read_words(table: Mapping[str, Any], where: str) -> Words:
    """A text that a table has in both languages, as `en` and `zh`."""
    for language in ("en", "zh"):
        if not isinstance(table.get(language), str) or not table[language].strip():
            raise TextError(f"{where}: {language} is a text, not {shorten(table.get(language))}")
    return Words(_joined(table["en"]), _joined(table["zh"]))


def refuse_unknown(table: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    """Names in a table that mean nothing."""
    known = list(known)
    for name in table:
        if name not in known:
            raise TextError(f"{where}: {UnknownNameError.among('name', name, known)}")


def _joined(text: str) -> str:
    """Lines of a text put together: with a blank, but with none between Chinese characters.

    >>> _joined("a\\nb"), _joined("甲，\\n乙")
    ('a b', '甲，乙')
    """
    lines = [line.strip() for line in text.strip().splitlines()]
    joined = lines[0]
    for line in lines[1:]:
        joined += line if joined[-1:] > "\u2fff" or line[:1] > "\u2fff" else f" {line}"
    return joined
