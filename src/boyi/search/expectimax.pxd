"""Expectimax: search for two players and chance."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position
from boyi.core.types cimport key_t, move_t
from boyi.kit.control cimport Control
from boyi.search.ordering cimport Ordering
from boyi.search.table cimport Table

cdef enum:
    MAX_PLY = 80               # no line is followed further; actions and results of chance count
    MAX_DEPTH = 60
    MAX_LINES = 256            # more are not told

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
    bint principal_variation
    bint quiescence
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


cdef struct RootLine:          # a root move and what follows
    int value
    int depth                  # of the search that gave the value
    int length
    move_t moves[MAX_PLY + 2]


cdef struct Counters:
    int64_t chance_nodes
    int64_t chance_cutoffs     # chance nodes left before every result was valued
    int64_t quiescence_nodes
    int64_t table_probes
    int64_t table_hits
    int64_t table_cutoffs
    int64_t beta_cutoffs
    int64_t first_move_cutoffs
    int64_t null_cutoffs
    int64_t repetitions


cdef class Expectimax:
    cdef readonly object options
    cdef readonly Evaluator evaluator
    cdef readonly Table table

    # ---- the search under way
    cdef Position position
    cdef Switches switches
    cdef Control control
    cdef Counters counters
    cdef int leaned                            # the lowest ply whose being on the path a value needed
    cdef int chances_met                       # chance nodes on the path that were enumerated
    cdef move_t* moves                         # per ply, MAX_MOVES of each
    cdef int32_t* orders                       # at a player's node; at a chance node the lower bounds
    cdef int32_t* uppers                       # at a chance node
    cdef double* odds
    cdef Ordering ordering
    cdef key_t path_keys[MAX_PLY + 2]
    cdef move_t line[MAX_PLY + 2][MAX_PLY + 2]
    cdef int line_length[MAX_PLY + 2]

    # ---- the root
    cdef move_t* root_moves
    cdef int root_count
    cdef object only                           # the moves to keep to; None for all
    cdef object told                           # called with the answer of every depth, or None
    cdef int depth_done
    cdef int best_count
    cdef RootLine fresh[MAX_LINES]             # what the present depth has found so far
    cdef RootLine best[MAX_LINES]              # the answer

    cdef int choose_roots(self) except -1 nogil
    cdef int deepen(self, int depth_limit, int lines) except -1 nogil
    cdef int root(self, int depth, int first) except? -32768 nogil
    cdef int follow(self, int depth, int alpha, int beta, int ply, int player, bint probing) except? -32768 nogil
    cdef int look(self, int depth, int alpha, int beta, int ply, int player, bint may_pass,
                  bint probing) except? -32768 nogil
    cdef int chance(self, int depth, int alpha, int beta, int ply, int player) except? -32768 nogil
    cdef int settle(self, int depth, int alpha, int beta, int ply, int player) except? -32768 nogil
    cdef int finished(self, int depth, int player) except? -32768 nogil
    cdef int first_sight(self, int player) except? -32768 nogil
    cdef int sample(self, move_t* moves, double* odds, int n) noexcept nogil
    cdef int keep_best(self, int number, int value, int depth) noexcept nogil
    cdef int adopt(self) noexcept nogil
    cdef int store(self, key_t key, move_t move, int value, int depth, int bound) noexcept nogil
    cdef int unpack(self) except -1
