"""The learnt evaluation of jieqi."""

from libc.stdint cimport uint8_t

from boyi.kit.nnue cimport NetEvaluator
from boyi.core.position cimport Position
from boyi.games.jieqi.position cimport JieqiPosition


cdef class JieqiNet(NetEvaluator):
    cdef int encode(self, Position position, uint8_t* codes) except -1 nogil
    cdef int describe(self, JieqiPosition here, uint8_t* codes) noexcept nogil
    cdef int bucket(self, Position position) except -1 nogil
