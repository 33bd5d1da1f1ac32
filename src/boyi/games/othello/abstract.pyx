"""Abstract states: many positions seen as one, by what a player sees at a glance.

The state of a position is a number of nine digits in base 3, seen by the player to act:

    digits 0-3   the corners a1, h1, h8, a8: empty 0, own 1, the opponent's 2
    digits 4-7   the edges between them (a1-h1, h1-h8, h8-a8, a8-a1): bare 0, stable 1, flippable 2
    digit 8      mobility, the number of moves the player may make: low 0 (up to 5), middle 1 (6 to 9), high 2

An edge is *flippable* when some disc on it may yet be turned over, and *stable* when there are discs on it
and none may. That can be read off the edge alone: its discs are turned only along it. Every empty point of
it may one day be filled by either side (what the rest of the board says about that is not looked at), so the
table below knows, for each of the 3^8 edges, whether any order of fillings turns a disc that stands there now.

States that are images of each other under the eight symmetries of the board are merged: the least number
stands for all of them. (It costs a table look-up, and each state is seen up to eight times as often.)

What is known of each state is in `states`; `AbstractEvaluator` plays by it.
"""

from libc.math cimport lrint
from libc.stdint cimport uint8_t, uint16_t, uint64_t

from boyi.core.bits cimport popcount
from boyi.core.evaluator cimport GUESS, Evaluator
from boyi.core.position cimport Position
from boyi.games.othello.position cimport OthelloPosition, mobility

from boyi.core.errors import OptionError, TextError, shorten
from boyi.games.othello.states import HIGHEST_VALUE, SCALE, Statistics, own_statistics

cdef enum:
    EDGES = 6561               # 3^8
    BARE = 0
    STABLE = 1
    FLIPPABLE = 2
    LOW_MOBILITY = 5           # moves, at most
    MIDDLE_MOBILITY = 9

cdef double HIGHEST = HIGHEST_VALUE
cdef double UNIT = SCALE
cdef uint16_t TERNARY[256]     # a set of points as digits 1 of a number in base 3
cdef uint8_t EDGE_KINDS[EDGES]
cdef uint16_t MERGED[STATES]   # the least image of each state


cdef int turned(int own, int other, int point) noexcept nogil:
    """The discs of `other` on a line that a disc of `own` on `point` turns over."""
    cdef int step, place, run, found = 0
    for step in range(-1, 2, 2):
        run = 0
        place = point + step
        while 0 <= place < 8 and other >> place & 1:
            run |= 1 << place
            place += step
        if 0 <= place < 8 and own >> place & 1:
            found |= run
    return found


cdef int _fill_edges() except -1:
    """The kind of every edge. What may be turned: what some filling turns now, and what may be turned after it."""
    cdef uint8_t loose[EDGES]      # per edge, the discs that may be turned; all points of fuller edges are known first
    cdef int number, digits, place, own, other, empty, flipped, filled
    for number in range(256):
        digits = 0
        for place in range(7, -1, -1):
            digits = 3 * digits + (number >> place & 1)
        TERNARY[number] = digits
    for empty in range(9):
        for own in range(256):
            for other in range(256):
                if own & other or 8 - popcount(own | other) != empty:
                    continue
                number = TERNARY[own] + 2 * TERNARY[other]
                loose[number] = 0
                for place in range(8):
                    if (own | other) >> place & 1:
                        continue
                    flipped = turned(own, other, place)
                    filled = TERNARY[own | flipped | 1 << place] + 2 * TERNARY[other & ~flipped]
                    loose[number] |= flipped | loose[filled]
                    flipped = turned(other, own, place)
                    filled = TERNARY[own & ~flipped] + 2 * TERNARY[other | flipped | 1 << place]
                    loose[number] |= flipped | loose[filled]
                loose[number] &= own | other
                EDGE_KINDS[number] = BARE if own | other == 0 else FLIPPABLE if loose[number] else STABLE
    return 0


cdef int _merge_states() except -1:
    cdef int state, image, turn, corner, edge, flipped, best
    cdef int digits[9]
    cdef int power[9]
    power[0] = 1
    for corner in range(1, 9):
        power[corner] = 3 * power[corner - 1]
    for state in range(STATES):
        for corner in range(9):
            digits[corner] = state // power[corner] % 3
        best = state
        for flipped in range(2):
            for turn in range(4):
                # Corners in their order round the board; edge k lies between the corners k and k + 1.
                image = digits[8] * power[8]
                for corner in range(4):
                    edge = turn + 3 - corner if flipped else turn + corner
                    image += digits[(turn - corner + 4 if flipped else turn + corner) % 4] * power[corner]
                    image += digits[4 + edge % 4] * power[4 + corner]
                if image < best:
                    best = image
        MERGED[state] = best
    return 0


_fill_edges()
_merge_states()

STATE_COUNT = STATES
"""How many numbers there are; fewer stand for themselves and not for an image."""


cdef inline int _column(uint64_t word) noexcept nogil:
    """The file a of a board as eight bits."""
    return <int> ((word & <uint64_t> 0x0101010101010101) * <uint64_t> 0x0102040810204080 >> 56)


cdef inline int _edge(int own, int other) noexcept nogil:
    return EDGE_KINDS[TERNARY[own] + 2 * TERNARY[other]]


cdef inline int _corner(uint64_t own, uint64_t other, int point) noexcept nogil:
    return <int> (own >> point & 1) + 2 * <int> (other >> point & 1)


cdef int state_of(uint64_t own, uint64_t other) noexcept nogil:
    cdef int moves = popcount(mobility(own, other))
    cdef int state = 0 if moves <= LOW_MOBILITY else 1 if moves <= MIDDLE_MOBILITY else 2
    state = 3 * state + _edge(_column(own), _column(other))                        # a8-a1
    state = 3 * state + _edge(<int> (own >> 56), <int> (other >> 56))              # h8-a8
    state = 3 * state + _edge(_column(own >> 7), _column(other >> 7))              # h1-h8
    state = 3 * state + _edge(<int> (own & 255), <int> (other & 255))              # a1-h1
    state = 3 * state + _corner(own, other, 56)                                    # a8
    state = 3 * state + _corner(own, other, 63)                                    # h8
    state = 3 * state + _corner(own, other, 7)                                     # h1
    state = 3 * state + _corner(own, other, 0)                                     # a1
    return MERGED[state]


def abstract_state(Position position not None):
    """The number of a position's abstract state, the same for all its images."""
    if not isinstance(position, OthelloPosition):
        raise TextError(f"abstract states are of Othello, not of {position.game.name}")
    return state_of((<OthelloPosition> position).discs[position.side & 1],
                    (<OthelloPosition> position).discs[position.side & 1 ^ 1])


def merged_state(int state):
    """The least number among the images of a state."""
    if not 0 <= state < STATES:
        raise TextError(f"{shorten(state)} is not the number of an abstract state, 0 to {STATES - 1}")
    return MERGED[state]


cdef class AbstractEvaluator(Evaluator):
    """What positions of the same abstract state were worth on average, alone or added to another evaluation.

    A state seldom or never seen is worth what its corners and mobility tell (see `Statistics.value`). `bounds` is
    for searches that cut off by statistics. It speaks only of states that were won, or lost, often enough for the
    search that asks, and it may be wrong.
    """

    def __init__(self, Evaluator base=None, *, int weight=100, statistics=None):
        cdef int state
        if not 0 <= weight <= 1000:
            raise OptionError(f"a weight of {weight} is not from 0 to 1000 hundredths")
        known = own_statistics() if statistics is None else statistics
        if not isinstance(known, Statistics):
            raise OptionError(f"{shorten(known)} are not statistics of abstract states")
        self.base = base
        self.weight = weight
        # Values were gathered in hundredths of a disc. Another evaluator may count differently, but says at
        # which value the odds are the same.
        self.scale = SCALE if base is None else base.scale
        values = known.values
        for state in range(STATES):
            self.means[state] = round(values[state] * self.scale / SCALE)
            self.seen[state].deviation = -1
        for number, record in known.records.items():
            state = number
            self.seen[state].share_low, self.seen[state].share_high = record.score_range()
            self.seen[state].mean, self.seen[state].deviation = record.mean, record.deviation

    cdef int evaluate(self, Position position) except? -32768 nogil:
        cdef int value = 0 if self.base is None else self.base.evaluate(position)
        if self.weight:
            value += self.weight * self.means[state_of((<OthelloPosition> position).discs[position.side],
                                                       (<OthelloPosition> position).discs[position.side ^ 1])] // 100
        return -GUESS if value < -GUESS else GUESS if value > GUESS else value

    cdef int foretell(self, Position position, int depth, int* shallow, double* slope, double* offset,
                      double* deviation) except -1 nogil:
        """What the other evaluation's statistics say, where nothing is added to it."""
        if self.base is None or self.weight:
            return 0
        return self.base.foretell(position, depth, shallow, slope, offset, deviation)

    cdef int bounds(self, Position position, double share, double deviations, int* low, int* high) except -1 nogil:
        """As `StateRecord.extreme_range`, in the units of the evaluator."""
        cdef Seen* seen = &self.seen[state_of((<OthelloPosition> position).discs[position.side],
                                              (<OthelloPosition> position).discs[position.side ^ 1])]
        if seen.deviation < 0 or (seen.share_high > share and seen.share_low < 1 - share):
            return 0
        low[0] = self._bound(seen.mean - deviations * seen.deviation)
        high[0] = self._bound(seen.mean + deviations * seen.deviation)
        return 1

    cdef int _bound(self, double value) noexcept nogil:
        """Hundredths of a disc, none beyond the board, as a value of this evaluator."""
        value = min(max(value, -HIGHEST), HIGHEST) * self.scale / UNIT
        return <int> lrint(min(max(value, -GUESS), GUESS))
