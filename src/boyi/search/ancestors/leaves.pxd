"""The average or minimum of all leaves, an ancestor's search."""

from libc.stdint cimport int32_t, int64_t

from boyi.core.position cimport Position
from boyi.core.race cimport StrideEvaluator
from boyi.core.types cimport MAX_PLAYERS, key_t, move_t
from boyi.search.forward_pruning cimport PruningSearch
from boyi.search.keyset cimport KeySet


cdef struct Leaves:            # what lies below a move
    int64_t count
    double total               # of values, in the evaluator's unit
    double least


cdef class LeafSearch(PruningSearch):
    cdef bint minimum          # else the average
    cdef double win_bonus      # in the evaluator's unit
    cdef bint skip_searched
    cdef StrideEvaluator adding        # adds up distances; None where positions are valued one by one
    cdef double unit           # what a score of 1 is in values
    cdef KeySet met            # boards of this depth
    cdef KeySet made           # boards that the player at the root has decided on or made in this game
    cdef move_t* choice        # the moves of the root, in the order in which they are searched
    cdef move_t* ranked        # the same, the best of the depth before first
    cdef double weights[MAX_PLAYERS]   # what a player's distance counts for the one at the root; 0 of those who are out

    # Note the boards of this game that go into `made`; the game is taken back to its start.
    cdef int remember(self, Position game) except -1
    # Which pieces stand where, as a key; and once a move is made.
    cdef key_t board_of(self, Position position) except? 0 nogil
    cdef key_t board_after(self, move_t move) except? 0 nogil
    cdef int begin_depth(self) except -1 nogil
    # What lies below a root move; the rest of the tree adds to it.
    cdef int follow(self, move_t move, int depth, Leaves* leaves) except -1 nogil
    cdef int descend(self, move_t move, int depth, int ply, Leaves* leaves) except -1 nogil
    cdef int add_leaves(self, int depth, int ply, Leaves* leaves) except -1 nogil
    cdef int add_horizon(self, const move_t* moves, int n, int32_t* distances, Leaves* leaves) except -1 nogil
    cdef int add_leaf(self, Leaves* leaves, double value) noexcept nogil
    # The value by distances, without that of the player `omitted`.
    cdef double add_up(self, int omitted) except? -1e300 nogil
    cdef int is_settled(self) except -1 nogil
    cdef double value(self, int depth) except? -1e300 nogil
