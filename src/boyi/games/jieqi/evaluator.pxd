"""What a position of jieqi may be worth to the player to act."""

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position
from boyi.core.types cimport move_t
from boyi.games.jieqi.position cimport JieqiPosition


cdef class It2(Evaluator):
    cdef readonly object weights       # AncestorWeights
    cdef double king_value             # of a king that could be taken
    cdef int evaluate(self, Position position) except? -32768 nogil
    cdef int value_of(self, JieqiPosition here) noexcept nogil
    cdef double covered_value(self, JieqiPosition position, int side) noexcept nogil
    cdef double best_capture(self, JieqiPosition position, int side, double* covered_values) noexcept nogil


cdef class Iterative(It2):
    cdef double covered_value(self, JieqiPosition position, int side) noexcept nogil
    cdef move_t presume(self, Position position) except? 0xFFFFFFFF nogil
    cdef move_t standing_result(self, JieqiPosition here) noexcept nogil


cdef class Hand(Evaluator):
    cdef int evaluate(self, Position position) except? -32768 nogil
    cdef int value_of(self, JieqiPosition here) noexcept nogil
    cdef int side_value(self, JieqiPosition position, int side) noexcept nogil
