"""Xiangqi for networks: 14 planes of 90 points, four scalars, 2062 names of moves.

The board is turned so that the side to act has its own back rank first. Planes: its seven kinds of pieces (general,
advisors, elephants, horses, chariots, cannons, soldiers), then the opponent's. Scalars: whether it is in check,
how near the limit of quiet plies is, whether the position stood on the board before, and whether twice.

Names: every pair of points between which some piece of a side can go, among them advisors in their palace and
elephants on their side of the river only. The mirror image of the board is as good as itself.
"""

from boyi.core.encoder cimport Encoder
from boyi.core.position cimport Position
from boyi.core.types cimport move_t
from boyi.games.xiangqi.grid cimport BLACK, EMPTY, RED, SQUARES, kind_of, origin_of, side_of, target_of
from boyi.games.xiangqi.position cimport XiangqiPosition

from libc.stdint cimport uint8_t
from libc.string cimport memset

from boyi.games.xiangqi.board import board

cdef enum:
    VERSION = 1
    KINDS_SHOWN = 7        # KING … PAWN
    PALACE = 13            # the middle of the palace, from or to which every advisor goes


cdef uint8_t TURNED[SQUARES]         # squares as Black sees them
for _square in range(SQUARES):
    TURNED[<int> _square] = turned(_square, BLACK)


cdef class XiangqiEncoder(Encoder):
    """The pieces of both sides, from the side to act."""

    def __init__(self):
        self._shape(VERSION, 2, 2 * KINDS_SHOWN, SQUARES, 4, self._name_moves(roaming=False))

    cdef int _name_moves(self, bint roaming) except -1:
        """Number the pairs of points that a piece may connect; roaming advisors and elephants go everywhere."""
        cdef int origin, target, across, along
        self._moves = []
        for origin in range(SQUARES):
            for target in range(SQUARES):
                across = abs(origin % 9 - target % 9)
                along = abs(origin // 9 - target // 9)
                by_palace = PALACE in (origin, target)
                at_home = (origin // 9 in (0, 2, 4) and target // 9 in (0, 2, 4)
                           and origin % 9 % 2 == 0 and (origin % 9 // 2 + origin // 9 // 2) % 2 == 1)
                self.names[origin][target] = -1
                if ((across == 0) != (along == 0)                                    # along a line
                        or across * along == 2                                       # a horse
                        or across == along == 1 and (roaming or by_palace)           # an advisor
                        or across == along == 2 and (roaming or at_home)):           # an elephant
                    self.names[origin][target] = len(self._moves)
                    self._moves.append((origin, target))
        return len(self._moves)

    cdef int encode(self, Position position, float* features) except -1 nogil:
        return self._write(<XiangqiPosition> position, features)

    cdef int _write(self, XiangqiPosition here, float* features) except -1 nogil:
        cdef int square, piece, repetitions = here.repetition()
        memset(features, 0, self.size * sizeof(float))
        for square in range(SQUARES):
            piece = here.grid.cells[square]
            if piece != EMPTY:
                features[((0 if side_of(piece) == here.side else KINDS_SHOWN) + kind_of(piece) - 1) * SQUARES
                         + turned(square, here.side)] = 1
        features += self.planes * SQUARES
        features[0] = here.checked
        features[1] = <float> here.quiet / here.quiet_limit if here.quiet_limit else 0
        features[2] = repetitions >= 1
        features[3] = repetitions >= 2
        return 0

    cdef int index(self, Position position, move_t move) except -1 nogil:
        return self.names[turned(origin_of(move), position.side)][turned(target_of(move), position.side)]

    cdef int index_all(self, Position position, const move_t* moves, int n, int* indices) except -1 nogil:
        cdef int i
        if position.side == RED:
            for i in range(n):
                indices[i] = self.names[origin_of(moves[i])][target_of(moves[i])]
        else:
            for i in range(n):
                indices[i] = self.names[TURNED[origin_of(moves[i])]][TURNED[target_of(moves[i])]]
        return 0

    def meaning(self, int index):
        return "move", self._moves[index]

    def point_symmetries(self):
        return board().symmetries
