"""The exact endgame solver."""

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t

from boyi.kit.control cimport Control

cdef enum:
    LONGEST = 128         # a line with a pass after every move


cdef struct Cell:                  # what is known of a position; 24 bytes
    uint64_t own
    uint64_t other
    int8_t lower
    int8_t upper
    uint8_t move
    uint8_t empties                # how many: the more, the dearer
    uint32_t round                 # the number of the solve() that wrote it


cdef struct Choice:                # a move in a list to be sorted
    uint64_t own                   # after it, of the player then to act
    uint64_t other
    int point
    int worth                      # the greater, the sooner it is tried


cdef class Solver:
    cdef Control control
    cdef Cell* _cells
    cdef uint64_t _mask
    cdef uint32_t _round
    cdef uint8_t _line[LONGEST + 1][LONGEST + 1]
    cdef int _length[LONGEST + 1]
    cdef readonly object options
    cdef bint _parity, _stability, _transpositions, _table, _patterns

    cdef int _two(self, uint64_t own, uint64_t other, int alpha, int a, int b) noexcept nogil
    cdef int _three(self, uint64_t own, uint64_t other, int alpha, int a, int b, int c) noexcept nogil
    cdef int _four(self, uint64_t own, uint64_t other, int alpha, int parity) noexcept nogil
    cdef int _few(self, uint64_t own, uint64_t other, int alpha, int empties, int parity) noexcept nogil
    cdef int _scout(self, uint64_t own, uint64_t other, int alpha, int empties, int parity) noexcept nogil
    cdef int _full(self, uint64_t own, uint64_t other, int alpha, int beta, int empties, int parity,
                   int ply) noexcept nogil
    cdef int _guess(self, uint64_t own, uint64_t other, int alpha, int beta, int depth) noexcept nogil
    cdef int _list(self, uint64_t own, uint64_t other, uint64_t moves, int empties, int parity, int first, int alpha,
                   Choice* choices) noexcept nogil
    cdef int _scout_any(self, uint64_t own, uint64_t other, int alpha, int empties, int parity) noexcept nogil
    cdef int _extend(self, int ply, int move) noexcept nogil
    cdef Cell* _find(self, uint64_t own, uint64_t other) noexcept nogil
    cdef int _keep(self, uint64_t own, uint64_t other, int lower, int upper, int move, int empties) noexcept nogil
