"""Forward pruning: moves that are not searched at all, by rules for a race.

The evaluator of a race describes moves (`core.race`): which piece goes where, what it gains, how far it still is.
Without that the moves are searched in the order of the rules, and nothing is left out. At the root, moves to positions
that stood on the board before in this game are left out, too, while there are others.
"""

from libc.stdint cimport int32_t
from libc.string cimport memcpy, memset

from boyi.core.evaluator cimport Evaluator
from boyi.core.race cimport Stride
from boyi.core.types cimport MAX_MOVES, MAX_PLAYERS, OVER, move_t
from boyi.search.deepening cimport Deepening
from boyi.search.ordering cimport LAST_MOVE, forget_killers, pick, prefer
from boyi.search.table cimport NO_MOVE

from boyi.core.errors import TextError


cdef inline int _keep_farthest_hops(Stride* strides, int32_t* orders, int n, int places) noexcept nogil:
    """Of the hops of a piece only the farthest; chains are not left half-way."""
    cdef int farthest[MAX_PLACES]              # per piece: what its farthest hop gains
    cdef int i
    for i in range(places):
        farthest[i] = -(1 << 30)
    for i in range(n):
        if strides[i].chain and strides[i].gain > farthest[strides[i].piece]:
            farthest[strides[i].piece] = strides[i].gain
    for i in range(n):
        if strides[i].chain and strides[i].gain < farthest[strides[i].piece]:
            orders[i] = LAST_MOVE
    return 0


cdef inline int _share_targets(Stride* strides, int32_t* orders, int n, int places, bint claims,
                               int targets) noexcept nogil:
    """The rearmost piece chooses first: a few targets, which no other piece may then have.

    `targets` is how many each piece gets, 0 for all; with `claims`, no other piece goes where one has chosen to.
    """
    cdef int rank[MAX_PLACES]                  # per piece: how far back it is; -1 once it has chosen
    cdef bint claimed[MAX_PLACES]
    cdef int candidates[MAX_PLACES]
    cdef int i, j, piece, chosen, count, taken, best
    for i in range(places):
        rank[i] = -1
        claimed[i] = False
    for i in range(n):
        rank[strides[i].piece] = strides[i].rear
    while True:
        piece = 0
        for i in range(1, places):
            if rank[i] > rank[piece]:
                piece = i
        if rank[piece] < 0:
            return 0
        rank[piece] = -1
        count = 0
        for i in range(n):
            if strides[i].piece == piece and orders[i] != LAST_MOVE:
                if claims and claimed[strides[i].target]:
                    orders[i] = LAST_MOVE
                else:
                    candidates[count] = i
                    count += 1
        # The nearest to the goal come first; of equal ones the first.
        for taken in range(count):
            best = taken
            for j in range(taken + 1, count):
                if strides[candidates[j]].remaining < strides[candidates[best]].remaining:
                    best = j
            chosen = candidates[best]
            for j in range(best, taken, -1):
                candidates[j] = candidates[j - 1]
            candidates[taken] = chosen
            if targets and taken >= targets:
                orders[chosen] = LAST_MOVE
            else:
                claimed[strides[chosen].target] = True


cdef class PruningSearch(Deepening):
    """A search for any number of players that looks at some moves only."""

    def __cinit__(self, evaluator, options, *args):
        # Where only our own moves are looked at, what follows the first cannot be played as it stands.
        self.take_memory(MAX_PLY + 2, 1 if options.algorithm == "own_plan" else LINE_LENGTH)

    def __init__(self, Evaluator evaluator not None, options):
        self.evaluator = evaluator
        self.race = evaluator.race()
        if self.race is not None and self.race.places > MAX_PLACES:
            raise ValueError(f"a race has at most {MAX_PLACES} places here, not {self.race.places}")
        self.principal_variation = options.principal_variation
        self.killers.on = options.killers
        self.pruning.no_retreat = options.no_retreat
        self.pruning.claims = options.claims
        self.pruning.targets = options.targets
        self.pruning.farthest_hop = options.farthest_hop
        self.pruning.width = options.width
        self.pruning.any = bool(options.no_retreat or options.claims or options.targets or options.farthest_hop
                                or options.width)
        self.pruning.skip_made = options.skip_made

    cdef int prepare(self) except -1:
        self.root_player = self.position.side
        memset(&self.counters, 0, sizeof(self.counters))
        return forget_killers(&self.killers)

    cdef int forget(self) except -1:
        return 0

    # ------------------------------------------------------------------ the root

    cdef int choose_roots(self) except -1 nogil:
        """The moves that forward pruning leaves, without those to positions already made in this game; or those that
        were asked for."""
        cdef move_t* moves = self.moves
        cdef int i, n, kept = 0
        if self.only is not None:
            return Deepening.choose_roots(self)
        n = self.select(moves, self.orders, 0, NO_MOVE)
        for i in range(n):
            pick(moves, self.orders, i, n)
            if self.pruning.skip_made:
                self.position.make(moves[i])
                if self.position.repetition() and self.position.side != OVER:
                    self.position.unmake()
                    self.counters.skipped += 1
                    continue
                self.position.unmake()
            self.root_moves[kept] = moves[i]
            kept += 1
        if kept == 0 and n:
            # All of them were made before: look among the rest, and if that does not help either, take any.
            n = self.position.generate(moves)
            for i in range(n):
                self.position.make(moves[i])
                if not self.position.repetition():
                    self.root_moves[kept] = moves[i]
                    kept += 1
                self.position.unmake()
            if kept == 0:
                memcpy(self.root_moves, moves, n * sizeof(move_t))
                kept = n
        self.root_count = kept
        return 0

    # ------------------------------------------------------------------ a node

    cdef int select(self, move_t* moves, int32_t* orders, int ply, move_t known) except -1 nogil:
        cdef Stride strides[MAX_MOVES]
        cdef int i, n = self.position.generate(moves)
        for i in range(n):
            if self.race is None or not self.race.stride(self.position, moves[i], &strides[i]):
                memset(orders, 0, n * sizeof(int32_t))
                break
            orders[i] = strides[i].gain
        else:
            if n > 1 and self.pruning.any:
                n = self.prune(moves, orders, strides, n)
        prefer(&self.killers, moves, orders, n, ply, known)
        return n

    cdef int prune(self, move_t* moves, int32_t* orders, Stride* strides, int n) except -1 nogil:
        """Leave out what the options say; how many moves are left."""
        cdef double values[MAX_PLAYERS]
        cdef double best_value = 0
        cdef int i, kept = 0, best = 0, player = self.position.side

        # Step 1. Mark what is left out.
        if self.pruning.farthest_hop:
            _keep_farthest_hops(strides, orders, n, self.race.places)
        if self.pruning.no_retreat:
            for i in range(n):
                if strides[i].gain < 0:
                    orders[i] = LAST_MOVE
        if self.pruning.claims or self.pruning.targets:
            _share_targets(strides, orders, n, self.race.places, self.pruning.claims, self.pruning.targets)
        for i in range(n):
            kept += orders[i] != LAST_MOVE

        # Step 2. If nothing is left, the best of all by the evaluator's value after it.
        if kept == 0:
            self.counters.backups += 1
            for i in range(n):
                self.position.make(moves[i])
                if self.position.over():
                    self.position.score(values)
                else:
                    self.evaluator.evaluate_players(self.position, values)
                self.position.unmake()
                if i == 0 or values[player] > best_value:
                    best, best_value = i, values[player]
            moves[0] = moves[best]
            orders[0] = 0
            self.counters.pruned += n - 1
            return 1

        # Step 3. Take the others out.
        kept = 0
        for i in range(n):
            if orders[i] != LAST_MOVE:
                moves[kept] = moves[i]
                orders[kept] = orders[i]
                kept += 1

        # Step 4. Only the most promising altogether.
        if self.pruning.width and kept > self.pruning.width:
            for i in range(self.pruning.width):
                pick(moves, orders, i, kept)
            kept = self.pruning.width
        self.counters.pruned += n - kept
        return kept

    cdef int refuse_chance(self) except -1 nogil:
        with gil:
            raise TextError("this search does not know chance; use expectimax or mcts for this game")
