"""The search for the end of an Othello game: the part of the solver that a processor spends its time in.

Null-window alpha-beta (Reinefeld 1983, "An improvement to the scout tree search algorithm") over two
bitboards, from the root down, a function per distance to the end:

    full      full window: the line of best play
    scout     7 empty points and more: hash table, stability, enhanced transposition cut-offs, moves sorted
              by the opponent's replies (fastest first) and, far from the end, by shallow pattern searches
    few       5 and 6: stability and parity only
    four, three, two, one: unrolled, no lists

*Parity*: in a region with an odd number of empty points one can get the last word; such moves come first.
*Stability*: the opponent's stable discs bound what can still be won.
*Enhanced transposition cut-off*: a look at all successors in the table before the first is searched
(Plaat et al. 1996).
*ProbCut* (Buro 1995), only where less than certainty is asked for: a shallow search with the pattern evaluation
that is far outside the window ends the search of a position. Far is measured in the standard deviations of
`probcut.json`. An exact solution is prepared by such a search: it gives a margin to begin with, and good first moves.

This one source is compiled several times, for AVX-512, for AVX2 and for whatever the rest of the package is compiled
for (`meson.build`); `solver.pyx` takes the best that runs. So there is no `.pxd`: what it offers is in `ENTRY`.
"""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy

from boyi.core.bits cimport lowest, popcount
from boyi.kit.control cimport out_of_budget
from boyi.games.othello.discs cimport flips_of, last_turned, lay_out_discs, mobility_of
from boyi.games.othello.endings cimport ENTRY_NAME, EXACT, MARKS, WAYS, Cell, Content, Cut, Entry, Search
from boyi.games.othello.patterns cimport sum_of_patterns

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
      #define boyi_prefetch(address) __builtin_prefetch(address)
    #else
      #define boyi_prefetch(address) ((void) 0)
    #endif
    """
    void touch "boyi_prefetch"(void* address) noexcept nogil    # it will be read soon

cdef enum:
    PASS = 64
    NONE = -128                    # no value yet
    MOST_MOVES = 64                # more than any position has
    SORTED_FROM = 7                # empty points from which on moves are sorted and remembered
    TABLE_FROM = 7                 # ... from which on they are remembered
    LOOK_AHEAD_FROM = 10           # ... from which on successors are looked up first
    GUESSED_FROM = 12              # ... from which on patterns help to sort
    DEEPER_FROM = 10               # ... from which on by searches, a ply more for every few empty points
    DEEPER_EACH = 3
    DEEPEST_GUESS = 4              # plies
    NEAR_BELOW = 12                # ... up to which (and no further) they are remembered in the small table
    STABLE_MARGIN = 4
    GUESS_SORTED_ABOVE = 2         # plies from which on a guess sorts moves by patterns, too
    CUT_FROM = 12                  # ... from which on ProbCut is tried
    DOUBT = 600                    # hundredths of a disc by which the evaluation may miss the bound that is hoped for
    SHARED_FROM = 13               # ... from which on threads share out the moves: the results are in the common table
    PREPARED_FROM = 18             # ... from which on a solution is prepared by a selective search
    NO_POINT = 65
    # What sorts moves, in hundredths of a disc. (FFO 40 to 42: 86, 68, 63, 58 M nodes with REPLY 50, 100, 170, 300.)
    REPLY = 250                    # a reply less for the opponent (a corner counts twice)
    CORNER = 200                   # taking a corner, where patterns do not tell
    PARITY = 60                    # playing into an odd quadrant
    SLACK = 1200                   # hundredths of a disc: moves so much worse than the best guess need no exact one

cdef double FIRST_DEVIATIONS = 1.1     # of the search that prepares a solution: 73 % of its cut-offs are right

cdef uint64_t CORNERS = 0x8100000000000081
cdef uint64_t NEIGHBOURS[64]       # a move needs a disc to turn beside it
cdef int QUADRANT[64]              # one bit of four
cdef uint64_t ODD[16]              # per set of quadrants, their points

cdef uint64_t BORDER_FILES = 0x8181818181818181
cdef uint64_t BORDER_ROWS = 0xFF000000000000FF
cdef uint64_t DIAGONALS_DOWN[15]   # parallel to a1-h8
cdef uint64_t DIAGONALS_UP[15]     # parallel to a8-h1


cdef struct Choice:                # a move in a list to be sorted
    uint64_t own                   # after it, of the player then to act
    uint64_t other
    int point
    int worth                      # the greater, the sooner it is tried


cdef int _lay_out() except -1:
    cdef int point, row, column, quadrants
    lay_out_discs()
    for point in range(15):
        DIAGONALS_DOWN[point] = DIAGONALS_UP[point] = 0
    for quadrants in range(16):
        ODD[quadrants] = 0
    for point in range(64):
        row, column = point // 8, point % 8
        NEIGHBOURS[point] = 0
        for r in range(max(0, row - 1), min(8, row + 2)):
            for c in range(max(0, column - 1), min(8, column + 2)):
                if (r, c) != (row, column):
                    NEIGHBOURS[point] |= <uint64_t> 1 << (8 * r + c)
        QUADRANT[point] = 1 << (row // 4 * 2 + column // 4)
        for quadrants in range(16):
            if quadrants & QUADRANT[point]:
                ODD[quadrants] |= <uint64_t> 1 << point
        DIAGONALS_DOWN[row - column + 7] |= <uint64_t> 1 << point
        DIAGONALS_UP[row + column] |= <uint64_t> 1 << point
    return 0


_lay_out()


cdef inline uint64_t bit(int point) noexcept nogil:
    return <uint64_t> 1 << point


# ------------------------------------------------------------------ what is certain

cdef inline int final(uint64_t own, uint64_t other) noexcept nogil:
    """The margin when nobody can move."""
    cdef int mine = popcount(own), theirs = popcount(other)
    if mine > theirs:
        return 64 - 2 * theirs
    if mine < theirs:
        return 2 * mine - 64
    return 0


cdef uint64_t whole(uint64_t taken, const uint64_t* lines) noexcept nogil:
    """The points of those diagonals that are full."""
    cdef uint64_t found = 0
    cdef int i
    for i in range(15):
        if lines[i] & ~taken == 0:
            found |= lines[i]
    return found


cdef int stable_discs(uint64_t own, uint64_t other) noexcept nogil:
    """How many discs of `own` can never be turned, at least.

    A disc is safe along a line that is full, that ends beside it at the border, or where its
    neighbour is a stable disc of its own; stable is what is safe along all four. Corners come out first.
    """
    cdef uint64_t taken = own | other, stable = 0, before
    cdef uint64_t rows, files, down, up, beside
    # Full rows and files, bit-parallel.
    rows = taken & (taken >> 4) & <uint64_t> 0x0F0F0F0F0F0F0F0F
    rows &= (rows >> 2) & <uint64_t> 0x0303030303030303
    rows &= (rows >> 1) & <uint64_t> 0x0101010101010101
    rows *= 255
    files = taken & (taken >> 32)
    files &= files >> 16
    files &= files >> 8
    files = (files & 255) * <uint64_t> 0x0101010101010101
    down = whole(taken, DIAGONALS_DOWN) | BORDER_FILES | BORDER_ROWS
    up = whole(taken, DIAGONALS_UP) | BORDER_FILES | BORDER_ROWS
    rows |= BORDER_FILES
    files |= BORDER_ROWS
    while True:
        before = stable
        beside = stable & ~<uint64_t> 0x8080808080808080
        stable |= own & (rows | (beside << 1) | ((stable & ~<uint64_t> 0x0101010101010101) >> 1)) \
            & (files | (stable << 8) | (stable >> 8)) \
            & (down | ((stable & ~<uint64_t> 0x8080808080808080) << 9)
               | ((stable & ~<uint64_t> 0x0101010101010101) >> 9)) \
            & (up | ((stable & ~<uint64_t> 0x0101010101010101) << 7)
               | ((stable & ~<uint64_t> 0x8080808080808080) >> 7))
        if stable == before:
            return popcount(stable)


# ------------------------------------------------------------------ the last four

cdef inline int one(uint64_t own, int point) noexcept nogil:
    """The margin with one empty point left; all other discs are the opponent's."""
    cdef int mine = popcount(own), turned = last_turned(own, point)
    if turned:
        return 2 * mine - 62 + turned
    turned = last_turned(~own ^ bit(point), point)
    if turned:
        return 2 * mine - 64 - turned
    return 2 * mine - (62 if mine > 31 else 64)


cdef int two(Search* search, uint64_t own, uint64_t other, int alpha, int a, int b) noexcept nogil:
    cdef uint64_t turned
    cdef int best = NONE, value
    search.control.nodes += 1
    if NEIGHBOURS[a] & other:
        turned = flips_of(own, other, a)
        if turned:
            best = -one(other ^ turned, b)
            if best > alpha:
                return best
    if NEIGHBOURS[b] & other:
        turned = flips_of(own, other, b)
        if turned:
            value = -one(other ^ turned, a)
            if value > best:
                best = value
    if best != NONE:
        return best
    # Pass: the same for the opponent, who wants the least.
    best = 127
    if NEIGHBOURS[a] & own:
        turned = flips_of(other, own, a)
        if turned:
            best = one(own ^ turned, b)
            if best <= alpha:
                return best
    if NEIGHBOURS[b] & own:
        turned = flips_of(other, own, b)
        if turned:
            value = one(own ^ turned, a)
            if value < best:
                best = value
    return best if best != 127 else final(own, other)


cdef int three(Search* search, uint64_t own, uint64_t other, int alpha, int a, int b, int c) noexcept nogil:
    cdef uint64_t turned, swap
    cdef int best = NONE, value, turn
    search.control.nodes += 1
    for turn in range(2):
        # In the second turn the player to act has passed, and the opponent is looked at in the same way.
        if NEIGHBOURS[a] & other:
            turned = flips_of(own, other, a)
            if turned:
                best = -two(search, other ^ turned, own ^ turned ^ bit(a), -alpha - 1, b, c)
                if best > alpha:
                    return -best if turn else best
        if NEIGHBOURS[b] & other:
            turned = flips_of(own, other, b)
            if turned:
                value = -two(search, other ^ turned, own ^ turned ^ bit(b), -alpha - 1, a, c)
                if value > best:
                    best = value
                    if best > alpha:
                        return -best if turn else best
        if NEIGHBOURS[c] & other:
            turned = flips_of(own, other, c)
            if turned:
                value = -two(search, other ^ turned, own ^ turned ^ bit(c), -alpha - 1, a, b)
                if value > best:
                    best = value
        if best != NONE:
            return -best if turn else best
        swap = own
        own = other
        other = swap
        alpha = -alpha - 1
    return final(own, other)


cdef int four(Search* search, uint64_t own, uint64_t other, int alpha, int parity) noexcept nogil:
    cdef uint64_t left = ~(own | other), first = left & ODD[parity], turned, swap
    cdef int best = NONE, value, turn, i, j
    cdef int points[4]
    cdef int others[3]
    search.control.nodes += 1
    # Points alone in their quadrant come first, also below: the lists are made in this order.
    if not search.parity:
        first = 0
    i = 0
    left ^= first
    while first:
        points[i] = lowest(first)
        first &= first - 1
        i += 1
    while left:
        points[i] = lowest(left)
        left &= left - 1
        i += 1
    for turn in range(2):
        for i in range(4):
            if NEIGHBOURS[points[i]] & other == 0:
                continue
            turned = flips_of(own, other, points[i])
            if turned == 0:
                continue
            # Of the remaining three, one that shared its quadrant with this move is alone now.
            others[0] = points[i == 0]
            others[1] = points[1 + (i <= 1)]
            others[2] = points[2 + (i <= 2)]
            j = QUADRANT[points[i]]
            if search.parity and QUADRANT[others[0]] != j and not parity & QUADRANT[others[0]]:
                if QUADRANT[others[1]] == j:
                    others[0], others[1] = others[1], others[0]
                elif QUADRANT[others[2]] == j:
                    others[0], others[2] = others[2], others[0]
            value = -three(search, other ^ turned, own ^ turned ^ bit(points[i]), -alpha - 1,
                           others[0], others[1], others[2])
            if value > best:
                best = value
                if best > alpha:
                    return -best if turn else best
        if best != NONE:
            return -best if turn else best
        swap = own
        own = other
        other = swap
        alpha = -alpha - 1
    return final(own, other)


# ------------------------------------------------------------------ five and six

cdef int few(Search* search, uint64_t own, uint64_t other, int alpha, int empties, int parity) noexcept nogil:
    cdef uint64_t moves, now_moves, turned
    cdef int best = NONE, value, point, group
    if empties == 4:
        return four(search, own, other, alpha, parity)
    search.control.nodes += 1
    if search.stability and alpha >= 2 * empties - STABLE_MARGIN:
        value = 64 - 2 * stable_discs(other, own)
        if value <= alpha:
            return value
    moves = mobility_of(own, other)
    if moves == 0:
        if mobility_of(other, own) == 0:
            return final(own, other)
        return -few(search, other, own, -alpha - 1, empties, parity)
    for group in range(2):
        now_moves = moves & ODD[parity] if group == 0 and search.parity else moves
        moves ^= now_moves
        while now_moves:
            point = lowest(now_moves)
            now_moves &= now_moves - 1
            turned = flips_of(own, other, point)
            value = -few(search, other ^ turned, own ^ turned ^ bit(point), -alpha - 1, empties - 1,
                         parity ^ QUADRANT[point])
            if value > best:
                best = value
                if best > alpha:
                    return best
    return best


# ------------------------------------------------------------------ seven and more

cdef int scout(Search* search, uint64_t own, uint64_t other, int alpha, int empties, int parity) noexcept nogil:
    """Is the margin more than alpha? A bound that tells, on the right side of alpha."""
    cdef uint64_t moves
    cdef int best = NONE, value, first = NO_POINT, best_move = NO_POINT, count, i, lower = -64, upper = 64
    cdef Choice choices[MOST_MOVES]
    cdef Content found
    if empties < SORTED_FROM:
        return few(search, own, other, alpha, empties, parity)
    if out_of_budget(&search.control):
        return alpha
    # 1. What can still be won?
    if search.stability and alpha >= 2 * empties - STABLE_MARGIN:
        value = 64 - 2 * stable_discs(other, own)
        if value <= alpha:
            return value
    # 2. What is known?
    if search.table and empties >= TABLE_FROM and find(search, own, other, empties, &found):
        first = found.known.move
        if found.known.level >= search.level:
            if found.known.lower > alpha:
                return found.known.lower
            if found.known.upper <= alpha:
                return found.known.upper
            if found.known.level == search.level:
                lower, upper = found.known.lower, found.known.upper
    # 3. No move: the opponent's turn, or the end.
    moves = mobility_of(own, other)
    if moves == 0:
        if mobility_of(other, own) == 0:
            return final(own, other)
        return -scout(search, other, own, -alpha - 1, empties, parity)
    # 4. What does a shallow search foretell?
    if search.level != EXACT and empties >= CUT_FROM and search.cuts[empties].shallow:
        value = foretold(search, own, other, alpha, empties)
        if value != NONE:
            return value
    # 5. The moves, the most promising first. (One that is known to be enough ends it here.)
    count = list_moves(search, own, other, moves, empties, parity, first, alpha, choices)
    if count < 0:
        return choices[0].worth
    # 6. Each in turn, until one is enough. What another thread is searching comes last.
    if search.marks != NULL and empties >= SHARED_FROM:
        best = share(search, own, other, alpha, empties, parity, choices, count, &best_move)
        if search.control.stopped:
            return alpha
    else:
        for i in range(count):
            bring_best(choices, i, count)
            value = -scout(search, choices[i].own, choices[i].other, -alpha - 1, empties - 1,
                           parity ^ QUADRANT[choices[i].point])
            if search.control.stopped:
                return alpha
            if value > best:
                best = value
                best_move = choices[i].point
                if best > alpha:
                    break
    # 7. Remember.
    if search.table and empties >= TABLE_FROM:
        if best > alpha:
            lower = best
        else:
            upper = best
        keep(search, own, other, lower, upper, best_move, empties)
    return best


cdef int share(Search* search, uint64_t own, uint64_t other, int alpha, int empties, int parity, Choice* choices,
               int count, int* best_move) noexcept nogil:
    """`scout`, step 6, among threads: the best value, and its move.

    All threads search the same tree. The first move is for all of them: they part below it. Of the others, each takes
    one that nobody is searching, and those that were left come after them, when the table knows most of the answer
    (ABDADA: Weill 1996, "The ABDADA distributed minimax search algorithm").
    """
    cdef int best = NONE, value, i = 0, at, left = 0
    cdef bint again
    cdef int later[MOST_MOVES]
    cdef uint64_t* mark
    cdef uint64_t lock
    cdef Content found
    while i < count + left:
        again = i >= count
        at = later[i - count] if again else i
        i += 1
        if not again:
            bring_best(choices, at, count)
        lock = lock_of(choices[at].own, choices[at].other)
        mark = &search.marks[lock & (MARKS - 1)]
        if at > 0 and not again and mark[0] == lock:
            later[left] = at
            left += 1
            continue
        mark[0] = lock
        value = -scout(search, choices[at].own, choices[at].other, -alpha - 1, empties - 1,
                       parity ^ QUADRANT[choices[at].point])
        if mark[0] == lock:
            mark[0] = 0
        if search.control.stopped:
            return alpha
        if value > best:
            best = value
            best_move[0] = choices[at].point
            if best > alpha:
                return best
        # Has another thread found the answer meanwhile?
        if find(search, own, other, empties, &found) and found.known.level >= search.level:
            if found.known.lower > alpha:
                best_move[0] = found.known.move
                return found.known.lower
            if found.known.upper <= alpha:
                return found.known.upper
    return best


cdef int foretold(Search* search, uint64_t own, uint64_t other, int alpha, int empties) noexcept nogil:
    """A bound on the right side of alpha that a shallow search makes likely enough; NONE where it does not."""
    cdef Cut* cut = &search.cuts[empties]
    cdef double slack = search.deviations * cut.deviation
    cdef int high = <int> ((100 * (alpha + 1) + slack - cut.offset) / cut.slope) + 1
    cdef int low = <int> ((100 * alpha - slack - cut.offset) / cut.slope) - 1
    cdef int now_worth = sum_of_patterns(own, other, search.contributions, search.offsets, search.weights)
    # Only what the evaluation itself makes likely is worth a search.
    if high < 6400 and now_worth > high - DOUBT and guess(search, own, other, high - 1, high, cut.shallow) >= high:
        return alpha + 1
    if low > -6400 and now_worth < low + DOUBT and guess(search, own, other, low, low + 1, cut.shallow) <= low:
        return alpha
    return NONE


cdef inline int bring_best(Choice* choices, int i, int count) noexcept nogil:
    """Exchange the best of the moves from i on with the one at i."""
    cdef int j, best = i
    cdef Choice swap
    for j in range(i + 1, count):
        if choices[j].worth > choices[best].worth:
            best = j
    if best != i:
        swap = choices[i]
        choices[i] = choices[best]
        choices[best] = swap
    return 0


cdef int list_moves(Search* search, uint64_t own, uint64_t other, uint64_t moves, int empties, int parity, int first,
                    int alpha, Choice* choices) noexcept nogil:
    """The moves with their worth for sorting; -1 if one is known to bring more than alpha: the first's worth."""
    cdef int count = 0, point, worth, depth, value, i, best = -6400
    cdef uint64_t turned, mine, theirs, replies
    cdef Content found
    depth = -1
    if empties >= GUESSED_FROM and search.patterns:
        depth = (empties - DEEPER_FROM) // DEEPER_EACH if empties >= DEEPER_FROM else 0
        if depth > DEEPEST_GUESS:
            depth = DEEPEST_GUESS
    while moves:
        point = lowest(moves)
        moves &= moves - 1
        turned = flips_of(own, other, point)
        mine = own ^ turned ^ bit(point)
        theirs = other ^ turned
        choices[count].point = point
        choices[count].own = theirs
        choices[count].other = mine
        if search.table and empties > TABLE_FROM:
            prefetch(search, theirs, mine, empties - 1)
        count += 1
    if search.transpositions and empties >= LOOK_AHEAD_FROM:
        for i in range(count):
            if (find(search, choices[i].own, choices[i].other, empties - 1, &found) and -found.known.upper > alpha
                    and found.known.level >= search.level):
                choices[0].worth = -found.known.upper
                return -1
    if count == 1:
        choices[0].worth = 0
        return 1
    for i in range(count):
        point = choices[i].point
        theirs = choices[i].own
        mine = choices[i].other
        replies = mobility_of(theirs, mine)
        worth = -REPLY * (popcount(replies) + popcount(replies & CORNERS))
        if depth >= 0:
            value = -guess(search, theirs, mine, -6400, SLACK - best, depth)
            worth += value
            if value > best:
                best = value
        elif bit(point) & CORNERS:
            worth += CORNER
        if search.parity and parity & QUADRANT[point]:
            worth += PARITY
        if point == first:
            worth += 1 << 20
        choices[i].worth = worth
    return count


cdef int guess(Search* search, uint64_t own, uint64_t other, int alpha, int beta, int depth) noexcept nogil:
    """A search of fixed depth with the pattern evaluation, in hundredths of a disc."""
    cdef uint64_t moves, turned, replies
    cdef int best = -30000, value, point, count = 0, i
    cdef Choice choices[MOST_MOVES]
    if depth == 0:
        return sum_of_patterns(own, other, search.contributions, search.offsets, search.weights)
    moves = mobility_of(own, other)
    if moves == 0:
        if mobility_of(other, own) == 0:
            return 100 * final(own, other)
        return -guess(search, other, own, -beta, -alpha, depth)
    if depth == 1:
        while moves:
            point = lowest(moves)
            moves &= moves - 1
            turned = flips_of(own, other, point)
            value = -sum_of_patterns(other ^ turned, own ^ turned ^ bit(point), search.contributions, search.offsets,
                                     search.weights)
            if value > best:
                best = value
                if best >= beta:
                    break
        return best
    if out_of_budget(&search.control):
        return alpha
    while moves:
        point = lowest(moves)
        moves &= moves - 1
        turned = flips_of(own, other, point)
        choices[count].own = other ^ turned
        choices[count].other = own ^ turned ^ bit(point)
        replies = mobility_of(choices[count].own, choices[count].other)
        choices[count].worth = -REPLY * (popcount(replies) + popcount(replies & CORNERS))
        if depth > GUESS_SORTED_ABOVE:
            choices[count].worth -= sum_of_patterns(choices[count].own, choices[count].other, search.contributions,
                                                    search.offsets, search.weights)
        count += 1
    for i in range(count):
        bring_best(choices, i, count)
        if i > 0 and beta - alpha > 1 and depth > 2:
            value = -guess(search, choices[i].own, choices[i].other, -alpha - 1, -alpha, depth - 1)
            if alpha < value < beta:
                value = -guess(search, choices[i].own, choices[i].other, -beta, -alpha, depth - 1)
        else:
            value = -guess(search, choices[i].own, choices[i].other, -beta, -alpha, depth - 1)
        if value > best:
            best = value
            if best > alpha:
                alpha = best
                if alpha >= beta:
                    break
    return best


# ------------------------------------------------------------------ the line of best play

cdef int full(Search* search, uint64_t own, uint64_t other, int alpha, int beta, int empties, int parity,
              int ply) noexcept nogil:
    """The margin between alpha and beta, and the line that leads there in `line[ply]`."""
    cdef uint64_t moves = mobility_of(own, other)
    cdef int best = NONE, value, count, i, first = NO_POINT, bound
    cdef Choice choices[MOST_MOVES]
    cdef Content found
    search.length[ply] = 0
    if out_of_budget(&search.control):
        return alpha
    if moves == 0:
        if mobility_of(other, own) == 0:
            return final(own, other)
        best = -full(search, other, own, -beta, -alpha, empties, parity, ply + 1)
        extend(search, ply, PASS)
        return best
    if search.table and find(search, own, other, empties, &found):
        first = found.known.move
    # No bound is believed here: the line must be played out. (65 is more than any.)
    count = list_moves(search, own, other, moves, empties, parity, first, 65, choices)
    for i in range(count):
        bring_best(choices, i, count)
        bound = alpha if alpha > best else best
        if i > 0:
            value = -scout_any(search, choices[i].own, choices[i].other, -bound - 1, empties - 1,
                               parity ^ QUADRANT[choices[i].point])
            if search.control.stopped:
                return alpha
            if value <= bound:
                if value > best:
                    best = value
                continue
        value = -full(search, choices[i].own, choices[i].other, -beta, -bound, empties - 1,
                      parity ^ QUADRANT[choices[i].point], ply + 1)
        if search.control.stopped:
            return alpha
        if value > best:
            best = value
            if best > alpha or i == 0:
                extend(search, ply, choices[i].point)
            if best >= beta:
                break
    if search.table:
        keep(search, own, other, best if best > alpha else -64, best if best < beta else 64,
             search.line[ply][0] if search.length[ply] else NO_POINT, empties)
    return best


cdef int scout_any(Search* search, uint64_t own, uint64_t other, int alpha, int empties, int parity) noexcept nogil:
    """`scout`, also for the last three points."""
    cdef uint64_t left = ~(own | other)
    cdef int points[3]
    cdef int i
    if empties > 3:
        return scout(search, own, other, alpha, empties, parity)
    for i in range(empties):
        points[i] = lowest(left)
        left &= left - 1
    if empties == 3:
        return three(search, own, other, alpha, points[0], points[1], points[2])
    if empties == 2:
        return two(search, own, other, alpha, points[0], points[1])
    search.control.nodes += 1
    return one(own, points[0]) if empties == 1 else final(own, other)


cdef int extend(Search* search, int ply, int move) noexcept nogil:
    """The line from here is this move and the line after it."""
    search.line[ply][0] = <uint8_t> move
    memcpy(&search.line[ply][1], &search.line[ply + 1][0], search.length[ply + 1])
    search.length[ply] = search.length[ply + 1] + 1
    return 0


# ------------------------------------------------------------------ the table

cdef inline uint64_t place(uint64_t own, uint64_t other) noexcept nogil:
    """Where a position is kept: the first of the cells that it may be in."""
    cdef uint64_t word = own * <uint64_t> 0x9E3779B97F4A7C15 + other * <uint64_t> 0xD1B54A32D192ED03
    return (word ^ word >> 32) * <uint64_t> 0xBF58476D1CE4E5B9 >> 20


cdef inline uint64_t lock_of(uint64_t own, uint64_t other) noexcept nogil:
    """What tells positions at one place apart: two that differ look alike once in 2^64."""
    cdef uint64_t word = other * <uint64_t> 0x94D049BB133111EB
    word = own * <uint64_t> 0xD6E8FEB86659FD93 ^ (word >> 32 | word << 32)
    return (word ^ word >> 29) * <uint64_t> 0xFF51AFD7ED558CCD


cdef inline int prefetch(Search* search, uint64_t own, uint64_t other, int empties) noexcept nogil:
    cdef uint64_t slot = place(own, other)
    if empties < NEAR_BELOW:
        touch(&search.near[slot & search.near_mask])
    else:
        touch(&search.cells[slot & search.mask])
    return 0


cdef inline bint find(Search* search, uint64_t own, uint64_t other, int empties, Content* found) noexcept nogil:
    """Is anything known of a position?"""
    cdef uint64_t slot = place(own, other), lock = lock_of(own, other)
    cdef Cell* cells
    cdef int i
    if empties < NEAR_BELOW:
        cells = &search.near[slot & search.near_mask]
        found[0] = cells.content
        return cells.check ^ found.word == lock
    cells = &search.cells[slot & search.mask]
    for i in range(WAYS):
        found[0] = cells[i].content
        if cells[i].check ^ found.word == lock:
            return True
    return False


cdef inline int keep(Search* search, uint64_t own, uint64_t other, int lower, int upper, int move,
                     int empties) noexcept nogil:
    """Write over the same position, else over the cheapest of four, those of earlier solutions first.

    In the small table there is one place, for the latest.
    """
    cdef uint64_t slot = place(own, other), lock = lock_of(own, other)
    cdef Cell* cells
    cdef Cell* chosen = NULL
    cdef Content content
    cdef int i, cost, least = 1 << 20
    if empties < NEAR_BELOW:
        chosen = &search.near[slot & search.near_mask]
        content = chosen.content
        if chosen.check ^ content.word == lock and content.known.level > search.level:
            return 0
    else:
        cells = &search.cells[slot & search.mask]
        for i in range(WAYS):
            content = cells[i].content
            if cells[i].check ^ content.word == lock:
                if content.known.level > search.level:      # better known already
                    return 0
                chosen = &cells[i]
                break
            cost = content.known.empties + (64 if content.known.round == search.round else 0)
            if cost < least:
                least = cost
                chosen = &cells[i]
    content.known.lower = <int8_t> lower
    content.known.upper = <int8_t> upper
    content.known.move = <uint8_t> move
    content.known.empties = <uint8_t> empties
    content.known.level = <uint8_t> search.level
    content.known.spare = 0
    content.known.round = search.round
    chosen.content = content
    chosen.check = lock ^ content.word
    return 0


# ------------------------------------------------------------------ what is offered

cdef int solve(Search* search, uint64_t own, uint64_t other, int alpha, int beta) noexcept nogil:
    """The margin between alpha and beta, with a line.

    The whole window at once is dear: whatever the first moves tried are worth, the rest is compared with that. So a
    margin is guessed, and windows around it are tried until one holds the truth.
    """
    cdef uint64_t left = ~(own | other)
    cdef int parity = 0, empties = popcount(left), level = search.level, middle
    cdef double deviations = search.deviations
    while left:
        parity ^= QUADRANT[lowest(left)]
        left &= left - 1
    if not search.prepare or empties < PREPARED_FROM:
        return full(search, own, other, alpha, beta, empties, parity, 0)
    middle = 2 * (guess(search, own, other, -6400, 6400, 6 if empties < 22 else 8) // 200)
    if search.cuts[empties].shallow and level > 0:
        search.level = 0
        search.deviations = FIRST_DEVIATIONS
        middle = around(search, own, other, alpha, beta, empties, parity, middle, 4)
        search.level = level
        search.deviations = deviations
        if search.control.stopped:
            return alpha
    return around(search, own, other, alpha, beta, empties, parity, middle, 1)


cdef int around(Search* search, uint64_t own, uint64_t other, int alpha, int beta, int empties, int parity, int middle,
                int width) noexcept nogil:
    """The margin between alpha and beta, looked for around `middle` first."""
    cdef int low, high, value, below = width, above = width
    middle = alpha if middle < alpha else beta if middle > beta else middle
    low, high = middle - width, middle + width
    while True:
        low = alpha if low < alpha else low
        high = beta if high > beta else high
        value = full(search, own, other, low, high, empties, parity, 0)
        if search.control.stopped:
            return alpha
        if value <= low and low > alpha:
            below *= 3
            high = value + 1
            low = value - below
        elif value >= high and high < beta:
            above *= 3
            low = value - 1
            high = value + above
        else:
            return value


cdef int value_of(Search* search, uint64_t own, uint64_t other, int depth) noexcept nogil:
    return guess(search, own, other, -6400, 6400, depth)


cdef uint64_t flips(uint64_t own, uint64_t other, int point) noexcept nogil:
    return flips_of(own, other, point)


cdef uint64_t mobility(uint64_t own, uint64_t other) noexcept nogil:
    return mobility_of(own, other)


cdef int evaluate(uint64_t own, uint64_t other, const uint16_t (*contributions)[256][48], const int32_t* offsets,
                  const int8_t* weights) noexcept nogil:
    return sum_of_patterns(own, other, contributions, offsets, weights)


def turned_discs(own, other, point):
    """The discs that a disc of `own` on `point` turns, as a bitboard."""
    return flips_of(own, other, point)


def playable_points(own, other):
    """The points where `own` may put a disc, as a bitboard."""
    return mobility_of(own, other)


def last_margin(own, point):
    """The margin with one empty point left, `point`, and all discs but `own` the opponent's."""
    return one(own, point)


def stable_count(own, other):
    """How many discs of `own` can never be turned, at least."""
    return stable_discs(own, other)


cdef Entry _entry
_entry.solve = solve
_entry.value = value_of
_entry.flips = flips
_entry.mobility = mobility
_entry.evaluate = evaluate
ENTRY = PyCapsule_New(&_entry, ENTRY_NAME, NULL)
