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
from libc.stdint cimport int16_t, int32_t, uint64_t
from libc.string cimport memcpy, memset

from boyi.core.evaluator cimport GUESS, WIN, Evaluator
from boyi.core.position cimport FRESH, REPEAT_DRAWS, REPEAT_WINS, Position
from boyi.core.types cimport CHANCE, MAX_MOVES, MAX_PLAYERS, OVER, key_t, move_t
from boyi.search.control cimport begin, now, out_of_budget
from boyi.search.table cimport EXACT, LOWER, NO_MOVE, NOTHING, UPPER, Found, Table

import threading

from boyi.core.errors import OptionError, TextError
from boyi.core.searcher import Line, Result
from boyi.search.options import AlphaBetaOptions

cdef enum:
    INFINITE = 31000
    PROVEN = GUESS + 100           # beyond it a value is a win or a loss and its distance
    NOWHERE = 1 << 20              # `leaned` of a value that needs nothing of its path
    FIRST_MOVE = 1 << 30           # ordering: the table's move
    GOOD_CAPTURE = 1 << 26
    KILLER = 1 << 25
    BAD_CAPTURE = -(1 << 26)

cdef int reductions[64][64]


cdef int _fill_reductions() noexcept:
    cdef int depth, number
    for depth in range(1, 64):
        for number in range(1, 64):
            reductions[depth][number] = <int> (0.5 + log(depth) * log(number) / 2.0)
    return 0


_fill_reductions()


cdef inline int _slot(move_t move) noexcept nogil:
    return (move ^ (move >> 14)) & (MOVE_SLOTS - 1)


cdef inline int _follow_slot(move_t before, move_t move) noexcept nogil:
    cdef uint64_t both = <uint64_t> before * <uint64_t> 0x9E3779B1 ^ <uint64_t> move * <uint64_t> 0x85EBCA77
    return <int> (both >> 9) & (FOLLOW_SLOTS - 1)


cdef class Worker:
    """One thread's search. All its memory is taken when it is made."""

    def __cinit__(self):
        self.moves = <move_t*> PyMem_RawCalloc((MAX_PLY + 1) * MAX_MOVES, sizeof(move_t))
        self.orders = <int32_t*> PyMem_RawCalloc((MAX_PLY + 1) * MAX_MOVES, sizeof(int32_t))
        self.follow = <int16_t*> PyMem_RawCalloc(FOLLOW_SLOTS, sizeof(int16_t))
        self.root_moves = <move_t*> PyMem_RawCalloc(MAX_MOVES, sizeof(move_t))
        self.root_values = <int*> PyMem_RawCalloc(MAX_MOVES, sizeof(int))
        self.best_moves = <move_t*> PyMem_RawCalloc(MAX_MOVES * 16, sizeof(move_t))
        self.best_lengths = <int*> PyMem_RawCalloc(MAX_MOVES, sizeof(int))
        self.best_values = <int*> PyMem_RawCalloc(MAX_MOVES, sizeof(int))
        if (self.moves == NULL or self.orders == NULL or self.follow == NULL or self.root_moves == NULL
                or self.root_values == NULL or self.best_moves == NULL or self.best_lengths == NULL
                or self.best_values == NULL):
            raise MemoryError("no room for a search")

    def __dealloc__(self):
        PyMem_RawFree(self.moves)
        PyMem_RawFree(self.orders)
        PyMem_RawFree(self.follow)
        PyMem_RawFree(self.root_moves)
        PyMem_RawFree(self.root_values)
        PyMem_RawFree(self.best_moves)
        PyMem_RawFree(self.best_lengths)
        PyMem_RawFree(self.best_values)

    # ------------------------------------------------------------------ deepening

    cdef int deepen(self, int depth_limit, int lines, int thread) except -1 nogil:
        """Search depth after depth until a limit is met; keep what the last finished depth found."""
        cdef int depth, first, alpha, beta, value, window, i, ply_before = self.position.ply
        self.root_ply = ply_before
        self.root_count = self.position.generate(self.root_moves)
        self.depth_done = 0
        self.best_lines = lines if lines < self.root_count else self.root_count
        for i in range(self.root_count):
            self.root_values[i] = -INFINITE
        for i in range(self.best_lines):
            self.best_moves[i * 16] = self.root_moves[i]
            self.best_lengths[i] = 1
            self.best_values[i] = 0
        memset(self.killers, 0xFF, sizeof(self.killers))
        self.path_keys[0] = self.position.key()
        self.path[0] = NO_MOVE
        for depth in range(1, depth_limit + 1):
            # Helper threads run ahead on every other depth, so that they fill the table with something new.
            if thread and depth > 2 and (depth + thread) % 3 == 0 and depth < depth_limit:
                continue
            for first in range(self.best_lines):
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
                # An unfinished depth still counts for its first line if its best move was replaced by a better one.
                if self.root_first == 0 and self.line_length[0] > 0 and depth > 1 and lines == 1:
                    self._keep(0, self.root_values[0])
                break
            self.depth_done = depth
            if self.root_count == 1 and depth >= 4 and self.control.deadline < 1e299:
                break      # the only move needs no clock time
            if lines == 1 and (self.best_values[0] >= WIN - depth or self.best_values[0] <= -(WIN - depth)):
                break      # a win or loss within the depth: deeper tells nothing new
        # However it ended, the position is as it was.
        while self.position.ply > ply_before:
            self.position.unmake()
        return 0

    cdef int _keep(self, int number, int value) noexcept nogil:
        cdef int i, length = self.line_length[0] if self.line_length[0] < 16 else 16
        self.best_lengths[number] = length
        for i in range(length):
            self.best_moves[number * 16 + i] = self.line[0][i]
        self.best_values[number] = value
        return 0

    cdef int root(self, int depth, int alpha, int beta) except? -32768 nogil:
        """One depth at the root, over the moves that no earlier line has taken."""
        cdef int player = self.position.side, best = -INFINITE, value, i, j, first_alpha = alpha
        cdef move_t move
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
                    self.keep_line(move, 0)
                    # To the front, the others keeping their order.
                    for j in range(i, self.root_first, -1):
                        self.root_moves[j] = self.root_moves[j - 1]
                        self.root_values[j] = self.root_values[j - 1]
                    self.root_moves[self.root_first] = move
                    self.root_values[self.root_first] = value
                    alpha = value
                    if value >= beta:
                        break
                    self._keep(self.root_first, value)
        if best <= first_alpha:
            self.root_values[self.root_first] = best
        if self.switches.table and self.root_first == 0 and best > first_alpha:
            self.table.store(self.position.key(), self.root_moves[0], best, depth,
                             LOWER if best >= beta else EXACT if self.leaned >= 0 else NOTHING)
        return best

    cdef int follow_up(self, move_t move, int depth, int alpha, int beta, int ply, int player,
                       bint may_pass) except? -32768 nogil:
        """The value for `player` after the move just made. The sign changes when the turn did."""
        cdef int side = self.position.side
        self.path[ply + 1] = move
        if side == player:
            return self.look(depth + 1, alpha, beta, ply + 1, player, may_pass)
        return -self.look(depth, -beta, -alpha, ply + 1, player ^ 1, may_pass)

    # ------------------------------------------------------------------ a node

    cdef int look(self, int depth, int alpha, int beta, int ply, int player, bint may_pass) except? -32768 nogil:
        """The value of the position for `player`, who acts (or would, were the game not over)."""
        cdef Found found
        cdef key_t key
        cdef move_t known = NO_MOVE, move, best_move = NO_MOVE
        cdef move_t* moves
        cdef int32_t* orders
        cdef int value, best = -INFINITE, first_alpha = alpha, static_value = 0
        cdef int i, n, reduction, child_depth, occurrence, low, high
        cdef int outer_leaned, least_leaned, best_leaned
        cdef bint checked, quiet, wide = beta - alpha > 1, improving
        cdef int quiets = 0

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
        self.path_keys[ply] = key
        if self.switches.seed_repetition:
            n = 0
            for i in range(ply):
                n += self.path_keys[i] == key
            if n >= 2 or (n == 1 and self.switches.repetition_penalty):
                self.counters.repetitions += 1
                return 0 if n >= 2 else self.switches.repetition_penalty

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
        if self.switches.table and self.table.probe(key, &found):
            self.counters.table_hits += 1
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
            outer_leaned = self.leaned
            value = -self.look(depth - reduction, -beta, -beta + 1, ply + 1, player ^ 1, False)
            self.leaned = outer_leaned
            self.position.unmake_null()
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
        self.arrange(moves, orders, n, ply, player, known)
        if self.switches.killers:
            self.killers[ply + 1][0] = self.killers[ply + 1][1] = NO_MOVE

        # Step 12. Enhanced transposition cut-offs.
        if self.switches.transposition_cutoffs and self.switches.table and depth >= 3 and not wide:
            for i in range(n):
                self.position.make(moves[i])
                if self.position.side == (player ^ 1) and self.table.probe(self.position.key(), &found):
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
            self.pick(moves, orders, i, n)
            move = moves[i]
            quiet = GOOD_CAPTURE > orders[i] > BAD_CAPTURE // 2
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
                    self.keep_line(move, ply)
                    alpha = value
                    # Step 15. A refutation: remember it, look no further.
                    if value >= beta:
                        self.counters.beta_cutoffs += 1
                        self.counters.first_move_cutoffs += i == 0
                        if quiet:
                            self.reward(move, moves, i, depth, ply, player)
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
            self.table.store(key, best_move, value, depth if best_leaned == NOWHERE else 0,
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
            self.pick(moves, orders, i, n)
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
                    self.keep_line(moves[i], ply)
                    alpha = value
                    if value >= beta:
                        break
        return best

    cdef int finished(self, int ply, int player) except? -32768 nogil:
        """The value of a finished game. A draw by rule may be due to the path (a limit), so it is not stored above."""
        cdef double scores[MAX_PLAYERS]
        self.position.score(scores)
        if scores[player] == 0:
            if self.position.side == OVER:
                self.leaned = -1
            return 0
        return WIN - ply if scores[player] > 0 else -(WIN - ply)

    # ------------------------------------------------------------------ ordering

    cdef int arrange(self, move_t* moves, int32_t* orders, int n, int ply, int player, move_t known) except -1 nogil:
        """Give every move its place: the table's, good captures, killers, quiet ones by history, bad captures."""
        cdef int i, gain
        cdef move_t move, before = self.path[ply]
        for i in range(n):
            move = moves[i]
            if move == known:
                orders[i] = FIRST_MOVE
                continue
            gain = self.position.exchange(move)
            if gain > 0:
                orders[i] = GOOD_CAPTURE + gain
            elif gain < 0:
                orders[i] = BAD_CAPTURE + gain
            elif self.switches.killers and move == self.killers[ply][0]:
                orders[i] = KILLER + 1
            elif self.switches.killers and move == self.killers[ply][1]:
                orders[i] = KILLER
            elif self.switches.history:
                orders[i] = self.history[player][_slot(move)] + self.follow[_follow_slot(before, move)]
            else:
                orders[i] = 0
        return 0

    cdef int pick(self, move_t* moves, int32_t* orders, int first, int n) noexcept nogil:
        """Bring the best of the moves left to the front; equal ones keep their order."""
        cdef int best = first, i, order
        cdef move_t move
        for i in range(first + 1, n):
            if orders[i] > orders[best]:
                best = i
        if best != first:
            move = moves[best]
            order = orders[best]
            for i in range(best, first, -1):
                moves[i] = moves[i - 1]
                orders[i] = orders[i - 1]
            moves[first] = move
            orders[first] = order
        return 0

    cdef int reward(self, move_t move, move_t* tried, int tries, int depth, int ply, int player) noexcept nogil:
        """A quiet move refuted: it rises, those tried before it sink, by ever smaller steps towards ±16384."""
        cdef int step = 16 * depth * depth, i
        cdef int32_t* entry
        cdef int16_t* after
        cdef move_t before = self.path[ply]
        if step > 1600:
            step = 1600
        if self.switches.killers and self.killers[ply][0] != move:
            self.killers[ply][1] = self.killers[ply][0]
            self.killers[ply][0] = move
        if not self.switches.history:
            return 0
        for i in range(-1, tries):
            if i >= 0 and self.orders[ply * MAX_MOVES + i] >= GOOD_CAPTURE:
                continue
            entry = &self.history[player][_slot(move if i < 0 else tried[i])]
            after = &self.follow[_follow_slot(before, move if i < 0 else tried[i])]
            if i < 0:
                entry[0] += step - entry[0] * step // 16384
                after[0] += step - after[0] * step // 16384
            else:
                entry[0] -= step + entry[0] * step // 16384
                after[0] -= step + after[0] * step // 16384
        return 0

    cdef int keep_line(self, move_t move, int ply) noexcept nogil:
        cdef int length = self.line_length[ply + 1]
        self.line[ply][0] = move
        memcpy(&self.line[ply][1], &self.line[ply + 1][0], length * sizeof(move_t))
        self.line_length[ply] = length + 1
        return 0


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
        if not 1 <= self.options.threads <= 256:
            raise OptionError(f"search option threads: {self.options.threads} is not from 1 to 256")
        self.table = Table(max(1, self.options.table_mb))
        self._worker = Worker()
        self._helpers = [Worker() for _ in range(self.options.threads - 1)]

    def search(self, Position position not None, limits):
        """The best moves of a position in which a player acts; the position is left as it was."""
        cdef Worker worker = self._worker, helper
        cdef int depth = min(limits.depth or MAX_PLY - 10, MAX_PLY - 10), lines = limits.lines
        if position.players != 2:
            raise TextError(f"alpha-beta is for two players; this position has {position.players}")
        self.evaluator.check(position)
        self.table.age()
        self._stop = False
        threads = []
        for number, other in enumerate(self._helpers):
            helper = other
            self._prepare(helper, position.copy(), limits)
            threads.append(threading.Thread(target=_help, args=(helper, depth, number + 1)))
        self._prepare(worker, position, limits)
        for thread in threads:
            thread.start()
        try:
            with nogil:
                worker.deepen(depth, lines, 0)
        finally:
            while position.ply > worker.root_ply:
                position.unmake()
            for other in self._helpers:
                (<Worker> other).control.stopped = True
            for thread in threads:
                thread.join()
        return self._answer(worker)

    def stop(self):
        """End a running search soon; it answers with what it has."""
        self._stop = True
        self._worker.control.stopped = True

    cdef int _prepare(self, Worker worker, Position position, limits) except -1:
        cdef Switches switches
        options = self.options
        switches.table = options.table_mb > 0
        switches.same_depth = options.same_depth
        switches.aspiration = options.aspiration
        switches.principal_variation = options.principal_variation
        switches.killers = options.killers
        switches.history = options.history
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
        switches.seed_repetition = options.repetition == "seed"
        switches.repetition_penalty = options.repetition_penalty
        worker.switches = switches
        worker.position = position
        worker.evaluator = self.evaluator
        worker.table = self.table
        worker.root_ply = position.ply
        worker.leaned = NOWHERE
        memset(&worker.counters, 0, sizeof(Counters))
        memset(worker.history, 0, sizeof(worker.history))
        memset(worker.follow, 0, FOLLOW_SLOTS * sizeof(int16_t))
        begin(&worker.control, limits.seconds or 0, limits.nodes or 0)
        return 0

    cdef object _answer(self, Worker worker):
        cdef int i, j, value
        lines = []
        for i in range(worker.best_lines):
            value = worker.best_values[i]
            wins_in = WIN - value if value > PROVEN else -(WIN + value) if value < -PROVEN else None
            lines.append(Line(tuple([worker.best_moves[16 * i + j] for j in range(worker.best_lengths[i])]),
                              float(value), wins_in))
        nodes = worker.control.nodes
        for other in self._helpers:
            nodes += (<Worker> other).control.nodes
        counters = worker.counters
        return Result(tuple(lines), worker.depth_done, nodes, now() - worker.control.began, {
            "table_hits": counters.table_hits, "table_cutoffs": counters.table_cutoffs,
            "beta_cutoffs": counters.beta_cutoffs, "first_move_cutoffs": counters.first_move_cutoffs,
            "null_cutoffs": counters.null_cutoffs, "statistical_cutoffs": counters.statistical_cutoffs,
            "repetitions": counters.repetitions,
            "quiescence_nodes": counters.quiescence_nodes, "table_entries": len(self.table)})


def _help(Worker worker, int depth, int thread):
    with nogil:
        worker.deepen(depth, 1, thread)
