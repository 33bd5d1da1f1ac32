"""Games of self-play under way: the inner loop of `learn.training.lockstep`, compiled.

`play_on` takes a step with all games until one of them is over: each tree puts its next leaf into the batch, the
predictor is asked once, each tree takes its answer in, and games whose search is done make their move. No Python
object is made per leaf or move; what is to be learned is written into arrays that belong to the game.

A decision has these steps:

1. *Begin.* Chance acts, and the first moves are random. A single legal move is looked at once and not searched.
   Others get a full search, or sometimes only a fast one to get on with the game, without noise (playout-cap
   randomisation, Wu 2019): its policy has no weight.
2. *Search*, in steps shared with all other games.
3. *Remember* what the network saw, and the policy and the value that the search arrived at.
4. *Resign*, if the value was low several times in a row; in some games only on paper, to learn how often it is wrong.
5. *Move*, sampled from the policy while the game is young.

All random choices come from one stream of random numbers per game, which starts at the game's own seed.
"""

from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_RawFree, PyMem_RawRealloc
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy

from boyi.core.position cimport Position
from boyi.core.batch cimport Batch
from boyi.core.predictor cimport Predictor
from boyi.core.random cimport next_random, random_below, random_unit
from boyi.core.types cimport CHANCE, MAX_MOVES, move_t
from boyi.search.mcts cimport MCTS
from boyi.search.playout cimport first_state, pick_by_odds

import numpy as np

from boyi.core.errors import OptionError

cdef enum:
    FIRST_ROOM = 64            # decisions
    MOVES_EACH = 16            # to begin with


cdef int enlarge(void** block, size_t size) except -1:
    """Make a block of memory larger and keep what is in it."""
    cdef void* larger = PyMem_RawRealloc(block[0], size)
    if larger == NULL:
        raise MemoryError("no room for the samples of a game")
    block[0] = larger
    return 0


cdef class RunningGame:
    """A game, the trees of its players and what it has to teach so far."""

    def __init__(self, int number, Position start not None, Predictor predictor not None, settings, seed):
        self.number = number
        self.position = start.copy()
        self._random = first_state(seed)
        self._predictor = predictor
        self._encoder = predictor.encoder
        self._secret = start.game.has_chance
        options = settings.search_options()
        self._searchers = [MCTS(None, options, predictor) for _ in range(start.players if self._secret else 1)]
        self._searcher = self._searchers[0]
        self._plan.simulations = settings.simulations
        self._plan.fast_simulations = settings.fast_simulations
        self._plan.full_share = settings.full_share
        self._plan.random_plies = settings.random_plies
        self._plan.loose_plies = settings.loose_plies
        self._plan.cooling_plies = settings.cooling_plies
        self._plan.temperature = settings.temperature
        self._plan.late_temperature = settings.late_temperature
        self._plan.longest = settings.longest
        self._plan.resign_below = settings.resign_below
        self._plan.resign_moves = settings.resign_moves
        self.resigned = -1
        self.checked = random_unit(&self._random) < settings.resign_checked

    def __dealloc__(self):
        PyMem_RawFree(self._features)
        PyMem_RawFree(self._starts)
        PyMem_RawFree(self._weights)
        PyMem_RawFree(self._values)
        PyMem_RawFree(self._players)
        PyMem_RawFree(self._names)
        PyMem_RawFree(self._policy)

    # ------------------------------------------------------------------ a decision

    cdef int begin(self) except -1:
        cdef move_t moves[MAX_MOVES]
        cdef double odds[MAX_MOVES]
        cdef Position position = self.position, view
        cdef int64_t budget
        cdef int n
        # 1. Moves that need no search.
        while True:
            if position.over() or self._made >= self._plan.longest:
                self.over = True
                return 0
            if position.side == CHANCE:
                n = position.chances(moves, odds)
                self._make(moves[pick_by_odds(odds, n, &self._random)])
            elif self._made < self._plan.random_plies:
                n = position.generate(moves)
                self._make(moves[random_below(&self._random, n)])
                self._made += 1
            else:
                break
        # 2. The number of simulations for the next one.
        self._full = True
        budget = self._plan.simulations
        if self._plan.fast_simulations and random_unit(&self._random) >= self._plan.full_share:
            self._full = False
            budget = self._plan.fast_simulations
        if position.count() == 1:
            self._full = False               # nothing to choose, nothing to learn about choices
            budget = 1
        view = position
        if self._secret:
            self._searcher = self._searchers[position.side]
            view = position.observe(position.side)
        if self._made == self._plan.random_plies:
            self._predictor.check(view)
        self._searcher.begin_steps(view, budget, next_random(&self._random), not self._full)
        return 1

    cdef int decide(self) except -1:
        cdef move_t moves[MAX_MOVES]
        cdef float policy[MAX_MOVES]
        cdef double value
        cdef move_t move
        cdef int n, player = self.position.side
        # 3. What was found.
        self._searcher.end_steps()
        self.simulations += self._searcher.simulations()
        n = self._searcher.root_policy(moves, policy)
        value = self._searcher.root_value()
        move = self._searcher.root_choice(self._temperature(), &self._random)
        self._remember(player, moves, policy, n, value)
        # 4. Resign?
        if self._give_up(player, value) and self.resigned < 0:
            self.resigned = player
            if not self.checked:
                self.over = True
                return 0
        # 5. On with the game.
        self._make(move)
        self._made += 1
        return 0

    cdef int _make(self, move_t move) except -1:
        self.position.make(move)
        if not self._secret:                 # an observation has a history of its own, and a new tree every time
            self._searcher.follow(move)
        return 0

    cdef double _temperature(self) noexcept nogil:
        """Of the choice at this point of the game."""
        cdef int late = self._made - self._plan.random_plies - self._plan.loose_plies
        if late < 0:
            return self._plan.temperature
        if late >= self._plan.cooling_plies:
            return self._plan.late_temperature
        return (self._plan.temperature
                + (self._plan.late_temperature - self._plan.temperature) * (late + 1) / (self._plan.cooling_plies + 1))

    cdef int _give_up(self, int player, double value) noexcept nogil:
        """Has the player reason to resign?"""
        if self._plan.resign_below <= 0:
            return 0
        self._hopeless[player] = self._hopeless[player] + 1 if (value + 1) / 2 < self._plan.resign_below else 0
        return self._hopeless[player] >= self._plan.resign_moves

    # ------------------------------------------------------------------ what is to be learned

    cdef int _remember(self, int player, const move_t* moves, const float* policy, int n, double value) except -1:
        cdef int64_t begin
        cdef int row = self._count, i
        if row == self._room:
            self._room = 2 * self._room if self._room else FIRST_ROOM
            enlarge(<void**> &self._features, <size_t> self._room * self._encoder.size * sizeof(float))
            enlarge(<void**> &self._starts, <size_t> (self._room + 1) * sizeof(int64_t))
            enlarge(<void**> &self._weights, <size_t> self._room * sizeof(float))
            enlarge(<void**> &self._values, <size_t> self._room * sizeof(float))
            enlarge(<void**> &self._players, <size_t> self._room * sizeof(int32_t))
        begin = self._starts[row] if row else 0
        if begin + n > self._move_room:
            self._move_room = 2 * (begin + n) + FIRST_ROOM * MOVES_EACH
            enlarge(<void**> &self._names, <size_t> self._move_room * sizeof(int32_t))
            enlarge(<void**> &self._policy, <size_t> self._move_room * sizeof(float))
        self._encoder.encode(self.position, self._features + <size_t> row * self._encoder.size)
        for i in range(n):
            self._names[begin + i] = self._encoder.index(self.position, moves[i])
            self._policy[begin + i] = policy[i]
        self._starts[row] = begin
        self._starts[row + 1] = begin + n
        self._weights[row] = self._full
        self._values[row] = <float> ((value + 1) / 2)
        self._players[row] = player
        self._count += 1
        return 0

    def last_value(self):
        """Who decided last, and the value of that search, from 0 to 1; None before any decision."""
        return (self._players[self._count - 1], self._values[self._count - 1]) if self._count else None

    def decisions(self):
        """All decisions as arrays: features, starts, names, policy, weights and values as in `Samples`, and who
        decided."""
        cdef int64_t moves = self._starts[self._count] if self._count else 0
        cdef float[::1] features = np.empty(<size_t> self._count * self._encoder.size, np.float32)
        cdef int64_t[::1] starts = np.zeros(self._count + 1, np.int64)
        cdef int32_t[::1] names = np.empty(moves, np.int32)
        cdef float[::1] policy = np.empty(moves, np.float32)
        cdef float[::1] weights = np.empty(self._count, np.float32)
        cdef float[::1] values = np.empty(self._count, np.float32)
        cdef int32_t[::1] players = np.empty(self._count, np.int32)
        if self._count:
            memcpy(&features[0], self._features, features.nbytes)
            memcpy(&starts[0], self._starts, starts.nbytes)
            memcpy(&names[0], self._names, names.nbytes)
            memcpy(&policy[0], self._policy, policy.nbytes)
            memcpy(&weights[0], self._weights, weights.nbytes)
            memcpy(&values[0], self._values, values.nbytes)
            memcpy(&players[0], self._players, players.nbytes)
        return (np.asarray(features).reshape(self._count, self._encoder.size), np.asarray(starts), np.asarray(names),
                np.asarray(policy), np.asarray(weights), np.asarray(values), np.asarray(players))


def begin(RunningGame game not None):
    """Begin a game; is there anything to decide?"""
    return bool(game.begin())


def play_on(list games not None, Batch batch not None, Predictor predictor not None):
    """Play games that have begun until some are over: those that go on, and those that are over."""
    cdef RunningGame game
    cdef int turns = 0
    cdef list going, ended
    if batch.encoder is not predictor.encoder:
        raise OptionError("this batch was encoded by another encoder than the predictor's")
    if batch.capacity < len(games):
        raise OptionError(f"the batch has room for {batch.capacity} games, not for {len(games)}")
    ended = []
    while games and not ended:
        # 1. One leaf of each, one batch for all.
        batch.clear()
        for game in games:
            game._searcher.collect_leaves(batch)
        if batch.count:
            with nogil:
                predictor.predict(batch)
        for game in games:
            game._searcher.absorb_answers(batch)
        # 2. Games whose search is done make their move.
        going = []
        for game in games:
            if game._searcher.must_end():
                game.decide()
                if game.over or not game.begin():
                    ended.append(game)
                    continue
            going.append(game)
        games = going
        turns += 1
        if turns % 64 == 0:
            PyErr_CheckSignals()
    return games, ended
