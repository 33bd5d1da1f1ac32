"""Expectimax: search for two players and chance."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from boyi.core.types cimport key_t, move_t
from boyi.search.horizon cimport HorizonSearch
from boyi.search.ordering cimport Ordering
from boyi.search.table cimport Table

cdef enum:
    MAX_PLY = 80               # no line is followed further; actions and results of chance count
    MAX_DEPTH = 60
    LINE_LENGTH = MAX_PLY + 2  # moves of a line that are kept: all

cdef enum Outcomes:
    ALL
    SAMPLE
    PRESUME


cdef struct Switches:          # the options, unpacked
    bint table
    bint same_depth
    bint star1
    bint star2
    bint scout
    bint null_move
    bint late_move_reductions
    bint late_move_pruning
    bint futility
    bint check_extensions
    bint repetition
    Outcomes outcomes
    int exact_chances
    int samples
    uint64_t seed


cdef struct Counters:
    int64_t chance_nodes
    int64_t chance_cutoffs     # chance nodes left before every result was valued
    int64_t table_probes
    int64_t table_hits
    int64_t table_cutoffs
    int64_t beta_cutoffs
    int64_t first_move_cutoffs
    int64_t null_cutoffs
    int64_t repetitions


cdef class Expectimax(HorizonSearch):
    cdef readonly object options
    cdef readonly Table table

    # ---- the search under way
    cdef Switches switches
    cdef Counters counters
    cdef int chances_met                       # chance nodes on the path that were enumerated
    cdef int32_t* uppers                       # per ply, MAX_MOVES of each: at a chance node the upper bounds; ...
    cdef double* odds                          # ... the lower ones are in `orders`
    cdef Ordering ordering
    cdef key_t path_keys[MAX_PLY + 2]

    cdef int descend(self, int depth, int alpha, int beta, int ply, int player, bint probing) except? -32768 nogil
    cdef int negamax(self, int depth, int alpha, int beta, int ply, int player, bint may_pass,
                     bint probing) except? -32768 nogil
    cdef int chance_node(self, int depth, int alpha, int beta, int ply, int player) except? -32768 nogil
    cdef int static_value(self, int player) except? -32768 nogil
    cdef int sample(self, move_t* moves, double* odds, int n) noexcept nogil
    cdef int store(self, key_t key, move_t move, int value, int depth, int bound) noexcept nogil
    cdef int unpack(self) except -1
    cdef object _answer(self)
