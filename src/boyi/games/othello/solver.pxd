"""The exact endgame solver."""

from boyi.games.othello.endings cimport Entry, Search

cdef enum:
    NEAR_CELLS = 1 << 16  # of the small table: 1 MB


cdef class Solver:
    cdef Search _search
    cdef Entry* _entry             # the compiled search that this machine runs
    cdef size_t _bytes             # of the table
    cdef readonly object options
    cdef readonly str processor    # what that search is compiled for
