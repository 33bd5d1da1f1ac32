"""Opinions on positions of Chinese checkers."""

from boyi.core.evaluator cimport Evaluator, Stride
from boyi.core.position cimport Position
from boyi.core.types cimport move_t
from boyi.games.chinese_checkers.position cimport HOLES, ChineseCheckersPosition


cdef class SeedEvaluator(Evaluator):
    cdef readonly object weights               # a SeedWeights
    cdef readonly double own_weight

    cdef int evaluate(self, Position position) except? -32768 nogil
    cdef int evaluate_players(self, Position position, double* values) except -1 nogil
    cdef int stride(self, Position position, move_t move, Stride* stride) except -1 nogil
    cdef int _difference(self, ChineseCheckersPosition position) except? -32768 nogil
    cdef int _shares(self, ChineseCheckersPosition position, double* values) except -1 nogil
    cdef int _stride(self, ChineseCheckersPosition position, move_t move, Stride* stride) except -1 nogil
    # Steps that his pieces lack to the layer of the goal that he should fill now.
    cdef int layered(self, ChineseCheckersPosition position, int player) noexcept nogil


cdef class RaceEvaluator(Evaluator):
    cdef readonly object weights               # a RaceWeights, and what is needed of it at every call:
    cdef int hop
    cdef int turn
    cdef int half
    cdef int load[6][HOLES]                    # the burden of a piece that heads for this corner
    cdef int evaluate(self, Position position) except? -32768 nogil
    cdef int evaluate_players(self, Position position, double* values) except -1 nogil
    cdef int stride(self, Position position, move_t move, Stride* stride) except -1 nogil
    cdef int _difference(self, ChineseCheckersPosition position) except? -32768 nogil
    cdef int _shares(self, ChineseCheckersPosition position, double* values) except -1 nogil
    cdef int _stride(self, ChineseCheckersPosition position, move_t move, Stride* stride) except -1 nogil
    # What a player still has before him, in hundredths of a step; less is better.
    cdef int burden(self, ChineseCheckersPosition position, int player) noexcept nogil
