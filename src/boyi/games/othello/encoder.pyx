"""Othello for networks: three planes of 64 points, 65 names of moves.

Planes: the discs of the player to act, those of the opponent, and where the former may put one.
Names: the point of the disc, or 64 for a pass. All eight images of the board are as good as itself.
"""

from libc.stdint cimport uint64_t

from boyi.core.encoder cimport Encoder
from boyi.core.position cimport Position
from boyi.core.types cimport move_t
from boyi.games.othello.position cimport PASS, OthelloPosition, mobility

cdef enum:
    VERSION = 1
    SIZE = 8
    POINTS = 64


cdef class OthelloEncoder(Encoder):
    """Own discs, the opponent's, and the moves."""

    def __init__(self):
        self._shape(VERSION, 2, 3, POINTS, 0, POINTS + 1)

    cdef int encode(self, Position position, float* features) except -1 nogil:
        return self._write(<OthelloPosition> position, features)

    cdef int _write(self, OthelloPosition here, float* features) except -1 nogil:
        cdef uint64_t own = here.discs[here.side], other = here.discs[here.side ^ 1]
        cdef uint64_t moves = mobility(own, other)
        cdef int point
        for point in range(POINTS):
            features[point] = own >> point & 1
            features[POINTS + point] = other >> point & 1
            features[2 * POINTS + point] = moves >> point & 1
        return 0

    cdef int index(self, Position position, move_t move) except -1 nogil:
        return move

    cdef int index_all(self, Position position, const move_t* moves, int n, int* indices) except -1 nogil:
        cdef int i
        for i in range(n):
            indices[i] = moves[i]
        return 0

    def meaning(self, int index):
        return ("pass", ()) if index == PASS else ("put", (index,))

    def point_symmetries(self):
        """The seven images of the board. (Four of them exchange the discs of the start, which no position minds.)"""
        points = [(row, column) for row in range(SIZE) for column in range(SIZE)]
        last = SIZE - 1
        return tuple(tuple(SIZE * row + column for row, column in image) for image in (
            [(r, last - c) for r, c in points], [(last - r, c) for r, c in points],
            [(last - r, last - c) for r, c in points], [(c, r) for r, c in points],
            [(c, last - r) for r, c in points], [(last - c, r) for r, c in points],
            [(last - c, last - r) for r, c in points]))
