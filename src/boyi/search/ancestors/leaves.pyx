"""Average and minimum of the leaves, as in the students' report on Chinese checkers.

All lines that forward pruning leaves are played out to a depth; a root move is worth the average (the minimum) of their
ends. A line ends at the horizon, when the player at the root has arrived, and when the game is over. What an evaluator
that adds up distances says of a leaf is its value, also of a game that is over, by the distances of those players who
were on their way at the root; with others the value of a finished game is its score. Where the player at the root has
arrived before the horizon, `win_bonus` is added for every ply between.

With `skip_searched` a board counts once, where it is met first. A board is which pieces stand where, whoever acts; it
is met anywhere in the search of a depth, at the root or below any move. So the order matters: at every node the moves
come as forward pruning leaves them (piece by piece, the rearmost first, `forward_pruning.pxd`), and each is followed to
its end before the next. A root move without a leaf of its own comes last, even if it wins: all that is below it was met
below others. (The report divides zero by zero there.)

With `skip_made` no move is made to a board that the player has decided on or made in this game, while there are others;
such moves are left out before anything else is pruned. Where pruning leaves nothing, the root has its fall-back move
and a node below it has no leaves.

Every depth begins anew, so that its values do not depend on the depths before.
"""

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from libc.stdint cimport int16_t, int32_t
from libc.string cimport memcpy

from boyi.core.position cimport Position
from boyi.core.types cimport CHANCE, MAX_MOVES, MAX_PLAYERS, OVER, key_t, move_t
from boyi.kit.control cimport begin, out_of_budget
from boyi.search.deepening cimport Deepening, RootLine
from boyi.search.forward_pruning cimport MAX_PLY, PruningSearch
from boyi.search.keyset cimport KeySet
from boyi.search.scores cimport UNIT

cdef double NO_LEAVES = -1e6           # as a score, below all others: what is below this move was met below other moves


cdef class LeafSearch(PruningSearch):
    """A search in which every line counts."""

    def __cinit__(self, *args):
        self.choice = <move_t*> PyMem_RawMalloc(MAX_MOVES * sizeof(move_t))
        self.ranked = <move_t*> PyMem_RawMalloc(MAX_MOVES * sizeof(move_t))
        if self.choice == NULL or self.ranked == NULL:
            raise MemoryError("no room for a search")

    def __dealloc__(self):
        PyMem_RawFree(self.choice)
        PyMem_RawFree(self.ranked)

    def __init__(self, evaluator, options):
        PruningSearch.__init__(self, evaluator, options)
        self.adding = self.race if self.race is evaluator and self.race.linear else None
        self.unit = self.adding.unit if self.adding is not None else 1
        self.minimum = options.algorithm == "minimum"
        self.win_bonus = options.win_bonus * self.unit
        self.skip_searched = options.skip_searched
        self.met = KeySet()
        self.made = KeySet()

    cdef int prepare(self) except -1:
        cdef double score
        cdef int player
        PruningSearch.prepare(self)
        for player in range(self.position.players):
            self.weights[player] = 0 if self.position.settled(player, &score) else 1
        if self.adding is not None:
            self.weights[self.root_player] = -self.adding.own_weight
        if self.pruning.skip_made:
            self.remember(self.position.copy())
        return 0

    cdef int remember(self, Position game) except -1:
        """Note the boards that the player at the root has decided on or made. The game is taken back to its start."""
        cdef key_t board = self.board_of(game)
        self.made.clear()
        self.made.add(board)
        while game.ply:
            game.unmake()
            if game.side == self.root_player:
                self.made.add(board)
                self.made.add(self.board_of(game))
            board = self.board_of(game)
        return 0

    cdef key_t board_of(self, Position position) except? 0 nogil:
        return position.key() if self.race is None else self.race.board_key(position)

    cdef key_t board_after(self, move_t move) except? 0 nogil:
        cdef key_t key
        if self.race is not None:
            return self.race.board_key_after(self.position, move)
        self.position.make(move)
        key = self.position.key()
        self.position.unmake()
        return key

    # ------------------------------------------------------------------ the root

    cdef int choose_roots(self) except -1 nogil:
        """The moves that forward pruning leaves of those to new boards; of all, where none is new."""
        cdef int i, n, new = 0
        if self.only is not None:
            Deepening.choose_roots(self)
        else:
            n = self.position.generate(self.moves)
            for i in range(n):
                if not self.pruning.skip_made or not self.made.has(self.board_after(self.moves[i])):
                    self.root_moves[new] = self.moves[i]
                    new += 1
            self.counters.skipped += n - new
            if new == 0:
                memcpy(self.root_moves, self.moves, n * sizeof(move_t))
                new = n
            self.root_count = self.narrow(self.root_moves, self.orders, new, 0)
        memcpy(self.choice, self.root_moves, self.root_count * sizeof(move_t))
        return 0

    cdef int fall_back(self, const move_t* moves, int16_t* backups, int n, int ply) except -1 nogil:
        cdef int32_t distance
        cdef int best = 0, i
        cdef double weight = self.weights[self.root_player]
        if ply > 0:
            self.counters.backups += 1
            return 0
        if self.adding is None:
            return PruningSearch.fall_back(self, moves, backups, n, ply)
        self.counters.backups += 1
        for i in range(n):
            self.adding.distances_after(self.position, &moves[backups[i]], 1, &distance)
            if i == 0 or weight * distance > weight * best:
                best = distance
                backups[0] = backups[i]
        return 1

    cdef int search_line(self, int depth, int first) except -1 nogil:
        cdef int i
        if first > 0:
            return 0
        memcpy(self.ranked, self.root_moves, self.root_count * sizeof(move_t))
        self.begin_depth()
        self.rank_roots(depth)
        if self.control.stopped and depth > 1:
            # The answer is that of the depth before, by whose values its moves stay ranked.
            for i in range(self.root_count):
                self.fresh.moves[i * self.line_room] = self.ranked[i]
            self.adopt(self.wanted)
        return 0

    cdef int begin_depth(self) except -1 nogil:
        """Nothing was met yet but the root, whose moves come in their first order."""
        memcpy(self.root_moves, self.choice, self.root_count * sizeof(move_t))
        self.met.clear()
        self.met.add(self.board_of(self.position))
        return 0

    cdef double exact_root_value(self, move_t move, int depth) except? -1e300 nogil:
        cdef Leaves leaves
        self.follow(move, depth, &leaves)
        if leaves.count == 0:
            return UNIT * NO_LEAVES
        return UNIT * (leaves.least if self.minimum else leaves.total / leaves.count) / self.unit

    cdef int follow(self, move_t move, int depth, Leaves* leaves) except -1 nogil:
        leaves.count = 0
        leaves.total = 0
        leaves.least = 1e9
        return self.descend(move, depth - 1, 1, leaves)

    cdef object wins_in(self, RootLine* line):
        return None

    def leaves_below(self, Position position not None, int depth):
        """Per root move, in the order of the search: the move, how many leaves it has, their sum and the least of them.

        Values are in the evaluator's unit; without a leaf the least is None. The position is left as it was.
        """
        cdef int ply = position.ply, i
        cdef Leaves leaves
        self.evaluator.check(position)
        begin(&self.control, 0, 0)
        self.position, self.only = position, None
        self.prepare()
        found = []
        try:
            self.choose_roots()
            self.begin_depth()
            for i in range(self.root_count):
                self.follow(self.choice[i], depth, &leaves)
                found.append((self.choice[i], leaves.count, leaves.total, leaves.least if leaves.count else None))
        finally:
            position.unmake_to(ply)
            self.position = None
        return found

    # ------------------------------------------------------------------ a node

    cdef int descend(self, move_t move, int depth, int ply, Leaves* leaves) except -1 nogil:
        """Add up the leaves below a move, as the player at the root values them."""
        # Step 1. Count the node; limits and stop().
        if out_of_budget(&self.control):
            return 0

        # Step 2. A board met before counts once, where it was met first.
        if self.skip_searched and not self.met.add(self.board_after(move)):
            self.counters.skipped += 1
            return 0

        self.position.make(move)
        self.add_leaves(depth, ply, leaves)
        self.position.unmake()
        return 0

    cdef int add_leaves(self, int depth, int ply, Leaves* leaves) except -1 nogil:
        cdef bint horizon = depth <= 0 or ply >= MAX_PLY
        cdef move_t* moves = &self.moves[ply * MAX_MOVES]
        cdef int32_t* orders = &self.orders[ply * MAX_MOVES]
        cdef int i, n

        # Step 1. Is it a leaf?
        if self.position.side == CHANCE:
            self.refuse_chance()
        if self.adding is not None:
            if self.adding.arrived(self.position, self.root_player):
                return self.add_leaf(leaves, self.add_up(-1) + self.win_bonus * depth)
            if horizon or self.position.side == OVER:
                return self.add_leaf(leaves, self.add_up(-1))
        elif horizon or self.position.side == OVER or self.is_settled():
            return self.add_leaf(leaves, self.value(depth))

        # Step 2. All moves that forward pruning leaves, of all players.
        n = self.position.generate(moves)
        if n == 0:
            return self.add_leaf(leaves, self.add_up(-1) if self.adding is not None else self.value(depth))
        n = self.narrow(moves, orders, n, ply)

        # Step 3. What one move leads to at the horizon need not be made.
        if depth == 1 and self.adding is not None:
            return self.add_horizon(moves, n, orders, leaves)
        for i in range(n):
            self.descend(moves[i], depth - 1, ply + 1, leaves)
            if self.control.stopped:
                return 0
        return 0

    cdef int add_horizon(self, const move_t* moves, int n, int32_t* distances, Leaves* leaves) except -1 nogil:
        """Add the leaves that these moves lead to: of the distances only that of the player who moves is another."""
        cdef key_t boards[MAX_MOVES]
        cdef int i, player = self.position.side
        cdef double others = self.add_up(player), weight = self.weights[player]
        if self.skip_searched:
            for i in range(n):
                boards[i] = self.board_after(moves[i])
                self.met.expect(boards[i])
        self.adding.distances_after(self.position, moves, n, distances)
        for i in range(n):
            if out_of_budget(&self.control):
                return 0
            if self.skip_searched and not self.met.add(boards[i]):
                self.counters.skipped += 1
            else:
                self.add_leaf(leaves, others + weight * distances[i])
        return 0

    cdef inline int add_leaf(self, Leaves* leaves, double value) noexcept nogil:
        self.counters.leaves += 1
        leaves.count += 1
        leaves.total += value
        if value < leaves.least:
            leaves.least = value
        return 0

    # ------------------------------------------------------------------ what a leaf is worth

    cdef double add_up(self, int omitted) except? -1e300 nogil:
        cdef double total = 0
        cdef int player
        for player in range(self.position.players):
            if player != omitted and self.weights[player]:
                total += self.weights[player] * self.adding.distance(self.position, player)
        return total

    cdef int is_settled(self) except -1 nogil:
        cdef double score
        return self.position.settled(self.root_player, &score)

    cdef double value(self, int depth) except? -1e300 nogil:
        """By an evaluator that does not add up: a score when the game is over, else its value; and the bonus."""
        cdef double values[MAX_PLAYERS]
        cdef bint won
        if self.position.over():
            self.position.score(values)
            won = values[self.root_player] >= 1
        else:
            self.evaluator.evaluate_players(self.position, values)
            won = self.is_settled()
        return values[self.root_player] + (self.win_bonus * depth if won and depth > 0 else 0)
