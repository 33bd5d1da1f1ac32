"""Max^n: every player maximises their own value."""

from libc.stdint cimport int32_t, int64_t

from boyi.core.types cimport MAX_PLAYERS, key_t, move_t
from boyi.search.forward_pruning cimport PruningSearch

cdef enum:
    SLOTS = 1 << 16            # positions in the table


cdef struct Slot:              # what is known of a position: the values for all players
    key_t key
    int32_t depth
    move_t move
    double values[MAX_PLAYERS]


cdef class MaxN(PruningSearch):
    cdef Slot* slots
    cdef bint table
    cdef key_t salt            # sets values for one player and one algorithm apart in the table
    cdef int64_t endings       # met by repetition or turn limit: values above them hold on this path only

    cdef int max_n(self, int depth, int ply, double* values) except -1 nogil
    cdef int descend(self, move_t move, int depth, int ply, double* values) except -1 nogil
