"""Expectimax: search for any game of two players, with or without chance.

One file, to be read from top to bottom. It is alpha-beta (see `alphabeta`) with a third
kind of node: where chance acts, the value is the mean over its results, by their odds.

- Values are for the player who acts; at a chance node for the player whose move led there.
  They change sign only when the turn changes hands, and only that costs a ply of depth:
  further actions of the same turn and the results of chance are free.
- A value depends on the position and the depth and on nothing else, so that the table can
  hold it: a win counts by the plies left when it comes (more are better), a mean is rounded
  half away from zero, and a mean of wins and others is no win.
- *Bounds at chance nodes.* Each result has a lower and an upper bound, at first the ends of
  the scale. The mean of the upper bounds is one for the node, for rounding and floating-point
  sums in a fixed order never reverse an inequality. So the node can be left as soon as that
  mean is out of the window (Star1); one reply to each result gives good bounds early (Star2).
- `scout` goes further in a zero window, which is where a search with principal variations
  nearly always is. If every result were just as good as it looks, how good must this one be
  for the mean to stay below the window? One zero-window search answers. When all answers
  agree, the node is decided, from above or from below; when not, each has given a bound.
- Every search of a result is checked against its window, and repeated with an open one
  where a bound is not enough: the bounds can make a search slow, never wrong.

Papers: Michie 1966 (expectimax), Ballard 1983 (Star1, Star2), Hauk, Buro and Schaeffer 2004 (*-minimax in practice),
Veness and Blair 2007 (the table at chance nodes), Marsland 1986 (principal variation search), Schaeffer 1989 (history).
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.math cimport ceil, fabs, floor
from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memset

from boyi.core.bits cimport mix
from boyi.core.evaluator cimport GUESS, WIN, Evaluator
from boyi.core.position cimport Position
from boyi.core.rules cimport FRESH, REPEAT_DRAWS, REPEAT_WINS
from boyi.core.random cimport random_unit
from boyi.core.types cimport CHANCE, MAX_MOVES, MAX_PLAYERS, OVER, key_t, move_t
from boyi.kit.control cimport begin, has_deadline, out_of_budget
from boyi.search.deepening cimport RootLine
from boyi.search.horizon cimport HorizonSearch
from boyi.search.ordering cimport (
    KILLER,
    arrange,
    drop_killers,
    extend_line,
    forget_order,
    is_quiet,
    pick,
    reward,
)
from boyi.search.table cimport EXACT, LOWER, NO_MOVE, NOTHING, UPPER, Found, Table, decides
from boyi.search.values cimport INFINITE, NOWHERE, to_guess

from boyi.core.errors import TextError
from boyi.core.searcher import check_legal
from boyi.search.ancestors.hook import find_question
from boyi.search.expectimax_options import ExpectimaxOptions

cdef enum:
    WON = WIN - 2 * MAX_PLY        # a win that comes with no plies left; each ply left adds one
    PROVEN = WIN - 4 * MAX_PLY     # beyond it a value is a win

# Depths are in plies, values in the evaluator's hundredths. All of them are guesses that were never tuned.
cdef enum:
    # ---- futility: the static value is far outside the window
    FUTILITY_MARGIN = 130          # per ply: return at once where it is above ...
    FUTILITY_DEPTH = 3             # ... at most so deep; at the last ply leave quiet moves out where it is below ...
    FUTILITY_LOW_MARGIN = 260      # ... by this
    # ---- null move
    NULL_DEPTH = 3                 # at least
    NULL_REDUCTION = 3             # plies, ...
    NULL_REDUCTION_DEPTH = 6       # ... one more for every this many plies of depth
    # ---- late moves
    LATE_PRUNING_DEPTH = 2         # at most: leave quiet moves out ...
    LATE_PRUNING_MOVES = 8         # ... after this number per ply of depth
    REDUCTION_DEPTH = 3            # at least
    REDUCTION_MOVES = 3            # from this move on search a ply less deeply, ...
    REDUCTION_MOVES_TWO = 10       # ... from this one two plies, ...
    REDUCTION_MOVES_THREE = 25     # ... from this one three, ...
    REDUCTION_DEPTH_THREE = 6      # ... if at least so deep


cdef inline int _rounded(double value) noexcept nogil:
    return <int> (value + 0.5 if value >= 0 else value - 0.5)


cdef inline int _mean(int32_t* values, double* odds, int n) noexcept nogil:
    """The mean as a value. It never falls when one of the values rises."""
    cdef double sum = 0
    cdef int i, won = 0, lost = 0, mean
    for i in range(n):
        sum += odds[i] * values[i]
        won += values[i] > PROVEN
        lost += values[i] < -PROVEN
    mean = _rounded(sum)
    if won == n or lost == n:
        return mean
    return to_guess(mean)


cdef inline double _others(int32_t* values, double* odds, int n, int but) noexcept nogil:
    cdef double sum = 0
    cdef int i
    for i in range(n):
        if i != but:
            sum += odds[i] * values[i]
    return sum


cdef inline int _for_depth(int value, int found_depth, int depth) noexcept nogil:
    """A value of the table as it is with other plies left: a win has the same distance from here."""
    return (value - (found_depth - depth) if value > PROVEN
            else value + (found_depth - depth) if value < -PROVEN else value)


cdef inline int _in_range(double value) noexcept nogil:
    """A bound of a window that may be far off the scale."""
    return <int> (INFINITE if value > INFINITE else -INFINITE if value < -INFINITE else value)


cdef class Expectimax(HorizonSearch):
    """The searcher: options, a table that outlives a search, and the memory for one search.

    >>> import boyi
    >>> from boyi.core.searcher import Limits
    >>> Expectimax().search(boyi.start("tic_tac_toe"), Limits(depth=9)).value
    0.0
    """

    FOR_TWO = True             # players

    def __cinit__(self, *args, **kwargs):
        self.take_memory(MAX_PLY + 2, LINE_LENGTH)
        self.max_ply = MAX_PLY
        self.chance = True
        self.lists_all = True
        self.uppers = <int32_t*> PyMem_RawCalloc((MAX_PLY + 2) * MAX_MOVES, sizeof(int32_t))
        self.odds = <double*> PyMem_RawCalloc((MAX_PLY + 2) * MAX_MOVES, sizeof(double))
        if self.uppers == NULL or self.odds == NULL:
            raise MemoryError("no room for a search")

    def __dealloc__(self):
        PyMem_RawFree(self.uppers)
        PyMem_RawFree(self.odds)

    def __init__(self, evaluator=None, options=None):
        self.evaluator = evaluator if evaluator is not None else Evaluator()
        self.options = options if options is not None else ExpectimaxOptions()
        self.table = Table(max(1, self.options.table_mb))
        self.unpack()

    cdef int unpack(self) except -1:
        options = self.options
        self.switches.table = options.table_mb > 0
        self.switches.same_depth = options.same_depth
        self.switches.star1 = options.star1
        self.switches.star2 = options.star2
        self.switches.scout = options.scout and options.star1
        self.switches.null_move = options.null_move
        self.switches.late_move_reductions = options.late_move_reductions
        self.switches.late_move_pruning = options.late_move_pruning
        self.switches.futility = options.futility
        self.switches.check_extensions = options.check_extensions
        self.switches.repetition = options.repetition
        self.switches.outcomes = {"all": ALL, "sample": SAMPLE, "presume": PRESUME}[options.outcomes]
        self.switches.exact_chances = min(options.exact_chances, MAX_PLY)
        self.switches.samples = options.samples
        self.switches.seed = options.seed & 0xFFFFFFFFFFFFFFFF
        self.principal_variation = options.principal_variation
        self.quiescence = options.quiescence
        self.ordering.exchanges = options.exchanges
        self.ordering.killers.on = options.killers
        self.ordering.by_history = options.history
        return 0

    def check(self, Position position not None):
        """Refuse, in words, a game in which this search would fail."""
        if position.players != 2:
            raise TextError("expectimax is for two players")

    def search(self, Position position not None, limits, on_depth=None, only=()):
        """The best moves of a position in which a player acts; the position is left as it was.

        A line ends where chance begins. `on_depth` is called with the result of every depth as it ends. `only`, if not
        empty, are the moves to keep to.
        """
        cdef int before, deepest, lines = limits.lines
        if position.players != 2:
            raise TextError(f"expectimax is for two players; this position has {position.players}")
        only = tuple(only)
        check_legal(position, only)
        begin(&self.control, limits.seconds or 0, limits.nodes or 0)   # first: stop() takes effect from here on
        self.evaluator.check(position)
        self.position, limits = find_question(self.options, position, limits)
        before = self.position.ply
        deepest = min(limits.depth or MAX_DEPTH, MAX_DEPTH)
        self.table.age()
        self.quiescence_nodes = 0
        memset(&self.counters, 0, sizeof(Counters))
        forget_order(&self.ordering)
        self.leaned = NOWHERE
        self.chances_met = 0
        self.path_keys[0] = self.position.key()
        self.only = only or None
        self.on_depth = None if on_depth is None else lambda: on_depth(self._answer())
        try:
            with nogil:
                self.deepen(deepest, lines)
        finally:
            self.position.unmake_to(before)
            self.position = self.on_depth = None
        return self._answer()

    def stop(self):
        """End a running search soon; it answers with what it has."""
        self.control.stopped = True

    cdef object _answer(self):
        counters = self.counters
        return self.answer(self.control.nodes, {
            "chance_nodes": counters.chance_nodes, "chance_cutoffs": counters.chance_cutoffs,
            "quiescence_nodes": self.quiescence_nodes,
            "table_probes": counters.table_probes, "table_hits": counters.table_hits,
            "table_cutoffs": counters.table_cutoffs,
            "beta_cutoffs": counters.beta_cutoffs, "first_move_cutoffs": counters.first_move_cutoffs,
            "null_cutoffs": counters.null_cutoffs, "repetitions": counters.repetitions,
            "table_entries": len(self.table)})

    # ------------------------------------------------------------------ the root

    cdef int root_value(self, move_t move, int depth, int alpha, int beta, int number) except? -32768 nogil:
        cdef int player = self.position.side, value
        self.position.make(move)
        value = self.descend(depth, alpha, beta, 0, player, False)
        self.position.unmake()
        return value

    cdef bint is_enough(self, int depth) noexcept nogil:
        """The only move needs no clock time; after a forced win or loss deeper tells nothing new."""
        if self.root_count == 1 and has_deadline(&self.control):
            return True
        return self.best.heads[0].value > PROVEN or self.best.heads[0].value < -PROVEN

    cdef object wins_in(self, RootLine* line):
        """A win is worth WON plus the plies that were left of the depth when it came."""
        if line.value > PROVEN:
            return max(1, line.depth - <int> (line.value - WON))
        return -max(1, line.depth + <int> (line.value + WON)) if line.value < -PROVEN else None

    cdef int descend(self, int depth, int alpha, int beta, int ply, int player, bint probing) except? -32768 nogil:
        """The value for `player` of what they, or chance after them, just did at `ply`, with `depth` plies left
        there."""
        cdef int side = self.position.side
        self.line_lengths[ply + 1] = 0
        if side == CHANCE:
            return self.chance_node(depth, alpha, beta, ply + 1, player)
        if side == player:
            return self.negamax(depth, alpha, beta, ply + 1, player, True, probing)
        if side == OVER:
            return self.finished(depth - 1, ply + 1, player)
        return -self.negamax(depth - 1, -beta, -alpha, ply + 1, player ^ 1, True, probing)

    # ------------------------------------------------------------------ a player's node

    cdef int negamax(self, int depth, int alpha, int beta, int ply, int player, bint may_pass,
                     bint probing) except? -32768 nogil:
        """The value of the position for `player`, who acts. `probing`: a lower bound by one move will do."""
        cdef Found found
        cdef key_t key
        cdef move_t known = NO_MOVE, move, best_move = NO_MOVE
        cdef move_t* moves
        cdef int32_t* orders
        cdef int value, best = -INFINITE, first_alpha = alpha, static_value = 0, i, n, reduction
        cdef int outer_leaned = self.leaned
        cdef bint checked, quiet, wide = beta - alpha > 1, lazy

        # Step 1. Count the node; limits and stop().
        if out_of_budget(&self.control):
            return 0

        # Step 2. Repetition, before anything is looked up.
        key = self.position.key()
        self.path_keys[ply] = key
        if self.switches.exact_chances < MAX_PLY:
            key += <key_t> self.chances_met
        if self.switches.repetition:
            i = self.position.repeated()
            if i != FRESH:
                self.counters.repetitions += 1
                n = ply - 1
                while n >= 0 and self.path_keys[n] != self.path_keys[ply]:
                    n -= 1
                if n < self.leaned:
                    self.leaned = n
                return 0 if i == REPEAT_DRAWS else WON + depth if i == REPEAT_WINS else -(WON + depth)

        # Step 3. At the horizon, captures only; a check pushes it off by a ply.
        checked = self.position.in_check()
        if checked and self.switches.check_extensions:
            depth += 1
        if depth <= 0 or ply >= MAX_PLY:
            return self.quiesce(0, alpha, beta, ply, player)

        # Step 4. The table.
        self.counters.table_probes += self.switches.table
        if self.switches.table and self.table.probe(key, &found):
            self.counters.table_hits += 1
            known = found.move
            if found.depth == depth or (found.depth > depth and not self.switches.same_depth):
                value = _for_depth(found.value, found.depth, depth)
                if (found.bound & LOWER) != 0 if probing else decides(found.bound, value, alpha, beta):
                    self.counters.table_cutoffs += 1
                    return value

        # Step 5. The static value: far above the window near the horizon, or good enough even after passing.
        lazy = not wide and not checked and not probing and -PROVEN < beta < PROVEN
        if lazy and (self.switches.futility or self.switches.null_move):
            static_value = self.evaluator.evaluate(self.position)
            if (self.switches.futility and depth <= FUTILITY_DEPTH
                    and static_value - FUTILITY_MARGIN * depth >= beta):
                return static_value
            if (self.switches.null_move and may_pass and depth >= NULL_DEPTH and static_value >= beta
                    and self.position.make_null()):
                self.path_keys[ply + 1] = 0
                value = -self.negamax(depth - NULL_REDUCTION - depth // NULL_REDUCTION_DEPTH, -beta, -beta + 1, ply + 1,
                                      player ^ 1, False, False)
                self.position.unmake()
                self.leaned = outer_leaned
                if self.control.stopped:
                    return 0
                if value >= beta:
                    self.counters.null_cutoffs += 1
                    return value if value < PROVEN else beta

        # Step 6. The moves, the promising ones first. None: the game is over.
        moves = self.moves + ply * MAX_MOVES
        orders = self.orders + ply * MAX_MOVES
        n = self.position.generate(moves)
        if n == 0:
            return self.finished(depth, ply, player)
        arrange(&self.ordering, self.position, moves, orders, n, ply, player, NO_MOVE, known)
        drop_killers(&self.ordering.killers, ply + 2)
        self.leaned = NOWHERE

        # Step 7. One after the other.
        for i in range(n):
            pick(moves, orders, i, n)
            move = moves[i]
            quiet = is_quiet(orders[i])
            # Step 8. Quiet moves from far below the window, at the last ply, do not reach it.
            if (self.switches.futility and lazy and depth == 1 and i and quiet and best > -PROVEN
                    and static_value + FUTILITY_LOW_MARGIN <= alpha):
                if static_value + FUTILITY_LOW_MARGIN > best:
                    best = static_value + FUTILITY_LOW_MARGIN
                continue
            # Step 9. Late quiet moves near the horizon are left out, or first searched less deeply.
            if (self.switches.late_move_pruning and lazy and depth <= LATE_PRUNING_DEPTH and quiet
                    and best > -PROVEN and i >= LATE_PRUNING_MOVES * depth and orders[i] < KILLER):
                continue
            reduction = 0
            if (self.switches.late_move_reductions and depth >= REDUCTION_DEPTH and i >= REDUCTION_MOVES and quiet
                    and not checked and orders[i] < KILLER):
                reduction = 1 + (i >= REDUCTION_MOVES_TWO) + (
                    i >= REDUCTION_MOVES_THREE and depth >= REDUCTION_DEPTH_THREE)
                if reduction > depth - 1:
                    reduction = depth - 1
            self.position.make(move)
            if i == 0 or not (self.principal_variation or reduction):
                value = self.descend(depth, alpha, beta, ply, player, False)
            else:
                value = self.descend(depth - reduction, alpha, alpha + 1, ply, player, False)
                if reduction and value > alpha and not self.control.stopped:
                    value = self.descend(depth, alpha, alpha + 1, ply, player, False)
                if alpha < value < beta and not self.control.stopped:
                    value = self.descend(depth, alpha, beta, ply, player, False)
            self.position.unmake()
            if self.control.stopped:
                return 0
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    best_move = move
                    extend_line(self.lines, self.line_lengths, LINE_LENGTH, move, ply)
                    # Step 10. A refutation: remember it, look no further.
                    if value >= beta:
                        self.counters.beta_cutoffs += 1
                        self.counters.first_move_cutoffs += i == 0
                        if quiet:
                            reward(&self.ordering, move, moves, orders, 0, depth, ply, player, NO_MOVE)
                        break
            if probing:
                break

        # Step 11. Store, unless the value is true on this path only.
        self.store(key, best_move, best, depth,
                   NOTHING if self.leaned < ply else LOWER if best >= beta or probing
                   else EXACT if best > first_alpha else UPPER)
        if self.leaned >= ply or outer_leaned < self.leaned:
            self.leaned = outer_leaned
        return best

    # ------------------------------------------------------------------ a chance node

    cdef int chance_node(self, int depth, int alpha, int beta, int ply, int player) except? -32768 nogil:
        """The mean value for `player` of what chance may add to their move."""
        cdef Found found
        cdef key_t key = self.position.key()
        cdef move_t* moves = self.moves + ply * MAX_MOVES
        cdef double* odds = self.odds + ply * MAX_MOVES
        cdef int32_t* lowers = self.orders + ply * MAX_MOVES
        cdef int32_t* uppers = self.uppers + ply * MAX_MOVES
        cdef int i, n, value, low, high, bound, chosen, offset
        cdef double shift
        cdef int outer_leaned = self.leaned

        # Step 1. Count the node; limits and stop().
        self.counters.chance_nodes += 1
        if out_of_budget(&self.control):
            return 0
        self.path_keys[ply] = key
        if self.switches.exact_chances < MAX_PLY:
            key += <key_t> self.chances_met    # they decide how exact a value is, so the table keeps them apart

        # Step 2. Too long a line; or one result for granted: that is no node at all.
        if ply >= MAX_PLY:
            return self.static_value(player)
        if self.switches.outcomes == PRESUME:
            self.position.make(self.evaluator.presume(self.position))
            value = self.descend(depth, alpha, beta, ply, player, False)
            self.position.unmake()
            return value

        # Step 3. The table.
        self.counters.table_probes += self.switches.table
        if self.switches.table and self.table.probe(key, &found):
            self.counters.table_hits += 1
            if found.depth == depth or (found.depth > depth and not self.switches.same_depth):
                value = _for_depth(found.value, found.depth, depth)
                if decides(found.bound, value, alpha, beta):
                    self.counters.table_cutoffs += 1
                    return value

        # Step 4. The results and their odds.
        self.leaned = NOWHERE
        n = self.position.chances(moves, odds)
        if self.switches.outcomes == SAMPLE and n > self.switches.samples:
            n = self.sample(moves, odds, n)

        # Step 5. Late on a line one result stands for all: the one that looks most like the mean of them, and what
        # it looks better or worse than that is taken off again (a control variate).
        if self.chances_met >= self.switches.exact_chances and n > 1:
            shift = 0
            for i in range(n):
                self.position.make(moves[i])
                uppers[i] = self.static_value(player)
                self.position.unmake()
                shift += odds[i] * uppers[i]
            chosen = 0
            for i in range(1, n):
                if fabs(uppers[i] - shift) < fabs(uppers[chosen] - shift):
                    chosen = i
            offset = _rounded(shift - uppers[chosen])
            self.position.make(moves[chosen])
            value = self.descend(depth, _in_range(alpha - offset), _in_range(beta - offset), ply, player, False)
            self.position.unmake()
            if self.control.stopped:
                return 0
            if -PROVEN <= value <= PROVEN:
                value = to_guess(value + offset)
            self.store(key, NO_MOVE, value, depth, NOTHING if self.leaned < ply else UPPER if value <= alpha
                       else LOWER if value >= beta else EXACT)
            if self.leaned >= ply or outer_leaned < self.leaned:
                self.leaned = outer_leaned
            self.line_lengths[ply] = 0
            return value

        self.chances_met += 1
        for i in range(n):
            lowers[i] = -WIN
            uppers[i] = WIN
        bound = EXACT
        # Step 6. Scout: is each result as good as it must be, were all as good as they look?
        if self.switches.scout and beta - alpha == 1 and n > 1 and -GUESS < alpha < GUESS:
            shift = alpha + 0.49
            for i in range(n):
                self.position.make(moves[i])
                uppers[i] = self.static_value(player)
                self.position.unmake()
                shift -= odds[i] * uppers[i]
            for i in range(n):
                low = to_guess(_in_range(floor(uppers[i] + shift)))
                uppers[i] = WIN
                self.position.make(moves[i])
                value = self.descend(depth, low, low + 1, ply, player, False)
                self.position.unmake()
                if self.control.stopped:
                    return 0
                if value <= low:
                    uppers[i] = value
                else:
                    lowers[i] = value
            if _mean(uppers, odds, n) <= alpha:
                bound = UPPER
            elif _mean(lowers, odds, n) >= beta:
                bound = LOWER
        # Step 7. Star2: one reply to each result bounds it from above (the same player's next action: from below).
        elif self.switches.star2 and n > 1:
            for i in range(n):
                self.position.make(moves[i])
                if self.position.side >= 0:
                    low, high = -INFINITE, INFINITE
                    if self.switches.star1 and alpha > -GUESS:
                        low = _in_range(floor((alpha - 0.5 - _others(uppers, odds, n, i)) / odds[i]) - 1)
                    value = self.descend(depth, low, high, ply, player, True)
                    if self.position.side == player:
                        lowers[i] = value
                    else:
                        uppers[i] = value
                self.position.unmake()
                if self.control.stopped:
                    return 0
                if _mean(uppers, odds, n) <= alpha:
                    bound = UPPER
                    break

        # Step 8. Value one result after the other; Star1 leaves when the rest cannot matter.
        if bound == EXACT:
            for i in range(n):
                if lowers[i] == uppers[i]:
                    continue
                low, high = -INFINITE, INFINITE
                if self.switches.star1:
                    if alpha > -GUESS:
                        low = _in_range(floor((alpha - 0.5 - _others(uppers, odds, n, i)) / odds[i]) - 1)
                    if beta < GUESS:
                        high = _in_range(ceil((beta + 0.5 - _others(lowers, odds, n, i)) / odds[i]) + 1)
                    if low < lowers[i] - 1:
                        low = lowers[i] - 1
                    if high > uppers[i] + 1:
                        high = uppers[i] + 1
                    if low >= high - 1:
                        low, high = -INFINITE, INFINITE
                self.position.make(moves[i])
                value = self.descend(depth, low, high, ply, player, False)
                if low < value < high:
                    lowers[i] = uppers[i] = value
                elif value <= low:
                    uppers[i] = value
                else:
                    lowers[i] = value
                if not self.control.stopped:
                    if self.switches.star1 and _mean(uppers, odds, n) <= alpha:
                        bound = UPPER
                    elif self.switches.star1 and _mean(lowers, odds, n) >= beta:
                        bound = LOWER
                    elif lowers[i] != uppers[i]:
                        lowers[i] = uppers[i] = self.descend(depth, -INFINITE, INFINITE, ply, player, False)
                self.position.unmake()
                if self.control.stopped:
                    return 0
                if bound != EXACT:
                    break

        self.chances_met -= 1
        # Step 9. The mean, or the bound that was enough. With all results valued it is exact, even outside the window.
        self.counters.chance_cutoffs += bound != EXACT
        value = _mean(lowers if bound == LOWER else uppers, odds, n)
        self.store(key, NO_MOVE, value, depth, NOTHING if self.leaned < ply else bound)
        if self.leaned >= ply or outer_leaned < self.leaned:
            self.leaned = outer_leaned
        self.line_lengths[ply] = 0
        return value

    cdef int static_value(self, int player) except? -32768 nogil:
        """The static value for `player`; what chance has still to decide is presumed, a finished game is level."""
        cdef int value = 0
        if self.position.side == CHANCE:
            self.position.make(self.evaluator.presume(self.position))
            value = self.static_value(player)
            self.position.unmake()
        elif self.position.side != OVER:
            out_of_budget(&self.control)       # a position visited; the caller will see that it is time to stop
            value = self.evaluator.evaluate(self.position)
            if self.position.side != player:
                value = -value
        return value

    cdef int sample(self, move_t* moves, double* odds, int n) noexcept nogil:
        """Keep `samples` draws (some may fall on the same result), evenly spread over the odds from a start that
        depends on the position only; how many results are left."""
        cdef uint64_t state = mix(self.position.key() ^ self.switches.seed)
        cdef double at = random_unit(&state), reached = 0
        cdef int i, kept = 0, hits, samples = self.switches.samples
        for i in range(n):
            reached += odds[i] * samples
            hits = 0
            while at < reached or (i == n - 1 and at < samples):
                hits += 1
                at += 1
            if hits:
                moves[kept] = moves[i]
                odds[kept] = <double> hits / samples
                kept += 1
        return kept

    # ------------------------------------------------------------------ ends and the table

    cdef int finished(self, int depth, int ply, int player) except? -32768 nogil:
        """A draw by rule may be due to the path (a limit), so it is not stored above."""
        cdef double scores[MAX_PLAYERS]
        self.position.score(scores)
        if self.position.side == OVER:
            self.leaned = -1
        if scores[player] == 0:
            return 0
        return WON + depth if scores[player] > 0 else -(WON + depth)

    cdef int store(self, key_t key, move_t move, int value, int depth, int bound) noexcept nogil:
        if self.switches.table:
            self.table.store(key, move, value, depth if bound != NOTHING else 0, bound)
        return 0
