"""Discs turned and moves found on two bitboards: the inner loops of everything that plays Othello.

These are inline functions, so that a module gets them for the processor that it is compiled for (see `lanes.pxd`). A
module that uses them calls `lay_out_discs()` once, when it is imported.
"""

from libc.stdint cimport uint8_t, uint64_t

from boyi.games.othello.lanes cimport (
    HAS_TOP, both, either, equal, greater, lanes_all, lanes_load, lanes_of, lanes_t, left, minus, right, top, union_of,
    without,
)

cdef extern from *:
    """
    /* Per point the points that its eight rays cross: towards h8 by 1, 7, 8, 9 bits, then back towards a1. */
    static unsigned long long boyi_rays[64][8];
    /* Per point, the other points of its two diagonals. */
    static unsigned long long boyi_diagonals[64][2];
    /* Per place in a line and own discs in it, all others being the opponent's: twice the discs turned. */
    static unsigned char boyi_turns[8][256];
    """
    uint64_t RAYS "boyi_rays"[64][8]
    uint64_t DIAGONALS "boyi_diagonals"[64][2]
    uint8_t TURNS "boyi_turns"[8][256]


cdef inline int lay_out_discs() except -1:
    """Fill the tables above."""
    cdef int* steps_right = [1, -1, 0, 1, -1, 1, 0, -1]
    cdef int* steps_down = [0, 1, 1, 1, 0, -1, -1, -1]
    cdef int point, row, column, direction, line, place, turned
    for point in range(64):
        for direction in range(8):
            RAYS[point][direction] = 0
            row = point // 8 + steps_down[direction]
            column = point % 8 + steps_right[direction]
            while 0 <= row < 8 and 0 <= column < 8:
                RAYS[point][direction] |= <uint64_t> 1 << (8 * row + column)
                row += steps_down[direction]
                column += steps_right[direction]
        DIAGONALS[point][0] = RAYS[point][1] | RAYS[point][5]
        DIAGONALS[point][1] = RAYS[point][3] | RAYS[point][7]
    for place in range(8):
        for line in range(256):
            turned = 0
            for column in range(place + 1, 8):
                if line >> column & 1:
                    turned += column - place - 1
                    break
            for column in range(place - 1, -1, -1):
                if line >> column & 1:
                    turned += place - column - 1
                    break
            TURNS[place][line] = <uint8_t> (2 * turned)
    return 0


cdef inline uint64_t mobility_of(uint64_t own, uint64_t other) noexcept nogil:
    """The points where `own` may put a disc.

    Seen from a disc of `own`: a run of `other` begins beside it and an empty point ends it. The run, at
    most six discs long, is followed in doubling steps (1, 2, 4, 6). Off the files a and h no run turns
    the corner of the board, so there `other` is cut to the inner files.
    """
    cdef lanes_t step = lanes_of(1, 7, 8, 9)
    cdef lanes_t double_step = lanes_of(2, 14, 16, 18)
    cdef lanes_t own_lanes = lanes_all(own)
    cdef lanes_t inner = lanes_of(<uint64_t> 0x7E7E7E7E7E7E7E7E, <uint64_t> 0x7E7E7E7E7E7E7E7E,
                                  <uint64_t> 0xFFFFFFFFFFFFFFFF, <uint64_t> 0x7E7E7E7E7E7E7E7E)
    cdef lanes_t through = both(lanes_all(other), inner)
    cdef lanes_t pairs_ahead = both(through, left(through, step))
    cdef lanes_t pairs_behind = right(pairs_ahead, step)
    cdef lanes_t ahead = both(left(own_lanes, step), through)
    cdef lanes_t behind = both(right(own_lanes, step), through)
    ahead = either(ahead, both(left(ahead, step), through))
    behind = either(behind, both(right(behind, step), through))
    ahead = either(ahead, both(left(ahead, double_step), pairs_ahead))
    behind = either(behind, both(right(behind, double_step), pairs_behind))
    ahead = either(ahead, both(left(ahead, double_step), pairs_ahead))
    behind = either(behind, both(right(behind, double_step), pairs_behind))
    return union_of(either(left(ahead, step), right(behind, step))) & ~(own | other)


cdef inline uint64_t flips_of(uint64_t own, uint64_t other, int point) noexcept nogil:
    """The discs that a disc of `own` on `point` turns over.

    Along each ray: those before the first point that is not `other`'s, if that one is `own`'s. Ahead it
    is the lowest bit, which subtraction isolates. Behind it is the highest; without an instruction for that,
    the nearest disc of `own` is nearer than the nearest empty point exactly when `own` is the greater number.
    """
    cdef lanes_t zero = lanes_all(0)
    cdef lanes_t own_lanes = lanes_all(own)
    cdef lanes_t other_lanes = lanes_all(other)
    cdef lanes_t ray = lanes_load(&RAYS[point][0])
    cdef lanes_t stops = without(ray, other_lanes)
    cdef lanes_t ends = both(both(stops, minus(zero, stops)), own_lanes)
    # ends - 1 where there is an end, else 0: `equal` is -1 there.
    cdef lanes_t ahead = both(minus(minus(ends, lanes_all(1)), equal(ends, zero)), ray)
    cdef lanes_t behind
    cdef lanes_t step
    ray = lanes_load(&RAYS[point][4])
    if HAS_TOP:
        # All bits above an end are those of -2 * end; of no end there are none.
        ends = both(top(without(ray, other_lanes)), own_lanes)
        return union_of(either(ahead, both(ray, minus(minus(zero, ends), ends))))
    step = lanes_of(1, 7, 8, 9)
    ends = both(ray, own_lanes)
    stops = without(without(ray, other_lanes), ends)
    behind = both(ray, greater(ends, stops))
    ends = either(ends, right(ends, step))
    ends = either(ends, right(ends, lanes_of(2, 14, 16, 18)))
    ends = either(ends, right(ends, lanes_of(4, 28, 32, 36)))
    return union_of(either(ahead, without(behind, ends)))


cdef inline int last_turned(uint64_t own, int point) noexcept nogil:
    """Twice the discs that `own` turns by filling the last empty point: four lines, each a look-up.

    A multiplication gathers the bits of a file, or of a diagonal, in the highest byte.
    """
    cdef int row = point >> 3, column = point & 7
    return (TURNS[column][own >> (8 * row) & 255]
            + TURNS[row][((own >> column) & <uint64_t> 0x0101010101010101) * <uint64_t> 0x0102040810204080 >> 56]
            + TURNS[column][(own & DIAGONALS[point][0]) * <uint64_t> 0x0101010101010101 >> 56]
            + TURNS[column][(own & DIAGONALS[point][1]) * <uint64_t> 0x0101010101010101 >> 56])
