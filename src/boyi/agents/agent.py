"""What every agent is asked: for a move."""

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
    """What the player to act may spend; with nothing set there is no limit."""

    seconds: float | None = None
    """What is left on the clock for the player to act, for the rest of the game."""

    increment_seconds: float = 0.0
    """What the clock gains with every move made."""

    move_seconds: float | None = None
    """What there is for this move alone."""

    nodes: int | None = None
    """How many positions may be looked at for this move."""

    seats: tuple[float, ...] = ()
    """What each player has left for the rest of the game, by seat; empty without such a clock."""


class Agent(Protocol):
    """Anything that can be asked for a move: a program, a person, a process.

    Agents may have more to them, and are asked by the functions below:

        prepare(observation)    get ready for a game, which costs no time on the clock
        expectation             what the agent expects of the game since its last move, see `expectation_of`
        stop()                  end a running `choose` soon, from another thread, see `stop_agent`
        close()                 let go of what it holds, such as a process
    """

    def choose(self, observation: Position, clock: Clock) -> int:
        """A legal move for `observation.turn`.

        `observation` is what the seat to act may know (`position.observe(player)`)
        and the agent's to use: it may play on it and take back.
        """
        ...


def prepare_agent(agent: Agent, observation: Position) -> None:
    """Have an agent do what it does once, such as starting a process, before the clock runs."""
    prepare = getattr(agent, "prepare", None)
    if prepare is not None:
        prepare(observation)


def expectation_of(agent: Agent) -> float | None:
    """What an agent expects since its last move: from 0, a sure loss, to 1, a sure win; None if it does not say."""
    expectation: float | None = getattr(agent, "expectation", None)
    return expectation


def stop_agent(agent: Agent) -> None:
    """Have an agent that is choosing answer soon with the best it has found; one that cannot goes on.

    From another thread, and again until it has answered: a stop before its search has begun has no effect.
    """
    stop = getattr(agent, "stop", None)
    if stop is not None:
        stop()


def close_agent(agent: Agent) -> None:
    """Let an agent go that holds something, such as a process."""
    close = getattr(agent, "close", None)
    if close is not None:
        close()
