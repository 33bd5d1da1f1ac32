"""Which move next? Moves one at a time, generated only when they are needed.

The table's move, captures that win or keep the balance (by what they take and capture history), quiet moves (killers
and replies first, then by history), captures that lose. Games that do not generate in stages (`Rules.staged`) have all
moves generated at once; what exchanges there are decides before history.
"""

from libc.stdint cimport int16_t, int32_t

from boyi.core.position cimport Position
from boyi.core.types cimport move_t
from boyi.search.history cimport History, quiet_history, taking_entry
from boyi.search.table cimport NO_MOVE

cdef enum Stage:
    KNOWN_MOVE                 # the table's move, before anything is generated
    GENERATE_CAPTURES
    GOOD_CAPTURES
    GENERATE_QUIETS
    QUIETS
    BAD_CAPTURES
    GENERATE_ALL               # of games that do not generate in stages
    ALL

cdef enum:                     # orders; histories and promises of quiet moves are less than a quarter of a million
    FIRST_MOVE = 1 << 30
    GOOD_CAPTURE = 1 << 26
    KILLER = 1 << 21
    REPLY = 1 << 20
    BAD_CAPTURE = -(1 << 26)
    TAKEN_WEIGHT = 64          # units of history that a hundredth of the smallest piece counts in the order of captures


cdef struct Picker:
    int stage
    move_t known               # the table's, or NO_MOVE
    move_t* moves              # room for all moves of the position
    int32_t* orders
    int next                   # of `moves`, the next to be looked at
    int captures_end
    int bad_end                # captures that lose are gathered at the beginning of `moves`
    int end
    int ply
    int player
    bint in_order              # moves come as the rules list them; the caller fills it in, too
    move_t killers[2]
    move_t reply
    int16_t* rows[3]           # continuation histories of this ply
    bint captures_only
    bint any_order             # the caller wants what is left, whatever comes first
    bint quiet                 # about the move last picked: takes it nothing, ...
    bint bad                   # ... or does it lose by taking?
    int order                  # of a quiet one: its history, or more for killers


cdef inline int begin_picking(Picker* picker, Position position, move_t* moves, int32_t* orders,
                              move_t known) except -1 nogil:
    """A node's moves; the caller has filled in ply, player, in_order, killers, reply and rows."""
    picker.moves = moves
    picker.orders = orders
    picker.known = known
    picker.captures_only = picker.any_order = False
    if not position.staged or picker.in_order:
        picker.stage = GENERATE_ALL
    elif known != NO_MOVE and position.legal(known):
        picker.stage = KNOWN_MOVE
    else:
        picker.known = NO_MOVE
        picker.stage = GENERATE_CAPTURES
    return 0


cdef inline move_t _take_best(Picker* picker, int end) noexcept nogil:
    """The best of what is left of a stage, brought to the front."""
    cdef int best = picker.next, i
    cdef move_t move
    cdef int32_t order
    if not picker.any_order:
        for i in range(picker.next + 1, end):
            if picker.orders[i] > picker.orders[best]:
                best = i
    move = picker.moves[best]
    order = picker.orders[best]
    picker.moves[best] = picker.moves[picker.next]
    picker.orders[best] = picker.orders[picker.next]
    picker.moves[picker.next] = move
    picker.orders[picker.next] = order
    picker.next += 1
    picker.order = order
    return move


cdef inline int _order_captures(Picker* picker, History* history, Position position) except -1 nogil:
    cdef int i, taken
    for i in range(picker.captures_end):
        taken = position.taken(picker.moves[i])
        picker.orders[i] = TAKEN_WEIGHT * taken
        if history.takes:
            picker.orders[i] += taking_entry(history, position.footprint(picker.moves[i]), taken)[0]
    return 0


cdef inline int _quiet_order(Picker* picker, History* history, Position position, move_t move) noexcept nogil:
    if move == picker.killers[0]:
        return KILLER + 1
    if move == picker.killers[1]:
        return KILLER
    if move == picker.reply:
        return REPLY
    return (quiet_history(history, move, position.footprint(move), picker.player, picker.rows)
            + (position.promise(move) if position.has_promises else 0))


cdef inline move_t next_move(Picker* picker, History* history, Position position,
                             bint skip_quiets) except? 0xFFFFFFFE nogil:
    """The next move, or NO_MOVE when there is none left. With `skip_quiets`, no more quiet ones."""
    cdef move_t move
    cdef int i, gain
    while True:
        if picker.stage == KNOWN_MOVE:
            picker.stage = GENERATE_CAPTURES
            picker.quiet = position.taken(picker.known) == 0
            picker.bad = False
            picker.order = _quiet_order(picker, history, position, picker.known) if picker.quiet else 0
            return picker.known

        elif picker.stage == GENERATE_CAPTURES:
            picker.next = picker.bad_end = 0
            picker.end = picker.captures_end = position.captures(picker.moves)
            _order_captures(picker, history, position)
            picker.stage = GOOD_CAPTURES

        elif picker.stage == GOOD_CAPTURES:
            while picker.next < picker.captures_end:
                move = _take_best(picker, picker.captures_end)
                if move == picker.known:
                    continue
                if not position.exchange_reaches(move, 0):
                    picker.moves[picker.bad_end] = move
                    picker.orders[picker.bad_end] = picker.order
                    picker.bad_end += 1
                    continue
                picker.quiet = picker.bad = False
                return move
            picker.stage = BAD_CAPTURES if picker.captures_only else GENERATE_QUIETS

        elif picker.stage == GENERATE_QUIETS:
            picker.stage = QUIETS
            if not skip_quiets:
                picker.next = picker.captures_end
                picker.end = picker.captures_end + position.quiets(picker.moves + picker.captures_end)
                for i in range(picker.next, picker.end):
                    picker.orders[i] = _quiet_order(picker, history, position, picker.moves[i])

        elif picker.stage == QUIETS:
            while not skip_quiets and picker.next < picker.end:
                move = _take_best(picker, picker.end)
                if move == picker.known:
                    continue
                picker.quiet = True
                picker.bad = False
                return move
            picker.stage = BAD_CAPTURES
            picker.next = 0

        elif picker.stage == BAD_CAPTURES:
            if picker.captures_only or picker.next >= picker.bad_end:
                return NO_MOVE
            picker.next += 1
            picker.quiet = False
            picker.bad = True
            return picker.moves[picker.next - 1]

        elif picker.stage == GENERATE_ALL:
            picker.next = 0
            picker.end = position.generate(picker.moves)
            for i in range(picker.end):
                move = picker.moves[i]
                gain = 0 if picker.in_order else position.exchange(move)
                picker.orders[i] = (FIRST_MOVE if move == picker.known else GOOD_CAPTURE + gain if gain > 0
                                    else BAD_CAPTURE + gain if gain < 0
                                    else _quiet_order(picker, history, position, move))
            picker.stage = ALL

        else:
            while picker.next < picker.end:
                move = _take_best(picker, picker.end)
                picker.bad = picker.order < BAD_CAPTURE // 2
                picker.quiet = not picker.bad and (picker.order < GOOD_CAPTURE or (
                    picker.order == FIRST_MOVE and position.exchange(move) == 0))
                if skip_quiets and picker.quiet:
                    continue
                return move
            return NO_MOVE
