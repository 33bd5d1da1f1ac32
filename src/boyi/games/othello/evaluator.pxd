"""Evaluations of Othello positions."""

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position


cdef class ClassicEvaluator(Evaluator):
    cdef int evaluate(self, Position position) except? -32768 nogil


cdef class LineEvaluator(Evaluator):
    cdef int evaluate(self, Position position) except? -32768 nogil


cdef class PatternEvaluator(Evaluator):
    cdef int evaluate(self, Position position) except? -32768 nogil
    cdef int foretell(self, Position position, int depth, int* shallow, double* slope, double* offset,
                      double* deviation) except -1 nogil
