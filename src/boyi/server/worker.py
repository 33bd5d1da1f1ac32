"""A process that chooses moves for the AI: a line of JSON comes in, a line goes out.

It is given a view (the start, the moves and the options as one seat knows them) and a level, and nothing
else: there is no secret in its reach. Each question gets a new agent, so that nothing is carried over
from one seat's knowledge to another's.
"""

from __future__ import annotations

import sys

import msgspec
from msgspec import Struct

from boyi.agents.agent import Clock
from boyi.agents.searching import expect, find_default
from boyi.agents.spec import make_agent
from boyi.core.errors import BoyiError
from boyi.core.game import load, restore
from boyi.core.position import Position
from boyi.core.searcher import Limits, Line
from boyi.server.messages import AnalysedLine, Analysis


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


def ask(observation: Position, agent: str, seconds: float | None, increment_seconds: float) -> Question:
    """A question about a view."""
    return Question(observation.game.module, dict(observation.options), observation.start_text, observation.history(),
                    agent, seconds, increment_seconds)


def answer(question: Question) -> Reply:
    try:
        observation = restore(load(question.module), question.options, question.start, question.moves)
        if question.lines:
            return Reply(analysis=analyse(observation, question.lines, question.nodes))
        clock = Clock(question.seconds, question.increment_seconds)
        move = make_agent(question.agent).choose(observation.copy(), clock)
        return Reply(observation.format_move(move))
    except (BoyiError, RuntimeError, OverflowError) as error:
        return Reply(error=f"{type(error).__name__}: {error}"[:500])


def analyse(position: Position, lines: int, nodes: int) -> Analysis:
    """What the best moves of a position are worth, for the player to act."""
    searcher = find_default(position).make(position.game, {})
    result = searcher.search(position.copy(), Limits(nodes=nodes, lines=lines))
    return Analysis([_line(position, line, expect(searcher, line)) for line in result.lines], position.turn,
                    result.depth, result.nodes)


def _line(position: Position, line: Line, odds: float) -> AnalysedLine:
    walk, texts, paths = position.copy(), [], []
    for move in line.moves:
        if walk.turn < 0:
            break   # what chance brings is not foreseen
        texts.append(walk.format_move(move))
        paths.append(list(walk.path(move)))
        walk.play(move)
    return AnalysedLine(texts, paths, round(line.value, 3), round(odds, 4), line.wins_in)


def main() -> None:
    encoder, decoder = msgspec.json.Encoder(), msgspec.json.Decoder(Question)
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(encoder.encode(answer(decoder.decode(line))) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
