"""Alpha-beta search for two players."""

from libc.stdint cimport int16_t, int32_t, int64_t, uint64_t

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position
from boyi.core.types cimport key_t, move_t
from boyi.search.control cimport Control
from boyi.search.table cimport Table

cdef enum:
    MAX_PLY = 100              # no line is followed further
    MOVE_SLOTS = 1 << 14       # entries of the history table, by move
    FOLLOW_SLOTS = 1 << 18     # entries of the continuation history, by a hash of two moves


cdef struct Switches:          # the options, unpacked
    bint table
    bint same_depth
    bint aspiration
    bint principal_variation
    bint killers
    bint history
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
    int repetition_penalty


cdef struct Counters:
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
    cdef int16_t* follow
    cdef int32_t history[2][MOVE_SLOTS]
    cdef move_t killers[MAX_PLY + 2][2]
    cdef move_t path[MAX_PLY + 2]              # the move that led to each ply
    cdef key_t path_keys[MAX_PLY + 2]
    cdef int static_values[MAX_PLY + 2]
    cdef move_t line[MAX_PLY + 2][MAX_PLY + 2]
    cdef int line_length[MAX_PLY + 2]
    cdef move_t* root_moves
    cdef int* root_values
    cdef int root_count
    cdef int root_first                        # MultiPV: the moves before it are settled

    cdef int deepen(self, int depth_limit, int lines, int thread) except -1 nogil
    cdef int root(self, int depth, int alpha, int beta) except? -32768 nogil
    cdef int look(self, int depth, int alpha, int beta, int ply, int player, bint may_pass) except? -32768 nogil
    cdef int settle(self, int alpha, int beta, int ply, int player, int depth) except? -32768 nogil
    cdef int finished(self, int ply, int player) except? -32768 nogil
    cdef int follow_up(self, move_t move, int depth, int alpha, int beta, int ply, int player,
                       bint may_pass) except? -32768 nogil
    cdef int pick(self, move_t* moves, int32_t* orders, int first, int n) noexcept nogil
    cdef int arrange(self, move_t* moves, int32_t* orders, int n, int ply, int player, move_t known) except -1 nogil
    cdef int reward(self, move_t move, move_t* tried, int tries, int depth, int ply, int player) noexcept nogil
    cdef int keep_line(self, move_t move, int ply) noexcept nogil
    cdef int _keep(self, int number, int value) noexcept nogil

    # ---- what the last finished depth found
    cdef int depth_done
    cdef int best_lines
    cdef move_t* best_moves                    # lines * (MAX_PLY + 1), each ended by its length
    cdef int* best_lengths
    cdef int* best_values


cdef class AlphaBeta:
    cdef readonly object options
    cdef readonly Evaluator evaluator
    cdef readonly Table table
    cdef Worker _worker
    cdef list _helpers
    cdef bint _stop
    cdef int _prepare(self, Worker worker, Position position, limits) except -1
    cdef object _answer(self, Worker worker)
