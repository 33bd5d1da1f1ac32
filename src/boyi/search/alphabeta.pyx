"""Alpha-beta search, for any game of two players without chance.

One file, to be read from top to bottom. The plan: deepen iteratively (`deepening`); at every node
consult, in this order, the path (has this position been here before?), the
transposition table, and only then the moves; let the move ordering do the work (`picker`, `history`).

- Values are for the player who acts. They change sign only when the turn changes hands,
  and only that costs a ply of depth: several actions of one turn are one ply.
- A value that leaned on a repetition is true on this path only. `leaned` carries the
  lowest ply whose presence on the path was needed; a node whose value leaned on something
  above it is not stored (the graph-history problem: Campbell 1985, Kishimoto and Müller 2004).
- Which switches are sound (never change the value at a fixed depth) is said in `alphabeta_options`, what the numbers
  mean in `alphabeta_numbers`. Nothing here knows a game; where one has no captures or checks, the ideas that need
  them do nothing.

Papers: Knuth and Moore 1975 (alpha-beta), Marsland 1986 (principal variation search), Donninger 1993 (null move),
Schaeffer and Plaat 1996 (enhanced transposition cut-offs), Anantharaman, Campbell and Hsu 1988 (singular
extensions), Björnsson 1998 (multi-cut), Buro 1995 (ProbCut). Late move reductions and most of the rest grew in
open-source engines.
"""

from libc.math cimport log, sqrt
from libc.stdint cimport int16_t, int32_t
from libc.string cimport memset

from boyi.core.evaluator cimport GUESS, UNKNOWN, WIN, Evaluator
from boyi.core.position cimport Position
from boyi.core.rules cimport FRESH, REPEAT_DRAWS, REPEAT_WINS
from boyi.core.types cimport CHANCE, MAX_MOVES, MAX_PLAYERS, OVER, key_t, move_t
from boyi.kit.control cimport begin, has_deadline, out_of_budget
from boyi.kit.gate cimport Gate
from boyi.search.deepening cimport Deepening, extend_line
from boyi.search.history cimport (
    NO_FOOTPRINT,
    add_killer,
    age_history,
    drop_killers,
    expected_error,
    forget_history,
    free_history,
    learn_capture,
    learn_alone,
    learn_error,
    learn_follow,
    learn_quiet,
    row_of,
    take_history,
)
from boyi.search.picker cimport ALL, Picker, begin_picking, next_move
from boyi.search.table cimport EXACT, LOWER, NO_MOVE, NOTHING, UPPER, Found, Table, decides, from_table, to_table
from boyi.search.values cimport INFINITE, NOWHERE, PROVEN, to_guess

import threading
from dataclasses import fields

from boyi.core.errors import TextError
from boyi.core.searcher import check_legal
from boyi.search.alphabeta_numbers import AlphaBetaNumbers
from boyi.search.alphabeta_options import AlphaBetaOptions
from boyi.search.ancestors.hook import find_worker

cdef enum:                         # depths are in plies
    ONLY_MOVE_DEPTH = 4            # the only move is searched so deep, for its value, and no clock time spent on it
    ASPIRATION_DEPTH = 4           # from here on
    NULL_DEPTH = 3                 # at least
    NULL_VALUE_MOST = 3            # plies that a null move is reduced further for its value, at most
    INTERNAL_REDUCTION_DEPTH = 4   # at least
    HISTORY_PRUNING_DEPTH = 4      # at most, after the reduction
    CAPTURE_FUTILITY_DEPTH = 6     # at most, after the reduction
    REDUCTION_DEPTH = 3            # at least, for late move reductions
    SINGULAR_SHALLOWER = 3         # the table's value may be this much shallower
    TRANSPOSITION_DEPTH = 3        # at least, for enhanced transposition cut-offs
    HELPER_DEPTH = 2               # helper threads skip every third depth beyond it
    HISTORY_LIMIT = 1 << 16        # of a quiet move's history, where it decides about reductions
    STATIC_STEP = 4                # of history, for a thousandth that the static value gained, ...
    STATIC_MOST = 1500             # ... at most
    TRIED = 48                     # moves of each kind whose histories are lowered when another refutes
    PLY = 1024                     # in the units of reductions

_VALUES = ("aspiration_window", "razoring_base", "razoring_slope", "reverse_futility_margin", "null_value",
           "probcut_margin", "futility_base", "futility_slope", "capture_futility", "singular_margin", "double_margin",
           "delta_margin")
"""The numbers that are in thousandths of the evaluator's scale."""


# ---------------------------------------------------------------------- the table, which may know images

cdef inline key_t _table_key(Worker worker, key_t key, int ply, int* image) except? 0 nogil:
    """The key that the table knows the position by, and the image of the position that it is the key of.

    It is always the plain key of some position, and what stands under it is true of that one as it
    stands. So canonical keys near the root and plain ones further down live in one table.
    """
    if ply < worker.switches.symmetric_plies:
        return worker.position.canonical_key(image) + <key_t> worker.path_exactness
    image[0] = 0
    return key + <key_t> worker.path_exactness


cdef inline bint _probe(Worker worker, key_t key, int image, Found* found) noexcept nogil:
    worker.counters.table_probes += 1
    if not worker.table.probe(key, found):
        return False
    worker.counters.table_hits += 1
    if image and found.move != NO_MOVE:
        found.move = worker.position.original_of(found.move, image)
    return True


cdef inline int _store(Worker worker, key_t key, int image, move_t move, int value, int depth,
                       int bound, int static_value, bint principal) noexcept nogil:
    if image and move != NO_MOVE:
        move = worker.position.image_of(move, image)
    return worker.table.store(key, move, value, depth, bound, static_value, principal)


cdef inline move_t _best_left(Picker* picker) noexcept nogil:
    """The best of a list that was not generated in stages, brought to the front."""
    cdef int best = picker.next, i
    cdef move_t move = picker.moves[picker.next]
    for i in range(picker.next + 1, picker.end):
        if picker.orders[i] > picker.orders[best]:
            best = i
    if best != picker.next:
        picker.moves[picker.next] = picker.moves[best]
        picker.moves[best] = move
        picker.orders[best] = picker.orders[picker.next]
    picker.next += 1
    return picker.moves[picker.next - 1]


cdef class Worker(Deepening):
    """One thread's search. All its memory is taken when it is made."""

    def __cinit__(self):
        self.take_memory(MAX_PLY + 2, LINE_LENGTH)
        take_history(&self.history)

    def __dealloc__(self):
        free_history(&self.history)

    cdef int prepare(self, options, Position position, tuple only) except -1:
        """Before a search: the options, unpacked, and nothing counted yet."""
        cdef int i
        self.switches.table = options.table_mb > 0
        self.switches.same_depth = options.same_depth
        self.switches.aspiration = options.aspiration
        self.switches.transposition_cutoffs = options.transposition_cutoffs
        self.switches.quiescence_table = options.quiescence_table and options.table_mb > 0
        self.switches.quiescence_checks = options.quiescence_checks
        self.switches.delta_pruning = options.delta_pruning
        self.switches.null_move = options.null_move
        self.switches.late_move_reductions = options.late_move_reductions
        self.switches.late_move_pruning = options.late_move_pruning
        self.switches.futility = options.futility
        self.switches.reverse_futility = options.reverse_futility
        self.switches.razoring = options.razoring
        self.switches.probcut = options.probcut
        self.switches.multi_probcut = options.multi_probcut
        self.switches.exchange_pruning = options.exchange_pruning
        self.switches.history_pruning = options.history_pruning
        self.switches.parent_history = options.parent_history
        self.switches.static_history = options.static_history
        self.switches.table_history = options.table_history
        self.switches.reduction_feedback = options.reduction_feedback
        self.switches.singular_extensions = options.singular_extensions
        self.switches.multi_cut = options.multi_cut
        self.switches.check_extensions = options.check_extensions
        self.switches.internal_reductions = options.internal_reductions
        self.switches.static = (options.null_move or options.late_move_reductions or options.futility
                                or options.reverse_futility or options.razoring or options.probcut)
        self.unpack(options)
        self.history.quiet = options.history
        self.history.follows = options.continuation_history
        self.history.takes = options.capture_history
        self.history.answers = options.counter_moves
        self.history.kills = options.killers
        self.history.corrects = options.correction_history
        self.thousandth = self.evaluator.scale / 1000
        self.numbers = {field.name: max(1, round(getattr(options, field.name) * self.thousandth))
                        if field.name in _VALUES else getattr(options, field.name)
                        for field in fields(AlphaBetaNumbers)}
        for i in range(1, 64):
            self.reductions[i] = <int> (sqrt(self.numbers.reduction_slope) * log(i) * 32)
        self.principal_variation = options.principal_variation
        self.quiescence = options.quiescence
        self.position = position
        self.root_ply = position.ply
        self.only = only or None
        self.leaned = NOWHERE
        self.path_exactness = 0
        self.path[0] = NO_MOVE
        self.quiet_movers[0] = 0
        for i in range(MAX_PLY + 2 + BEFORE):
            self.footprints[i] = NO_FOOTPRINT
            self.static_values[i] = UNKNOWN
        memset(self.excluded, 0xFF, sizeof(self.excluded))
        self.quiescence_nodes = 0
        memset(&self.counters, 0, sizeof(Counters))
        if options.keep_history:
            age_history(&self.history)
        else:
            forget_history(&self.history)
        return 0

    cdef int unpack(self, options) except -1:
        self.switches.statistical_cutoffs = options.statistical_cutoffs
        self.switches.statistical_share = options.statistical_share
        self.switches.statistical_deviations = options.statistical_deviations
        self.switches.repetition = options.repetition == "full"
        self.switches.symmetric_plies = {
            "none": 0, "top": options.symmetry_plies, "everywhere": MAX_PLY + 1}[options.symmetry]
        return 0

    # ------------------------------------------------------------------ the root

    cdef bint skips(self, int depth, int deepest) noexcept nogil:
        """Helper threads run ahead on some depths, so that they fill the table with something new."""
        return self.thread and depth > HELPER_DEPTH and (depth + self.thread) % 3 == 0 and depth < deepest

    cdef int search_line(self, int depth, int first) except -1 nogil:
        """Aspiration: begin with a narrow window around the last value and widen it where the value falls outside."""
        cdef int value = self.root_values[first], window = self.numbers.aspiration_window
        cdef int alpha = -INFINITE, beta = INFINITE
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
                beta = (alpha + beta) // 2 if beta < INFINITE else beta
                alpha = value - window if value - window > -PROVEN else -INFINITE
            elif value >= beta and beta < INFINITE:
                beta = value + window if value + window < PROVEN else INFINITE
            else:
                return 0
            window += window // 2 + 1

    cdef int store_root(self, int depth, int value, int beta) except -1 nogil:
        cdef int image
        cdef key_t key = _table_key(self, self.position.key(), 0, &image)
        _store(self, key, image, self.root_moves[0], value, depth,
               NOTHING if self.leaned < 0 else LOWER if value >= beta else EXACT, UNKNOWN, True)
        return 0

    cdef int root_value(self, move_t move, int depth, int alpha, int beta, int number) except? -32768 nogil:
        cdef int player = self.position.side, value, reduction = 0
        cdef bint wide = beta - alpha > 1
        self.footprints[BEFORE + 1] = self.position.footprint(move)
        self.quiet_movers[1] = player + 1 if self.position.taken(move) == 0 else 0
        # Late moves get a shallower first look here, too.
        if (self.switches.late_move_reductions and not wide and number >= 3 and depth >= REDUCTION_DEPTH
                and self.principal_variation and not self.position.in_check() and self.position.taken(move) == 0):
            reduction = (self.reductions[depth if depth < 63 else 63] * self.reductions[number if number < 63 else 63]
                         // PLY + self.numbers.reduction_base) // PLY - 1
            if reduction > depth - 2:
                reduction = depth - 2
        self.position.make(move)
        if reduction > 0 and not self.position.in_check():
            value = self.descend(move, depth - 1 - reduction, alpha, beta, 0, player, True)
            if value <= alpha or self.control.stopped:
                self.position.unmake()
                return value
        value = self.descend(move, depth - 1, alpha, beta, 0, player, not wide)
        self.position.unmake()
        return value

    cdef bint is_enough(self, int depth) noexcept nogil:
        """The only move needs no clock time; after a win or loss within the depth deeper tells nothing new."""
        if self.root_count == 1 and depth >= ONLY_MOVE_DEPTH and has_deadline(&self.control):
            return True
        return self.wanted == 1 and (self.best.heads[0].value >= WIN - depth
                                     or self.best.heads[0].value <= -(WIN - depth))

    # ------------------------------------------------------------------ a node

    cdef int descend(self, move_t move, int depth, int alpha, int beta, int ply, int player,
                     bint cut_node) except? -32768 nogil:
        """The value for `player` after the move just made, whose footprint is noted; the sign changes with the turn.

        `cut_node` says that the opponent is expected to refute it.
        """
        self.path[ply + 1] = move
        if self.position.side == player:
            return self.negamax(depth + 1, alpha, beta, ply + 1, player, not cut_node)
        return -self.negamax(depth, -beta, -alpha, ply + 1, player ^ 1, cut_node)

    cdef int corrected(self, int value, int ply, int player) noexcept nogil:
        """A static value, corrected by the errors of others like it."""
        if not self.history.corrects:
            return value
        return to_guess(value + <int> (
            expected_error(&self.history, self.position, player, self.footprints[BEFORE + ply],
                           self.footprints[BEFORE + ply - 1])
            * self.numbers.correction_weight * self.thousandth / 400))

    cdef int set_up(self, Picker* picker, int ply, int player) noexcept nogil:
        """What orders the moves of a node."""
        picker.ply = ply
        picker.in_order = self.switches.in_order
        picker.player = player
        picker.killers[0] = self.history.killers[ply][0]
        picker.killers[1] = self.history.killers[ply][1]
        picker.reply = self.history.replies[self.footprints[BEFORE + ply]] if self.history.answers else NO_MOVE
        picker.rows[0] = row_of(&self.history, self.footprints[BEFORE + ply])
        picker.rows[1] = row_of(&self.history, self.footprints[BEFORE + ply - 1])
        picker.rows[2] = row_of(&self.history, self.footprints[BEFORE + ply - 3])
        return 0

    cdef int negamax(self, int depth, int alpha, int beta, int ply, int player, bint cut_node) except? -32768 nogil:
        """The value of the position for `player`, who acts (or would, were the game not over)."""
        cdef Found found
        cdef Picker picker
        cdef key_t key
        cdef move_t known = NO_MOVE, move, best_move = NO_MOVE, excluded = self.excluded[ply]
        cdef move_t* moves = self.moves + ply * MAX_MOVES
        cdef int32_t* orders = self.orders + ply * MAX_MOVES
        cdef int value, best = -INFINITE, first_alpha = alpha, raw_value = UNKNOWN, static_value = UNKNOWN
        cdef int estimate = 0, table_value = 0, table_depth = 0, table_bound = NOTHING
        cdef int i, n, number = 0, quiets = 0, captures = 0, reduction, child_depth, extension, shallow, bound
        cdef int footprint
        cdef int here = self.position.ply - self.root_ply      # results of chance count there
        cdef int occurrence, image = 0, child_image, low, high, taken, margin
        cdef double slope = 1, offset = 0, deviation = 0, limit
        cdef int outer_leaned, least_leaned, best_leaned
        cdef bint checked, quiet, wide = beta - alpha > 1, improving = False, hit = False, known_takes = False, hopeless
        cdef bint prunes, best_quiet = True, has_checks = self.position.has_checks, principal = wide
        cdef move_t tried_quiets[TRIED]
        cdef int16_t quiet_prints[TRIED]
        cdef int16_t capture_prints[TRIED]
        cdef int captured[TRIED]

        # Step 1. Count the node; limits and stop().
        self.line_lengths[ply] = 0
        if out_of_budget(&self.control):
            return 0

        # Step 2. Repetition, before anything is looked up.
        if self.switches.repetition and excluded == NO_MOVE:
            i = self.position.repeated()
            if i != FRESH:
                self.counters.repetitions += 1
                occurrence = self.position.last_occurrence() - self.root_ply
                if occurrence < self.leaned:
                    self.leaned = occurrence
                return 0 if i == REPEAT_DRAWS else WIN - ply if i == REPEAT_WINS else -(WIN - ply)

        # Step 3. The game is over by rule, or the line too long.
        if self.position.side == OVER:
            return self.finished(ply, player)
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
        key = self.position.key()
        if self.switches.table:
            key = _table_key(self, key, ply, &image)
            hit = _probe(self, key, image, &found)
            if hit:
                known = found.move
                table_value = from_table(found.value, ply)
                table_depth = found.depth
                table_bound = found.bound
                principal = principal or found.principal
                if (not wide and excluded == NO_MOVE
                        and (table_depth == depth or (table_depth > depth and not self.switches.same_depth))
                        and decides(table_bound, table_value, alpha, beta)):
                    self.counters.table_cutoffs += 1
                    if (self.switches.table_history and known != NO_MOVE and table_value >= beta
                            and self.position.taken(known) == 0):
                        self.set_up(&picker, ply, player)
                        learn_quiet(&self.history, known, self.position.footprint(known), player, picker.rows,
                                    self.step(depth))
                    return table_value

        # Step 7. The static value: by statistics of positions like this one, ...
        if (self.switches.statistical_cutoffs and not wide and -PROVEN < alpha and beta < PROVEN
                and self.evaluator.bounds(self.position, self.switches.statistical_share,
                                          self.switches.statistical_deviations, &low, &high)
                and (low >= beta or high <= alpha)):
            self.counters.statistical_cutoffs += 1
            return low if low >= beta else high
        # ... and by the evaluator. In check it would mislead.
        if checked or not self.switches.static:
            self.static_values[BEFORE + ply] = UNKNOWN
        elif excluded != NO_MOVE:
            estimate = static_value = self.static_values[BEFORE + ply]
        else:
            raw_value = found.static_value if hit and found.static_value != UNKNOWN else (
                self.evaluator.evaluate(self.position))
            estimate = static_value = self.corrected(raw_value, ply, player)
            self.static_values[BEFORE + ply] = static_value
            if -PROVEN < table_value < PROVEN and (
                    table_bound == EXACT or (table_bound == LOWER and table_value > static_value)
                    or (table_bound == UPPER and table_value < static_value)):
                estimate = table_value
        if static_value != UNKNOWN:
            value = self.static_values[BEFORE + ply - 2]
            if value == UNKNOWN:
                value = self.static_values[BEFORE + ply - 4] if ply >= 4 else UNKNOWN
            improving = value != UNKNOWN and static_value > value
            value = self.static_values[BEFORE + ply - 1]
            if (self.switches.static_history and value != UNKNOWN and excluded == NO_MOVE
                    and self.quiet_movers[ply] == (player ^ 1) + 1):
                i = <int> (-STATIC_STEP * (static_value + value) / self.thousandth)
                i = STATIC_MOST if i > STATIC_MOST else -STATIC_MOST if i < -STATIC_MOST else i
                learn_alone(&self.history, self.path[ply], player ^ 1, i)

        if static_value != UNKNOWN and not wide and excluded == NO_MOVE and -PROVEN < beta < PROVEN:
            # Step 8. Razoring: hopeless, unless captures help.
            if (self.switches.razoring
                    and estimate + self.numbers.razoring_base + self.numbers.razoring_slope * depth * depth < alpha):
                value = self.quiesce(0, alpha, beta, ply, player)
                if value <= alpha or self.control.stopped:
                    return value

            # Step 9. Reverse futility: far above the window near the horizon.
            if (self.switches.reverse_futility and depth <= self.numbers.reverse_futility_depth
                    and estimate - self.numbers.reverse_futility_margin * (depth - improving) >= beta
                    and estimate < PROVEN):
                return (2 * beta + estimate) // 3

            # Step 10. Null move.
            if (self.switches.null_move and self.path[ply] != NO_MOVE and depth >= NULL_DEPTH and estimate >= beta
                    and static_value >= beta and self.position.make_null()):
                i = (estimate - beta) // self.numbers.null_value
                reduction = (self.numbers.null_reduction + depth // self.numbers.null_divisor
                             + (i if i < NULL_VALUE_MOST else NULL_VALUE_MOST))
                self.path[ply + 1] = NO_MOVE
                self.footprints[BEFORE + ply + 1] = NO_FOOTPRINT
                self.quiet_movers[ply + 1] = 0
                outer_leaned = self.leaned
                value = -self.negamax(depth - reduction if depth > reduction else 0, -beta, -beta + 1, ply + 1,
                                      player ^ 1, not cut_node)
                self.leaned = outer_leaned
                self.position.unmake()
                if self.control.stopped:
                    return 0
                if value >= beta:
                    self.counters.null_cutoffs += 1
                    return value if value < PROVEN else beta

        # Step 11. No move known: first look less deep.
        if (self.switches.internal_reductions and known == NO_MOVE and depth >= INTERNAL_REDUCTION_DEPTH
                and excluded == NO_MOVE and (wide or cut_node)):
            depth -= 1

        # Step 12. ProbCut: a capture that is far above the window in a shallower search.
        margin = beta + self.numbers.probcut_margin
        if (self.switches.probcut and self.position.staged and static_value != UNKNOWN and not wide
                and excluded == NO_MOVE and depth >= self.numbers.probcut_depth and -PROVEN < beta and margin < PROVEN
                and not (hit and table_depth >= depth - 3 and table_bound != NOTHING and table_value < margin)):
            self.set_up(&picker, ply, player)
            begin_picking(&picker, self.position, moves, orders, known)
            picker.captures_only = True
            outer_leaned = self.leaned
            while True:
                move = next_move(&picker, &self.history, self.position, False)
                if move == NO_MOVE:
                    break
                if picker.quiet or not self.position.exchange_reaches(move, margin - static_value):
                    continue
                self.footprints[BEFORE + ply + 1] = self.position.footprint(move)
                self.position.make(move)
                if self.position.side != (player ^ 1):
                    self.position.unmake()
                    continue
                self.leaned = NOWHERE
                self.path[ply + 1] = move
                self.quiet_movers[ply + 1] = 0
                self.line_lengths[ply + 1] = 0
                value = -self.quiesce(0, -margin, -margin + 1, ply + 1, player ^ 1)
                if value >= margin and not self.control.stopped:
                    value = self.descend(move, depth - 4, margin - 1, margin, ply, player, not cut_node)
                self.position.unmake()
                if self.control.stopped:
                    return 0
                if value >= margin:
                    if self.switches.table and self.leaned >= here:
                        _store(self, key, image, move, to_table(value, ply), depth - 3, LOWER, raw_value, principal)
                    if outer_leaned < self.leaned or self.leaned >= here:
                        self.leaned = outer_leaned
                    return value
            self.leaned = outer_leaned

        # Step 13. Multi-ProbCut: what a shallower search tells about this one by the evaluator's statistics, if any.
        if (self.switches.multi_probcut and not wide and not checked and excluded == NO_MOVE
                and -PROVEN < alpha and beta < PROVEN
                and self.evaluator.foretell(self.position, depth, &shallow, &slope, &offset, &deviation)):
            deviation *= self.numbers.probcut_deviations / 100.0
            for i in range(2):
                # First: surely at least beta? Then: surely at most alpha?
                limit = (beta + deviation - offset) / slope if i == 0 else (alpha - deviation - offset) / slope
                if not -GUESS < limit < GUESS or (estimate < beta if i == 0 else estimate > alpha):
                    continue
                low = <int> limit + (i == 0)
                outer_leaned = self.leaned
                self.leaned = NOWHERE
                value = self.negamax(shallow, low - 1 if i == 0 else low, low if i == 0 else low + 1, ply, player,
                                     cut_node)
                if self.control.stopped:
                    return 0
                if (value >= low if i == 0 else value <= low):
                    self.counters.foretold_cutoffs += 1
                    if outer_leaned < self.leaned or self.leaned >= here:
                        self.leaned = outer_leaned
                    return beta if i == 0 else alpha
                self.leaned = outer_leaned

        # Step 14. Enhanced transposition cut-offs.
        drop_killers(&self.history, ply + 1)
        if (self.switches.transposition_cutoffs and self.switches.table and depth >= TRANSPOSITION_DEPTH
                and not wide and excluded == NO_MOVE):
            n = self.position.generate(moves)
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

        # Step 15. Move after move.
        self.set_up(&picker, ply, player)
        begin_picking(&picker, self.position, moves, orders, known)
        outer_leaned = self.leaned
        least_leaned = best_leaned = NOWHERE
        if known != NO_MOVE and self.position.staged:
            known_takes = picker.known != NO_MOVE and self.position.taken(known) > 0
        prunes = False                     # from here on, quiet moves are left out
        while True:
            move = next_move(&picker, &self.history, self.position, prunes and not has_checks)
            if move == NO_MOVE:
                break
            if move == excluded:
                continue
            number += 1
            quiet = picker.quiet
            taken = 0 if quiet else self.position.taken(move)
            footprint = self.position.footprint(move)
            extension = 0

            # Step 16. Late and hopeless moves are not even made, unless they give check.
            reduction = (self.reductions[depth if depth < 63 else 63] * self.reductions[number if number < 63 else 63]
                         // PLY + self.numbers.reduction_base)
            if best > -PROVEN and not checked and static_value != UNKNOWN and ply > 0:
                shallow = depth - 1 - reduction // PLY
                if shallow < 0:
                    shallow = 0
                if (self.switches.late_move_pruning and depth <= self.numbers.late_depth and not wide
                        and number > (self.numbers.late_base + depth * depth) // (2 - improving)):
                    prunes = picker.any_order = True
                if quiet:
                    hopeless = prunes or (
                        self.switches.history_pruning and shallow <= HISTORY_PRUNING_DEPTH
                        and picker.order < -self.numbers.history_pruning_slope * depth) or (
                        self.switches.futility and shallow <= self.numbers.futility_depth and not wide
                        and static_value + self.numbers.futility_base + self.numbers.futility_slope * shallow
                        <= alpha) or (
                        self.switches.exchange_pruning and shallow <= self.numbers.exchange_depth
                        and not self.position.exchange_reaches(move, -self.numbers.quiet_exchange * shallow * shallow))
                else:
                    hopeless = (
                        self.switches.futility and shallow <= CAPTURE_FUTILITY_DEPTH and not wide
                        and static_value + taken + self.numbers.capture_futility * (shallow + 1) <= alpha) or (
                        self.switches.exchange_pruning and picker.bad and depth <= self.numbers.exchange_depth
                        and not self.position.exchange_reaches(move, -self.numbers.capture_exchange * depth))
                if hopeless and not (has_checks and self.position.gives_check(move)):
                    continue

            # Step 17. Singular extension: if no other move comes near the table's, it is searched deeper.
            if (self.switches.singular_extensions and move == known and depth >= self.numbers.singular_depth
                    and excluded == NO_MOVE and ply > 0 and table_bound >= LOWER
                    and table_depth >= depth - SINGULAR_SHALLOWER and -PROVEN < table_value < PROVEN
                    and ply < 2 * self.depth_done + 12):
                margin = table_value - self.numbers.singular_margin * depth
                self.excluded[ply] = move
                self.leaned = NOWHERE
                value = self.negamax((depth - 1) // 2, margin - 1, margin, ply, player, cut_node)
                self.excluded[ply] = NO_MOVE
                if self.control.stopped:
                    return 0
                if value < margin:
                    extension = 1
                    if not wide and value < margin - self.numbers.double_margin:
                        extension = 2
                elif self.switches.multi_cut and value >= beta and value < PROVEN and not wide:
                    self.leaned = outer_leaned if outer_leaned < self.leaned or self.leaned >= here else self.leaned
                    return value
                elif table_value >= beta:
                    extension = -2
                elif cut_node:
                    extension = -1
                # The other search has written where this one's moves are.
                if picker.stage == ALL:
                    begin_picking(&picker, self.position, moves, orders, known)
                    next_move(&picker, &self.history, self.position, False)
                else:
                    self.set_up(&picker, ply, player)

            # Step 18. Make it.
            if quiet and quiets < TRIED:
                tried_quiets[quiets] = move
                quiet_prints[quiets] = footprint
                quiets += 1
            elif not quiet and captures < TRIED:
                capture_prints[captures] = footprint
                captured[captures] = taken
                captures += 1
            self.footprints[BEFORE + ply + 1] = footprint
            self.quiet_movers[ply + 1] = player + 1 if quiet else 0
            i = picker.order
            self.position.make(move)
            if self.switches.table and not self.switches.symmetric_plies:
                self.table.prefetch(self.position.key() + <key_t> self.path_exactness)
            child_depth = depth - 1 + extension
            self.leaned = NOWHERE
            if not self.principal_variation:
                value = self.descend(move, child_depth, alpha, beta, ply, player, False)
            else:
                value = alpha + 1                  # for the open window below
                # Step 19. Late moves get a shallower first look.
                if (self.switches.late_move_reductions and depth >= REDUCTION_DEPTH and number > 1 + wide
                        and not checked and (self.position.side == (player ^ 1) or self.position.side == CHANCE)
                        and (quiet or picker.bad or cut_node)):
                    if cut_node:
                        reduction += self.numbers.reduction_cut
                    if not improving:
                        reduction += self.numbers.reduction_stale
                    if known_takes:
                        reduction += self.numbers.reduction_capture
                    if principal:
                        reduction -= self.numbers.reduction_wide
                    if self.position.in_check():
                        reduction -= self.numbers.reduction_check
                    if quiet:              # killers and replies count as the best history there is
                        i = i if i < HISTORY_LIMIT else HISTORY_LIMIT
                        reduction -= i * PLY // self.numbers.reduction_history
                    shallow = child_depth - (reduction // PLY if reduction > 0 else 0)
                    if shallow < 1:
                        shallow = 1
                    if shallow > child_depth:
                        shallow = child_depth
                    value = self.descend(move, shallow, alpha, alpha + 1, ply, player, True)
                    if value > alpha and shallow < child_depth and not self.control.stopped:
                        value = self.descend(move, child_depth, alpha, alpha + 1, ply, player, not cut_node)
                        if quiet and self.switches.reduction_feedback and (value <= alpha or value >= beta):
                            learn_follow(&self.history, footprint, picker.rows,
                                         self.step(child_depth) if value >= beta else -self.step(child_depth))
                elif number > 1 or not wide:
                    value = self.descend(move, child_depth, alpha, alpha + 1 if number > 1 else beta, ply, player,
                                         not cut_node)
                if wide and (number == 1 or alpha < value < beta) and not self.control.stopped:
                    value = self.descend(move, child_depth, alpha, beta, ply, player, False)
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
                    best_quiet = quiet
                    extend_line(self.lines, self.line_lengths, LINE_LENGTH, move, ply)
                    alpha = value
                    # Step 20. A refutation: remember it, look no further.
                    if value >= beta:
                        self.counters.beta_cutoffs += 1
                        self.counters.first_move_cutoffs += number == 1
                        self.learn(&picker, move, footprint, quiet, taken, depth, ply, tried_quiets, quiet_prints,
                                   quiets, capture_prints, captured, captures)
                        break

        # Step 21. No move at all: the game is over (mate, stalemate, ...), or the only move was left out.
        if number == 0:
            self.leaned = outer_leaned
            return first_alpha if excluded != NO_MOVE else self.finished(ply, player)

        if (best <= first_alpha and self.switches.parent_history and excluded == NO_MOVE
                and self.quiet_movers[ply] == (player ^ 1) + 1):
            self.teach_parent(ply, self.step(depth))

        # Step 22. Store, unless the value is true on this path only. A refutation needs its own line, else all count.
        if best < beta:
            best_leaned = least_leaned
        if best_leaned >= here:
            best_leaned = NOWHERE
        self.leaned = outer_leaned if outer_leaned < best_leaned else best_leaned
        if excluded != NO_MOVE:
            return best
        bound = LOWER if best >= beta else EXACT if best > first_alpha else UPPER
        if self.switches.table:
            _store(self, key, image, best_move, to_table(best, ply), depth if best_leaned == NOWHERE else 0,
                   bound if best_leaned == NOWHERE else NOTHING, raw_value, principal)
        # Step 23. By how much was the static value wrong? Captures tell nothing about it.
        if (self.history.corrects and static_value != UNKNOWN and best_quiet and best_leaned == NOWHERE
                and -PROVEN < best < PROVEN and not (bound == LOWER and best <= static_value)
                and not (bound == UPPER and best >= static_value)):
            learn_error(&self.history, self.position, player, self.footprints[BEFORE + ply],
                        self.footprints[BEFORE + ply - 1], <int> ((best - static_value) / self.thousandth), depth)
        return best

    cdef int step(self, int depth) noexcept nogil:
        """What a search of this depth moves a history by."""
        cdef int step = self.numbers.history_step * depth
        return step if step < self.numbers.history_most else self.numbers.history_most

    cdef int teach_parent(self, int ply, int step) noexcept nogil:
        """The quiet move that led to this ply, after which nothing was found, rises."""
        cdef int16_t* rows[3]
        rows[0] = row_of(&self.history, self.footprints[BEFORE + ply - 1])
        rows[1] = row_of(&self.history, self.footprints[BEFORE + ply - 2])
        rows[2] = row_of(&self.history, self.footprints[BEFORE + ply - 4])
        return learn_quiet(&self.history, self.path[ply], self.footprints[BEFORE + ply], self.quiet_movers[ply] - 1,
                           rows, step)

    cdef int learn(self, Picker* picker, move_t move, int footprint, bint quiet, int taken, int depth, int ply,
                   move_t* quiets, int16_t* quiet_prints, int quiet_count,
                   int16_t* capture_prints, int* captured, int capture_count) noexcept nogil:
        """A move refuted: it rises, those tried before it sink."""
        cdef int step = self.step(depth), i
        if quiet:
            add_killer(&self.history, move, ply)
            if self.history.answers:
                self.history.replies[self.footprints[BEFORE + ply]] = move
            learn_quiet(&self.history, move, footprint, picker.player, picker.rows, step)
            for i in range(quiet_count):
                if quiets[i] != move:
                    learn_quiet(&self.history, quiets[i], quiet_prints[i], picker.player, picker.rows, -step)
        else:
            learn_capture(&self.history, footprint, taken, step)
            capture_count -= 1                 # the last is the move itself
        for i in range(capture_count):
            learn_capture(&self.history, capture_prints[i], captured[i], -step)
        return 0

    # ------------------------------------------------------------------ beyond the horizon

    cdef int quiesce(self, int depth, int alpha, int beta, int ply, int player) except? -32768 nogil:
        """Captures are searched on until there are none that win something; in check every move, for a few plies."""
        cdef Found found
        cdef Picker picker
        cdef move_t* moves = self.moves + ply * MAX_MOVES
        cdef int32_t* orders = self.orders + ply * MAX_MOVES
        cdef move_t known = NO_MOVE, move, best_move = NO_MOVE
        cdef key_t key = 0
        cdef int best, value, first_alpha = alpha, base = -INFINITE, raw_value = UNKNOWN, taken, i, n, image = 0
        cdef int outer_leaned = self.leaned, number = 0, stage = 0
        cdef bint checked, every, hit = False, chance

        # Step 1. No quiescence, or too long a line: the static value.
        if not self.quiescence or ply >= MAX_PLY:
            if self.position.over():
                return self.finished(ply, player)
            return self.evaluator.evaluate(self.position)

        # Step 2. Count the node, which at depth 0 was counted already; limits and stop().
        if depth < 0:
            self.line_lengths[ply] = 0
            if out_of_budget(&self.control):
                return 0
            self.quiescence_nodes += 1
            if self.position.side == OVER:
                return self.finished(ply, player)

        # Step 3. The table.
        checked = self.position.in_check()
        every = checked and depth > CHECKED_DEPTH
        if self.switches.quiescence_table:
            key = _table_key(self, self.position.key(), ply, &image)
            hit = _probe(self, key, image, &found)
            if hit:
                known = found.move
                value = from_table(found.value, ply)
                if beta - alpha == 1 and decides(found.bound, value, alpha, beta):
                    self.counters.table_cutoffs += 1
                    return value

        # Step 4. Stand pat: the player to act may also do nothing, unless in check.
        if every:
            best = -INFINITE
        else:
            raw_value = found.static_value if hit and found.static_value != UNKNOWN else (
                self.evaluator.evaluate(self.position))
            best = self.corrected(raw_value, ply, player)
            if (hit and -PROVEN < value < PROVEN and (
                    found.bound == EXACT or (found.bound == LOWER and value > best)
                    or (found.bound == UPPER and value < best))):
                best = value
            if best >= beta:
                if self.switches.quiescence_table and not hit:
                    _store(self, key, image, NO_MOVE, best, 0, LOWER, raw_value, False)
                return best
            if best > alpha:
                alpha = best
            base = best + self.numbers.delta_margin

        # Step 5. The moves. Where the game does not generate in stages, there is nothing but captures.
        self.set_up(&picker, ply, player)
        self.leaned = NOWHERE
        if every:
            begin_picking(&picker, self.position, moves, orders, known)
        else:
            n = self.position.captures(moves)
            if n == 0 and depth == 0 and self.position.over():
                # Some games tell only by their moves that they are over.
                self.leaned = outer_leaned
                return self.finished(ply, player)
            for i in range(n):
                taken = self.position.taken(moves[i])
                orders[i] = (1 << 28) if moves[i] == known else taken
            if depth == 0 and self.switches.quiescence_checks and self.position.has_checks and not checked:
                stage = n
                n += self.position.quiets(moves + stage)
                for i in range(stage, n):
                    orders[i] = -1
            picker.moves = moves
            picker.orders = orders
            picker.next = 0
            picker.end = n
        while True:
            if every:
                move = next_move(&picker, &self.history, self.position, False)
                if move == NO_MOVE:
                    break
                number += 1
            else:
                if picker.next >= picker.end:
                    break
                move = _best_left(&picker)
                taken = self.position.taken(move)
                # What takes too little, or loses, is left out; so are quiet moves that do not give check.
                if taken == 0 and not self.position.gives_check(move):
                    continue
                if (self.switches.delta_pruning and taken and base + taken <= alpha
                        and not (self.position.has_checks and self.position.gives_check(move))):
                    if base + taken > best:
                        best = base + taken
                    continue
                if not self.position.exchange_reaches(move, 0):
                    continue
            self.footprints[BEFORE + ply + 1] = self.position.footprint(move)
            self.position.make(move)
            if self.switches.quiescence_table and not self.switches.symmetric_plies:
                self.table.prefetch(self.position.key() + <key_t> self.path_exactness)
            self.path[ply + 1] = move
            chance = self.position.side == CHANCE
            if chance:
                self.line_lengths[ply + 1] = 0
            elif self.position.side == player:
                value = self.quiesce(depth - 1, alpha, beta, ply + 1, player)
            else:
                value = -self.quiesce(depth - 1, -beta, -alpha, ply + 1, player ^ 1)
            self.position.unmake()
            if chance:
                if raw_value == UNKNOWN:
                    raw_value = self.evaluator.evaluate(self.position)
                value = self.guess_chance(move, self.corrected(raw_value, ply, player))
            if self.control.stopped:
                return 0
            if value > best:
                best = value
                if value > alpha:
                    best_move = move
                    extend_line(self.lines, self.line_lengths, self.line_room, move, ply)
                    alpha = value
                    if value >= beta:
                        break
        if every and number == 0:
            self.leaned = outer_leaned
            return self.finished(ply, player)

        # Step 6. Store what does not depend on the path.
        if self.switches.quiescence_table and self.leaned == NOWHERE:
            _store(self, key, image, best_move, to_table(best, ply), 0,
                   LOWER if best >= beta else EXACT if best > first_alpha and beta - first_alpha > 1 else UPPER,
                   raw_value, False)
        if outer_leaned < self.leaned:
            self.leaned = outer_leaned
        return best

    cdef int guess_chance(self, move_t move, int static_value) except? -32768 nogil:
        return to_guess(static_value + self.position.exchange(move))

    cdef int finished(self, int ply, int player) except? -32768 nogil:
        """What a rule ended may be due to the path: a draw by a limit, a verdict on a repetition. It is not stored
        above."""
        cdef double scores[MAX_PLAYERS]
        self.position.score(scores)
        if self.position.side == OVER and (scores[player] == 0 or self.position.repeated() != FRESH):
            self.leaned = -1
        if scores[player] == 0:
            return 0
        return WIN - ply if scores[player] > 0 else -(WIN - ply)

    cdef dict statistics(self):
        counters = self.counters
        return {
            "table_probes": counters.table_probes, "table_hits": counters.table_hits,
            "table_cutoffs": counters.table_cutoffs,
            "beta_cutoffs": counters.beta_cutoffs, "first_move_cutoffs": counters.first_move_cutoffs,
            "null_cutoffs": counters.null_cutoffs, "statistical_cutoffs": counters.statistical_cutoffs,
            "foretold_cutoffs": counters.foretold_cutoffs,
            "repetitions": counters.repetitions,
            "quiescence_nodes": self.quiescence_nodes, "table_entries": len(self.table)}


cdef class AlphaBeta:
    """The searcher: options, a table that outlives a search, and a worker per thread (Lazy SMP).

    >>> import boyi
    >>> from boyi.core.searcher import Limits
    >>> AlphaBeta().search(boyi.start("tic_tac_toe"), Limits(depth=9)).value
    0.0
    """

    FOR_TWO = True             # players
    NAME = "alpha-beta"

    def __init__(self, evaluator=None, options=None):
        cdef Worker worker
        self.evaluator = evaluator if evaluator is not None else Evaluator()
        self.options = options if options is not None else AlphaBetaOptions()
        self.table = Table(max(1, self.options.table_mb))
        make = self.worker_class()
        self._worker = make()
        self._helpers = [make() for _ in range(self.options.threads - 1)]
        for number, other in enumerate([self._worker, *self._helpers]):
            worker = other
            worker.thread = number
            worker.table = self.table
            worker.evaluator = self.evaluator if number == 0 else self.evaluator.fork()

    cdef object worker_class(self):
        return find_worker(self.options) or Worker

    cdef tuple question(self, Position position, limits):
        return position, limits

    def check(self, Position position not None):
        """Refuse, in words, a game in which this search would fail."""
        if position.players != 2 or position.game.has_chance:
            raise TextError("alphabeta is for two players and no chance")

    def search(self, Position position not None, limits, on_depth=None, only=()):
        """The best moves of a position in which a player acts; the position is left as it was.

        `on_depth` is called with the result of every depth as it ends. `only`, if not empty, are the moves to keep to.
        """
        cdef Worker worker = self._worker
        cdef int depth, lines = limits.lines
        if position.players != 2:
            raise TextError(f"{self.NAME} is for two players; this position has {position.players}")
        only = tuple(only)
        check_legal(position, only)
        # First of all the controls: stop() takes effect from here on. A limit in nodes is shared out among the threads.
        share = -(-limits.nodes // self.options.threads) if limits.nodes else 0
        for other in (worker, *self._helpers):
            begin(&(<Worker> other).control, limits.seconds or 0, share)
        self.evaluator.check(position)
        position, limits = self.question(position, limits)
        depth = min(limits.depth or MAX_PLY - 10, MAX_PLY - 10)
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

    def pass_through(self, Gate gate not None):
        """From the next search on, wait at a gate while it is closed."""
        self._gate = gate
        for other in (self._worker, *self._helpers):
            (<Worker> other).control.passage = &gate.passage

    cdef object _answer(self):
        nodes = self._worker.control.nodes
        best_move = self._worker.best.moves[0]
        best_move_nodes = self._worker.nodes_of(best_move)
        for other in self._helpers:
            nodes += (<Worker> other).control.nodes
            best_move_nodes += (<Worker> other).nodes_of(best_move)
        return self._worker.answer(nodes, self._worker.statistics() | {"best_move_nodes": best_move_nodes})


def _help(Worker worker, int depth, list failures):
    """Search on in a thread of its own; what goes wrong there is raised by the thread that asked."""
    try:
        with nogil:
            worker.deepen(depth, 1)
    except BaseException as failure:
        failures.append(failure)
