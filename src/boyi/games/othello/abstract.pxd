"""Abstract states: a position reduced to nine digits in base 3."""

from libc.stdint cimport int16_t, uint64_t

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position

cdef enum:
    STATES = 19683         # 3^9: four corners, four edges, mobility


# The state of a position for `own`, to act, images merged.
cdef int state_of(uint64_t own, uint64_t other) noexcept nogil


cdef struct Seen:              # what was seen of a state
    double share_low           # where the share of the points is, with certainty
    double share_high
    double mean                # of the values, in hundredths of a disc
    double deviation           # of the values; below 0 where the state was never seen


cdef class AbstractEvaluator(Evaluator):
    cdef readonly Evaluator base       # the evaluation that this one is added to, or None
    cdef readonly int weight           # how much of a state's mean value is added, in hundredths
    cdef int16_t means[STATES]         # what is added for a state, before the weight
    cdef Seen seen[STATES]             # for bounds()

    cdef int evaluate(self, Position position) except? -32768 nogil
    cdef int foretell(self, Position position, int depth, int* shallow, double* slope, double* offset,
                      double* deviation) except -1 nogil
    cdef int _bound(self, double value) noexcept nogil
    cdef int bounds(self, Position position, double share, double deviations, int* low, int* high) except -1 nogil
