"""Alpha-beta search for two players."""

from libc.stdint cimport int16_t, int64_t

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position
from boyi.core.types cimport key_t, move_t
from boyi.kit.gate cimport Gate
from boyi.search.deepening cimport Deepening
from boyi.search.history cimport History
from boyi.search.picker cimport Picker
from boyi.search.table cimport Table

cdef enum:
    MAX_PLY = 100              # no line is followed further
    LINE_LENGTH = 16           # moves of a line that are kept
    BEFORE = 4                 # plies before the root that arrays by ply have room for
    CHECKED_DEPTH = -4         # plies; deeper below the horizon checks are not answered by every move; a guess


cdef struct Switches:          # the options, unpacked
    bint table
    bint same_depth
    bint in_order              # moves come as the rules list them, captures where they stand
    bint aspiration
    bint transposition_cutoffs
    bint quiescence_table
    bint quiescence_checks
    bint delta_pruning
    bint null_move
    bint late_move_reductions
    bint late_move_pruning
    bint futility
    bint reverse_futility
    bint razoring
    bint probcut
    bint multi_probcut
    bint exchange_pruning
    bint history_pruning
    bint parent_history
    bint static_history
    bint table_history
    bint reduction_feedback
    bint singular_extensions
    bint multi_cut
    bint check_extensions
    bint internal_reductions
    bint statistical_cutoffs
    bint static                # does any of them ask for the static value?
    double statistical_share
    double statistical_deviations
    bint repetition            # judge positions that come back
    int symmetric_plies        # this near the root, in plies, the table takes images of a position for the same


cdef struct Numbers:           # of `alphabeta_numbers`, by the same names; values in units of the evaluator
    int aspiration_window
    int razoring_base
    int razoring_slope
    int reverse_futility_margin
    int reverse_futility_depth
    int null_reduction
    int null_divisor
    int null_value
    int probcut_margin
    int probcut_depth
    int probcut_deviations
    int late_base
    int late_depth
    int futility_base
    int futility_slope
    int futility_depth
    int capture_futility
    int history_pruning_slope
    int quiet_exchange
    int capture_exchange
    int exchange_depth
    int singular_depth
    int singular_margin
    int double_margin
    int reduction_base
    int reduction_slope
    int reduction_history
    int reduction_cut
    int reduction_stale
    int reduction_capture
    int reduction_wide
    int reduction_check
    int history_step
    int history_most
    int delta_margin
    int correction_weight


cdef struct Counters:
    int64_t table_probes
    int64_t table_hits
    int64_t table_cutoffs
    int64_t beta_cutoffs
    int64_t first_move_cutoffs
    int64_t null_cutoffs
    int64_t statistical_cutoffs
    int64_t foretold_cutoffs
    int64_t repetitions


cdef class Worker(Deepening):                  # one thread's search of one position
    cdef readonly Evaluator evaluator
    cdef Table table
    cdef Switches switches
    cdef Numbers numbers
    cdef Counters counters
    cdef History history
    cdef int thread                            # 0 answers, the others help it
    cdef int root_ply                          # position.ply at the root
    cdef double thousandth                     # of the evaluator's scale
    cdef bint quiescence                       # search captures on beyond the horizon
    cdef int64_t quiescence_nodes
    cdef int leaned                            # the lowest ply whose being on the path the last value needed
    cdef int path_exactness                    # what on the path decides how exact values are; part of the table's keys
    cdef int reductions[64]                    # of late moves: the square root of the slope times the logarithm
    # ---- per ply
    cdef move_t path[MAX_PLY + 2]              # the move that led to each ply; NO_MOVE for a null move
    cdef int footprints[MAX_PLY + 2 + BEFORE]  # and its footprint, from ply -BEFORE on
    cdef int quiet_movers[MAX_PLY + 2]         # if it took nothing: who made it, counted from 1; else 0
    cdef int static_values[MAX_PLY + 2 + BEFORE]   # corrected; UNKNOWN in check
    cdef move_t excluded[MAX_PLY + 2]          # the move that a singular search leaves out, or NO_MOVE

    cdef int prepare(self, options, Position position, tuple only) except -1
    cdef int unpack(self, options) except -1   # the options that only this search has
    cdef int store_root(self, int depth, int value, int beta) except -1 nogil
    cdef int descend(self, move_t move, int depth, int alpha, int beta, int ply, int player,
                     bint cut_node) except? -32768 nogil
    cdef int negamax(self, int depth, int alpha, int beta, int ply, int player, bint cut_node) except? -32768 nogil
    cdef int corrected(self, int value, int ply, int player) noexcept nogil
    cdef int set_up(self, Picker* picker, int ply, int player) noexcept nogil
    cdef int step(self, int depth) noexcept nogil
    cdef int teach_parent(self, int ply, int step) noexcept nogil
    cdef int learn(self, Picker* picker, move_t move, int footprint, bint quiet, int taken, int depth, int ply,
                   move_t* quiets, int16_t* quiet_prints, int quiet_count,
                   int16_t* capture_prints, int* captured, int capture_count) noexcept nogil
    # The value for `player`, who acts, when the captures are over; `depth` counts down from 0.
    cdef int quiesce(self, int depth, int alpha, int beta, int ply, int player) except? -32768 nogil
    # Beyond the horizon, what a move that leaves something to chance is worth; it is not made yet. `static_value` is
    # that of the position.
    cdef int guess_chance(self, move_t move, int static_value) except? -32768 nogil
    # The value of a finished game for `player`, `ply` below the root. What a rule ended may be due to the path: then
    # `leaned` says so.
    cdef int finished(self, int ply, int player) except? -32768 nogil
    cdef dict statistics(self)


cdef class AlphaBeta:
    cdef readonly object options
    cdef readonly Evaluator evaluator
    cdef readonly Table table
    cdef Worker _worker
    cdef list _helpers
    cdef Gate _gate                            # that all of them pass; None for none
    cdef object worker_class(self)
    cdef tuple question(self, Position position, limits)   # what is searched and when it ends
    cdef object _answer(self)
