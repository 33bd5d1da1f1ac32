"""The evaluation of `LineEvaluator`, computed at every call instead of looked up.

The ancestor asks whether one automaton that scans a line beats a nest of loops. Here are both, worth exactly what
the table of all lines is worth, so that they can be compared:

`ScanEvaluator`: one step of the automaton per point, whatever the number of features.
`LoopEvaluator`: one loop per feature, as one writes it first.

    >>> import boyi
    >>> game = boyi.find_game("othello")
    >>> position = boyi.parse("othello", "-O-OX-XOXOOXX-OOXXOOOOOO-XXOXXXO-XXOOOXOX-XOOOOO-XXO-XOOXX-OOOOO X")
    >>> len({game.evaluators[name]().value(position) for name in ("lines", "lines_dfa", "lines_loops")})
    1
"""

from libc.stdint cimport uint8_t, uint64_t

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position
from boyi.games.othello.position cimport OthelloPosition

from boyi.games.othello import automata

cdef enum:
    LINES = 38                 # 8 rows, 8 columns, 22 diagonals of three points and more
    STATES = 64                # room for the automaton
    FEATURES = 11
    MOST = 6400                # no evaluation is beyond 64 discs

    # Letters, in the order of automata.LETTERS.
    EMPTY = 0
    OWN = 1
    OTHER = 2
    BORDER = 3

cdef uint8_t POINTS[LINES][8]
cdef int LENGTH[LINES]
cdef int KIND[LINES]                       # an index into automata.KINDS
cdef uint8_t STEPS[STATES][4]
cdef int STATE_WORTH[3][STATES]            # per kind of line: what the features that end in a state are worth together
cdef int WORTH[3][FEATURES]                # per kind of line and feature, in the order of automata.FEATURES
cdef bint ready = False


cdef int _lay_out() except -1:
    """Fill the tables above, once for the life of the process."""
    global ready
    cdef int line, state, kind, feature, i
    if ready:
        return 0
    found = []
    for i in range(8):
        border = "edge" if i in (0, 7) else "inner"
        found += [(border, [(column, i) for column in range(8)]), (border, [(i, row) for row in range(8)])]
    for i in range(-5, 6):
        found += [("diagonal", [(row + i, row) for row in range(8) if 0 <= row + i < 8]),
                  ("diagonal", [(7 - row - i, row) for row in range(8) if 0 <= row + i < 8])]
    for line, (name, points) in enumerate(found):
        KIND[line] = automata.KINDS.index(name)
        LENGTH[line] = len(points)
        for i, (column, row) in enumerate(points):
            POINTS[line][i] = 8 * row + column
    automaton = automata.automaton()
    assert len(automaton.steps) <= STATES and len(automata.FEATURES) == FEATURES and automata.LETTERS == "EBW#"
    for state, (steps, ends) in enumerate(zip(automaton.steps, automaton.ends, strict=True)):
        for i in range(4):
            STEPS[state][i] = steps[i]
        for kind, name in enumerate(automata.KINDS):
            STATE_WORTH[kind][state] = sum([getattr(automata.FEATURES[end], name) for end in ends])
    for feature, each in enumerate(automata.FEATURES.values()):
        for kind, name in enumerate(automata.KINDS):
            WORTH[kind][feature] = getattr(each, name)
    ready = True
    return 0


cdef inline int _read(Position position, uint8_t* board) noexcept nogil:
    """The board as letters."""
    cdef uint64_t own = (<OthelloPosition> position).discs[position.side]
    cdef uint64_t other = (<OthelloPosition> position).discs[position.side ^ 1]
    cdef int point
    for point in range(64):
        board[point] = <uint8_t> ((own >> point & 1) * OWN + (other >> point & 1) * OTHER)
    return 0


cdef inline int _bound(int value) noexcept nogil:
    return -MOST if value < -MOST else MOST if value > MOST else value


cdef class ScanEvaluator(Evaluator):
    """Runs the automaton along every line, each way and for each colour."""

    def __cinit__(self):
        self.scale = 600.0
        _lay_out()

    cdef int evaluate(self, Position position) except? -32768 nogil:
        cdef uint8_t board[64]
        cdef uint8_t exchanged[4]
        cdef const int* worth
        cdef int line, i, n, letter, value = 0
        cdef int there, back, other_there, other_back     # four runs at once: the processor need not wait for one
        exchanged[EMPTY], exchanged[OWN], exchanged[OTHER], exchanged[BORDER] = EMPTY, OTHER, OWN, BORDER
        _read(position, board)
        for line in range(LINES):
            worth = STATE_WORTH[KIND[line]]
            n = LENGTH[line]
            there = back = other_there = other_back = STEPS[0][BORDER]
            value += worth[there] + worth[back] - worth[other_there] - worth[other_back]
            for i in range(n):
                letter = board[POINTS[line][i]]
                there = STEPS[there][letter]
                other_there = STEPS[other_there][exchanged[letter]]
                letter = board[POINTS[line][n - 1 - i]]
                back = STEPS[back][letter]
                other_back = STEPS[other_back][exchanged[letter]]
                value += worth[there] + worth[back] - worth[other_there] - worth[other_back]
            value += (worth[STEPS[there][BORDER]] + worth[STEPS[back][BORDER]]
                      - worth[STEPS[other_there][BORDER]] - worth[STEPS[other_back][BORDER]])
        return _bound(value)


cdef int _count(const uint8_t* line, int n, int own, int other, const int* worth) noexcept nogil:
    """What the features of `own` are worth in a line; line[0] and line[n + 1] are its borders."""
    cdef int i, run, value = 0
    # disc: B
    for i in range(1, n + 1):
        if line[i] == own:
            value += worth[0]
    # anchored: #B+
    i = 1
    while line[i] == own:
        value += worth[1]
        i += 1
    # near the border: #EB; third from the border: #EEB
    if line[1] == EMPTY:
        if line[2] == own:
            value += worth[2]
        elif line[2] == EMPTY and line[3] == own:
            value += worth[3]
    # free: [#E] B+ [#E]
    for i in range(1, n + 1):
        if line[i] == own and (line[i - 1] == EMPTY or line[i - 1] == BORDER):
            run = i
            while line[run] == own:
                run += 1
            if line[run] == EMPTY or line[run] == BORDER:
                value += worth[4]
    # outflankable: E B+ W
    for i in range(2, n + 1):
        if line[i] == own and line[i - 1] == EMPTY:
            run = i
            while line[run] == own:
                run += 1
            if line[run] == other:
                value += worth[5]
    # pressing: W+ B
    for i in range(2, n + 1):
        if line[i] == own and line[i - 1] == other:
            value += worth[6]
    # wedge: B W B
    for i in range(3, n + 1):
        if line[i] == own and line[i - 1] == other and line[i - 2] == own:
            value += worth[7]
    # taking the border: #W+B
    i = 1
    while line[i] == other:
        i += 1
    if i > 1 and line[i] == own:
        value += worth[8]
    # whole: #B+#
    i = 1
    while line[i] == own:
        i += 1
    if i == n + 1:
        value += worth[9]
    # frontier: B E
    for i in range(2, n + 1):
        if line[i] == EMPTY and line[i - 1] == own:
            value += worth[10]
    return value


cdef class LoopEvaluator(Evaluator):
    """Looks for every feature with a loop of its own."""

    def __cinit__(self):
        self.scale = 600.0
        _lay_out()

    cdef int evaluate(self, Position position) except? -32768 nogil:
        cdef uint8_t board[64]
        cdef uint8_t there[10]
        cdef uint8_t back[10]
        cdef const int* worth
        cdef int line, i, n, value = 0
        _read(position, board)
        for line in range(LINES):
            worth = WORTH[KIND[line]]
            n = LENGTH[line]
            there[0] = back[0] = there[n + 1] = back[n + 1] = BORDER
            for i in range(n):
                there[i + 1] = back[n - i] = board[POINTS[line][i]]
            value += _count(there, n, OWN, OTHER, worth) + _count(back, n, OWN, OTHER, worth)
            value -= _count(there, n, OTHER, OWN, worth) + _count(back, n, OTHER, OWN, worth)
        return _bound(value)
