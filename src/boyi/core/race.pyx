"""Evaluators of races, which describe moves as strides."""

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position
from boyi.core.types cimport move_t


cdef class StrideEvaluator(Evaluator):
    """An evaluator that also describes moves, for searches that prune the moves of a race (`search.multiplayer`)."""

    cdef int stride(self, Position position, move_t move, Stride* stride) except -1 nogil:
        return 0

    def race(self):
        return self
