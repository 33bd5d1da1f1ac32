"""The positions in which sequences of moves end, each counted once."""

from libc.stdint cimport uint64_t

from boyi.core.position cimport Position
from boyi.core.types cimport key_t, move_t


cdef struct KeySet:            # open addressing with linear probing; more than MOST_FULL of it is never taken
    key_t* slots               # 2^bits of them; 0 where nothing is
    int bits
    uint64_t taken


cdef class DistinctPositions:
    cdef readonly bint symmetric           # are symmetry classes counted, too?
    cdef readonly int megabytes            # that both sets together may take, also while one of them grows
    cdef readonly long long sequences      # that were followed so far, by perft's conventions
    cdef KeySet _keys
    cdef KeySet _classes                   # canonical keys of the positions; only where `symmetric`

    # Follow all sequences of `depth` moves; a game that ends earlier is `finished` of them. Returns how many they were.
    cdef long long walk(self, Position position, int depth, bint finished) except -1 nogil
    cdef int meet(self, Position position) except -1 nogil
    cdef int meet_children(self, Position position, move_t* moves, int n) except -1 nogil
    # 1 if the key was not in the set before.
    cdef int insert(self, KeySet* keys, key_t key) except -1 nogil
    cdef int grow(self, KeySet* keys) except -1 nogil
