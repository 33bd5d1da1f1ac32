"""An ancestor's treatment of repetition: only the path of this search counts, and the game's history does not.

The third occurrence on the path is a draw. The second is searched on, at a price: it may be worth a little more to
the player to act, since the other one repeated. The path is a list that is scanned, or a hash set; the results are the
same.
"""

from libc.string cimport memset

from boyi.core.position cimport Position
from boyi.core.types cimport key_t
from boyi.kit.control cimport out_of_budget
from boyi.search.alphabeta cimport Worker
from boyi.search.table cimport NO_MOVE
from boyi.search.values cimport PROVEN


cdef class PathWorker(Worker):
    """One thread's search, which looks for repetitions on its path."""

    cdef int prepare(self, options, Position position, tuple only) except -1:
        cdef Seen* root
        Worker.prepare(self, options, position, only)
        self.as_set = options.repetition_lookup == "set"
        self.penalty = options.repetition_penalty
        memset(self.seen, 0, sizeof(self.seen))
        self.path_keys[0] = position.key()
        root = self.slot(self.path_keys[0])
        root.key = self.path_keys[0]
        root.times = 1
        return 0

    cdef int negamax(self, int depth, int alpha, int beta, int ply, int player, bint may_pass) except? -32768 nogil:
        cdef key_t key = self.position.key()
        cdef Seen* slot = NULL
        cdef int before = 0, penalty = 0, value, i

        # Step 1. After a null move nothing is compared.
        if self.path[ply] == NO_MOVE:
            self.path_keys[ply] = 0
            return Worker.negamax(self, depth, alpha, beta, ply, player, may_pass)

        # Step 2. How often was this position on the path?
        self.path_keys[ply] = key
        if self.as_set:
            slot = self.slot(key)
            before = slot.times
        else:
            for i in range(ply):
                before += self.path_keys[i] == key
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
        value = Worker.negamax(self, depth, alpha, beta, ply, player, may_pass)
        if penalty and -PROVEN < value < PROVEN:
            value = value + penalty if value + penalty < PROVEN else PROVEN - 1

        # Step 4. What entered last leaves first, so a slot set free never breaks the way to another.
        if slot != NULL:
            slot.times -= 1
        return value

    cdef Seen* slot(self, key_t key) noexcept nogil:
        """Where the key is in the set, or would be."""
        cdef int i = key & (SEEN_SLOTS - 1)
        while self.seen[i].times and self.seen[i].key != key:
            i = (i + 1) & (SEEN_SLOTS - 1)
        return &self.seen[i]
