"""An engine to be asked about positions: one of our searches or levels, a program of others, any agent by its spec.

>>> import boyi
>>> position = boyi.parse("tic_tac_toe", "XX-/OO-/---")
>>> with Engine("alphabeta:depth=4") as engine:
...     position.format_move(engine.play(position))
'c1'
"""

from __future__ import annotations

from types import TracebackType
from typing import Self

from boyi.agents.agent import AgentError, Clock, ask_for_analysis, close_agent, stop_agent
from boyi.agents.analysis import Analysis, observe_turn
from boyi.agents.searching import find_default
from boyi.agents.spec import read_spec
from boyi.core.errors import OptionError, TextError, shorten
from boyi.core.position import Position
from boyi.core.searcher import Limits
from boyi.games import all_games, find_readers

__all__ = ["Engine", "analyse"]

DEFAULT_LINES = 3

def analyse(position: Position | str, *, seconds: float | None = None, nodes: int | None = None,
            depth: int | None = None, lines: int = DEFAULT_LINES, search: str | None = None) -> Analysis:
    """Compare the best moves of a position: their values, the odds, what is expected to follow.

    The position may be given as the name of a game, for its start, or as a text by which one game can tell its
    positions. The search takes a second unless a limit is given; `search` names one, as in `mcts` or
    `uci:fairy-stockfish`, else it is the one that suits the game.

    >>> import boyi
    >>> analysis = boyi.analyse("3k5/9/9/9/9/9/9/4R4/9/4K4 w - - 0 1", depth=3, lines=2)
    >>> analysis.lines[0].texts, analysis.lines[0].mate_in
    (('e2d2',), 1)
    """
    asked = read_position(position) if isinstance(position, str) else position
    with Engine(search or find_default(asked).name) as engine:
        return engine.analyse(asked, seconds=seconds, nodes=nodes, depth=depth, lines=lines)


class Engine:
    """An engine or any other agent, by its spec: `uci:fairy-stockfish`, `level:5`, `mcts:nodes=800`.

    It answers one question at a time. What it holds, such as a process, ends with `close` or when a `with` is left.

    >>> import boyi
    >>> with boyi.Engine("level:3") as engine:
    ...     move = engine.play(boyi.start("othello"))
    ...     analysis = engine.analyse(boyi.start("othello"), nodes=1000, lines=2)
    >>> len(analysis.lines)
    2
    """

    def __init__(self, spec: str) -> None:
        self._spec = read_spec(spec, trusted=True)
        if self._spec.kind.name == "human":
            raise OptionError("a human is no engine; `boyi play` is for people")
        self._agent = self._spec.make()
        self._suits: tuple[object, ...] | None = None
        """The game and the rules that it has been found to play."""

    def __repr__(self) -> str:
        return f"Engine({str(self._spec)!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def play(self, position: Position, *, seconds: float | None = None, nodes: int | None = None) -> int:
        """Its move, which is not yet played: `position.play` does that.

        Limits are for this move, and those of the spec hold besides; without any it thinks for about a second.
        """
        observation = self._observe(position)
        move = self._agent.choose(observation, Clock(move_seconds=seconds, nodes=nodes))
        if not position.is_legal(move):
            raise AgentError(f"{self._spec} plays {shorten(move)}, which is no legal move", "illegal_move")
        return move

    def analyse(self, position: Position, *, seconds: float | None = None, nodes: int | None = None,
                depth: int | None = None, lines: int = DEFAULT_LINES) -> Analysis:
        """Its best moves, at most `lines`, and what it expects to follow.

        Without a limit those of the spec hold, or else it thinks for a second.
        """
        limits = None
        if (seconds, nodes, depth) != (None, None, None):
            limits = Limits(seconds=seconds, nodes=nodes, depth=depth)
        return ask_for_analysis(self._agent, str(self._spec), self._observe(position), limits, lines)

    def _observe(self, position: Position) -> Position:
        """What the player to act knows; refused where the engine does not play the game."""
        rules = position.game, position.options
        if rules != self._suits:
            self._spec.check(position)
            self._suits = rules
        return observe_turn(position)

    def stop(self) -> None:
        """From another thread: have it answer soon. One that cannot goes on; a program of others is ended."""
        stop_agent(self._agent)

    def close(self) -> None:
        """Let go of what it holds. It can still be asked, and then begins anew."""
        close_agent(self._agent)


def read_position(text: str) -> Position:
    """The start of the game of that name, or the position that a text describes in the one game that can read it."""
    games = all_games()
    if text in games:
        return games[text].start()
    readers = find_readers(text)
    if len(readers) != 1:
        raise TextError(f"{shorten(text, 100)} is neither a game nor a position of one; there are: {', '.join(games)}"
                        if not readers else f"that could be a position of "
                        f"{' or of '.join(game.name for game in readers)}; say which: boyi.parse(game, text)")
    return readers[0].parse(text)
