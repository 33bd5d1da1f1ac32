"""A process that chooses moves for the AI: a line of JSON comes in, a line goes out.

Each question gets a new agent, so that nothing is carried over from one seat's knowledge to another's.
"""

from __future__ import annotations

import sys

import msgspec

from boyi.agents.agent import Clock
from boyi.agents.analysis import analyse
from boyi.agents.searching import find_default
from boyi.agents.spec import make_agent
from boyi.core.errors import BoyiError
from boyi.core.game import load, restore
from boyi.core.position import Position
from boyi.core.searcher import Limits
from boyi.server.engines.questions import Question, Reply
from boyi.server.protocol.bodies import AnalysedLine, Analysis


def answer(question: Question) -> Reply:
    try:
        observation = restore(load(question.module), question.options, question.start, question.moves)
        if question.lines:
            return Reply(analysis=_analyse(observation, question.lines, question.nodes))
        clock = Clock(question.seconds, question.increment_seconds)
        move = make_agent(question.agent).choose(observation.copy(), clock)
        return Reply(observation.format_move(move))
    except (BoyiError, RuntimeError, OverflowError) as error:
        return Reply(error=f"{type(error).__name__}: {error}"[:500])


def _analyse(position: Position, lines: int, nodes: int) -> Analysis:
    """What the best moves of a position are worth, for the player to act."""
    searcher = find_default(position).make(position.game, {})
    found = analyse(searcher, position.copy(), Limits(nodes=nodes, lines=lines))
    return Analysis([AnalysedLine(list(line.moves), [list(path) for path in line.paths], round(line.value, 3),
                                  round(line.odds, 4), line.wins_in) for line in found.lines],
                    position.turn, found.depth, found.nodes)


def main() -> None:
    encoder, decoder = msgspec.json.Encoder(), msgspec.json.Decoder(Question)
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(encoder.encode(answer(decoder.decode(line))) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
