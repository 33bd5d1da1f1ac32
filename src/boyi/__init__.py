"""Boyi 博弈: play, analyse, train and measure traditional board games.

>>> import boyi
>>> position = boyi.start("othello")
>>> position.play("f5")
>>> [position.format_move(move) for move in position.moves()]
['f4', 'd6', 'f6']
"""

from __future__ import annotations

from collections.abc import Sequence

from boyi.core import drawing, formats
from boyi.core.errors import BoyiError, IllegalMoveError, OptionError, RecordError, TextError
from boyi.core.game import Game, Options
from boyi.core.outcome import Outcome
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.python_position import PythonPosition
from boyi.core.record import Record
from boyi.core.words import Words
from boyi.games import all_games, find_game
from boyi.search.perft import divide, perft
from boyi.search.playout import playout, playouts

__all__ = [
    "CHANCE", "OVER", "BoyiError", "Game", "IllegalMoveError", "OptionError", "Options", "Outcome",
    "Position", "PythonPosition", "Record", "RecordError", "TextError", "Words", "all_games", "divide",
    "find_game", "parse", "perft", "playout", "playouts", "read_records", "start", "write_records",
]


def _draw_text(position: Position) -> str:
    from boyi.kit.picture.text import draw  # when first needed
    return draw(position)


def _draw_svg(position: Position) -> str:
    from boyi.kit.picture.svg import draw
    return draw(position)


drawing.register_painter("text", _draw_text)
drawing.register_painter("svg", _draw_svg)


def start(game: str, **options: object) -> Position:
    """The start position of the game of that name."""
    return find_game(game).start(**options)


def parse(game: str, text: str, **options: object) -> Position:
    """A position of the game of that name, from its text."""
    return find_game(game).parse(text, **options)


def read_records(data: bytes | str, file_name: str = "", format_name: str | None = None) -> list[Record]:
    """The games that a file holds, in our own format or in any other that Boyi knows (`boyi record --help`).

    The format is recognised by the content and by what the file's name ends with.
    """
    content = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    return formats.find_source(content, file_name, list(all_games().values()), format_name).read()


def write_records(records: Sequence[Record], format_name: str = formats.OWN, notation: str | None = None) -> bytes:
    """Games as a file of some format, with moves in some notation where the format leaves a choice."""
    return formats.write(records, format_name, notation, list(all_games().values()))
