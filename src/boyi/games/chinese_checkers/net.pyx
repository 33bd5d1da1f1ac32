"""The evaluator `net` of Chinese checkers: a small network (`boyi.kit.nnue`), for two players.

The network is shown, from each player's seat, the board turned so that they start at the bottom,

- where the pieces of both stand;
- per player how many hops forward are ready, and how many of them can be gone on with.

In a trial on 110,000 positions where the last pieces are and how far the armies have passed each other made held-out
losses no better. What chains of hops in any direction can gain made them 8 % better, but to find that out is to
generate the moves of both players, and is left to the search. Moves are described to searches (`stride`) as the
hand-written evaluation does it.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy

from boyi.core.bits cimport highest, lowest
from boyi.kit.nnue cimport NetEvaluator
from boyi.core.position cimport Position
from boyi.games.chinese_checkers.position cimport HOLES, OUTSIDE, ChineseCheckersPosition, State

from boyi.core.errors import TextError
from boyi.games.chinese_checkers.board import COORDINATES, DIRECTIONS, HOLE_AT, MIRROR
from boyi.games.chinese_checkers.evaluator import TunedEvaluator

cdef enum:
    MOST_HOPS = 12
    MOST_CHAINS = 8
    COUNTS = 2                       # per player: hops, and hops that go on
    PLACES = HOLES + 2 * COUNTS

cdef uint8_t NEAR[HOLES + 1][6]      # the neighbour in each direction, or OUTSIDE
cdef uint8_t ROW[HOLES]              # from the top, 0 … 16
cdef uint8_t FORWARD[2][2]           # per player the two directions that lead forward: 0 goes up, 1 goes down


cdef int _fill_tables() except -1:
    cdef int hole, direction
    cdef int found[2]
    for hole in range(HOLES):
        y, q, _ = COORDINATES[hole]
        ROW[hole] = y + 8
        for direction, (dy, dq) in enumerate(DIRECTIONS):
            NEAR[hole][direction] = HOLE_AT.get((y + dy, q + dq), OUTSIDE)
    found[0] = found[1] = 0
    for direction, (dy, _) in enumerate(DIRECTIONS):
        NEAR[OUTSIDE][direction] = OUTSIDE
        if dy:
            FORWARD[dy > 0][found[dy > 0]] = direction
            found[dy > 0] += 1
    return 0


_fill_tables()

_MOST = (MOST_HOPS, MOST_CHAINS)
"""How far each thing is counted; each count is a place."""

_ROWS = 2 * HOLES + 2 * sum(_MOST)
"""Pieces: own, then the other's, a row per hole. Then a row per count of a side, and how many it is."""


def _rows_of_seat(seat):
    table = []
    for hole in range(HOLES):
        seen = hole if seat == 0 else HOLES - 1 - hole
        own, other = seen, HOLES + seen
        table.append([None, own, other] if seat == 0 else [None, other, own])
    for player in range(2):
        row = 2 * HOLES + (player != seat) * sum(_MOST)
        for most in _MOST:
            table.append([None, *range(row, row + most)])
            row += most
    return table


_SEATS = tuple(_rows_of_seat(seat) for seat in range(2))


cdef int _count(State* state, int player, uint8_t* codes) noexcept nogil:
    """Hops forward that are ready, and those of them that can be gone on with."""
    cdef int word, hole, i, j, landing, over, hops = 0, chains = 0
    cdef uint64_t left
    cdef uint8_t* owner = state.owner
    for word in range(2):
        left = state.own[player][word]
        while left:
            hole = 64 * word + lowest(left)
            left &= left - 1
            for i in range(2):
                over = NEAR[hole][FORWARD[player][i]]
                landing = NEAR[over][FORWARD[player][i]]
                if owner[over] and owner[landing] == 0:
                    hops += 1
                    for j in range(2):
                        over = NEAR[landing][FORWARD[player][j]]
                        if owner[over] and owner[NEAR[over][FORWARD[player][j]]] == 0:
                            chains += 1
                            break
    codes[0] = <uint8_t> (hops if hops < MOST_HOPS else MOST_HOPS)
    codes[1] = <uint8_t> (chains if chains < MOST_CHAINS else MOST_CHAINS)
    return 0


cdef inline int _last_row(State* state, int player) noexcept nogil:
    """Holes are numbered from the top, where player 0 goes: their last piece is the highest bit."""
    cdef uint64_t word
    if player == 1:
        word = state.own[1][0]
        return ROW[lowest(word) if word else 64 + lowest(state.own[1][1])]
    word = state.own[0][1]
    return ROW[64 + highest(word) if word else highest(state.own[0][0])]


cdef class ChineseCheckersNet(NetEvaluator):
    """The evaluator `net`; for two players."""

    INPUTS = "chinese_checkers 1"
    SEATS = _SEATS
    ROWS = _ROWS
    BUCKETS = 4
    IMAGES = ((*MIRROR, *range(HOLES, PLACES)),)

    def __init__(self, net=None):
        self._install(net if net is not None else self.own_net(), TunedEvaluator)
        self.strides = TunedEvaluator()

    def check(self, Position position not None):
        """Refuse, in words, a position that there is nothing to say of: one of more than two players, too."""
        NetEvaluator.check(self, position)
        if position.players != 2:
            raise TextError(f"the evaluator net of Chinese checkers is for two players, not for {position.players}")

    cdef int encode(self, Position position, uint8_t* codes) except -1 nogil:
        cdef State* state = &(<ChineseCheckersPosition> position).state
        memcpy(codes, state.owner, HOLES)
        _count(state, 0, codes + HOLES)
        _count(state, 1, codes + HOLES + COUNTS)
        return 0

    cdef int bucket(self, Position position) except -1 nogil:
        """Have the armies passed each other, and if not, how far do their last pieces lag?"""
        cdef int gap = _gap(&(<ChineseCheckersPosition> position).state)
        return 0 if gap < 0 else 1 if gap < 6 else 2 if gap < 12 else 3

    def race(self):
        return self.strides


cdef inline int _gap(State* state) noexcept nogil:
    """How many rows the last piece of player 0 is below the last one of player 1; negative when they have passed."""
    return _last_row(state, 0) - _last_row(state, 1)
