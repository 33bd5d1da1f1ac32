"""Max^n (Luckhardt and Irani 1986): every player maximises their own value.

Values are one number per player, and without a bound on their sum nothing can be cut off.
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy, memset

from boyi.core.types cimport CHANCE, MAX_MOVES, MAX_PLAYERS, OVER, key_t, move_t
from boyi.kit.control cimport out_of_budget
from boyi.search.deepening cimport RootLine, extend_line
from boyi.search.forward_pruning cimport MAX_PLY, PruningSearch
from boyi.search.scores cimport MAX_N, UNIT, salt_for
from boyi.search.table cimport NO_MOVE

# A certain score is worth a little more the sooner it is certain: per ply left. Less than any difference of values.
cdef double SOONER = 1e-6


cdef class MaxN(PruningSearch):
    """A search in which all players play for themselves."""

    def __cinit__(self, *args):
        self.slots = <Slot*> PyMem_RawCalloc(SLOTS, sizeof(Slot))
        if self.slots == NULL:
            raise MemoryError("no room for a search")

    def __dealloc__(self):
        PyMem_RawFree(self.slots)

    def __init__(self, evaluator, options):
        PruningSearch.__init__(self, evaluator, options)
        self.table = options.table_mb > 0

    cdef int prepare(self) except -1:
        PruningSearch.prepare(self)
        self.salt = salt_for(self.root_player, MAX_N)
        return 0

    cdef int forget(self) except -1:
        memset(self.slots, 0, SLOTS * sizeof(Slot))
        return 0

    cdef int search_line(self, int depth, int first) except -1 nogil:
        return self.rank_roots(depth) if first == 0 else 0

    cdef double exact_root_value(self, move_t move, int depth) except? -1e300 nogil:
        cdef double values[MAX_PLAYERS]
        self.descend(move, depth, 0, values)
        return UNIT * values[self.root_player]

    cdef object wins_in(self, RootLine* line):
        return None

    cdef int max_n(self, int depth, int ply, double* values) except -1 nogil:
        """The values for all players when everyone takes what is best for themselves.

        Where a player is indifferent, the result still must not depend on the order of the moves: they
        take the values that are smallest for the first of the players for whom they differ.
        """
        cdef double found[MAX_PLAYERS]
        cdef double sooner = SOONER * depth
        cdef double score
        cdef move_t* moves
        cdef int32_t* orders
        cdef Slot* slot
        cdef key_t key
        cdef move_t best_move = NO_MOVE
        cdef int i, j, n, player
        cdef int64_t endings = self.endings
        cdef bint better

        # Step 1. Count the node; limits and stop().
        self.line_lengths[ply] = 0
        if out_of_budget(&self.control):
            return 0

        # Step 2. The end, and the horizon.
        if self.position.side == OVER or ((depth <= 0 or ply >= MAX_PLY) and self.position.over()):
            self.endings += not self.position.settled(self.root_player, &score)
            self.position.score(values)
            for i in range(self.position.players):
                values[i] += sooner if values[i] > 0 else -sooner if values[i] < 0 else 0
            return 0
        if depth <= 0 or ply >= MAX_PLY:
            self.counters.leaves += 1
            return self.evaluator.evaluate_players(self.position, values)
        if self.position.side == CHANCE:
            self.refuse_chance()

        # Step 3. The table: one entry per slot, the newest.
        player = self.position.side
        key = self.position.key() ^ self.salt
        slot = &self.slots[key & (SLOTS - 1)]
        if self.table and slot.key == key and slot.depth == depth:
            self.counters.table_hits += 1
            self.counters.table_cutoffs += 1
            memcpy(values, slot.values, sizeof(found))
            return 0

        # Step 4. The best for the player who acts.
        moves = &self.moves[ply * MAX_MOVES]
        orders = &self.orders[ply * MAX_MOVES]
        n = self.select(moves, orders, ply, slot.move if slot.key == key else NO_MOVE)
        if n == 0:
            return self.position.score(values)
        for i in range(n):
            self.descend(moves[i], depth, ply, found)
            if self.control.stopped:
                return 0
            better = best_move == NO_MOVE or found[player] > values[player]
            if not better and found[player] == values[player]:
                for j in range(self.position.players):
                    if found[j] != values[j]:
                        better = found[j] < values[j]
                        break
            if better:
                memcpy(values, found, sizeof(found))
                best_move = moves[i]
                extend_line(self.lines, self.line_lengths, self.line_room, best_move, ply)

        # Step 5. Remember, unless the value leaned on a repetition or the turn limit, which are not in the key.
        if self.table and self.endings == endings:
            slot.key = key
            slot.depth = depth
            slot.move = best_move
            memcpy(slot.values, values, sizeof(found))
        return 0

    cdef int descend(self, move_t move, int depth, int ply, double* values) except -1 nogil:
        """The values after a move. To a player who finishes by it, sooner is better: leaves do not know when it was."""
        cdef double score
        cdef int player, settled = 0
        for player in range(self.position.players):
            settled |= self.position.settled(player, &score) << player
        self.position.make(move)
        self.max_n(depth - 1, ply + 1, values)
        if self.position.side != OVER:
            for player in range(self.position.players):
                if not settled >> player & 1 and self.position.settled(player, &score) and score > 0:
                    values[player] += SOONER * depth
        self.position.unmake()
        return 0
