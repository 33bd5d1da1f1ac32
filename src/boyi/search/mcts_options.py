"""The switches of Monte Carlo tree search."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from boyi.core.errors import OptionError, shorten

SelectionRule = Literal["uct", "puct"]
PriorSource = Literal["uniform", "evaluator"]


@dataclass(frozen=True, kw_only=True)
class MCTSOptions:
    """Monte Carlo tree search: every idea by its name."""

    selection: SelectionRule = "uct"
    """`uct`: try every move, then trust the mean and its uncertainty (Kocsis and Szepesvári 2006).
    `puct`: let priors say where to look first (Rosin 2011, Silver and others 2017)."""

    exploration: float = 1.0
    """How much an uncertain move is tried: the factor of the second term in either rule. Values are from -1 to 1."""

    priors: PriorSource = "uniform"
    """Where priors come from, which `puct` and `gumbel` use: all moves alike, or a softmax of the evaluator's
    values one ply on."""

    prior_temperature: float = 0.25
    """How far apart values must be for a prior e times as large."""

    first_play: float = 0.2
    """Under `puct`: a move not tried yet is taken to be so much worse than its position."""

    rollouts: bool = False
    """Value leaves by random games even if there is an evaluator. Without an evaluator it is always so."""

    rollout_plies: int = 0
    """Random moves made before the evaluator is asked (Lorentz 2008)."""

    solver: bool = True
    """Prove wins, draws and losses, and neither guess nor look again where there is a proof (Winands, Björnsson and
    Saito 2008)."""

    gumbel: bool = False
    """Choose among the root's moves by sequential halving with Gumbel noise (Danihelka and others 2022)."""

    gumbel_moves: int = 16
    """How many root moves the halving begins with."""

    reuse: bool = True
    """When the game goes on from the last root, keep what is known of its present position."""

    megabytes: int = 128
    """The room for the tree. When it is full, the search goes on but the tree does not grow."""

    seed: int = 1
    """Where the random numbers start; the same seed and node limit give the same answer."""

    def __post_init__(self) -> None:
        _one_of("selection", self.selection, get_args(SelectionRule))
        _one_of("priors", self.priors, get_args(PriorSource))
        _within("exploration", self.exploration, 0, 1000)
        _within("prior_temperature", self.prior_temperature, 1e-3, 1000)
        _within("first_play", self.first_play, -2, 2)
        _within("rollout_plies", self.rollout_plies, 0, 100_000)
        _within("gumbel_moves", self.gumbel_moves, 2, 2048)
        _within("megabytes", self.megabytes, 1, 1 << 16)


def _one_of(name: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise OptionError(f"search option {name}: {shorten(value)} is not one of {', '.join(choices)}")


def _within(name: str, value: float, lowest: float, highest: float) -> None:
    if not (math.isfinite(value) and lowest <= value <= highest):
        raise OptionError(f"search option {name}: {value} is not from {lowest:g} to {highest:g}")
