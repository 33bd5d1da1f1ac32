"""Exchanges with covered pieces: what a capture wins once both sides have taken on its square as long as it pays.

A covered piece counts the mean of what it may be, before and after it was turned up. Pins are ignored, but a king never
takes what is protected.
"""

from boyi.games.xiangqi.grid cimport (
    ADVISOR,
    CANNON,
    ELEPHANT,
    HORSE,
    KING,
    PAWN,
    ROAMING_ADVISOR,
    ROAMING_ELEPHANT,
    ROOK,
    Grid,
    capturers,
    first_square,
    squares_t,
    toggle,
)

cdef enum:
    LONGEST = 32               # captures of an exchange, at most


cdef struct Capturer:          # of an exchange
    int square
    int kind                   # that it walks as
    int value


cdef inline bint _cheapest(Grid* grid, int target, int side, squares_t covered, const int* values, int covered_value,
                           Capturer* found) noexcept nogil:
    """Who of a side takes next: the cheapest, the king last. False if nobody can."""
    cdef int[8] kinds = [PAWN, ROAMING_ADVISOR, ROAMING_ELEPHANT, HORSE, CANNON, ROOK, ADVISOR, ELEPHANT]
    cdef squares_t able, hidden = 0, one
    cdef int i, hidden_kind = 0
    found.value = 1 << 20
    for i in range(8):
        able = capturers(grid, target, side, kinds[i])
        if able == 0:
            continue
        one = able & covered
        if one and not hidden:
            hidden = one
            hidden_kind = kinds[i]
        one = able & ~covered
        if one and values[kinds[i]] < found.value:
            found.square = first_square(one)
            found.kind = kinds[i]
            found.value = values[kinds[i]]
            if found.value <= covered_value:
                return True
    if hidden and covered_value < found.value:
        found.square = first_square(hidden)
        found.kind = hidden_kind
        found.value = covered_value
    if found.value < 1 << 20:
        return True
    able = capturers(grid, target, side, KING)
    if able == 0:
        return False
    found.square = first_square(able)
    found.kind = KING
    found.value = values[KING]
    return True


cdef inline int exchange_among(Grid* grid, int target, int side, Capturer first, int taken, squares_t covered,
                               const int* values, const int* covered_values) noexcept nogil:
    """What `side` wins when `first` goes to the target, where it takes this much (0: nothing). The grid is left as it
    was."""
    cdef Capturer gone[LONGEST]
    cdef int gains[LONGEST]                # what the side that captured has won, should the exchange end there
    cdef int n = 0
    gone[0] = first
    gains[0] = taken
    while True:
        toggle(grid, gone[n].square, side, gone[n].kind)
        side ^= 1
        if n + 1 == LONGEST or not _cheapest(grid, target, side, covered, values, covered_values[side], &gone[n + 1]):
            break
        if gone[n].kind == KING and n:
            toggle(grid, gone[n].square, side ^ 1, KING)       # the king could not take: its captor stands ready
            n -= 1
            side ^= 1
            break
        gains[n + 1] = gone[n].value - gains[n]
        n += 1
    # Backwards: each side may stop instead of taking on.
    while n >= 0:
        side ^= 1
        toggle(grid, gone[n].square, side, gone[n].kind)
        if n and -gains[n] < gains[n - 1]:
            gains[n - 1] = -gains[n]
        n -= 1
    return gains[0]
