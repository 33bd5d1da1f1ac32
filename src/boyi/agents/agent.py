"""The one question everybody at a board is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from boyi.core.errors import BoyiError
from boyi.core.position import Position

Fault = Literal["crash", "illegal_move", "refusal", "resignation", "timeout"]
"""Why an agent gave no move: its process ended, it answered nonsense or what the rules forbid,
it would not accept the game so far, it gave up, or it did not answer in time."""


class AgentError(BoyiError, RuntimeError):
    """An agent that gave no legal move; in a match it loses the game."""

    def __init__(self, message: str, fault: Fault) -> None:
        super().__init__(message)
        self.fault: Fault = fault


@dataclass(frozen=True)
class Clock:
    """How much time the player to act has."""

    seconds: float | None = None
    """What is left on the clock for the player to act; None when nobody counts."""

    increment_seconds: float = 0.0
    """What the clock gains with every move made."""


class Agent(Protocol):
    """Whoever can be asked for a move: a program, a person, a process."""

    def choose(self, observation: Position, clock: Clock) -> int:
        """A legal move for `observation.turn`.

        `observation` is what the seat to act may know (`position.observe(player)`)
        and the agent's to use: it may play on it and take back.
        """
        ...


def close_agent(agent: Agent) -> None:
    """Let an agent go that holds something, such as a process."""
    close = getattr(agent, "close", None)
    if close is not None:
        close()
