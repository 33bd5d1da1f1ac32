"""The average or minimum of all leaves, an ancestor's search."""

from libc.stdint cimport int64_t

from boyi.core.types cimport key_t
from boyi.search.forward_pruning cimport PruningSearch

cdef enum:
    VISITED = 1 << 18          # slots for positions already met


cdef struct Leaves:            # what lies below a move
    int64_t count
    double total
    double least


cdef class LeafSearch(PruningSearch):
    cdef bint minimum          # else the average
    cdef double win_bonus
    cdef bint skip_searched
    cdef key_t* visited

    cdef int add_leaves(self, int depth, int ply, Leaves* leaves) except -1 nogil
