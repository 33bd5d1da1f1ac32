"""Expectimax: search for any game of two players, with or without chance.

It is alpha-beta (see `alphabeta`, which has all of a player's nodes) with a third kind of node: where chance acts, the
value is the mean over its results, by their odds.

- Values at a chance node are for the player whose move led there. Results of chance cost no depth and are no plies:
  what comes after them is the next ply after the move.
- A mean is rounded half away from zero. A mean of wins and others is no win; a win counts the same there, no matter how
  far it is, so that a value depends on the position and the depth and on nothing else.
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
Veness and Blair 2007 (the table at chance nodes).
"""

from libc.math cimport ceil, fabs, floor
from libc.stdint cimport int32_t, uint64_t

from boyi.core.bits cimport mix
from boyi.core.evaluator cimport GUESS, UNKNOWN, WIN
from boyi.core.position cimport Position
from boyi.core.random cimport random_unit
from boyi.core.rules cimport FRESH
from boyi.core.types cimport CHANCE, MAX_MOVES, OVER, key_t, move_t
from boyi.kit.control cimport out_of_budget
from boyi.kit.pages cimport give_pages, take_pages
from boyi.search.alphabeta cimport BEFORE, MAX_PLY, AlphaBeta, Worker
from boyi.search.picker cimport Picker, begin_picking, next_move
from boyi.search.table cimport EXACT, LOWER, NO_MOVE, NOTHING, UPPER, Found, decides, from_table, to_table
from boyi.search.values cimport INFINITE, NOWHERE, PROVEN, to_guess

from boyi.core.errors import TextError
from boyi.search.ancestors.hook import find_question
from boyi.search.expectimax_options import ExpectimaxOptions

cdef enum:
    RESULTS = MAX_CHANCES * MAX_MOVES                                   # of the chance nodes of a line
    RESULTS_BYTES = RESULTS * (sizeof(double) + sizeof(move_t) + 3 * sizeof(int32_t))


cdef inline int _rounded(double value) noexcept nogil:
    return <int> (value + 0.5 if value >= 0 else value - 0.5)


cdef inline int _mean(int32_t* values, double* odds, int n) noexcept nogil:
    """The mean as a value. It never falls when one of the values rises."""
    cdef double sum = 0, mixed = 0
    cdef int i, won = 0, lost = 0
    for i in range(n):
        sum += odds[i] * values[i]
        if values[i] > PROVEN:
            won += 1
            mixed += odds[i] * WIN
        elif values[i] < -PROVEN:
            lost += 1
            mixed -= odds[i] * WIN
        else:
            mixed += odds[i] * values[i]
    return _rounded(sum) if won == n or lost == n else to_guess(_rounded(mixed))


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


cdef class ChanceWorker(Worker):
    """One thread's search. All its memory is taken when it is made."""

    def __cinit__(self):
        self.lists_all = True
        self.odds = <double*> take_pages(RESULTS_BYTES)
        if self.odds == NULL:
            raise MemoryError("no room for a search")
        self.results = <move_t*> (self.odds + RESULTS)
        self.lowers = <int32_t*> (self.results + RESULTS)
        self.uppers = self.lowers + RESULTS
        self.looks = self.uppers + RESULTS

    def __dealloc__(self):
        give_pages(self.odds, RESULTS_BYTES)

    cdef int unpack(self, options) except -1:
        self.switches.in_order = not options.exchanges
        self.switches.repetition = options.repetition
        self.chance.star1 = options.star1
        self.chance.star2 = options.star2
        self.chance.scout = options.scout and options.star1
        self.chance.outcomes = {"all": ALL, "sample": SAMPLE, "presume": PRESUME}[options.outcomes]
        self.chance.exact_chances = min(options.exact_chances, MAX_CHANCES)
        self.chance.exact_depth = options.exact_depth
        self.chance.information = round(options.information * self.thousandth)
        self.chance.chance_probing = options.chance_probing
        self.chance.chance_margin = round(options.chance_margin * self.thousandth)
        self.chance.samples = options.samples
        self.chance.seed = options.seed & 0xFFFFFFFFFFFFFFFF
        self.chance_counters.nodes = self.chance_counters.cutoffs = 0
        self.level = 0
        return 0

    cdef dict statistics(self):
        return {"chance_nodes": self.chance_counters.nodes, "chance_cutoffs": self.chance_counters.cutoffs,
                **Worker.statistics(self)}

    # ------------------------------------------------------------------ after a move, and after chance

    cdef int descend(self, move_t move, int depth, int alpha, int beta, int ply, int player,
                     bint cut_node) except? -32768 nogil:
        self.path[ply + 1] = move
        return self.settle(depth, alpha, beta, ply, player, cut_node)

    cdef int settle(self, int depth, int alpha, int beta, int ply, int player, bint cut_node) except? -32768 nogil:
        """The value for `player` of what they, or chance after them, just did at `ply`; see `descend`."""
        if self.position.side == CHANCE:
            return self.chance_node(depth, alpha, beta, ply, player, cut_node)
        if self.position.side == player:
            return self.negamax(depth + 1, alpha, beta, ply + 1, player, not cut_node)
        return -self.negamax(depth, -beta, -alpha, ply + 1, player ^ 1, cut_node)

    # ------------------------------------------------------------------ a chance node

    cdef int chance_node(self, int depth, int alpha, int beta, int ply, int player,
                         bint cut_node) except? -32768 nogil:
        """The mean for `player`, whose move at `ply` led here."""
        cdef Found found
        cdef key_t key = self.position.key() + <key_t> self.path_exactness
        cdef move_t* results = self.results + self.level * MAX_MOVES
        cdef double* odds = self.odds + self.level * MAX_MOVES
        cdef int n, value, bound = EXACT, here = self.position.ply - self.root_ply
        cdef int outer_leaned = self.leaned
        cdef double mean = 0

        # Step 1. Count the node; limits and stop().
        self.chance_counters.nodes += 1
        if out_of_budget(&self.control):
            return 0

        # Step 2. Too long a line; or one result for granted: that is no node at all.
        if self.level >= MAX_CHANCES - 1:
            return self.static_value(player)
        if self.chance.outcomes == PRESUME:
            self.position.make(self.evaluator.presume(self.position))
            value = self.settle(depth, alpha, beta, ply, player, cut_node)
            self.position.unmake()
            self.line_lengths[ply + 1] = 0
            return value

        # Step 3. The table.
        self.line_lengths[ply + 1] = 0
        if self.switches.table:
            self.counters.table_probes += 1
            if self.table.probe(key, &found):
                self.counters.table_hits += 1
                value = from_table(found.value, ply)
                if ((found.depth == depth or (found.depth > depth and not self.switches.same_depth))
                        and decides(found.bound, value, alpha, beta)):
                    self.counters.table_cutoffs += 1
                    return value

        # Step 4. The results and their odds; the mean, or what stands for it.
        if self.chance.information:
            alpha = _in_range(alpha - self.chance.information)
            beta = _in_range(beta - self.chance.information)
        n = self.position.chances(results, odds)
        if self.chance.outcomes == SAMPLE and n > self.chance.samples:
            n = self.sample(results, odds, n)
        self.leaned = NOWHERE
        self.level += 1
        if n > 1 and (self.path_exactness >= self.chance.exact_chances or depth < self.chance.exact_depth):
            self.look(n, player, &mean)
            value = self.representative_value(depth, alpha, beta, ply, player, cut_node, n, mean)
            bound = UPPER if value <= alpha else LOWER if value >= beta else EXACT
        else:
            if self.chance.exact_chances < MAX_CHANCES:
                self.path_exactness += 1       # the table keeps values apart that are not equally exact
            value = self.mean_value(depth, alpha, beta, ply, player, cut_node, n, &bound)
            if self.chance.exact_chances < MAX_CHANCES:
                self.path_exactness -= 1
        self.level -= 1
        self.line_lengths[ply + 1] = 0
        if self.control.stopped:
            return 0

        # Step 5. Store, unless the value is true on this path only.
        if -PROVEN <= value <= PROVEN:
            value = to_guess(value + self.chance.information)
        if self.leaned >= here:
            self.leaned = NOWHERE
        if self.switches.table:
            self.table.store(key, NO_MOVE, to_table(value, ply), depth if self.leaned == NOWHERE else 0,
                             bound if self.leaned == NOWHERE else NOTHING)
        if outer_leaned < self.leaned:
            self.leaned = outer_leaned
        return value

    cdef int look(self, int n, int player, double* mean) except -1 nogil:
        """The static values of the results, and their mean."""
        cdef move_t* results = self.results + (self.level - 1) * MAX_MOVES
        cdef double* odds = self.odds + (self.level - 1) * MAX_MOVES
        cdef int32_t* looks = self.looks + (self.level - 1) * MAX_MOVES
        cdef int i
        mean[0] = 0
        for i in range(n):
            self.position.make(results[i])
            looks[i] = self.static_value(player)
            self.position.unmake()
            mean[0] += odds[i] * looks[i]
        return 0

    cdef int representative_value(self, int depth, int alpha, int beta, int ply, int player, bint cut_node, int n,
                                  double mean) except? -32768 nogil:
        """One result stands for all: the one that looks most like the mean of them, and what it looks better or worse
        than that is taken off again (a control variate)."""
        cdef move_t* results = self.results + (self.level - 1) * MAX_MOVES
        cdef int32_t* looks = self.looks + (self.level - 1) * MAX_MOVES
        cdef int i, chosen = 0, offset, value
        for i in range(1, n):
            if fabs(looks[i] - mean) < fabs(looks[chosen] - mean):
                chosen = i
        offset = _rounded(mean - looks[chosen])
        self.position.make(results[chosen])
        value = self.settle(depth, _in_range(alpha - offset), _in_range(beta - offset), ply, player, cut_node)
        self.position.unmake()
        return to_guess(value + offset) if -PROVEN <= value <= PROVEN else value

    cdef int mean_value(self, int depth, int alpha, int beta, int ply, int player, bint cut_node, int n,
                        int* bound) except? -32768 nogil:
        """The mean over the results, or a bound of it that is enough."""
        cdef move_t* results = self.results + (self.level - 1) * MAX_MOVES
        cdef double* odds = self.odds + (self.level - 1) * MAX_MOVES
        cdef int32_t* lowers = self.lowers + (self.level - 1) * MAX_MOVES
        cdef int32_t* uppers = self.uppers + (self.level - 1) * MAX_MOVES
        cdef int32_t* looks = self.looks + (self.level - 1) * MAX_MOVES
        cdef int i, value, low, high
        cdef double shift, mean = 0
        for i in range(n):
            lowers[i] = -WIN
            uppers[i] = WIN
        bound[0] = EXACT

        if (self.chance.scout or self.chance.chance_probing) and beta - alpha == 1 and n > 1 and -GUESS < alpha < GUESS:
            self.look(n, player, &mean)
            # Step 1. Probing: where one result that stands for all is far outside the window, so is the mean.
            if self.chance.chance_probing:
                if mean <= alpha:
                    low = to_guess(alpha - self.chance.chance_margin)
                    value = self.representative_value(depth, low, low + 1, ply, player, cut_node, n, mean)
                    if value <= low or self.control.stopped:
                        bound[0] = UPPER
                        return value
                else:
                    low = to_guess(alpha + self.chance.chance_margin)
                    value = self.representative_value(depth, low, low + 1, ply, player, cut_node, n, mean)
                    if value > low or self.control.stopped:
                        bound[0] = LOWER
                        return value
        # Step 2. Scout: is each result as good as it must be, were all as good as they look?
        if self.chance.scout and beta - alpha == 1 and n > 1 and -GUESS < alpha < GUESS:
            shift = alpha + 0.49 - mean
            for i in range(n):
                low = to_guess(_in_range(floor(looks[i] + shift)))
                self.position.make(results[i])
                value = self.settle(depth, low, low + 1, ply, player, cut_node)
                self.position.unmake()
                if self.control.stopped:
                    return 0
                if value <= low:
                    uppers[i] = value
                else:
                    lowers[i] = value
            if _mean(uppers, odds, n) <= alpha:
                bound[0] = UPPER
            elif _mean(lowers, odds, n) >= beta:
                bound[0] = LOWER
        # Step 3. Star2: one reply to each result bounds it from above (the same player's next action: from below).
        elif self.chance.star2 and n > 1:
            for i in range(n):
                self.position.make(results[i])
                low = -INFINITE
                if self.chance.star1 and alpha > -GUESS:
                    low = _in_range(floor((alpha - 0.5 - _others(uppers, odds, n, i)) / odds[i]) - 1)
                value = self.reply_value(depth, low, INFINITE, ply, player)
                if value == UNKNOWN:
                    pass
                elif self.position.side == player:
                    lowers[i] = value
                else:
                    uppers[i] = value
                self.position.unmake()
                if self.control.stopped:
                    return 0
                if _mean(uppers, odds, n) <= alpha:
                    bound[0] = UPPER
                    break

        # Step 4. Value one result after the other; Star1 leaves when the rest cannot matter.
        if bound[0] == EXACT:
            for i in range(n):
                if lowers[i] == uppers[i]:
                    continue
                low, high = -INFINITE, INFINITE
                if self.chance.star1:
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
                self.position.make(results[i])
                value = self.settle(depth, low, high, ply, player, cut_node)
                if low < value < high:
                    lowers[i] = uppers[i] = value
                elif value <= low:
                    uppers[i] = value
                else:
                    lowers[i] = value
                if not self.control.stopped:
                    if self.chance.star1 and _mean(uppers, odds, n) <= alpha:
                        bound[0] = UPPER
                    elif self.chance.star1 and _mean(lowers, odds, n) >= beta:
                        bound[0] = LOWER
                    elif lowers[i] != uppers[i]:
                        lowers[i] = uppers[i] = self.settle(depth, -INFINITE, INFINITE, ply, player, cut_node)
                self.position.unmake()
                if self.control.stopped:
                    return 0
                if bound[0] != EXACT:
                    break

        # Step 5. The mean, or the bound that was enough. With all results valued it is exact, even outside the window.
        self.chance_counters.cutoffs += bound[0] != EXACT
        return _mean(lowers if bound[0] == LOWER else uppers, odds, n)

    cdef int reply_value(self, int depth, int alpha, int beta, int ply, int player) except? -32768 nogil:
        """What one move of the player to act is worth to `player`; UNKNOWN where that tells nothing."""
        cdef Found found
        cdef Picker picker
        cdef int acting = self.position.side, value
        cdef move_t move
        if acting < 0 or ply + 1 >= MAX_PLY or (depth <= 0 and acting != player):
            return UNKNOWN
        if self.position.in_check() or (self.switches.repetition and self.position.repeated() != FRESH):
            return UNKNOWN
        move = NO_MOVE
        if self.switches.table and self.table.probe(self.position.key() + <key_t> self.path_exactness, &found):
            move = found.move
        self.set_up(&picker, ply + 1, acting)
        begin_picking(&picker, self.position, self.moves + (ply + 1) * MAX_MOVES, self.orders + (ply + 1) * MAX_MOVES,
                      move)
        move = next_move(&picker, &self.history, self.position, False)
        if move == NO_MOVE:
            return UNKNOWN
        self.footprints[BEFORE + ply + 2] = self.position.footprint(move)
        self.quiet_movers[ply + 2] = 0
        self.position.make(move)
        if acting == player:
            value = self.descend(move, depth, alpha, beta, ply + 1, player, False)
        else:
            value = -self.descend(move, depth - 1, -beta, -alpha, ply + 1, acting, False)
        self.position.unmake()
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
        cdef uint64_t state = mix(self.position.key() ^ self.chance.seed)
        cdef double at = random_unit(&state), reached = 0
        cdef int i, kept = 0, hits, samples = self.chance.samples
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


cdef class Expectimax(AlphaBeta):
    """The searcher: options, a table that outlives a search, and a worker per thread (Lazy SMP).

    A line ends where chance begins.

    >>> import boyi
    >>> from boyi.core.searcher import Limits
    >>> Expectimax().search(boyi.start("tic_tac_toe"), Limits(depth=9)).value
    0.0
    """

    NAME = "expectimax"

    def __init__(self, evaluator=None, options=None):
        AlphaBeta.__init__(self, evaluator, options if options is not None else ExpectimaxOptions())

    cdef object worker_class(self):
        return ChanceWorker

    cdef tuple question(self, Position position, limits):
        return find_question(self.options, position, limits)

    def check(self, Position position not None):
        """Refuse, in words, a game in which this search would fail."""
        if position.players != 2:
            raise TextError("expectimax is for two players")
