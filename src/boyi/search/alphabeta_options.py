"""The options of alpha-beta: every idea by its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Literal

from boyi.core.evaluator import EXTREME_SHARE, RANGE_DEVIATIONS
from boyi.search.alphabeta_numbers import RANGES, AlphaBetaNumbers
from boyi.search.options import TABLE_MB, check

RepetitionPolicy = Literal["full", "ancestor", "none"]
PathLookup = Literal["list", "set"]
RepetitionReach = Literal["path", "game"]
SymmetryReach = Literal["none", "top", "everywhere"]


@dataclass(frozen=True, kw_only=True)
class AlphaBetaOptions(AlphaBetaNumbers):
    """Alpha-beta. *Sound* switches never change the value at a depth, the others trade exactness for depth."""

    table_mb: int = 16
    """Megabytes of the transposition table; 0 for none. Sound with `same_depth`."""

    same_depth: bool = False
    """Believe the table only where it looked exactly as deep. Deeper values are better, but not those of this depth:
    with this switch the table is sound too."""

    threads: int = 1
    """Lazy SMP: this number of threads search the same position and share the table."""

    aspiration: bool = True
    """Sound. Begin each depth with a narrow window around the last value."""

    principal_variation: bool = True
    """Sound. After the first move, only ask whether another is better (zero window), and look closer if so."""

    killers: bool = True
    """Sound. Try quiet moves first that refuted a sibling."""

    history: bool = True
    """Sound. Try quiet moves first that often caused cut-offs (Schaeffer 1989)."""

    continuation_history: bool = True
    """Sound. The same by the moves made one, two and four plies before."""

    capture_history: bool = True
    """Sound. Try captures first that often caused cut-offs."""

    counter_moves: bool = True
    """Sound. Try the quiet move early that last refuted the move before (Uiterwijk 1992)."""

    parent_history: bool = True
    """Sound. Histories rise for a quiet move after which the opponent finds nothing (Stockfish, 2015)."""

    static_history: bool = True
    """Sound. Histories rise for a quiet move by what the static value gained (Stockfish, 2020)."""

    table_history: bool = True
    """Sound. Histories rise for the table's move where the table alone refutes (Stockfish, 2015)."""

    reduction_feedback: bool = True
    """Sound. Histories learn from what becomes of a reduced move that was searched again (Stockfish, 2018)."""

    keep_history: bool = True
    """Sound. What was learnt about moves outlives a search, and ages."""

    correction_history: bool = True
    """Unsound. Correct the static value by what searches of positions like this one found (Caissa 2023)."""

    transposition_cutoffs: bool = False
    """Sound. ETC: before searching, see whether a child is known to refute (Schaeffer and Plaat 1996)."""

    quiescence: bool = True
    """Search captures on at the horizon."""

    quiescence_table: bool = True
    """Unsound. Ask the table beyond the horizon, too."""

    quiescence_checks: bool = False
    """At the first ply beyond the horizon, also look at quiet moves that give check."""

    delta_pruning: bool = True
    """Unsound. Beyond the horizon, leave out captures that take too little."""

    null_move: bool = True
    """Unsound. If passing is good enough, do not look for a move (Beal 1989, Donninger 1993)."""

    late_move_reductions: bool = True
    """Unsound. Search late quiet moves less deeply first."""

    late_move_pruning: bool = True
    """Unsound. Near the horizon, leave late quiet moves out."""

    futility: bool = True
    """Unsound. Near the horizon, leave out moves where the static value is far below the window (Schaeffer 1986)."""

    reverse_futility: bool = True
    """Unsound. Near the horizon, give up where the static value is far above the window."""

    razoring: bool = True
    """Unsound. Where the static value is far below the window, only look at captures (Birmingham and Kent 1977)."""

    probcut: bool = True
    """Unsound. Give up where a capture is far above the window in a shallower search (Buro 1995)."""

    multi_probcut: bool = False
    """Unsound. Give up where a shallower search is so far outside the window that, by the evaluator's statistics, this
    one will be, too (Buro 1997); without statistics it has no effect. Off: together with
    reverse futility it loses (docs/othello.md)."""

    exchange_pruning: bool = True
    """Unsound. Near the horizon, leave out moves that lose too much by exchange."""

    history_pruning: bool = True
    """Unsound. Near the horizon, leave out quiet moves that never helped."""

    singular_extensions: bool = True
    """Unsound. Search a move deeper that is much better than all others (Anantharaman, Campbell and Hsu 1988)."""

    multi_cut: bool = True
    """Unsound. Give up where, besides the table's move, another refutes in a shallower search (Björnsson 1998)."""

    check_extensions: bool = False
    """Search a ply deeper out of check."""

    internal_reductions: bool = True
    """Unsound. Where the table knows no move, search a ply less deeply."""

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
        check(self, {"table_mb": TABLE_MB, "threads": (1, 256), "repetition_penalty": (0, 1000),
                     "symmetry_plies": (1, 100), "statistical_share": (0, 1), "statistical_deviations": (0, 10),
                     **{field.name: RANGES.get(field.name, (0, 100_000)) for field in fields(AlphaBetaNumbers)}})


SOUND = ("table_mb", "same_depth", "threads", "aspiration", "principal_variation", "killers", "history",
         "continuation_history", "capture_history", "counter_moves", "parent_history", "static_history",
         "table_history", "reduction_feedback", "keep_history", "transposition_cutoffs")
"""The switches that are sound, the table among them with `same_depth`."""

PRESETS: Mapping[str, AlphaBetaOptions] = MappingProxyType({
    "default": AlphaBetaOptions(),
    "sound": AlphaBetaOptions(same_depth=True, **{
        field.name: False for field in fields(AlphaBetaOptions)
        if isinstance(field.default, bool) and field.name not in SOUND}),  # type: ignore[arg-type]
})
"""`sound`: at a fixed depth the value of minimax, by the evaluator alone."""
