"""The hand-written evaluation of xiangqi: what a teacher would say of a position, in numbers.

Piece and place, freedom of rooks, horses and cannons, the siege of the enemy king, a
little structure, the right to move. Each is counted anew from the bitboards at every
call, twice, once per side and from that side's seat; so exchanging the colours or
mirroring the board cannot change the value. The numbers are in `weights`.

    >>> import boyi
    >>> HandEvaluator().value(boyi.start("xiangqi")) > 0      # the right to move
    True
"""

from libc.stdint cimport int16_t

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position
from boyi.games.xiangqi.grid cimport (
    ADVISOR,
    CANNON,
    ELEPHANT,
    FIRST,
    HORSE,
    KING,
    PAWN,
    RED,
    ROOK,
    SECOND,
    SQUARES,
    THIRD,
    Grid,
    first_square,
    reach,
    seen,
    size_of,
    square_set,
    squares_t,
)
from boyi.games.xiangqi.position cimport XiangqiPosition

from boyi.core.errors import OptionError
from boyi.games.xiangqi.weights import Weights

cdef squares_t siege_zone[2]        # the palace of each side and the three points before it
cdef squares_t back_rank[2]
cdef squares_t far_side[2]          # where a side's pawns have crossed the river
cdef squares_t not_last_file


cdef inline pair_t pair(int middle, int ending) noexcept nogil:
    return middle + ending * 65536     # not a shift: shifting a negative number is undefined


cdef inline int middle_of(pair_t value) noexcept nogil:
    return <int16_t> value


cdef inline int ending_of(pair_t value) noexcept nogil:
    # The lower half borrowed from the upper one when it is negative.
    return <int16_t> ((value + 0x8000) >> 16)


cdef class HandEvaluator(Evaluator):
    """The evaluator `hand`."""

    def __init__(self, weights=None):
        self.weights = weights if weights is not None else Weights()
        if not isinstance(self.weights, Weights):
            raise OptionError(f"the weights of xiangqi must be a Weights, not a {type(self.weights).__name__}")
        self.scale = 250.0
        self._unpack()

    cdef int evaluate(self, Position position) except? -32768 nogil:
        cdef Grid* grid = &(<XiangqiPosition> position).grid
        cdef int side = position.side, phase = 0, value
        cdef pair_t total = self.count_side(grid, side, &phase)
        total -= self.count_side(grid, side ^ 1, &phase)
        total += self.tempo
        if phase > FULL_PHASE:
            phase = FULL_PHASE                    # positions made up by hand
        value = (middle_of(total) * phase + ending_of(total) * (FULL_PHASE - phase)) // FULL_PHASE
        if phase <= 12:
            value = _what_can_be_won(grid, side if value > 0 else side ^ 1, value)
        return value

    cdef pair_t count_side(self, Grid* grid, int side, int* phase) noexcept nogil:
        """What speaks for a side."""
        cdef int foe = side ^ 1, square, king = grid.kings[foe], near
        cdef int siegers, rooks = 0, cannons = 0, horses = 0, advisors_lost, elephants_lost
        cdef squares_t left, found, zone = siege_zone[foe]
        cdef squares_t pawns = grid.pieces[side][PAWN] & far_side[side]
        cdef pair_t total = self.squares[side][KING][grid.kings[side]]

        # Step 1. Guards and pawns: only where they stand.
        left = grid.pieces[side][PAWN]
        while left:
            total += self.squares[side][PAWN][first_square(left)]
            left &= left - 1
        left = grid.pieces[side][ADVISOR]
        while left:
            total += self.squares[side][ADVISOR][first_square(left)]
            left &= left - 1
        left = grid.pieces[side][ELEPHANT]
        while left:
            square = first_square(left)
            total += self.squares[side][ELEPHANT][square]
            left &= left - 1
            if left and reach_of_elephant(grid, square, left):
                total += self.linked_elephants
        left = grid.pieces[side][ADVISOR]
        if left and left & (left - 1) and is_beside(first_square(left), first_square(left & (left - 1))):
            total += self.linked_advisors
        if pawns & not_last_file & pawns >> 1:
            total += self.pawn_pair

        # Step 2. Rooks, horses and cannons: where they stand, where they can go, what they besiege.
        siegers = size_of(pawns & zone)
        left = grid.pieces[side][ROOK]
        while left:
            square = first_square(left)
            left &= left - 1
            found = reach(grid, square)
            near = size_of(found & zone)
            siegers += near != 0
            rooks += 1
            total += self.squares[side][ROOK][square] + self.freedom[ROOK] * size_of(found) + self.nears[ROOK] * near
        left = grid.pieces[side][HORSE]
        while left:
            square = first_square(left)
            left &= left - 1
            found = reach(grid, square)
            near = size_of(found & zone)
            siegers += near != 0
            horses += 1
            total += self.squares[side][HORSE][square] + self.horse_freedom[size_of(found)] + self.nears[HORSE] * near
        left = grid.pieces[side][CANNON]
        while left:
            square = first_square(left)
            left &= left - 1
            found = reach(grid, square)
            near = size_of(found & zone)
            siegers += near != 0
            cannons += 1
            total += (self.squares[side][CANNON][square] + self.freedom[CANNON] * size_of(found)
                      + self.nears[CANNON] * near)
        total += self.siege[siegers if siegers < MOST_SIEGERS else MOST_SIEGERS]
        phase[0] += 6 * rooks + 3 * (horses + cannons)
        if rooks > 1:
            total += self.both_rooks

        # Step 3. The lines on which the enemy king stands.
        if cannons:
            found = grid.pieces[side][CANNON]
            if seen(grid, king, FIRST) & found:
                total += self.bare_cannon
            if seen(grid, king, THIRD) & found:
                total += self.screened_cannon
            if found & back_rank[foe] and square_set(king) & back_rank[foe]:
                total += self.bottom_cannon
        if rooks and seen(grid, king, SECOND) & grid.pieces[side][ROOK]:
            total += self.pinning_rook

        # Step 4. Guards that the enemy has lost.
        advisors_lost = 2 - size_of(grid.pieces[foe][ADVISOR])
        elephants_lost = 2 - size_of(grid.pieces[foe][ELEPHANT])
        total += (self.rook_without_advisor * (rooks * advisors_lost)
                  + self.horse_without_advisor * (horses * advisors_lost)
                  + self.cannon_without_elephant * (cannons * elephants_lost))
        if advisors_lost == 0:
            total += self.cannon_against_advisors * cannons
        return total

    def _unpack(self):
        """Turn the weights into tables."""
        cdef int side, square, rank, file, kind, i
        weights = self.weights
        kinds = {KING: "king", ADVISOR: "advisor", ELEPHANT: "elephant", HORSE: "horse", ROOK: "rook",
                 CANNON: "cannon", PAWN: "pawn"}
        for kind, name in kinds.items():
            value = (0, 0) if kind == KING else getattr(weights, name)
            middle, ending = getattr(weights, name + "_middle"), getattr(weights, name + "_ending")
            for square in range(SQUARES):
                rank, file = square // 9, min(square % 9, 8 - square % 9)
                for side in range(2):
                    row = 9 - rank if side == RED else rank
                    self.squares[side][kind][square] = pair(value[0] + middle[row][file], value[1] + ending[row][file])
        for kind in (ROOK, CANNON):
            self.freedom[kind] = _pair(getattr(weights, kinds[kind] + "_freedom"))
        for kind in (ROOK, HORSE, CANNON):
            self.nears[kind] = _pair(getattr(weights, kinds[kind] + "_nears"))
        for i in range(9):
            self.horse_freedom[i] = pair(weights.horse_freedom[i], weights.horse_freedom[i])
        for i in range(MOST_SIEGERS + 1):
            # A siege needs pieces; in the ending half of it is left.
            self.siege[i] = pair(weights.siege[i], weights.siege[i] // 2)
        self.bare_cannon = _pair(weights.bare_cannon)
        self.screened_cannon = _pair(weights.screened_cannon)
        self.pinning_rook = _pair(weights.pinning_rook)
        self.bottom_cannon = _pair(weights.bottom_cannon)
        self.rook_without_advisor = _pair(weights.rook_without_advisor)
        self.cannon_without_elephant = _pair(weights.cannon_without_elephant)
        self.horse_without_advisor = _pair(weights.horse_without_advisor)
        self.cannon_against_advisors = _pair(weights.cannon_against_advisors)
        self.pawn_pair = _pair(weights.pawn_pair)
        self.linked_elephants = _pair(weights.linked_elephants)
        self.linked_advisors = _pair(weights.linked_advisors)
        self.both_rooks = _pair(weights.both_rooks)
        self.tempo = _pair(weights.tempo)


def _pair(value):
    return pair(value[0], value[1])


cdef inline bint reach_of_elephant(Grid* grid, int square, squares_t other) noexcept nogil:
    """Do two elephants protect each other? (`reach` leaves own pieces out.)"""
    cdef int to = first_square(other)
    cdef int across = to % 9 - square % 9, along = to // 9 - square // 9
    return (across == 2 or across == -2) and (along == 2 or along == -2) and not grid.cells[(square + to) // 2]


cdef inline bint is_beside(int one, int other) noexcept nogil:
    """Are two points diagonal neighbours? (Advisors: within a palace.)"""
    return other - one == 8 or other - one == 10


cdef int _what_can_be_won(Grid* grid, int winner, int value) noexcept nogil:
    """In endings: an advantage that cannot win counts for little."""
    cdef squares_t* own = grid.pieces[winner]
    cdef squares_t* other = grid.pieces[winner ^ 1]
    cdef int guards = size_of(other[ADVISOR] | other[ELEPHANT])
    if own[PAWN]:
        return value
    # Nothing that crosses the river.
    if not own[ROOK] | own[HORSE] | own[CANNON]:
        return value // 16 if value > 0 else -(-value // 16)
    # A lone rook does not beat all four guards, nor a lone horse two of them; a lone cannon beats only who has none
    # and only with a screen of its own.
    if size_of(own[ROOK] | own[HORSE] | own[CANNON]) == 1:
        if ((own[ROOK] and guards == 4) or (own[HORSE] and guards >= 2)
                or (own[CANNON] and (guards >= 2 or not own[ADVISOR]))):
            return value // 4 if value > 0 else -(-value // 4)
    return value


cdef int _fill() except -1:
    cdef int side, square, rank, file
    global not_last_file
    for square in range(SQUARES):
        rank = square // 9
        file = square % 9
        if file < 8:
            not_last_file |= square_set(square)
        for side in range(2):
            if 3 <= file <= 5 and (rank <= 3 if side == RED else rank >= 6):
                siege_zone[side] |= square_set(square)
            if rank == (0 if side == RED else 9):
                back_rank[side] |= square_set(square)
            if (rank >= 5) == (side == RED):
                far_side[side] |= square_set(square)
    return 0


_fill()
