"""Iterative deepening: depth after depth until a limit is met, keeping what the last finished depth found.

Several lines (MultiPV) are found one after the other: the best of all root moves, then the best of the rest, and so on.
All lines of an answer are of one depth, for else their values could not be compared; only a single one may come from
an unfinished depth, where the best move of the last depth was searched first, so that what replaced it is better.

A search is a subclass, which says what a root move is worth.
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy, memmove

from boyi.core.evaluator cimport WIN
from boyi.core.types cimport MAX_MOVES, move_t
from boyi.kit.control cimport has_deadline, now
from boyi.kit.pages cimport give_pages, take_pages
from boyi.search.table cimport NO_MOVE
from boyi.search.values cimport INFINITE, PROVEN

from operator import attrgetter

from boyi.core.searcher import Line, Result

cdef double UNFINISHED = -1e6          # below every value: a root move that the first depth did not come to


cdef inline int _playable_length(move_t* line, int length) noexcept nogil:
    """A line ends where a player passes: what follows cannot be played as it stands."""
    cdef int playable = 1
    while playable < length and line[playable] != NO_MOVE:
        playable += 1
    return playable


cdef class Deepening:
    """A search in depth after depth. All its memory is taken when it is made."""

    cdef int take_memory(self, int plies, int line_room) except -1:
        """Room for a tree of that many plies; subclasses call it once, in `__cinit__`."""
        cdef size_t listed = <size_t> plies * MAX_MOVES, followed = <size_t> MAX_MOVES * line_room
        self.line_room = line_room
        self.room = 2 * (listed + followed) * sizeof(move_t)
        self.moves = <move_t*> take_pages(self.room)
        if self.moves == NULL:
            raise MemoryError("no room for a search")
        self.orders = <int32_t*> (self.moves + listed)
        self.fresh.moves = self.moves + 2 * listed
        self.best.moves = self.fresh.moves + followed
        self.lines = <move_t*> PyMem_RawCalloc(plies * line_room, sizeof(move_t))
        self.line_lengths = <int*> PyMem_RawCalloc(plies, sizeof(int))
        self.root_moves = <move_t*> PyMem_RawCalloc(MAX_MOVES, sizeof(move_t))
        self.root_values = <int*> PyMem_RawCalloc(MAX_MOVES, sizeof(int))
        self.root_nodes = <int64_t*> PyMem_RawCalloc(MAX_MOVES, sizeof(int64_t))
        self.fresh.heads = <RootLine*> PyMem_RawCalloc(MAX_MOVES, sizeof(RootLine))
        self.best.heads = <RootLine*> PyMem_RawCalloc(MAX_MOVES, sizeof(RootLine))
        if (self.lines == NULL or self.line_lengths == NULL or self.root_moves == NULL or self.root_values == NULL
                or self.root_nodes == NULL or self.fresh.heads == NULL or self.best.heads == NULL):
            raise MemoryError("no room for a search")
        return 0

    def __dealloc__(self):
        give_pages(self.moves, self.room)
        PyMem_RawFree(self.lines)
        PyMem_RawFree(self.line_lengths)
        PyMem_RawFree(self.root_moves)
        PyMem_RawFree(self.root_values)
        PyMem_RawFree(self.root_nodes)
        PyMem_RawFree(self.fresh.heads)
        PyMem_RawFree(self.best.heads)

    # ------------------------------------------------------------------ depth after depth

    cdef int deepen(self, int deepest, int lines) except -1 nogil:
        cdef int depth, first = 0, i

        # Step 1. The moves of the root. Without time for anything, the first is the answer.
        self.choose_roots()
        self.wanted = lines if lines < self.root_count else self.root_count
        self.depth_done = self.best_count = 0
        for i in range(self.root_count):
            self.root_values[i] = -INFINITE
            self.root_nodes[i] = 0
        self.line_lengths[1] = 0
        for i in range(self.wanted):
            extend_line(self.lines, self.line_lengths, self.line_room, self.root_moves[i], 0)
            self.keep_line(i, 0, 0)
        self.adopt(self.wanted if self.lists_all else 1)

        for depth in range(1, deepest + 1):
            if self.skips(depth, deepest):
                continue

            # Step 2. Line after line.
            for first in range(self.wanted):
                self.search_line(depth, first)
                if self.control.stopped:
                    break

            # Step 3. A limit was met. Keep a single line if its move was replaced by a better one; of several, those
            # that the first depth has finished.
            if self.control.stopped:
                if self.wanted == 1 and self.line_lengths[0] > 0:
                    self.keep_line(0, self.root_values[0], depth)
                elif depth == 1 and first > 0 and self.best_count == 1:
                    self.adopt(first)
                break

            # Step 4. The depth is done.
            self.depth_done = depth
            self.adopt(self.wanted)
            if self.on_depth is not None:
                with gil:
                    self.on_depth()
            if self.is_enough(depth):
                break
        return 0

    cdef int choose_roots(self) except -1 nogil:
        cdef int i, kept = 0
        self.root_count = self.position.generate(self.root_moves)
        if self.only is not None:
            with gil:
                for i in range(self.root_count):
                    if self.root_moves[i] in self.only:
                        self.root_moves[kept] = self.root_moves[i]
                        kept += 1
            self.root_count = kept
        return 0

    cdef bint skips(self, int depth, int deepest) noexcept nogil:
        return False

    cdef bint is_enough(self, int depth) noexcept nogil:
        return self.root_count == 1 and has_deadline(&self.control)

    # ------------------------------------------------------------------ the root, by bounds

    cdef int search_line(self, int depth, int first) except -1 nogil:
        self.search_root(depth, first, -INFINITE, INFINITE)
        return 0

    cdef int search_root(self, int depth, int first, int alpha, int beta) except? -32768 nogil:
        """The best of the root moves from number `first` on comes to that place, the others keeping their order."""
        cdef int best = -INFINITE, first_alpha = alpha, value, i, j
        cdef int64_t before, nodes
        cdef move_t move
        self.line_lengths[0] = 0
        for i in range(first, self.root_count):
            move = self.root_moves[i]
            before = self.control.nodes
            if i == first or not self.principal_variation:
                value = self.root_value(move, depth, alpha, beta, i - first)
            else:
                value = self.root_value(move, depth, alpha, alpha + 1, i - first)
                if alpha < value < beta and not self.control.stopped:
                    value = self.root_value(move, depth, alpha, beta, i - first)
            self.root_nodes[i] += self.control.nodes - before
            if self.control.stopped:
                return best
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    extend_line(self.lines, self.line_lengths, self.line_room, move, 0)
                    nodes = self.root_nodes[i]
                    for j in range(i, first, -1):
                        self.root_moves[j] = self.root_moves[j - 1]
                        self.root_values[j] = self.root_values[j - 1]
                        self.root_nodes[j] = self.root_nodes[j - 1]
                    self.root_moves[first] = move
                    self.root_values[first] = value
                    self.root_nodes[first] = nodes
                    if value >= beta:
                        break
                    self.keep_line(first, value, depth)
        if best <= first_alpha:
            self.root_values[first] = best
        return best

    cdef int root_value(self, move_t move, int depth, int alpha, int beta, int number) except? -32768 nogil:
        return 0

    # ------------------------------------------------------------------ the root, where every move has an exact value

    cdef int rank_roots(self, int depth) except -1 nogil:
        """Value all root moves and sort them, equal ones in the order they had. Nothing half done is kept."""
        cdef double found[MAX_MOVES]
        cdef int i, j, best, room = self.line_room
        cdef RootLine head
        for i in range(self.root_count):
            self.line_lengths[1] = 0
            found[i] = self.exact_root_value(self.root_moves[i], depth)
            extend_line(self.lines, self.line_lengths, room, self.root_moves[i], 0)
            memcpy(&self.fresh.moves[i * room], self.lines, room * sizeof(move_t))
            self.fresh.heads[i].length = _playable_length(self.lines, self.line_lengths[0])
            if self.control.stopped:
                self.line_lengths[0] = 0
                if depth > 1:
                    return self.adopt(self.wanted)
                for j in range(i, self.root_count):
                    found[j] = UNFINISHED
                break
        for i in range(self.root_count):
            self.fresh.heads[i].value = found[i]
            self.fresh.heads[i].depth = depth
        for i in range(self.root_count):
            best = i
            for j in range(i + 1, self.root_count):
                if self.fresh.heads[j].value > self.fresh.heads[best].value:
                    best = j
            head = self.fresh.heads[best]
            memcpy(self.lines, &self.fresh.moves[best * room], room * sizeof(move_t))
            memmove(&self.fresh.heads[i + 1], &self.fresh.heads[i], (best - i) * sizeof(RootLine))
            memmove(&self.fresh.moves[(i + 1) * room], &self.fresh.moves[i * room],
                    (best - i) * room * sizeof(move_t))
            self.fresh.heads[i] = head
            memcpy(&self.fresh.moves[i * room], self.lines, room * sizeof(move_t))
        for i in range(self.root_count):
            self.root_moves[i] = self.fresh.moves[i * room]
        if self.control.stopped:
            self.adopt(self.wanted)
        return 0

    cdef double exact_root_value(self, move_t move, int depth) except? -1e300 nogil:
        return 0

    # ------------------------------------------------------------------ lines and the answer

    cdef int keep_line(self, int number, double value, int depth) noexcept nogil:
        """The line from the root is the best so far of its number. A single one is the answer at once."""
        self.fresh.heads[number].value = value
        self.fresh.heads[number].depth = depth
        self.fresh.heads[number].length = _playable_length(self.lines, self.line_lengths[0])
        memcpy(&self.fresh.moves[number * self.line_room], self.lines, self.line_room * sizeof(move_t))
        if number == 0 and self.best_count == 1:
            self.adopt(1)
        return 0

    cdef int adopt(self, int lines) noexcept nogil:
        """The fresh lines are of one depth, no move among them twice: let them be the answer."""
        memcpy(self.best.heads, self.fresh.heads, lines * sizeof(RootLine))
        memcpy(self.best.moves, self.fresh.moves, lines * self.line_room * sizeof(move_t))
        self.best_count = lines
        return 0

    cdef int64_t nodes_of(self, move_t move) noexcept nogil:
        """How many were spent on a root move."""
        cdef int i
        for i in range(self.root_count):
            if self.root_moves[i] == move:
                return self.root_nodes[i]
        return 0

    cdef object answer(self, int64_t nodes, dict statistics):
        """What was found, the best line first."""
        cdef RootLine* head
        cdef move_t* moves
        cdef int i, j
        lines = []
        for i in range(self.best_count):
            head = &self.best.heads[i]
            moves = &self.best.moves[i * self.line_room]
            wins_in = self.wins_in(head)
            value = head.value if wins_in is None else float(WIN - wins_in if wins_in > 0 else -WIN - wins_in)
            lines.append(Line(tuple([moves[j] for j in range(head.length)]), value, wins_in))
        # Lines are found in order, but reductions and the table let values waver.
        lines.sort(key=attrgetter("value"), reverse=True)
        return Result(tuple(lines), self.depth_done, nodes, now() - self.control.began, statistics)

    cdef object wins_in(self, RootLine* line):
        if line.value > PROVEN:
            return int(WIN - line.value)
        return -int(WIN + line.value) if line.value < -PROVEN else None
