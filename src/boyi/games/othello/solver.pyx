"""The end of an Othello game, solved: the exact margin with best play and a line that reaches it.

Null-window alpha-beta (Reinefeld 1983, "An improvement to the scout tree search algorithm") over two
bitboards, from the root down, a function per distance to the end:

    _full     full window: the line of best play
    _scout    8 empty points and more: hash table, stability, enhanced transposition cut-offs, moves sorted
              by the opponent's replies (fastest first) and, far from the end, by shallow pattern searches
    _few      5 to 7: parity only
    _four, _three, _two, _one: unrolled, no lists

*Parity*: in a region with an odd number of empty points one can get the last word; such moves come first.
*Stability*: the opponent's stable discs bound what can still be won.
*Enhanced transposition cut-off*: a look at all successors in the table before the first is searched
(Plaat et al. 1996). `SolverOptions` switches each part off; the margin never changes, only the nodes.

A margin counts the empty points for the winner, as in tournaments.
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.stdint cimport int8_t, uint8_t, uint64_t
from libc.string cimport memcpy

from boyi.core.bits cimport lowest, popcount
from boyi.kit.control cimport begin, now, out_of_budget
from boyi.games.othello.patterns cimport load_weights, pattern_value
from boyi.games.othello.position cimport PASS, OthelloPosition, flips, mobility

from boyi.core.errors import OptionError, TextError
from boyi.games.othello.solution import Solution, SolverOptions

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
    NONE = -128                    # no value yet
    SORTED_FROM = 8                # empty points from which on moves are sorted and remembered
    LOOK_AHEAD_FROM = 10           # ... from which on successors are looked up first
    GUESSED_FROM = 12              # ... from which on patterns help to sort
    NO_POINT = 65
    # What sorts moves, in hundredths of a disc. (FFO 40 to 42: 86, 68, 63, 58 M nodes with REPLY 50, 100, 170, 300.)
    REPLY = 250                    # a reply less for the opponent (a corner counts twice)
    CORNER = 200                   # taking a corner, where patterns do not tell
    PARITY = 60                    # playing into an odd quadrant
    SLACK = 1200                   # hundredths of a disc: moves so much worse than the best guess need no exact one

cdef uint64_t CORNERS = 0x8100000000000081
cdef uint64_t NEIGHBOURS[64]       # a move needs a disc to turn beside it
cdef int QUADRANT[64]              # one bit of four
cdef uint64_t ODD[16]              # per set of quadrants, their points

cdef uint64_t BORDER_FILES = 0x8181818181818181
cdef uint64_t BORDER_ROWS = 0xFF000000000000FF
cdef uint64_t DIAGONALS_DOWN[15]   # parallel to a1-h8
cdef uint64_t DIAGONALS_UP[15]     # parallel to a8-h1


cdef int _lay_out() except -1:
    cdef int point, row, column, quadrants
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


cdef inline int _final(uint64_t own, uint64_t other) noexcept nogil:
    """The margin when nobody can move."""
    cdef int mine = popcount(own), theirs = popcount(other)
    if mine > theirs:
        return 64 - 2 * theirs
    if mine < theirs:
        return 2 * mine - 64
    return 0


cdef inline int _one(uint64_t own, uint64_t other, int point) noexcept nogil:
    """The margin with one empty point left."""
    cdef int mine = popcount(own)
    cdef uint64_t turned = flips(own, other, point)
    if turned:
        return 2 * (mine + popcount(turned)) - 62
    turned = flips(other, own, point)
    if turned:
        return 2 * (mine - popcount(turned)) - 64
    return 2 * mine - (62 if mine > 31 else 64)


cdef uint64_t _whole(uint64_t taken, const uint64_t* lines) noexcept nogil:
    """The points of those diagonals that are full."""
    cdef uint64_t found = 0
    cdef int i
    for i in range(15):
        if lines[i] & ~taken == 0:
            found |= lines[i]
    return found


cdef int _stable(uint64_t own, uint64_t other) noexcept nogil:
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
    down = _whole(taken, DIAGONALS_DOWN) | BORDER_FILES | BORDER_ROWS
    up = _whole(taken, DIAGONALS_UP) | BORDER_FILES | BORDER_ROWS
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


cdef inline uint64_t _slot(uint64_t own, uint64_t other) noexcept nogil:
    cdef uint64_t word = own * <uint64_t> 0x9E3779B97F4A7C15 ^ (other * <uint64_t> 0xD1B54A32D192ED03 + (other >> 29))
    word ^= word >> 32
    return word * <uint64_t> 0xBF58476D1CE4E5B9 >> 20


cdef class Solver:
    """Solves positions exactly. One solver serves one thread and keeps what it has learnt for the next position."""

    def __cinit__(self, options=None):
        options = SolverOptions() if options is None else options
        if not isinstance(options, SolverOptions):
            raise OptionError(f"a solver takes SolverOptions, not {type(options).__name__}")
        cdef uint64_t cells = 4
        while cells * 2 * sizeof(Cell) <= <uint64_t> options.megabytes << 20:
            cells *= 2
        self._cells = <Cell*> PyMem_RawCalloc(cells, sizeof(Cell))
        if self._cells == NULL:
            raise MemoryError(f"no room for a table of {options.megabytes} MB")
        self._mask = cells - 1
        self.options = options
        self._parity, self._stability = options.parity, options.stability
        self._table, self._patterns = options.table, options.patterns
        self._transpositions = options.transpositions and options.table
        if options.patterns:
            load_weights()

    def __dealloc__(self):
        PyMem_RawFree(self._cells)

    def solve(self, OthelloPosition position not None, limits=None):
        """The exact margin and a line of best play; None where the seconds or nodes ran out or it was stopped."""
        cdef uint64_t own = position.discs[position.side & 1], other = position.discs[position.side & 1 ^ 1]
        cdef int empties = 64 - popcount(own | other), parity = 0, margin, i
        cdef uint64_t left = ~(own | other)
        cdef double seconds = 0
        cdef long long nodes = 0
        if position.over():
            raise TextError("the game is over: there is nothing to solve")
        if limits is not None:
            if limits.depth is not None or limits.lines != 1:
                raise OptionError("a solver goes to the end and gives one line: limit its seconds or nodes")
            seconds, nodes = limits.seconds or 0, limits.nodes or 0
        while left:
            parity ^= QUADRANT[lowest(left)]
            left &= left - 1
        begin(&self.control, seconds, nodes)
        self._round += 1
        with nogil:
            margin = self._full(own, other, -64, 64, empties, parity, 0)
        if self.control.stopped:
            return None
        line = tuple([self._line[0][i] for i in range(self._length[0])])
        return Solution(margin, line, self.control.nodes, now() - self.control.began)

    def stop(self):
        """End a running solve() soon, from another thread."""
        self.control.stopped = True

    # ------------------------------------------------------------------ the last four

    cdef int _two(self, uint64_t own, uint64_t other, int alpha, int a, int b) noexcept nogil:
        cdef uint64_t turned
        cdef int best = NONE, value
        self.control.nodes += 1
        if NEIGHBOURS[a] & other:
            turned = flips(own, other, a)
            if turned:
                best = -_one(other ^ turned, own ^ turned ^ (<uint64_t> 1 << a), b)
                if best > alpha:
                    return best
        if NEIGHBOURS[b] & other:
            turned = flips(own, other, b)
            if turned:
                value = -_one(other ^ turned, own ^ turned ^ (<uint64_t> 1 << b), a)
                if value > best:
                    best = value
        if best != NONE:
            return best
        # Pass: the same for the opponent, who wants the least.
        best = 127
        if NEIGHBOURS[a] & own:
            turned = flips(other, own, a)
            if turned:
                best = _one(own ^ turned, other ^ turned ^ (<uint64_t> 1 << a), b)
                if best <= alpha:
                    return best
        if NEIGHBOURS[b] & own:
            turned = flips(other, own, b)
            if turned:
                value = _one(own ^ turned, other ^ turned ^ (<uint64_t> 1 << b), a)
                if value < best:
                    best = value
        return best if best != 127 else _final(own, other)

    cdef int _three(self, uint64_t own, uint64_t other, int alpha, int a, int b, int c) noexcept nogil:
        cdef uint64_t turned, swap
        cdef int best = NONE, value, turn
        self.control.nodes += 1
        for turn in range(2):
            # In the second turn the player to act has passed, and the opponent is looked at in the same way.
            if NEIGHBOURS[a] & other:
                turned = flips(own, other, a)
                if turned:
                    best = -self._two(other ^ turned, own ^ turned ^ (<uint64_t> 1 << a), -alpha - 1, b, c)
                    if best > alpha:
                        return -best if turn else best
            if NEIGHBOURS[b] & other:
                turned = flips(own, other, b)
                if turned:
                    value = -self._two(other ^ turned, own ^ turned ^ (<uint64_t> 1 << b), -alpha - 1, a, c)
                    if value > best:
                        best = value
                        if best > alpha:
                            return -best if turn else best
            if NEIGHBOURS[c] & other:
                turned = flips(own, other, c)
                if turned:
                    value = -self._two(other ^ turned, own ^ turned ^ (<uint64_t> 1 << c), -alpha - 1, a, b)
                    if value > best:
                        best = value
            if best != NONE:
                return -best if turn else best
            swap = own
            own = other
            other = swap
            alpha = -alpha - 1
        return _final(own, other)

    cdef int _four(self, uint64_t own, uint64_t other, int alpha, int parity) noexcept nogil:
        cdef uint64_t left = ~(own | other), first = left & ODD[parity], turned, swap
        cdef int best = NONE, value, turn, i, j
        cdef int points[4]
        cdef int others[3]
        self.control.nodes += 1
        # Points alone in their quadrant come first, also below: the lists are made in this order.
        if not self._parity:
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
                turned = flips(own, other, points[i])
                if turned == 0:
                    continue
                # Of the remaining three, one that shared its quadrant with this move is alone now.
                others[0] = points[i == 0]
                others[1] = points[1 + (i <= 1)]
                others[2] = points[2 + (i <= 2)]
                j = QUADRANT[points[i]]
                if self._parity and QUADRANT[others[0]] != j and not parity & QUADRANT[others[0]]:
                    if QUADRANT[others[1]] == j:
                        others[0], others[1] = others[1], others[0]
                    elif QUADRANT[others[2]] == j:
                        others[0], others[2] = others[2], others[0]
                value = -self._three(other ^ turned, own ^ turned ^ (<uint64_t> 1 << points[i]), -alpha - 1,
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
        return _final(own, other)

    # ------------------------------------------------------------------ five to seven

    cdef int _few(self, uint64_t own, uint64_t other, int alpha, int empties, int parity) noexcept nogil:
        cdef uint64_t moves, now_moves, turned
        cdef int best = NONE, value, point, group
        if empties == 4:
            return self._four(own, other, alpha, parity)
        self.control.nodes += 1
        if self._stability and alpha >= 2 * empties - 4:
            value = 64 - 2 * _stable(other, own)
            if value <= alpha:
                return value
        moves = mobility(own, other)
        if moves == 0:
            if mobility(other, own) == 0:
                return _final(own, other)
            return -self._few(other, own, -alpha - 1, empties, parity)
        for group in range(2):
            now_moves = moves & ODD[parity] if group == 0 and self._parity else moves
            moves ^= now_moves
            while now_moves:
                point = lowest(now_moves)
                now_moves &= now_moves - 1
                turned = flips(own, other, point)
                value = -self._few(other ^ turned, own ^ turned ^ (<uint64_t> 1 << point), -alpha - 1, empties - 1,
                                   parity ^ QUADRANT[point])
                if value > best:
                    best = value
                    if best > alpha:
                        return best
        return best

    # ------------------------------------------------------------------ eight and more

    cdef int _scout(self, uint64_t own, uint64_t other, int alpha, int empties, int parity) noexcept nogil:
        """Is the margin more than alpha? A bound that tells, on the right side of alpha."""
        cdef uint64_t moves
        cdef int best = NONE, value, first = NO_POINT, best_move = NO_POINT, count, i, j, lower = -64, upper = 64
        cdef Choice choices[LONGEST]
        cdef Choice swap
        cdef Cell* cell
        if empties < SORTED_FROM:
            return self._few(own, other, alpha, empties, parity)
        if out_of_budget(&self.control):
            return alpha
        # 1. What can still be won?
        if self._stability and alpha >= 2 * empties - 4:
            value = 64 - 2 * _stable(other, own)
            if value <= alpha:
                return value
        # 2. What is known?
        if self._table:
            cell = self._find(own, other)
            if cell != NULL:
                lower, upper, first = cell.lower, cell.upper, cell.move
                if lower > alpha:
                    return lower
                if upper <= alpha:
                    return upper
        # 3. No move: the opponent's turn, or the end.
        moves = mobility(own, other)
        if moves == 0:
            if mobility(other, own) == 0:
                return _final(own, other)
            return -self._scout(other, own, -alpha - 1, empties, parity)
        # 4. The moves, the most promising first. (One that is known to be enough ends it here.)
        count = self._list(own, other, moves, empties, parity, first, alpha, choices)
        if count < 0:
            return choices[0].worth
        # 5. Each in turn, until one is enough.
        for i in range(count):
            for j in range(i + 1, count):
                if choices[j].worth > choices[i].worth:
                    swap = choices[i]
                    choices[i] = choices[j]
                    choices[j] = swap
            value = -self._scout(choices[i].own, choices[i].other, -alpha - 1, empties - 1,
                                 parity ^ QUADRANT[choices[i].point])
            if self.control.stopped:
                return alpha
            if value > best:
                best = value
                best_move = choices[i].point
                if best > alpha:
                    break
        # 6. Remember.
        if self._table:
            if best > alpha:
                lower = best
            else:
                upper = best
            self._keep(own, other, lower, upper, best_move, empties)
        return best

    cdef int _list(self, uint64_t own, uint64_t other, uint64_t moves, int empties, int parity, int first, int alpha,
                   Choice* choices) noexcept nogil:
        """The moves with their worth for sorting; -1 if one is known to bring more than alpha: the first's worth."""
        cdef int count = 0, point, worth, depth, value, best = -6400
        cdef uint64_t turned, mine, theirs, replies
        cdef Cell* cell
        depth = (empties - GUESSED_FROM) // 3 if empties >= GUESSED_FROM and self._patterns else -1
        if depth > 4:
            depth = 4
        while moves:
            point = lowest(moves)
            moves &= moves - 1
            turned = flips(own, other, point)
            mine = own ^ turned ^ (<uint64_t> 1 << point)
            theirs = other ^ turned
            choices[count].point = point
            choices[count].own = theirs
            choices[count].other = mine
            if self._table and empties > SORTED_FROM:
                touch(&self._cells[_slot(theirs, mine) & self._mask])
            count += 1
        if self._transpositions and empties >= LOOK_AHEAD_FROM:
            for point in range(count):
                cell = self._find(choices[point].own, choices[point].other)
                if cell != NULL and -cell.upper > alpha:
                    choices[0].worth = -cell.upper
                    return -1
        if count == 1:
            choices[0].worth = 0
            return 1
        for point in range(count):
            theirs = choices[point].own
            mine = choices[point].other
            replies = mobility(theirs, mine)
            worth = -REPLY * (popcount(replies) + popcount(replies & CORNERS))
            if depth >= 0:
                value = -self._guess(theirs, mine, -6400, SLACK - best, depth)
                worth += value
                if value > best:
                    best = value
            elif <uint64_t> 1 << choices[point].point & CORNERS:
                worth += CORNER
            if self._parity and parity & QUADRANT[choices[point].point]:
                worth += PARITY
            if choices[point].point == first:
                worth += 1 << 20
            choices[point].worth = worth
        return count

    cdef int _guess(self, uint64_t own, uint64_t other, int alpha, int beta, int depth) noexcept nogil:
        """A shallow search with the pattern evaluation, in hundredths of a disc."""
        cdef uint64_t moves, turned
        cdef int best = -30000, value, point
        if depth == 0:
            return pattern_value(own, other)
        moves = mobility(own, other)
        if moves == 0:
            if mobility(other, own) == 0:
                return 100 * _final(own, other)
            return -self._guess(other, own, -beta, -alpha, depth)
        while moves:
            point = lowest(moves)
            moves &= moves - 1
            turned = flips(own, other, point)
            value = -self._guess(other ^ turned, own ^ turned ^ (<uint64_t> 1 << point), -beta, -alpha, depth - 1)
            if value > best:
                best = value
                if best > alpha:
                    alpha = best
                    if alpha >= beta:
                        break
        return best

    cdef int _full(self, uint64_t own, uint64_t other, int alpha, int beta, int empties, int parity,
                   int ply) noexcept nogil:
        """The margin between alpha and beta, and the line that leads there in `_line[ply]`."""
        cdef uint64_t moves = mobility(own, other)
        cdef int best = NONE, value, count, i, j, first = NO_POINT, bound
        cdef Choice choices[LONGEST]
        cdef Choice swap
        cdef Cell* cell
        self._length[ply] = 0
        if out_of_budget(&self.control):
            return alpha
        if moves == 0:
            if mobility(other, own) == 0:
                return _final(own, other)
            best = -self._full(other, own, -beta, -alpha, empties, parity, ply + 1)
            self._extend(ply, PASS)
            return best
        if self._table:
            cell = self._find(own, other)
            if cell != NULL:
                first = cell.move
        # No bound is believed here: the line must be played out. (65 is more than any.)
        count = self._list(own, other, moves, empties, parity, first, 65, choices)
        for i in range(count):
            for j in range(i + 1, count):
                if choices[j].worth > choices[i].worth:
                    swap = choices[i]
                    choices[i] = choices[j]
                    choices[j] = swap
            bound = alpha if alpha > best else best
            if i > 0:
                value = -self._scout_any(choices[i].own, choices[i].other, -bound - 1, empties - 1,
                                         parity ^ QUADRANT[choices[i].point])
                if self.control.stopped:
                    return alpha
                if value <= bound:
                    if value > best:
                        best = value
                    continue
            value = -self._full(choices[i].own, choices[i].other, -beta, -bound, empties - 1,
                                parity ^ QUADRANT[choices[i].point], ply + 1)
            if self.control.stopped:
                return alpha
            if value > best:
                best = value
                if best > alpha or i == 0:
                    self._extend(ply, choices[i].point)
                if best >= beta:
                    break
        if self._table:
            self._keep(own, other, best if best > alpha else -64, best if best < beta else 64,
                       self._line[ply][0] if self._length[ply] else NO_POINT, empties)
        return best

    cdef int _scout_any(self, uint64_t own, uint64_t other, int alpha, int empties, int parity) noexcept nogil:
        """`_scout`, also for the last three points."""
        cdef uint64_t left = ~(own | other)
        cdef int points[3]
        cdef int i
        if empties > 3:
            return self._scout(own, other, alpha, empties, parity)
        for i in range(empties):
            points[i] = lowest(left)
            left &= left - 1
        if empties == 3:
            return self._three(own, other, alpha, points[0], points[1], points[2])
        if empties == 2:
            return self._two(own, other, alpha, points[0], points[1])
        self.control.nodes += 1
        return _one(own, other, points[0]) if empties == 1 else _final(own, other)

    cdef int _extend(self, int ply, int move) noexcept nogil:
        """The line from here is this move and the line after it."""
        self._line[ply][0] = <uint8_t> move
        memcpy(&self._line[ply][1], &self._line[ply + 1][0], self._length[ply + 1])
        self._length[ply] = self._length[ply + 1] + 1
        return 0

    # ------------------------------------------------------------------ the table

    cdef Cell* _find(self, uint64_t own, uint64_t other) noexcept nogil:
        cdef uint64_t slot = _slot(own, other)
        cdef Cell* cell
        cdef int i
        for i in range(4):
            cell = &self._cells[(slot ^ i) & self._mask]
            if cell.own == own and cell.other == other:
                return cell
        return NULL

    cdef int _keep(self, uint64_t own, uint64_t other, int lower, int upper, int move, int empties) noexcept nogil:
        """Write over the same position, else over the cheapest of four, those of earlier solutions first."""
        cdef uint64_t slot = _slot(own, other)
        cdef Cell* cell
        cdef Cell* chosen = NULL
        cdef int i, cost, least = 1 << 20
        for i in range(4):
            cell = &self._cells[(slot ^ i) & self._mask]
            if cell.own == own and cell.other == other:
                chosen = cell
                break
            cost = cell.empties + (64 if cell.round == self._round else 0)
            if cost < least:
                least = cost
                chosen = cell
        chosen.own = own
        chosen.other = other
        chosen.lower = <int8_t> lower
        chosen.upper = <int8_t> upper
        chosen.move = <uint8_t> move
        chosen.empties = <uint8_t> empties
        chosen.round = self._round
        return 0
