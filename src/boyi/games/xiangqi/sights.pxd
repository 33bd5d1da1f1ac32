"""What nets of xiangqi and jieqi are shown besides pieces: what is struck, and how much of it."""

from libc.stdint cimport uint8_t

from boyi.games.xiangqi.grid cimport BLACK, RED, SQUARES, size_of, square_set, squares_t

cdef enum:
    MOST_THREATS = 3                 # of a kind, or more
    ROOKS_REACH = 11                 # thirds of the points
    HORSES_REACH = 8                 # halves of them
    SIEGE = 12                       # points


cdef inline uint8_t at_most(int count, int most) noexcept nogil:
    return count if count < most else most


cdef inline uint8_t threats(squares_t squares) noexcept nogil:
    return at_most(size_of(squares), MOST_THREATS) if squares else 0


cdef inline int fill_siege_zone(squares_t* zone) noexcept nogil:
    """The palace of each side and the three points before it."""
    cdef int square
    zone[<int> RED] = zone[<int> BLACK] = 0
    for square in range(SQUARES):
        if 3 <= square % 9 <= 5:
            if square // 9 <= 3:
                zone[<int> RED] |= square_set(square)
            elif square // 9 >= 6:
                zone[<int> BLACK] |= square_set(square)
    return 0


cdef inline int king_view(int square, int seat) noexcept nogil:
    """What the rows of `rows_by_king` depend on: the square of a side's king in its palace."""
    cdef int rank = square // 9
    return 3 * (rank if seat == RED else 9 - rank) + square % 9 - 3
