"""Any game as a gymnasium environment: one seat is yours, agents play the others.

For those who make environments by name: `gymnasium.make("boyi.envs.single_env:boyi/Single-v0", game="othello")`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from boyi.agents import Agent, AgentSpec, Clock, close_agent, read_spec
from boyi.agents.random import HIGHEST_SEED
from boyi.core.errors import OptionError
from boyi.core.position import OVER, Position
from boyi.envs.rendering import MODES, check_mode, render
from boyi.envs.session import Illegal, Observation, Session
from boyi.envs.starting import find_start, read_number

__all__ = ["SingleEnv"]

MOST_STARTS = 1000
"""Games that may end before the seat has acted, one after the other, until a reset gives up."""


class SingleEnv(gymnasium.Env[Observation, int]):
    """A game seen from one seat. A step is your move and all that the others answer, up to your next turn.

    The reward is the final score of the seat, from 1 to -1, when the game ends, and 0 before. An agent named by a
    spec without a seed gets one from the seed of `reset`, so that the same seed plays the same game.

    >>> env = SingleEnv("othello", opponent="random", seat=0)
    >>> observation, info = env.reset(seed=1)
    >>> int(info["action_mask"].sum())
    4
    """

    metadata: dict[str, Any] = {"render_modes": list(MODES), "render_fps": 1}  # noqa: RUF012  # as gymnasium has it

    def __init__(self, game: str | Position, *, opponent: str | Agent | Sequence[str | Agent] = "random",
                 seat: int = 0, max_plies: int | None = None, illegal: Illegal = "lose",
                 render_mode: str | None = None, **options: object) -> None:
        start = find_start(game, options)
        self.seat = read_number("seat", seat, 0, start.players - 1)
        self._session = Session(start, max_plies=max_plies, illegal=illegal)
        self.render_mode = check_mode(render_mode)
        self.observation_space = self._session.observation_space()
        self.action_space = self._session.action_space()
        self._opponents = _read_opponents(opponent, start)
        self._agents: list[Agent] = []

    @property
    def position(self) -> Position:
        """A copy of the position, with all that is hidden from players."""
        return self._session.position.copy()

    def reset(self, *, seed: int | None = None,
              options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begin a game, up to the first turn of the seat; a seed decides what chance and the agents will do."""
        super().reset(seed=seed)
        if options:
            raise OptionError(f"reset takes no options, and here is {', '.join(map(str, options))}")
        if seed is not None or not self._agents:
            self._seat_agents()
        for _ in range(MOST_STARTS):
            self._session.begin(self.np_random)
            self._answer()
            if self._session.turn == self.seat:
                return self._seen()
        raise OptionError(f"in {MOST_STARTS} games of {self._session.start.game.name} player {self.seat} never acted")

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make a move; (observation, reward, terminated, truncated, info)."""
        if self._session.turn != self.seat or not self._agents:
            raise OptionError("no game is under way: reset() begins one")
        self._session.choose(action, self.np_random)
        self._answer()
        observation, info = self._seen()
        outcome = self._session.outcome
        reward = 0.0 if outcome is None else outcome.scores[self.seat]
        if self.render_mode == "human":
            self.render()
        return observation, reward, outcome is not None, self._session.truncated, info

    def render(self) -> NDArray[np.uint8] | str | None:
        """The position as the seat sees it, in the mode that the environment was made with."""
        return render(self._session.position.observe(self.seat), self.render_mode)

    def _repr_svg_(self) -> str:
        return self._session.position.observe(self.seat)._repr_svg_()

    def close(self) -> None:
        """Let the agents go that were made here."""
        for agent, opponent in zip(self._agents, self._opponents, strict=False):
            if isinstance(opponent, AgentSpec):
                close_agent(agent)
        self._agents = []

    def _seat_agents(self) -> None:
        """Make the agents anew that were named by a spec."""
        self.close()
        self._agents = [
            opponent.fill(seed=int(self.np_random.integers(HIGHEST_SEED))).make()
            if isinstance(opponent, AgentSpec) else opponent for opponent in self._opponents]

    def _answer(self) -> None:
        """Let the others play until it is the turn of the seat, or the game is over."""
        while (turn := self._session.turn) not in (self.seat, OVER):
            agent = self._agents[turn - (turn > self.seat)]
            self._session.play(agent.choose(self._session.position.observe(turn), Clock()), self.np_random)

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        observation = self._session.observe(self.seat)
        info: dict[str, Any] = {"action_mask": observation["action_mask"].copy()}
        if self._session.outcome is not None:
            info["outcome"] = self._session.outcome.reason
        return observation, info


def _read_opponents(opponent: str | Agent | Sequence[str | Agent], start: Position) -> list[AgentSpec | Agent]:
    """One opponent per other seat, in the order of seats; a single one plays them all."""
    others = start.players - 1
    given = [opponent] * others if isinstance(opponent, str) or not isinstance(opponent, Sequence) else list(opponent)
    if len(given) != others:
        raise OptionError(f"opponent: there are {others} other seats, and here are {len(given)} agents")
    opponents: list[AgentSpec | Agent] = []
    for one in given:
        if isinstance(one, str):
            spec = read_spec(one)
            spec.check(start)
            opponents.append(spec)
        elif hasattr(one, "choose"):
            opponents.append(one)
        else:
            raise OptionError(f"opponent: {one!r} is neither a spec such as 'level:3' nor an object with choose()")
    return opponents


gymnasium.register("boyi/Single-v0", entry_point=f"{__name__}:SingleEnv", disable_env_checker=True)
