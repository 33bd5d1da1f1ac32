"""The transposition table: what was found out about positions already met."""

from libc.stdint cimport int16_t, uint8_t, uint64_t

from boyi.core.types cimport key_t, move_t
from boyi.search.values cimport PROVEN

cdef enum:
    NO_MOVE = 0xFFFFFFFF


cdef enum Bound:
    NOTHING = 0                # only the move is of use
    UPPER = 1                  # the true value is at most this
    LOWER = 2                  # at least this
    EXACT = 3


cdef struct Entry:             # 16 bytes; four share a cache line
    uint64_t check             # the key XOR the data: a torn write of two threads does not match
    uint64_t data              # move 32, value 16, depth 8, generation 6, bound 2


cdef struct Found:
    move_t move
    int value
    int depth
    int bound


cdef class Table:
    cdef char* _memory             # as allocated
    cdef Entry* _entries           # aligned to cache lines
    cdef uint64_t _mask            # buckets - 1
    cdef int _generation
    cdef readonly int megabytes
    cdef char _apart[64]           # threads read what is above all the time and write what is below
    cdef uint64_t _taken           # entries in use; several threads may miscount a little

    cdef bint probe(self, key_t key, Found* found) noexcept nogil
    cdef int store(self, key_t key, move_t move, int value, int depth, int bound) noexcept nogil


cdef inline bint decides(int bound, int value, int alpha, int beta) noexcept nogil:
    """Is a value of this bound all that a window asks for?"""
    return bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)


# In the tree a win is WIN less its plies from the root; in the table, less those from the position.

cdef inline int to_table(int value, int ply) noexcept nogil:
    return value + ply if value > PROVEN else value - ply if value < -PROVEN else value


cdef inline int from_table(int value, int ply) noexcept nogil:
    return value - ply if value > PROVEN else value + ply if value < -PROVEN else value
