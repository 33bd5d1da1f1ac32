"""Alpha-beta search for two players."""

from libc.stdint cimport int64_t

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position
from boyi.core.types cimport move_t
from boyi.search.horizon cimport HorizonSearch
from boyi.search.ordering cimport Ordering
from boyi.search.table cimport Table

cdef enum:
    MAX_PLY = 100              # no line is followed further
    LINE_LENGTH = 16           # moves of a line that are kept


cdef struct Switches:          # the options, unpacked
    bint table
    bint same_depth
    bint aspiration
    bint transposition_cutoffs
    bint null_move
    bint late_move_reductions
    bint late_move_pruning
    bint futility
    bint check_extensions
    bint internal_reductions
    bint statistical_cutoffs
    double statistical_share
    double statistical_deviations
    bint repetition            # judge positions that come back
    int symmetric_plies        # this near the root, in plies, the table takes images of a position for the same


cdef struct Counters:
    int64_t table_probes
    int64_t table_hits
    int64_t table_cutoffs
    int64_t beta_cutoffs
    int64_t first_move_cutoffs
    int64_t null_cutoffs
    int64_t statistical_cutoffs
    int64_t repetitions


cdef class Worker(HorizonSearch):              # one thread's search of one position
    cdef Table table
    cdef Switches switches
    cdef Counters counters
    cdef int thread                            # 0 answers, the others help it
    cdef int root_ply                          # position.ply at the root
    cdef Ordering ordering
    cdef move_t path[MAX_PLY + 2]              # the move that led to each ply; NO_MOVE for a null move
    cdef int static_values[MAX_PLY + 2]

    cdef int prepare(self, options, Position position, tuple only) except -1
    cdef int store_root(self, int depth, int value, int beta) except -1 nogil
    cdef int descend(self, move_t move, int depth, int alpha, int beta, int ply, int player) except? -32768 nogil
    cdef int negamax(self, int depth, int alpha, int beta, int ply, int player, bint may_pass) except? -32768 nogil


cdef class AlphaBeta:
    cdef readonly object options
    cdef readonly Evaluator evaluator
    cdef readonly Table table
    cdef Worker _worker
    cdef list _helpers
    cdef object _answer(self)
