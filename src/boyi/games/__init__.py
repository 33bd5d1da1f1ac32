"""The games: one folder each, found by looking, never listed.

A folder here, or a module or folder named by the entry-point group `boyi.games`
or found in a directory of the `BOYI_GAMES` path, is a game when it exports `GAME`.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from boyi.core.errors import UnknownNameError
from boyi.core.game import Game, game_directories, load

__all__ = ["all_games", "find_game", "listed_games"]


@cache
def all_games() -> dict[str, Game]:
    """Every game there is, by name, in the order in which they are listed."""
    from importlib.metadata import entry_points  # slow to load, and who asks for one of our own games does not need it

    modules = [f"{__name__}.{name}" for name in sorted(_folders())]
    modules += [entry.value for entry in entry_points(group="boyi.games")]
    modules += [found.name for found in pkgutil.iter_modules(game_directories())
                if found.ispkg and hasattr(importlib.import_module(found.name), "GAME")]
    games = sorted(map(load, modules), key=lambda game: game.order)
    return {game.name: game for game in games}


def listed_games() -> list[Game]:
    """The games that are offered in lists."""
    return [game for game in all_games().values() if game.listed]


def find_game(name: str) -> Game:
    """The game of that name."""
    if name in _folders():
        # A command about one game should not wait for the tables of all others.
        return load(f"{__name__}.{name}")
    games = all_games()
    if name not in games:
        raise UnknownNameError.among("game", name, games)
    return games[name]


@cache
def _folders() -> frozenset[str]:
    return frozenset(found.name for found in pkgutil.iter_modules(__path__) if found.ispkg)
