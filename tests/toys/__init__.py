"""Small games for tests, in plain Python, with rules that none of ours has: chance, three players, no board."""

from __future__ import annotations

import boyi
from boyi.core.game import Game, load

TOYS = ("cards", "connect_four", "einstein", "line", "orchard", "picking", "pig", "race", "small_othello")


def find_game_or_toy(name: str) -> Game:
    """A toy, or one of our own games."""
    return load(f"{__name__}.{name}") if name in TOYS else boyi.find_game(name)
