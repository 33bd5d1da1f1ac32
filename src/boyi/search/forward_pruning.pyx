"""Forward pruning: moves that are not searched at all, by rules for a race.

The evaluator of a race describes moves (`core.race`): which piece goes where, what it gains, how far it still is.
Without that the moves are searched in the order of the rules, and nothing is left out. At the root, moves to positions
that stood on the board before in this game are left out, too, while there are others.
"""

from libc.stdint cimport int16_t, int32_t
from libc.string cimport memcpy, memset

from boyi.core.evaluator cimport Evaluator
from boyi.core.race cimport Stride
from boyi.core.types cimport MAX_MOVES, MAX_PLAYERS, OVER, move_t
from boyi.search.deepening cimport Deepening
from boyi.search.table cimport NO_MOVE

from boyi.core.errors import TextError


cdef struct Group:             # the moves of one piece
    int piece
    int rear
    int farthest               # what the farthest of its hops gains
    int first                  # where its moves begin among all, sorted by piece
    int count


cdef inline int _group(Stride* strides, int n, Group* groups, int16_t* sorted_moves) noexcept nogil:
    """Sort moves by piece, the rearmost first and of equal ones the lower number; how many pieces there are.

    The moves of a piece keep their order; `sorted_moves` are their numbers.
    """
    cdef int16_t number[MAX_PLACES]            # per piece: its group and 1, 0 for none yet
    cdef Group group
    cdef int i, j, count = 0, first = 0
    memset(number, 0, sizeof(number))
    for i in range(n):
        if number[strides[i].piece] == 0:
            number[strides[i].piece] = 1
            group.piece = strides[i].piece
            group.rear = strides[i].rear
            j = count
            while j > 0 and (groups[j - 1].rear < group.rear
                             or (groups[j - 1].rear == group.rear and groups[j - 1].piece > group.piece)):
                groups[j] = groups[j - 1]
                j -= 1
            groups[j] = group
            count += 1
    for j in range(count):
        groups[j].count = 0
        groups[j].farthest = -(1 << 30)
        number[groups[j].piece] = j + 1
    for i in range(n):
        j = number[strides[i].piece] - 1
        groups[j].count += 1
        if strides[i].chain and strides[i].gain > groups[j].farthest:
            groups[j].farthest = strides[i].gain
    for j in range(count):
        groups[j].first = first
        first += groups[j].count
        groups[j].count = 0
    for i in range(n):
        j = number[strides[i].piece] - 1
        sorted_moves[groups[j].first + groups[j].count] = i
        groups[j].count += 1
    return count


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
        self.pruning.by_piece = bool(options.no_retreat or options.claims or options.targets or options.farthest_hop)
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
        cdef int n = self.narrow(moves, orders, self.position.generate(moves), ply)
        prefer(&self.killers, moves, orders, n, ply, known)
        return n

    cdef int narrow(self, move_t* moves, int32_t* orders, int n, int ply) except -1 nogil:
        cdef Stride strides[MAX_MOVES]
        cdef int i, kept
        if n == 0 or self.race is None or not self.race.strides(self.position, moves, n, strides):
            memset(orders, 0, n * sizeof(int32_t))
            return n
        if n > 1 and self.pruning.by_piece:
            return self.prune(moves, orders, strides, n, ply)
        if self.pruning.width:
            kept = keep_best(moves, orders, strides, n, self.pruning.width)
            self.counters.pruned += n - kept
            return kept
        for i in range(n):
            orders[i] = strides[i].gain
        return n

    cdef int prune(self, move_t* moves, int32_t* orders, Stride* strides, int n, int ply) except -1 nogil:
        cdef Group groups[MAX_PLACES]
        cdef bint claimed[MAX_PLACES]
        cdef int16_t sorted_moves[MAX_MOVES]
        cdef int16_t kept[MAX_MOVES]           # what is left, piece by piece
        cdef int16_t backups[MAX_MOVES]        # retreats, and moves to places that another piece has claimed
        cdef move_t copied[MAX_MOVES]
        cdef int i, j, k, move, piece_first, farthest, worst, count = 0, backup_count = 0

        # Step 1. Piece by piece, the rearmost first: its hops that are not the farthest are no moves at all, and what
        # it keeps, others may not have.
        memset(claimed, 0, self.race.places * sizeof(bint))
        for i in range(_group(strides, n, groups, sorted_moves)):
            piece_first = count
            farthest = groups[i].farthest
            for j in range(groups[i].first, groups[i].first + groups[i].count):
                move = sorted_moves[j]
                if self.pruning.farthest_hop and strides[move].chain and strides[move].gain < farthest:
                    continue
                if ((self.pruning.no_retreat and strides[move].gain < 0)
                        or (self.pruning.claims and claimed[strides[move].target])):
                    backups[backup_count] = move
                    backup_count += 1
                    continue
                # Of many targets the nearest to the goal: a nearer one takes the place of the first that is farthest.
                if self.pruning.targets and count - piece_first == self.pruning.targets:
                    worst = piece_first
                    for k in range(piece_first + 1, count):
                        if strides[kept[k]].remaining > strides[kept[worst]].remaining:
                            worst = k
                    if strides[move].remaining < strides[kept[worst]].remaining:
                        kept[worst] = move
                    continue
                kept[count] = move
                count += 1
            for k in range(piece_first, count):
                claimed[strides[kept[k]].target] = True

        # Step 2. If nothing is left, the best of the others by the evaluator's value after it.
        if count == 0:
            count = self.fall_back(moves, backups, backup_count, ply)
            kept[0] = backups[0]

        # Step 3. Write down what is left.
        memcpy(copied, moves, n * sizeof(move_t))
        for i in range(count):
            moves[i] = copied[kept[i]]
            orders[i] = strides[kept[i]].gain

        # Step 4. Only the most promising altogether.
        if self.pruning.width and count > self.pruning.width:
            for i in range(self.pruning.width):
                pick(moves, orders, i, count)
            count = self.pruning.width
        self.counters.pruned += n - count
        return count

    cdef int fall_back(self, const move_t* moves, int16_t* backups, int n, int ply) except -1 nogil:
        cdef double values[MAX_PLAYERS]
        cdef double best = 0
        cdef int i, player = self.position.side
        self.counters.backups += 1
        for i in range(n):
            self.position.make(moves[backups[i]])
            if self.position.over():
                self.position.score(values)
            else:
                self.evaluator.evaluate_players(self.position, values)
            self.position.unmake()
            if i == 0 or values[player] > best:
                best = values[player]
                backups[0] = backups[i]
        return 1

    cdef int refuse_chance(self) except -1 nogil:
        with gil:
            raise TextError("this search does not know chance; use expectimax or mcts for this game")
