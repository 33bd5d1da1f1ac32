"""Monte Carlo tree search of races with several players: Chinese checkers with three and more.

Everyone plays for themselves (max^n), and a leaf is worth what the evaluator says. Moves that gain most come first,
and only some of them are looked at: what moves gain is known without making them (`core.race`), which makes a
simulation several times as fast as asking the evaluator for priors. In games that are no races it is tree search with
the evaluator's priors. Best reply and paranoid search (`multiplayer`) take opponents for enemies; here means over many
lines take them for players with plans of their own, which nobody knows for certain.
"""

from __future__ import annotations

from dataclasses import dataclass

from boyi.core.evaluator import Evaluator
from boyi.core.predictor import Predictor
from boyi.search.mcts import MCTS
from boyi.search.mcts_options import MCTSOptions, PriorSource, SelectionRule

__all__ = ["RaceMCTS", "RaceMCTSOptions"]


@dataclass(frozen=True, kw_only=True)
class RaceMCTSOptions(MCTSOptions):
    """Numbers of tree search for races: the best of a few tried with six players (docs/results/ideas.md)."""

    selection: SelectionRule = "puct"
    priors: PriorSource = "strides"
    width: int = 12
    prior_temperature: float = 0.5
    exploration: float = 0.3


class RaceMCTS(MCTS):
    """Tree search with those options.

    >>> import boyi
    >>> from boyi.core.searcher import Limits
    >>> position = boyi.start("chinese_checkers", players=6)
    >>> searcher = RaceMCTS(position.game.evaluators["tuned"]())
    >>> len(searcher.search(position, Limits(nodes=100, lines=50)).lines)
    12
    """

    def __init__(self, evaluator: Evaluator | None = None, options: RaceMCTSOptions | None = None,
                 predictor: Predictor | None = None) -> None:
        super().__init__(evaluator, RaceMCTSOptions() if options is None else options, predictor)
