"""The options of Monte Carlo tree search: every idea by its name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from boyi.core.errors import OptionError
from boyi.search.options import NO_LIMIT, check

SelectionRule = Literal["uct", "puct"]
PriorSource = Literal["uniform", "evaluator", "strides"]

MAX_BATCH = 4096
"""The largest number of leaves of one search that are predicted together."""


@dataclass(frozen=True, kw_only=True)
class MCTSOptions:
    """Monte Carlo tree search: every idea by its name.

    >>> import boyi
    >>> boyi.MCTS(options=MCTSOptions(seed=3)).options.seed
    3
    """

    selection: SelectionRule = "uct"
    """`uct`: try every move, then trust the mean and its uncertainty (Kocsis and Szepesvári 2006).
    `puct`: let priors say where to look first (Rosin 2011, Silver and others 2017)."""

    exploration: float = 1.0
    """How much an uncertain move is tried: the factor of the second term in either rule. Values are from -1 to 1."""

    priors: PriorSource = "uniform"
    """Where priors come from, which `puct` and `gumbel` use: all moves alike, or a softmax of the evaluator's
    values one ply on. In races `strides`: a softmax of what moves gain, in units of the evaluator's scale, for which
    they need not be made; in other games it is the same as `evaluator`."""

    width: int = 0
    """With priors by `strides`: how many moves of a position are looked at, those that gain most; 0 for all."""

    prior_temperature: float = 0.25
    """How far apart values must be for a prior e times as large."""

    first_play: float = 0.2
    """Under `puct`: by how much a move not tried yet is valued below its position (first-play urgency)."""

    rollouts: bool = False
    """Value leaves by random games even if there is an evaluator. Without an evaluator it is always so."""

    rollout_plies: int = 0
    """Random moves made before the evaluator is asked (Lorentz 2008)."""

    batch: int = 1
    """Where a network values leaves: how many are collected and then predicted at once. A leaf that waits counts as a
    visit of unknown value (Liu and others 2020), so that the next descent goes elsewhere. A larger batch is faster and
    a little less well informed."""

    solver: bool = True
    """Prove wins, draws and losses, and neither guess nor look again where there is a proof (Winands, Björnsson and
    Saito 2008)."""

    gumbel: bool = False
    """Choose among the root's moves by sequential halving with Gumbel noise (Danihelka and others 2022)."""

    gumbel_moves: int = 16
    """How many root moves the halving begins with: those with the largest priors, when there is no noise."""

    gumbel_noise: float = 0.0
    """How much noise; 1 is the paper's, for games to learn from. At 0 the candidates are those with the largest priors
    and the choice is the same every time, which is what play wants."""

    gumbel_scale: float = 1.0
    """How soon values outweigh priors in the halving and in the policy that it improves (the paper's c_scale; values
    count from 0 to 1 there)."""

    forced_playouts: float = 0.0
    """Under `puct`, for games to learn from: a root move that was tried once is tried until it has the square root of
    this factor × its prior × all visits, so that noise gets a chance; visits that only this brought about are taken
    out of what is learned (Wu 2019, where the factor is 2)."""

    root_noise: float = 0.0
    """Under `puct`, for games to learn from: this share of the priors at the root is Dirichlet noise, so that moves are
    tried that look bad (Silver and others 2017)."""

    root_noise_shape: float = 0.3
    """The concentration of the Dirichlet noise: the smaller, the fewer moves get most of it."""

    reuse: bool = True
    """When the game goes on from the last root, keep the subtree of its present position."""

    megabytes: int = 128
    """The memory for the tree. When it is full, the search goes on but the tree does not grow."""

    seed: int = 1
    """Seeds the random numbers; the same seed and node limit give the same answer."""

    def is_stochastic(self, *, net: bool, chance: bool) -> bool:
        """See `options.Seeded`. Moves are tried in random order where nothing ranks them. A network ranks them all, so
        that without noise and without chance its games from one opening are the same for every seed."""
        noise = self.root_noise > 0 or (self.gumbel and self.gumbel_noise > 0)
        return not net or chance or noise or self.rollouts or self.rollout_plies > 0

    def __post_init__(self) -> None:
        check(self, {
            "exploration": (0, 1000), "prior_temperature": (1e-3, 1000), "first_play": (-2, 2),
            "rollout_plies": (0, 100_000), "batch": (1, MAX_BATCH), "gumbel_moves": (2, 2048), "gumbel_noise": (0, 100),
            "width": (0, NO_LIMIT),
            "gumbel_scale": (0, 1000), "forced_playouts": (0, 1000), "root_noise": (0, 1),
            "root_noise_shape": (0.01, 100), "megabytes": (1, 1 << 16)})
        if self.forced_playouts and (self.selection != "puct" or self.gumbel):
            raise OptionError("search option forced_playouts: they are for selection=puct without gumbel")
        if self.root_noise and (self.selection != "puct" or self.gumbel):
            raise OptionError("search option root_noise: it is for selection=puct without gumbel, which has its own")
