"""Expectimax: alpha-beta with a third kind of node, where chance acts."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from boyi.core.types cimport move_t
from boyi.search.alphabeta cimport AlphaBeta, Worker

cdef enum:
    MAX_CHANCES = 102          # chance nodes of a line; none beyond is looked at

cdef enum Outcomes:
    ALL
    SAMPLE
    PRESUME


cdef struct ChanceSwitches:    # the options, unpacked
    bint star1
    bint star2
    bint scout
    Outcomes outcomes
    int exact_chances
    int exact_depth
    int information            # in units of the evaluator
    bint chance_probing
    int chance_margin          # in units of the evaluator
    int samples
    uint64_t seed


cdef struct ChanceCounters:
    int64_t nodes
    int64_t cutoffs            # nodes left before every result was valued


cdef class ChanceWorker(Worker):
    cdef ChanceSwitches chance
    cdef ChanceCounters chance_counters
    cdef int level                             # chance nodes on the path
    # ---- per chance node on the path, MAX_MOVES of each
    cdef move_t* results
    cdef double* odds
    cdef int32_t* lowers                       # bounds of the results' values
    cdef int32_t* uppers
    cdef int32_t* looks                        # static values of the results

    cdef int settle(self, int depth, int alpha, int beta, int ply, int player, bint cut_node) except? -32768 nogil
    cdef int chance_node(self, int depth, int alpha, int beta, int ply, int player,
                         bint cut_node) except? -32768 nogil
    cdef int mean_value(self, int depth, int alpha, int beta, int ply, int player, bint cut_node, int n,
                        int* bound) except? -32768 nogil
    cdef int look(self, int n, int player, double* mean) except -1 nogil
    cdef int representative_value(self, int depth, int alpha, int beta, int ply, int player, bint cut_node, int n,
                                  double mean) except? -32768 nogil
    cdef int reply_value(self, int depth, int alpha, int beta, int ply, int player) except? -32768 nogil
    cdef int static_value(self, int player) except? -32768 nogil
    cdef int sample(self, move_t* moves, double* odds, int n) noexcept nogil


cdef class Expectimax(AlphaBeta):
    pass
