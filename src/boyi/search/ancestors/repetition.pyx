"""An ancestor's treatment of repetition: only the path of this search counts or, as it planned, the game's history too.

The third occurrence is a draw. The second is searched on, at a price: it may be worth a little more to
the player to act, since the other one repeated. Positions are a list that is scanned, or a hash set; the results are
the same.
"""

from cpython.mem cimport PyMem_RawFree, PyMem_RawRealloc
from libc.string cimport memset

from boyi.core.position cimport Position
from boyi.core.types cimport key_t
from boyi.kit.control cimport out_of_budget
from boyi.search.alphabeta cimport MAX_PLY, Worker
from boyi.search.table cimport NO_MOVE
from boyi.search.values cimport PROVEN


cdef class PathWorker(Worker):
    """One thread's search, which looks for repetitions on its path."""

    def __dealloc__(self):
        PyMem_RawFree(self.keys)
        PyMem_RawFree(self.seen)

    cdef int prepare(self, options, Position position, tuple only) except -1:
        cdef Position walk
        cdef int i
        Worker.prepare(self, options, position, only)
        self.as_set = options.repetition_lookup == "set"
        self.penalty = options.repetition_penalty
        self.inherited = position.ply if options.repetition_reach == "game" else 0
        self.take_room(self.inherited + MAX_PLY + 2)
        memset(self.seen, 0, self.slots * sizeof(Seen))
        if self.inherited:
            walk = position.copy()
            for i in range(self.inherited - 1, -1, -1):
                walk.unmake()
                self.keys[i] = walk.key()
                self.remember(self.keys[i])
        self.keys[self.inherited] = position.key()
        self.remember(position.key())
        return 0

    cdef int take_room(self, int positions) except -1:
        """Have memory for this number of positions."""
        cdef void* memory
        if positions <= self.room:
            return 0
        memory = PyMem_RawRealloc(self.keys, positions * sizeof(key_t))
        if memory == NULL:
            raise MemoryError("no room for a search")
        self.keys = <key_t*> memory
        self.slots = 512
        while self.slots < 4 * positions:
            self.slots *= 2
        memory = PyMem_RawRealloc(self.seen, self.slots * sizeof(Seen))
        if memory == NULL:
            raise MemoryError("no room for a search")
        self.seen = <Seen*> memory
        self.room = positions
        return 0

    cdef int remember(self, key_t key) noexcept nogil:
        cdef Seen* slot = self.slot(key)
        slot.key = key
        slot.times += 1
        return 0

    cdef int negamax(self, int depth, int alpha, int beta, int ply, int player, bint cut_node) except? -32768 nogil:
        cdef key_t key = self.position.key()
        cdef Seen* slot = NULL
        cdef int before = 0, penalty = 0, value, i

        # Step 1. After a null move nothing is compared, nor in a singular search of the same position.
        if self.excluded[ply] != NO_MOVE:
            return Worker.negamax(self, depth, alpha, beta, ply, player, cut_node)
        if self.path[ply] == NO_MOVE:
            self.keys[self.inherited + ply] = 0
            return Worker.negamax(self, depth, alpha, beta, ply, player, cut_node)

        # Step 2. How often was this position on the path, or in the game?
        self.keys[self.inherited + ply] = key
        if self.as_set:
            slot = self.slot(key)
            before = slot.times
        else:
            for i in range(self.inherited + ply):
                before += self.keys[i] == key
        if before:
            self.counters.repetitions += 1
            if before >= 2:
                out_of_budget(&self.control)
                self.line_lengths[ply] = 0
                return 0
            penalty = self.penalty
        if slot != NULL:
            slot.key = key
            slot.times += 1

        # Step 3. The window moves with the value; a proven win is no less for it.
        if penalty and -PROVEN < alpha < PROVEN:
            alpha -= penalty
        if penalty and -PROVEN < beta < PROVEN:
            beta -= penalty
        value = Worker.negamax(self, depth, alpha, beta, ply, player, cut_node)
        if penalty and -PROVEN < value < PROVEN:
            value = value + penalty if value + penalty < PROVEN else PROVEN - 1

        # Step 4. What entered last leaves first, so a slot set free never breaks the way to another.
        if slot != NULL:
            slot.times -= 1
        return value

    cdef Seen* slot(self, key_t key) noexcept nogil:
        """Where the key is in the set, or would be."""
        cdef int i = key & (self.slots - 1)
        while self.seen[i].times and self.seen[i].key != key:
            i = (i + 1) & (self.slots - 1)
        return &self.seen[i]
