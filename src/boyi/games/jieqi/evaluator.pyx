"""Three evaluations of jieqi. All see only what the viewer of the position knows.

`hand` (the default) counts, for each side,

- open pieces: material, where they stand, how many points they reach, how many of those
  are in the other palace;
- covered pieces: the mean of what they may be, from the pool that the viewer knows, a
  little less than that (they have yet to spend the move that turns them up), and a bonus by
  what they walk as meanwhile;
- the king: at home or not, and a cannon that looks at it along an empty file.

`it2` and `iterative` are those of the ancestor, kept to the letter so that they can be compared:
material plus 0.3 of the difference between the best captures of both sides. They differ in the
covered pieces: `it2` takes the mean of the pool (rook and cannon in full, the rest at 0.7),
`iterative` 320 always. Their pool is what was never turned up, no matter who took what: give them the
spectator's view (`observe(None)`), as the search presets do. The king is worth 100000 in the captures,
so that who is in check is as good as lost to them; `weights.king_gain=0` leaves it out.
"""

from libc.math cimport round

from boyi.core.bits cimport popcount
from boyi.core.evaluator cimport GUESS, Evaluator
from boyi.core.position cimport Position
from boyi.core.types cimport MAX_MOVES, move_t
from boyi.games.jieqi.position cimport (
    SHOWN,
    TURN_UP,
    TURNED_UP,
    TYPES,
    JieqiPosition,
    pool_count,
    standing_on,
)
from boyi.games.xiangqi.grid cimport (
    ADVISOR,
    CANNON,
    ELEPHANT,
    EMPTY,
    HORSE,
    KING,
    KINDS,
    PAWN,
    RED,
    ROAMING_ADVISOR,
    ROAMING_ELEPHANT,
    ROOK,
    SQUARES,
    Grid,
    attacked,
    first_square,
    kind_of,
    origin_of,
    reach,
    size_of,
    square_set,
    squares_t,
    target_of,
    write_moves,
)

from boyi.core.errors import OptionError
from boyi.games.jieqi.weights import AncestorWeights

# The types of a pool, in its order R A C P N B, as kinds and back.
cdef int kind_of_type[TYPES]
cdef int type_of_kind[KINDS]

# The ancestor's values.
cdef int seed_value[KINDS]
cdef double FULL = 1.0
cdef double DISCOUNT = 0.7
cdef double CAPTURE_WEIGHT = 0.3
cdef double KING_VALUE = 100000
cdef double FIXED = 320

# Those of `hand`.
cdef int material[KINDS]
cdef int place[2][KINDS][SQUARES]      # what an open piece gains by standing there
cdef int covered_place[2][SQUARES]     # what a covered one does
cdef int mobility[KINDS]               # per point that an open piece reaches
cdef int pressure[KINDS]               # per point of the other palace that it reaches
cdef squares_t palace[2]

cdef enum:
    TEMPO = 15
    COVERED_PERCENT = 92
    BARE_CANNON = 70                   # a cannon that looks at the king along an empty file
    DOUBLE_SCREEN = 20                 # one with two pieces between: either may leave with check


cdef inline int _clamped(int value) noexcept nogil:
    return GUESS if value > GUESS else -GUESS if value < -GUESS else value


cdef class It2(Evaluator):
    """The evaluation of the ancestor's IT2."""

    def __init__(self, weights=None):
        if weights is not None and not isinstance(weights, AncestorWeights):
            raise OptionError(f"these weights of jieqi must be AncestorWeights, not {type(weights).__name__}")
        self.weights = AncestorWeights() if weights is None else weights
        self.king_value = KING_VALUE if self.weights.king_gain else 0

    cdef double covered_value(self, JieqiPosition position, int side) noexcept nogil:
        """What each covered piece of a side is worth: the same for all, wherever they stand."""
        cdef double sum = 0
        cdef int type, kind, count, total = 0
        for type in range(TYPES):
            kind = kind_of_type[type]
            count = pool_count(position.pool_counts, side, type)
            total += count
            sum += count * seed_value[kind] * (FULL if kind == ROOK or kind == CANNON else DISCOUNT)
        return sum / total if total else 0

    cdef double best_capture(self, JieqiPosition position, int side, double* covered_values) noexcept nogil:
        """The most valuable piece that the side could take if it were to move."""
        cdef move_t moves[MAX_MOVES]
        cdef double best = 0, value
        cdef int i, target, piece
        if self.king_value > 0 and attacked(&position.grid, position.grid.kings[side ^ 1], side):
            return self.king_value
        for i in range(write_moves(&position.grid, side, moves)):
            target = target_of(moves[i])
            piece = position.grid.cells[target]
            if piece == EMPTY:
                continue
            if position.covered & square_set(target):
                value = covered_values[side ^ 1]
            else:
                value = seed_value[kind_of(piece)]
            if value > best:
                best = value
        return best

    cdef int evaluate(self, Position position) except? -32768 nogil:
        return self.value_of(<JieqiPosition> position)

    cdef int value_of(self, JieqiPosition here) noexcept nogil:
        cdef double covered_values[2]
        cdef double sums[2]
        cdef int side, kind
        for side in range(2):
            covered_values[side] = self.covered_value(here, side)
            sums[side] = covered_values[side] * size_of(here.covered & here.grid.pieces[side][EMPTY])
            for kind in range(ADVISOR, KINDS):
                sums[side] += seed_value[kind] * size_of(here.grid.pieces[side][kind] & ~here.covered)
        side = here.acting
        return _clamped(<int> round(
            sums[side] - sums[side ^ 1]
            + CAPTURE_WEIGHT * (self.best_capture(here, side, covered_values)
                                - self.best_capture(here, side ^ 1, covered_values))))


cdef class Iterative(It2):
    """The evaluation of the ancestor's earlier engine, which took every covered piece for what it stands for."""

    cdef double covered_value(self, JieqiPosition position, int side) noexcept nogil:
        return FIXED

    cdef move_t presume(self, Position position) except? 0xFFFFFFFF nogil:
        cdef move_t result = self.standing_result(<JieqiPosition> position)
        return result if result else Evaluator.presume(self, position)

    cdef move_t standing_result(self, JieqiPosition here) noexcept nogil:
        """That the piece is what it stood for, if that is still possible; else 0."""
        cdef int owner, type = -1
        cdef move_t result
        if here.awaits & TURN_UP:
            owner = here.acting
            result = TURNED_UP
            if here.ply:        # else a position text began here, and where the piece came from is not known
                type = type_of_kind[standing_on(owner, origin_of((<move_t*> here.record(here.ply - 1))[0]))]
        else:
            owner = here.acting ^ 1
            result = SHOWN
            type = type_of_kind[standing_on(owner, here.landed)]
        if type >= 0 and pool_count(here.pool_counts, owner, type):
            return result | <move_t> type
        return 0


cdef class Hand(Evaluator):
    """The default: see the module's text."""

    cdef int evaluate(self, Position position) except? -32768 nogil:
        return self.value_of(<JieqiPosition> position)

    cdef int value_of(self, JieqiPosition here) noexcept nogil:
        return _clamped(TEMPO + self.side_value(here, here.acting) - self.side_value(here, here.acting ^ 1))

    cdef int side_value(self, JieqiPosition position, int side) noexcept nogil:
        cdef Grid* grid = &position.grid
        cdef squares_t left, covered = position.covered & grid.pieces[side][EMPTY], reached
        cdef int foe = side ^ 1, value, kind, square, type, count, total = 0, sum = 0
        cdef int attackers = 0, into, king = grid.kings[foe], between

        # 1. The covered pieces: how many times the mean of the pool.
        count = size_of(covered)
        value = place[side][KING][grid.kings[side]]
        if count:
            for type in range(TYPES):
                into = pool_count(position.pool_counts, side, type)
                total += into
                sum += into * material[kind_of_type[type]]
            value += count * (sum * COVERED_PERCENT // (100 * total)) if total else 0
            left = covered
            while left:
                value += covered_place[side][first_square(left)]
                left &= left - 1

        # 2. The open ones: material, place, mobility, pressure on the other palace.
        for kind in range(HORSE, KINDS):
            left = grid.pieces[side][kind]
            while left:
                square = first_square(left)
                left &= left - 1
                reached = reach(grid, square)
                into = size_of(reached & palace[foe])
                if into:
                    attackers += 1
                    value += into * pressure[kind]
                if covered & square_set(square):
                    continue
                value += material[kind] + place[side][kind][square] + mobility[kind] * size_of(reached)
                # 3. A cannon on the file of the king: an empty file between them is the worst of all.
                if kind == CANNON and square % 9 == king % 9:
                    between = _between(grid, square, king)
                    if between == 0:
                        value += BARE_CANNON
                    elif between == 2:
                        value += DOUBLE_SCREEN

        # 4. Attackers are worth more together.
        if attackers > 1:
            value += 8 * attackers * (attackers - 1)
        return value


cdef inline int _between(Grid* grid, int one, int other) noexcept nogil:
    """How many pieces stand between two points of one file."""
    cdef int low = (one if one < other else other) // 9, high = (other if one < other else one) // 9
    return popcount(grid.files[one % 9] >> (low + 1) & ((1 << (high - low - 1)) - 1))


cdef int _fill() except -1:
    cdef int side, square, rank, file, centre, near, kind, home, type
    for kind in range(KINDS):
        type_of_kind[kind] = -1
    for type, kind in enumerate((ROOK, ROAMING_ADVISOR, CANNON, PAWN, HORSE, ROAMING_ELEPHANT)):
        kind_of_type[type] = kind
        type_of_kind[kind] = type
    type_of_kind[<int> ADVISOR] = type_of_kind[<int> ROAMING_ADVISOR]
    type_of_kind[<int> ELEPHANT] = type_of_kind[<int> ROAMING_ELEPHANT]
    for kind, value in {ROAMING_ADVISOR: 200, ROAMING_ELEPHANT: 200, HORSE: 400, ROOK: 900, CANNON: 450,
                        PAWN: 100}.items():
        seed_value[kind] = value
    for kind, value, points, into in ((ROAMING_ADVISOR, 190, 2, 7), (ROAMING_ELEPHANT, 200, 3, 6), (HORSE, 400, 6, 8),
                                      (ROOK, 880, 4, 6), (CANNON, 440, 3, 3), (PAWN, 100, 2, 9)):
        material[kind] = value
        mobility[kind] = points
        pressure[kind] = into
    for side in range(2):
        for square in range(SQUARES):
            # Ranks are counted from the own back rank.
            rank = square // 9 if side == RED else 9 - square // 9
            file = square % 9
            centre = 4 - abs(file - 4)
            near = 12 - max(abs(file - 4), 9 - rank)      # to the other king at home, from 3 to 12
            home = standing_on(side, square)
            if 3 <= file <= 5 and rank <= 2:
                palace[side] |= square_set(square)
                place[side][<int> KING][square] = -25 * rank - (15 if file != 4 else 0)
            place[side][<int> ROOK][square] = (10 if rank >= 5 else 0) + 2 * centre
            place[side][<int> CANNON][square] = 4 * centre + (8 if rank >= 7 else 0)
            place[side][<int> HORSE][square] = 5 * centre + 3 * min(rank, 7) - (15 if file in (0, 8) else 0)
            place[side][<int> ROAMING_ADVISOR][square] = 5 * near - 15
            place[side][<int> ROAMING_ELEPHANT][square] = 5 * near - 15
            place[side][<int> PAWN][square] = (8 * near - 10 if 5 <= rank <= 8 else 0 if rank == 9 else 2 * rank)
            # A covered piece guards and threatens as what it stands for; near the king it covers it.
            covered_place[side][square] = {ROOK: 12, CANNON: 14, HORSE: 4, ELEPHANT: 8, ADVISOR: 14}.get(home, 0)
    return 0


_fill()
