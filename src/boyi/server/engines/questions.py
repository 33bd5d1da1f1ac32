"""What an engine is asked and answers.

A question holds a view (the start, the moves and the options as one seat knows them) and a level, and nothing else:
there is no secret within an engine's reach. It has a number, by which it can be stopped; every question gets one reply,
also one that was stopped: then with what was found so far, if anything was.

A live analysis is asked in slices. Its search stays in the engine between them, under the number of its stream, until
it is left or another position is asked about.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from boyi.core.position import Position
from boyi.server.protocol.live import LiveAnalysis
from boyi.server.protocol.study import Analysis


class Question(Struct, frozen=True, tag="ask"):
    """What the AI is asked: for a move, with `lines` what the best moves are worth, or to `compare` two moves."""

    module: str
    """Of the game."""

    options: dict[str, bool | int | str]
    start: str
    moves: list[int]
    agent: str
    seconds: float | None = None
    """What is left on the seat's clock; None without one."""

    increment_seconds: float = 0.0
    lines: int = 0
    nodes: int = 0
    compare: list[int] = []
    """Two moves: is the first as good as the second? Answered by `Reply.accepted`."""

    search_seconds: float = 0.0
    """With `lines`: how long to search, in place of nodes."""

    only: list[int] = []
    """With `lines`: the first moves to keep to; empty for all."""

    depths: int = 1
    """With `lines`: what each of the last depths found is wanted, this many at most."""

    notation: str = ""
    """With `lines`: in which the moves are written as well; empty for none."""

    number: int = 0
    """A worker is asked in the order of the numbers, and never under the same one twice."""


class Slice(Struct, frozen=True, tag="slice"):
    """Go on with the search of a stream for a while; begin it if it is new, or is about another position."""

    module: str
    options: dict[str, bool | int | str]
    start: str
    moves: list[int]
    stream: int
    lines: int
    threat: bool
    """What if the player to act passed?"""

    notation: str
    """In which the moves are written as well; empty for none."""

    lasts: float
    """Seconds."""

    table_mb: int
    """Memory for a search that is begun."""

    number: int = 0
    """As of a question."""


class Leave(Struct, frozen=True, tag="leave"):
    """A stream is closed: its search may end. There is no reply."""

    stream: int


class Stop(Struct, frozen=True, tag="stop"):
    """The answer to a question is wanted now, as far as it has come, or not at all."""

    number: int


Asked = Question | Slice
"""What a worker replies to."""

Told = Question | Slice | Leave | Stop
"""What a worker is told."""


class Reply(Struct, frozen=True):
    """What it answers: a move, an analysis, a comparison or how far a live analysis has come, or why there is none."""

    move: str = ""
    error: str = ""
    analysis: Analysis | None = None
    accepted: bool | None = None
    live: LiveAnalysis | None = None
    earlier: list[Analysis] = []
    """What the depths before the last one found, in order, if they are wanted."""

    number: int = 0
    """Of the question."""

    stopped: bool = False
    """It was told to stop, and had not finished."""


def ask_move(observation: Position, agent: str, seconds: float | None, increment_seconds: float) -> Question:
    """Which move does an agent choose?"""
    return Question(observation.game.module, dict(observation.options), observation.start_text, observation.history(),
                    agent, seconds, increment_seconds)


def ask_analysis(position: Position, lines: int, nodes: int) -> Question:
    """What are the best moves worth?"""
    return Question(position.game.module, dict(position.options), position.start_text, position.history(), "",
                    lines=lines, nodes=nodes)


def ask_hint(observation: Position, seconds: float, notation: str) -> Question:
    """What is the strongest move that can be found in this time?"""
    return Question(observation.game.module, dict(observation.options), observation.start_text, observation.history(),
                    "", lines=1, search_seconds=seconds, notation=notation)


def ask_slice(position: Position, stream: int, lines: int, *, threat: bool, notation: str, lasts: float,
              table_mb: int) -> Slice:
    """How far does the search of a stream come in this time?"""
    return Slice(position.game.module, dict(position.options), position.start_text, position.history(), stream, lines,
                 threat, notation, lasts, table_mb)


def ask_comparison(position: Position, move: int, expected: int, nodes: int) -> Question:
    """Is a move as good as the expected one?"""
    return Question(position.game.module, dict(position.options), position.start_text, position.history(), "",
                    nodes=nodes, compare=[move, expected])


def ask_search(position: Position, lines: int, seconds: float, only: tuple[int, ...], depths: int) -> Question:
    """What do the last depths of a search find?"""
    return msgspec.structs.replace(ask_analysis(position, lines, 0), search_seconds=seconds, only=list(only),
                                   depths=depths)
