"""What an engine is asked and answers.

A question holds a view (the start, the moves and the options as one seat knows them) and a level, and nothing else:
there is no secret within an engine's reach. It has a number, by which it can be stopped; every question gets one reply,
also one that was stopped: then with what was found so far, if anything was.
"""

from __future__ import annotations

from msgspec import Struct

from boyi.core.position import Position
from boyi.server.protocol.bodies import Analysis


class Question(Struct, frozen=True, tag="ask"):
    """What the AI is asked: for a move, or with `lines` what the best moves are worth."""

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
    number: int = 0
    """A worker is asked in the order of the numbers, and never under the same one twice."""


class Stop(Struct, frozen=True, tag="stop"):
    """The answer to a question is wanted now, as far as it has come, or not at all."""

    number: int


Told = Question | Stop
"""What a worker is told."""


class Reply(Struct, frozen=True):
    """What it answers: a move or an analysis, or why there is none."""

    move: str = ""
    error: str = ""
    analysis: Analysis | None = None
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
