"""The one question everybody at a board is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from boyi.core.position import Position


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
