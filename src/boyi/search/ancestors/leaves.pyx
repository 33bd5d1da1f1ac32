"""Average and minimum of the leaves, as in the students' report on Chinese checkers.

All lines that forward pruning leaves are played out to a depth; a root move is worth the average (the minimum) of their
ends. A win is worth a bonus for every ply it comes before the horizon. A position met before in this search may count
only once, where it was met first.
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.string cimport memset

from boyi.core.types cimport CHANCE, MAX_MOVES, MAX_PLAYERS, OVER, key_t, move_t
from boyi.kit.control cimport out_of_budget
from boyi.search.deepening cimport RootLine
from boyi.search.forward_pruning cimport MAX_PLY, PruningSearch
from boyi.search.scores cimport UNIT
from boyi.search.table cimport NO_MOVE

cdef double NO_LEAVES = -1e6           # as a score, below all others: what is below this move was met below other moves


cdef class LeafSearch(PruningSearch):
    """A search in which every line counts."""

    def __cinit__(self, *args):
        self.visited = <key_t*> PyMem_RawCalloc(VISITED, sizeof(key_t))
        if self.visited == NULL:
            raise MemoryError("no room for a search")

    def __dealloc__(self):
        PyMem_RawFree(self.visited)

    def __init__(self, evaluator, options):
        PruningSearch.__init__(self, evaluator, options)
        self.minimum = options.algorithm == "minimum"
        self.win_bonus = options.win_bonus
        self.skip_searched = options.skip_searched

    cdef int search_line(self, int depth, int first) except -1 nogil:
        if first > 0:
            return 0
        memset(self.visited, 0, VISITED * sizeof(key_t))
        return self.rank_roots(depth)

    cdef double exact_root_value(self, move_t move, int depth) except? -1e300 nogil:
        cdef Leaves leaves
        leaves.count = 0
        leaves.total = 0
        leaves.least = 1e9
        self.position.make(move)
        self.add_leaves(depth - 1, 1, &leaves)
        self.position.unmake()
        if leaves.count == 0:
            return UNIT * NO_LEAVES
        return UNIT * (leaves.least if self.minimum else leaves.total / leaves.count)

    cdef object wins_in(self, RootLine* line):
        return None

    cdef int add_leaves(self, int depth, int ply, Leaves* leaves) except -1 nogil:
        """Add up the leaves below, as the player at the root values them."""
        cdef double values[MAX_PLAYERS]
        cdef double score
        cdef move_t* moves
        cdef int i, n
        cdef key_t key
        cdef bint decided

        # Step 1. Count the node; limits and stop().
        if out_of_budget(&self.control):
            return 0

        # Step 2. A position met before counts once, where it was met first.
        if self.skip_searched:
            key = self.position.key()
            if self.visited[key & (VISITED - 1)] == key:
                self.counters.skipped += 1
                return 0
            self.visited[key & (VISITED - 1)] = key

        # Step 3. A leaf: the horizon, the end of the game, or of it for the player at the root.
        decided = self.position.settled(self.root_player, &score) or self.position.side == OVER
        if decided or depth <= 0 or ply >= MAX_PLY or self.position.over():
            self.counters.leaves += 1
            if self.position.side == OVER or self.position.over():
                self.position.score(values)
            else:
                self.evaluator.evaluate_players(self.position, values)
            if decided and not (self.position.side == OVER and values[self.root_player] < 1):
                values[self.root_player] += self.win_bonus * (1 + (depth if depth > 0 else 0))
            leaves.count += 1
            leaves.total += values[self.root_player]
            if values[self.root_player] < leaves.least:
                leaves.least = values[self.root_player]
            return 0
        if self.position.side == CHANCE:
            self.refuse_chance()

        # Step 4. All moves that forward pruning leaves, of all players.
        moves = &self.moves[ply * MAX_MOVES]
        n = self.select(moves, &self.orders[ply * MAX_MOVES], ply, NO_MOVE)
        for i in range(n):
            self.position.make(moves[i])
            self.add_leaves(depth - 1, ply + 1, leaves)
            self.position.unmake()
            if self.control.stopped:
                return 0
        return 0
