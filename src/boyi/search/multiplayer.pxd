"""Search for any number of players; see the `.pyx`."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position
from boyi.core.race cimport StrideEvaluator
from boyi.core.types cimport MAX_PLAYERS, key_t, move_t
from boyi.kit.control cimport Control
from boyi.search.table cimport Table

cdef enum:
    MAX_PLY = 64
    KEPT = 16                          # moves of a line that are kept for the answer
    MAX_PLACES = 256                   # of a race: pieces and targets of strides are numbers below it


cdef enum Algorithm:
    BEST_REPLY
    PARANOID
    MAX_N
    OWN_PLAN
    LEAVES                             # average and minimum


cdef enum Stage:                       # within the one ply that all opponents share in best-reply search
    BEFORE                             # a new ply begins
    WAITING                            # some have sat out, and one has still to reply
    REPLIED                            # one has; the rest sit out


cdef struct RootLine:                  # a root move, its value and what follows
    double value
    int length
    move_t moves[KEPT]


cdef struct Switches:
    Algorithm algorithm
    bint table
    bint principal_variation
    bint killers
    bint others_move
    bint minimum
    double win_bonus
    bint no_retreat
    bint claims
    int targets
    bint farthest_hop
    int width
    bint skip_searched
    bint skip_made


cdef struct Counters:
    int64_t table_hits
    int64_t table_cutoffs
    int64_t cutoffs
    int64_t pruned                     # moves left out by forward pruning
    int64_t backups                    # nodes where nothing else was left
    int64_t skipped                    # positions not looked at twice
    int64_t leaves


cdef struct Shared:                    # what max^n knows of a position: the best for everybody
    key_t key
    int32_t depth
    move_t move
    double values[MAX_PLAYERS]


cdef struct Leaves:                    # what lies below a move, for average and minimum
    int64_t count
    double total
    double least


cdef class Multiplayer:
    cdef readonly Evaluator evaluator
    cdef StrideEvaluator race          # describes moves to forward pruning; None if the game is no race
    cdef readonly object options
    cdef Table table
    cdef Control control
    cdef Switches switches
    cdef Counters counters
    cdef Position position             # while a search runs
    cdef int root                      # for whom it runs
    cdef key_t salt                    # sets values for one player and one algorithm apart in the table
    cdef int64_t endings               # met by repetition or turn limit: values above them hold on this path only
    # ---- memory, taken once
    cdef Shared* shared                # of max^n; SHARED slots
    cdef key_t* visited                # of average and minimum; VISITED slots
    cdef move_t* moves                 # MAX_MOVES per ply
    cdef int32_t* orders
    cdef move_t killers[MAX_PLY + 1][2]
    cdef move_t line[MAX_PLY + 2][KEPT]
    cdef int line_length[MAX_PLY + 2]
    # ---- the root
    cdef int root_count
    cdef move_t* root_moves
    cdef double* root_values
    cdef move_t* root_lines            # KEPT per root move
    cdef int* root_lengths
    cdef int depth_done
    cdef RootLine* best                # the answer
    cdef int best_count

    cdef int deepen(self, int deepest, int lines) except -1 nogil
    cdef int prepare_root(self) except -1 nogil
    cdef int root_bounded(self, int depth, int first) except -1 nogil
    cdef int root_whole(self, int depth) except -1 nogil
    cdef int to_front(self, int first, int i) noexcept nogil
    cdef int keep(self, int place, double value) noexcept nogil
    cdef int adopt(self, int lines) noexcept nogil
    cdef int look(self, int depth, int alpha, int beta, int ply, int stage) except? -32768 nogil
    cdef int descend(self, move_t move, int depth, int alpha, int beta, int ply, int stage) except? -32768 nogil
    cdef int share(self, int depth, int ply, double* values) except -1 nogil
    cdef int share_after(self, move_t move, int depth, int ply, double* values) except -1 nogil
    cdef int gather(self, int depth, int ply, Leaves* leaves) except -1 nogil
    cdef int sit_out(self) except -1 nogil
    cdef int guess(self) except? -32768 nogil
    cdef int proven(self, double score, int ply) noexcept nogil
    cdef int select(self, move_t* moves, int32_t* orders, int ply, move_t known) except -1 nogil
    cdef int pick(self, move_t* moves, int32_t* orders, int first, int n) noexcept nogil
    cdef int extend(self, move_t move, int ply) noexcept nogil
    cdef object _answer(self)
