"""What an environment begins with: a game by its name or a position, and numbers that are checked."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index

from boyi.core.errors import OptionError, shorten
from boyi.core.position import Position
from boyi.games import find_game

__all__ = ["find_start", "read_number"]


def find_start(game: str | Position, options: Mapping[str, object]) -> Position:
    """The position that every game of an environment begins from, which is the environment's own."""
    if isinstance(game, Position):
        if options:
            raise OptionError(f"a position has its options already, and {', '.join(options)} would be another's")
        start = game.copy()
    elif isinstance(game, str):
        start = find_game(game).start(**options)
    else:
        raise OptionError(f"{shorten(game)} is neither the name of a game nor a position")
    if start.outcome() is not None:
        raise OptionError(f"no game can begin from {start!r}: it is over")
    return start


def read_number(name: str, value: object, lowest: int, highest: int) -> int:
    """A whole number of any kind, also NumPy's."""
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        number = lowest - 1
    if isinstance(value, bool) or not lowest <= number <= highest:
        raise OptionError(f"{name}: {shorten(value)} is not a whole number from {lowest} to {highest}")
    return number
