"""What an engine is asked and answers.

A question holds a view (the start, the moves and the options as one seat knows them) and a level, and nothing else:
there is no secret within an engine's reach.
"""

from __future__ import annotations

from msgspec import Struct

from boyi.core.position import Position
from boyi.server.protocol.bodies import Analysis


class Question(Struct, frozen=True):
    """What the AI is asked: for a move, or with `lines` what the best moves are worth."""

    module: str
    """Of the game."""

    options: dict[str, bool | int | str]
    start: str
    moves: list[int]
    agent: str
    seconds: float | None = None
    increment_seconds: float = 0.0
    lines: int = 0
    nodes: int = 0


class Reply(Struct, frozen=True):
    """What it answers: a move or an analysis, or why there is none."""

    move: str = ""
    error: str = ""
    analysis: Analysis | None = None


def ask_move(observation: Position, agent: str, seconds: float | None, increment_seconds: float) -> Question:
    """Which move does an agent choose?"""
    return Question(observation.game.module, dict(observation.options), observation.start_text, observation.history(),
                    agent, seconds, increment_seconds)


def ask_analysis(position: Position, lines: int, nodes: int) -> Question:
    """What are the best moves worth?"""
    return Question(position.game.module, dict(position.options), position.start_text, position.history(), "",
                    lines=lines, nodes=nodes)
