"""A game under some rules."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from boyi.core.game import Game, Option, Value
from boyi.core.position import Position

__all__ = ["Case", "cases_of"]


@dataclass(frozen=True)
class Case:
    """A game and the options that differ from its defaults.

    >>> import boyi
    >>> case = Case(boyi.find_game("chinese_checkers"), (("players", 3),))
    >>> str(case), case.start().players, case.walk(seed=1, plies=4).ply
    ('chinese_checkers players=3', 3, 4)
    """

    game: Game
    options: tuple[tuple[str, Value], ...] = ()

    def __str__(self) -> str:
        return " ".join([self.game.name, *(f"{name}={value}" for name, value in self.options)])

    def start(self) -> Position:
        return self.game.start(**dict(self.options))

    def parse(self, text: str) -> Position:
        return self.game.parse(text, **dict(self.options))

    def walk(self, seed: int, plies: int) -> Position:
        """The position after some random moves, or earlier if the game ends."""
        rng = random.Random(seed)
        position = self.start()
        for _ in range(plies):
            moves = position.moves()
            if not moves:
                break
            position.play(rng.choice(moves))
        return position


def cases_of(game: Game) -> Iterator[Case]:
    """The game under its default rules, and then under every other value of each option that changes them in kind.

    >>> import boyi
    >>> [str(case) for case in cases_of(boyi.find_game("tic_tac_toe"))]
    ['tic_tac_toe']
    """
    yield Case(game)
    for option in game.options:
        for value in _values(option):
            if value != option.default:
                yield Case(game, ((option.name, value),))


def _values(option: Option) -> tuple[Value, ...]:
    """Each choice, both truths, every number of players; other numbers are a matter of degree."""
    if isinstance(option.default, bool):
        return False, True
    if isinstance(option.default, int):
        return tuple(range(option.lowest, option.highest + 1)) if option.name == "players" else ()
    return option.choices
