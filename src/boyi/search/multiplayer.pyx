"""Search for any number of players, without chance.

With two players a loss of one is a gain of the other; with more, a search must guess what the
others are up to. Four guesses and two ways of not guessing share this file:

- *Paranoid* (Sturtevant and Korf 2000): all others are one enemy, so alpha-beta applies. Too gloomy, but deep.
- *Best reply* (BRS, Schadd and Winands 2011): the same, but of all opponents only one, whichever hurts
  most, moves between two moves of ours, so that we look far ahead for ourselves. BRS+ (Esser, Gras, Winands,
  Lanctot and Lieshout 2013) lets the rest make the move that looks best at first sight, instead of none.
- *Own plan*: the others sit still. A plan, not a fight; right when they are far away.
- *Max^n* (Luckhardt and Irani 1986): everybody takes what is best for himself. Values are one
  number per player, and without a bound on their sum nothing can be cut off.
- *Average* and *minimum* of the leaves: what the seed does. All lines that forward pruning
  leaves are played out to a depth; a root move is worth the average (the minimum) of their ends.

With two players the first two are plain alpha-beta. The value of a bounded search (the first
three) is a whole number for the player at the root: with two players in the evaluator's units, with more in
ten-thousandths, where 10,000 is the first place; WIN - n is that place for certain in n plies.
The others count in ten-thousandths, too.

Forward pruning (`select`) thinks of a race and asks the evaluator to describe moves (`core.race`). Everything
else works for any game; what passes a turn (`make_null`) is needed only where opponents sit out.
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.math cimport lround
from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcpy, memset

from boyi.core.bits cimport mix
from boyi.core.evaluator cimport GUESS, WIN, Evaluator
from boyi.core.position cimport Position
from boyi.core.race cimport Stride
from boyi.core.types cimport CHANCE, MAX_MOVES, MAX_PLAYERS, OVER, key_t, move_t
from boyi.kit.control cimport begin, now, out_of_budget
from boyi.search.table cimport EXACT, LOWER, NO_MOVE, UPPER, Found, Table

from boyi.core.errors import TextError
from boyi.core.searcher import Line, Result
from boyi.search.multiplayer_options import MultiplayerOptions

cdef enum:
    INFINITE = 31000
    PROVEN = GUESS + 100               # beyond it a value is a first or last place and its distance
    UNIT = 10000                       # the value of a score of 1 that is not proven
    SHARED = 1 << 16
    VISITED = 1 << 18
    FIRST_MOVE = 1 << 30               # orders: the table's move,
    KILLER = 1 << 29                   # a move that refuted a sibling,
    LAST = -(1 << 30)                  # and one that forward pruning has left out

# A certain score is worth a little more the sooner it is certain: per ply left.
cdef double SOONER = 1e-6


cdef class Multiplayer:
    """The searcher: an evaluator, options, and memory that is taken once.

    >>> import boyi
    >>> from boyi.core.searcher import Limits
    >>> Multiplayer().search(boyi.start("tic_tac_toe"), Limits(depth=9)).value
    0.0
    """

    def __cinit__(self):
        self.shared = <Shared*> PyMem_RawCalloc(SHARED, sizeof(Shared))
        self.visited = <key_t*> PyMem_RawCalloc(VISITED, sizeof(key_t))
        self.moves = <move_t*> PyMem_RawCalloc((MAX_PLY + 1) * MAX_MOVES, sizeof(move_t))
        self.orders = <int32_t*> PyMem_RawCalloc((MAX_PLY + 1) * MAX_MOVES, sizeof(int32_t))
        self.root_moves = <move_t*> PyMem_RawCalloc(MAX_MOVES, sizeof(move_t))
        self.root_values = <double*> PyMem_RawCalloc(MAX_MOVES, sizeof(double))
        self.root_lines = <move_t*> PyMem_RawCalloc(MAX_MOVES * KEPT, sizeof(move_t))
        self.root_lengths = <int*> PyMem_RawCalloc(MAX_MOVES, sizeof(int))
        self.best = <RootLine*> PyMem_RawCalloc(MAX_MOVES, sizeof(RootLine))
        if (self.shared == NULL or self.visited == NULL or self.moves == NULL or self.orders == NULL
                or self.root_moves == NULL or self.root_values == NULL or self.root_lines == NULL
                or self.root_lengths == NULL or self.best == NULL):
            raise MemoryError("no room for a search")

    def __dealloc__(self):
        PyMem_RawFree(self.shared)
        PyMem_RawFree(self.visited)
        PyMem_RawFree(self.moves)
        PyMem_RawFree(self.orders)
        PyMem_RawFree(self.root_moves)
        PyMem_RawFree(self.root_values)
        PyMem_RawFree(self.root_lines)
        PyMem_RawFree(self.root_lengths)
        PyMem_RawFree(self.best)

    def __init__(self, evaluator=None, options=None):
        self.evaluator = evaluator if evaluator is not None else Evaluator()
        self.race = self.evaluator.race()
        if self.race is not None and self.race.places > MAX_PLACES:
            raise ValueError(f"a race has at most {MAX_PLACES} places here, not {self.race.places}")
        self.options = options if options is not None else MultiplayerOptions()
        options = self.options
        self.table = Table(max(1, options.table_mb))
        self.switches.algorithm = {"best_reply": BEST_REPLY, "paranoid": PARANOID, "max_n": MAX_N, "own_plan": OWN_PLAN,
                                   "average": LEAVES, "minimum": LEAVES}[options.algorithm]
        self.switches.table = options.table_mb > 0
        self.switches.principal_variation = options.principal_variation
        self.switches.killers = options.killers
        self.switches.others_move = options.others_move
        self.switches.minimum = options.algorithm == "minimum"
        self.switches.win_bonus = options.win_bonus
        self.switches.no_retreat = options.no_retreat
        self.switches.claims = options.claims
        self.switches.targets = options.targets
        self.switches.farthest_hop = options.farthest_hop
        self.switches.width = options.width
        self.switches.skip_searched = options.skip_searched
        self.switches.skip_made = options.skip_made

    def search(self, Position position not None, limits):
        """The best moves of a position in which a player acts; the position is left as it was."""
        cdef int ply = position.ply, lines = min(limits.lines, MAX_MOVES), deepest
        begin(&self.control, limits.seconds or 0, limits.nodes or 0)   # first: who says stop from now on, is heard
        self.evaluator.check(position)
        deepest = self.options.deepest_for_two if position.players == 2 else self.options.deepest_for_more
        deepest = min(limits.depth or MAX_PLY, deepest or MAX_PLY, MAX_PLY)
        self.position = position
        self.root = position.side
        self.salt = mix((<uint64_t> self.root << 8) + <uint64_t> self.switches.algorithm + 1)
        self.table.age()
        memset(&self.counters, 0, sizeof(self.counters))
        memset(self.killers, 0xFF, sizeof(self.killers))
        try:
            with nogil:
                self.deepen(deepest, lines)
        finally:
            position.unmake_to(ply)
            self.position = None
        return self._answer()

    def stop(self):
        """End a running search soon, from another thread; it answers with what it has."""
        self.control.stopped = True

    def forget(self):
        """Empty the tables, as before the first search."""
        self.table.clear()
        memset(self.shared, 0, SHARED * sizeof(Shared))

    # ------------------------------------------------------------------ the root

    cdef int deepen(self, int deepest, int lines) except -1 nogil:
        """Search depth after depth until a limit is met. The root moves stay sorted, the best first."""
        cdef int depth, first = 0
        cdef bint bounded = self.switches.algorithm in (BEST_REPLY, PARANOID, OWN_PLAN)
        self.depth_done = 0
        self.prepare_root()
        if lines > self.root_count:
            lines = self.root_count
        for depth in range(1, deepest + 1):
            if bounded:
                for first in range(lines):
                    self.root_bounded(depth, first)
                    if self.control.stopped:
                        break
            else:
                self.root_whole(depth)
            if self.control.stopped:
                # Nothing that a single line has found is worse than before. Several lines are of one depth, for else
                # their values could not be compared: those of the last one or, in the first, the lines finished.
                if not bounded or lines == 1:
                    self.adopt(lines)
                elif depth == 1:
                    self.adopt(max(1, first))
                break
            self.depth_done = depth
            self.adopt(lines)
            if bounded and (self.root_values[0] > PROVEN or self.root_values[0] < -PROVEN) and lines == 1:
                break      # the first or last place for certain: deeper tells nothing new
            if self.root_count == 1 and self.control.deadline < 1e299:
                break      # the only move needs no time
        return 0

    cdef int prepare_root(self) except -1 nogil:
        """The moves that forward pruning leaves, without those to positions already made in this game."""
        cdef move_t* moves = self.moves
        cdef int i, kept = 0, n = self.select(moves, self.orders, 0, NO_MOVE)
        for i in range(n):
            self.pick(moves, self.orders, i, n)
            if self.switches.skip_made:
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
        for i in range(kept):
            self.root_values[i] = 0
            self.root_lines[i * KEPT] = self.root_moves[i]
            self.root_lengths[i] = 1
        return 0

    cdef int root_bounded(self, int depth, int first) except -1 nogil:
        """One depth over the moves from number `first` on: the best of them comes there."""
        cdef int i, value, alpha = -INFINITE
        cdef move_t move
        for i in range(first, self.root_count):
            move = self.root_moves[i]
            if i == first or not self.switches.principal_variation:
                value = self.descend(move, depth - 1, alpha, INFINITE, 0, BEFORE)
            else:
                value = self.descend(move, depth - 1, alpha, alpha + 1, 0, BEFORE)
                if value > alpha and not self.control.stopped:
                    value = self.descend(move, depth - 1, alpha, INFINITE, 0, BEFORE)
            if self.control.stopped:
                return 0
            if value > alpha:
                alpha = value
                self.extend(move, 0)
                self.to_front(first, i)
                self.keep(first, value)
        return 0

    cdef int root_whole(self, int depth) except -1 nogil:
        """One depth of max^n, average or minimum: every move has a value of its own. Nothing half done is kept."""
        cdef double values[MAX_PLAYERS]
        cdef double found[MAX_MOVES]
        cdef Leaves leaves
        cdef double value
        cdef int i, j, best
        memset(self.visited, 0, VISITED * sizeof(key_t))
        for i in range(self.root_count):
            if self.switches.algorithm == MAX_N:
                self.share_after(self.root_moves[i], depth, 0, values)
                value = values[self.root]
                self.extend(self.root_moves[i], 0)
                self.root_lengths[i] = self.line_length[0]
                memcpy(&self.root_lines[i * KEPT], self.line[0], KEPT * sizeof(move_t))
            else:
                leaves.count = 0
                leaves.total = 0
                leaves.least = 1e9
                self.position.make(self.root_moves[i])
                self.gather(depth - 1, 1, &leaves)
                self.position.unmake()
                # A move whose leaves have all been met below other moves tells nothing: it comes last.
                value = -1e6 if leaves.count == 0 else (
                    leaves.least if self.switches.minimum else leaves.total / leaves.count)
            if self.control.stopped:
                if depth > 1:
                    return 0
                for j in range(i, self.root_count):
                    found[j] = -1e6
                break
            found[i] = UNIT * value
        for i in range(self.root_count):
            self.root_values[i] = found[i]
        # The best to the front, equal ones in the order they had.
        for i in range(self.root_count):
            best = i
            for j in range(i + 1, self.root_count):
                if self.root_values[j] > self.root_values[best]:
                    best = j
            memcpy(self.line[0], &self.root_lines[best * KEPT], KEPT * sizeof(move_t))
            self.line_length[0] = self.root_lengths[best]
            value = self.root_values[best]
            self.to_front(i, best)
            self.keep(i, value)
        return 0

    cdef int to_front(self, int first, int i) noexcept nogil:
        """Move number `i` becomes number `first`; those between keep their order."""
        cdef move_t move = self.root_moves[i]
        cdef int j
        for j in range(i, first, -1):
            self.root_moves[j] = self.root_moves[j - 1]
            self.root_values[j] = self.root_values[j - 1]
            self.root_lengths[j] = self.root_lengths[j - 1]
            memcpy(&self.root_lines[j * KEPT], &self.root_lines[(j - 1) * KEPT], KEPT * sizeof(move_t))
        self.root_moves[first] = move
        return 0

    cdef int keep(self, int place, double value) noexcept nogil:
        """The line just found belongs to the root move in this place."""
        self.root_values[place] = value
        self.root_lengths[place] = self.line_length[0]
        memcpy(&self.root_lines[place * KEPT], self.line[0], KEPT * sizeof(move_t))
        return 0

    cdef int adopt(self, int lines) noexcept nogil:
        """Let the first root moves be the answer, the best first."""
        cdef RootLine line
        cdef int i, j
        for i in range(lines):
            line.value = self.root_values[i]
            line.length = self.root_lengths[i]
            memcpy(line.moves, &self.root_lines[i * KEPT], KEPT * sizeof(move_t))
            j = i
            while j > 0 and self.best[j - 1].value < line.value:     # seldom: the table lets values waver
                self.best[j] = self.best[j - 1]
                j -= 1
            self.best[j] = line
        self.best_count = lines
        return 0

    # ------------------------------------------------------------------ bounded: best reply, paranoid, own plan

    cdef int look(self, int depth, int alpha, int beta, int ply, int stage) except? -32768 nogil:
        """The value of the position for the player at the root: he maximises, the others minimise."""
        cdef double scores[MAX_PLAYERS]
        cdef double score
        cdef Found found
        cdef key_t key
        cdef move_t known = NO_MOVE, best_move = NO_MOVE
        cdef move_t* moves
        cdef int32_t* orders
        cdef int i, n, best, value, first_alpha = alpha, first_beta = beta
        cdef int64_t endings = self.endings
        cdef bint ours

        # Step 1. Count the node; limits and stop().
        self.line_length[ply] = 0
        if out_of_budget(&self.control):
            return 0

        # Step 2. Is it decided? The rest of the game does not concern a player who has finished.
        if self.position.settled(self.root, &score):
            return self.proven(score, ply)
        if self.position.side == OVER:
            self.endings += 1
            self.position.score(scores)
            return self.proven(scores[self.root], ply)
        if self.position.side == CHANCE:
            with gil:
                raise TextError("this search does not know chance; use expectimax or mcts for this game")

        # Step 3. The horizon, at the end of a ply only: what opponents do together is one ply.
        if (depth <= 0 and stage == BEFORE) or ply >= MAX_PLY:
            if self.position.over():
                self.position.score(scores)
                return self.proven(scores[self.root], ply)
            return self.guess()

        # Step 4. In best-reply search one opponent replies and the others sit out: there is nothing to choose.
        ours = self.position.side == self.root
        if stage == REPLIED:
            return self.descend(NO_MOVE, depth, alpha, beta, ply, REPLIED)

        # Step 5. The table. Only a value of this very depth is taken, so that a depth has one value.
        key = self.position.key() ^ self.salt ^ <key_t> stage * <key_t> 0x9E3779B97F4A7C15
        if self.switches.table and self.table.probe(key, &found):
            self.counters.table_hits += 1
            known = found.move
            value = found.value
            if value > PROVEN:
                value -= ply
            elif value < -PROVEN:
                value += ply
            if found.depth == depth and (found.bound == EXACT or (found.bound == LOWER and value >= beta)
                                         or (found.bound == UPPER and value <= alpha)):
                self.counters.table_cutoffs += 1
                return value

        # Step 6. The moves, the promising first.
        moves = &self.moves[ply * MAX_MOVES]
        orders = &self.orders[ply * MAX_MOVES]
        n = self.select(moves, orders, ply, known)
        if n == 0:
            self.position.score(scores)
            return self.proven(scores[self.root], ply)
        best = -INFINITE if ours else INFINITE
        # With more than one opponent left this one may also leave the reply to a later one: one "move" more.
        if self.switches.algorithm == BEST_REPLY and not ours and self.position.players > 2:
            moves[n] = NO_MOVE
            orders[n] = LAST
            n += 1

        # Step 7. Search them.
        for i in range(n):
            self.pick(moves, orders, i, n)
            if not self.switches.principal_variation or i == 0 or beta - alpha <= 1:
                value = self.descend(moves[i], depth - (stage == BEFORE), alpha, beta, ply, stage)
            elif ours:
                value = self.descend(moves[i], depth - (stage == BEFORE), alpha, alpha + 1, ply, stage)
                if alpha < value < beta and not self.control.stopped:
                    value = self.descend(moves[i], depth - (stage == BEFORE), alpha, beta, ply, stage)
            else:
                value = self.descend(moves[i], depth - (stage == BEFORE), beta - 1, beta, ply, stage)
                if alpha < value < beta and not self.control.stopped:
                    value = self.descend(moves[i], depth - (stage == BEFORE), alpha, beta, ply, stage)
            if self.control.stopped:
                return 0
            if value == INFINITE:
                continue                       # nobody is left to whom the reply could be left
            if (ours and value > best) or (not ours and value < best):
                best = value
                best_move = moves[i]
                if alpha < value < beta:
                    self.extend(moves[i], ply)
                if ours and value > alpha:
                    alpha = value
                elif not ours and value < beta:
                    beta = value
                if alpha >= beta:
                    self.counters.cutoffs += 1
                    if self.switches.killers and moves[i] != self.killers[ply][0]:
                        self.killers[ply][1] = self.killers[ply][0]
                        self.killers[ply][0] = moves[i]
                    break

        # Step 8. Remember, unless the value leaned on a repetition or the turn limit, which are not in the key.
        if self.switches.table and self.endings == endings:
            value = best + ply if best > PROVEN else best - ply if best < -PROVEN else best
            self.table.store(key, best_move, value, depth,
                             UPPER if best <= first_alpha else LOWER if best >= first_beta else EXACT)
        return best

    cdef int descend(self, move_t move, int depth, int alpha, int beta, int ply, int stage) except? -32768 nogil:
        """The value after a move, or after sitting out (NO_MOVE). INFINITE if that would leave nobody to reply."""
        cdef int before = self.position.ply, value, next_stage = BEFORE
        cdef bint ours = self.position.side == self.root
        if move == NO_MOVE:
            self.sit_out()
        else:
            self.position.make(move)
        if self.switches.algorithm == OWN_PLAN:
            while self.position.side >= 0 and self.position.side != self.root:
                self.sit_out()
        elif self.switches.algorithm == BEST_REPLY and not ours and self.position.players > 2:
            if self.position.side == self.root:
                if move == NO_MOVE and stage != REPLIED:
                    self.position.unmake()
                    return INFINITE
            elif move == NO_MOVE and stage != REPLIED:
                next_stage = WAITING
            else:
                next_stage = REPLIED
        value = self.look(depth, alpha, beta, ply + 1, next_stage)
        self.position.unmake_to(before)
        return value

    cdef int sit_out(self) except -1 nogil:
        """The player to act does nothing or, in BRS+, what looks best at first sight."""
        cdef move_t moves[MAX_MOVES]
        cdef Stride stride
        cdef int i, best = -1, gain = 0
        if self.switches.others_move and self.switches.algorithm == BEST_REPLY:
            for i in range(self.position.generate(moves)):
                if self.race is None or not self.race.stride(self.position, moves[i], &stride):
                    break
                if best < 0 or stride.gain > gain:
                    best = i
                    gain = stride.gain
            if best >= 0:
                return self.position.make(moves[best])
        if not self.position.make_null():
            with gil:
                raise TextError(f"{self.position.game.name} knows no passing, so opponents cannot sit out; "
                                "use the algorithm paranoid or max_n")
        return 0

    cdef int guess(self) except? -32768 nogil:
        """What the evaluator thinks, for the player at the root."""
        cdef double values[MAX_PLAYERS]
        cdef int value
        self.counters.leaves += 1
        if self.position.players == 2:
            value = self.evaluator.evaluate(self.position)
            return value if self.position.side == self.root else -value
        self.evaluator.evaluate_players(self.position, values)
        return <int> lround(UNIT * values[self.root])

    cdef int proven(self, double score, int ply) noexcept nogil:
        """The value of a certain score."""
        return WIN - ply if score >= 1 else ply - WIN if score <= -1 else <int> lround(UNIT * score)

    # ------------------------------------------------------------------ max^n

    cdef int share(self, int depth, int ply, double* values) except -1 nogil:
        """The values for all players when everybody takes his best.

        Where a player is indifferent, the result still must not depend on the order of the moves: he
        takes the values that are smallest for the first of the players for whom they differ.
        """
        cdef double found[MAX_PLAYERS]
        cdef double sooner = SOONER * depth
        cdef double score
        cdef move_t* moves
        cdef int32_t* orders
        cdef Shared* slot
        cdef key_t key
        cdef move_t best_move = NO_MOVE
        cdef int i, j, n, player
        cdef int64_t endings = self.endings
        cdef bint better

        # Step 1. Count the node; limits and stop().
        self.line_length[ply] = 0
        if out_of_budget(&self.control):
            return 0

        # Step 2. The end, and the horizon.
        if self.position.side == OVER or ((depth <= 0 or ply >= MAX_PLY) and self.position.over()):
            self.endings += not self.position.settled(self.root, &score)
            self.position.score(values)
            for i in range(self.position.players):
                values[i] += sooner if values[i] > 0 else -sooner if values[i] < 0 else 0
            return 0
        if depth <= 0 or ply >= MAX_PLY:
            self.counters.leaves += 1
            return self.evaluator.evaluate_players(self.position, values)
        if self.position.side == CHANCE:
            with gil:
                raise TextError("this search does not know chance; use expectimax or mcts for this game")

        # Step 3. The table: one entry per slot, the newest.
        player = self.position.side
        key = self.position.key() ^ self.salt
        slot = &self.shared[key & (SHARED - 1)]
        if self.switches.table and slot.key == key and slot.depth == depth:
            self.counters.table_hits += 1
            self.counters.table_cutoffs += 1
            memcpy(values, slot.values, sizeof(found))
            return 0

        # Step 4. Everybody takes his best.
        moves = &self.moves[ply * MAX_MOVES]
        orders = &self.orders[ply * MAX_MOVES]
        n = self.select(moves, orders, ply, slot.move if slot.key == key else NO_MOVE)
        if n == 0:
            return self.position.score(values)
        for i in range(n):
            self.share_after(moves[i], depth, ply, found)
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
                self.extend(best_move, ply)
        if self.switches.table and self.endings == endings:
            slot.key = key
            slot.depth = depth
            slot.move = best_move
            memcpy(slot.values, values, sizeof(found))
        return 0

    cdef int share_after(self, move_t move, int depth, int ply, double* values) except -1 nogil:
        """The values after a move. Who finishes by it has it the better, the sooner it is: leaves do not know when."""
        cdef double score
        cdef int player, settled = 0
        for player in range(self.position.players):
            settled |= self.position.settled(player, &score) << player
        self.position.make(move)
        self.share(depth - 1, ply + 1, values)
        if self.position.side != OVER:
            for player in range(self.position.players):
                if not settled >> player & 1 and self.position.settled(player, &score) and score > 0:
                    values[player] += SOONER * depth
        self.position.unmake()
        return 0

    # ------------------------------------------------------------------ average and minimum of leaves

    cdef int gather(self, int depth, int ply, Leaves* leaves) except -1 nogil:
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
        if self.switches.skip_searched:
            key = self.position.key()
            if self.visited[key & (VISITED - 1)] == key:
                self.counters.skipped += 1
                return 0
            self.visited[key & (VISITED - 1)] = key

        # Step 3. A leaf: the horizon, the end of the game, or of it for the player at the root.
        decided = self.position.settled(self.root, &score) or self.position.side == OVER
        if decided or depth <= 0 or ply >= MAX_PLY or self.position.over():
            self.counters.leaves += 1
            if self.position.side == OVER or self.position.over():
                self.position.score(values)
            else:
                self.evaluator.evaluate_players(self.position, values)
            if decided and self.position.side == OVER and values[self.root] < 1:
                pass                                   # no win, no bonus
            elif decided:
                values[self.root] += self.switches.win_bonus * (1 + (depth if depth > 0 else 0))
            leaves.count += 1
            leaves.total += values[self.root]
            if values[self.root] < leaves.least:
                leaves.least = values[self.root]
            return 0
        if self.position.side == CHANCE:
            with gil:
                raise TextError("this search does not know chance; use expectimax or mcts for this game")

        # Step 4. All moves that forward pruning leaves, of whoever acts.
        moves = &self.moves[ply * MAX_MOVES]
        n = self.select(moves, &self.orders[ply * MAX_MOVES], ply, NO_MOVE)
        for i in range(n):
            self.position.make(moves[i])
            self.gather(depth - 1, ply + 1, leaves)
            self.position.unmake()
            if self.control.stopped:
                return 0
        return 0

    # ------------------------------------------------------------------ which moves, in which order

    cdef int select(self, move_t* moves, int32_t* orders, int ply, move_t known) except -1 nogil:
        """Write the moves to be searched and how promising each is; returns how many."""
        cdef Stride strides[MAX_MOVES]
        cdef int farthest[MAX_PLACES]       # per piece: what its farthest hop gains
        cdef int rank[MAX_PLACES]           # per piece: how far back it is, for its turn to choose
        cdef bint claimed[MAX_PLACES]
        cdef int candidates[MAX_PLACES]
        cdef double values[MAX_PLAYERS]
        cdef double best_value = 0
        cdef int i, j, n, kept, piece, chosen, count, taken, best, player = self.position.side
        cdef Switches* switches = &self.switches
        n = self.position.generate(moves)

        # Step 1. How the evaluator describes each move; without that there is only the order of the rules.
        for i in range(n):
            if self.race is None or not self.race.stride(self.position, moves[i], &strides[i]):
                for j in range(n):
                    orders[j] = 0
                break
            orders[i] = strides[i].gain
        else:
            if n > 1 and (switches.no_retreat or switches.claims or switches.targets or switches.farthest_hop
                          or switches.width):
                # Step 2. No retreat; of the hops of a piece only the farthest.
                if switches.farthest_hop:
                    for i in range(self.race.places):
                        farthest[i] = -(1 << 30)
                    for i in range(n):
                        if strides[i].chain and strides[i].gain > farthest[strides[i].piece]:
                            farthest[strides[i].piece] = strides[i].gain
                for i in range(n):
                    if switches.no_retreat and strides[i].gain < 0:
                        orders[i] = LAST
                    elif switches.farthest_hop and strides[i].chain and strides[i].gain < farthest[strides[i].piece]:
                        orders[i] = LAST

                # Step 3. The rearmost piece chooses first: a few targets, which no other piece may then have.
                if switches.claims or switches.targets:
                    for i in range(self.race.places):
                        rank[i] = -1
                        claimed[i] = False
                    for i in range(n):
                        rank[strides[i].piece] = strides[i].rear
                    while True:
                        piece = 0
                        for i in range(1, self.race.places):
                            if rank[i] > rank[piece]:
                                piece = i
                        if rank[piece] < 0:
                            break
                        rank[piece] = -1
                        count = 0
                        for i in range(n):
                            if strides[i].piece == piece and orders[i] != LAST:
                                if switches.claims and claimed[strides[i].target]:
                                    orders[i] = LAST
                                else:
                                    candidates[count] = i
                                    count += 1
                        # The nearest to the goal come first; of equal ones the first.
                        taken = 0
                        while taken < count:
                            best = taken
                            for j in range(taken + 1, count):
                                if strides[candidates[j]].remaining < strides[candidates[best]].remaining:
                                    best = j
                            chosen = candidates[best]
                            for j in range(best, taken, -1):
                                candidates[j] = candidates[j - 1]
                            candidates[taken] = chosen
                            taken += 1
                            if switches.targets and taken > switches.targets:
                                orders[chosen] = LAST
                            else:
                                claimed[strides[chosen].target] = True

                # Step 4. If nothing is left, the best of the rest by what the evaluator says after it.
                kept = 0
                for i in range(n):
                    kept += orders[i] != LAST
                if kept == 0:
                    self.counters.backups += 1
                    best = 0
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
                count = 0
                for i in range(n):
                    if orders[i] != LAST:
                        moves[count] = moves[i]
                        orders[count] = orders[i]
                        count += 1
                self.counters.pruned += n - count
                n = count

                # Step 5. Only the most promising altogether.
                if switches.width and n > switches.width:
                    for i in range(switches.width):
                        self.pick(moves, orders, i, n)
                    self.counters.pruned += n - switches.width
                    n = switches.width

        # Step 6. What the table and the siblings recommend comes first.
        for i in range(n):
            if moves[i] == known:
                orders[i] = FIRST_MOVE
            elif switches.killers and (moves[i] == self.killers[ply][0] or moves[i] == self.killers[ply][1]):
                orders[i] = KILLER
        return n

    cdef int pick(self, move_t* moves, int32_t* orders, int first, int n) noexcept nogil:
        """Bring the most promising of the moves left to the front; equal ones keep their order."""
        cdef int best = first, i
        cdef int32_t order
        cdef move_t move
        for i in range(first + 1, n):
            if orders[i] > orders[best]:
                best = i
        move, order = moves[best], orders[best]
        for i in range(best, first, -1):
            moves[i] = moves[i - 1]
            orders[i] = orders[i - 1]
        moves[first] = move
        orders[first] = order
        return 0

    cdef int extend(self, move_t move, int ply) noexcept nogil:
        """The best line from `ply` on is this move and what was best after it."""
        cdef int length = self.line_length[ply + 1]
        if length > KEPT - 1:
            length = KEPT - 1
        self.line[ply][0] = move
        memcpy(&self.line[ply][1], self.line[ply + 1], length * sizeof(move_t))
        self.line_length[ply] = length + 1
        return 0

    cdef object _answer(self):
        cdef int i, j, length
        answers = []
        for i in range(self.best_count):
            # A line ends where somebody sits out: what follows cannot be played as it stands.
            length = 1
            while length < self.best[i].length and self.best[i].moves[length] != NO_MOVE:
                length += 1
            if self.switches.algorithm == OWN_PLAN:
                length = 1
            value = self.best[i].value
            wins_in = None
            if self.switches.algorithm in (BEST_REPLY, PARANOID, OWN_PLAN) and abs(value) > PROVEN:
                wins_in = int(WIN - value) if value > 0 else -int(WIN + value)
            answers.append(Line(tuple([self.best[i].moves[j] for j in range(length)]), value, wins_in))
        counters = self.counters
        return Result(tuple(answers), self.depth_done, self.control.nodes, now() - self.control.began, {
            "table_hits": counters.table_hits, "table_cutoffs": counters.table_cutoffs, "cutoffs": counters.cutoffs,
            "pruned": counters.pruned, "backups": counters.backups, "skipped": counters.skipped,
            "leaves": counters.leaves})
