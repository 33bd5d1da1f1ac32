"""The transposition table: what was found out about positions already met."""

from libc.stdint cimport int16_t, uint8_t, uint64_t

from boyi.core.types cimport key_t, move_t

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
    cdef int prefetch(self, key_t key) noexcept nogil
