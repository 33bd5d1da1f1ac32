"""Seats that people hand over to the AI, and how it chooses while they may take them back at any time.

At a terminal the AI thinks in a thread, and what is typed meanwhile is heard: a whole line, or Ctrl-C. From a pipe,
whose lines are all there at once, one line is read before each move that the AI makes for a person; an empty one lets
it go on, and at the end of the input it plays on to the end of the game.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from boyi.agents.agent import Agent, Clock, close_agent, stop_agent
from boyi.agents.spec import read_spec
from boyi.core.position import Position

LISTEN_SECONDS = 0.05
"""How often to look whether something was typed."""

STOP_SECONDS = 2.0
"""How long an agent that nobody waits for any more has to stop."""

PAUSE_SECONDS = 0.6
"""What a move takes at least at a terminal while the AI plays for a person: they want to see it, and to step in."""


@dataclass
class Handed:
    """Who plays for people."""

    seed: int
    level: int
    """What `ai` alone means: the level that was named last."""

    agents: dict[int, Agent] = field(default_factory=dict)
    """By seat."""

    levels: dict[int, int] = field(default_factory=dict)
    """By seat, the level that plays it now."""

    assisted: set[int] = field(default_factory=set)
    """Seats that the AI has played for a while."""

    def hand_over(self, position: Position, seat: int, level: int) -> None:
        """Let a level play a seat from now on; whatever is wrong with that is said before anything changes."""
        spec = read_spec(f"level:{level}")
        spec.check(position)
        self.take_back(seat)
        self.agents[seat] = spec.fill(seed=self.seed + seat).make()
        self.level = self.levels[seat] = level
        self.assisted.add(seat)

    def take_back(self, seat: int) -> None:
        """The person plays the seat again."""
        agent = self.agents.pop(seat, None)
        self.levels.pop(seat, None)
        if agent is not None:
            close_agent(agent)

    def close(self) -> None:
        for seat in list(self.agents):
            self.take_back(seat)


class Thinking:
    """An agent that chooses in a thread of its own."""

    def __init__(self, agent: Agent, observation: Position) -> None:
        self._agent = agent
        self._move: int | None = None
        self._error: BaseException | None = None
        self._began = time.monotonic()
        # A copy: the board that is shown meanwhile must not have what the agent tries out.
        self._thread = threading.Thread(target=self._choose, args=(observation.copy(),), name="thinking", daemon=True)
        self._thread.start()

    def _choose(self, observation: Position) -> None:
        try:
            self._move = self._agent.choose(observation, Clock())
        except BaseException as error:  # noqa: BLE001  (it is raised again where the move is asked for)
            self._error = error

    def wait(self, listen: Callable[[float], None]) -> int:
        """The move, when it is there and was waited for a while; `listen(seconds)` is called until then.

        What `listen` raises ends the thinking.
        """
        try:
            while self._thread.is_alive() or time.monotonic() < self._began + PAUSE_SECONDS:
                listen(LISTEN_SECONDS)
        except BaseException:
            self.end()
            raise
        return self.result()

    def result(self) -> int:
        """The move, however long it takes."""
        while self._thread.is_alive():
            self._thread.join(LISTEN_SECONDS)   # not for ever at once: Ctrl-C is heard in between
        if self._error is not None:
            raise self._error
        assert self._move is not None
        return self._move

    def end(self) -> None:
        """Nobody wants the move any more. An agent that does not stop is left to itself."""
        until = time.monotonic() + STOP_SECONDS
        while self._thread.is_alive() and time.monotonic() < until:
            stop_agent(self._agent)
            self._thread.join(LISTEN_SECONDS)
