"""The learnt evaluation of Chinese checkers."""

from libc.stdint cimport uint8_t

from boyi.kit.nnue cimport NetEvaluator
from boyi.core.position cimport Position
from boyi.games.chinese_checkers.evaluator cimport RaceEvaluator


cdef class ChineseCheckersNet(NetEvaluator):
    cdef RaceEvaluator strides         # describes moves to searches: the network values positions only

    cdef int encode(self, Position position, uint8_t* codes) except -1 nogil
    cdef int bucket(self, Position position) except -1 nogil
