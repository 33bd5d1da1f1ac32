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
from libc.string cimport memcpy, memset

from boyi.core.bits cimport mix
from boyi.core.evaluator cimport GUESS, WIN, Evaluator
from boyi.core.position cimport Position
from boyi.core.rules cimport FRESH, REPEAT_DRAWS, REPEAT_WINS
from boyi.core.random cimport random_unit
from boyi.core.types cimport CHANCE, MAX_MOVES, MAX_PLAYERS, OVER, key_t, move_t
from boyi.kit.control cimport begin, now, out_of_budget
from boyi.search.ordering cimport KILLER, arrange, is_quiet, keep_line, pick, reward
from boyi.search.table cimport EXACT, LOWER, NO_MOVE, NOTHING, UPPER, Found, Table

from boyi.core.errors import TextError
from boyi.core.searcher import Line, Result, check_legal
from boyi.search.expectimax_options import ExpectimaxOptions

cdef enum:
    INFINITE = 31000
    WON = WIN - 2 * MAX_PLY        # a win that comes with no plies left; each ply left adds one
    PROVEN = WIN - 4 * MAX_PLY     # beyond it a value is a win
    NOWHERE = 1 << 20              # `leaned` of a value that needs nothing of its path
    QUIESCENT_CHECKS = -4          # deeper below the horizon checks are no longer answered by every move
    FUTILITY = 130                 # per ply left


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
    return GUESS if mean > GUESS else -GUESS if mean < -GUESS else mean


cdef inline double _others(int32_t* values, double* odds, int n, int but) noexcept nogil:
    cdef double sum = 0
    cdef int i
    for i in range(n):
        if i != but:
            sum += odds[i] * values[i]
    return sum


cdef inline int _in_range(double value) noexcept nogil:
    """A bound of a window that may be far off the scale."""
    return <int> (INFINITE if value > INFINITE else -INFINITE if value < -INFINITE else value)


cdef inline int _guess(int value) noexcept nogil:
    return GUESS if value > GUESS else -GUESS if value < -GUESS else value


cdef class Expectimax:
    """The searcher: options, a table that outlives a search, and the memory for one search.

    >>> import boyi
    >>> from boyi.core.searcher import Limits
    >>> Expectimax().search(boyi.start("tic_tac_toe"), Limits(depth=9)).value
    0.0
    """

    def __cinit__(self, *args, **kwargs):
        self.moves = <move_t*> PyMem_RawCalloc((MAX_PLY + 2) * MAX_MOVES, sizeof(move_t))
        self.orders = <int32_t*> PyMem_RawCalloc((MAX_PLY + 2) * MAX_MOVES, sizeof(int32_t))
        self.uppers = <int32_t*> PyMem_RawCalloc((MAX_PLY + 2) * MAX_MOVES, sizeof(int32_t))
        self.odds = <double*> PyMem_RawCalloc((MAX_PLY + 2) * MAX_MOVES, sizeof(double))
        self.root_moves = <move_t*> PyMem_RawCalloc(MAX_MOVES, sizeof(move_t))
        if (self.moves == NULL or self.orders == NULL or self.uppers == NULL or self.odds == NULL
                or self.root_moves == NULL):
            raise MemoryError("no room for a search")

    def __dealloc__(self):
        PyMem_RawFree(self.moves)
        PyMem_RawFree(self.orders)
        PyMem_RawFree(self.uppers)
        PyMem_RawFree(self.odds)
        PyMem_RawFree(self.root_moves)

    def __init__(self, evaluator=None, options=None):
        self.evaluator = evaluator if evaluator is not None else Evaluator()
        self.options = options if options is not None else ExpectimaxOptions()
        self.table = Table(max(1, self.options.table_mb))
        self.unpack()

    def search(self, Position position not None, limits, told=None, only=()):
        """The best moves of a position in which a player acts; the position is left as it was.

        A line ends where chance begins. `told` is called with the result of every depth as it ends. `only`, if not
        empty, are the moves to keep to.
        """
        cdef int depth_limit = MAX_DEPTH, lines = min(limits.lines, MAX_LINES), before
        if position.players != 2:
            raise TextError(f"expectimax is for two players; this position has {position.players}")
        only = tuple(only)
        check_legal(position, only)
        begin(&self.control, limits.seconds or 0, limits.nodes or 0)   # first: who says stop from now on, is heard
        self.evaluator.check(position)
        if limits.depth is not None and not (self.options.time_before_depth and limits.seconds is not None):
            depth_limit = min(limits.depth, MAX_DEPTH)
        self.position = position.observe(None) if self.options.public_knowledge else position
        before = self.position.ply
        self.table.age()
        memset(&self.counters, 0, sizeof(Counters))
        memset(self.ordering.history, 0, sizeof(self.ordering.history))
        memset(self.ordering.killers, 0xFF, sizeof(self.ordering.killers))
        self.only = only or None
        self.told = told
        try:
            with nogil:
                self.deepen(depth_limit, lines)
        finally:
            self.position.unmake_to(before)
            self.position = self.told = None
        return self._answer()

    def stop(self):
        """End a running search soon; it answers with what it has."""
        self.control.stopped = True

    def _answer(self):
        cdef int i, j, value
        lines = []
        for i in range(self.best_count):
            value = self.best[i].value
            # A win is worth WON plus the plies that were left of the depth when it came.
            wins_in = None
            if value > PROVEN:
                wins_in = max(1, self.best[i].depth - (value - WON))
            elif value < -PROVEN:
                wins_in = -max(1, self.best[i].depth + (value + WON))
            shown = value if wins_in is None else WIN - wins_in if wins_in > 0 else -WIN - wins_in
            lines.append(Line(tuple([self.best[i].moves[j] for j in range(self.best[i].length)]),
                              float(shown), wins_in))
        lines.sort(key=lambda line: -line.value)   # seldom needed: reductions and the table let values waver
        counters = self.counters
        return Result(tuple(lines), self.depth_done, self.control.nodes, now() - self.control.began, {
            "chance_nodes": counters.chance_nodes, "chance_cutoffs": counters.chance_cutoffs,
            "quiescence_nodes": counters.quiescence_nodes,
            "table_probes": counters.table_probes, "table_hits": counters.table_hits,
            "table_cutoffs": counters.table_cutoffs,
            "beta_cutoffs": counters.beta_cutoffs, "first_move_cutoffs": counters.first_move_cutoffs,
            "null_cutoffs": counters.null_cutoffs, "repetitions": counters.repetitions,
            "table_entries": len(self.table)})

    cdef int unpack(self) except -1:
        cdef Switches switches
        options = self.options
        switches.table = options.table_mb > 0
        switches.same_depth = options.same_depth
        switches.star1 = options.star1
        switches.star2 = options.star2
        switches.scout = options.scout and options.star1
        switches.principal_variation = options.principal_variation
        switches.quiescence = options.quiescence
        switches.null_move = options.null_move
        switches.late_move_reductions = options.late_move_reductions
        switches.late_move_pruning = options.late_move_pruning
        switches.futility = options.futility
        switches.check_extensions = options.check_extensions
        switches.repetition = options.repetition
        switches.outcomes = {"all": ALL, "sample": SAMPLE, "presume": PRESUME}[options.outcomes]
        switches.exact_chances = min(options.exact_chances, MAX_PLY)
        switches.samples = options.samples
        switches.seed = options.seed & 0xFFFFFFFFFFFFFFFF
        self.switches = switches
        self.ordering.exchanges = options.exchanges
        self.ordering.by_killers = options.killers
        self.ordering.by_history = options.history
        return 0

    # ------------------------------------------------------------------ deepening

    cdef int choose_roots(self) except -1 nogil:
        """The first moves to look at."""
        cdef int i, kept = 0
        self.root_count = self.position.generate(self.root_moves)
        with gil:
            if self.only:
                for i in range(self.root_count):
                    if self.root_moves[i] in self.only:
                        self.root_moves[kept] = self.root_moves[i]
                        kept += 1
                self.root_count = kept
        return 0

    cdef int deepen(self, int depth_limit, int lines) except -1 nogil:
        """Search depth after depth until a limit is met; keep what the last finished depth found."""
        cdef int depth, i
        self.choose_roots()
        self.best_count = lines if lines < self.root_count else self.root_count
        self.depth_done = 0
        self.leaned = NOWHERE
        self.chances_met = 0
        self.path_keys[0] = self.position.key()
        for i in range(self.best_count):
            self.line[0][0] = self.root_moves[i]
            self.line_length[0] = 1
            self.keep_best(i, 0, 0)
        self.adopt()
        for depth in range(1, depth_limit + 1):
            for i in range(self.best_count):
                self.root(depth, i)
                if self.control.stopped:
                    return 0
            self.depth_done = depth
            self.adopt()
            if self.told is not None:
                with gil:
                    self.told(self._answer())
            if self.root_count == 1 and self.control.deadline < 1e299:
                break      # the only move needs no clock time
            if self.best[0].value > PROVEN or self.best[0].value < -PROVEN:
                break      # a forced win or loss: deeper tells nothing new
        return 0

    cdef int root(self, int depth, int first) except? -32768 nogil:
        """Find the best of the root moves from number `first` on (the others are settled) and bring it there."""
        cdef int i, j, value, alpha = -INFINITE, player = self.position.side
        cdef move_t move
        for i in range(first, self.root_count):
            move = self.root_moves[i]
            self.position.make(move)
            if i == first or not self.switches.principal_variation:
                value = self.follow(depth, alpha, INFINITE, 0, player, False)
            else:
                value = self.follow(depth, alpha, alpha + 1, 0, player, False)
                if value > alpha and not self.control.stopped:
                    value = self.follow(depth, alpha, INFINITE, 0, player, False)
            self.position.unmake()
            if self.control.stopped:
                return alpha
            if value > alpha:
                alpha = value
                keep_line(&self.line[0][0], self.line_length, MAX_PLY + 2, move, 0)
                for j in range(i, first, -1):
                    self.root_moves[j] = self.root_moves[j - 1]
                self.root_moves[first] = move
                self.keep_best(first, value, depth)
                # The best of the last depth comes first, so what an unfinished depth finds is never worse.
                if self.best_count == 1:
                    self.adopt()
        return alpha

    cdef int follow(self, int depth, int alpha, int beta, int ply, int player, bint probing) except? -32768 nogil:
        """The value for `player` of what he (or chance, after him) just did at `ply`, with `depth` plies left there."""
        cdef int side = self.position.side
        self.line_length[ply + 1] = 0
        if side == CHANCE:
            return self.chance(depth, alpha, beta, ply + 1, player)
        if side == player:
            return self.look(depth, alpha, beta, ply + 1, player, True, probing)
        if side == OVER:
            return self.finished(depth - 1, player)
        return -self.look(depth - 1, -beta, -alpha, ply + 1, player ^ 1, True, probing)

    # ------------------------------------------------------------------ a player's node

    cdef int look(self, int depth, int alpha, int beta, int ply, int player, bint may_pass,
                  bint probing) except? -32768 nogil:
        """The value of the position for `player`, who acts. `probing`: a lower bound by one move will do."""
        cdef Found found
        cdef key_t key
        cdef move_t known = NO_MOVE, move, best_move = NO_MOVE
        cdef move_t* moves
        cdef int32_t* orders
        cdef int value, best = -INFINITE, first_alpha = alpha, sight = 0, i, n, reduction
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
            return self.settle(0, alpha, beta, ply, player)

        # Step 4. The table.
        self.counters.table_probes += self.switches.table
        if self.switches.table and self.table.probe(key, &found):
            self.counters.table_hits += 1
            known = found.move
            if found.depth == depth or (found.depth > depth and not self.switches.same_depth):
                value = found.value
                if value > PROVEN:
                    value -= found.depth - depth
                elif value < -PROVEN:
                    value += found.depth - depth
                if (found.bound == EXACT or (found.bound == LOWER and (value >= beta or probing))
                        or (found.bound == UPPER and value <= alpha and not probing)):
                    self.counters.table_cutoffs += 1
                    return value

        # Step 5. At first sight: far above the window near the horizon, or good enough even after passing.
        lazy = not wide and not checked and not probing and -PROVEN < beta < PROVEN
        if lazy and (self.switches.futility or self.switches.null_move):
            sight = self.evaluator.evaluate(self.position)
            if self.switches.futility and depth <= 3 and sight - FUTILITY * depth >= beta:
                return sight
            if (self.switches.null_move and may_pass and depth >= 3 and sight >= beta
                    and self.position.make_null()):
                self.path_keys[ply + 1] = 0
                value = -self.look(depth - 3 - depth // 6, -beta, -beta + 1, ply + 1, player ^ 1, False, False)
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
            return self.finished(depth, player)
        arrange(&self.ordering, self.position, moves, orders, n, ply, player, NO_MOVE, known)
        self.ordering.killers[ply + 2][0] = self.ordering.killers[ply + 2][1] = NO_MOVE
        self.leaned = NOWHERE

        # Step 7. One after the other.
        for i in range(n):
            pick(moves, orders, i, n)
            move = moves[i]
            quiet = is_quiet(orders[i])
            # Step 8. Quiet moves from far below the window, at the last ply, do not reach it.
            if (self.switches.futility and lazy and depth == 1 and i and quiet and best > -PROVEN
                    and sight + 2 * FUTILITY <= alpha):
                if sight + 2 * FUTILITY > best:
                    best = sight + 2 * FUTILITY
                continue
            # Step 9. Late quiet moves near the horizon are left out, or first searched less deeply.
            if (self.switches.late_move_pruning and lazy and depth <= 2 and quiet and best > -PROVEN
                    and i >= 8 * depth and orders[i] < KILLER):
                continue
            reduction = 0
            if (self.switches.late_move_reductions and depth >= 3 and i >= 3 and quiet and not checked
                    and orders[i] < KILLER):
                reduction = 1 + (i >= 10) + (i >= 25 and depth >= 6)
                if reduction > depth - 1:
                    reduction = depth - 1
            self.position.make(move)
            if i == 0 or not (self.switches.principal_variation or reduction):
                value = self.follow(depth, alpha, beta, ply, player, False)
            else:
                value = self.follow(depth - reduction, alpha, alpha + 1, ply, player, False)
                if reduction and value > alpha and not self.control.stopped:
                    value = self.follow(depth, alpha, alpha + 1, ply, player, False)
                if alpha < value < beta and not self.control.stopped:
                    value = self.follow(depth, alpha, beta, ply, player, False)
            self.position.unmake()
            if self.control.stopped:
                return 0
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    best_move = move
                    keep_line(&self.line[0][0], self.line_length, MAX_PLY + 2, move, ply)
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

    cdef int chance(self, int depth, int alpha, int beta, int ply, int player) except? -32768 nogil:
        """The mean value for `player` of what chance may add to his move."""
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
            return self.first_sight(player)
        if self.switches.outcomes == PRESUME:
            self.position.make(self.evaluator.presume(self.position))
            value = self.follow(depth, alpha, beta, ply, player, False)
            self.position.unmake()
            return value

        # Step 3. The table.
        self.counters.table_probes += self.switches.table
        if self.switches.table and self.table.probe(key, &found):
            self.counters.table_hits += 1
            if found.depth == depth or (found.depth > depth and not self.switches.same_depth):
                value = found.value
                if value > PROVEN:
                    value -= found.depth - depth
                elif value < -PROVEN:
                    value += found.depth - depth
                if (found.bound == EXACT or (found.bound == LOWER and value >= beta)
                        or (found.bound == UPPER and value <= alpha)):
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
                uppers[i] = self.first_sight(player)
                self.position.unmake()
                shift += odds[i] * uppers[i]
            chosen = 0
            for i in range(1, n):
                if fabs(uppers[i] - shift) < fabs(uppers[chosen] - shift):
                    chosen = i
            offset = _rounded(shift - uppers[chosen])
            self.position.make(moves[chosen])
            value = self.follow(depth, _in_range(alpha - offset), _in_range(beta - offset), ply, player, False)
            self.position.unmake()
            if self.control.stopped:
                return 0
            if -PROVEN <= value <= PROVEN:
                value = _guess(value + offset)
            self.store(key, NO_MOVE, value, depth, NOTHING if self.leaned < ply else UPPER if value <= alpha
                       else LOWER if value >= beta else EXACT)
            if self.leaned >= ply or outer_leaned < self.leaned:
                self.leaned = outer_leaned
            self.line_length[ply] = 0
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
                uppers[i] = self.first_sight(player)
                self.position.unmake()
                shift -= odds[i] * uppers[i]
            for i in range(n):
                low = _guess(_in_range(floor(uppers[i] + shift)))
                uppers[i] = WIN
                self.position.make(moves[i])
                value = self.follow(depth, low, low + 1, ply, player, False)
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
        # Step 7. Star2: one reply to each result bounds it from above (his own next action: from below).
        elif self.switches.star2 and n > 1:
            for i in range(n):
                self.position.make(moves[i])
                if self.position.side >= 0:
                    low, high = -INFINITE, INFINITE
                    if self.switches.star1 and alpha > -GUESS:
                        low = _in_range(floor((alpha - 0.5 - _others(uppers, odds, n, i)) / odds[i]) - 1)
                    value = self.follow(depth, low, high, ply, player, True)
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
                value = self.follow(depth, low, high, ply, player, False)
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
                        lowers[i] = uppers[i] = self.follow(depth, -INFINITE, INFINITE, ply, player, False)
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
        self.line_length[ply] = 0
        return value

    cdef int first_sight(self, int player) except? -32768 nogil:
        """The static value for `player`; what chance has still to tell is presumed, a finished game is level."""
        cdef int value = 0
        if self.position.side == CHANCE:
            self.position.make(self.evaluator.presume(self.position))
            value = self.first_sight(player)
            self.position.unmake()
        elif self.position.side != OVER:
            out_of_budget(&self.control)       # a position visited; whoever asked will see that it is time to stop
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

    # ------------------------------------------------------------------ the horizon

    cdef int settle(self, int depth, int alpha, int beta, int ply, int player) except? -32768 nogil:
        """Quiescence: the value when the captures are over; `depth` counts down from 0. Out of check, all moves.

        What would leave the next word to chance counts as its exchange value.
        """
        cdef move_t* moves = self.moves + ply * MAX_MOVES
        cdef int32_t* orders = self.orders + ply * MAX_MOVES
        cdef int best, value, sight, i, n
        cdef bint checked
        if not self.switches.quiescence or ply >= MAX_PLY:
            if self.position.over():
                return self.finished(depth, player)
            return self.evaluator.evaluate(self.position)
        if depth < 0:
            if out_of_budget(&self.control):
                return 0
            self.counters.quiescence_nodes += 1
            self.line_length[ply] = 0
        checked = self.position.in_check()
        sight = self.evaluator.evaluate(self.position)
        if checked and depth > QUIESCENT_CHECKS:
            best = -INFINITE
            n = self.position.generate(moves)
            if n == 0:
                return self.finished(depth, player)
        else:
            best = sight
            if best >= beta:
                return best
            if best > alpha:
                alpha = best
            n = self.position.captures(moves)
            if n == 0:
                # Nothing to take. Some games tell only by their moves that they are over.
                if depth == 0 and self.position.over():
                    return self.finished(depth, player)
                return best
        for i in range(n):
            orders[i] = self.position.exchange(moves[i])
        for i in range(n):
            pick(moves, orders, i, n)
            if orders[i] < 0 and not checked:
                break
            self.position.make(moves[i])
            if self.position.side == CHANCE:
                value = _guess(sight + orders[i])
            elif self.position.side == OVER:
                value = self.finished(depth - 1, player)
            elif self.position.side == player:
                value = self.settle(depth - 1, alpha, beta, ply + 1, player)
            else:
                value = -self.settle(depth - 1, -beta, -alpha, ply + 1, player ^ 1)
            self.position.unmake()
            if self.control.stopped:
                return 0
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    if value >= beta:
                        break
        return best

    cdef int finished(self, int depth, int player) except? -32768 nogil:
        """The value of a finished game. A draw by rule may be due to the path (a limit), so it is not stored above."""
        cdef double scores[MAX_PLAYERS]
        self.position.score(scores)
        if self.position.side == OVER:
            self.leaned = -1
        if scores[player] == 0:
            return 0
        return WON + depth if scores[player] > 0 else -(WON + depth)

    # ------------------------------------------------------------------ ordering, lines, the table

    cdef int keep_best(self, int number, int value, int depth) noexcept nogil:
        """The line at the root is the best of its number."""
        self.fresh[number].value = value
        self.fresh[number].depth = depth
        self.fresh[number].length = self.line_length[0]
        memcpy(self.fresh[number].moves, self.line[0], self.line_length[0] * sizeof(move_t))
        return 0

    cdef int adopt(self) noexcept nogil:
        """The fresh lines are complete, no move among them twice: let them be the answer."""
        memcpy(self.best, self.fresh, self.best_count * sizeof(RootLine))
        return 0

    cdef int store(self, key_t key, move_t move, int value, int depth, int bound) noexcept nogil:
        if self.switches.table:
            self.table.store(key, move, value, depth if bound != NOTHING else 0, bound)
        return 0
