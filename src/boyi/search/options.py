"""The switches of each search algorithm: one frozen record per algorithm, every idea by its name.

`read(kind, words)` makes one from `name=value` pairs and refuses aloud what does not exist.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal, TypeVar, get_args, get_origin, get_type_hints

from boyi.core.errors import OptionError, UnknownNameError, shorten

Options = TypeVar("Options")

RepetitionPolicy = Literal["full", "seed", "none"]
PathLookup = Literal["list", "set"]
SymmetryReach = Literal["none", "top", "everywhere"]
SelectionRule = Literal["uct", "puct"]
PriorSource = Literal["uniform", "evaluator"]

MOST_BATCHED = 4096
"""Leaves of one search that may wait for one another."""


@dataclass(frozen=True, kw_only=True)
class AlphaBetaOptions:
    """Alpha-beta. *Sound* switches never change the value at a depth, the others trade exactness for depth."""

    table_mb: int = 16
    """Megabytes of the transposition table; 0 for none. Sound with `same_depth`."""

    same_depth: bool = False
    """Believe the table only where it looked exactly as deep. Deeper values are better, but not those of this depth:
    with this switch the table is sound too."""

    threads: int = 1
    """Lazy SMP: so many threads search the same position and share the table."""

    aspiration: bool = True
    """Sound. Begin each depth with a narrow window around the last value."""

    principal_variation: bool = True
    """Sound. After the first move, only ask whether another is better (zero window), and look closer if so."""

    killers: bool = True
    """Sound. Try quiet moves first that refuted a sibling."""

    history: bool = True
    """Sound. Try quiet moves first that often caused cut-offs, alone and after the move before."""

    transposition_cutoffs: bool = False
    """Sound. ETC: before searching, see whether a child is known to refute (Schaeffer and Plaat 1996)."""

    quiescence: bool = True
    """Search captures on at the horizon."""

    null_move: bool = True
    """Unsound. If passing is good enough, do not look for a move (Beal 1989, Donninger 1993)."""

    late_move_reductions: bool = True
    """Unsound. Search late quiet moves less deeply first."""

    late_move_pruning: bool = True
    """Unsound. Near the horizon, leave late quiet moves out."""

    futility: bool = True
    """Unsound. Near the horizon, give up where the value is far outside the window."""

    check_extensions: bool = True
    """Search a ply deeper out of check."""

    internal_reductions: bool = True
    """Unsound. Where the table knows no move, search a ply less deeply."""

    statistical_cutoffs: bool = False
    """Unsound. Give up where statistics of positions like this one, if the evaluator keeps any, put the value outside
    the window."""

    repetition: RepetitionPolicy = "full"
    """`full`: the path and the game's history, judged by the rules, before the table is asked.
    `seed`: the path of this search only; the first repetition is searched on, the third occurrence is a draw.
    `none`: as if positions never came back."""

    repetition_penalty: int = 0
    """Under `seed`: what the first repetition costs the side that repeats. It is searched on all the same."""

    repetition_lookup: PathLookup = "list"
    """Under `seed`: how the path is looked up, by scanning a list or in a hash set. The results are the same."""

    symmetry: SymmetryReach = "none"
    """Sound with `same_depth`, for an evaluator that is itself symmetric. Where the table takes the mirror images of a
    position (eight in Othello) for one: nowhere, in the first `symmetry_plies` of the search, or everywhere. The best
    move is kept as it is in the canonical image and mapped back when it is read."""

    symmetry_plies: int = 3
    """How far from the root `symmetry="top"` reaches."""

    def __post_init__(self) -> None:
        _one_of("repetition", self.repetition, get_args(RepetitionPolicy))
        _one_of("repetition_lookup", self.repetition_lookup, get_args(PathLookup))
        _one_of("symmetry", self.symmetry, get_args(SymmetryReach))
        _within("table_mb", self.table_mb, 0, 1 << 16)
        _within("threads", self.threads, 1, 256)
        _within("repetition_penalty", self.repetition_penalty, 0, 1000)
        _within("symmetry_plies", self.symmetry_plies, 1, 100)


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

    batch: int = 1
    """Where a network values leaves: how many wait for one another, so that it is asked for all of them at once. Leaves
    on their way count as visits (Liu and others 2020), so that the next descent goes elsewhere. A larger batch is
    faster and a little less well informed."""

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
    """Under `puct`, for games to learn from: this share of the priors at the root is drawn by lot, so that moves are
    tried that look bad (Dirichlet noise, Silver and others 2017)."""

    root_noise_shape: float = 0.3
    """How the noise is spread: the smaller, the fewer moves get most of it."""

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
        _within("batch", self.batch, 1, MOST_BATCHED)
        _within("gumbel_moves", self.gumbel_moves, 2, 2048)
        _within("gumbel_noise", self.gumbel_noise, 0, 100)
        _within("gumbel_scale", self.gumbel_scale, 0, 1000)
        _within("forced_playouts", self.forced_playouts, 0, 1000)
        if self.forced_playouts and (self.selection != "puct" or self.gumbel):
            raise OptionError("search option forced_playouts: they are for selection=puct without gumbel")
        _within("root_noise", self.root_noise, 0, 1)
        _within("root_noise_shape", self.root_noise_shape, 0.01, 100)
        if self.root_noise and (self.selection != "puct" or self.gumbel):
            raise OptionError("search option root_noise: it is for selection=puct without gumbel, which has its own")
        _within("megabytes", self.megabytes, 1, 1 << 16)


def read(kind: type[Options], words: Mapping[str, str]) -> Options:
    """The options of an algorithm from texts.

    >>> read(AlphaBetaOptions, {"table_mb": "64", "null_move": "off"}).null_move
    False
    """
    hints = get_type_hints(kind)
    known = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    values: dict[str, object] = {}
    for name, text in words.items():
        if name not in known:
            raise OptionError(str(UnknownNameError.among("search option", name, sorted(known))))
        values[name] = _value(name, text, hints[name])
    return kind(**values)


def _value(name: str, text: str, hint: object) -> object:
    if hint is bool:
        truth = {"true": True, "yes": True, "on": True, "1": True,
                 "false": False, "no": False, "off": False, "0": False}
        if text.lower() in truth:
            return truth[text.lower()]
        raise OptionError(f"search option {name}: {shorten(text)} is neither on nor off")
    if get_origin(hint) is Literal:
        if text in get_args(hint):
            return text
        raise OptionError(f"search option {name}: {shorten(text)} is not one of {', '.join(get_args(hint))}")
    try:
        return float(text) if hint is float else int(text)
    except ValueError:
        raise OptionError(f"search option {name}: {shorten(text)} is not a number") from None


def _one_of(name: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise OptionError(f"search option {name}: {shorten(value)} is not one of {', '.join(choices)}")


def _within(name: str, value: float, lowest: float, highest: float) -> None:
    if not (math.isfinite(value) and lowest <= value <= highest):
        raise OptionError(f"search option {name}: {value} is not from {lowest:g} to {highest:g}")
