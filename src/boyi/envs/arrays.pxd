"""Moves as actions: the numbers that the encoder of a game gives them."""

from boyi.core.position cimport Position
from boyi.core.types cimport move_t


# Raise, in words, if two of n moves have the same number, which only a `PythonEncoder` gives.
cdef int refuse_shared(Position position, const move_t* moves, const int* actions, int n) except -1 nogil
