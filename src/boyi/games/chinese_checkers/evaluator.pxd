"""Evaluations of positions of Chinese checkers."""

from boyi.core.position cimport Position
from boyi.core.race cimport Stride, StrideEvaluator
from boyi.core.types cimport MAX_PLAYERS, move_t
from boyi.games.chinese_checkers.position cimport HOLES, ChineseCheckersPosition


cdef class CheckersEvaluator(StrideEvaluator):
    cdef int evaluate(self, Position position) except? -32768 nogil
    cdef int evaluate_players(self, Position position, double* values) except -1 nogil
    cdef int stride(self, Position position, move_t move, Stride* stride) except -1 nogil
    # The same, of a position that is known to be of this game; what an evaluator writes.
    cdef int _difference(self, ChineseCheckersPosition position) except? -32768 nogil
    cdef int _shares(self, ChineseCheckersPosition position, double* values) except -1 nogil
    cdef int _stride(self, ChineseCheckersPosition position, move_t move, Stride* stride) except -1 nogil
    # What a player still has to go, in a unit of the evaluator's own; less is better.
    cdef int burden(self, ChineseCheckersPosition position, int player) noexcept nogil
    # How much more the others have to go than the player to act, on average.
    cdef int lead(self, ChineseCheckersPosition position) except? -32768 nogil


cdef class AncestorEvaluator(CheckersEvaluator):
    cdef readonly object weights               # AncestorWeights
    cdef readonly double own_weight


cdef struct Numbers:                           # what is needed of a RaceWeights at every call
    int hop
    int turn
    int half
    int load[6][HOLES]                         # the burden of a piece that heads for this corner


cdef class RaceEvaluator(CheckersEvaluator):
    cdef readonly object weights               # a RaceWeights; None where there is more than one
    cdef Numbers numbers[MAX_PLAYERS + 1]      # by the number of players

    cdef int use(self, int players, object weights) except -1


cdef class TunedEvaluator(RaceEvaluator):
    pass
