"""The exact endgame solver."""

from libc.stdint cimport uint64_t

from boyi.games.othello.endings cimport Entry, Search

cdef enum:
    NEAR_CELLS = 1 << 16  # of the small table: 1 MB


cdef class Solver:
    cdef Search* _searches         # one for each thread; the first belongs to the thread that asks
    cdef int _threads
    cdef Entry* _entry             # the compiled search that this machine runs
    cdef size_t _bytes             # of the tables
    cdef readonly object options
    cdef readonly str processor    # what that search is compiled for

    cdef int _run(self, int number, uint64_t own, uint64_t other, int alpha, int beta) noexcept nogil
