"""A search that overlooks moves as people do, for every game: any number of players, chance, with or without evaluator.

It looks a few turns ahead by minimax with alpha-beta. At every node it considers only the moves that it *notices*:

    likelihood = attention ^ (remoteness of the move × (1 + plies from the root))

A capture, a check, a move near the last one or over a short way is less remote than a quiet one across the board; to
take back what has just taken is the least remote of all. So with little attention a threat in the other corner is
overlooked sooner than a recapture, and long lines sooner than short ones; at an attention of 1 nothing is. A side that
may have overlooked its best move can still do what is nothing special: the static value is a bound for it. At the
horizon a noticed capture counts as its exchange.

- A move that wins at once is noticed before all others, nearly always. Two moves of the root are considered however
  little is noticed.
- A move back into a position that is a draw by repetition is worth a draw, so that a won game is not shuffled away.
- What is noticed depends on the seed, the position and the move only: a search can be repeated bit for bit, and
  a seed overlooks the same move again until something has changed.
- With more than two players all others are one opponent (paranoid). Chance is a mean of `SAMPLES` results.
- Without an evaluator a leaf is worth what a random game or two bring.

Values are for the player at the root, in the evaluator's units.
"""

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from libc.math cimport atanh, hypot, lround, pow
from libc.stdint cimport uint64_t
from libc.string cimport memset

from boyi.core.bits cimport mix
from boyi.core.evaluator cimport GUESS, WIN, Evaluator
from boyi.core.position cimport Position
from boyi.core.random cimport random_unit
from boyi.core.rules cimport FRESH, REPEAT_DRAWS, REPEAT_LOSES
from boyi.core.types cimport CHANCE, MAX_MOVES, MAX_PLAYERS, OVER, move_t
from boyi.kit.control cimport begin, out_of_budget
from boyi.search.playout cimport pick_by_odds, play_randomly
from boyi.search.values cimport INFINITE, to_guess

from boyi.core.errors import TextError
from boyi.core.searcher import Line, Result, check_legal
from boyi.search.attentive_options import AttentiveOptions

cdef enum:
    LEAST_ROOTS = 2            # moves of the root that are considered, however little is noticed
    SAMPLES = 3                # results of a chance turn
    LONGEST_PLAYOUT = 500      # moves; a random game that is longer counts as a draw

# How remote a move is; guesses, of which only the order matters: the fit of the levels chooses the attention.
cdef double QUIET = 1.0
cdef double CHECK = 0.5
cdef double CAPTURE = 0.4
cdef double RECAPTURE = 0.1    # in place of all below
cdef double NEAR = 0.5         # a move of no length at the very place of the last one
cdef double DISTANCE = 0.7     # more, for one at the other end of the board
cdef double LENGTH = 0.5       # more, for one across the whole board
cdef double SOMEWHERE = 0.3    # the distance of a move that touches no point, or of the first move of a game

cdef double HALF_OF_WINS = 0.001   # the attention at which half of the moves are noticed that win at once

cdef double CERTAIN = 0.9999   # the largest score of a guess, so that it has a finite value
cdef double PLAYOUT = 0.7      # of the score of a random game: so much of it is believed
cdef double DEFAULT_SCALE = 400.0


cdef class Attentive:
    """The searcher: an evaluator, perhaps, and options.

    >>> import boyi
    >>> from boyi.core.searcher import Limits
    >>> position = boyi.parse("tic_tac_toe", "XX-/OO-/---")
    >>> result = Attentive(None, AttentiveOptions(attention=0.5)).search(position, Limits(depth=2))
    >>> position.format_move(result.move), result.lines[0].wins_in
    ('c1', 1)
    """

    def __cinit__(self, *args, **kwargs):
        self.moves = <move_t*> PyMem_RawMalloc((MAX_PLY + 1) * MAX_MOVES * sizeof(move_t))
        if self.moves == NULL:
            raise MemoryError("no room for a search")
        memset(self.places, 0, sizeof(self.places))

    def __dealloc__(self):
        PyMem_RawFree(self.moves)

    def __init__(self, Evaluator evaluator=None, options=None):
        self.evaluator = evaluator
        self.options = options if options is not None else AttentiveOptions()
        self.scale = DEFAULT_SCALE if evaluator is None else evaluator.scale
        self.attention = self.options.attention
        self.playouts = self.options.playouts

    def stop(self):
        """End a running search soon, from another thread; it answers with what it has."""
        self.control.stopped = True

    def search(self, Position position not None, limits, on_depth=None, only=()):
        """The best of the noticed moves; the position is left as it was.

        `on_depth` is called with the result of every depth as it ends. `only`, if not empty, are the moves to keep to.
        """
        cdef int ply = position.ply, depth, deepest = min(limits.depth or MAX_DEPTH, MAX_DEPTH)
        only = tuple(only)
        check_legal(position, only)
        begin(&self.control, limits.seconds or 0, limits.nodes or 0)
        if self.evaluator is not None:
            self.evaluator.check(position)
        elif position.over() or position.side < 0:
            raise TextError("there is nothing to search: no player acts in this position")
        self.position = position
        self.root_player = position.side
        # Later in the game something else is noticed, also where the position is the same again.
        self.seed = mix(<uint64_t> self.options.seed) ^ mix(<uint64_t> ply + 1)
        result = None
        try:
            self.find_roots(only)
            for depth in range(1, deepest + 1):
                if depth > 1 and self.control.stopped:
                    break
                with nogil:
                    self.deepen(depth)
                if self.control.stopped and result is not None:
                    break
                result = self.answer(depth, limits.lines)
                if on_depth is not None:
                    on_depth(result)
                if result.lines[0].wins_in == 1 or self.count == 1:
                    break
        finally:
            position.unmake_to(ply)
            self.position = None
        return result

    def answer(self, depth, lines):
        """The result as it stands."""
        from time import monotonic

        order = sorted(range(self.count), key=lambda i: -self.values[i])
        return Result(tuple(Line((self.roots[i],), float(to_guess(self.values[i]) if self.values[i] < WIN - 1
                                                         else self.values[i]),
                                 1 if self.values[i] >= WIN - 1 else None) for i in order[:lines]),
                      depth, self.control.nodes, monotonic() - self.control.began, {"noticed": self.count})

    # ------------------------------------------------------------------ the root

    cdef int find_roots(self, tuple only) except -1:
        """The moves of the root that are noticed."""
        cdef Position position = self.position, before
        cdef move_t* moves = self.moves
        cdef uint64_t state
        cdef double likelihood
        cdef int i, n
        if position.board is not self.board:
            self.board = position.board
            xs, ys = [point.x for point in self.board.points], [point.y for point in self.board.points]
            diameter = max(hypot(max(xs) - min(xs), max(ys) - min(ys)), 1e-9)
            self.points = {point.name: (point.x / diameter, point.y / diameter) for point in self.board.points}
            memset(self.places, 0, sizeof(self.places))
        # Where the last move was made that touched the board.
        memset(&self.last[0], 0, sizeof(Place))
        before = position.copy() if position.ply else None
        while before is not None and before.ply and before.ply > position.ply - 4 and not self.last[0].touches:
            move = before.undo()
            if before.side != OVER and before.side != CHANCE and not before.is_forfeit(move) and before.is_legal(move):
                self._place(before, move)
        n = position.generate(moves)
        if only:
            n = len(only)
            for i in range(n):
                moves[i] = only[i]
        noticed, overlooked = [], []
        for i in range(n):
            if only or self.attention >= 1:
                noticed.append(moves[i])
                continue
            likelihood = (self.attention / (self.attention + HALF_OF_WINS) if self.wins(moves[i])
                          else self.likelihood(moves[i], 0))
            state = self.seed ^ mix(position.key() ^ mix(<uint64_t> moves[i] + 1))
            drawn = random_unit(&state)
            if drawn < likelihood:
                noticed.append(moves[i])
            else:
                overlooked.append((drawn, moves[i]))
        if len(noticed) < LEAST_ROOTS:
            noticed += [move for _drawn, move in sorted(overlooked)[:LEAST_ROOTS - len(noticed)]]
        self.count = len(noticed)
        for i in range(self.count):
            self.roots[i] = noticed[i]
            self.values[i] = 0
        return 0

    def _place(self, Position before, move):
        """Remember where a move of an earlier position was made."""
        cdef Position now = self.position
        self.position = before
        try:
            self.look_up(move, &self.last[0])
        finally:
            self.position = now

    cdef int deepen(self, int depth) except -1 nogil:
        """Value the moves of the root; when it is stopped, those values stay that were not found again."""
        cdef int i, player, value, repeat
        for i in range(self.count):
            player = self.position.side
            self.last[1] = self.place_of(self.roots[i])[0]
            self.position.make(self.roots[i])
            repeat = self.position.repeated()
            if repeat == FRESH:
                value = self.value(depth - (self.position.side != player), -INFINITE, INFINITE, 1)
            else:
                value = 0 if repeat == REPEAT_DRAWS else GUESS if repeat == REPEAT_LOSES else -GUESS
            self.position.unmake()
            if self.control.stopped:
                # Of a first depth that was not finished, moves without a value come last.
                while depth == 1 and i < self.count:
                    self.values[i] = -GUESS
                    i += 1
                return 0
            self.values[i] = value
        return 0

    # ------------------------------------------------------------------ a node

    cdef int value(self, int depth, int alpha, int beta, int ply) except? -32768 nogil:
        """The value of the position for the player at the root."""
        cdef move_t* moves
        cdef int side = self.position.side, i, n, value, best
        cdef bint ours = side == self.root_player

        # Step 1. Count the node; limits and stop().
        if out_of_budget(&self.control):
            return 0

        # Step 2. The end, chance, the horizon.
        if side == OVER:
            return self.final_value(ply)
        if side == CHANCE:
            return self.mean_of_chances(depth, ply)
        if depth <= 0 or ply >= MAX_PLY:
            return self.horizon(ply)

        # Step 3. The moves. Who overlooks the best of them does nothing special.
        moves = self.moves + ply * MAX_MOVES
        n = self.position.generate(moves)
        if n == 0:
            return self.final_value(ply)
        if self.attention < 1:
            best = self.static_value()
            if ours:
                alpha = best if best > alpha else alpha
            else:
                beta = best if best < beta else beta
        else:
            best = -INFINITE if ours else INFINITE

        # Step 4. Those that are noticed.
        for i in range(n):
            if alpha >= beta:
                break
            if not self.notices(moves[i], ply):
                continue
            self.last[ply + 1] = self.place_of(moves[i])[0]
            self.position.make(moves[i])
            value = self.value(depth - (self.position.side != side), alpha, beta, ply + 1)
            self.position.unmake()
            if self.control.stopped:
                return 0
            if ours and value > best:
                best = value
                alpha = value if value > alpha else alpha
            elif not ours and value < best:
                best = value
                beta = value if value < beta else beta
        return best

    cdef int horizon(self, int ply) except? -32768 nogil:
        """The static value; a capture that is noticed and wins something counts as made."""
        cdef move_t* moves = self.moves + ply * MAX_MOVES
        cdef int i, n, gain, most = 0, value
        cdef bint ours = self.position.side == self.root_player
        if self.position.over():
            return self.final_value(ply)
        value = self.static_value()
        if self.evaluator is None or self.position.players != 2 or not self.position.staged:
            return value
        n = self.position.captures(moves)
        for i in range(n):
            gain = self.position.exchange(moves[i])
            if gain > most and self.notices(moves[i], ply):
                most = gain
        return to_guess(value + most if ours else value - most)

    cdef int static_value(self) except? -32768 nogil:
        """What the position looks like to the player at the root."""
        cdef double scores[MAX_PLAYERS]
        cdef double score = 0
        cdef uint64_t state
        cdef int value, _i, before
        if self.evaluator is None:
            before = self.position.ply
            state = self.seed ^ self.position.key()
            for _i in range(self.playouts):
                play_randomly(self.position, &state, LONGEST_PLAYOUT)
                if self.position.over():
                    self.position.score(scores)
                    score += PLAYOUT * scores[self.root_player]
                self.position.unmake_to(before)
            score /= self.playouts
        elif self.position.players == 2:
            value = self.evaluator.evaluate(self.position)
            return value if self.position.side == self.root_player else -value
        else:
            self.evaluator.evaluate_players(self.position, scores)
            score = scores[self.root_player]
        score = CERTAIN if score > CERTAIN else -CERTAIN if score < -CERTAIN else score
        return to_guess(<int> lround(2 * self.scale * atanh(score)))

    cdef int final_value(self, int ply) except? -32768 nogil:
        """Of a finished game."""
        cdef double scores[MAX_PLAYERS]
        cdef double score
        self.position.score(scores)
        score = scores[self.root_player]
        return WIN - ply if score >= 1 else ply - WIN if score <= -1 else <int> lround(2 * self.scale * atanh(score))

    cdef int mean_of_chances(self, int depth, int ply) except? -32768 nogil:
        """The mean over some results."""
        cdef move_t moves[MAX_MOVES]
        cdef double odds[MAX_MOVES]
        cdef uint64_t state = self.seed ^ self.position.key()
        cdef int _i, n = self.position.chances(moves, odds), samples = SAMPLES if n > 1 else 1, value, sum = 0
        if ply >= MAX_PLY:
            return 0
        for _i in range(samples):
            self.last[ply + 1] = self.last[ply]
            self.position.make(moves[pick_by_odds(odds, n, &state)])
            value = self.value(depth, -INFINITE, INFINITE, ply + 1)
            self.position.unmake()
            if self.control.stopped:
                return 0
            sum += to_guess(value)
        return sum // samples

    # ------------------------------------------------------------------ what is noticed

    cdef int wins(self, move_t move) except -1 nogil:
        """Does a move of the root win at once?"""
        cdef double scores[MAX_PLAYERS]
        cdef int won = 0
        self.position.make(move)
        if self.position.side != CHANCE and self.position.over():
            self.position.score(scores)
            won = scores[self.root_player] >= 1
        self.position.unmake()
        return won

    cdef double likelihood(self, move_t move, int ply) except -1 nogil:
        """How likely a move is noticed so many plies from the root."""
        cdef Place* place = self.place_of(move)
        cdef Place* last = &self.last[ply]
        cdef double kind = QUIET, distance = SOMEWHERE, length = 0, remoteness
        if self.position.taken(move) > 0:
            kind = CAPTURE
        elif self.position.has_checks and self.position.gives_check(move):
            kind = CHECK
        if place.touches:
            length = hypot(place.to_x - place.from_x, place.to_y - place.from_y)
            if last.touches:
                distance = hypot(place.to_x - last.to_x, place.to_y - last.to_y)
        if kind == CAPTURE and place.touches and last.touches and distance < 1e-6:
            remoteness = RECAPTURE
        else:
            remoteness = kind * (NEAR + DISTANCE * distance + LENGTH * length)
        return pow(self.attention, remoteness * (1 + ply))

    cdef bint notices(self, move_t move, int ply) except -1 nogil:
        cdef uint64_t state
        if self.attention >= 1:
            return True
        state = self.seed ^ mix(self.position.key() ^ mix(<uint64_t> move + 1))
        return random_unit(&state) < self.likelihood(move, ply)

    cdef Place* place_of(self, move_t move) except NULL nogil:
        """Where a legal move is made: kept by its number, for a move of one number goes the same way, or nearly."""
        cdef Place* place = &self.places[mix(move) & (PLACES - 1)]
        if not place.known or place.move != move:
            with gil:
                self.look_up(move, place)
        return place

    cdef int look_up(self, move_t move, Place* place) except -1:
        path = self.position.path(move)
        place.move = move
        place.known = True
        place.touches = len(path) > 0
        if path:
            place.from_x, place.from_y = self.points[path[0]]
            place.to_x, place.to_y = self.points[path[-1]]
        return 0
