"""Boyi 博弈: play, analyse, train and measure traditional board games.

>>> import boyi
>>> position = boyi.start("othello")
>>> position.play("f5")
>>> [position.format_move(move) for move in position.moves()]
['f4', 'd6', 'f6']
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from boyi.agents.agent import Agent, AgentError, Clock
    from boyi.agents.analysis import AnalysedLine, Analysis
    from boyi.agents.asking.async_engine import AsyncEngine
    from boyi.agents.asking.engine import Engine, analyse
    from boyi.arena.match import Match, play_match
    from boyi.arena.tournament import Tournament, play_tournament
    from boyi.core.searcher import Limits
    from boyi.learn.training.train import train
    from boyi.search.alphabeta import AlphaBeta
    from boyi.search.alphabeta_options import AlphaBetaOptions
    from boyi.search.expectimax import Expectimax
    from boyi.search.expectimax_options import ExpectimaxOptions
    from boyi.search.mcts import MCTS
    from boyi.search.mcts_options import MCTSOptions
    from boyi.search.multiplayer import Multiplayer
    from boyi.search.multiplayer_options import MultiplayerOptions

    __version__: str

# The public interface: these names and what they return keep to semantic versioning. docs/api.md describes them.
__all__ = [
    # games and positions
    "CHANCE", "OVER", "Game", "Options", "Outcome", "Position", "PythonPosition", "Words", "all_games", "find_game",
    "parse", "start",
    # records
    "Record", "read_records", "write_records",
    # asking
    "AnalysedLine", "Analysis", "AsyncEngine", "Engine", "analyse",
    # searching
    "AlphaBeta", "AlphaBetaOptions", "Expectimax", "ExpectimaxOptions", "Limits", "MCTS", "MCTSOptions", "Multiplayer",
    "MultiplayerOptions",
    # playing and measuring
    "Agent", "Clock", "Match", "Tournament", "play_match", "play_tournament",
    # learning
    "train",
    # counting
    "divide", "perft", "playout", "playouts",
    # errors
    "AgentError", "BoyiError", "IllegalMoveError", "OptionError", "RecordError", "TextError",
]

_LAZY = {
    "Agent": "agents.agent", "AgentError": "agents.agent", "Clock": "agents.agent",
    "AnalysedLine": "agents.analysis", "Analysis": "agents.analysis",
    "AsyncEngine": "agents.asking.async_engine", "Engine": "agents.asking.engine", "analyse": "agents.asking.engine",
    "Match": "arena.match", "play_match": "arena.match",
    "Tournament": "arena.tournament", "play_tournament": "arena.tournament",
    "Limits": "core.searcher", "train": "learn.training.train",
    "AlphaBeta": "search.alphabeta", "AlphaBetaOptions": "search.alphabeta_options",
    "Expectimax": "search.expectimax", "ExpectimaxOptions": "search.expectimax_options",
    "MCTS": "search.mcts", "MCTSOptions": "search.mcts_options",
    "Multiplayer": "search.multiplayer", "MultiplayerOptions": "search.multiplayer_options",
}
"""Names that are imported when first asked for, and the modules below this one that have them."""


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version
        return version(__name__)
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(importlib.import_module(f"{__name__}.{_LAZY[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """What is public, and not also every module that happens to be imported."""
    return sorted(__all__)


def _draw_text(position: Position) -> str:
    from boyi.kit.picture.text import draw  # when first needed
    return draw(position)


def _draw_svg(position: Position) -> str:
    from boyi.kit.picture.svg import draw
    return draw(position)


drawing.register_painter("text", _draw_text)
drawing.register_painter("svg", _draw_svg)


def start(game: str, **options: object) -> Position:
    """The start position of the game of that name.

    >>> start("chinese_checkers", players=3).players
    3
    """
    return find_game(game).start(**options)


def parse(game: str, text: str, **options: object) -> Position:
    """A position of the game of that name, from its text.

    >>> parse("tic_tac_toe", "XX-/OO-/---").turn
    0
    """
    return find_game(game).parse(text, **options)


def read_records(data: bytes | str, file_name: str = "", format_name: str | None = None) -> list[Record]:
    """The games that a file holds, in our own format or in any other that Boyi knows (`boyi record --help`).

    The format is recognised by the content and by what the file's name ends with.

    >>> record, = read_records("f5d6c3d3")
    >>> record.game.name, record.replay().ply
    ('othello', 4)
    """
    content = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    return formats.find_source(content, file_name, list(all_games().values()), format_name).read()


def write_records(records: Sequence[Record], format_name: str = formats.OWN, notation: str | None = None) -> bytes:
    """Games as a file of some format, with moves in some notation where the format leaves a choice.

    >>> write_records(read_records("f5d6c3d3"), "transcript")
    b'f5d6c3d3\\n'
    """
    return formats.write(records, format_name, notation, list(all_games().values()))
