"""The learnt evaluation of xiangqi."""

from libc.stdint cimport uint8_t

from boyi.kit.nnue cimport NetEvaluator
from boyi.core.position cimport Position


cdef class XiangqiNet(NetEvaluator):
    cdef int encode(self, Position position, uint8_t* codes) except -1 nogil
    cdef int bucket(self, Position position) except -1 nogil
    cdef int view(self, Position position, int seat) except -1 nogil
