"""Alpha-beta search, for any game of two players without chance.

One file, to be read from top to bottom. The plan: deepen iteratively (`deepening`); at every node
consult, in this order, the path (has this position been here before?), the
transposition table, and only then the moves; let the move ordering do the work.

- Values are for the player who acts. They change sign only when the turn changes hands,
  and only that costs a ply of depth: several actions of one turn are one ply.
- A value that leaned on a repetition is true on this path only. `leaned` carries the
  lowest ply whose presence on the path was needed; a node whose value leaned on something
  above it is not stored (the graph-history problem: Campbell 1985, Kishimoto and Müller 2004).
- Which switches are sound (never change the value at a fixed depth) is said in `alphabeta_options`.

Papers: Knuth and Moore 1975 (alpha-beta), Marsland 1986 (principal variation search), Schaeffer 1989 (history),
Donninger 1993 (null move), Schaeffer and Plaat 1996 (enhanced transposition cut-offs).
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.math cimport log
from libc.stdint cimport int16_t, int32_t
from libc.string cimport memset

from boyi.core.evaluator cimport WIN, Evaluator
from boyi.core.position cimport Position
from boyi.core.rules cimport FRESH, REPEAT_DRAWS, REPEAT_WINS
from boyi.core.types cimport CHANCE, MAX_MOVES, MAX_PLAYERS, OVER, key_t, move_t
from boyi.kit.control cimport begin, has_deadline, out_of_budget
from boyi.search.horizon cimport HorizonSearch
from boyi.search.ordering cimport (
    BAD_CAPTURE,
    FOLLOW_SLOTS,
    arrange,
    drop_killers,
    extend_line,
    forget_order,
    is_quiet,
    pick,
    reward,
)
from boyi.search.table cimport EXACT, LOWER, NO_MOVE, NOTHING, UPPER, Found, Table, decides, from_table, to_table
from boyi.search.values cimport INFINITE, NOWHERE, PROVEN

import threading

from boyi.core.errors import TextError
from boyi.core.searcher import check_legal
from boyi.search.alphabeta_options import AlphaBetaOptions
from boyi.search.ancestors.hook import find_worker

# Depths are in plies, values in the evaluator's hundredths. The shapes of these rules are those of open-source chess
# engines (Stockfish, Ethereal); the numbers are guesses that were never tuned.
cdef enum:
    ONLY_MOVE_DEPTH = 4            # the only move is searched so deep, for its value, and no clock time spent on it
    # ---- aspiration windows
    ASPIRATION_DEPTH = 5           # from here on
    ASPIRATION_WINDOW = 40         # to either side of the last value
    ASPIRATION_GROWTH = 4          # the factor when the value falls outside
    # ---- futility: the static value is far outside the window
    FUTILITY_HIGH_DEPTH = 6        # at most: return at once where it is above, ...
    FUTILITY_HIGH_MARGIN = 70      # ... by this per ply, one ply less when improving
    FUTILITY_LOW_DEPTH = 5         # at most: leave quiet moves out where it is below, ...
    FUTILITY_LOW_MARGIN = 90       # ... by this per ply and once more
    # ---- null move
    NULL_DEPTH = 3                 # at least
    NULL_REDUCTION = 3             # plies, ...
    NULL_REDUCTION_DEPTH = 4       # ... one more for every this many plies of depth ...
    NULL_REDUCTION_VALUE = 200     # ... and one more for every so much of the static value above the window
    # ---- late moves
    LATE_PRUNING_DEPTH = 5         # at most: leave quiet moves out ...
    LATE_PRUNING_MOVES = 3         # ... after this number + depth², half as many when not improving (as in Stockfish)
    BAD_CAPTURE_DEPTH = 4          # at most: leave captures out ...
    BAD_CAPTURE_MARGIN = 80        # ... that lose more than this per ply
    REDUCTION_DEPTH = 3            # at least
    REDUCTION_MOVES = 2            # the first are not reduced, ...
    REDUCTION_MOVES_WIDE = 2       # ... nor are this many more in an open window
    REDUCTION_HISTORY = 8192       # of a quiet move's order: one ply less or more
    # ---- others
    INTERNAL_REDUCTION_DEPTH = 4   # at least
    TRANSPOSITION_DEPTH = 3        # at least, for enhanced transposition cut-offs
    HELPER_DEPTH = 2               # helper threads skip every third depth beyond it

# Late move reductions in plies: base + ln(depth) * ln(number of the move) / divisor.
cdef double REDUCTION_BASE = 0.5
cdef double REDUCTION_DIVISOR = 2.0

cdef int reductions[64][64]


cdef int _fill_reductions() noexcept:
    cdef int depth, number
    for depth in range(1, 64):
        for number in range(1, 64):
            reductions[depth][number] = <int> (REDUCTION_BASE + log(depth) * log(number) / REDUCTION_DIVISOR)
    return 0


_fill_reductions()


# ---------------------------------------------------------------------- the table, which may know images

cdef inline key_t _table_key(Worker worker, key_t key, int ply, int* image) except? 0 nogil:
    """The key that the table knows the position by, and the image of the position that it is the key of.

    It is always the plain key of some position, and what stands under it is true of that one as it
    stands. So canonical keys near the root and plain ones further down live in one table.
    """
    if ply < worker.switches.symmetric_plies:
        return worker.position.canonical_key(image)
    image[0] = 0
    return key


cdef inline bint _probe(Worker worker, key_t key, int image, Found* found) noexcept nogil:
    worker.counters.table_probes += 1
    if not worker.table.probe(key, found):
        return False
    worker.counters.table_hits += 1
    if image and found.move != NO_MOVE:
        found.move = worker.position.original_of(found.move, image)
    return True


cdef inline int _store(Worker worker, key_t key, int image, move_t move, int value, int depth,
                       int bound) noexcept nogil:
    if image and move != NO_MOVE:
        move = worker.position.image_of(move, image)
    return worker.table.store(key, move, value, depth, bound)


cdef class Worker(HorizonSearch):
    """One thread's search. All its memory is taken when it is made."""

    def __cinit__(self):
        self.take_memory(MAX_PLY + 2, LINE_LENGTH)
        self.max_ply = MAX_PLY
        self.ordering.follow = <int16_t*> PyMem_RawCalloc(FOLLOW_SLOTS, sizeof(int16_t))
        if self.ordering.follow == NULL:
            raise MemoryError("no room for a search")

    def __dealloc__(self):
        PyMem_RawFree(self.ordering.follow)

    cdef int prepare(self, options, Position position, tuple only) except -1:
        """Before a search: the options, unpacked, and nothing learnt or counted yet."""
        self.switches.table = options.table_mb > 0
        self.switches.same_depth = options.same_depth
        self.switches.aspiration = options.aspiration
        self.switches.transposition_cutoffs = options.transposition_cutoffs
        self.switches.null_move = options.null_move
        self.switches.late_move_reductions = options.late_move_reductions
        self.switches.late_move_pruning = options.late_move_pruning
        self.switches.futility = options.futility
        self.switches.check_extensions = options.check_extensions
        self.switches.internal_reductions = options.internal_reductions
        self.switches.statistical_cutoffs = options.statistical_cutoffs
        self.switches.statistical_share = options.statistical_share
        self.switches.statistical_deviations = options.statistical_deviations
        self.switches.repetition = options.repetition == "full"
        self.switches.symmetric_plies = {
            "none": 0, "top": options.symmetry_plies, "everywhere": MAX_PLY + 1}[options.symmetry]
        self.principal_variation = options.principal_variation
        self.quiescence = options.quiescence
        self.ordering.exchanges = True
        self.ordering.killers.on = options.killers
        self.ordering.by_history = options.history
        self.position = position
        self.root_ply = position.ply
        self.only = only or None
        self.leaned = NOWHERE
        self.path[0] = NO_MOVE
        self.quiescence_nodes = 0
        memset(&self.counters, 0, sizeof(Counters))
        forget_order(&self.ordering)
        return 0

    # ------------------------------------------------------------------ the root

    cdef bint skips(self, int depth, int deepest) noexcept nogil:
        """Helper threads run ahead on some depths, so that they fill the table with something new."""
        return self.thread and depth > HELPER_DEPTH and (depth + self.thread) % 3 == 0 and depth < deepest

    cdef int search_line(self, int depth, int first) except -1 nogil:
        """Aspiration: begin with a narrow window around the last value and widen it where the value falls outside."""
        cdef int value = self.root_values[first], window = ASPIRATION_WINDOW, alpha = -INFINITE, beta = INFINITE
        if self.switches.aspiration and depth >= ASPIRATION_DEPTH and -PROVEN < value < PROVEN:
            alpha, beta = value - window, value + window
        while True:
            value = self.search_root(depth, first, alpha, beta)
            if self.control.stopped:
                return 0
            # The best of some moves is no value of the position.
            if self.switches.table and first == 0 and value > alpha and self.only is None:
                self.store_root(depth, value, beta)
            if value <= alpha and alpha > -INFINITE:
                alpha = value - window if value - window > -PROVEN else -INFINITE
            elif value >= beta and beta < INFINITE:
                beta = value + window if value + window < PROVEN else INFINITE
            else:
                return 0
            window *= ASPIRATION_GROWTH

    cdef int store_root(self, int depth, int value, int beta) except -1 nogil:
        cdef int image
        cdef key_t key = _table_key(self, self.position.key(), 0, &image)
        _store(self, key, image, self.root_moves[0], value, depth,
               NOTHING if self.leaned < 0 else LOWER if value >= beta else EXACT)
        return 0

    cdef int root_value(self, move_t move, int depth, int alpha, int beta) except? -32768 nogil:
        cdef int player = self.position.side, value
        self.position.make(move)
        value = self.descend(move, depth - 1, alpha, beta, 0, player)
        self.position.unmake()
        return value

    cdef bint is_enough(self, int depth) noexcept nogil:
        """The only move needs no clock time; after a win or loss within the depth deeper tells nothing new."""
        if self.root_count == 1 and depth >= ONLY_MOVE_DEPTH and has_deadline(&self.control):
            return True
        return self.wanted == 1 and (self.best.heads[0].value >= WIN - depth
                                     or self.best.heads[0].value <= -(WIN - depth))

    # ------------------------------------------------------------------ a node

    cdef int descend(self, move_t move, int depth, int alpha, int beta, int ply, int player) except? -32768 nogil:
        """The value for `player` after the move just made. The sign changes when the turn did."""
        self.path[ply + 1] = move
        if self.position.side == player:
            return self.negamax(depth + 1, alpha, beta, ply + 1, player, True)
        return -self.negamax(depth, -beta, -alpha, ply + 1, player ^ 1, True)

    cdef int negamax(self, int depth, int alpha, int beta, int ply, int player, bint may_pass) except? -32768 nogil:
        """The value of the position for `player`, who acts (or would, were the game not over)."""
        cdef Found found
        cdef key_t key
        cdef move_t known = NO_MOVE, move, best_move = NO_MOVE
        cdef move_t* moves
        cdef int32_t* orders
        cdef int value, best = -INFINITE, first_alpha = alpha, static_value = 0
        cdef int i, n, reduction, child_depth, occurrence, image = 0, child_image
        cdef int outer_leaned, least_leaned, best_leaned
        cdef bint checked, quiet, wide = beta - alpha > 1, improving
        cdef int quiets = 0, low, high

        # Step 1. Count the node; limits and stop().
        self.line_lengths[ply] = 0
        if out_of_budget(&self.control):
            return 0

        # Step 2. Repetition, before anything is looked up.
        if self.switches.repetition:
            i = self.position.repeated()
            if i != FRESH:
                self.counters.repetitions += 1
                occurrence = self.position.last_occurrence() - self.root_ply
                if occurrence < self.leaned:
                    self.leaned = occurrence
                return 0 if i == REPEAT_DRAWS else WIN - ply if i == REPEAT_WINS else -(WIN - ply)
        key = self.position.key()

        # Step 3. The game is over by rule, or the line too long.
        if self.position.side == OVER:
            return self.finished(depth, ply, player)
        if self.position.side == CHANCE:
            with gil:
                raise TextError("alpha-beta does not know chance; use expectimax or mcts for this game")
        if ply >= MAX_PLY:
            return self.evaluator.evaluate(self.position)

        # Step 4. A win found nearer to the root cannot be beaten here.
        if alpha < -(WIN - ply):
            alpha = -(WIN - ply)
        if beta > WIN - ply - 1:
            beta = WIN - ply - 1
        if alpha >= beta:
            return alpha

        # Step 5. At the horizon, captures only.
        checked = self.position.in_check()
        if checked and self.switches.check_extensions:
            depth += 1
        if depth <= 0:
            return self.quiesce(0, alpha, beta, ply, player)

        # Step 6. The table.
        if self.switches.table:
            key = _table_key(self, key, ply, &image)
        if self.switches.table and _probe(self, key, image, &found):
            known = found.move
            value = from_table(found.value, ply)
            if (not wide and (found.depth == depth or (found.depth > depth and not self.switches.same_depth))
                    and decides(found.bound, value, alpha, beta)):
                self.counters.table_cutoffs += 1
                return value

        # Step 7. The static value: by statistics of positions like this one, ...
        if (self.switches.statistical_cutoffs and not wide and -PROVEN < alpha and beta < PROVEN
                and self.evaluator.bounds(self.position, self.switches.statistical_share,
                                          self.switches.statistical_deviations, &low, &high)
                and (low >= beta or high <= alpha)):
            self.counters.statistical_cutoffs += 1
            return low if low >= beta else high
        # ... and by the evaluator.
        if not checked and (self.switches.futility or self.switches.null_move or self.switches.late_move_reductions):
            static_value = self.evaluator.evaluate(self.position)
            if known != NO_MOVE and (found.bound == EXACT or (found.bound == LOWER and value > static_value)
                                     or (found.bound == UPPER and value < static_value)):
                static_value = value
        self.static_values[ply] = static_value
        improving = not checked and ply >= 2 and static_value > self.static_values[ply - 2]

        # Step 8. Futility: far above the window near the horizon.
        if (self.switches.futility and not wide and not checked and depth <= FUTILITY_HIGH_DEPTH
                and -PROVEN < beta < PROVEN and static_value - FUTILITY_HIGH_MARGIN * (depth - improving) >= beta
                and static_value < PROVEN):
            return static_value

        # Step 9. Null move.
        if (self.switches.null_move and may_pass and not wide and not checked and depth >= NULL_DEPTH
                and static_value >= beta and -PROVEN < beta < PROVEN and self.position.make_null()):
            reduction = (NULL_REDUCTION + depth // NULL_REDUCTION_DEPTH
                         + (static_value - beta) // NULL_REDUCTION_VALUE)
            if reduction > depth:
                reduction = depth
            self.path[ply + 1] = NO_MOVE
            outer_leaned = self.leaned
            value = -self.negamax(depth - reduction, -beta, -beta + 1, ply + 1, player ^ 1, False)
            self.leaned = outer_leaned
            self.position.unmake()
            if self.control.stopped:
                return 0
            if value >= beta:
                self.counters.null_cutoffs += 1
                return value if value < PROVEN else beta

        # Step 10. No move known: first look less deep.
        if self.switches.internal_reductions and known == NO_MOVE and depth >= INTERNAL_REDUCTION_DEPTH:
            depth -= 1

        # Step 11. The moves. None: the game is over (mate, stalemate, ...).
        moves = self.moves + ply * MAX_MOVES
        orders = self.orders + ply * MAX_MOVES
        n = self.position.generate(moves)
        if n == 0:
            return self.finished(depth, ply, player)
        arrange(&self.ordering, self.position, moves, orders, n, ply, player, self.path[ply], known)
        drop_killers(&self.ordering.killers, ply + 1)

        # Step 12. Enhanced transposition cut-offs.
        if (self.switches.transposition_cutoffs and self.switches.table and depth >= TRANSPOSITION_DEPTH
                and not wide):
            for i in range(n):
                self.position.make(moves[i])
                if self.position.side == (player ^ 1) and _probe(
                        self, _table_key(self, self.position.key(), ply + 1, &child_image), child_image, &found):
                    if ((found.depth == depth - 1 or (found.depth >= depth and not self.switches.same_depth))
                            and (found.bound == UPPER or found.bound == EXACT)
                            and -found.value >= beta and -PROVEN < found.value < PROVEN
                            and self.position.repeated() == FRESH):
                        self.position.unmake()
                        self.counters.table_cutoffs += 1
                        return -found.value
                self.position.unmake()

        # Step 13. Move after move.
        outer_leaned = self.leaned
        least_leaned = best_leaned = NOWHERE
        for i in range(n):
            pick(moves, orders, i, n)
            move = moves[i]
            quiet = is_quiet(orders[i])
            # Near the horizon, late and hopeless moves are not even made.
            if best > -PROVEN and not checked and not wide:
                if (quiet and self.switches.late_move_pruning and depth <= LATE_PRUNING_DEPTH
                        and quiets >= (LATE_PRUNING_MOVES + depth * depth) // (2 - improving)):
                    continue
                if (quiet and self.switches.futility and depth <= FUTILITY_LOW_DEPTH
                        and static_value + FUTILITY_LOW_MARGIN * (depth + 1) <= alpha):
                    continue
                if (self.switches.late_move_pruning and depth <= BAD_CAPTURE_DEPTH and orders[i] < BAD_CAPTURE // 2
                        and orders[i] - BAD_CAPTURE < -BAD_CAPTURE_MARGIN * depth):
                    continue
            if quiet:
                quiets += 1
            self.position.make(move)
            child_depth = depth - 1
            self.leaned = NOWHERE
            if i == 0 or not self.principal_variation:
                value = self.descend(move, child_depth, alpha, beta, ply, player)
            else:
                # Step 14. Late moves get a shallower first look.
                reduction = 0
                if (self.switches.late_move_reductions and depth >= REDUCTION_DEPTH
                        and i >= REDUCTION_MOVES + REDUCTION_MOVES_WIDE * wide and quiet and not checked
                        and self.position.side == (player ^ 1)):
                    reduction = reductions[depth if depth < 63 else 63][i if i < 63 else 63]
                    reduction += not improving
                    reduction -= wide
                    reduction -= orders[i] // REDUCTION_HISTORY
                    if self.position.in_check():
                        reduction -= 1
                    if reduction < 0:
                        reduction = 0
                    if reduction > child_depth - 1:
                        reduction = child_depth - 1 if child_depth > 1 else 0
                value = self.descend(move, child_depth - reduction, alpha, alpha + 1, ply, player)
                if reduction and value > alpha and not self.control.stopped:
                    value = self.descend(move, child_depth, alpha, alpha + 1, ply, player)
                if alpha < value < beta and not self.control.stopped:
                    value = self.descend(move, child_depth, alpha, beta, ply, player)
            self.position.unmake()
            if self.control.stopped:
                return 0
            if self.leaned < least_leaned:
                least_leaned = self.leaned
            if value > best:
                best = value
                best_leaned = self.leaned
                if value > alpha:
                    best_move = move
                    extend_line(self.lines, self.line_lengths, LINE_LENGTH, move, ply)
                    alpha = value
                    # Step 15. A refutation: remember it, look no further.
                    if value >= beta:
                        self.counters.beta_cutoffs += 1
                        self.counters.first_move_cutoffs += i == 0
                        if quiet:
                            reward(&self.ordering, move, moves, orders, i, depth, ply, player, self.path[ply])
                        break

        # Step 16. Store, unless the value is true on this path only. A refutation needs its own line, else all count.
        if best < beta:
            best_leaned = least_leaned
        if best_leaned >= ply:
            best_leaned = NOWHERE
        self.leaned = outer_leaned if outer_leaned < best_leaned else best_leaned
        if self.switches.table:
            _store(self, key, image, best_move, to_table(best, ply), depth if best_leaned == NOWHERE else 0,
                   NOTHING if best_leaned != NOWHERE
                   else LOWER if best >= beta else EXACT if best > first_alpha else UPPER)
        return best

    cdef int finished(self, int depth, int ply, int player) except? -32768 nogil:
        """What a rule ended may be due to the path: a draw by a limit, a verdict on a repetition. It is not stored
        above."""
        cdef double scores[MAX_PLAYERS]
        self.position.score(scores)
        if self.position.side == OVER and (scores[player] == 0 or self.position.repeated() != FRESH):
            self.leaned = -1
        if scores[player] == 0:
            return 0
        return WIN - ply if scores[player] > 0 else -(WIN - ply)


cdef class AlphaBeta:
    """The searcher: options, a table that outlives a search, and a worker per thread (Lazy SMP).

    >>> import boyi
    >>> from boyi.core.searcher import Limits
    >>> AlphaBeta().search(boyi.start("tic_tac_toe"), Limits(depth=9)).value
    0.0
    """

    def __init__(self, evaluator=None, options=None):
        cdef Worker worker
        self.evaluator = evaluator if evaluator is not None else Evaluator()
        self.options = options if options is not None else AlphaBetaOptions()
        self.table = Table(max(1, self.options.table_mb))
        make = find_worker(self.options) or Worker
        self._worker = make()
        self._helpers = [make() for _ in range(self.options.threads - 1)]
        for number, other in enumerate([self._worker, *self._helpers]):
            worker = other
            worker.thread = number
            worker.table = self.table
            worker.evaluator = self.evaluator if number == 0 else self.evaluator.fork()

    def check(self, Position position not None):
        """Refuse, in words, a game in which this search would fail."""
        if position.players != 2 or position.game.has_chance:
            raise TextError("alphabeta is for two players and no chance")

    def search(self, Position position not None, limits, on_depth=None, only=()):
        """The best moves of a position in which a player acts; the position is left as it was.

        `on_depth` is called with the result of every depth as it ends. `only`, if not empty, are the moves to keep to.
        """
        cdef Worker worker = self._worker
        cdef int depth = min(limits.depth or MAX_PLY - 10, MAX_PLY - 10), lines = limits.lines
        if position.players != 2:
            raise TextError(f"alpha-beta is for two players; this position has {position.players}")
        only = tuple(only)
        check_legal(position, only)
        # First of all the controls: stop() takes effect from here on. A limit in nodes is shared out among the threads.
        share = -(-limits.nodes // self.options.threads) if limits.nodes else 0
        for other in (worker, *self._helpers):
            begin(&(<Worker> other).control, limits.seconds or 0, share)
        self.evaluator.check(position)
        self.table.age()
        worker.prepare(self.options, position, only)
        threads = []
        failures = []
        for other in self._helpers:
            (<Worker> other).prepare(self.options, position.copy(), only)
            threads.append(threading.Thread(target=_help, args=(other, depth, failures)))
        worker.on_depth = None if on_depth is None else lambda: on_depth(self._answer())
        for thread in threads:
            thread.start()
        try:
            with nogil:
                worker.deepen(depth, lines)
        finally:
            worker.on_depth = None
            try:
                position.unmake_to(worker.root_ply)
            finally:
                for other in self._helpers:
                    (<Worker> other).control.stopped = True
                for thread in threads:
                    thread.join()
        if failures:
            raise failures[0]
        return self._answer()

    def stop(self):
        """End a running search soon; it answers with what it has."""
        self._worker.control.stopped = True
        for other in self._helpers:
            (<Worker> other).control.stopped = True

    cdef object _answer(self):
        counters = self._worker.counters
        nodes = self._worker.control.nodes
        for other in self._helpers:
            nodes += (<Worker> other).control.nodes
        return self._worker.answer(nodes, {
            "table_probes": counters.table_probes, "table_hits": counters.table_hits,
            "table_cutoffs": counters.table_cutoffs,
            "beta_cutoffs": counters.beta_cutoffs, "first_move_cutoffs": counters.first_move_cutoffs,
            "null_cutoffs": counters.null_cutoffs, "statistical_cutoffs": counters.statistical_cutoffs,
            "repetitions": counters.repetitions,
            "quiescence_nodes": self._worker.quiescence_nodes, "table_entries": len(self.table)})


def _help(Worker worker, int depth, list failures):
    """Search on in a thread of its own; what goes wrong there is raised by the thread that asked."""
    try:
        with nogil:
            worker.deepen(depth, 1)
    except BaseException as failure:
        failures.append(failure)
