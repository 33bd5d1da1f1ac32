"""What an Othello position may be worth, in hundredths of a disc for the player to act.

`ClassicEvaluator` is what a beginner is taught: places, mobility, and discs only near the end.
`LineEvaluator` sums what an automaton finds in rows, columns and diagonals.
`PatternEvaluator`, the default, was fitted to tournament games.

All see the board as "own" and "other", so that exchanging the colours changes nothing. The first
two are also antisymmetric: were it the other's turn, the value would be the opposite.
"""

from libc.stdint cimport int16_t, uint16_t, uint64_t
from libc.string cimport memset

from boyi.core.bits cimport popcount
from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position
from boyi.games.othello.patterns cimport load_weights, pattern_value
from boyi.games.othello.position cimport OthelloPosition, mobility

from boyi.games.othello import automata
from boyi.games.othello.probcut import DEEPEST, own_probcut

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


# Lines are numbers in base 3, found as those of patterns are: by adding a vector of contributions per row of the board.
cdef enum:
    LINES = 38                     # 8 rows, 8 columns, 22 diagonals of three points and more
    LANES = 40
    LINE_VALUES = 2 * 6561 + 9828   # edges, other rows and columns, diagonals of 3 to 8 points

cdef uint16_t LINE_DIGITS[8][256][LANES]
cdef int16_t WORTHS[LINE_VALUES]
cdef int WORTHS_AT[LANES]          # where the table of a line begins
cdef bint lines_ready = False


cdef int _compile_lines() except -1:
    """Fill the tables above, once for the life of the process."""
    global lines_ready
    cdef int line, power, discs, at = 0, i
    if lines_ready:
        return 0
    memset(LINE_DIGITS, 0, sizeof(LINE_DIGITS))
    begins = {}
    for kind, lengths in (("edge", (8,)), ("inner", (8,)), ("diagonal", range(3, 9))):
        for length in lengths:
            begins[kind, length] = at
            for value in automata.line_values(kind, length):
                WORTHS[at] = value
                at += 1
    found = []
    for i in range(8):
        kind = "edge" if i in (0, 7) else "inner"
        found += [(kind, [(column, i) for column in range(8)]), (kind, [(i, row) for row in range(8)])]
    for i in range(-5, 6):
        found += [("diagonal", [(row + i, row) for row in range(8) if 0 <= row + i < 8]),
                  ("diagonal", [(7 - row - i, row) for row in range(8) if 0 <= row + i < 8])]
    for line, (kind, points) in enumerate(found):
        WORTHS_AT[line] = begins[kind, len(points)]
        power = 1
        for column, row in points:
            for discs in range(256):
                if discs >> column & 1:
                    LINE_DIGITS[row][discs][line] += power
            power *= 3
    assert at == LINE_VALUES and len(found) == LINES
    lines_ready = True
    return 0


cdef class LineEvaluator(Evaluator):
    """The sum of what an automaton finds in all lines; see `automata`."""

    def __cinit__(self):
        self.scale = 600.0
        _compile_lines()

    cdef int evaluate(self, Position position) except? -32768 nogil:
        cdef uint64_t own = (<OthelloPosition> position).discs[position.side]
        cdef uint64_t other = (<OthelloPosition> position).discs[position.side ^ 1]
        cdef uint16_t numbers[LANES]
        cdef const uint16_t* owns
        cdef const uint16_t* others
        cdef int row, line, value = 0
        memset(numbers, 0, sizeof(numbers))
        for row in range(8):
            owns = LINE_DIGITS[row][own >> 8 * row & 255]
            others = LINE_DIGITS[row][other >> 8 * row & 255]
            for line in range(LANES):
                numbers[line] += owns[line] + 2 * others[line]
        for line in range(LINES):
            value += WORTHS[WORTHS_AT[line] + numbers[line]]
        return -6400 if value < -6400 else 6400 if value > 6400 else value


cdef struct Foretold:
    int shallow                    # plies; 0 where nothing is known
    double slope
    double offset
    double deviation

cdef enum:
    FORETOLD_DEPTHS = 21           # DEEPEST of `probcut` and one

cdef Foretold FORETOLD[65][FORETOLD_DEPTHS]    # per number of discs and depth
cdef bint foretold_ready = False


cdef int _read_probcut() except -1:
    """Fill the table above, once for the life of the process."""
    global foretold_ready
    if foretold_ready:
        return 0
    assert DEEPEST + 1 == FORETOLD_DEPTHS
    memset(FORETOLD, 0, sizeof(FORETOLD))
    for fit in own_probcut().fits:
        if fit.deep:
            FORETOLD[fit.discs][fit.deep] = Foretold(fit.shallow, fit.slope, fit.offset, fit.deviation)
    foretold_ready = True
    return 0


cdef class PatternEvaluator(Evaluator):
    """The sum of 46 trained weights, each for what one pattern looks like; see `patterns` and `probcut`."""

    def __cinit__(self):
        self.scale = 500.0
        load_weights()
        _read_probcut()

    cdef int foretell(self, Position position, int depth, int* shallow, double* slope, double* offset,
                      double* deviation) except -1 nogil:
        """Of searches that end before the game does: others meet values of another kind, results."""
        cdef int discs = popcount((<OthelloPosition> position).discs[0] | (<OthelloPosition> position).discs[1])
        cdef Foretold* told
        if not 0 < depth < FORETOLD_DEPTHS or discs + depth > 63:
            return 0
        told = &FORETOLD[discs][depth]
        if told.shallow == 0:
            return 0
        shallow[0] = told.shallow
        slope[0] = told.slope
        offset[0] = told.offset
        deviation[0] = told.deviation
        return 1

    cdef int evaluate(self, Position position) except? -32768 nogil:
        return pattern_value((<OthelloPosition> position).discs[position.side],
                             (<OthelloPosition> position).discs[position.side ^ 1])
