"""What every agent is asked: for a move."""

from __future__ import annotations

import importlib
import operator
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from boyi.core.errors import BoyiError, OptionError
from boyi.core.position import Position

if TYPE_CHECKING:
    from boyi.agents.analysis import Analysis
    from boyi.core.searcher import Limits

Fault = Literal["crash", "illegal_move", "refusal", "resignation", "timeout"]
"""Why an agent gave no move: its process ended, it answered nonsense or what the rules forbid,
it would not accept the game so far, it gave up, or it did not answer in time."""


HIGHEST_MOVE = 2**32 - 1
"""A move is a number of 32 bits."""

OURS = (str(Path(__file__).parents[1]), "<frozen importlib", str(Path(importlib.__file__).parent))
"""Where a traceback begins before it comes to the agent: Boyi, and what imports modules."""

LONGEST_TRACEBACK = 8_000
"""Characters that are kept, the last ones: there it says what went wrong."""

LONGEST_REASON = 200


class AgentError(BoyiError, RuntimeError):
    """An agent that gave no legal move; in a match it loses the game.

    >>> try:
    ...     read_answer("f5")
    ... except AgentError as error:
    ...     print(error.fault)
    illegal_move
    """

    def __init__(self, message: str, fault: Fault, traceback: str = "") -> None:
        super().__init__(message)
        self.fault: Fault = fault
        self.traceback = traceback
        """Where an agent in Python raised an error; empty for other faults."""

    @classmethod
    def raised(cls, error: BaseException) -> AgentError:
        """What an agent raised instead of choosing: its words, the line, and the traceback from its own code on."""
        told = traceback.TracebackException.from_exception(error)
        while told.stack and told.stack[0].filename.startswith(OURS):
            del told.stack[0]
        words = "".join(told.format_exception_only()).strip().splitlines()[-1]
        where = f" ({Path(told.stack[-1].filename).name}, line {told.stack[-1].lineno})" if told.stack else ""
        reason = words if len(words) <= LONGEST_REASON else words[:LONGEST_REASON] + "…"
        return cls(f"it raised {reason}{where}", "crash", "".join(told.format())[-LONGEST_TRACEBACK:])


@dataclass(frozen=True)
class Clock:
    """What the player to act may spend; with nothing set there is no limit.

    >>> Clock(seconds=60, increment_seconds=0.6).seconds
    60
    """

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

    moves_to_go: int | None = None
    """Own moves, this one among them, until time is added; None if `seconds` are for the rest of the game."""


class Agent(Protocol):
    """Anything that can be asked for a move: a program, a person, a process.

    Agents may have more to them, and are asked by the functions below:

        prepare(observation)    get ready for a game, which costs no time on the clock
        expectation             what the agent expects of the game since its last move, see `expectation_of`
        analyse(observation, limits, lines)    compare the best moves, see `ask_for_analysis`
        end_after(seconds)      it is ended if its next move takes longer, see `limit_agent`
        stop()                  end a running `choose` soon, from another thread, see `stop_agent`
        close()                 let go of what it holds, such as a process

    >>> import boyi
    >>> class First:
    ...     def choose(self, observation: Position, clock: Clock) -> int:
    ...         return observation.moves()[0]
    >>> First().choose(boyi.start("tic_tac_toe"), Clock())
    0
    """

    def choose(self, observation: Position, clock: Clock) -> int:
        """A legal move for `observation.turn`.

        `observation` is what the seat to act may know (`position.observe(player)`)
        and the agent's to use: it may play on it and take back.
        """
        ...


def read_answer(answer: object) -> int:
    """The number of a move that an agent answered, or an `AgentError` if it can be none; numpy's integers are numbers.

    >>> read_answer("f5")
    Traceback (most recent call last):
    boyi.agents.agent.AgentError: it answered with a str, and a move is an int out of observation.moves()
    """
    try:
        move = operator.index(answer)  # type: ignore[arg-type]   # that is the question
    except TypeError:
        raise AgentError(f"it answered with a {type(answer).__name__}, and a move is an int out of "
                         f"observation.moves()", "illegal_move") from None
    if not 0 <= move <= HIGHEST_MOVE:
        raise AgentError(f"it answered with a number of {move.bit_length()} bits{' below 0' if move < 0 else ''}, and "
                         f"a move is an int out of observation.moves()", "illegal_move")
    return move


def prepare_agent(agent: Agent, observation: Position) -> None:
    """Have an agent do what it does once, such as starting a process, before the clock runs.

    >>> import boyi
    >>> from boyi.agents import make_agent
    >>> prepare_agent(make_agent("random"), boyi.start("othello"))    # has nothing to prepare
    """
    prepare = getattr(agent, "prepare", None)
    if prepare is not None:
        prepare(observation)


def limit_agent(agent: Agent, seconds: float | None) -> None:
    """Have an agent that can be ended be ended when its next move takes longer; None for what it thinks right itself.

    Others are only found to have taken too long when they answer.
    """
    end_after = getattr(agent, "end_after", None)
    if end_after is not None:
        end_after(seconds)


def expectation_of(agent: Agent) -> float | None:
    """What an agent expects since its last move: from 0, a sure loss, to 1, a sure win; None if it does not say.

    >>> import boyi
    >>> from boyi.agents import make_agent
    >>> agent, position = make_agent("alphabeta:depth=2"), boyi.start("othello")
    >>> expectation_of(agent) is None
    True
    >>> move = agent.choose(position, Clock())
    >>> 0 < expectation_of(agent) < 1
    True
    """
    try:
        expectation: object = getattr(agent, "expectation", None)
    except Exception:   # noqa: BLE001  that of an agent from outside, which then does not say
        return None
    return float(expectation) if isinstance(expectation, (int, float)) and 0 <= expectation <= 1 else None


def ask_for_analysis(agent: Agent, name: str, observation: Position, limits: Limits | None, lines: int) -> Analysis:
    """What an agent thinks of a position: up to this many of its best moves, under limits or (None) its own.

    One that only plays is refused by its name.
    """
    analyse = getattr(agent, "analyse", None)
    if analyse is None:
        raise OptionError(f"{name} can be asked for a move but not for an analysis; a search can (alphabeta, mcts), "
                          f"a level, and a program that speaks uci or ucci")
    analysis: Analysis = analyse(observation, limits, lines)
    return analysis


def stop_agent(agent: Agent) -> None:
    """Have an agent that is choosing answer soon with the best it has found; one that cannot goes on.

    From another thread, and again until it has answered: a stop before its search has begun has no effect.
    """
    stop = getattr(agent, "stop", None)
    if stop is not None:
        stop()


def close_agent(agent: Agent) -> None:
    """Let an agent go that holds something, such as a process.

    >>> from boyi.agents import make_agent
    >>> close_agent(make_agent("random"))    # holds nothing
    """
    close = getattr(agent, "close", None)
    if close is not None:
        close()
