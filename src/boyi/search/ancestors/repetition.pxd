"""Alpha-beta with an ancestor's treatment of repetition."""

from boyi.core.types cimport key_t
from boyi.search.alphabeta cimport Worker


cdef struct Seen:              # a position of the game or on the path
    key_t key
    int times                  # how often; 0 is a free slot


cdef class PathWorker(Worker):
    cdef bint as_set                           # look positions up in a hash set, not a list
    cdef int penalty                           # what the first repetition costs the side that repeats
    cdef int inherited                         # positions of the game before the root, which count as well
    cdef int room                              # positions for which there is memory
    cdef int slots                             # of the set, a power of two: at most a quarter of them is taken
    cdef key_t* keys                           # the inherited positions, then those on the path, as a list ...
    cdef Seen* seen                            # ... or as a set

    cdef int take_room(self, int positions) except -1
    cdef int remember(self, key_t key) noexcept nogil   # put a position before the root, or the root, into the set
    cdef Seen* slot(self, key_t key) noexcept nogil
