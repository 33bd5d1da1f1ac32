"""Alpha-beta with an ancestor's treatment of repetition."""

from boyi.core.types cimport key_t
from boyi.search.alphabeta cimport MAX_PLY, Worker

cdef enum:
    SEEN_SLOTS = 512           # the path as a hash set: at most a fifth of it is taken


cdef struct Seen:              # a position on the path
    key_t key
    int times                  # how often; 0 is a free slot


cdef class PathWorker(Worker):
    cdef bint as_set                           # look the path up in a hash set, not a list
    cdef int penalty                           # what the first repetition costs the side that repeats
    cdef key_t path_keys[MAX_PLY + 2]          # the positions on the path, as a list ...
    cdef Seen seen[SEEN_SLOTS]                 # ... or as a set

    cdef Seen* slot(self, key_t key) noexcept nogil
