"""Evaluations of positions of Chinese checkers."""

from libc.stdint cimport int32_t

from boyi.core.position cimport Position
from boyi.core.race cimport Stride, StrideEvaluator
from boyi.core.types cimport MAX_PLAYERS, key_t, move_t
from boyi.games.chinese_checkers.position cimport HOLES, ChineseCheckersPosition


cdef class CheckersEvaluator(StrideEvaluator):
    cdef int evaluate(self, Position position) except? -32768 nogil
    cdef int evaluate_players(self, Position position, double* values) except -1 nogil
    cdef int strides(self, Position position, const move_t* moves, int n, Stride* strides) except -1 nogil
    cdef key_t board_key(self, Position position) except? 0 nogil
    cdef key_t board_key_after(self, Position position, move_t move) except? 0 nogil
    # The same, of a position that is known to be of this game; what an evaluator writes.
    cdef int _difference(self, ChineseCheckersPosition position) except? -32768 nogil
    cdef int _shares(self, ChineseCheckersPosition position, double* values) except -1 nogil
    cdef int _strides(self, ChineseCheckersPosition position, const move_t* moves, int n,
                      Stride* strides) except -1 nogil
    # What a player still has to go, in a unit of the evaluator's own; less is better.
    cdef int burden(self, ChineseCheckersPosition position, int player) noexcept nogil
    # How much more the others have to go than the player to act, on average.
    cdef int lead(self, ChineseCheckersPosition position) except? -32768 nogil


cdef class AncestorEvaluator(CheckersEvaluator):
    cdef readonly object weights               # AncestorWeights

    cdef int distance(self, Position position, int player) except -1 nogil
    cdef int distances_after(self, Position position, const move_t* moves, int n, int32_t* distances) except -1 nogil
    cdef int arrived(self, Position position, int player) except -1 nogil
    cdef int _distances_after(self, ChineseCheckersPosition position, const move_t* moves, int n,
                              int32_t* distances) except -1 nogil


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
