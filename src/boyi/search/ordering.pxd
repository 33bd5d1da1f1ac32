"""Which move first? The order of moves in all searches that cut off, and the memory for good moves.

For two players (`arrange`): the table's move, captures that win something, killers (quiet moves that refuted a
sibling), the other quiet moves by how often they caused a cut-off (alone, and after the move before), captures that
lose.
For more (`prefer`): the table's move, killers, the others by what the evaluator says of them.

Papers: Akl and Newborn 1977 (killers), Schaeffer 1989 (history), Uiterwijk 1992 (the counter-move idea behind
continuation history).
"""

from libc.stdint cimport int16_t, int32_t, uint64_t
from libc.string cimport memcpy, memset

from boyi.core.position cimport Position
from boyi.core.types cimport move_t
from boyi.search.table cimport NO_MOVE

cdef enum:
    ORDERED_PLIES = 104        # plies that have killers
    MOVE_SLOTS = 1 << 14       # entries of the history, by move
    FOLLOW_SLOTS = 1 << 18     # entries of the continuation history, by a hash of two moves
    MAX_HISTORY = 16384        # an entry stays within ± this
    HISTORY_STEP = 16          # per ply of depth squared; this and the next two are guesses
    HISTORY_DEPTH = 10         # plies; from here on a step is ...
    HISTORY_MAX_STEP = 1600    # ... this

cdef enum:                     # where a move stands in `orders`; quiet moves are within ± 2 * MAX_HISTORY
    FIRST_MOVE = 1 << 30       # the table's move
    GOOD_CAPTURE = 1 << 26     # and what it wins
    KILLER = 1 << 25
    BAD_CAPTURE = -(1 << 26)   # and what it loses
    LAST_MOVE = -(1 << 30)     # after everything else


cdef struct Killers:           # the last two moves that refuted at each ply
    bint on
    move_t moves[ORDERED_PLIES][2]


cdef struct Ordering:          # what one search has learnt about moves
    bint exchanges             # look at what captures win
    bint by_history
    Killers killers
    int16_t* follow            # FOLLOW_SLOTS of continuation history, or NULL for none
    int32_t history[2][MOVE_SLOTS]


cdef inline int forget_killers(Killers* killers) noexcept nogil:
    memset(killers.moves, 0xFF, sizeof(killers.moves))
    return 0


cdef inline int forget_order(Ordering* known) noexcept nogil:
    """Before a search: nothing was learnt yet."""
    memset(known.history, 0, sizeof(known.history))
    if known.follow != NULL:
        memset(known.follow, 0, FOLLOW_SLOTS * sizeof(int16_t))
    return forget_killers(&known.killers)


cdef inline int add_killer(Killers* killers, move_t move, int ply) noexcept nogil:
    if killers.on and killers.moves[ply][0] != move:
        killers.moves[ply][1] = killers.moves[ply][0]
        killers.moves[ply][0] = move
    return 0


cdef inline int drop_killers(Killers* killers, int ply) noexcept nogil:
    """Those of the children of another node are of no use."""
    killers.moves[ply][0] = killers.moves[ply][1] = NO_MOVE
    return 0


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
    cdef move_t killer = known.killers.moves[ply][0] if known.killers.on else first
    cdef move_t second_killer = known.killers.moves[ply][1] if known.killers.on else first
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


cdef inline int prefer(Killers* killers, move_t* moves, int32_t* orders, int n, int ply, move_t first) noexcept nogil:
    """Put the table's move and killers before all others, which keep the places they have."""
    cdef int i
    for i in range(n):
        if moves[i] == first:
            orders[i] = FIRST_MOVE
        elif killers.on and (moves[i] == killers.moves[ply][0] or moves[i] == killers.moves[ply][1]):
            orders[i] = KILLER
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
    """A step up or down, shrinking towards ± MAX_HISTORY, so that nothing overflows."""
    cdef int size = step if step > 0 else -step
    cdef int32_t* alone = &known.history[player][_slot(move)]
    cdef int16_t* after
    alone[0] += step - alone[0] * size // MAX_HISTORY
    if known.follow != NULL:
        after = &known.follow[_follow_slot(before, move)]
        after[0] += step - after[0] * size // MAX_HISTORY
    return 0


cdef inline int reward(Ordering* known, move_t move, move_t* tried, int32_t* orders, int tries, int depth, int ply,
                       int player, move_t before) noexcept nogil:
    """A quiet move refuted: it rises, the `tries` tried before it sink."""
    cdef int step = HISTORY_STEP * depth * depth if depth < HISTORY_DEPTH else HISTORY_MAX_STEP, i
    add_killer(&known.killers, move, ply)
    if not known.by_history:
        return 0
    _learn(known, move, player, before, step)
    for i in range(tries):
        if orders[i] < GOOD_CAPTURE:
            _learn(known, tried[i], player, before, -step)
    return 0


cdef inline int extend_line(move_t* lines, int* lengths, int room, move_t move, int ply) noexcept nogil:
    """The best line from `ply` on is the move and the line from the next ply; a row of `lines` has `room` moves."""
    cdef int length = lengths[ply + 1] if lengths[ply + 1] < room else room - 1
    lines[ply * room] = move
    memcpy(&lines[ply * room + 1], &lines[(ply + 1) * room], length * sizeof(move_t))
    lengths[ply] = length + 1
    return 0
