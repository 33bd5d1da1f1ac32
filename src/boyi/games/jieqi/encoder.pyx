"""Jieqi for networks: 16 planes of 90 points, 16 scalars, 2550 names of moves.

The board is turned so that the side to act has its own back rank first. Planes: its seven kinds of turned-up pieces as
in xiangqi, then its covered ones (where one stands says how it walks), then the same of the opponent. Scalars:
per type (R A C P N B) how many of its own pool are left, as a share of the first count, then the opponent's; whether
it is in check; how near the limit of quiet plies is; whether the position stood before, and whether twice.

Only what the side to act may know is encoded. A player's own position holds nothing else. The referee's, from
which games to learn from are played, knows what either side was shown when it took a covered piece; what the other
side was shown is put back into the pools here, so that the referee's position and the player's observation of it
have the same features. (In a search from one player's view, the positions in which the other acts are encoded with
what the first one knows: nobody knows more.)

Names: every pair of points between which some piece can go; advisors and elephants, once turned up, go everywhere.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from boyi.core.position cimport Position
from boyi.core.types cimport move_t
from boyi.games.jieqi.position cimport BOTH, CAPTOR, REFEREE, SHOWN, TURNED_UP, TYPES, JieqiPosition, pool_count
from boyi.games.xiangqi.encoder cimport XiangqiEncoder, turned
from boyi.games.xiangqi.grid cimport (
    ADVISOR, ELEPHANT, EMPTY, ROAMING_ADVISOR, ROAMING_ELEPHANT, SQUARES, kind_of, side_of, square_set,
)

cdef enum:
    VERSION = 1
    SIDE_PLANES = 8        # KING … PAWN, covered
    COVERED = 7            # the plane of covered pieces

cdef float* FIRST_COUNTS = [2, 2, 2, 5, 2, 2]      # R A C P N B


cdef uint64_t known_pools(JieqiPosition position) noexcept nogil:
    """The pools as the side to act knows them, also from the referee's position."""
    cdef uint64_t pools = position.pool_counts
    cdef int ply, captor = position.side ^ 1
    cdef move_t move
    if position.viewing != REFEREE or position.shown_to == BOTH:
        return pools
    # Back through the history: `captor` made the last decision that is not behind us yet.
    for ply in range(position.ply - 1, -1, -1):
        move = (<move_t*> position.record(ply))[0]
        if move & SHOWN:
            if position.shown_to != CAPTOR or captor != position.side:
                pools += <uint64_t> 1 << 4 * (TYPES * (captor ^ 1) + (move & 7))
        elif not move & TURNED_UP:
            captor ^= 1
    return pools


cdef class JieqiEncoder(XiangqiEncoder):
    """The pieces of both sides, from the side to act, and what the covered ones may be as far as it knows."""

    def __init__(self):
        self._shape(VERSION, 2, 2 * SIDE_PLANES, SQUARES, 2 * TYPES + 4, self._name_moves(roaming=True))

    cdef int encode(self, Position position, float* features) except -1 nogil:
        return self._write_jieqi(<JieqiPosition> position, features)

    cdef int _write_jieqi(self, JieqiPosition here, float* features) except -1 nogil:
        cdef uint64_t pools = known_pools(here)
        cdef int square, piece, plane, type, who, repetitions = here.repetition()
        memset(features, 0, self.size * sizeof(float))
        for square in range(SQUARES):
            piece = here.grid.cells[square]
            if piece == EMPTY:
                continue
            if here.covered & square_set(square):
                plane = COVERED
            elif kind_of(piece) == ROAMING_ADVISOR:
                plane = ADVISOR - 1
            elif kind_of(piece) == ROAMING_ELEPHANT:
                plane = ELEPHANT - 1
            else:
                plane = kind_of(piece) - 1
            if side_of(piece) != here.side:
                plane += SIDE_PLANES
            features[plane * SQUARES + turned(square, here.side)] = 1
        features += self.planes * SQUARES
        for who in range(2):
            for type in range(TYPES):
                features[who * TYPES + type] = pool_count(pools, here.side ^ who, type) / FIRST_COUNTS[type]
        features += 2 * TYPES
        features[0] = here.checked
        features[1] = <float> here.quiet / here.quiet_limit if here.quiet_limit else 0
        features[2] = repetitions >= 1
        features[3] = repetitions >= 2
        return 0
