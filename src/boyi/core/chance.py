"""Whether there is chance in a game: found out by a few short random games, so that its author need not say it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

from boyi.core.errors import BoyiError, BrokenRulesError
from boyi.core.position import CHANCE

if TYPE_CHECKING:
    from boyi.core.game import Game, Option, Value

__all__ = ["find_chance"]

WALKS = 3
"""Random games under each variant of the rules."""

WALK_PLIES = 100
"""The longest of them. Dice are mostly rolled at once; what comes later is met in play (`Game.meet_chance`)."""

ALL_PLIES = 300
"""All of them together: some 10 ms of a game in plain Python."""

MOST_NUMBERS = 8
"""An option that takes more numbers than these is left at its default: a board of a million points is no quick walk."""


def find_chance(game: Game) -> bool:
    """Does a game come to a turn of CHANCE, under any of its options? The same answer every time."""
    generator, left = random.Random(0), ALL_PLIES
    for _ in range(WALKS):
        for options in _variants(game):
            if left <= 0:
                return False
            found, plies = _walk(game, options, generator, min(left, WALK_PLIES))
            if found:
                return True
            left -= plies
    return False


def _walk(game: Game, options: dict[str, Value], generator: random.Random, plies: int) -> tuple[bool, int]:
    """Whether a random game comes to a turn of CHANCE, and how long it was."""
    ply = 0
    try:
        position = game.start(**options)
        while ply < plies:
            if position.turn == CHANCE:
                return True, ply
            moves = position.moves()
            if not moves:
                break
            position.play(generator.choice(moves))
            ply += 1
    except (BoyiError, BrokenRulesError, NotImplementedError):
        pass   # the rules are broken, which its players are told; here they are only asked for chance
    return False, ply + 1


def _variants(game: Game) -> Iterator[dict[str, Value]]:
    """The default rules, then every other value of each option."""
    yield {}
    for option in game.options:
        for value in _values(option):
            if value != option.default:
                yield {option.name: value}


def _values(option: Option) -> tuple[Value, ...]:
    if isinstance(option.default, bool):
        return (False, True)
    if isinstance(option.default, int):
        few = option.highest - option.lowest < MOST_NUMBERS
        return tuple(range(option.lowest, option.highest + 1)) if few else ()
    return option.choices
