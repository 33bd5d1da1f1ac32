"""Quiescence: beyond the horizon, captures are searched on until there are none that win something.

In check every move is searched, for a few plies. Otherwise the player to act may also do nothing and take the static
value ("stand pat"). Values change sign only when the turn changes hands.

Where chance may act (expectimax) a capture may leave the rest to chance: it counts as its exchange value. There,
positions in which chance acts or the game is over are no nodes, and lines end at the horizon.
"""

from libc.stdint cimport int32_t

from boyi.core.types cimport CHANCE, MAX_MOVES, OVER, move_t
from boyi.kit.control cimport out_of_budget
from boyi.search.deepening cimport Deepening
from boyi.search.ordering cimport extend_line, pick
from boyi.search.values cimport INFINITE, to_guess

cdef class HorizonSearch(Deepening):
    """A search for two players that ends in quiescence."""

    cdef int quiesce(self, int depth, int alpha, int beta, int ply, int player) except? -32768 nogil:
        cdef move_t* moves = self.moves + ply * MAX_MOVES
        cdef int32_t* orders = self.orders + ply * MAX_MOVES
        cdef int best, value, static_value = 0, side, i, n
        cdef bint checked

        # Step 1. No quiescence, or too long a line: the static value.
        if not self.quiescence or ply >= self.max_ply:
            if self.position.over():
                return self.finished(depth, ply, player)
            return self.evaluator.evaluate(self.position)

        # Step 2. Count the node, which at depth 0 was counted already; limits and stop().
        if depth < 0:
            self.line_lengths[ply] = 0
            if out_of_budget(&self.control):
                return 0
            self.quiescence_nodes += 1
            if self.position.side == OVER:
                return self.finished(depth, ply, player)

        # Step 3. In check all moves; else stand pat, or the captures.
        checked = self.position.in_check()
        if checked and depth > CHECKED_DEPTH:
            if self.chance:
                static_value = self.evaluator.evaluate(self.position)
            best = -INFINITE
            n = self.position.generate(moves)
            if n == 0:
                return self.finished(depth, ply, player)
        else:
            best = static_value = self.evaluator.evaluate(self.position)
            if best >= beta:
                return best
            if best > alpha:
                alpha = best
            n = self.position.captures(moves)
            if n == 0:
                # Nothing to take. Some games tell only by their moves that they are over.
                if depth == 0 and self.position.over():
                    return self.finished(depth, ply, player)
                return best

        # Step 4. What wins most first; what loses, not at all.
        for i in range(n):
            orders[i] = self.position.exchange(moves[i])
        for i in range(n):
            pick(moves, orders, i, n)
            if orders[i] < 0 and not checked:
                break
            self.position.make(moves[i])
            side = self.position.side
            if side == player:
                value = self.quiesce(depth - 1, alpha, beta, ply + 1, player)
            elif self.chance and side == CHANCE:
                value = to_guess(static_value + orders[i])
            elif self.chance and side == OVER:
                value = self.finished(depth - 1, ply + 1, player)
            else:
                value = -self.quiesce(depth - 1, -beta, -alpha, ply + 1, player ^ 1)
            self.position.unmake()
            if self.control.stopped:
                return 0
            if value > best:
                best = value
                if value > alpha:
                    if not self.chance:
                        extend_line(self.lines, self.line_lengths, self.line_room, moves[i], ply)
                    alpha = value
                    if value >= beta:
                        break
        return best

    cdef int finished(self, int depth, int ply, int player) except? -32768 nogil:
        return 0
