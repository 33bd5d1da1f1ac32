"""The exact endgame solver."""

from boyi.games.othello.endings cimport Entry, Search

cdef enum:
    ALIGNMENT = 1 << 21   # bytes: a huge page, so also a line of the cache
    NEAR_CELLS = 1 << 16  # of the small table: 1 MB


cdef class Solver:
    cdef Search _search
    cdef Entry* _entry             # the compiled search that this machine runs
    cdef void* _memory             # of the table
    cdef size_t _bytes
    cdef readonly object options
    cdef readonly str processor    # what that search is compiled for
