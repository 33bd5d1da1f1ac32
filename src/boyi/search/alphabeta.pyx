"""Alpha-beta search, for any game of two players without chance.

One file, to be read from top to bottom. The plan: deepen iteratively; at every node
consult, in this order, the path (has this position been here before?), the
transposition table, and only then the moves; let the move ordering do the work.

- Values are for the player who acts. They change sign only when the turn changes hands,
  and only that costs a ply of depth: several actions of one turn are one ply.
- A value that leaned on a repetition is true on this path only. `leaned` carries the
  lowest ply whose presence on the path was needed; a node whose value leaned on something
  above it is not stored (the graph-history problem: Campbell 1985, Kishimoto and Müller 2004).
- Which switches are sound (never change the value at a fixed depth) is said in `options`.

Papers: Knuth and Moore 1975 (alpha-beta), Marsland 1986 (principal variation search), Schaeffer 1989 (history),
Donninger 1993 (null move), Schaeffer and Plaat 1996 (enhanced transposition cut-offs).
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.math cimport log
from libc.stdint cimport int16_t, int32_t
from libc.string cimport memcpy, memset

from boyi.core.evaluator cimport GUESS, WIN, Evaluator
from boyi.core.position cimport Position
from boyi.core.rules cimport FRESH, REPEAT_DRAWS, REPEAT_WINS
from boyi.core.types cimport CHANCE, MAX_MOVES, MAX_PLAYERS, OVER, key_t, move_t
from boyi.kit.control cimport begin, now, out_of_budget
from boyi.search.ordering cimport BAD_CAPTURE, FOLLOW_SLOTS, arrange, is_quiet, keep_line, pick, reward
from boyi.search.table cimport EXACT, LOWER, NO_MOVE, NOTHING, UPPER, Found, Table

import threading

from boyi.core.errors import TextError
from boyi.core.searcher import Line, Result, check_legal
from boyi.search.alphabeta_options import AlphaBetaOptions

cdef enum:
    INFINITE = 31000
    PROVEN = GUESS + 100           # beyond it a value is a win or a loss and its distance
    NOWHERE = 1 << 20              # `leaned` of a value that needs nothing of its path

cdef int reductions[64][64]


cdef int _fill_reductions() noexcept:
    cdef int depth, number
    for depth in range(1, 64):
        for number in range(1, 64):
            reductions[depth][number] = <int> (0.5 + log(depth) * log(number) / 2.0)
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


cdef class Worker:
    """One thread's search. All its memory is taken when it is made."""

    def __cinit__(self):
        self.moves = <move_t*> PyMem_RawCalloc((MAX_PLY + 1) * MAX_MOVES, sizeof(move_t))
        self.orders = <int32_t*> PyMem_RawCalloc((MAX_PLY + 1) * MAX_MOVES, sizeof(int32_t))
        self.ordering.follow = <int16_t*> PyMem_RawCalloc(FOLLOW_SLOTS, sizeof(int16_t))
        self.root_moves = <move_t*> PyMem_RawCalloc(MAX_MOVES, sizeof(move_t))
        self.root_values = <int*> PyMem_RawCalloc(MAX_MOVES, sizeof(int))
        self.best = <RootLine*> PyMem_RawCalloc(MAX_MOVES, sizeof(RootLine))
        self.fresh = <RootLine*> PyMem_RawCalloc(MAX_MOVES, sizeof(RootLine))
        if (self.moves == NULL or self.orders == NULL or self.ordering.follow == NULL or self.root_moves == NULL
                or self.root_values == NULL or self.best == NULL or self.fresh == NULL):
            raise MemoryError("no room for a search")

    def __dealloc__(self):
        PyMem_RawFree(self.moves)
        PyMem_RawFree(self.orders)
        PyMem_RawFree(self.ordering.follow)
        PyMem_RawFree(self.root_moves)
        PyMem_RawFree(self.root_values)
        PyMem_RawFree(self.best)
        PyMem_RawFree(self.fresh)

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

    cdef int deepen(self, int depth_limit, int lines, int thread) except -1 nogil:
        """Search depth after depth until a limit is met; keep what the last finished depth found."""
        cdef int depth, first, alpha, beta, value, window, i
        cdef Seen* root
        self.choose_roots()
        self.depth_done = 0
        if lines > self.root_count:
            lines = self.root_count
        for i in range(self.root_count):
            self.root_values[i] = -INFINITE
        # Without time for anything: the first move.
        self.best_lines = 1
        self.best[0].moves[0] = self.root_moves[0]
        self.best[0].length = 1
        self.best[0].value = 0
        memset(self.ordering.killers, 0xFF, sizeof(self.ordering.killers))
        memset(self.seen, 0, sizeof(self.seen))
        self.path_keys[0] = self.position.key()
        root = self.seen_slot(self.path_keys[0])
        root.key = self.path_keys[0]
        root.times = 1
        self.path[0] = NO_MOVE
        for depth in range(1, depth_limit + 1):
            # Helper threads run ahead on every other depth, so that they fill the table with something new.
            if thread and depth > 2 and (depth + thread) % 3 == 0 and depth < depth_limit:
                continue
            for first in range(lines):
                self.root_first = first
                window = 40
                value = self.root_values[first]
                alpha, beta = -INFINITE, INFINITE
                if self.switches.aspiration and depth >= 5 and -PROVEN < value < PROVEN:
                    alpha, beta = value - window, value + window
                while True:
                    value = self.root(depth, alpha, beta)
                    if self.control.stopped:
                        break
                    if value <= alpha and alpha > -INFINITE:
                        alpha = value - window if value - window > -PROVEN else -INFINITE
                        window *= 4
                    elif value >= beta and beta < INFINITE:
                        beta = value + window if value + window < PROVEN else INFINITE
                        window *= 4
                    else:
                        break
                if self.control.stopped:
                    break
            if self.control.stopped:
                # An unfinished depth still counts for a single line if its best move was replaced by a better one.
                # Several lines are of one depth, for else their values could not be compared: those of the last one
                # or, in the first, the lines that were finished.
                if lines == 1 and self.line_length[0] > 0 and depth > 1:
                    self.keep_best(0, self.root_values[0])
                elif lines > 1 and depth == 1 and self.root_first > 0:
                    self.adopt(self.root_first)
                break
            self.depth_done = depth
            self.adopt(lines)
            if self.told is not None:
                with gil:
                    self.told()
            if self.root_count == 1 and depth >= 4 and self.control.deadline < 1e299:
                break      # the only move needs no clock time
            if lines == 1 and (self.best[0].value >= WIN - depth or self.best[0].value <= -(WIN - depth)):
                break      # a win or loss within the depth: deeper tells nothing new
        return 0

    cdef int keep_best(self, int number, int value) noexcept nogil:
        """The line just found is the best so far of this number. A single one is the answer at once."""
        cdef RootLine* line = &self.fresh[number]
        line.value = value
        line.length = self.line_length[0] if self.line_length[0] < LINE_LENGTH else LINE_LENGTH
        memcpy(line.moves, self.line[0], line.length * sizeof(move_t))
        if number == 0 and self.best_lines == 1:
            self.best[0] = line[0]
        return 0

    cdef int adopt(self, int lines) noexcept nogil:
        """The fresh lines are of one depth, no move among them twice: let them be the answer, the best first."""
        cdef RootLine line
        cdef int i, j
        for i in range(lines):
            line = self.fresh[i]
            j = i
            while j > 0 and self.best[j - 1].value < line.value:     # seldom: reductions and the table let values waver
                self.best[j] = self.best[j - 1]
                j -= 1
            self.best[j] = line
        self.best_lines = lines
        return 0

    cdef int root(self, int depth, int alpha, int beta) except? -32768 nogil:
        """One depth at the root, over the moves that no earlier line has taken."""
        cdef int player = self.position.side, best = -INFINITE, value, i, j, image, first_alpha = alpha
        cdef move_t move
        cdef key_t key
        self.line_length[0] = 0
        for i in range(self.root_first, self.root_count):
            move = self.root_moves[i]
            self.position.make(move)
            if i == self.root_first or not self.switches.principal_variation:
                value = self.follow_up(move, depth - 1, alpha, beta, 0, player, True)
            else:
                value = self.follow_up(move, depth - 1, alpha, alpha + 1, 0, player, True)
                if alpha < value < beta and not self.control.stopped:
                    value = self.follow_up(move, depth - 1, alpha, beta, 0, player, True)
            self.position.unmake()
            if self.control.stopped:
                return best
            if value > best:
                best = value
                if value > alpha:
                    keep_line(&self.line[0][0], self.line_length, MAX_PLY + 2, move, 0)
                    # To the front, the others keeping their order.
                    for j in range(i, self.root_first, -1):
                        self.root_moves[j] = self.root_moves[j - 1]
                        self.root_values[j] = self.root_values[j - 1]
                    self.root_moves[self.root_first] = move
                    self.root_values[self.root_first] = value
                    alpha = value
                    if value >= beta:
                        break
                    self.keep_best(self.root_first, value)
        if best <= first_alpha:
            self.root_values[self.root_first] = best
        # The best of some moves is no value of the position.
        if self.switches.table and self.root_first == 0 and best > first_alpha and self.only is None:
            key = _table_key(self, self.position.key(), 0, &image)
            _store(self, key, image, self.root_moves[0], best, depth,
                   NOTHING if self.leaned < 0 else LOWER if best >= beta else EXACT)
        return best

    cdef int follow_up(self, move_t move, int depth, int alpha, int beta, int ply, int player,
                       bint may_pass) except? -32768 nogil:
        """The value for `player` after the move just made. The sign changes when the turn did."""
        cdef bint changes_hands = self.position.side != player
        cdef int value
        self.path[ply + 1] = move
        if changes_hands:
            player ^= 1
            alpha, beta = -beta, -alpha
        else:
            depth += 1
        if self.switches.seed_repetition:
            value = self.follow_as_seed(depth, alpha, beta, ply + 1, player, may_pass)
        else:
            value = self.look(depth, alpha, beta, ply + 1, player, may_pass)
        return -value if changes_hands else value

    cdef int follow_as_seed(self, int depth, int alpha, int beta, int ply, int player,
                            bint may_pass) except? -32768 nogil:
        """The seed's policy: the third occurrence on the path is a draw; the second is searched on, and may be worth
        a little more to the player to act, since the other one repeated."""
        cdef key_t key = self.position.key()
        cdef Seen* slot = NULL
        cdef int before = 0, penalty = 0, value, i
        self.path_keys[ply] = key
        if self.switches.seen_as_set:
            slot = self.seen_slot(key)
            before = slot.times
        else:
            for i in range(ply):
                before += self.path_keys[i] == key
        if before:
            self.counters.repetitions += 1
            if before >= 2:
                out_of_budget(&self.control)
                self.line_length[ply] = 0
                return 0
            penalty = self.switches.repetition_penalty
        if slot != NULL:
            slot.key = key
            slot.times += 1
        # The window moves with the value; a proven win is no less for it.
        if penalty and -PROVEN < alpha < PROVEN:
            alpha -= penalty
        if penalty and -PROVEN < beta < PROVEN:
            beta -= penalty
        value = self.look(depth, alpha, beta, ply, player, may_pass)
        if penalty and -PROVEN < value < PROVEN:
            value = value + penalty if value + penalty < PROVEN else PROVEN - 1
        # What entered last leaves first, so a slot set free never breaks the way to another.
        if slot != NULL:
            slot.times -= 1
        return value

    cdef Seen* seen_slot(self, key_t key) noexcept nogil:
        """Where the key is in the set, or would be."""
        cdef int i = key & (SEEN_SLOTS - 1)
        while self.seen[i].times and self.seen[i].key != key:
            i = (i + 1) & (SEEN_SLOTS - 1)
        return &self.seen[i]

    # ------------------------------------------------------------------ a node

    cdef int look(self, int depth, int alpha, int beta, int ply, int player, bint may_pass) except? -32768 nogil:
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
        self.line_length[ply] = 0
        if out_of_budget(&self.control):
            return 0

        # Step 2. Repetition, before anything is looked up.
        if self.switches.full_repetition:
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
            return self.settle(alpha, beta, ply, player, 0)

        # Step 6. The table.
        if self.switches.table:
            key = _table_key(self, key, ply, &image)
        if self.switches.table and _probe(self, key, image, &found):
            known = found.move
            value = found.value
            if value > PROVEN:
                value -= ply
            elif value < -PROVEN:
                value += ply
            if (found.depth == depth or (found.depth > depth and not self.switches.same_depth)) and not wide and (
                    found.bound == EXACT or (found.bound == LOWER and value >= beta)
                    or (found.bound == UPPER and value <= alpha)):
                self.counters.table_cutoffs += 1
                return value

        # Step 7. What the position looks like at first sight: to statistics of positions like it, ...
        if (self.switches.statistical_cutoffs and not wide and -PROVEN < alpha and beta < PROVEN
                and self.evaluator.bounds(self.position, &low, &high) and (low >= beta or high <= alpha)):
            self.counters.statistical_cutoffs += 1
            return low if low >= beta else high
        # ... and to the evaluator.
        if not checked and (self.switches.futility or self.switches.null_move or self.switches.late_move_reductions):
            static_value = self.evaluator.evaluate(self.position)
            if known != NO_MOVE and (found.bound == EXACT or (found.bound == LOWER and value > static_value)
                                     or (found.bound == UPPER and value < static_value)):
                static_value = value
        self.static_values[ply] = static_value
        improving = not checked and ply >= 2 and static_value > self.static_values[ply - 2]

        # Step 8. Futility: far above the window near the horizon.
        if (self.switches.futility and not wide and not checked and depth <= 6 and -PROVEN < beta < PROVEN
                and static_value - 70 * (depth - improving) >= beta and static_value < PROVEN):
            return static_value

        # Step 9. Null move.
        if (self.switches.null_move and may_pass and not wide and not checked and depth >= 3
                and static_value >= beta and -PROVEN < beta < PROVEN and self.position.make_null()):
            reduction = 3 + depth // 4 + (static_value - beta) // 200
            if reduction > depth:
                reduction = depth
            self.path[ply + 1] = NO_MOVE
            self.path_keys[ply + 1] = 0
            outer_leaned = self.leaned
            value = -self.look(depth - reduction, -beta, -beta + 1, ply + 1, player ^ 1, False)
            self.leaned = outer_leaned
            self.position.unmake()
            if self.control.stopped:
                return 0
            if value >= beta:
                self.counters.null_cutoffs += 1
                return value if value < PROVEN else beta

        # Step 10. No move known: first look less deep.
        if self.switches.internal_reductions and known == NO_MOVE and depth >= 4:
            depth -= 1

        # Step 11. The moves. None: the game is over (mate, stalemate, ...).
        moves = self.moves + ply * MAX_MOVES
        orders = self.orders + ply * MAX_MOVES
        n = self.position.generate(moves)
        if n == 0:
            return self.finished(ply, player)
        arrange(&self.ordering, self.position, moves, orders, n, ply, player, self.path[ply], known)
        self.ordering.killers[ply + 1][0] = self.ordering.killers[ply + 1][1] = NO_MOVE

        # Step 12. Enhanced transposition cut-offs.
        if self.switches.transposition_cutoffs and self.switches.table and depth >= 3 and not wide:
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
            if best > -PROVEN and not checked and quiet and not wide:
                if self.switches.late_move_pruning and depth <= 5 and quiets >= (3 + depth * depth) // (2 - improving):
                    continue
                if self.switches.futility and depth <= 5 and static_value + 90 + 90 * depth <= alpha:
                    continue
            if (best > -PROVEN and not checked and self.switches.late_move_pruning and not wide and depth <= 4
                    and orders[i] < BAD_CAPTURE // 2 and orders[i] - BAD_CAPTURE < -80 * depth):
                continue
            if quiet:
                quiets += 1
            self.position.make(move)
            child_depth = depth - 1
            self.leaned = NOWHERE
            if i == 0 or not self.switches.principal_variation:
                value = self.follow_up(move, child_depth, alpha, beta, ply, player, True)
            else:
                # Step 14. Late moves get a shallower first look.
                reduction = 0
                if (self.switches.late_move_reductions and depth >= 3 and i >= 2 + 2 * wide and quiet and not checked
                        and self.position.side == (player ^ 1)):
                    reduction = reductions[depth if depth < 63 else 63][i if i < 63 else 63]
                    reduction += not improving
                    reduction -= wide
                    reduction -= orders[i] // 8192
                    if self.position.in_check():
                        reduction -= 1
                    if reduction < 0:
                        reduction = 0
                    if reduction > child_depth - 1:
                        reduction = child_depth - 1 if child_depth > 1 else 0
                value = self.follow_up(move, child_depth - reduction, alpha, alpha + 1, ply, player, True)
                if reduction and value > alpha and not self.control.stopped:
                    value = self.follow_up(move, child_depth, alpha, alpha + 1, ply, player, True)
                if alpha < value < beta and not self.control.stopped:
                    value = self.follow_up(move, child_depth, alpha, beta, ply, player, True)
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
                    keep_line(&self.line[0][0], self.line_length, MAX_PLY + 2, move, ply)
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
            value = best
            if value > PROVEN:
                value += ply
            elif value < -PROVEN:
                value -= ply
            _store(self, key, image, best_move, value, depth if best_leaned == NOWHERE else 0,
                   NOTHING if best_leaned != NOWHERE
                   else LOWER if best >= beta else EXACT if best > first_alpha else UPPER)
        return best

    # ------------------------------------------------------------------ the horizon

    cdef int settle(self, int alpha, int beta, int ply, int player, int depth) except? -32768 nogil:
        """Quiescence: the value when the captures are over. Out of check every move is looked at."""
        cdef move_t* moves = self.moves + ply * MAX_MOVES
        cdef int32_t* orders = self.orders + ply * MAX_MOVES
        cdef int best, value, i, n
        cdef bint checked = self.position.in_check()
        if not self.switches.quiescence or ply >= MAX_PLY:
            if self.position.over():
                return self.finished(ply, player)
            return self.evaluator.evaluate(self.position)
        if depth < 0:
            self.line_length[ply] = 0
            if out_of_budget(&self.control):
                return 0
            self.counters.quiescence_nodes += 1
            if self.position.side == OVER:
                return self.finished(ply, player)
        if checked and depth > -4:
            best = -INFINITE
            n = self.position.generate(moves)
            if n == 0:
                return self.finished(ply, player)
        else:
            best = self.evaluator.evaluate(self.position)
            if best >= beta:
                return best
            if best > alpha:
                alpha = best
            n = self.position.captures(moves)
            if n == 0:
                # Nothing to take: make sure that the game is not over, for games that tell so only by their moves.
                if depth == 0 and self.position.over():
                    return self.finished(ply, player)
                return best
        for i in range(n):
            orders[i] = self.position.exchange(moves[i])
        for i in range(n):
            pick(moves, orders, i, n)
            if orders[i] < 0 and not checked:
                break
            self.position.make(moves[i])
            if self.position.side == player:
                value = self.settle(alpha, beta, ply + 1, player, depth - 1)
            else:
                value = -self.settle(-beta, -alpha, ply + 1, player ^ 1, depth - 1)
            self.position.unmake()
            if self.control.stopped:
                return 0
            if value > best:
                best = value
                if value > alpha:
                    keep_line(&self.line[0][0], self.line_length, MAX_PLY + 2, moves[i], ply)
                    alpha = value
                    if value >= beta:
                        break
        return best

    cdef int finished(self, int ply, int player) except? -32768 nogil:
        """The value of a finished game. What a rule ended may be due to the path: a draw by a limit, a verdict on a
        repetition. It is not stored above."""
        cdef double scores[MAX_PLAYERS]
        self.position.score(scores)
        if self.position.side == OVER and (scores[player] == 0 or self.position.repeated() != FRESH):
            self.leaned = -1
        if scores[player] == 0:
            return 0
        return WIN - ply if scores[player] > 0 else -(WIN - ply)


cdef class AlphaBeta:
    """The searcher: options, a table that outlives a search, and a worker per thread.

    >>> import boyi
    >>> from boyi.core.searcher import Limits
    >>> AlphaBeta().search(boyi.start("tic_tac_toe"), Limits(depth=9)).value
    0.0
    """

    def __init__(self, evaluator=None, options=None):
        self.evaluator = evaluator if evaluator is not None else Evaluator()
        self.options = options if options is not None else AlphaBetaOptions()
        self.table = Table(max(1, self.options.table_mb))
        self._worker = Worker()
        self._helpers = [Worker() for _ in range(self.options.threads - 1)]
        (<Worker> self._worker).evaluator = self.evaluator
        for helper in self._helpers:
            (<Worker> helper).evaluator = self.evaluator.fork()

    def search(self, Position position not None, limits, told=None, only=()):
        """The best moves of a position in which a player acts; the position is left as it was.

        `told` is called with the result of every depth as it ends. `only`, if not empty, are the moves to keep to.
        """
        cdef Worker worker = self._worker, helper
        cdef int depth = min(limits.depth or MAX_PLY - 10, MAX_PLY - 10), lines = limits.lines
        if position.players != 2:
            raise TextError(f"alpha-beta is for two players; this position has {position.players}")
        only = tuple(only)
        check_legal(position, only)
        # First of all the controls: who says stop from now on, is heard.
        self._begin(worker, limits)
        for other in self._helpers:
            self._begin(other, limits)
        self.evaluator.check(position)
        self.table.age()
        threads = []
        failures = []
        for number, other in enumerate(self._helpers):
            helper = other
            self._prepare(helper, position.copy(), only)
            threads.append(threading.Thread(target=_help, args=(helper, depth, number + 1, failures)))
        self._prepare(worker, position, only)
        if told is not None:
            worker.told = lambda: told(self._answer(worker))
        for thread in threads:
            thread.start()
        try:
            with nogil:
                worker.deepen(depth, lines, 0)
        finally:
            worker.told = None
            try:
                position.unmake_to(worker.root_ply)
            finally:
                for other in self._helpers:
                    (<Worker> other).control.stopped = True
                for thread in threads:
                    thread.join()
        if failures:
            raise failures[0]
        return self._answer(worker)

    def stop(self):
        """End a running search soon; it answers with what it has."""
        self._worker.control.stopped = True
        for other in self._helpers:
            (<Worker> other).control.stopped = True

    cdef int _begin(self, Worker worker, limits) except -1:
        """A limit in nodes is shared out among the threads."""
        cdef int threads = 1 + len(self._helpers)
        begin(&worker.control, limits.seconds or 0, -(-limits.nodes // threads) if limits.nodes else 0)
        return 0

    cdef int _prepare(self, Worker worker, Position position, tuple only) except -1:
        cdef Switches switches
        options = self.options
        switches.table = options.table_mb > 0
        switches.same_depth = options.same_depth
        switches.aspiration = options.aspiration
        switches.principal_variation = options.principal_variation
        switches.transposition_cutoffs = options.transposition_cutoffs
        switches.quiescence = options.quiescence
        switches.null_move = options.null_move
        switches.late_move_reductions = options.late_move_reductions
        switches.late_move_pruning = options.late_move_pruning
        switches.futility = options.futility
        switches.check_extensions = options.check_extensions
        switches.internal_reductions = options.internal_reductions
        switches.statistical_cutoffs = options.statistical_cutoffs
        switches.full_repetition = options.repetition == "full"
        switches.seed_repetition = options.repetition == "ancestor"
        switches.seen_as_set = options.repetition_lookup == "set"
        switches.repetition_penalty = options.repetition_penalty
        switches.symmetric_plies = {
            "none": 0, "top": options.symmetry_plies, "everywhere": MAX_PLY + 1}[options.symmetry]
        worker.switches = switches
        worker.position = position
        worker.table = self.table
        worker.root_ply = position.ply
        worker.only = only or None
        worker.leaned = NOWHERE
        memset(&worker.counters, 0, sizeof(Counters))
        worker.ordering.exchanges = True
        worker.ordering.by_killers = options.killers
        worker.ordering.by_history = options.history
        memset(worker.ordering.history, 0, sizeof(worker.ordering.history))
        memset(worker.ordering.follow, 0, FOLLOW_SLOTS * sizeof(int16_t))
        return 0

    cdef object _answer(self, Worker worker):
        cdef int i, j, value
        lines = []
        for i in range(worker.best_lines):
            value = worker.best[i].value
            wins_in = WIN - value if value > PROVEN else -(WIN + value) if value < -PROVEN else None
            lines.append(Line(tuple([worker.best[i].moves[j] for j in range(worker.best[i].length)]),
                              float(value), wins_in))
        nodes = worker.control.nodes
        for other in self._helpers:
            nodes += (<Worker> other).control.nodes
        counters = worker.counters
        return Result(tuple(lines), worker.depth_done, nodes, now() - worker.control.began, {
            "table_probes": counters.table_probes, "table_hits": counters.table_hits,
            "table_cutoffs": counters.table_cutoffs,
            "beta_cutoffs": counters.beta_cutoffs, "first_move_cutoffs": counters.first_move_cutoffs,
            "null_cutoffs": counters.null_cutoffs, "statistical_cutoffs": counters.statistical_cutoffs,
            "repetitions": counters.repetitions,
            "quiescence_nodes": counters.quiescence_nodes, "table_entries": len(self.table)})


def _help(Worker worker, int depth, int thread, list failures):
    """Search on in a thread of its own; what goes wrong there is told by the one who asked."""
    try:
        with nogil:
            worker.deepen(depth, 1, thread)
    except BaseException as failure:
        failures.append(failure)
