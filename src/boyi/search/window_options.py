"""The options that alpha-beta and expectimax share: every idea by its name."""

from __future__ import annotations

from dataclasses import dataclass, fields

from boyi.search.alphabeta_numbers import RANGES, AlphaBetaNumbers
from boyi.search.options import TABLE_MB


@dataclass(frozen=True, kw_only=True)
class WindowOptions(AlphaBetaNumbers):
    """A search by windows. *Sound* switches never change the value at a depth, the others trade exactness for depth."""

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
    reverse futility it loses (docs/results/othello.md)."""

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


SHARED_RANGES = {"table_mb": TABLE_MB, "threads": (1, 256),
                 **{field.name: RANGES.get(field.name, (0, 100_000)) for field in fields(AlphaBetaNumbers)}}

SHARED_SOUND = ("table_mb", "same_depth", "threads", "aspiration", "principal_variation", "killers", "history",
         "continuation_history", "capture_history", "counter_moves", "parent_history", "static_history",
         "table_history", "reduction_feedback", "keep_history", "transposition_cutoffs")
"""The switches that are sound, the table among them with `same_depth`."""
