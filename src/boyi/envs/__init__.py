"""Environments for reinforcement learning, for every game: `pip install 'boyi[envs]'`.

    aec("othello")                          a PettingZoo environment: players act in turn
    single("othello", opponent="level:3")   a gymnasium environment: one seat is yours
    VectorEnv("othello", 1024)              many games at once in C, into NumPy arrays
    encode(positions), legal_mask(...)      positions as arrays

A game is given by its name and rule options, or as a position to begin from. Actions are numbered as the game's encoder
numbers moves for networks: the same number is the same move in every position.

>>> import boyi.envs
>>> env = boyi.envs.single("tic_tac_toe", opponent="random", seat=0)
>>> observation, info = env.reset(seed=1)
>>> int(observation["action_mask"].sum())
9
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from boyi.core.errors import MissingPartError

if TYPE_CHECKING:
    from boyi.agents import Agent
    from boyi.core.position import Position
    from boyi.envs.arrays import encode, encoder_of, legal_actions, legal_mask
    from boyi.envs.game_env import GameEnv
    from boyi.envs.session import Illegal
    from boyi.envs.single_env import SingleEnv
    from boyi.envs.vector import VectorEnv

__all__ = ["GameEnv", "SingleEnv", "VectorEnv", "aec", "encode", "encoder_of", "legal_actions", "legal_mask", "single"]

_HOMES = {
    "GameEnv": "game_env", "SingleEnv": "single_env", "VectorEnv": "vector",
    "encode": "arrays", "encoder_of": "arrays", "legal_actions": "arrays", "legal_mask": "arrays",
}
"""Where each name is defined; imported when first used, since all but the rules is an optional part."""

_NEEDS = ("PIL", "gymnasium", "numpy", "pettingzoo")


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    except ModuleNotFoundError as error:
        if error.name not in _NEEDS:
            raise
        raise MissingPartError.extra(f"boyi.envs.{name}", "envs") from error


def __dir__() -> list[str]:
    return __all__


def aec(game: str | Position, *, max_plies: int | None = None, illegal: Illegal = "lose",
        render_mode: str | None = None, **options: object) -> GameEnv:
    """A PettingZoo environment (AEC) of a game, named with its rule options, or begun from a position.

    `max_plies` truncates games after that number of decisions. Whoever chooses an action that is not legal has lost the
    game; with `illegal="raise"` it is an `IllegalMoveError` instead.

    >>> env = aec("tic_tac_toe")
    >>> env.reset(seed=1)
    >>> env.agent_selection, int(env.observe("player_0")["action_mask"].sum())
    ('player_0', 9)
    """
    made: GameEnv = __getattr__("GameEnv")(game, max_plies=max_plies, illegal=illegal, render_mode=render_mode,
                                           **options)
    return made


def single(game: str | Position, *, opponent: str | Agent | Sequence[str | Agent] = "random", seat: int = 0,
           max_plies: int | None = None, illegal: Illegal = "lose", render_mode: str | None = None,
           **options: object) -> SingleEnv:
    """A gymnasium environment of a game: `seat` is yours, and `opponent` plays the others.

    An opponent is a spec (`level:3`) or an agent; a sequence names one per other seat, in the order of seats. The
    rest is as for `aec`.

    >>> env = single("tic_tac_toe", opponent="random", seat=1)
    >>> observation, info = env.reset(seed=1)
    >>> env.position.ply, int(info["action_mask"].sum())
    (1, 8)
    """
    made: SingleEnv = __getattr__("SingleEnv")(
        game, opponent=opponent, seat=seat, max_plies=max_plies, illegal=illegal, render_mode=render_mode, **options)
    return made
