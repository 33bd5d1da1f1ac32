"""What a position of Liuzhou qi may be worth."""

from libc.stdint cimport uint64_t

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position


cdef struct Shapes:            # of one side, its marked stones left out
    int squares                # squares that stand
    int lines                  # rows and columns that stand
    int square_threats         # squares that one action completes
    int line_threats
    int square_swings          # squares that a stone can leave now, to come back and capture
    int line_swings
    int hopes                  # squares of two stones and two empty points
    int protected              # stones in shapes


cdef int count_shapes(uint64_t own, uint64_t empty, bint moving, Shapes* shapes) noexcept nogil
cdef int count_steps(uint64_t own, uint64_t empty) noexcept nogil


cdef class HandEvaluator(Evaluator):
    cdef int evaluate(self, Position position) except? -32768 nogil
