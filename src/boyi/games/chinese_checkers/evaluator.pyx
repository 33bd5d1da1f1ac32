"""What a position of Chinese checkers may be worth.

`AncestorEvaluator` measures as the students did from whose report this project grew: the goal is
filled layer by layer from its apex, and every piece is as far away as the nearest hole still open
in the first layer that is not full. `RaceEvaluator` is what plays by default.

Both describe moves to forward pruning by `strides`.

    >>> import boyi
    >>> AncestorEvaluator().distances(boyi.start("chinese_checkers"))
    [140, 140]
    >>> RaceEvaluator().value(boyi.start("chinese_checkers")) > 0    # it is an advantage to begin
    True
"""

from cpython.object cimport PyTypeObject
from libc.stdint cimport int32_t, uint8_t, uint64_t

from boyi.core.bits cimport lowest, popcount
from boyi.core.evaluator cimport GUESS
from boyi.core.position cimport Position
from boyi.core.race cimport Stride, StrideEvaluator
from boyi.core.types cimport MAX_PLAYERS, key_t, move_t
from boyi.games.chinese_checkers.position cimport HOLES, OUTSIDE, PASS, ChineseCheckersPosition, State

from boyi.core.errors import OptionError, TextError
from boyi.games.chinese_checkers.board import COORDINATES, DIRECTIONS, HOLE_AT, apex, camp, steps_between
from boyi.games.chinese_checkers.weights import TUNED, RaceWeights, AncestorWeights

cdef extern from "Python.h":
    PyTypeObject* Py_TYPE(Position thing) noexcept nogil

cdef enum:
    LAYERS = 5             # of a corner with the row before it
    CAMP = 15              # holes in them: layer n has n + 1
    PATTERNS = 62          # ways to have any holes of one layer open: 2 + 4 + 8 + 16 + 32, those of no hole included
    STEP = 100             # the unit of values is a hundredth of a step; what else counts is in `weights`
    EXCUSED = 3            # at most this many foreign pieces in the goal are taken for pieces that will stay

# Steps per unit of value: no sum of distances of six players is larger.
cdef double ANCESTOR_UNIT = 1000.0

cdef uint8_t STEPS[HOLES][HOLES]           # between any two holes
cdef uint8_t AWAY[6][HOLES]                # steps to the apex of each corner
cdef uint8_t BESIDE[6][HOLES]              # holes beside the axis of each corner, twice
cdef uint8_t NEAR[HOLES + 1][6]            # the neighbour in each direction, or OUTSIDE
cdef uint8_t FORWARD[6][2]                 # per goal corner: the two directions that lead straight nearer to it
cdef uint8_t GOAL[6][CAMP]                 # per goal corner: its holes, layer by layer from the apex
# Per goal corner and pattern of open holes, bit i being hole i of the layer: the steps from each hole to the nearest
# open one; 0 from holes of that layer and of those nearer to the apex, and where no hole is open.
cdef uint8_t NEAREST[6][PATTERNS][HOLES]


cdef inline int _first_pattern(int layer) noexcept nogil:
    """The number of the pattern in which no hole of the layer is open; those of the layer follow."""
    return (2 << layer) - 2


cdef int _fill_tables() except -1:
    cdef int hole, other, corner, direction, layer, pattern, n
    for hole in range(HOLES):
        y, q, _ = COORDINATES[hole]
        for other in range(HOLES):
            STEPS[hole][other] = steps_between(hole, other)
        for direction, (dy, dq) in enumerate(DIRECTIONS):
            NEAR[hole][direction] = HOLE_AT.get((y + dy, q + dq), OUTSIDE)
    for direction in range(6):
        NEAR[OUTSIDE][direction] = OUTSIDE
    centre = HOLE_AT[0, 0]
    for corner in range(6):
        top = apex(corner)
        n = 0
        for direction in range(6):
            if steps_between(NEAR[centre][direction], top) < steps_between(centre, top):
                FORWARD[corner][n] = direction
                n += 1
        for hole in range(HOLES):
            AWAY[corner][hole] = steps_between(hole, top)
            # The coordinate along which the corner lies, and the two others, which are equal on its axis.
            axis = max(range(3), key=lambda i: abs(COORDINATES[top][i]))
            sides = [COORDINATES[hole][i] for i in range(3) if i != axis]
            BESIDE[corner][hole] = abs(sides[0] - sides[1])
        for n, hole in enumerate(sorted(camp(corner, CAMP), key=lambda hole: (steps_between(hole, top), hole))):
            GOAL[corner][n] = hole
        n = 0
        for layer in range(LAYERS):
            for pattern in range(1, 2 << layer):
                for hole in range(HOLES):
                    if AWAY[corner][hole] > layer:
                        NEAREST[corner][_first_pattern(layer) + pattern][hole] = min([
                            STEPS[hole][GOAL[corner][n + i]] for i in range(layer + 1) if pattern >> i & 1])
            n += layer + 1
    return 0


_fill_tables()

cdef PyTypeObject* OUR_TYPE = <PyTypeObject*> ChineseCheckersPosition


cdef int _check(Position position) except -1 nogil:
    """One comparison keeps a position of another game from being read as one of this."""
    if Py_TYPE(position) != OUR_TYPE:
        with gil:
            raise TextError(f"this evaluator is for Chinese checkers, not for {position.game.name}")
    return 0


cdef object _read(object weights, object kind):
    """The weights given, or those of the kind's defaults."""
    if weights is None:
        return kind()
    if not isinstance(weights, kind):
        raise OptionError(f"these weights of Chinese checkers must be {kind.__name__}, not {type(weights).__name__}")
    return weights


cdef class CheckersEvaluator(StrideEvaluator):
    """What evaluators of this game share: each says who has how far to go, and what follows from it."""

    cdef int evaluate(self, Position position) except? -32768 nogil:
        _check(position)
        return self._difference(<ChineseCheckersPosition> position)

    cdef int evaluate_players(self, Position position, double* values) except -1 nogil:
        _check(position)
        return self._shares(<ChineseCheckersPosition> position, values)

    cdef int strides(self, Position position, const move_t* moves, int n, Stride* strides) except -1 nogil:
        _check(position)
        # Who cannot move passes, and has no other move.
        return 0 if moves[0] >= PASS else self._strides(<ChineseCheckersPosition> position, moves, n, strides)

    cdef key_t board_key(self, Position position) except? 0 nogil:
        _check(position)
        return (<ChineseCheckersPosition> position).board_key()

    cdef key_t board_key_after(self, Position position, move_t move) except? 0 nogil:
        _check(position)
        return (<ChineseCheckersPosition> position).board_key_after(move)

    cdef int _difference(self, ChineseCheckersPosition position) except? -32768 nogil:
        return 0

    cdef int _shares(self, ChineseCheckersPosition position, double* values) except -1 nogil:
        return 0

    cdef int _strides(self, ChineseCheckersPosition position, const move_t* moves, int n,
                      Stride* strides) except -1 nogil:
        return 0

    cdef int burden(self, ChineseCheckersPosition position, int player) noexcept nogil:
        return 0

    cdef int lead(self, ChineseCheckersPosition position) except? -32768 nogil:
        cdef int player, rivals = 0, total = 0
        for player in range(position.players):
            if player != position.side and not position.state.out >> player & 1:
                total += self.burden(position, player)
                rivals += 1
        return total // rivals - self.burden(position, position.side)


cdef struct Aim:                       # where a player's pieces go
    int layer                          # of the goal that is filled now; LAYERS once there is none
    const uint8_t* steps               # per hole: how far a piece is from the nearest open hole of that layer, if any


cdef class AncestorEvaluator(CheckersEvaluator):
    """Layered goal distance: what all opponents lack, less `own_weight` times what the player lacks.

    Distances are steps, as the report's text and comments say. (Its function `AI_dis` gives less than the steps where a
    hole lies more above than beside: the half of what the columns exceed the rows by is then negative.)
    """

    def __init__(self, weights=None):
        self.places = HOLES
        self.weights = _read(weights, AncestorWeights)
        self.linear = True
        self.own_weight = self.weights.own_weight
        self.unit = ANCESTOR_UNIT

    cdef int burden(self, ChineseCheckersPosition position, int player) noexcept nogil:
        """Steps that the player's pieces lack to the layer of the goal to be filled now."""
        cdef uint64_t* own = position.state.own[player]
        return _add_up(_aim(position, player, own[0], own[1]).steps, own[0], own[1])

    cdef int distance(self, Position position, int player) except -1 nogil:
        _check(position)
        return self.burden(<ChineseCheckersPosition> position, player)

    cdef int distances_after(self, Position position, const move_t* moves, int n, int32_t* distances) except -1 nogil:
        _check(position)
        return self._distances_after(<ChineseCheckersPosition> position, moves, n, distances)

    cdef int _distances_after(self, ChineseCheckersPosition position, const move_t* moves, int n,
                              int32_t* distances) except -1 nogil:
        cdef int player = position.state.acting, i, start, end, total
        cdef uint8_t* away = AWAY[(position.corner[player] + 3) % 6]
        cdef uint64_t* own = position.state.own[player]
        cdef uint64_t moved[2]
        cdef Aim aim = _aim(position, player, own[0], own[1])
        total = _add_up(aim.steps, own[0], own[1])
        for i in range(n):
            if moves[i] >= PASS:
                distances[i] = total
                continue
            start, end = moves[i] >> 7, moves[i] & 127
            if away[start] > aim.layer and away[end] > aim.layer:
                # Every piece still goes where it went.
                distances[i] = total - aim.steps[start] + aim.steps[end]
                continue
            moved[0], moved[1] = own[0], own[1]
            moved[start >> 6] ^= <uint64_t> 1 << (start & 63)
            moved[end >> 6] ^= <uint64_t> 1 << (end & 63)
            distances[i] = _add_up(_aim(position, player, moved[0], moved[1]).steps, moved[0], moved[1])
        return 0

    cdef int arrived(self, Position position, int player) except -1 nogil:
        _check(position)
        cdef State* state = &(<ChineseCheckersPosition> position).state
        cdef int i
        for i in range(state.finished_count):
            if state.finished[i] == player:
                return 1
        return 0

    cdef int _difference(self, ChineseCheckersPosition position) except? -32768 nogil:
        """What the others lack on average, less what the player lacks: here nobody weighs more than another."""
        return _bounded(STEP * self.lead(position))

    cdef int _shares(self, ChineseCheckersPosition position, double* values) except -1 nogil:
        """A player who has finished or left lacks nothing any more. Linear, so that averages mean something."""
        cdef int player, total = 0
        for player in range(position.players):
            values[player] = 0 if position.state.out >> player & 1 else self.burden(position, player)
            total += <int> values[player]
        for player in range(position.players):
            values[player] = (total - (1 + self.own_weight) * values[player]) / ANCESTOR_UNIT
        return 0

    cdef int _strides(self, ChineseCheckersPosition position, const move_t* moves, int n,
                      Stride* strides) except -1 nogil:
        """Steps to the apex say who is behind and what is a retreat; how good a target is, the open layer."""
        cdef int player = position.state.acting, i
        cdef uint8_t* away = AWAY[(position.corner[player] + 3) % 6]
        cdef Aim aim = _aim(position, player, position.state.own[player][0], position.state.own[player][1])
        for i in range(n):
            _describe(moves[i], away[moves[i] >> 7], away[moves[i] & 127], &strides[i])
            strides[i].remaining = aim.steps[moves[i] & 127]
        return 1

    def distances(self, ChineseCheckersPosition position not None):
        """Per player: the steps of all their pieces to the layer of the goal that is to be filled next."""
        cdef int player
        return [self.burden(position, player) for player in range(position.players)]


cdef inline Aim _aim(ChineseCheckersPosition position, int player, uint64_t low, uint64_t high) noexcept nogil:
    """The first layer of the player's goal that pieces on these holes leave open, and the way there."""
    cdef int goal = (position.corner[player] + 3) % 6, layer, i, hole, open
    cdef uint8_t* holes = GOAL[goal]
    cdef Aim aim
    for layer in range(4 if position.pieces == 10 else LAYERS):
        open = 0
        for i in range(layer + 1):
            hole = holes[i]
            open |= <int> (~(high if hole >> 6 else low) >> (hole & 63) & 1) << i
        if open:
            aim.layer = layer
            aim.steps = NEAREST[goal][_first_pattern(layer) + open]
            return aim
        holes += layer + 1
    aim.layer = LAYERS
    aim.steps = NEAREST[goal][_first_pattern(0)]
    return aim


cdef inline int _add_up(const uint8_t* steps, uint64_t low, uint64_t high) noexcept nogil:
    """The steps of all pieces that stand on these holes."""
    cdef int total = 0
    while low:
        total += steps[lowest(low)]
        low &= low - 1
    while high:
        total += steps[64 + lowest(high)]
        high &= high - 1
    return total


cdef inline int _heaviest(const int* load, const uint64_t* own, int count) noexcept nogil:
    """Half of the load of the piece that carries most, or of both of the two that do."""
    cdef int word, i, first = 0, second = 0
    cdef uint64_t left
    for word in range(2):
        left = own[word]
        while left:
            i = load[64 * word + lowest(left)]
            left &= left - 1
            if i > first:
                second = first
                first = i
            elif i > second:
                second = i
    return first // 2 + (second // 2 if count > 1 else 0)


cdef class RaceEvaluator(CheckersEvaluator):
    """The way still to go, stragglers counting more, with hops at hand and a goal that fills from its apex."""

    def __init__(self, weights=None):
        cdef int players
        self.weights = _read(weights, RaceWeights)
        self.scale = 700.0
        self.places = HOLES
        for players in range(MAX_PLAYERS + 1):
            self.use(players, self.weights)

    cdef int use(self, int players, object weights) except -1:
        """Have these weights for a number of players."""
        cdef Numbers* numbers = &self.numbers[players]
        cdef int corner, hole, away, lag = weights.lag, aside = weights.aside
        numbers.hop, numbers.turn, numbers.half = weights.hop, weights.turn, weights.half
        for corner in range(6):
            for hole in range(HOLES):
                away = AWAY[corner][hole]
                numbers.load[corner][hole] = STEP * away + lag * away * away + aside * BESIDE[corner][hole] // 2
        return 0

    cdef int burden(self, ChineseCheckersPosition position, int player) noexcept nogil:
        """The loads of all pieces, in hundredths of a step."""
        cdef Numbers* numbers = &self.numbers[position.players]
        cdef State* state = &position.state
        cdef int goal = (position.corner[player] + 3) % 6
        cdef int word, hole, over, i, total = 0, hops = 0, at_home, foreign
        cdef int* load = numbers.load[goal]
        cdef uint64_t left
        cdef int kind
        # 1. Piece by piece: the way to go, and the hops that are ready.
        for word in range(2):
            left = state.own[player][word]
            while left:
                hole = 64 * word + lowest(left)
                left &= left - 1
                total += load[hole]
                if numbers.hop:
                    for i in range(2):
                        over = NEAR[hole][FORWARD[goal][i]]
                        if state.owner[over] and state.owner[NEAR[over][FORWARD[goal][i]]] == 0:
                            hops += 1
        total -= numbers.hop * hops
        # 2. An opponent's piece left in the goal fills a hole: late in the race their last pieces are excused.
        if not position.strict:
            at_home = (popcount(state.own[player][0] & position.goal[player][0])
                       + popcount(state.own[player][1] & position.goal[player][1]))
            if 2 * at_home > position.pieces:
                foreign = -at_home
                for kind in range(4):
                    foreign += popcount(state.classes[kind] & position.goal_classes[player][kind])
                if 0 < foreign < EXCUSED:
                    total -= _heaviest(load, state.own[player], foreign)
        return total

    cdef int _difference(self, ChineseCheckersPosition position) except? -32768 nogil:
        return _bounded(self.numbers[position.players].turn + self.lead(position))

    cdef int _shares(self, ChineseCheckersPosition position, double* values) except -1 nogil:
        """Those still in the race share the scores that are open by their lead over the others, the best ones first."""
        cdef State* state = &position.state
        cdef Numbers* numbers = &self.numbers[position.players]
        cdef int player, running = 0, least = 1 << 30, second = 1 << 30, total = 0, rivals, lead
        cdef int burdens[MAX_PLAYERS]
        cdef double top, bottom, share
        for player in range(position.players):
            if state.out >> player & 1:
                position.settled(player, &values[player])
                continue
            burdens[player] = self.burden(position, player) - (numbers.turn if player == position.side else 0)
            running += 1
            total += burdens[player]
            if burdens[player] < least:
                second = least
                least = burdens[player]
            elif burdens[player] < second:
                second = burdens[player]
        # The best and the worst score that is still to be had.
        top = 1 - 2.0 * state.finished_count / (position.players - 1)
        bottom = -1 + 2.0 * state.left_count / (position.players - 1)
        for player in range(position.players):
            if state.out >> player & 1:
                continue
            # His lead, half over the best of the others and half over all of them.
            rivals = running - 1
            lead = 0
            if rivals:
                lead = (second if burdens[player] == least else least) - burdens[player]
                lead = (lead + (total - burdens[player]) // rivals - burdens[player]) // 2
            share = 0.5 + 0.5 * lead / (numbers.half + (lead if lead > 0 else -lead))
            values[player] = bottom + (top - bottom) * share
        return 0

    cdef int _strides(self, ChineseCheckersPosition position, const move_t* moves, int n,
                      Stride* strides) except -1 nogil:
        cdef int* load = self.numbers[position.players].load[(position.corner[position.state.acting] + 3) % 6]
        cdef int i
        for i in range(n):
            _describe(moves[i], load[moves[i] >> 7], load[moves[i] & 127], &strides[i])
        return 1

    def burdens(self, ChineseCheckersPosition position not None):
        """Per player: what they still have to go, in hundredths of a step."""
        cdef int player
        return [self.burden(position, player) for player in range(position.players)]


cdef class TunedEvaluator(RaceEvaluator):
    """As `RaceEvaluator`, with the weights that `boyi tune` found for each number of players."""

    def __init__(self):
        super().__init__()
        self.weights = None
        for players, weights in TUNED.items():
            self.use(players, weights)


cdef inline int _bounded(int value) noexcept nogil:
    """A guess is never as good as a win, however far ahead a player is."""
    return GUESS if value > GUESS else -GUESS if value < -GUESS else value


cdef inline int _describe(move_t move, int before, int after, Stride* stride) noexcept nogil:
    stride.piece = move >> 7
    stride.target = move & 127
    stride.rear = before
    stride.gain = before - after
    stride.remaining = after
    stride.chain = STEPS[move >> 7][move & 127] > 1
    return 0
