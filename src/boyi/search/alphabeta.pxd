"""Alpha-beta search for two players."""

from libc.stdint cimport int32_t, int64_t

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position
from boyi.core.types cimport key_t, move_t
from boyi.kit.control cimport Control
from boyi.search.ordering cimport Ordering
from boyi.search.table cimport Table

cdef enum:
    MAX_PLY = 100              # no line is followed further
    LINE_LENGTH = 16           # moves of a line that are told
    SEEN_SLOTS = 512           # the path as a hash set: at most a fifth of it is taken


cdef struct Switches:          # the options, unpacked
    bint table
    bint same_depth
    bint aspiration
    bint principal_variation
    bint transposition_cutoffs
    bint quiescence
    bint null_move
    bint late_move_reductions
    bint late_move_pruning
    bint futility
    bint check_extensions
    bint internal_reductions
    bint statistical_cutoffs
    bint full_repetition
    bint seed_repetition
    bint seen_as_set           # under seed: look the path up in a hash set, not a list
    int repetition_penalty
    int symmetric_plies        # so near the root the table takes images of a position for the same


cdef struct RootLine:          # a root move, its value and what follows
    int value
    int length
    move_t moves[LINE_LENGTH]


cdef struct Seen:              # a position on the path
    key_t key
    int times                  # how often; 0 is a free slot


cdef struct Counters:
    int64_t table_probes
    int64_t table_hits
    int64_t table_cutoffs
    int64_t beta_cutoffs
    int64_t first_move_cutoffs
    int64_t null_cutoffs
    int64_t statistical_cutoffs
    int64_t repetitions
    int64_t quiescence_nodes


cdef class Worker:             # one thread's search of one position
    cdef Position position
    cdef Evaluator evaluator
    cdef Table table
    cdef Switches switches
    cdef Control control
    cdef Counters counters
    cdef int root_ply                          # position.ply at the root
    cdef int selective_depth
    cdef int leaned                            # the lowest ply whose being on the path the last value needed
    cdef move_t* moves                         # MAX_PLY * MAX_MOVES
    cdef int32_t* orders
    cdef Ordering ordering
    cdef move_t path[MAX_PLY + 2]              # the move that led to each ply
    cdef key_t path_keys[MAX_PLY + 2]          # under seed: the positions on the path, as a list ...
    cdef Seen seen[SEEN_SLOTS]                 # ... or as a set
    cdef int static_values[MAX_PLY + 2]
    cdef move_t line[MAX_PLY + 2][MAX_PLY + 2]
    cdef int line_length[MAX_PLY + 2]
    cdef move_t* root_moves
    cdef int* root_values
    cdef int root_count
    cdef int root_first                        # MultiPV: the moves before it are settled
    cdef object only                           # the moves to keep to at the root; all if there are none
    cdef object told                           # called without arguments after every depth, or None

    cdef int choose_roots(self) except -1 nogil
    cdef int deepen(self, int depth_limit, int lines, int thread) except -1 nogil
    cdef int root(self, int depth, int alpha, int beta) except? -32768 nogil
    cdef int follow_as_seed(self, int depth, int alpha, int beta, int ply, int player,
                            bint may_pass) except? -32768 nogil
    cdef Seen* seen_slot(self, key_t key) noexcept nogil
    cdef int look(self, int depth, int alpha, int beta, int ply, int player, bint may_pass) except? -32768 nogil
    cdef int settle(self, int alpha, int beta, int ply, int player, int depth) except? -32768 nogil
    cdef int finished(self, int ply, int player) except? -32768 nogil
    cdef int follow_up(self, move_t move, int depth, int alpha, int beta, int ply, int player,
                       bint may_pass) except? -32768 nogil
    cdef int keep_best(self, int number, int value) noexcept nogil
    cdef int adopt(self, int lines) noexcept nogil

    # ---- what the last finished depth found
    cdef int depth_done
    cdef int best_lines
    cdef RootLine* best
    cdef RootLine* fresh                       # and the depth under way, so far


cdef class AlphaBeta:
    cdef readonly object options
    cdef readonly Evaluator evaluator
    cdef readonly Table table
    cdef Worker _worker
    cdef list _helpers
    cdef int _begin(self, Worker worker, limits) except -1
    cdef int _prepare(self, Worker worker, Position position, tuple only) except -1
    cdef object _answer(self, Worker worker)
