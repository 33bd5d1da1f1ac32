"""The agent that plays any legal move: the zero of every rating list."""

from __future__ import annotations

import random
from collections.abc import Mapping

from boyi.agents.agent import Clock
from boyi.agents.spec import AgentKind, Parameter, Value, whole_number
from boyi.core.position import Position
from boyi.core.words import Words

HIGHEST_SEED = 2**63 - 1


class RandomAgent:
    """Plays each legal move with the same probability."""

    def __init__(self, seed: int | None = None) -> None:
        self._generator = random.Random(seed)

    def choose(self, observation: Position, clock: Clock) -> int:
        return self._generator.choice(observation.moves())


def _make(values: Mapping[str, Value]) -> RandomAgent:
    seed = values.get("seed")
    return RandomAgent(None if seed is None else int(seed))


KIND = AgentKind(
    name="random",
    title=Words("random", "随机"),
    help=Words("plays any legal move", "随机走子"),
    make=_make,
    parameters=(
        Parameter("seed", Words("the same seed plays the same moves", "种子相同则着法相同"),
                  whole_number(0, HIGHEST_SEED), f"a whole number from 0 to {HIGHEST_SEED}"),
    ),
    stochastic=lambda values, position: "seed" not in values,
)
