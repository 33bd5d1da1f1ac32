"""Races: games in which every move brings a piece nearer to a goal, or further away.

Forward pruning of races wants to know more of a move than what it is worth.
"""

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position
from boyi.core.types cimport move_t

cdef struct Stride:        # a move of a race; distances in units of the evaluator's own
    int piece              # names what moves ...
    int target             # ... and where it lands: both are less than `places`
    int rear               # how far the piece is from its goal
    int gain               # how much nearer the move brings it; negative for a retreat
    int remaining          # how far it will be from the place it should now take: less is better
    bint chain             # it lands by a chain of hops that could have stopped earlier or gone on


cdef class StrideEvaluator(Evaluator):
    cdef readonly int places           # the numbers of pieces and targets are less than this
    # What a legal move is as a stride. Returns 1 and fills it in, or 0 for a move that brings no piece anywhere.
    cdef int stride(self, Position position, move_t move, Stride* stride) except -1 nogil
