"""What pieces can do, by tables.

Lines. For a slider on a rank, `rank_table[LEVEL][file][occupancy]` tells at once
what it sees: LEVEL 0 all squares up to the first piece and that piece (a rook's
moves), LEVEL 1 the second piece each way (what a cannon captures), LEVEL 2 the
third (a cannon behind two screens, harmless until one leaves). Files likewise.

Legality. Most moves cannot expose their king, and testing them one by one would
take most of the time. So the king's surroundings are looked at once per position:

- *tied* are own pieces whose leaving may open an attack: the only screen before
  an enemy rook or king, either screen of a cannon behind two, the leg of a horse;
- *poisoned* are the empty squares between the king and an enemy cannon that looks
  at it directly: any piece that lands there becomes its screen.

Only king moves, moves of tied pieces, moves to poisoned squares and, in check,
all moves are tried on the board.
"""

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from boyi.core.random cimport next_random
from boyi.core.types cimport key_t, move_t

cdef enum:
    LEVELS = 3

cdef squares_t bit[SQUARES]
cdef uint8_t rank_of[SQUARES]
cdef uint8_t file_of[SQUARES]
cdef uint16_t rank_table[LEVELS][9][512]
cdef uint16_t file_table[LEVELS][10][1024]
cdef uint64_t spread[32]                          # 5 bits, moved 9 apart: half a file
cdef squares_t horse_moves[SQUARES][16]           # by which of its four legs are blocked: up, down, right, left
cdef squares_t horse_checks[SQUARES][16]          # from where a horse attacks, by occupied diagonal neighbours
cdef squares_t elephant_moves[SQUARES][16]        # by blocked eyes: up right, up left, down right, down left
cdef squares_t roaming_elephant_moves[SQUARES][16]
cdef squares_t advisor_moves[SQUARES]
cdef squares_t roaming_advisor_moves[SQUARES]
cdef squares_t king_moves[SQUARES]
cdef squares_t pawn_moves[2][SQUARES]
cdef squares_t pawn_checks[2][SQUARES]            # from where a pawn of that side attacks the square
cdef squares_t horse_ring[SQUARES]                # all squares from which a horse might attack
cdef squares_t elephant_ring[SQUARES]
cdef squares_t near_king[SQUARES]                 # its lines and diagonal neighbours: where a change may open a check
cdef squares_t whole_board
cdef squares_t first_file
cdef squares_t last_file
cdef squares_t far_half[2]                        # where pawns of that side also walk sideways
cdef int cheapest_first[KINDS - 1]                # the kinds in the order in which they join an exchange
cdef key_t keys[2 * COLOUR][SQUARES]
cdef key_t black_to_move


# ---------------------------------------------------------------------- lines

cdef inline squares_t _on_rank(int bits, int rank) noexcept nogil:
    return <squares_t> bits << 9 * rank


cdef inline squares_t _on_file(int bits, int file) noexcept nogil:
    return (<squares_t> spread[bits & 31] | <squares_t> spread[bits >> 5] << 45) << file


cdef inline squares_t _seen(Grid* grid, int square, int level) noexcept nogil:
    cdef int rank = rank_of[square], file = file_of[square]
    return (_on_rank(rank_table[level][file][grid.ranks[rank + 1]], rank)
            | _on_file(file_table[level][rank][grid.files[file]], file))


cdef squares_t seen(Grid* grid, int square, int level) noexcept nogil:
    return _seen(grid, square, level)


cdef inline int _legs(Grid* grid, int square) noexcept nogil:
    """Which of the four orthogonal neighbours are occupied: bits up, down, right, left."""
    cdef int rank = rank_of[square], file = file_of[square]
    cdef int along = (grid.files[file] << 1) >> rank       # bit 0 below, bit 2 above
    cdef int across = (grid.ranks[rank + 1] << 1) >> file  # bit 0 left, bit 2 right
    return (along >> 2 & 1) | (along & 1) << 1 | (across & 4) | (across & 1) << 3


cdef inline int _eyes(Grid* grid, int square) noexcept nogil:
    """Which of the four diagonal neighbours are occupied: bits up right, up left, down right, down left."""
    cdef int rank = rank_of[square], file = file_of[square]
    cdef int above = (grid.ranks[rank + 2] << 1) >> file
    cdef int below = (grid.ranks[rank] << 1) >> file
    return (above >> 2 & 1) | (above & 1) << 1 | (below & 4) | (below & 1) << 3


cdef squares_t _between(int one, int other) noexcept nogil:
    """The squares strictly between two squares of one line."""
    cdef int low = one if one < other else other
    cdef int high = other if one < other else one
    cdef int step = 1 if rank_of[low] == rank_of[high] else 9
    cdef squares_t squares = 0
    low += step
    while low < high:
        squares |= bit[low]
        low += step
    return squares


# ---------------------------------------------------------------------- changing the board

cdef squares_t square_set(int square) noexcept nogil:
    return bit[square]


cdef key_t side_key() noexcept nogil:
    return black_to_move


cdef key_t piece_key(int square, int piece) noexcept nogil:
    return keys[piece][square]


cdef int clear(Grid* grid) noexcept nogil:
    memset(grid, 0, sizeof(Grid))
    return 0


cdef int put(Grid* grid, int square, int piece) noexcept nogil:
    cdef int side = side_of(piece), kind = kind_of(piece)
    grid.cells[square] = piece
    grid.pieces[side][kind] ^= bit[square]
    grid.pieces[side][EMPTY] ^= bit[square]
    grid.ranks[rank_of[square] + 1] ^= 1 << file_of[square]
    grid.files[file_of[square]] ^= 1 << rank_of[square]
    grid.key ^= keys[piece][square]
    if kind == KING:
        grid.kings[side] = square
    return 0


cdef int take(Grid* grid, int square) noexcept nogil:
    cdef int piece = grid.cells[square]
    cdef int side = side_of(piece)
    grid.cells[square] = EMPTY
    grid.pieces[side][kind_of(piece)] ^= bit[square]
    grid.pieces[side][EMPTY] ^= bit[square]
    grid.ranks[rank_of[square] + 1] ^= 1 << file_of[square]
    grid.files[file_of[square]] ^= 1 << rank_of[square]
    grid.key ^= keys[piece][square]
    return piece


cdef int relocate(Grid* grid, int origin, int target) noexcept nogil:
    cdef int piece = grid.cells[origin], captured = grid.cells[target]
    cdef int side = side_of(piece), kind = kind_of(piece)
    cdef squares_t both = bit[origin] | bit[target]
    if captured:
        grid.pieces[side ^ 1][kind_of(captured)] ^= bit[target]
        grid.pieces[side ^ 1][EMPTY] ^= bit[target]
        grid.key ^= keys[captured][target]
    else:
        grid.ranks[rank_of[target] + 1] ^= 1 << file_of[target]
        grid.files[file_of[target]] ^= 1 << rank_of[target]
    grid.ranks[rank_of[origin] + 1] ^= 1 << file_of[origin]
    grid.files[file_of[origin]] ^= 1 << rank_of[origin]
    grid.cells[origin] = EMPTY
    grid.cells[target] = piece
    grid.pieces[side][kind] ^= both
    grid.pieces[side][EMPTY] ^= both
    grid.key ^= keys[piece][origin] ^ keys[piece][target]
    if kind == KING:
        grid.kings[side] = target
    return captured


cdef int replace(Grid* grid, int origin, int target, int captured) noexcept nogil:
    relocate(grid, target, origin)
    if captured:
        put(grid, target, captured)
    return 0


# ---------------------------------------------------------------------- attacks

cdef inline bint _attacked(Grid* grid, int square, int by) noexcept nogil:
    # Steps sorted by how often they answer. Two kings that see each other count as attacking.
    cdef int eyes
    if _seen(grid, square, FIRST) & (grid.pieces[by][ROOK] | grid.pieces[by][KING]):
        return True
    if _seen(grid, square, SECOND) & grid.pieces[by][CANNON]:
        return True
    eyes = _eyes(grid, square)
    if horse_checks[square][eyes] & grid.pieces[by][HORSE]:
        return True
    if pawn_checks[by][square] & grid.pieces[by][PAWN]:
        return True
    if roaming_advisor_moves[square] & grid.pieces[by][ROAMING_ADVISOR]:
        return True
    return (roaming_elephant_moves[square][eyes] & grid.pieces[by][ROAMING_ELEPHANT]) != 0


cdef bint attacked(Grid* grid, int square, int by) noexcept nogil:
    return _attacked(grid, square, by)


cdef bint safe(Grid* grid, int origin, int target) noexcept nogil:
    # The board is changed only as far as `_attacked` looks: occupancy, and the captured piece.
    cdef int piece = grid.cells[origin], captured = grid.cells[target]
    cdef int side = side_of(piece)
    cdef int king = target if kind_of(piece) == KING else grid.kings[side]
    cdef bint exposed
    grid.ranks[rank_of[origin] + 1] ^= 1 << file_of[origin]
    grid.files[file_of[origin]] ^= 1 << rank_of[origin]
    if captured:
        grid.pieces[side ^ 1][kind_of(captured)] ^= bit[target]
    else:
        grid.ranks[rank_of[target] + 1] ^= 1 << file_of[target]
        grid.files[file_of[target]] ^= 1 << rank_of[target]
    exposed = _attacked(grid, king, side ^ 1)
    grid.ranks[rank_of[origin] + 1] ^= 1 << file_of[origin]
    grid.files[file_of[origin]] ^= 1 << rank_of[origin]
    if captured:
        grid.pieces[side ^ 1][kind_of(captured)] ^= bit[target]
    else:
        grid.ranks[rank_of[target] + 1] ^= 1 << file_of[target]
        grid.files[file_of[target]] ^= 1 << rank_of[target]
    return not exposed


cdef inline squares_t _reach(Grid* grid, int square, int side, int kind) noexcept nogil:
    """Where a piece of that kind can go from here; the caller knows what stands there."""
    cdef squares_t own = grid.pieces[side][EMPTY]
    cdef squares_t other = grid.pieces[side ^ 1][EMPTY]
    if kind == ROOK:
        return _seen(grid, square, FIRST) & ~own
    if kind == CANNON:
        return (_seen(grid, square, FIRST) & ~(own | other)) | (_seen(grid, square, SECOND) & other)
    if kind == HORSE:
        return horse_moves[square][_legs(grid, square)] & ~own
    if kind == PAWN:
        return pawn_moves[side][square] & ~own
    if kind == ADVISOR:
        return advisor_moves[square] & ~own
    if kind == ELEPHANT:
        return elephant_moves[square][_eyes(grid, square)] & ~own
    if kind == KING:
        return king_moves[square] & ~own
    if kind == ROAMING_ADVISOR:
        return roaming_advisor_moves[square] & ~own
    return roaming_elephant_moves[square][_eyes(grid, square)] & ~own


cdef squares_t reach(Grid* grid, int square) noexcept nogil:
    cdef int piece = grid.cells[square]
    return _reach(grid, square, side_of(piece), kind_of(piece))


cdef squares_t strikes(Grid* grid, int square) noexcept nogil:
    cdef int piece = grid.cells[square]
    cdef int side = side_of(piece), kind = kind_of(piece)
    if kind == ROOK:
        return _seen(grid, square, FIRST)
    if kind == CANNON:
        return _seen(grid, square, SECOND)
    if kind == HORSE:
        return horse_moves[square][_legs(grid, square)]
    if kind == PAWN:
        return pawn_moves[side][square]
    if kind == ADVISOR:
        return advisor_moves[square]
    if kind == ELEPHANT:
        return elephant_moves[square][_eyes(grid, square)]
    if kind == KING:
        return king_moves[square]
    if kind == ROAMING_ADVISOR:
        return roaming_advisor_moves[square]
    return roaming_elephant_moves[square][_eyes(grid, square)]


cdef squares_t struck(Grid* grid, squares_t pieces, int side, int kind) noexcept nogil:
    # A loop for each kind: asking every piece anew what it is takes longer than what it strikes.
    cdef squares_t all = 0, crossed
    cdef int square
    if kind == PAWN:
        crossed = pieces & far_half[side]
        all = (pieces << 9 if side == RED else pieces >> 9) & whole_board
        return all | (crossed & ~last_file) << 1 | (crossed & ~first_file) >> 1
    if kind == ROOK:
        while pieces:
            all |= _seen(grid, first_square(pieces), FIRST)
            pieces &= pieces - 1
    elif kind == CANNON:
        while pieces:
            all |= _seen(grid, first_square(pieces), SECOND)
            pieces &= pieces - 1
    elif kind == HORSE:
        while pieces:
            square = first_square(pieces)
            all |= horse_moves[square][_legs(grid, square)]
            pieces &= pieces - 1
    elif kind == ADVISOR:
        while pieces:
            all |= advisor_moves[first_square(pieces)]
            pieces &= pieces - 1
    elif kind == ELEPHANT:
        while pieces:
            square = first_square(pieces)
            all |= elephant_moves[square][_eyes(grid, square)]
            pieces &= pieces - 1
    elif kind == KING:
        while pieces:
            all |= king_moves[first_square(pieces)]
            pieces &= pieces - 1
    elif kind == ROAMING_ADVISOR:
        while pieces:
            all |= roaming_advisor_moves[first_square(pieces)]
            pieces &= pieces - 1
    else:
        while pieces:
            square = first_square(pieces)
            all |= roaming_elephant_moves[square][_eyes(grid, square)]
            pieces &= pieces - 1
    return all


cdef bint is_legal(Grid* grid, int side, int origin, int target) noexcept nogil:
    cdef int piece
    if origin >= SQUARES or target >= SQUARES:
        return False
    piece = grid.cells[origin]
    if piece == EMPTY or side_of(piece) != side or not reach(grid, origin) & bit[target]:
        return False
    return safe(grid, origin, target)


# ---------------------------------------------------------------------- legal moves

cdef inline bint _survey(Grid* grid, int side, squares_t* tied, squares_t* poisoned) noexcept nogil:
    """Look around the king once: is it in check, and which moves need a trial (see the module's text)?"""
    cdef int king = grid.kings[side], foe = side ^ 1, eyes, square
    cdef squares_t own = grid.pieces[side][EMPTY]
    cdef squares_t rooks = grid.pieces[foe][ROOK] | grid.pieces[foe][KING]
    cdef squares_t cannons = grid.pieces[foe][CANNON]
    cdef squares_t first = _seen(grid, king, FIRST)
    cdef squares_t second = _seen(grid, king, SECOND)
    cdef squares_t found
    tied[0] = 0
    poisoned[0] = 0
    if first & rooks or second & cannons or pawn_checks[foe][king] & grid.pieces[foe][PAWN]:
        return True
    eyes = _eyes(grid, king)
    if horse_checks[king][eyes] & grid.pieces[foe][HORSE]:
        return True
    if grid.pieces[foe][ROAMING_ADVISOR] | grid.pieces[foe][ROAMING_ELEPHANT]:
        if roaming_advisor_moves[king] & grid.pieces[foe][ROAMING_ADVISOR]:
            return True
        if roaming_elephant_moves[king][eyes] & grid.pieces[foe][ROAMING_ELEPHANT]:
            return True
        found = elephant_ring[king] & grid.pieces[foe][ROAMING_ELEPHANT]
        while found:
            tied[0] |= bit[(king + first_square(found)) // 2]
            found &= found - 1
    found = second & rooks
    if cannons:
        found |= _seen(grid, king, THIRD) & cannons
    while found:
        tied[0] |= _between(king, first_square(found))
        found &= found - 1
    found = horse_ring[king] & grid.pieces[foe][HORSE]
    while found:
        square = first_square(found)
        # The leg is beside the horse, towards the king.
        if rank_of[square] - rank_of[king] == 2 or rank_of[king] - rank_of[square] == 2:
            tied[0] |= bit[square + (9 if rank_of[king] > rank_of[square] else -9)]
        else:
            tied[0] |= bit[square + (1 if file_of[king] > file_of[square] else -1)]
        found &= found - 1
    tied[0] &= own
    found = first & cannons
    while found:
        poisoned[0] |= _between(king, first_square(found))
        found &= found - 1
    return False


cdef inline int _emit(Grid* grid, int origin, squares_t targets, squares_t trial, move_t* moves,
                      bint counting) noexcept nogil:
    """Write (or count) the moves to `targets`; those to squares of `trial` only if they are safe."""
    cdef squares_t doubtful = targets & trial
    cdef int n = 0, target
    targets &= ~trial
    if counting:
        n = size_of(targets)
        while doubtful:
            n += safe(grid, origin, first_square(doubtful))
            doubtful &= doubtful - 1
        return n
    while targets:
        moves[n] = move_between(origin, first_square(targets))
        n += 1
        targets &= targets - 1
    while doubtful:
        target = first_square(doubtful)
        if safe(grid, origin, target):
            moves[n] = move_between(origin, target)
            n += 1
        doubtful &= doubtful - 1
    return n


cdef inline int _moves(Grid* grid, int side, move_t* moves, bint counting, squares_t wanted) noexcept nogil:
    """The legal moves to squares among `wanted`."""
    cdef squares_t tied, poisoned, left, everything = ~(<squares_t> 0)
    cdef bint checked = _survey(grid, side, &tied, &poisoned)
    cdef int n = 0, kind, origin
    if checked:
        tied = everything
    for kind in range(KING, KINDS):
        left = grid.pieces[side][kind]
        while left:
            origin = first_square(left)
            n += _emit(grid, origin, _reach(grid, origin, side, kind) & wanted,
                       everything if kind == KING or tied & bit[origin] else poisoned, moves + n, counting)
            left &= left - 1
    return n


cdef int write_moves(Grid* grid, int side, move_t* moves) noexcept nogil:
    return _moves(grid, side, moves, False, ~(<squares_t> 0))


cdef int write_quiets(Grid* grid, int side, move_t* moves) noexcept nogil:
    return _moves(grid, side, moves, False, ~grid.pieces[side ^ 1][EMPTY])


cdef int write_captures(Grid* grid, int side, move_t* moves) noexcept nogil:
    # Captures are few: trying each is cheaper than looking around the king first.
    cdef squares_t left, targets, victims = grid.pieces[side ^ 1][EMPTY]
    cdef int n = 0, kind, origin, target
    for kind in range(KING, KINDS):
        left = grid.pieces[side][kind]
        while left:
            origin = first_square(left)
            left &= left - 1
            targets = reach(grid, origin) & victims
            while targets:
                target = first_square(targets)
                targets &= targets - 1
                if safe(grid, origin, target):
                    moves[n] = move_between(origin, target)
                    n += 1
    return n


cdef int count_moves(Grid* grid, int side) noexcept nogil:
    return _moves(grid, side, NULL, True, ~(<squares_t> 0))


# ---------------------------------------------------------------------- exchanges

cdef int value_on(const int* values, int side, int kind, int square) noexcept nogil:
    return _value_on(values, side, kind, square)


cdef inline int _value_on(const int* values, int side, int kind, int square) noexcept nogil:
    """A pawn across the river is worth two."""
    if kind == PAWN and (square >= 45) == (side == RED):
        return 2 * values[PAWN]
    return values[kind]


cdef inline squares_t _capturers(Grid* grid, int square, int side, int kind) noexcept nogil:
    """The pieces of one kind that reach a square on which a piece of the other side stands."""
    cdef squares_t pieces = grid.pieces[side][kind]
    if pieces == 0:
        return 0
    if kind == PAWN:
        return pawn_checks[side][square] & pieces
    if kind == ADVISOR:
        return advisor_moves[square] & pieces
    if kind == ELEPHANT:
        return elephant_moves[square][_eyes(grid, square)] & pieces
    if kind == ROAMING_ADVISOR:
        return roaming_advisor_moves[square] & pieces
    if kind == ROAMING_ELEPHANT:
        return roaming_elephant_moves[square][_eyes(grid, square)] & pieces
    if kind == HORSE:
        return horse_checks[square][_eyes(grid, square)] & pieces
    if kind == CANNON:
        return _seen(grid, square, SECOND) & pieces
    if kind == ROOK:
        return _seen(grid, square, FIRST) & pieces
    return king_moves[square] & pieces


cdef squares_t capturers(Grid* grid, int square, int side, int kind) noexcept nogil:
    return _capturers(grid, square, side, kind)


cdef int toggle(Grid* grid, int square, int side, int kind) noexcept nogil:
    grid.pieces[side][kind] ^= bit[square]
    grid.ranks[rank_of[square] + 1] ^= 1 << file_of[square]
    grid.files[file_of[square]] ^= 1 << rank_of[square]
    return 0


cdef int exchange_value(Grid* grid, int origin, int target, const int* values) noexcept nogil:
    cdef Grid scratch
    cdef int gains[2 * 16]                 # what the side that captured has won, should the exchange end there
    cdef int side = side_of(grid.cells[origin]), kind = kind_of(grid.cells[origin])
    cdef int depth = 0, i
    cdef squares_t found = bit[origin]
    scratch = grid[0]
    gains[0] = _value_on(values, side ^ 1, kind_of(grid.cells[target]), target)
    while True:
        # The capturer goes from its square to the target, which stays occupied: screens, legs and eyes change.
        i = first_square(found)
        scratch.pieces[side][kind] ^= bit[i]
        scratch.ranks[rank_of[i] + 1] ^= 1 << file_of[i]
        scratch.files[file_of[i]] ^= 1 << rank_of[i]
        side ^= 1
        found = 0
        for i in range(KINDS - 1):
            found = _capturers(&scratch, target, side, cheapest_first[i])
            if found:
                break
        if kind == KING and found and depth:
            depth -= 1                     # the king could not take: its captor stands ready
            break
        if not found:
            break
        gains[depth + 1] = _value_on(values, side ^ 1, kind, target) - gains[depth]
        depth += 1
        kind = cheapest_first[i]
    # Backwards: each side may stop instead of taking on.
    while depth:
        if -gains[depth] < gains[depth - 1]:
            gains[depth - 1] = -gains[depth]
        depth -= 1
    return gains[0]


cdef bint exchange_is_at_least(Grid* grid, int origin, int target, const int* values, int least) noexcept nogil:
    # Those who take leave the grid one by one, and come back at the end. `risk` is what the side that just moved there
    # loses if it is taken, beyond what it may lose.
    cdef int side = side_of(grid.cells[origin]), kind = kind_of(grid.cells[origin])
    cdef int captured = grid.cells[target], risk, gone = 0, i, square = origin
    cdef uint8_t squares[32]
    cdef uint8_t pieces[32]
    cdef squares_t found
    cdef bint reached = True
    # Not enough although nobody takes back, or enough even if what moved is lost for nothing?
    risk = (_value_on(values, side ^ 1, kind_of(captured), target) if captured else 0) - least
    if risk < 0:
        return False
    risk = _value_on(values, side, kind, target) - risk
    if risk <= 0:
        return True
    while True:
        grid.pieces[side][kind] ^= bit[square]
        grid.ranks[rank_of[square] + 1] ^= 1 << file_of[square]
        grid.files[file_of[square]] ^= 1 << rank_of[square]
        squares[gone] = square
        pieces[gone] = kind + COLOUR * side
        gone += 1
        side ^= 1
        found = 0
        for i in range(KINDS - 1):
            found = _capturers(grid, target, side, cheapest_first[i])
            if found:
                break
        if not found:
            break
        reached = not reached
        if kind == KING and gone > 1:
            break                          # the king could not take: its captor stands ready
        kind = cheapest_first[i]
        square = first_square(found)
        if kind == KING:
            continue
        risk = _value_on(values, side, kind, target) - risk
        if risk < reached:
            break
    for i in range(gone):
        square = squares[i]
        grid.pieces[side_of(pieces[i])][kind_of(pieces[i])] ^= bit[square]
        grid.ranks[rank_of[square] + 1] ^= 1 << file_of[square]
        grid.files[file_of[square]] ^= 1 << rank_of[square]
    return reached


# ---------------------------------------------------------------------- checks

cdef bint would_check(Grid* grid, int origin, int target) noexcept nogil:
    cdef int piece = grid.cells[origin], captured = grid.cells[target]
    cdef int side = side_of(piece), kind = kind_of(piece)
    cdef int king = grid.kings[side ^ 1]
    cdef bint exposed
    # Far from the king's lines and the points beside it nothing opens, and only a horse or an elephant attacks.
    if not (near_king[king] & (bit[origin] | bit[target])):
        if kind == HORSE:
            return (horse_checks[king][_eyes(grid, king)] & bit[target]) != 0
        if kind == ROAMING_ELEPHANT:
            return (roaming_elephant_moves[king][_eyes(grid, king)] & bit[target]) != 0
        return False
    # The board is changed only as far as `_attacked` looks: occupancy, and the piece that moves.
    grid.ranks[rank_of[origin] + 1] ^= 1 << file_of[origin]
    grid.files[file_of[origin]] ^= 1 << rank_of[origin]
    grid.pieces[side][kind] ^= bit[origin] | bit[target]
    if not captured:
        grid.ranks[rank_of[target] + 1] ^= 1 << file_of[target]
        grid.files[file_of[target]] ^= 1 << rank_of[target]
    exposed = _attacked(grid, king, side)
    grid.ranks[rank_of[origin] + 1] ^= 1 << file_of[origin]
    grid.files[file_of[origin]] ^= 1 << rank_of[origin]
    grid.pieces[side][kind] ^= bit[origin] | bit[target]
    if not captured:
        grid.ranks[rank_of[target] + 1] ^= 1 << file_of[target]
        grid.files[file_of[target]] ^= 1 << rank_of[target]
    return exposed


# ---------------------------------------------------------------------- tables, filled when the module is loaded

cdef int _look(int at, int length, int occupied, int level) noexcept:
    """What is seen on a line of `length` squares from `at`, both ways, at that level."""
    cdef int seen = 0, step, here, met
    for step in (-1, 1):
        here = at + step
        met = 0
        while 0 <= here < length:
            if occupied >> here & 1:
                met += 1
                if met == level + 1:
                    seen |= 1 << here
                    break
            elif level == FIRST:
                seen |= 1 << here
            here += step
    return seen


cdef bint _in_palace(int rank, int file) noexcept:
    return 3 <= file <= 5 and (0 <= rank <= 2 or 7 <= rank <= 9)


cdef bint _on_board(int rank, int file) noexcept:
    return 0 <= rank <= 9 and 0 <= file <= 8


cdef int _fill() except -1:
    global whole_board, first_file, last_file
    cdef int square, rank, file, level, occupied, side, ahead, blocked, i, up, right
    cdef uint64_t seed = 0x426F7969
    diagonals = ((1, 1), (1, -1), (-1, 1), (-1, -1))           # the order of `_eyes`
    legs = ((1, 0), (-1, 0), (0, 1), (0, -1))                  # the order of `_legs`
    for i, kind in enumerate((PAWN, ADVISOR, ELEPHANT, ROAMING_ADVISOR, ROAMING_ELEPHANT, HORSE, CANNON, ROOK, KING)):
        cheapest_first[i] = kind
    for square in range(SQUARES):
        bit[square] = <squares_t> 1 << square
        rank_of[square] = square // 9
        file_of[square] = square % 9
        whole_board |= bit[square]
        far_half[RED if square // 9 >= 5 else BLACK] |= bit[square]
        if square % 9 == 0:
            first_file |= bit[square]
        elif square % 9 == 8:
            last_file |= bit[square]
    for level in range(LEVELS):
        for i in range(9):
            for occupied in range(512):
                rank_table[level][i][occupied] = _look(i, 9, occupied, level)
        for i in range(10):
            for occupied in range(1024):
                file_table[level][i][occupied] = _look(i, 10, occupied, level)
    for occupied in range(32):
        for i in range(5):
            if occupied >> i & 1:
                spread[occupied] |= <uint64_t> 1 << 9 * i
    for square in range(SQUARES):
        rank = square // 9
        file = square % 9
        for i, (up, right) in enumerate(legs):
            if _in_palace(rank, file) and _in_palace(rank + up, file + right):
                king_moves[square] |= bit[square + 9 * up + right]
            # The two horse moves whose leg this neighbour is.
            for turn in (-1, 1):
                to_rank = rank + (2 * up if up else turn)
                to_file = file + (2 * right if right else turn)
                if _on_board(to_rank, to_file):
                    for blocked in range(16):
                        if not blocked >> i & 1:
                            horse_moves[square][blocked] |= bit[9 * to_rank + to_file]
        for i in range(SQUARES):
            if i // 9 == rank or i % 9 == file:
                near_king[square] |= bit[i]
        for i, (up, right) in enumerate(diagonals):
            if _on_board(rank + up, file + right):
                near_king[square] |= bit[square + 9 * up + right]
                roaming_advisor_moves[square] |= bit[square + 9 * up + right]
                if _in_palace(rank, file) and _in_palace(rank + up, file + right):
                    advisor_moves[square] |= bit[square + 9 * up + right]
            if _on_board(rank + 2 * up, file + 2 * right):
                elephant_ring[square] |= bit[square + 18 * up + 2 * right]
                for blocked in range(16):
                    if not blocked >> i & 1:
                        roaming_elephant_moves[square][blocked] |= bit[square + 18 * up + 2 * right]
                        if (rank < 5) == (rank + 2 * up < 5):
                            elephant_moves[square][blocked] |= bit[square + 18 * up + 2 * right]
            # A horse attacks from beyond this diagonal neighbour, which is its leg.
            for to_rank, to_file in ((rank + 2 * up, file + right), (rank + up, file + 2 * right)):
                if _on_board(to_rank, to_file):
                    horse_ring[square] |= bit[9 * to_rank + to_file]
                    for blocked in range(16):
                        if not blocked >> i & 1:
                            horse_checks[square][blocked] |= bit[9 * to_rank + to_file]
        for side in range(2):
            ahead = 1 if side == RED else -1
            if _on_board(rank + ahead, file):
                pawn_moves[side][square] |= bit[square + 9 * ahead]
            if (rank >= 5) == (side == RED):
                for right in (-1, 1):
                    if _on_board(rank, file + right):
                        pawn_moves[side][square] |= bit[square + right]
    for side in range(2):
        for square in range(SQUARES):
            for i in range(SQUARES):
                if pawn_moves[side][i] & bit[square]:
                    pawn_checks[side][square] |= bit[i]
    for i in range(2 * COLOUR):
        for square in range(SQUARES):
            keys[i][square] = next_random(&seed)
    global black_to_move
    black_to_move = next_random(&seed)
    return 0


_fill()
