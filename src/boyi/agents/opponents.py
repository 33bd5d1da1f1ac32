"""Opponents by name: every network and every evaluator that comes with a game, apart from the ladder.

    net:liuzhou          a model that comes with Boyi, asked by Monte Carlo tree search
    evaluator:classic    an evaluator of the game, asked by the search that suits the game
"""

from __future__ import annotations

from dataclasses import dataclass

from boyi.agents.searching import find_default
from boyi.agents.spec import read_spec
from boyi.core.errors import BoyiError, UnknownNameError
from boyi.core.position import Position
from boyi.core.words import Words
from boyi.kit.nnue import NetEvaluator
from boyi.nets.shipped import shipped_models

__all__ = ["SECONDS", "Opponent", "find_opponent", "find_opponents"]

SECONDS = 1
"""How long an opponent thinks about a move if nobody says otherwise."""


@dataclass(frozen=True)
class Opponent:
    """A network or an evaluator that can be played against."""

    name: str
    title: Words
    spec: str
    """The agent, without its time."""

    is_network: bool

    def timed(self, seconds: float = SECONDS) -> str:
        """The agent with a time for each move."""
        return f"{self.spec},seconds={seconds:g}"


def find_opponents(position: Position) -> list[Opponent]:
    """Those that can play a position, under its rules and with what is installed here: networks first."""
    search, game = find_default(position).name, position.game
    known = [Opponent(f"net:{name}", Words(f"network {name}", f"神经网络 {name}"), f"mcts:net={name}", True)
             for name in shipped_models()]
    known += [Opponent(f"evaluator:{name}", Words(f"evaluator {name}", f"评估 {name}"), f"{search}:evaluator={name}",
                       isinstance(evaluator, type) and issubclass(evaluator, NetEvaluator))
              for name, evaluator in game.evaluators.items()]
    return sorted((one for one in known if _suits(one, position)), key=lambda one: not one.is_network)


def find_opponent(name: str, position: Position) -> Opponent:
    """The opponent of that name."""
    found = {one.name: one for one in find_opponents(position)}
    if name not in found:
        raise UnknownNameError.among(f"opponent in {position.game.name}", name, found)
    return found[name]


def _suits(opponent: Opponent, position: Position) -> bool:
    try:
        read_spec(opponent.timed()).check(position)
    except BoyiError:
        return False
    return True
