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
from boyi.agents.spec import make_agent
from boyi.core.errors import BoyiError
from boyi.core.game import load, restore
from boyi.core.position import Position


class Question(Struct, frozen=True):
    """What the AI is asked."""

    module: str
    """Of the game."""

    options: dict[str, bool | int | str]
    start: str
    moves: list[int]
    agent: str
    seconds: float | None
    increment_seconds: float


class Reply(Struct, frozen=True):
    """What it answers: a move, or why there is none."""

    move: str = ""
    error: str = ""


def ask(observation: Position, agent: str, seconds: float | None, increment_seconds: float) -> Question:
    """A question about a view."""
    return Question(observation.game.module, dict(observation.options), observation.start_text, observation.history(),
                    agent, seconds, increment_seconds)


def answer(question: Question) -> Reply:
    try:
        observation = restore(load(question.module), question.options, question.start, question.moves)
        clock = Clock(question.seconds, question.increment_seconds)
        move = make_agent(question.agent).choose(observation.copy(), clock)
        return Reply(observation.format_move(move))
    except (BoyiError, RuntimeError) as error:
        return Reply(error=f"{type(error).__name__}: {error}"[:500])


def main() -> None:
    encoder, decoder = msgspec.json.Encoder(), msgspec.json.Decoder(Question)
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(encoder.encode(answer(decoder.decode(line))) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
