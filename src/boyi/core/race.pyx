"""Evaluators of races, which describe moves as strides."""

from libc.stdint cimport int32_t

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position
from boyi.core.types cimport key_t, move_t


cdef class StrideEvaluator(Evaluator):
    """An evaluator that also describes moves, for searches that prune the moves of a race (`search.multiplayer`)."""

    cdef int strides(self, Position position, const move_t* moves, int n, Stride* strides) except -1 nogil:
        return 0

    cdef key_t board_key(self, Position position) except? 0 nogil:
        return position.key()

    cdef key_t board_key_after(self, Position position, move_t move) except? 0 nogil:
        cdef key_t key
        position.make(move)
        key = self.board_key(position)
        position.unmake()
        return key

    cdef int distance(self, Position position, int player) except -1 nogil:
        return 0

    cdef int distances_after(self, Position position, const move_t* moves, int n, int32_t* distances) except -1 nogil:
        cdef int i, player = position.side
        for i in range(n):
            position.make(moves[i])
            distances[i] = self.distance(position, player)
            position.unmake()
        return 0

    cdef int arrived(self, Position position, int player) except -1 nogil:
        return 0

    def race(self):
        return self
