"""The horizon of alpha-beta and expectimax: quiescence and the value of finished games."""

from libc.stdint cimport int64_t

from boyi.core.evaluator cimport Evaluator
from boyi.search.deepening cimport Deepening

cdef enum:
    CHECKED_DEPTH = -4         # plies; deeper below the horizon checks are not answered by every move; a guess


cdef class HorizonSearch(Deepening):
    cdef readonly Evaluator evaluator
    cdef int max_ply                           # no line is followed further
    cdef bint quiescence                       # search captures on
    cdef bint chance                           # chance may act, see `quiesce`
    cdef int64_t quiescence_nodes
    cdef int leaned                            # the lowest ply whose being on the path the last value needed

    # The value for `player`, who acts, when the captures are over; `depth` counts down from 0.
    cdef int quiesce(self, int depth, int alpha, int beta, int ply, int player) except? -32768 nogil
    # The value of a finished game for `player`, `depth` plies above the horizon and `ply` below the root. What a rule
    # ended may be due to the path: then `leaned` says so.
    cdef int finished(self, int depth, int ply, int player) except? -32768 nogil
