"""The options of alpha-beta: every idea by its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Literal

from boyi.core.evaluator import EXTREME_SHARE, RANGE_DEVIATIONS
from boyi.search.options import check
from boyi.search.window_options import SHARED_RANGES, SHARED_SOUND, WindowOptions

RepetitionPolicy = Literal["full", "ancestor", "none"]
PathLookup = Literal["list", "set"]
RepetitionReach = Literal["path", "game"]
SymmetryReach = Literal["none", "top", "everywhere"]


@dataclass(frozen=True, kw_only=True)
class AlphaBetaOptions(WindowOptions):
    """Alpha-beta: what `WindowOptions` has, and what only a search without chance does.

    >>> import boyi
    >>> search = boyi.AlphaBeta(options=AlphaBetaOptions(null_move=False))
    >>> search.options.null_move
    False
    """

    statistical_cutoffs: bool = False
    """Unsound. Give up where statistics of positions like this one, if the evaluator keeps any, put the value outside
    the window."""

    statistical_share: float = EXTREME_SHARE
    """Under `statistical_cutoffs`: believe statistics only of positions in which it is certain (95 %) that less than
    this share of the points is lost, or won. From 0 to 1; at 0.5 it is enough that the majority is certain, at 1 that
    such a position was ever seen."""

    statistical_deviations: float = RANGE_DEVIATIONS
    """Under `statistical_cutoffs`: how far from the mean value of such positions a value is expected at most, in
    standard deviations. 0 takes the mean for the value."""

    repetition: RepetitionPolicy = "full"
    """`full`: the path and the game's history, judged by the rules, before the table is asked.
    `ancestor`: the path of this search; the first repetition is searched on, the third occurrence is a draw.
    `none`: as if positions never came back."""

    repetition_penalty: int = 0
    """Under `ancestor`: what the first repetition costs the side that repeats. It is searched on all the same."""

    repetition_reach: RepetitionReach = "path"
    """Under `ancestor`: what a position is compared with, the path of this search only, or the game's history, too."""

    repetition_lookup: PathLookup = "list"
    """Under `ancestor`: how the path is looked up, by scanning a list or in a hash set. The results are the same."""

    symmetry: SymmetryReach = "none"
    """Sound with `same_depth`, for an evaluator that is itself symmetric. Where the table takes the mirror images of a
    position (eight in Othello) for one: nowhere, in the first `symmetry_plies` of the search, or everywhere. The best
    move is kept as it is in the canonical image and mapped back when it is read."""

    symmetry_plies: int = 3
    """How far from the root `symmetry="top"` reaches."""

    def __post_init__(self) -> None:
        check(self, {"repetition_penalty": (0, 1000), "symmetry_plies": (1, 100), "statistical_share": (0, 1),
                     "statistical_deviations": (0, 10), **SHARED_RANGES})


PRESETS: Mapping[str, AlphaBetaOptions] = MappingProxyType({
    "default": AlphaBetaOptions(),
    "sound": AlphaBetaOptions(same_depth=True, **{
        field.name: False for field in fields(AlphaBetaOptions)
        if isinstance(field.default, bool) and field.name not in SHARED_SOUND}),  # type: ignore[arg-type]
})
"""`sound`: at a fixed depth the value of minimax, by the evaluator alone."""
