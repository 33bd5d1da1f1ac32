"""Which move first? What alpha-beta and expectimax share: the memory for good moves, and the lines they keep.

The order is: the table's move, captures that win something, killers (quiet moves that refuted a sibling),
the other quiet moves by how often they caused a cut-off (alone, and after the move before), captures that lose.

Papers: Akl and Newborn 1977 (killers), Schaeffer 1989 (history), Uiterwijk 1992 (the counter-move idea behind
continuation history).
"""

from libc.stdint cimport int16_t, int32_t, uint64_t
from libc.string cimport memcpy

from boyi.core.position cimport Position
from boyi.core.types cimport move_t

cdef enum:
    ORDERED_PLIES = 104        # plies that have killers
    MOVE_SLOTS = 1 << 14       # entries of the history, by move
    FOLLOW_SLOTS = 1 << 18     # entries of the continuation history, by a hash of two moves

cdef enum:                     # where a move stands in `orders`; quiet moves are within ±2 * 16384
    FIRST_MOVE = 1 << 30       # the table's move
    GOOD_CAPTURE = 1 << 26     # and what it wins
    KILLER = 1 << 25
    BAD_CAPTURE = -(1 << 26)   # and what it loses


cdef struct Ordering:          # what one search has learnt about moves
    bint exchanges             # look at what captures win
    bint by_killers
    bint by_history
    int16_t* follow            # FOLLOW_SLOTS of continuation history, or NULL for none
    int32_t history[2][MOVE_SLOTS]
    move_t killers[ORDERED_PLIES][2]


cdef inline int _slot(move_t move) noexcept nogil:
    return (move ^ (move >> 14)) & (MOVE_SLOTS - 1)


cdef inline int _follow_slot(move_t before, move_t move) noexcept nogil:
    cdef uint64_t both = <uint64_t> before * <uint64_t> 0x9E3779B1 ^ <uint64_t> move * <uint64_t> 0x85EBCA77
    return <int> (both >> 9) & (FOLLOW_SLOTS - 1)


cdef inline bint is_quiet(int32_t order) noexcept nogil:
    """Neither a winning nor a losing capture, nor the table's move."""
    return GOOD_CAPTURE > order > BAD_CAPTURE // 2


cdef inline int arrange(Ordering* known, Position position, move_t* moves, int32_t* orders, int n, int ply, int player,
                        move_t before, move_t first) except -1 nogil:
    """Give every move its place in `orders`. `before` led here; `first` is the table's move."""
    cdef int i, gain
    cdef bint exchanges = known.exchanges
    cdef move_t move
    cdef move_t killer = known.killers[ply][0] if known.by_killers else first
    cdef move_t second_killer = known.killers[ply][1] if known.by_killers else first
    cdef int32_t* history = known.history[player] if known.by_history else NULL
    cdef int16_t* follow = known.follow
    for i in range(n):
        move = moves[i]
        if move == first:
            orders[i] = FIRST_MOVE
            continue
        gain = position.exchange(move) if exchanges else 0
        if gain > 0:
            orders[i] = GOOD_CAPTURE + gain
        elif gain < 0:
            orders[i] = BAD_CAPTURE + gain
        elif move == killer:
            orders[i] = KILLER + 1
        elif move == second_killer:
            orders[i] = KILLER
        elif history == NULL:
            orders[i] = 0
        elif follow == NULL:
            orders[i] = history[_slot(move)]
        else:
            orders[i] = history[_slot(move)] + follow[_follow_slot(before, move)]
    return 0


cdef inline int pick(move_t* moves, int32_t* orders, int first, int n) noexcept nogil:
    """Bring the best of the moves left to the front; equal ones keep their order."""
    cdef int best = first, i, order
    cdef move_t move
    for i in range(first + 1, n):
        if orders[i] > orders[best]:
            best = i
    if best != first:
        move = moves[best]
        order = orders[best]
        for i in range(best, first, -1):
            moves[i] = moves[i - 1]
            orders[i] = orders[i - 1]
        moves[first] = move
        orders[first] = order
    return 0


cdef inline int _learn(Ordering* known, move_t move, int player, move_t before, int step) noexcept nogil:
    """A step up or down, shrinking towards ±16384, so that nothing overflows."""
    cdef int size = step if step > 0 else -step
    cdef int32_t* alone = &known.history[player][_slot(move)]
    cdef int16_t* after
    alone[0] += step - alone[0] * size // 16384
    if known.follow != NULL:
        after = &known.follow[_follow_slot(before, move)]
        after[0] += step - after[0] * size // 16384
    return 0


cdef inline int reward(Ordering* known, move_t move, move_t* tried, int32_t* orders, int tries, int depth, int ply,
                       int player, move_t before) noexcept nogil:
    """A quiet move refuted: it rises, the `tries` tried before it sink."""
    cdef int step = 16 * depth * depth if depth < 10 else 1600, i
    if known.by_killers and known.killers[ply][0] != move:
        known.killers[ply][1] = known.killers[ply][0]
        known.killers[ply][0] = move
    if not known.by_history:
        return 0
    _learn(known, move, player, before, step)
    for i in range(tries):
        if orders[i] < GOOD_CAPTURE:
            _learn(known, tried[i], player, before, -step)
    return 0


cdef inline int keep_line(move_t* lines, int* lengths, int room, move_t move, int ply) noexcept nogil:
    """The line from `ply` is the move and the line from the next ply; each has `room` for its moves in `lines`."""
    cdef int length = lengths[ply + 1]
    lines[ply * room] = move
    memcpy(&lines[ply * room + 1], &lines[(ply + 1) * room], length * sizeof(move_t))
    lengths[ply] = length + 1
    return 0
