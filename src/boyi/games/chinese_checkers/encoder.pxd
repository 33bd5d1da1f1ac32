"""What a network sees of Chinese checkers."""

from boyi.core.encoder cimport Encoder
from boyi.core.position cimport Position
from boyi.core.types cimport move_t
from boyi.games.chinese_checkers.position cimport ChineseCheckersPosition


cdef class ChineseCheckersEncoder(Encoder):
    cdef int encode(self, Position position, float* features) except -1 nogil
    cdef int _write(self, ChineseCheckersPosition here, float* features) except -1 nogil
    cdef int index(self, Position position, move_t move) except -1 nogil
    cdef int index_all(self, Position position, const move_t* moves, int n, int* indices) except -1 nogil
