"""Search for any number of players, without chance.

With two players a loss of one is a gain of the other; with more, a search must guess what the
others are up to. Three guesses make it a search with bounds, which is this file:

- *Paranoid* (Sturtevant and Korf 2000): all others are one enemy, so alpha-beta applies. Too pessimistic, but deep.
- *Best reply* (BRS, Schadd and Winands 2011): the same, but of all opponents only one, the one who hurts
  most, moves between two moves of ours, so that we look far ahead for ourselves. BRS+ (Esser, Gras, Winands,
  Lanctot and Lieshout 2013) lets the rest make the move that gains most, instead of none.
- *Own plan*: the others sit still. A plan, not a fight; right when they are far away.

The fourth is `max_n`; the average and minimum of leaves are an ancestor's (`ancestors.leaves`). Which moves are looked
at is the same for all of them (`forward_pruning`).

With two players the first two are plain alpha-beta. The value of a bounded search
is a whole number for the player at the root: with two players in the evaluator's units, with more in
ten-thousandths, where 10,000 is the first place; WIN - n is that place for certain in n plies.
The others count in ten-thousandths, too.

It works for any game; what passes a turn (`make_null`) is needed only where opponents sit out.
"""

from libc.stdint cimport int32_t, int64_t

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position
from boyi.core.race cimport Stride
from boyi.core.types cimport CHANCE, MAX_MOVES, MAX_PLAYERS, OVER, key_t, move_t
from boyi.kit.control cimport begin, out_of_budget
from boyi.kit.gate cimport Gate
from boyi.search.deepening cimport extend_line
from boyi.search.forward_pruning cimport LAST_MOVE, MAX_PLY, PruningSearch, add_killer, pick
from boyi.search.scores cimport BEST_REPLY, OWN_PLAN, PARANOID, salt_for, to_proven, to_value
from boyi.search.table cimport EXACT, LOWER, NO_MOVE, UPPER, Found, Table, decides, from_table, to_table
from boyi.search.values cimport INFINITE, PROVEN

from boyi.core.errors import TextError
from boyi.core.searcher import check_legal
from boyi.search.ancestors.hook import find_worker
from boyi.search.max_n import MaxN
from boyi.search.multiplayer_options import MultiplayerOptions


cdef class BoundedSearch(PruningSearch):
    """Best reply, paranoid and own plan: the player at the root maximises, the others minimise."""

    def __init__(self, evaluator, options):
        PruningSearch.__init__(self, evaluator, options)
        self.algorithm = {"best_reply": BEST_REPLY, "paranoid": PARANOID, "own_plan": OWN_PLAN}[options.algorithm]
        self.table = Table(max(1, options.table_mb))
        self.use_table = options.table_mb > 0
        self.most_movers = options.others_move_most if options.others_move and self.algorithm == BEST_REPLY else 0

    cdef int prepare(self) except -1:
        PruningSearch.prepare(self)
        self.salt = salt_for(self.root_player, self.algorithm)
        self.table.age()
        return 0

    cdef int forget(self) except -1:
        self.table.clear()
        return 0

    # ------------------------------------------------------------------ the root

    cdef int root_value(self, move_t move, int depth, int alpha, int beta, int number) except? -32768 nogil:
        return self.descend(move, depth - 1, alpha, beta, 0, BEFORE)

    cdef bint is_enough(self, int depth) noexcept nogil:
        """After the first or last place for certain deeper tells nothing new; the only move needs no clock time."""
        cdef double value = self.best.heads[0].value
        return (self.wanted == 1 and (value > PROVEN or value < -PROVEN)) or PruningSearch.is_enough(self, depth)

    # ------------------------------------------------------------------ a node

    cdef int minimax(self, int depth, int alpha, int beta, int ply, int stage) except? -32768 nogil:
        """The value of the position for the player at the root."""
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
        self.line_lengths[ply] = 0
        if out_of_budget(&self.control):
            return 0

        # Step 2. Is it decided? The rest of the game does not concern a player who has finished.
        if self.position.settled(self.root_player, &score):
            return to_proven(score, ply)
        if self.position.side == OVER:
            self.endings += 1
            self.position.score(scores)
            return to_proven(scores[self.root_player], ply)
        if self.position.side == CHANCE:
            self.refuse_chance()

        # Step 3. The horizon, at the end of a ply only: what opponents do together is one ply.
        if (depth <= 0 and stage == BEFORE) or ply >= MAX_PLY:
            if self.position.over():
                self.position.score(scores)
                return to_proven(scores[self.root_player], ply)
            return self.evaluate()

        # Step 4. In best-reply search one opponent replies and the others sit out: there is nothing to choose.
        ours = self.position.side == self.root_player
        if stage == REPLIED:
            return self.descend(NO_MOVE, depth, alpha, beta, ply, REPLIED)

        # Step 5. The table. Only a value of this very depth is taken, so that a depth has one value.
        key = self.position.key() ^ self.salt ^ <key_t> stage * <key_t> 0x9E3779B97F4A7C15
        if self.use_table and self.table.probe(key, &found):
            self.counters.table_hits += 1
            known = found.move
            value = from_table(found.value, ply)
            if found.depth == depth and decides(found.bound, value, alpha, beta):
                self.counters.table_cutoffs += 1
                return value

        # Step 6. The moves, the promising first.
        moves = &self.moves[ply * MAX_MOVES]
        orders = &self.orders[ply * MAX_MOVES]
        n = self.select(moves, orders, ply, known)
        if n == 0:
            self.position.score(scores)
            return to_proven(scores[self.root_player], ply)
        best = -INFINITE if ours else INFINITE
        # With more than one opponent left this one may also leave the reply to a later one: one "move" more.
        if self.algorithm == BEST_REPLY and not ours and self.position.players > 2:
            moves[n] = NO_MOVE
            orders[n] = LAST_MOVE
            n += 1

        # Step 7. Search them.
        for i in range(n):
            pick(moves, orders, i, n)
            if not self.principal_variation or i == 0 or beta - alpha <= 1:
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
                    extend_line(self.lines, self.line_lengths, self.line_room, moves[i], ply)
                if ours and value > alpha:
                    alpha = value
                elif not ours and value < beta:
                    beta = value
                if alpha >= beta:
                    self.counters.cutoffs += 1
                    add_killer(&self.killers, moves[i], ply)
                    break

        # Step 8. Remember, unless the value leaned on a repetition or the turn limit, which are not in the key.
        if self.use_table and self.endings == endings:
            self.table.store(key, best_move, to_table(best, ply), depth,
                             UPPER if best <= first_alpha else LOWER if best >= first_beta else EXACT)
        return best

    cdef int descend(self, move_t move, int depth, int alpha, int beta, int ply, int stage) except? -32768 nogil:
        """The value after a move, or after sitting out (NO_MOVE). INFINITE if that would leave nobody to reply."""
        cdef int before = self.position.ply, value, next_stage = BEFORE
        cdef bint ours = self.position.side == self.root_player
        if move == NO_MOVE:
            self.sit_out()
        else:
            self.position.make(move)
        if self.algorithm == OWN_PLAN:
            while self.position.side >= 0 and self.position.side != self.root_player:
                self.sit_out()
        elif self.algorithm == BEST_REPLY and not ours and self.position.players > 2:
            if self.position.side == self.root_player:
                if move == NO_MOVE and stage != REPLIED:
                    self.position.unmake()
                    return INFINITE
            elif move == NO_MOVE and stage != REPLIED:
                next_stage = WAITING
            else:
                next_stage = REPLIED
        value = self.minimax(depth, alpha, beta, ply + 1, next_stage)
        self.position.unmake_to(before)
        return value

    cdef int sit_out(self) except -1 nogil:
        """The player to act does nothing or, in BRS+, makes the move that gains most."""
        cdef move_t moves[MAX_MOVES]
        cdef Stride strides[MAX_MOVES]
        cdef int i, n, best = 0
        if self.position.players <= self.most_movers and self.race is not None:
            n = self.position.generate(moves)
            if n and self.race.strides(self.position, moves, n, strides):
                for i in range(1, n):
                    if strides[i].gain > strides[best].gain:
                        best = i
                return self.position.make(moves[best])
        if not self.position.make_null():
            with gil:
                raise TextError(f"{self.position.game.name} knows no passing, so opponents cannot sit out; "
                                "use the algorithm paranoid or max_n")
        return 0

    cdef int evaluate(self) except? -32768 nogil:
        """The evaluator's value for the player at the root."""
        cdef double values[MAX_PLAYERS]
        cdef int value
        self.counters.leaves += 1
        if self.position.players == 2:
            value = self.evaluator.evaluate(self.position)
            return value if self.position.side == self.root_player else -value
        self.evaluator.evaluate_players(self.position, values)
        return to_value(values[self.root_player])


cdef class Multiplayer:
    """The searcher: an evaluator, options, and memory that is taken once.

    >>> import boyi
    >>> from boyi.core.searcher import Limits
    >>> Multiplayer().search(boyi.start("tic_tac_toe"), Limits(depth=9)).value
    0.0
    """

    def __init__(self, evaluator=None, options=None):
        self.evaluator = evaluator if evaluator is not None else Evaluator()
        self.options = options if options is not None else MultiplayerOptions()
        make = find_worker(self.options) or (MaxN if self.options.algorithm == "max_n" else BoundedSearch)
        self._worker = make(self.evaluator, self.options)

    def check(self, Position position not None):
        """Refuse, in words, a game in which this search would fail."""
        cdef bint passing = (position.players > 1 if self.options.algorithm == "own_plan" else
                             position.players > 2 and self.options.algorithm == "best_reply")
        if position.game.has_chance:
            raise TextError("multiplayer does not know chance")
        if passing and position.side >= 0 and not position.copy().play_null():
            raise TextError(f"{position.game.name} knows no passing, so opponents cannot sit out; use the algorithm "
                            "paranoid or max_n")

    def search(self, Position position not None, limits, on_depth=None, only=()):
        """The best moves of a position in which a player acts; the position is left as it was.

        `on_depth` is called with the result of every depth as it ends. `only`, if not empty, are the moves to keep to.
        """
        cdef PruningSearch worker = self._worker
        cdef int ply = position.ply, lines = min(limits.lines, MAX_MOVES), deepest
        only = tuple(only)
        check_legal(position, only)
        begin(&worker.control, limits.seconds or 0, limits.nodes or 0)   # first: stop() takes effect from here on
        self.evaluator.check(position)
        deepest = self.options.deepest_for_two if position.players == 2 else self.options.deepest_for_more
        deepest = min(limits.depth or MAX_PLY, deepest or MAX_PLY, MAX_PLY)
        worker.position = position
        worker.only = only or None
        worker.on_depth = None if on_depth is None else lambda: on_depth(self._answer())
        worker.prepare()
        try:
            with nogil:
                worker.deepen(deepest, lines)
        finally:
            position.unmake_to(ply)
            worker.position = worker.on_depth = None
        return self._answer()

    cdef object _answer(self):
        cdef PruningSearch worker = self._worker
        counters = worker.counters
        return worker.answer(worker.control.nodes, {
            "table_hits": counters.table_hits, "table_cutoffs": counters.table_cutoffs, "cutoffs": counters.cutoffs,
            "pruned": counters.pruned, "backups": counters.backups, "skipped": counters.skipped,
            "leaves": counters.leaves})

    def stop(self):
        """End a running search soon, from another thread; it answers with what it has."""
        self._worker.control.stopped = True

    def pass_through(self, Gate gate not None):
        """From the next search on, wait at a gate while it is closed."""
        self._gate = gate
        self._worker.control.passage = &gate.passage

    def forget(self):
        """Empty the tables, as before the first search."""
        self._worker.forget()
