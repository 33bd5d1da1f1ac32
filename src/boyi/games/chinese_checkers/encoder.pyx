"""Chinese checkers for networks: a plane of 121 holes per player, some scalars, 4225 names of moves.

The star is turned so that the player to act has their home at the bottom. Planes: their pieces, then those of the
others in the order of play. Scalars: per seat whether it acts (with four and five players seats differ), then per
player in the order of play whether they are out of play, then how near the limit of turns is, whether the position
stood before, and whether twice.

Names: every pair of holes that a step or a chain of hops can connect (a hop keeps the parity of both coordinates,
at whatever distance), and last the pass. With two players the mirror image is as good as the star itself.
"""

from boyi.core.encoder cimport Encoder
from boyi.core.position cimport Position
from boyi.core.types cimport move_t
from boyi.games.chinese_checkers.position cimport HOLES, PASS, ChineseCheckersPosition, State

from libc.string cimport memset

from boyi.games.chinese_checkers.board import COORDINATES, HOLE_AT, MIRROR, height, steps_between

cdef enum:
    VERSION = 1
    CORNERS = 6

cdef int TURNED[CORNERS][HOLES]        # where a hole comes to lie when that corner comes to the bottom
cdef short NAMES[HOLES][HOLES]         # by start and end, the star being turned; -1 where nothing goes
cdef int PASS_NAME


def _pairs():
    """All pairs of holes that a move may connect, in the order of their names."""
    return tuple((start, end) for start in range(HOLES) for end in range(HOLES) if start != end and (
        steps_between(start, end) == 1
        or all((a - b) % 2 == 0 for a, b in zip(COORDINATES[start], COORDINATES[end], strict=True))))


_MOVES = _pairs()


cdef int _fill() except -1:
    cdef int corner, hole, name = 0
    for corner in range(CORNERS):
        for hole in range(HOLES):
            # The height towards the corner becomes that towards the bottom, and so for the next corner.
            TURNED[corner][hole] = HOLE_AT[height(corner, hole), -height((corner + 1) % CORNERS, hole)]
    memset(NAMES, 0xFF, sizeof(NAMES))
    for name, (start, end) in enumerate(_MOVES):
        NAMES[<int> start][<int> end] = name
    global PASS_NAME
    PASS_NAME = len(_MOVES)
    return 0


_fill()


cdef class ChineseCheckersEncoder(Encoder):
    """Everybody's pieces, from the player to act."""

    def __init__(self, int players):
        self._shape(VERSION, players, players, HOLES, 2 * players + 3, PASS_NAME + 1)

    cdef int encode(self, Position position, float* features) except -1 nogil:
        return self._write(<ChineseCheckersPosition> position, features)

    cdef int _write(self, ChineseCheckersPosition here, float* features) except -1 nogil:
        cdef State* state = &here.state
        cdef int* turned = TURNED[here.corner[here.side]]
        cdef int hole, who, repetitions = here.repetition()
        memset(features, 0, self.size * sizeof(float))
        for hole in range(HOLES):
            if state.owner[hole]:
                who = (state.owner[hole] - 1 - here.side + self.players) % self.players
                features[who * HOLES + turned[hole]] = 1
        features += self.planes * HOLES
        features[here.side] = 1
        features += self.players
        for who in range(self.players):
            features[who] = state.out >> (here.side + who) % self.players & 1
        features += self.players
        features[0] = <float> state.turn / here.turn_limit
        features[1] = repetitions >= 1
        features[2] = repetitions >= 2
        return 0

    cdef int index(self, Position position, move_t move) except -1 nogil:
        cdef int* turned = TURNED[(<ChineseCheckersPosition> position).corner[position.side]]
        if move == PASS:
            return PASS_NAME
        return NAMES[turned[move >> 7 & 127]][turned[move & 127]]

    cdef int index_all(self, Position position, const move_t* moves, int n, int* indices) except -1 nogil:
        cdef int* turned = TURNED[(<ChineseCheckersPosition> position).corner[position.side]]
        cdef int i
        if n == 1 and moves[0] == PASS:      # which is legal alone
            indices[0] = PASS_NAME
            return 0
        for i in range(n):
            indices[i] = NAMES[turned[moves[i] >> 7 & 127]][turned[moves[i] & 127]]
        return 0

    def meaning(self, int index):
        return ("pass", ()) if index == PASS_NAME else ("move", _MOVES[index])

    def point_symmetries(self):
        return (MIRROR,) if self.players == 2 else ()
