"""What an Othello position may be worth, in hundredths of a disc for the player to act.

`ClassicEvaluator` is what a beginner is taught: places, mobility, and discs only near the end.
`PatternEvaluator`, the default, has learnt its opinion from tournament games.

Both see the board as "own" and "other", so that exchanging the colours changes nothing.
The classic one is also antisymmetric: were it the other's turn, the value would be the opposite.
"""

from libc.stdint cimport uint64_t

from boyi.core.bits cimport popcount
from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position
from boyi.games.othello.patterns cimport load_weights, pattern_value
from boyi.games.othello.position cimport OthelloPosition, mobility

cdef enum:
    KINDS = 10
    MOVE = 90                  # one legal move more than the opponent
    DISCS_FROM = 44            # discs on the board from which on their number counts ...

# Places that are worth the same, by the image in one eighth of the board, and their value.
_PLACES = {
    "a1": 900, "b1": -130, "c1": 90, "d1": 50,
    "b2": -300, "c2": -40, "d2": -30,
    "c3": 10, "d3": 5, "d4": 0,
}
cdef uint64_t PLACES[KINDS]
cdef int WORTH[KINDS]


cdef int _lay_out() except -1:
    cdef int kind, column, row
    for kind, (name, worth) in enumerate(_PLACES.items()):
        column, row = ord(name[0]) - 97, int(name[1]) - 1
        PLACES[kind] = 0
        WORTH[kind] = worth
        for c, r in ((column, row), (row, column)):
            for x in (c, 7 - c):
                for y in (r, 7 - r):
                    PLACES[kind] |= <uint64_t> 1 << (8 * y + x)
    return 0


_lay_out()


cdef class ClassicEvaluator(Evaluator):
    """Places, mobility and, the fuller the board the more, discs."""

    def __cinit__(self):
        self.scale = 700.0

    cdef int evaluate(self, Position position) except? -32768 nogil:
        cdef uint64_t own = (<OthelloPosition> position).discs[position.side]
        cdef uint64_t other = (<OthelloPosition> position).discs[position.side ^ 1]
        cdef int kind, discs = popcount(own | other), value = 0
        for kind in range(KINDS):
            value += WORTH[kind] * (popcount(own & PLACES[kind]) - popcount(other & PLACES[kind]))
        value += MOVE * (popcount(mobility(own, other)) - popcount(mobility(other, own)))
        if discs > DISCS_FROM:         # ... from nothing to all that counts: places fade as discs come
            value = (value * (64 - discs)
                     + 100 * (popcount(own) - popcount(other)) * (discs - DISCS_FROM)) // (64 - DISCS_FROM)
        return value


cdef class PatternEvaluator(Evaluator):
    """The sum of 46 trained weights, each for what one pattern looks like; see `patterns`."""

    def __cinit__(self):
        self.scale = 500.0
        load_weights()

    cdef int evaluate(self, Position position) except? -32768 nogil:
        return pattern_value((<OthelloPosition> position).discs[position.side],
                             (<OthelloPosition> position).discs[position.side ^ 1])
