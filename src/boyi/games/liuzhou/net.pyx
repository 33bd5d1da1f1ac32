"""The evaluator `net` of Liuzhou qi: a small network (`boyi.kit.nnue`).

The network is shown, from each player's seat,

- what is on each point: nothing, a stone, or a marked one;
- how many stones of each side stand on each of the 25 small squares, which is what shapes are made of, and whether a
  marked stone is among them;
- per side what the hand-written evaluation counts: stones, shapes made and one short, swings, hopes, steps;
- the phase, who is to act in it, and how many marks or captures are pending.

Sides differ only in who is to act, so a position with the colours exchanged has the same value. The eight images of the
board are alike to the fit, not to the network.

In a trial on 110,000 positions the held-out loss was 28 % higher without the counts and 7 % higher without the small
squares; how full each row and column added nothing, and is not shown.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy

from boyi.core.bits cimport popcount
from boyi.kit.nnue cimport NetEvaluator
from boyi.core.position cimport Position
from boyi.games.liuzhou.evaluator cimport Shapes, count_shapes, count_steps
from boyi.games.liuzhou.position cimport (
    BLACK,
    CAPTURING,
    CLEARING,
    COUNTER,
    FORCED,
    MARKING,
    MOVING,
    WHITE,
    LiuzhouPosition,
    State,
)

from boyi.games.liuzhou.board import board
from boyi.games.liuzhou.evaluator import HandEvaluator

cdef enum:
    SIZE = 6
    POINTS = 36
    LEAST_MARKED = 21                # the first code of a small square that has a marked stone on it
    MOST_PENDING = 8
    KINDS_OF_PHASE = 7
    COUNTS = 10                      # what is counted per side

    # ---- places: first the points
    SQUARES = POINTS                 # 25 small squares, by their top left points
    COUNTED = SQUARES + 25           # what is counted of Black, then of White
    PLACES = COUNTED + 2 * COUNTS + 2    # then the phase, and what is pending

cdef uint64_t ALL = (<uint64_t> 1 << POINTS) - 1
cdef uint64_t SPREAD[64]             # six points of a row, a byte each
cdef uint64_t PAIRS[64]              # five pairs of neighbours: how many of the two points, a byte each
cdef uint8_t MARKED_CODE[LEAST_MARKED]      # of a square with marks, by what its code would be without

_MOST = (18, 6, 3, 8, 4, 6, 3, 12, 9, 15)
"""How far each thing is counted; each count is a place."""


cdef int _fill_tables() except -1:
    cdef int row, point, black, white, code = LEAST_MARKED
    for row in range(64):
        for point in range(SIZE):
            SPREAD[row] |= <uint64_t> (row >> point & 1) << 8 * point
        PAIRS[row] = (SPREAD[row] + (SPREAD[row] >> 8)) & <uint64_t> 0xFFFFFFFFFF
    for black in range(4):
        for white in range(4 - black):
            MARKED_CODE[black + 5 * white] = code
            code += 1
    return 0


_fill_tables()


# ---------------------------------------------------------------------- rows of the first layer

def _rows_of_square(first, seat):
    """Rows by code: stones of Black + 5 × stones of White, and so again where there is a marked one."""
    by_code = [None] * (LEAST_MARKED + 10)
    row = first
    for marked in (False, True):
        for own in range(4 if marked else 5):
            for other in range((4 if marked else 5) - own):
                black, white = (own, other) if seat == BLACK else (other, own)
                plain = black + 5 * white
                if marked or plain:
                    by_code[MARKED_CODE[plain] if marked else plain] = row
                row += 1
    return by_code


def _turned(codes, seat, half):
    """Codes 1 … half are of Black, the next half of White; as the seat sees them, the own ones first."""
    return [None, *codes] if seat == BLACK else [None, *codes[half:], *codes[:half]]


def _rows_of_seat(seat):
    table = []
    row = 0
    for _ in range(POINTS):
        # Black, White, marked Black, marked White
        own = list(range(row, row + 4))
        table.append([None, *own] if seat == BLACK else [None, own[1], own[0], own[3], own[2]])
        row += 4
    for _ in range(25):
        table.append(_rows_of_square(row, seat))
        row += 25
    for side in (BLACK, WHITE):
        first = row + (side != seat) * sum(_MOST)
        for most in _MOST:
            table.append([None, *range(first, first + most)])
            first += most
    row += 2 * sum(_MOST)
    for count in (KINDS_OF_PHASE, MOST_PENDING):
        table.append(_turned(list(range(row, row + 2 * count)), seat, count))
        row += 2 * count
    return table, row


def _image(points):
    """Places of an image of the board, by its points: where each place goes."""
    squares = {frozenset((at, at + 1, at + SIZE, at + SIZE + 1)): number for number, at in
               enumerate(SIZE * row + column for row in range(SIZE - 1) for column in range(SIZE - 1))}
    return (*points, *(SQUARES + squares[frozenset(points[point] for point in shape)] for shape in squares),
            *range(COUNTED, PLACES))


_SEATS, _ROWS = zip(*(_rows_of_seat(seat) for seat in (BLACK, WHITE)))
_IMAGES = tuple(_image(points) for points in board().symmetries)


cdef inline uint8_t _at_most(int count, int most) noexcept nogil:
    return <uint8_t> (count if count < most else most)


cdef int _count(uint64_t own, uint64_t empty, bint moving, uint8_t* codes) noexcept nogil:
    """What the hand-written evaluation counts of one side; as far as `_MOST` says."""
    cdef Shapes shapes
    count_shapes(own, empty, moving, &shapes)
    codes[0] = <uint8_t> popcount(own)
    codes[1] = _at_most(shapes.squares, 6)
    codes[2] = _at_most(shapes.lines, 3)
    codes[3] = _at_most(shapes.square_threats, 8)
    codes[4] = _at_most(shapes.line_threats, 4)
    codes[5] = _at_most(shapes.square_swings, 6)
    codes[6] = _at_most(shapes.line_swings, 3)
    codes[7] = _at_most(shapes.hopes, 12)
    codes[8] = _at_most((shapes.protected + 1) >> 1, 9)
    codes[9] = _at_most((count_steps(own, empty) + 1) >> 1, 15) if moving else 0
    return 0


cdef inline uint64_t _row(uint64_t stones, int row) noexcept nogil:
    """A row of points, a byte each."""
    return SPREAD[stones >> SIZE * row & 63]


cdef inline uint64_t _squares(uint64_t stones, int row) noexcept nogil:
    """How many of the stones are on each small square between this row and the next, a byte each."""
    return PAIRS[stones >> SIZE * row & 63] + PAIRS[stones >> SIZE * (row + 1) & 63]


cdef class LiuzhouNet(NetEvaluator):
    """The evaluator `net`."""

    INPUTS = "liuzhou 1"
    SEATS = _SEATS
    ROWS = _ROWS[0]
    BUCKETS = 8
    IMAGES = _IMAGES

    def __init__(self, net=None):
        self._install(net if net is not None else self.own_net(), HandEvaluator)

    cdef int encode(self, Position position, uint8_t* codes) except -1 nogil:
        cdef State* state = &(<LiuzhouPosition> position).state
        cdef uint64_t black = state.stones[BLACK] & ~state.marked
        cdef uint64_t white = state.stones[WHITE] & ~state.marked
        cdef uint64_t marked[2]
        cdef uint64_t empty = ALL & ~(state.stones[BLACK] | state.stones[WHITE])
        cdef uint64_t word, marks
        cdef int row, i
        cdef bint moving = state.phase >= MOVING
        marked[BLACK] = state.stones[BLACK] & state.marked
        marked[WHITE] = state.stones[WHITE] & state.marked
        # Step 1. Points, a row at once. A whole word is written each time; what is too much, the next one covers.
        for row in range(SIZE):
            word = _row(black, row) + 2 * _row(white, row)
            if state.marked:
                word += 3 * _row(marked[BLACK], row) + 4 * _row(marked[WHITE], row)
            memcpy(codes + SIZE * row, &word, sizeof(word))
        # Step 2. Small squares, five at once.
        codes += SQUARES
        for row in range(SIZE - 1):
            word = _squares(black, row) + 5 * _squares(white, row)
            memcpy(codes, &word, sizeof(word))
            marks = _squares(state.marked, row)
            if marks:
                for i in range(SIZE - 1):
                    if marks >> 8 * i & 255:
                        codes[i] = MARKED_CODE[codes[i]]
            codes += SIZE - 1
        # Step 3. What is counted, and what is to be done.
        _count(black, empty, moving, codes)
        _count(white, empty, moving, codes + COUNTS)
        codes += 2 * COUNTS
        codes[0] = <uint8_t> (1 + state.phase + KINDS_OF_PHASE * state.actor)
        codes[1] = <uint8_t> (state.pending + MOST_PENDING * state.actor if state.pending else 0)
        return 0

    cdef int bucket(self, Position position) except -1 nogil:
        """By the phase, and by the stones on the board."""
        cdef State* state = &(<LiuzhouPosition> position).state
        cdef int stones = popcount(state.stones[BLACK] | state.stones[WHITE])
        if state.phase == MARKING:
            return 3
        if state.phase == CAPTURING or state.phase == FORCED or state.phase == COUNTER:
            return 4
        if state.phase <= CLEARING:
            return 0 if stones <= 12 else 1 if stones <= 24 else 2
        return 5 if stones <= 12 else 6 if stones <= 20 else 7
