"""The numbers of alpha-beta: how far a window reaches, how much a late move is reduced. `boyi tune` finds better ones.

Values are in thousandths of the evaluator's scale (the value that stands for 73 % odds), so that they mean the same in
every game; what concerns exchanges is in hundredths of the smallest piece, as exchanges are; reductions are in
1024ths of a ply. The shapes are those of open-source chess engines (Stockfish, Ethereal, Berserk).
"""

from __future__ import annotations

from dataclasses import dataclass

RANGES = {"aspiration_window": (1, 1000), "null_reduction": (1, 20), "null_divisor": (1, 100),
          "null_value": (1, 10_000), "probcut_depth": (4, 100), "singular_depth": (4, 100),
          "reduction_history": (100, 1_000_000), "history_most": (1, 16_000)}
"""Of numbers for which not everything from 0 up makes sense."""


@dataclass(frozen=True, kw_only=True)
class AlphaBetaNumbers:
    """What may be tuned. Depths are in plies."""

    aspiration_window: int = 20
    """How far the first window reaches to either side of the last value."""

    razoring_base: int = 450
    razoring_slope: int = 200
    """So far below the window, and this times depth² more, only captures are looked at."""

    reverse_futility_margin: int = 110
    """Per ply: so far above the window the position is given up as won, one ply less when improving."""

    reverse_futility_depth: int = 8

    null_reduction: int = 4
    """Plies, ..."""

    null_divisor: int = 3
    """... one more for every this many plies of depth ..."""

    null_value: int = 260
    """... and one more for this much above the window, three at the most."""

    probcut_margin: int = 220
    """How far above the window a capture must come, less deeply searched."""

    probcut_depth: int = 5
    probcut_deviations: int = 130
    """Hundredths of a standard deviation by which a shallower search must be outside the window (Multi-ProbCut)."""

    late_base: int = 4
    """Quiet moves after this number and depth² are left out, half as many when not improving."""

    late_depth: int = 8

    futility_base: int = 130
    futility_slope: int = 130
    """So far below the window, and this per ply (of the reduced depth), quiet moves are left out."""

    futility_depth: int = 8
    capture_futility: int = 250
    """The same for captures, by what they take: per ply, and once more."""

    history_pruning_slope: int = 4000
    """Quiet moves whose history is below minus this per ply are left out."""

    quiet_exchange: int = 22
    """Quiet moves that risk more than this times the reduced depth² are left out."""

    capture_exchange: int = 110
    """Captures that lose more than this per ply are left out."""

    exchange_depth: int = 8

    singular_depth: int = 6
    singular_margin: int = 3
    """Per ply: if all other moves stay so far below the table's value, its move is searched deeper."""

    double_margin: int = 25
    """If they stay so far below that, two plies deeper."""

    reduction_base: int = 700
    reduction_slope: int = 430
    """Late moves are reduced by the one and the other times the logarithms of depth and number of the move."""

    reduction_history: int = 9000
    """A history of this is worth a ply of reduction."""

    reduction_cut: int = 1500
    """What is added where a cut-off is expected, ..."""

    reduction_stale: int = 1000
    """... where the side to act is not improving, ..."""

    reduction_capture: int = 800
    """... where the table's move takes something, ..."""

    reduction_wide: int = 1024
    """... and what is taken off in an open window, ..."""

    reduction_check: int = 1024
    """... and where the move gives check."""

    history_step: int = 180
    history_most: int = 1700
    """A move that refutes gains this per ply of depth, at most that."""

    delta_margin: int = 200
    """Beyond the horizon, captures that with this much more would not come near the window are left out."""

    correction_weight: int = 60
    """How much of the expected error is corrected, in hundredths, shared among the kinds of errors."""
