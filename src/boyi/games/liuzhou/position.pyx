"""The rules of Liuzhou qi. Everything is an atomic action; a player may act several times in a row.

The state after an action says all: which phase comes next, whose action it is
and whether the game is over. A game that was won stays as the winning action
left it (phase, side and pending captures are not moved on), a drawn one moves
on as usual; either way the state alone tells the result, so that a text does too.
"""

from libc.stdint cimport uint64_t

from boyi.core.bits cimport lowest, mix, popcount
from boyi.core.position cimport Position
from boyi.core.rules cimport Rules
from boyi.core.types cimport OVER, key_t, move_t
from boyi.kit.images cimport fill_images

from boyi.core.board import Change, Stone
from boyi.core.errors import IllegalMoveError, TextError, shorten
from boyi.core.words import Words
from boyi.games.liuzhou.text import PHASES, SIDES, point_name, point_number, read_fields

_TASKS = (Words("place a stone", "落子"), Words("mark a stone of the opponent", "标记对方一子"),
          Words("clear the marked stones", "清除被标记的子"), Words("move a stone", "走子"),
          Words("capture a stone", "吃对方一子"), Words("remove a stone of the opponent", "拿掉对方一子"),
          Words("remove a stone in return", "回拿对方一子"))
_STAGES = (Words("placing", "布子"), Words("clearing", "清子"), Words("moving", "走子"))
_STUCK = Words("no stone can move: remove one of the opponent", "无子可走：拿掉对方一子")

cdef enum:
    SIZE = 6
    POINTS = 36
    EACH = 18              # stones that a player puts down
    MOST_PENDING = 8       # one stone may complete four squares, a row and a column

cdef uint64_t ALL = (<uint64_t> 1 << POINTS) - 1
cdef uint64_t COLUMN_A = <uint64_t> 0x041041041
cdef uint64_t COLUMN_B = COLUMN_A << 1
cdef uint64_t COLUMN_C = COLUMN_A << 2
cdef uint64_t COLUMN_F = COLUMN_A << 5
cdef uint64_t ROW_1 = <uint64_t> 0x3F
cdef uint64_t FIRST_CORNERS = ALL & ~COLUMN_F & ~(ROW_1 << 30)   # where the top left stone of a square may stand

# Per point: its row, its column, the top left corners of the squares that contain it, its neighbours.
cdef uint64_t[POINTS] ROWS
cdef uint64_t[POINTS] COLUMNS
cdef uint64_t[POINTS] CORNERS
cdef uint64_t[POINTS] NEIGHBOURS
# The steps up from points 6 … 35, then the steps down from points 0 … 29.
cdef move_t[60] VERTICAL
# The diagonals above the main one, whose points change places with those below it in a transposition.
cdef uint64_t[SIZE] DIAGONALS


cdef int _fill_tables() except -1:
    cdef int row, column, point
    cdef uint64_t stone
    for row in range(SIZE):
        for column in range(SIZE):
            point = SIZE * row + column
            stone = <uint64_t> 1 << point
            ROWS[point] = ROW_1 << SIZE * row
            COLUMNS[point] = COLUMN_A << column
            CORNERS[point] = (stone | (stone & ~COLUMN_A) >> 1 | stone >> 6 | (stone & ~COLUMN_A) >> 7) & FIRST_CORNERS
            NEIGHBOURS[point] = ((stone & ~COLUMN_A) >> 1 | (stone & ~COLUMN_F) << 1 | stone >> 6 | stone << 6) & ALL
            if row > 0:
                VERTICAL[point - 6] = STEP << 12 | point << 6 | point - 6
            if row < SIZE - 1:
                VERTICAL[30 + point] = STEP << 12 | point << 6 | point + 6
            if column > row:
                DIAGONALS[column - row] |= stone
    return 0


_fill_tables()


cdef inline uint64_t _square_corners(uint64_t stones) noexcept nogil:
    """The top left stones of all squares; those that would wrap round the edge are still among them."""
    cdef uint64_t pairs = stones & stones >> 1
    return pairs & pairs >> 6


cdef uint64_t in_shapes(uint64_t stones) noexcept nogil:
    """Those of one side's unmarked stones that stand in a square or fill a row or column."""
    cdef uint64_t corners = _square_corners(stones) & FIRST_CORNERS
    cdef uint64_t tops = corners | corners << 1
    cdef uint64_t two, four
    two = stones & stones >> 1
    four = two & two >> 2
    cdef uint64_t rows = (four & two >> 4 & COLUMN_A) * ROW_1
    two = stones & stones >> 6
    four = two & two >> 12
    cdef uint64_t columns = (four & two >> 24 & ROW_1) * COLUMN_A
    return tops | tops << 6 | rows | columns


cdef uint64_t targets(uint64_t stones) noexcept nogil:
    """Which of the opponent's unmarked stones may be marked or removed: ordinary ones first."""
    cdef uint64_t ordinary = stones & ~in_shapes(stones)
    return ordinary if ordinary else stones


cdef uint64_t movable(uint64_t own, uint64_t empty) noexcept nogil:
    """Those of `own` that have an empty neighbour."""
    return own & (empty << 6 | empty >> 6 | (empty & ~COLUMN_F) << 1 | (empty & ~COLUMN_A) >> 1)


cdef int earned(uint64_t own, int point, bint maximum) noexcept nogil:
    """How many marks or captures the unmarked stones `own` bring the one that just came to `point`."""
    cdef uint64_t squares = _square_corners(own) & CORNERS[point]
    cdef int lines = (~own & ROWS[point] == 0) + (~own & COLUMNS[point] == 0)
    if maximum:
        return 2 if lines else squares != 0
    return popcount(squares) + 2 * lines


cdef inline int _write(move_t* moves, uint64_t points, move_t kind) noexcept nogil:
    """An action of that kind for each of the points; how many there are."""
    cdef int n = 0
    while points:
        moves[n] = kind << 12 | <move_t> lowest(points)
        points &= points - 1
        n += 1
    return n


cdef inline int _write_sideways(move_t* moves, uint64_t stones, int distance) noexcept nogil:
    """A step to the left (-1) or right (1) for each of the stones; how many there are."""
    cdef int n = 0
    while stones:
        moves[n] = (STEP << 12) + 65 * lowest(stones) + distance   # 65 * from = from << 6 | from
        stones &= stones - 1
        n += 1
    return n


cdef inline int _write_vertical(move_t* moves, uint64_t up, uint64_t down) noexcept nogil:
    """A step up and down for each of those stones; how many there are.

    Both fit into one word. One loop instead of two means one mispredicted end of a loop less: 11 % more
    random games a second.
    """
    cdef uint64_t steps = up >> 6 | down << 30
    cdef int n = 0
    while steps:
        moves[n] = VERTICAL[lowest(steps)]
        steps &= steps - 1
        n += 1
    return n


cdef inline uint64_t _mirror(uint64_t word) noexcept nogil:
    """Left and right exchanged."""
    return ((word & COLUMN_A) << 5 | (word & COLUMN_B) << 3 | (word & COLUMN_C) << 1
            | (word >> 5 & COLUMN_A) | (word >> 3 & COLUMN_B) | (word >> 1 & COLUMN_C))


cdef inline uint64_t _transpose(uint64_t word) noexcept nogil:
    """Rows and columns exchanged: along each diagonal, points trade places 5 bits per step apart."""
    cdef uint64_t swapped = word
    cdef uint64_t change
    cdef int i
    for i in range(1, SIZE):
        change = (word ^ word >> 5 * i) & DIAGONALS[i]
        swapped ^= change ^ change << 5 * i
    return swapped


# Where each image puts each point, and where it has it from; as long as six bits can ask for.
cdef move_t IMAGES[8][64]
cdef move_t ORIGINALS[8][64]


fill_images(IMAGES, ORIGINALS, POINTS, _mirror, _transpose)


cdef inline move_t _moved(move_t move, move_t* points) noexcept nogil:
    """The move with its points put elsewhere."""
    cdef move_t kind = move >> 12
    if kind == CLEAR:
        return move
    if kind == STEP:
        return kind << 12 | points[move >> 6 & 63] << 6 | points[move & 63]
    return kind << 12 | points[move & 63]


cdef inline key_t _key(uint64_t black, uint64_t white, uint64_t marked, State* state) noexcept nogil:
    cdef uint64_t rest = state.phase << 5 | state.pending << 1 | state.actor
    return mix(mix(mix((black | rest << POINTS) + <uint64_t> 0x9E3779B97F4A7C15) ^ white) ^ marked)


cdef inline int _beaten(State* state, int threshold) noexcept nogil:
    """Who has too few stones: BLACK (asked first), WHITE or -1 for neither; nobody before MOVING."""
    if state.phase < MOVING:
        return -1
    if popcount(state.stones[BLACK]) < threshold:
        return BLACK
    if popcount(state.stones[WHITE]) < threshold:
        return WHITE
    return -1


cdef inline void _after_placing(State* state) noexcept nogil:
    """A stone was placed or marked: what comes next? Pending marks without a target lapse."""
    if state.pending and state.stones[state.actor ^ 1] & ~state.marked:
        state.phase = MARKING
        return
    state.pending = 0
    if state.stones[BLACK] | state.stones[WHITE] == ALL:
        state.phase = CLEARING
        state.actor = WHITE
    else:
        state.phase = PLACING
        # Only in a composed position can one side have placed all its stones while the other has not.
        if popcount(state.stones[state.actor ^ 1]) < EACH:
            state.actor ^= 1


cdef class LiuzhouPosition(Position):
    """A position of Liuzhou qi."""

    def __init__(self, game, options):
        Position.__init__(self, game, options)
        self._records(sizeof(Record))
        self.threshold = options["threshold"]
        self.maximum = options["shapes"] == "maximum"
        self.action_limit = options["action_limit"]
        self.quiet_limit = options["quiet_limit"]
        self.start_text = self.to_text()

    cdef int generate(self, move_t* moves) except -1 nogil:
        cdef State* state = &self.state
        cdef uint64_t own, empty
        cdef int n
        if self.side == OVER:
            return 0
        if state.phase == PLACING:
            return _write(moves, ALL & ~(state.stones[BLACK] | state.stones[WHITE]), PUT)
        if state.phase == MOVING:
            own = state.stones[state.actor]
            empty = ALL & ~(state.stones[BLACK] | state.stones[WHITE])
            n = _write_vertical(moves, own & empty << 6, own & empty >> 6)
            n += _write_sideways(moves + n, own & (empty & ~COLUMN_F) << 1, -1)
            n += _write_sideways(moves + n, own & (empty & ~COLUMN_A) >> 1, 1)
            if n:
                return n
        if state.phase == CLEARING:
            moves[0] = CLEAR << 12
            return 1
        return _write(moves, targets(state.stones[state.actor ^ 1] & ~state.marked),
                      MARK if state.phase == MARKING else TAKE)

    cdef int count(self) except -1 nogil:
        cdef State* state = &self.state
        cdef uint64_t own, empty
        cdef int n
        if self.side == OVER:
            return 0
        empty = ALL & ~(state.stones[BLACK] | state.stones[WHITE])
        if state.phase == PLACING:
            return popcount(empty)
        if state.phase == MOVING:
            own = state.stones[state.actor]
            n = (popcount(own & empty << 6) + popcount(own & empty >> 6)
                 + popcount(own & (empty & ~COLUMN_F) << 1) + popcount(own & (empty & ~COLUMN_A) >> 1))
            if n:
                return n
        if state.phase == CLEARING:
            return 1
        return popcount(targets(state.stones[state.actor ^ 1] & ~state.marked))

    cdef int legal(self, move_t move) except -1 nogil:
        cdef State* state = &self.state
        cdef uint64_t empty = ALL & ~(state.stones[BLACK] | state.stones[WHITE])
        cdef uint64_t own
        cdef int source = move >> 6 & 63, point = move & 63
        cdef move_t kind = move >> 12
        if self.side == OVER:
            return 0
        if state.phase == CLEARING:
            return move == CLEAR << 12
        if state.phase == MOVING:
            own = state.stones[state.actor]
            if movable(own, empty):
                return kind == STEP and own >> source & 1 and NEIGHBOURS[source] & empty & (<uint64_t> 1 << point) != 0
        if source != 0:
            return 0
        if state.phase == PLACING:
            return kind == PUT and empty >> point & 1
        return (kind == (MARK if state.phase == MARKING else TAKE)
                and targets(state.stones[state.actor ^ 1] & ~state.marked) >> point & 1)

    cdef int over(self) except -1 nogil:
        return self.side == OVER

    cdef int make(self, move_t move) except -1 nogil:
        cdef Record* record = <Record*> self.push()
        cdef State* state = &self.state
        cdef int actor = state.actor
        cdef int point = move & 63
        cdef uint64_t stone = <uint64_t> 1 << point
        cdef int gain
        record.move = move
        record.before = state[0]
        state.actions += 1
        if state.phase == MOVING and move >> 12 == STEP:
            state.stones[actor] ^= stone | <uint64_t> 1 << (move >> 6 & 63)
            state.quiet += 1
            gain = earned(state.stones[actor], point, self.maximum)
            if gain:               # there is a target: a side without stones is beaten already
                state.phase = CAPTURING
                state.pending = gain
            else:
                state.actor ^= 1
        elif state.phase == PLACING:
            state.stones[actor] |= stone
            state.pending = earned(state.stones[actor] & ~state.marked, point, self.maximum)
            _after_placing(state)
        elif state.phase == MARKING:
            state.marked |= stone
            state.pending -= 1
            _after_placing(state)
        elif state.phase == CLEARING:
            if state.marked:
                state.stones[BLACK] &= ~state.marked
                state.stones[WHITE] &= ~state.marked
                state.marked = 0
                state.phase = MOVING
            else:
                state.quiet += 1
                state.phase = FORCED
            if _beaten(state, self.threshold) >= 0:
                self.side = OVER
                return 0
        else:                      # one stone of the opponent goes
            state.stones[actor ^ 1] ^= stone
            state.quiet = 0
            if state.phase == CAPTURING:
                state.pending -= 1
            if popcount(state.stones[actor ^ 1]) < self.threshold:
                self.side = OVER
                return 0
            if state.phase == MOVING:
                state.phase = COUNTER
                state.actor ^= 1
            elif state.pending == 0:
                if state.phase != FORCED or actor == BLACK:
                    state.phase = MOVING
                state.actor ^= 1
        self.side = state.actor
        if state.actions >= self.action_limit or state.quiet >= self.quiet_limit:
            self.side = OVER
        return 0

    cdef int unmake(self) except -1 nogil:
        cdef Record* record = <Record*> self.pop()
        self.state = record.before
        self.side = self.state.actor
        return 0

    cdef key_t key(self) noexcept nogil:
        return _key(self.state.stones[BLACK], self.state.stones[WHITE], self.state.marked, &self.state)

    cdef key_t canonical_key(self, int* image) except? 0 nogil:
        """Of eight images, each the last one mirrored or transposed."""
        cdef uint64_t black = self.state.stones[BLACK]
        cdef uint64_t white = self.state.stones[WHITE]
        cdef uint64_t marked = self.state.marked
        cdef key_t best = _key(black, white, marked, &self.state), one
        cdef int i
        image[0] = 0
        for i in range(1, 8):
            if i & 1:
                black = _mirror(black)
                white = _mirror(white)
                marked = _mirror(marked)
            else:
                black = _transpose(black)
                white = _transpose(white)
                marked = _transpose(marked)
            one = _key(black, white, marked, &self.state)
            if one < best:
                best = one
                image[0] = i
        return best

    cdef int images(self) noexcept nogil:
        return 8

    cdef move_t image_of(self, move_t move, int image) noexcept nogil:
        return _moved(move, IMAGES[image])

    cdef move_t original_of(self, move_t move, int image) noexcept nogil:
        return _moved(move, ORIGINALS[image])

    cdef int score(self, double* scores) except -1 nogil:
        cdef int loser = _beaten(&self.state, self.threshold)
        scores[BLACK] = (loser == WHITE) - (loser == BLACK)
        scores[WHITE] = -scores[BLACK]
        return 0

    cdef int copy_state(self, Rules other) except -1:
        cdef LiuzhouPosition source = <LiuzhouPosition> other
        self.state = source.state
        self.threshold = source.threshold
        self.maximum = source.maximum
        self.action_limit = source.action_limit
        self.quiet_limit = source.quiet_limit
        return 0

    # ------------------------------------------------------------------ words and pictures

    @property
    def phase(self):
        """The phase: place, mark, clear, move, capture, forced or counter."""
        return PHASES[self.state.phase]

    @property
    def pending(self):
        """How many marks or captures the side to act still has to make."""
        return self.state.pending

    @property
    def actions(self):
        """How many actions have been made since the game began."""
        return self.state.actions

    @property
    def quiet_actions(self):
        """How many actions in a row, since placement ended, left the number of stones as it was."""
        return self.state.quiet

    def reason(self):
        cdef int loser = _beaten(&self.state, self.threshold)
        if loser >= 0:
            side = SIDES[loser]
            left = popcount(self.state.stones[loser])
            if left == 0:
                return "beaten", Words(f"{side.en} has lost all stones", f"{side.zh}棋子全失")
            return "beaten", Words(
                f"{side.en} has {left} {'stone' if left == 1 else 'stones'} left, fewer than {self.threshold}",
                f"{side.zh}只剩{left}子，不足{self.threshold}子")
        if self.state.actions >= self.action_limit:
            return "action_limit", Words(f"a draw: {self.action_limit} actions have been made",
                                         f"和棋：已行{self.action_limit}步")
        return "quiet_limit", Words(f"a draw: {self.quiet_limit} actions in a row without a stone removed",
                                    f"和棋：连续{self.quiet_limit}步无子被移除")

    def status(self):
        cdef State* state = &self.state
        if self.side == OVER:
            return None
        if state.phase == MOVING and not movable(state.stones[state.actor],
                                                 ALL & ~(state.stones[BLACK] | state.stones[WHITE])):
            return _STUCK
        words = _TASKS[state.phase]
        if state.pending < 2:
            return words
        return Words(f"{words.en} ({state.pending} to go)", f"{words.zh}（还有 {state.pending} 个）")

    def stage(self):
        if self.state.phase == PLACING or self.state.phase == MARKING:
            return _STAGES[0]
        # Where nothing was marked, each side removes a stone in place of the clearing.
        return _STAGES[1 if self.state.phase == CLEARING or self.state.phase == FORCED else 2]

    def to_text(self):
        rows = []
        for row in range(SIZE):
            cells = "".join(self._glyph(SIZE * row + column) or "." for column in range(SIZE))
            for run in range(SIZE, 0, -1):
                cells = cells.replace("." * run, str(run))
            rows.append(cells)
        return (f"{'/'.join(rows)} {'bw'[self.state.actor]} {self.phase} "
                f"{self.state.pending} {self.state.actions} {self.state.quiet}")

    def set_text(self, text):
        cdef State state = _read(text, self.threshold, self.maximum, self.action_limit, self.quiet_limit)
        self.state = state
        self.side = state.actor
        if (_beaten(&state, self.threshold) >= 0 or state.actions >= self.action_limit
                or state.quiet >= self.quiet_limit):
            self.side = OVER
        self.ply = 0
        self.start_text = self.to_text()

    def format_move(self, move):
        cdef int kind = move >> 12
        if kind == CLEAR:
            return "clear"
        if kind == STEP:
            return f"{point_name(move >> 6 & 63)}-{point_name(move & 63)}"
        return {PUT: "", MARK: "!", TAKE: "x"}[kind] + point_name(move & 63)

    def parse_move(self, text):
        lower = text.strip().lower() if isinstance(text, str) else ""
        if lower == "clear":
            move = CLEAR << 12
        elif len(lower) == 5 and lower[2] == "-":
            move = STEP << 12 | point_number(lower[:2], text) << 6 | point_number(lower[3:], text)
        elif lower[:1] in ("!", "x"):
            move = (MARK if lower[0] == "!" else TAKE) << 12 | point_number(lower[1:], text)
        else:
            move = PUT << 12 | point_number(lower, text)
        if not self.legal(move):
            raise IllegalMoveError(self._refusal(shorten(text)))
        return move

    def path(self, move):
        cdef int kind = move >> 12
        if kind == CLEAR:
            return ()
        if kind == STEP:
            return point_name(move >> 6 & 63), point_name(move & 63)
        return (point_name(move & 63),)

    def stones(self):
        return [Stone(point_name(point), self._glyph(point)) for point in range(POINTS) if self._glyph(point)]

    def changes(self, move):
        cdef int kind = move >> 12, point = move & 63
        if kind == PUT:
            return [Change("placed", point_name(point), "bw"[self.state.actor])]
        if kind == MARK:
            return [Change("marked", point_name(point), self._glyph(point).upper())]
        if kind == STEP:
            source = move >> 6 & 63
            return [Change("moved", point_name(source), self._glyph(source), point_name(point))]
        if kind == TAKE:
            return [Change("captured", point_name(point), self._glyph(point))]
        return [Change("captured", point_name(point), self._glyph(point))
                for point in range(POINTS) if self.state.marked >> point & 1]

    def _glyph(self, int point):
        """What stands on a point: b, w, marked B, W, or nothing."""
        glyph = ("b" if self.state.stones[BLACK] >> point & 1
                 else "w" if self.state.stones[WHITE] >> point & 1 else "")
        return glyph.upper() if self.state.marked >> point & 1 else glyph


cdef State _read(text, int threshold, bint maximum, int action_limit, int quiet_limit) except *:
    """The state that a text describes."""
    cdef State state
    cdef int point
    fields = read_fields(text, most_pending=MOST_PENDING, action_limit=action_limit, quiet_limit=quiet_limit)
    state.stones[BLACK] = state.stones[WHITE] = state.marked = 0
    for point, cell in enumerate(fields.cells):
        if cell != ".":
            state.stones["bw".index(cell.lower())] |= <uint64_t> 1 << point
            if cell.isupper():
                state.marked |= <uint64_t> 1 << point
    state.actor = fields.side
    state.phase = fields.phase
    state.pending = fields.pending
    state.actions = fields.actions
    state.quiet = fields.quiet
    _check_pending(&state, threshold, maximum)
    return state


cdef int _check_pending(State* state, int threshold, bint maximum) except -1:
    """Are there as many pending actions as there can be, and stones for them?"""
    cdef int fewest = 0, most = 0
    if state.phase == MARKING or state.phase == CAPTURING:
        fewest = 1
        most = 2 if maximum else MOST_PENDING
        if _beaten(state, threshold) >= 0:    # the winning capture is made, others may have been dropped
            fewest = 0
            most -= 1
    if not fewest <= state.pending <= most:
        allowed = f"from {fewest} to {most}" if most else "0"
        raise TextError(f"in the phase {PHASES[state.phase]} the number of pending actions is {allowed}, "
                        f"not {state.pending}")
    if state.phase == MARKING and not state.stones[state.actor ^ 1] & ~state.marked:
        raise TextError(f"{SIDES[state.actor]} has no stone left to mark, so the phase is not mark any more")
    return 0
