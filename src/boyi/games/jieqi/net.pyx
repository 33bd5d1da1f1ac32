"""The evaluator `net` of jieqi: a small network (`boyi.kit.nnue`).

It is shown, from each player's seat and only as far as the viewer of the position knows,

- which open piece stands where, and where covered ones stand (which tells what they walk as);
- the pools: how many of each type may still be covered, so that what a covered piece may turn out to be is part of
  what the position looks like;
- what is threatened: per side and kind of piece, how many are struck by something cheaper, or struck and not guarded;
- how far rooks and horses reach, and how much of the enemy's palace, and of the three points before it, is struck.

`net.xz` holds the numbers, `net.json` tells how they were made.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy

from boyi.kit.nnue cimport NetEvaluator
from boyi.core.position cimport Position
from boyi.games.jieqi.position cimport TYPES, JieqiPosition, pool_count
from boyi.games.xiangqi.grid cimport (
    ADVISOR,
    BLACK,
    CANNON,
    COLOUR,
    ELEPHANT,
    EMPTY,
    HORSE,
    KING,
    KINDS,
    PAWN,
    RED,
    ROAMING_ADVISOR,
    ROAMING_ELEPHANT,
    ROOK,
    SQUARES,
    Grid,
    size_of,
    squares_t,
    struck,
)
from boyi.games.xiangqi.sights cimport (
    HORSES_REACH,
    MOST_THREATS,
    ROOKS_REACH,
    SIEGE,
    at_most,
    fill_siege_zone,
    threats,
)

from boyi.games.jieqi.evaluator import Hand
from boyi.games.xiangqi.sights import mirror, number_of_rows, rows_of_seat

cdef enum:
    LAYERS = 4                       # last layers to choose from
    COVERED = KINDS                  # the code of a covered piece, beside those of kinds
    MOST_OF_A_TYPE = 5               # pawns
    THREATS = 9                      # kinds of threats that are counted, per side
    WORDS = 12                       # of eight squares

_COUNTS = (*[MOST_OF_A_TYPE] * TYPES, *[MOST_THREATS] * THREATS, ROOKS_REACH, HORSES_REACH, SIEGE)
"""What is counted per side, and how far: each count is a place."""

_ROWS = number_of_rows(COVERED, _COUNTS)
"""Pieces: own, then the other's, a row per kind (or covered) and square. Then a row per count, and how many it is."""

_SEATS = tuple(rows_of_seat(seat, COVERED, _COUNTS, COLOUR) for seat in (RED, BLACK))

cdef squares_t siege_zone[2]         # the palace of each side and the three points before it
cdef uint64_t bytes_of[256]          # eight bits as bytes of all ones and of zero
cdef uint64_t ALL_COVERED = 0x0101010101010101 * <uint64_t> COVERED
cdef uint64_t ALL_COLOURS = 0x0101010101010101 * <uint64_t> COLOUR


cdef class JieqiNet(NetEvaluator):
    """The evaluator `net`."""

    INPUTS = "jieqi 1"
    SEATS = _SEATS
    ROWS = _ROWS
    BUCKETS = LAYERS
    IMAGES = (mirror(_COUNTS),)

    def __init__(self, net=None):
        self._install(net if net is not None else self.own_net(), Hand)

    cdef int encode(self, Position position, uint8_t* codes) except -1 nogil:
        return self.describe(<JieqiPosition> position, codes)

    cdef int describe(self, JieqiPosition here, uint8_t* codes) noexcept nogil:
        cdef Grid* grid = &here.grid
        cdef squares_t by_cheap[2]       # pawns, advisors, elephants and the king
        cdef squares_t by_middling[2]    # horses, cannons, and covered pieces, which are worth that on average
        cdef squares_t by_horses[2]
        cdef squares_t by_rooks[2]
        cdef squares_t covered, hit, open, cheap
        cdef squares_t* own
        cdef uint64_t* words = <uint64_t*> codes
        cdef uint64_t mask
        cdef int side, foe, i
        memcpy(codes, grid.cells, SQUARES)
        for i in range(WORDS):
            # Eight squares at once: a covered piece is COVERED, with its colour.
            mask = bytes_of[<uint8_t> (here.covered >> 8 * i)]
            words[i] = (words[i] & ~mask) | (mask & (ALL_COVERED | (words[i] & ALL_COLOURS)))
        for side in range(2):
            own = grid.pieces[side]
            covered = here.covered & own[EMPTY]
            open = ~covered
            by_cheap[side] = (struck(grid, own[PAWN] & open, side, PAWN) | struck(grid, own[KING], side, KING)
                              | struck(grid, own[ROAMING_ADVISOR], side, ROAMING_ADVISOR)
                              | struck(grid, own[ROAMING_ELEPHANT], side, ROAMING_ELEPHANT))
            by_horses[side] = struck(grid, own[HORSE] & open, side, HORSE)
            by_middling[side] = by_horses[side] | struck(grid, own[CANNON], side, CANNON)
            by_rooks[side] = struck(grid, own[ROOK] & open, side, ROOK)
            if covered:
                by_middling[side] |= (struck(grid, own[PAWN] & covered, side, PAWN)
                                      | struck(grid, own[HORSE] & covered, side, HORSE)
                                      | struck(grid, own[ROOK] & covered, side, ROOK)
                                      | struck(grid, own[ADVISOR], side, ADVISOR)
                                      | struck(grid, own[ELEPHANT], side, ELEPHANT))
        codes += SQUARES
        for side in range(2):
            foe = side ^ 1
            own = grid.pieces[side]
            covered = here.covered & own[EMPTY]
            for i in range(TYPES):
                codes[i] = pool_count(here.pool_counts, side, i)
            codes += TYPES
            cheap = by_cheap[foe]
            hit = cheap | by_middling[foe] | by_rooks[foe]
            open = hit & ~(by_cheap[side] | by_middling[side] | by_rooks[side])
            codes[0] = threats(own[ROOK] & ~covered & (cheap | by_middling[foe]))
            codes[1] = threats(own[ROOK] & ~covered & open & ~(cheap | by_middling[foe]))
            codes[2] = threats(own[HORSE] & ~covered & (cheap | open))
            codes[3] = threats(own[CANNON] & ~covered & (cheap | open))
            codes[4] = threats((own[ROAMING_ADVISOR] | own[ROAMING_ELEPHANT]) & open)
            codes[5] = threats(own[PAWN] & ~covered & open)
            codes[6] = threats(covered & open)
            codes[7] = threats(covered & hit & ~open)
            codes[8] = threats((own[HORSE] | own[CANNON]) & ~covered & hit & ~(cheap | open))
            codes += THREATS
            codes[0] = at_most((size_of(by_rooks[side] & ~own[EMPTY]) + 2) // 3, ROOKS_REACH)
            codes[1] = at_most((size_of(by_horses[side] & ~own[EMPTY]) + 1) // 2, HORSES_REACH)
            codes[2] = at_most(size_of((by_cheap[side] | by_middling[side] | by_rooks[side]) & siege_zone[foe]), SIEGE)
            codes += 3
        return 0

    cdef int bucket(self, Position position) except -1 nogil:
        """By the pieces that are left: thirty-two in the beginning."""
        cdef Grid* grid = &(<JieqiPosition> position).grid
        cdef int left = size_of(grid.pieces[0][EMPTY] | grid.pieces[1][EMPTY])
        return 0 if left <= 12 else 1 if left <= 18 else 2 if left <= 24 else 3


cdef int _fill() noexcept nogil:
    cdef int bits, i
    for bits in range(256):
        for i in range(8):
            if bits >> i & 1:
                bytes_of[bits] |= <uint64_t> 0xFF << 8 * i
    return fill_siege_zone(siege_zone)


_fill()
