"""The evaluation of Liuzhou qi: stones, shapes made and one short, freedom.

What wins is to complete shapes, again and again. So it counts, for each side,

- stones, in hundredths of one; marked ones as gone already, pending captures as made;
- threats: squares and lines that lack one stone, where the next action can supply it. While placing, any
  stone can; while moving, only one that stands beside the gap and not in the shape itself;
- swings: shapes that a stone can leave and re-enter, each time for a capture;
- hopes: squares with two stones and two empty points, while placing;
- protection: stones in shapes are taken last;
- freedom: steps that can be made.

A threat of the side to act is nearly a capture; the other side's may still be parried. The fewer stones
are left, the more a stone more or less is worth. Everything is counted from the side to act, so a
position and its image with the colours exchanged have the same value; so have the eight images of the board.
"""

from libc.stdint cimport uint64_t

from boyi.core.bits cimport popcount
from boyi.core.evaluator cimport GUESS, Evaluator
from boyi.core.position cimport Position
from boyi.games.liuzhou.position cimport (
    BLACK, CAPTURING, COUNTER, FORCED, MARKING, MOVING, WHITE, LiuzhouPosition, State, in_shapes,
)

from boyi.core.errors import TextError

cdef enum:
    SIZE = 6
    POINTS = 36

cdef uint64_t ALL = (<uint64_t> 1 << POINTS) - 1
cdef uint64_t COLUMN_A = <uint64_t> 0x041041041
cdef uint64_t COLUMN_F = COLUMN_A << 5
cdef uint64_t ROW_1 = <uint64_t> 0x3F
cdef uint64_t FIRST_CORNERS = ALL & ~COLUMN_F & ~(ROW_1 << 30)   # where the top left stone of a square may stand

# Weights in hundredths of a stone: [while placing, while moving].
cdef int* SQUARE = [25, 20]
cdef int* LINE = [50, 30]
cdef int* OWN_SQUARE_THREAT = [70, 80]         # of the side to act
cdef int* OWN_LINE_THREAT = [140, 160]
cdef int* OTHER_SQUARE_THREAT = [25, 40]       # of the opponent
cdef int* OTHER_LINE_THREAT = [50, 80]
cdef int* SWING = [0, 35]
cdef int* LINE_SWING = [0, 70]
cdef int* HOPE = [6, 0]
cdef int* PROTECTED = [3, 4]
cdef int* STEP_FREEDOM = [0, 3]


cdef inline uint64_t _from_left(uint64_t points) noexcept nogil:
    """The points whose left neighbour is among `points`; and so on for the other three."""
    return (points & ~COLUMN_F) << 1


cdef inline uint64_t _from_right(uint64_t points) noexcept nogil:
    return (points & ~COLUMN_A) >> 1


cdef inline uint64_t _from_above(uint64_t points) noexcept nogil:
    return points << 6 & ALL


cdef inline uint64_t _from_below(uint64_t points) noexcept nogil:
    return points >> 6


cdef int count_shapes(uint64_t own, uint64_t empty, bint moving, Shapes* shapes) noexcept nogil:
    """Count the shapes of one side's unmarked stones.

    Squares are counted all at once, by their top left corners: `own`, shifted by 0, 1, 6 and 7, tells which
    squares have a stone in each of their four corners. A stone can come to a corner, or leave
    it, on the two lines that lead out of the square there.
    """
    cdef uint64_t a = own, b = own >> 1, c = own >> 6, d = own >> 7
    cdef uint64_t gap_a = empty, gap_b = empty >> 1, gap_c = empty >> 6, gap_d = empty >> 7
    cdef uint64_t left = _from_left(own), right = _from_right(own), above = _from_above(own), below = _from_below(own)
    cdef uint64_t whole = a & b & c & d & FIRST_CORNERS
    cdef uint64_t exits, pairs, gaps, line, beside
    cdef int i, upright
    # 1. Squares that stand, and those that lack one stone which can come.
    shapes.squares = popcount(whole)
    shapes.protected = popcount(in_shapes(own))
    if moving:
        gap_a &= left | above
        gap_b &= (right | above) >> 1
        gap_c &= (left | below) >> 6
        gap_d &= (right | below) >> 7
    shapes.square_threats = popcount((gap_a & b & c & d | gap_b & a & c & d
                                      | gap_c & a & b & d | gap_d & a & b & c) & FIRST_CORNERS)
    shapes.square_swings = shapes.line_swings = shapes.hopes = 0
    if moving:
        # 2. Squares with a corner that has an empty point beside it, outside.
        left = _from_left(empty)
        right = _from_right(empty)
        above = _from_above(empty)
        below = _from_below(empty)
        exits = left | above | (right | above) >> 1 | (left | below) >> 6 | (right | below) >> 7
        shapes.square_swings = popcount(whole & exits)
    else:
        # 3. Squares of two stones and two gaps.
        pairs = ((a & b & gap_c & gap_d) | (c & d & gap_a & gap_b) | (a & c & gap_b & gap_d)
                 | (b & d & gap_a & gap_c) | (a & d & gap_b & gap_c) | (b & c & gap_a & gap_d))
        shapes.hopes = popcount(pairs & FIRST_CORNERS)
    # 4. Rows and columns: whole, or with one gap that a stone beside the line can fill.
    shapes.lines = shapes.line_threats = 0
    for upright in range(2):
        beside = (_from_left(own) | _from_right(own)) if upright else (_from_above(own) | _from_below(own))
        exits = (_from_left(empty) | _from_right(empty)) if upright else (_from_above(empty) | _from_below(empty))
        for i in range(SIZE):
            line = COLUMN_A << i if upright else ROW_1 << SIZE * i
            gaps = line & ~own
            if gaps == 0:
                shapes.lines += 1
                shapes.line_swings += moving and line & exits != 0
            elif gaps & (gaps - 1) == 0 and gaps & empty and (not moving or gaps & beside):
                shapes.line_threats += 1
    return 0


cdef int count_steps(uint64_t own, uint64_t empty) noexcept nogil:
    """How many steps the stones can make."""
    return (popcount(own & _from_left(empty)) + popcount(own & _from_right(empty))
            + popcount(own & _from_above(empty)) + popcount(own & _from_below(empty)))


cdef inline int _lasting(Shapes* shapes, int moving) noexcept nogil:
    """What a side's shapes are worth, no matter whose turn it is."""
    return (SQUARE[moving] * shapes.squares + LINE[moving] * shapes.lines + SWING[moving] * shapes.square_swings
            + LINE_SWING[moving] * shapes.line_swings + HOPE[moving] * shapes.hopes
            + PROTECTED[moving] * shapes.protected)


cdef class HandEvaluator(Evaluator):
    """Stones, shapes made and one short, freedom: weighed by hand."""

    def __cinit__(self, *args, **kwargs):
        self.scale = 200.0         # fitted to the results of games of depth 2 with every tenth move at random

    cdef int evaluate(self, Position position) except? -32768 nogil:
        cdef State* state = &(<LiuzhouPosition> position).state
        cdef int side = state.actor, phase = state.phase
        cdef int moving = phase >= MOVING
        cdef uint64_t own = state.stones[side] & ~state.marked
        cdef uint64_t other = state.stones[side ^ 1] & ~state.marked
        cdef uint64_t empty = ALL & ~(state.stones[BLACK] | state.stones[WHITE])
        cdef int own_stones, other_stones, material, value
        cdef Shapes mine, theirs
        # 1. Stones. Marked ones are as good as gone and pending removals as good as made. While placing,
        # those still in hand count, too.
        own_stones = popcount(own)
        other_stones = popcount(other)
        if not moving:
            own_stones += 18 - popcount(state.stones[side])
            other_stones += 18 - popcount(state.stones[side ^ 1])
        if phase == MARKING or phase == CAPTURING:
            other_stones -= state.pending
        elif phase == COUNTER or (phase == FORCED and side == BLACK):
            other_stones -= 1
        material = own_stones - other_stones
        value = material * (100 + 4 * (36 - own_stones - other_stones))
        # 2. Shapes that are there, no matter whose turn it is.
        count_shapes(own, empty, moving, &mine)
        count_shapes(other, empty, moving, &theirs)
        value += _lasting(&mine, moving) - _lasting(&theirs, moving)
        # 3. Threats: the next action is the side's own, unless it is still busy removing stones.
        if phase == MARKING or phase == CAPTURING or phase == COUNTER or phase == FORCED:
            value += OTHER_SQUARE_THREAT[moving] * (mine.square_threats - theirs.square_threats)
            value += OTHER_LINE_THREAT[moving] * (mine.line_threats - theirs.line_threats)
        else:
            value += OWN_SQUARE_THREAT[moving] * mine.square_threats + OWN_LINE_THREAT[moving] * mine.line_threats
            value -= OTHER_SQUARE_THREAT[moving] * theirs.square_threats
            value -= OTHER_LINE_THREAT[moving] * theirs.line_threats
        # 4. Freedom.
        value += STEP_FREEDOM[moving] * (count_steps(own, empty) - count_steps(other, empty))
        return min(max(value, -GUESS), GUESS)

    def terms(self, Position position not None):
        """What the evaluator counts: per name for the player to act and for the opponent."""
        cdef LiuzhouPosition here
        cdef Shapes mine, theirs
        cdef uint64_t own, other, empty
        if not isinstance(position, LiuzhouPosition):
            raise TextError(f"this evaluator knows Liuzhou qi, not {position.game.name}")
        here = <LiuzhouPosition> position
        own = here.state.stones[here.state.actor] & ~here.state.marked
        other = here.state.stones[here.state.actor ^ 1] & ~here.state.marked
        empty = ALL & ~(here.state.stones[BLACK] | here.state.stones[WHITE])
        count_shapes(own, empty, here.state.phase >= MOVING, &mine)
        count_shapes(other, empty, here.state.phase >= MOVING, &theirs)
        return {
            "stones": (popcount(own), popcount(other)),
            "squares": (mine.squares, theirs.squares), "lines": (mine.lines, theirs.lines),
            "square_threats": (mine.square_threats, theirs.square_threats),
            "line_threats": (mine.line_threats, theirs.line_threats),
            "square_swings": (mine.square_swings, theirs.square_swings),
            "line_swings": (mine.line_swings, theirs.line_swings),
            "hopes": (mine.hopes, theirs.hopes), "protected": (mine.protected, theirs.protected),
            "steps": (count_steps(own, empty), count_steps(other, empty)),
        }
