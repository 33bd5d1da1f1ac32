"""Races: games in which every move brings a piece nearer to a goal, or further away.

Forward pruning of races wants to know more of a move than what it is worth.
"""

from libc.stdint cimport int32_t

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position
from boyi.core.types cimport key_t, move_t

cdef struct Stride:        # a move of a race; distances in units of the evaluator's own
    int piece              # names what moves ...
    int target             # ... and where it lands: both are less than `places`
    int rear               # how far the piece is from its goal
    int gain               # how much nearer the move brings it; negative for a retreat
    int remaining          # how far it will be from the place it should now take: less is better
    bint chain             # it lands by a chain of hops that could have stopped earlier or gone on


cdef class StrideEvaluator(Evaluator):
    cdef readonly int places           # the numbers of pieces and targets are less than this
    # What legal moves are as strides. Returns 1 and fills all of them in, or 0 where one brings no piece anywhere.
    cdef int strides(self, Position position, const move_t* moves, int n, Stride* strides) except -1 nogil
    # Which pieces stand where, as a key: of two positions with the same pieces in the same places it is the same,
    # whoever acts. By default the position's own key.
    cdef key_t board_key(self, Position position) except? 0 nogil
    # The same after a legal move, which need not be made for it.
    cdef key_t board_key_after(self, Position position, move_t move) except? 0 nogil

    # ---- where `linear`: a value is what the others lack, less `own_weight` times what the player lacks, by `unit`
    cdef readonly bint linear
    cdef readonly double own_weight
    cdef readonly double unit
    # What a player lacks: 0 or more, and also told of players who have arrived and of games that are over.
    cdef int distance(self, Position position, int player) except -1 nogil
    # What the player to act lacks after each of these legal moves.
    cdef int distances_after(self, Position position, const move_t* moves, int n, int32_t* distances) except -1 nogil
    # Has the player arrived?
    cdef int arrived(self, Position position, int player) except -1 nogil
