"""Abstract states: a position reduced to nine digits in base 3."""

from libc.stdint cimport int16_t, uint64_t

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position

cdef enum:
    STATES = 19683         # 3^9: four corners, four edges, mobility


# The state of a position for `own`, to act, images merged.
cdef int state_of(uint64_t own, uint64_t other) noexcept nogil


cdef class AbstractEvaluator(Evaluator):
    cdef readonly Evaluator base       # the evaluation that this one is added to, or None
    cdef readonly int weight           # how much of a state's mean value is added, in hundredths
    cdef int16_t means[STATES]
    cdef int16_t lows[STATES]          # what the value of a position hardly ever is below, and above;
    cdef int16_t highs[STATES]         # all that is possible where the statistics do not say enough

    cdef int evaluate(self, Position position) except? -32768 nogil
    cdef int bounds(self, Position position, int* low, int* high) except -1 nogil
