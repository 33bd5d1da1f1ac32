"""Boyi 博弈: play, analyse, train and measure traditional board games.

>>> import boyi
>>> position = boyi.start("othello")
>>> position.play("f5")
>>> [position.format_move(move) for move in position.moves()]
['f4', 'd6', 'f6']
"""

from __future__ import annotations

from boyi.core.errors import BoyiError, IllegalMoveError, OptionError, RecordError, TextError
from boyi.core.game import Game, Options
from boyi.core.outcome import Outcome
from boyi.core.position import CHANCE, OVER, Position, PythonPosition
from boyi.core.words import Words
from boyi.games import all_games, find_game
from boyi.search.perft import divide, perft
from boyi.search.playout import playout, playouts

__all__ = [
    "CHANCE", "OVER", "BoyiError", "Game", "IllegalMoveError", "OptionError", "Options", "Outcome",
    "Position", "PythonPosition", "RecordError", "TextError", "Words", "all_games", "divide",
    "find_game", "parse", "perft", "playout", "playouts", "start",
]


def start(game: str, **options: object) -> Position:
    """The start position of the game of that name."""
    return find_game(game).start(**options)


def parse(game: str, text: str, **options: object) -> Position:
    """A position of the game of that name, from its text."""
    return find_game(game).parse(text, **options)
