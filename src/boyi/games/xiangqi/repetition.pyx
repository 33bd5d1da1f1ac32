"""Who must give way when a position comes back.

A cycle is the moves between two occurrences of a position; nothing is captured in
it. Every move is put into words first (`inspect`: does it check, does it newly
threaten a piece, does it threaten mate), then the rule set judges the deeds
(`judge`). Each doubtful point of the rule books is one small function here, with
the diagram or rule that decides it, so that an arbiter can check them one by one.
"""

from libc.stdint cimport uint8_t

from boyi.core.types cimport MAX_MOVES, move_t
from boyi.games.xiangqi.grid cimport (
    ADVISOR,
    BLACK,
    CANNON,
    ELEPHANT,
    EMPTY,
    HORSE,
    KING,
    PAWN,
    RED,
    ROAMING_ADVISOR,
    ROAMING_ELEPHANT,
    ROOK,
    SQUARES,
    Grid,
    attacked,
    count_moves,
    first_square,
    kind_of,
    origin_of,
    reach,
    relocate,
    replace,
    safe,
    side_of,
    square_set,
    squares_t,
    target_of,
    write_moves,
)


# ---------------------------------------------------------------------- what a threat is

cdef bint may_chase_freely(int kind) noexcept nogil:
    """Kings and pawns may chase whatever they like (axf 4)."""
    return kind == KING or kind == PAWN


cdef bint may_be_chased_freely(int piece, int square) noexcept nogil:
    """A king is checked, not chased; a pawn that has not crossed the river is fair game (axf 4)."""
    if kind_of(piece) == KING:
        return True
    return kind_of(piece) == PAWN and (square < 45) == (side_of(piece) == RED)


cdef bint is_unequal_trade(int attacker, int victim) noexcept nogil:
    """Threats that protection does not undo: horse or cannon at a rook, advisor or elephant at a big piece."""
    if victim == ROOK and (attacker == HORSE or attacker == CANNON):
        return True
    if attacker in (ADVISOR, ELEPHANT, ROAMING_ADVISOR, ROAMING_ELEPHANT):
        return victim == ROOK or victim == HORSE or victim == CANNON
    return False


cdef bint is_exchange_offer(Grid* grid, int attacker, int victim) noexcept nogil:
    """Like attacks like, and the attacked could just as well capture (not when pinned, or its leg is blocked)."""
    if kind_of(grid.cells[attacker]) != kind_of(grid.cells[victim]):
        return False
    return can_capture(grid, victim, attacker)


cdef bint can_capture(Grid* grid, int attacker, int victim) noexcept nogil:
    """Is the capture legal, were it the attacker's turn? A pinned piece captures along its pin only."""
    return (reach(grid, attacker) & square_set(victim)) != 0 and safe(grid, attacker, victim)


cdef bint is_protected(Grid* grid, int attacker, int victim) noexcept nogil:
    """After attacker takes victim, is there a legal recapture (a pinned protector is none)?"""
    cdef int captured = relocate(grid, attacker, victim)
    cdef squares_t left = grid.pieces[side_of(captured)][EMPTY]
    cdef bint found = False
    while left and not found:
        found = can_capture(grid, first_square(left), victim)
        left &= left - 1
    replace(grid, attacker, victim, captured)
    return found


cdef bint threatens(Grid* grid, int attacker, int victim) noexcept nogil:
    """Is the attacker's capture a threat such as a chase is made of?"""
    cdef int kind = kind_of(grid.cells[attacker])
    if may_chase_freely(kind) or may_be_chased_freely(grid.cells[victim], victim):
        return False
    if not can_capture(grid, attacker, victim):
        return False
    if is_unequal_trade(kind, kind_of(grid.cells[victim])):
        return True
    if is_exchange_offer(grid, attacker, victim):
        return False
    return not is_protected(grid, attacker, victim)


cdef bint pins_a_defender(Grid* before, int attacker_before, Grid* after, int attacker, int victim) noexcept nogil:
    """Has a piece that protected the victim become unable to, because it would expose its king now?"""
    cdef Grid earlier = before[0]
    cdef Grid later = after[0]
    cdef int side = side_of(after.cells[victim]), defender
    cdef squares_t left = after.pieces[side][EMPTY] & ~square_set(victim)
    relocate(&earlier, attacker_before, victim)
    relocate(&later, attacker, victim)
    while left:
        defender = first_square(left)
        left &= left - 1
        if (can_capture(&earlier, defender, victim)
                and (reach(&later, defender) & square_set(victim)) != 0 and not safe(&later, defender, victim)):
            return True
    return False


cdef bint attack_stood(Grid* before, int attacker, int victim) noexcept nogil:
    """Was the attack on the board before the move? A check just parried does not make it new."""
    cdef int side = side_of(before.cells[attacker])
    if not reach(before, attacker) & square_set(victim):
        return False
    return attacked(before, before.kings[side], side ^ 1) or safe(before, attacker, victim)


cdef bint is_new_threat(Grid* before, int attacker_before, Grid* after, int attacker, int victim) noexcept nogil:
    """Does the move between the two positions make this threat?

    It does when the attack itself is new: the piece moved, its line, leg, eye or screen
    opened. Where the attack stood before, it does when the victim could capture back or a
    defender was free, and now they are pinned. It does not when merely the line of a
    defender was cut (diagram 61, and the diagrams of a rook pinned by a horse).
    """
    if not attack_stood(before, attacker_before, victim):
        return True
    if is_exchange_offer(before, attacker_before, victim):
        return True
    return pins_a_defender(before, attacker_before, after, attacker, victim)


cdef bint newly_threatened(Grid* before, Grid* after, move_t move, int victim) noexcept nogil:
    """Is the victim threatened after the move, and by nobody who threatened it before?

    When one attacker lets go and another takes over, the piece is chased on ("two
    chasers of one piece lose": horse and cannon in 2c1kab2/4a4/4b4/9/9/9/P1p5P/…).
    When the old threat stays, nobody had to answer it and a second one changes nothing.
    """
    cdef int side = side_of(after.cells[target_of(move)]), attacker, attacker_before
    cdef squares_t left = after.pieces[side][EMPTY]
    cdef bint found = False
    while left:
        attacker = first_square(left)
        left &= left - 1
        if threatens(after, attacker, victim):
            attacker_before = origin_of(move) if attacker == target_of(move) else attacker
            if threatens(before, attacker_before, victim):
                return False
            if is_new_threat(before, attacker_before, after, attacker, victim):
                found = True
    return found


cdef bint threatens_mate(Grid* grid, int side) noexcept nogil:
    """Could `side` mate at once if the other side passed?"""
    cdef move_t moves[MAX_MOVES]
    cdef int i, n, captured
    cdef bint mate = False
    n = write_moves(grid, side, moves)
    for i in range(n):
        captured = relocate(grid, origin_of(moves[i]), target_of(moves[i]))
        mate = attacked(grid, grid.kings[side ^ 1], side) and count_moves(grid, side ^ 1) == 0
        replace(grid, origin_of(moves[i]), target_of(moves[i]), captured)
        if mate:
            break
    return mate


# ---------------------------------------------------------------------- what a move did

cdef int inspect(Grid* grid, uint8_t* names, move_t move, bint mate_threats, Deed* deed) noexcept nogil:
    """Play a move of the cycle on `grid` and say what it did.

    `names` maps the square of each piece to its name (its square when the cycle
    began) and is kept up to date.
    """
    cdef Grid before = grid[0]
    cdef int origin = origin_of(move), target = target_of(move), victim
    cdef int side = side_of(grid.cells[origin])
    cdef squares_t left
    relocate(grid, origin, target)
    names[target] = names[origin]
    deed.move = move
    deed.side = side
    deed.checks = attacked(grid, grid.kings[side ^ 1], side)
    deed.threatens_mate = mate_threats and not deed.checks and threatens_mate(grid, side)
    deed.victims = 0
    deed.targets = 0
    left = grid.pieces[side ^ 1][EMPTY]
    while left:
        victim = first_square(left)
        left &= left - 1
        if newly_threatened(&before, grid, move, victim):
            deed.victims |= square_set(names[victim])
            deed.targets |= square_set(victim)
    return 0


# ---------------------------------------------------------------------- the verdict

cdef Ruling judge(Grid* grid, move_t* cycle, int length, int stride, RuleSet rules, bint mate_threats) noexcept nogil:
    """Judge a cycle that begins and ends with the position on `grid` (which is left as it was).

    The moves stand `stride` bytes apart, as they do in a position's history.
    """
    cdef Ruling ruling
    cdef Grid scratch = grid[0]
    cdef uint8_t names[SQUARES]
    cdef Deed deed
    cdef bint all_check[2]
    cdef bint all_attack[2]
    cdef bint all_chase[2]
    cdef squares_t common[2]
    cdef int i, side
    ruling.verdict = DRAWN
    ruling.loser = -1
    if rules == SIMPLE:
        return ruling
    for i in range(SQUARES):
        names[i] = i
    for side in range(2):
        all_check[side] = all_attack[side] = all_chase[side] = True
        common[side] = ~(<squares_t> 0)
    for i in range(length):
        inspect(&scratch, names, (<move_t*> (<char*> cycle + i * stride))[0], mate_threats, &deed)
        side = deed.side
        if not deed.checks:
            all_check[side] = False
        if deed.checks or deed.victims == 0:
            all_chase[side] = False
        if not (deed.checks or deed.victims or deed.threatens_mate):
            all_attack[side] = False
        common[side] &= 0 if deed.checks else deed.victims
        # Nobody can be to blame any more: searches ask often, and mostly of harmless cycles.
        if not (all_attack[RED] or all_attack[BLACK] or common[RED] or common[BLACK]):
            return ruling

    # Step 1. Perpetual check: forbidden everywhere, whatever the other side does short of checking too.
    if all_check[RED] and all_check[BLACK]:
        ruling.verdict = MUTUAL_CHECK
        return ruling
    for side in range(2):
        if all_check[side]:
            ruling.verdict = PERPETUAL_CHECK
            ruling.loser = side
            return ruling
    if rules == CHECKS:
        return ruling

    # Step 2. axf: one piece, threatened anew by every move, is chased. Checks in between excuse (rule 2).
    if rules == AXF:
        if common[RED] and common[BLACK]:
            ruling.verdict = MUTUAL_ATTACK
        elif common[RED] or common[BLACK]:
            ruling.verdict = PERPETUAL_CHASE
            ruling.loser = RED if common[RED] else BLACK
        return ruling

    # Step 3. cxa: a one-sided unbroken row of attacks of any kind, on whatever pieces, is forbidden.
    if all_attack[RED] and all_attack[BLACK]:
        ruling.verdict = MUTUAL_ATTACK
    elif all_attack[RED] or all_attack[BLACK]:
        ruling.loser = RED if all_attack[RED] else BLACK
        ruling.verdict = PERPETUAL_CHASE if all_chase[ruling.loser] else PERPETUAL_ATTACK
    return ruling
