"""Liuzhou qi for networks: six planes of 36 points, eleven scalars, 229 names of moves.

Planes: for the player to act, then for the opponent, the stones that stand unmarked, those marked, and
those that stand in a shape. Scalars: the seven phases, one of them 1; the marks or captures still to make,
in eighths; whether Black acts (the sides have different duties); how near the limits of quiet actions and of
all actions are.

Names: put, mark and take on a point; a step from a point to the next; and to clear the board of marked
stones. All eight images of the board are as good as itself.
"""

from libc.stdint cimport uint64_t

from boyi.core.encoder cimport Encoder
from boyi.core.position cimport Position
from boyi.core.types cimport move_t
from boyi.games.liuzhou.position cimport BLACK, CLEAR, MARK, PUT, STEP, LiuzhouPosition, State, in_shapes

from boyi.games.liuzhou.board import board

cdef enum:
    VERSION = 1
    SIZE = 6
    POINTS = 36
    PHASES = 7
    MOST_PENDING = 8
    STEPS = 3 * POINTS             # where the names of steps begin
    CLEARING = STEPS + 120

cdef int STEP_NAMES[POINTS][POINTS]    # by origin and target
_STEPS = tuple((origin, target) for origin in range(POINTS) for target in range(POINTS)
               if abs(origin // SIZE - target // SIZE) + abs(origin % SIZE - target % SIZE) == 1)


cdef int _fill() except -1:
    cdef int name
    for name, (origin, target) in enumerate(_STEPS):
        STEP_NAMES[<int> origin][<int> target] = STEPS + name
    return 0


_fill()


cdef inline int _index(move_t move) noexcept nogil:
    cdef int kind = move >> 12, point = move & 63
    if kind == STEP:
        return STEP_NAMES[move >> 6 & 63][point]
    if kind == CLEAR:
        return CLEARING
    return (0 if kind == PUT else POINTS if kind == MARK else 2 * POINTS) + point


cdef class LiuzhouEncoder(Encoder):
    """Stones, marks and shapes of both sides, and what is to be done."""

    def __init__(self):
        self._shape(VERSION, 2, 6, POINTS, PHASES + 4, CLEARING + 1)

    cdef int encode(self, Position position, float* features) except -1 nogil:
        return self._write(<LiuzhouPosition> position, features)

    cdef int _write(self, LiuzhouPosition here, float* features) except -1 nogil:
        cdef State* state = &here.state
        cdef uint64_t marked, free, shapes
        cdef int who, point
        for who in range(2):
            free = state.stones[here.side ^ who] & ~state.marked
            marked = state.stones[here.side ^ who] & state.marked
            shapes = in_shapes(free)
            for point in range(POINTS):
                features[point] = free >> point & 1
                features[POINTS + point] = marked >> point & 1
                features[2 * POINTS + point] = shapes >> point & 1
            features += 3 * POINTS
        for point in range(PHASES):
            features[point] = state.phase == point
        features[PHASES] = <float> state.pending / MOST_PENDING
        features[PHASES + 1] = here.side == BLACK
        features[PHASES + 2] = <float> state.quiet / here.quiet_limit
        features[PHASES + 3] = <float> state.actions / here.action_limit
        return 0

    cdef int index(self, Position position, move_t move) except -1 nogil:
        return _index(move)

    cdef int index_all(self, Position position, const move_t* moves, int n, int* indices) except -1 nogil:
        cdef int i
        for i in range(n):
            indices[i] = _index(moves[i])
        return 0

    def meaning(self, int index):
        if index == CLEARING:
            return "clear", ()
        if index < STEPS:
            return ("put", "mark", "take")[index // POINTS], (index % POINTS,)
        return "step", _STEPS[index - STEPS]

    def point_symmetries(self):
        return board().symmetries
