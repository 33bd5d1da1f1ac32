"""Features of lines found at the moment of evaluation, in two ways."""

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position


cdef class ScanEvaluator(Evaluator):
    cdef int evaluate(self, Position position) except? -32768 nogil


cdef class LoopEvaluator(Evaluator):
    cdef int evaluate(self, Position position) except? -32768 nogil
