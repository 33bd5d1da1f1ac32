"""What a network sees of Othello."""

from boyi.core.encoder cimport Encoder
from boyi.core.position cimport Position
from boyi.core.types cimport move_t
from boyi.games.othello.position cimport OthelloPosition


cdef class OthelloEncoder(Encoder):
    cdef int encode(self, Position position, float* features) except -1 nogil
    cdef int _write(self, OthelloPosition here, float* features) except -1 nogil
    cdef int index(self, Position position, move_t move) except -1 nogil
    cdef int index_all(self, Position position, const move_t* moves, int n, int* indices) except -1 nogil
