"""The transposition table: what was found out about positions already met."""

from libc.stdint cimport int16_t, uint8_t, uint64_t

from boyi.core.evaluator cimport UNKNOWN
from boyi.core.types cimport key_t, move_t
from boyi.search.values cimport PROVEN

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
      #define boyi_prefetch(address) __builtin_prefetch(address)
    #else
      #define boyi_prefetch(address) ((void) 0)
    #endif
    """
    void prefetch_line "boyi_prefetch"(const void* address) noexcept nogil

cdef enum:
    NO_MOVE = 0xFFFFFFFF
    BUCKET = 4                 # entries of a bucket, which fill one cache line


cdef enum Bound:
    NOTHING = 0                # only the move and the static value are of use
    UPPER = 1                  # the true value is at most this
    LOWER = 2                  # at least this
    EXACT = 3


cdef struct Entry:             # 16 bytes; four share a cache line
    uint64_t check             # 48 bits of the key XOR a hash of the data, depth 8, generation 5, principal 1, bound 2
    uint64_t data              # move 32, value 16, static value 16


cdef struct Found:
    move_t move
    int value
    int static_value           # what the evaluator said, or UNKNOWN
    int depth
    int bound
    bint principal             # it was once searched with an open window


cdef class Table:
    cdef Entry* _entries           # aligned to cache lines
    cdef uint64_t _mask            # buckets - 1
    cdef int _generation
    cdef readonly int megabytes
    cdef char _apart[64]           # threads read what is above all the time and write what is below
    cdef uint64_t _taken           # entries in use; several threads may miscount a little

    cdef bint probe(self, key_t key, Found* found) noexcept nogil
    cdef int store(self, key_t key, move_t move, int value, int depth, int bound, int static_value=*,
                   bint principal=*) noexcept nogil

    cdef inline void prefetch(self, key_t key) noexcept nogil:
        """A probe for this key will follow soon."""
        prefetch_line(&self._entries[(key & self._mask) * BUCKET])


cdef inline bint decides(int bound, int value, int alpha, int beta) noexcept nogil:
    """Is a value of this bound all that a window asks for?"""
    return bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)


# In the tree a win is WIN less its plies from the root; in the table, less those from the position.

cdef inline int to_table(int value, int ply) noexcept nogil:
    return value + ply if value > PROVEN else value - ply if value < -PROVEN else value


cdef inline int from_table(int value, int ply) noexcept nogil:
    return value - ply if value > PROVEN else value + ply if value < -PROVEN else value
