"""Any game as a PettingZoo environment: players act in turn (the agent environment cycle, AEC).

What PettingZoo asks of an environment is held by its own checkers (`api_test`, `seed_test`, `render_test`), which our
tests run for every game.
"""

from __future__ import annotations

from typing import Any, SupportsIndex

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv

from boyi.core.errors import OptionError
from boyi.core.position import Position
from boyi.envs.rendering import MODES, check_mode, render
from boyi.envs.session import Illegal, Observation, Session
from boyi.envs.starting import find_start

__all__ = ["GameEnv"]


class GameEnv(AECEnv[str, Observation, int]):
    """A game whose players are the agents `player_0`, `player_1`, … by seat.

    Rewards are the final scores, from 1 to -1, when the game ends, and 0 before. All agents are done at once.

    >>> env = GameEnv("othello", max_plies=10)
    >>> env.reset(seed=1)
    >>> env.possible_agents
    ['player_0', 'player_1']
    """

    def __init__(self, game: str | Position, *, max_plies: int | None = None, illegal: Illegal = "lose",
                 render_mode: str | None = None, **options: object) -> None:
        super().__init__()
        start = find_start(game, options)
        self._session = Session(start, max_plies=max_plies, illegal=illegal)
        self._generator: np.random.Generator | None = None
        self.render_mode = check_mode(render_mode)
        self.metadata = {"name": f"{start.game.name}_v{start.game.rules_version}", "render_modes": list(MODES),
                         "is_parallelizable": False, "render_fps": 1}
        self.possible_agents = [f"player_{seat}" for seat in range(start.players)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: self._session.observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: self._session.action_space() for agent in self.possible_agents}

    @property
    def position(self) -> Position:
        """A copy of the position, with all that is hidden from players."""
        return self._session.position.copy()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        return self._session.observe(self.possible_agents.index(agent))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; a seed decides what chance will do. Options are PettingZoo's wish; there are none to set."""
        if seed is not None or self._generator is None:
            self._generator, _ = seeding.np_random(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, str]] = {agent: {} for agent in self.agents}
        self._session.begin(self._generator)
        self._go_on()

    def step(self, action: SupportsIndex | None) -> None:
        """Make the move of the agent to act; after the end each agent steps once with None."""
        if self._generator is None:
            raise OptionError("no game has begun: reset() begins one")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._session.choose(action, self._generator)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._go_on()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _go_on(self) -> None:
        """Tell all agents how the game stands now."""
        outcome = self._session.outcome
        if outcome is not None:
            for agent, score in zip(self.possible_agents, outcome.scores, strict=True):
                self.rewards[agent] = score
                self.terminations[agent] = True
                self.infos[agent] = {"outcome": outcome.reason}
            self._deads_step_first()
        elif self._session.truncated:
            self.truncations = dict.fromkeys(self.agents, True)
            self._deads_step_first()
        else:
            self.agent_selection = self.possible_agents[self._session.turn]

    def render(self) -> NDArray[np.uint8] | str | None:
        """The position in the mode that the environment was made with."""
        return render(self._session.position, self.render_mode)

    def _repr_svg_(self) -> str:
        return self._session.position._repr_svg_()

    def close(self) -> None:
        """There is nothing to close."""
