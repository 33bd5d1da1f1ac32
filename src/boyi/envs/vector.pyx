"""Many games of one kind at once, for reinforcement learning: compiled, without the GIL, into arrays of the caller.

    >>> from boyi.envs import VectorEnv
    >>> env = VectorEnv("othello", 3, seed=1)
    >>> env.masks.shape, env.masks.sum(axis=1).tolist(), env.to_act.tolist()
    ((3, 65), [4, 4, 4], [0, 0, 0])
    >>> rewards, terminations, truncations = env.step([19, 26, 37])
    >>> env.masks.sum(axis=1).tolist(), env.to_act.tolist()
    ([3, 3, 3], [1, 1, 1])

The arrays are made once, or given by the caller, and always hold what is true now. A row is a game. After a step:

- `to_act` says who acts in each row, and `masks` which actions are legal for that player (their numbers are the policy
  indices of the game's encoder); `observations`, if asked for, is what that player may know.
- `rewards` holds the final scores of the games that the step ended, per player from 1 to -1, else zeros.
- `terminations` and `truncations` say which games the step ended: by the rules, or by `max_plies`.
- A game that has ended begins anew at once (`autoreset`): its row of `masks`, `to_act` and `observations` shows the new
  game. Without autoreset it stays as it ended, with nothing legal and nobody to act; its flags stay, too, and its
  actions are ignored.

Of a mask only what changes is written, so that a step costs what its moves cost and not the size of the mask: whoever
writes into `masks` will find it there.

Each row has streams of random numbers of its own, one for chance and one for `sample()`: the same seed gives the same
games, however many rows there are beside it, and however many threads share the work.
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree, PyMem_RawMalloc
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from boyi.core.encoder cimport PythonEncoder
from boyi.core.position cimport Position
from boyi.core.random cimport next_random, random_below
from boyi.core.types cimport CHANCE, MAX_MOVES, MAX_PLAYERS, OVER, move_t
from boyi.envs.arrays cimport refuse_shared
from boyi.search.playout cimport first_state, pick_by_odds

import os
from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np

from boyi.core.errors import IllegalMoveError, OptionError, shorten
from boyi.envs.arrays import encoder_of
from boyi.envs.starting import find_start, read_number

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define BOYI_PREFETCH(place) __builtin_prefetch((place), 1)
    #else
    #define BOYI_PREFETCH(place) ((void) (place))
    #endif
    """
    void prefetch "BOYI_PREFETCH" (const void* place) noexcept nogil

cdef enum:
    LINE = 64                  # bytes of a cache line
    HISTORY = 12               # moves back, that repetition is looked for in
    MOST_FETCHED = 1024        # bytes of a position; what lies behind (tables for repetition) is touched here and there
    MOST_ROWS = 1 << 20
    MOST_THREADS = 256
    MOST_STARTS = 1000         # in which chance ends the game before anybody acts
    FIRST_ROOM = 16            # of a list of moves; it doubles


cdef class VectorEnv:
    """Games of one kind that are stepped together. See the module for what its arrays hold."""

    def __init__(self, game, count, *, seed=None, observations=False, autoreset=True, max_plies=None, threads=1,
                 into=None, **options):
        """`count` games of `game`: a name, with rule options, or a position that all of them begin from.

        `into` gives arrays to write into, by name: `masks`, `to_act`, `rewards`, `terminations`, `truncations`,
        `observations`. What is not given is made.
        """
        cdef int i
        self.start = find_start(game, options)
        self.count = read_number("count", count, 1, MOST_ROWS)
        self.max_plies = 0 if max_plies is None else read_number("max_plies", max_plies, 1, 0x7FFFFFFF)
        self.threads = read_number("threads", threads, 1, MOST_THREADS)
        self.autoreset = autoreset
        self.encoder = encoder_of(self.start)
        self.actions = self.encoder.policy_size
        self._shares = isinstance(self.encoder, PythonEncoder)
        self._veiled = self._shares and self.start.has_secrets
        self._make_arrays(dict(into or {}), bool(observations))
        self._rows = <Row*> PyMem_RawCalloc(self.count, sizeof(Row))
        if self._rows == NULL:
            raise MemoryError(f"no room for {self.count} games")
        self._position_bytes = min(type(self.start).__basicsize__, MOST_FETCHED)
        self._positions = [self.start.copy() for _ in range(self.count)]
        for i in range(self.count):
            self._rows[i].position = <void*> self._positions[i]
        self._pool = ThreadPoolExecutor(self.threads, "boyi-envs") if self.threads > 1 else None
        self.reset(int.from_bytes(os.urandom(8), "little") if seed is None else seed)

    def __dealloc__(self):
        cdef int i
        if self._rows != NULL:
            for i in range(self.count):
                PyMem_RawFree(self._rows[i].moves)
            PyMem_RawFree(self._rows)

    def _make_arrays(self, given, bint observations):
        """Make the arrays that are not given, check those that are, and hold on to their memory."""
        cdef uint8_t[::1] bits
        cdef int32_t[::1] numbers
        cdef float[::1] reals
        shapes = {
            "masks": ((self.count, self.actions), np.bool_), "to_act": ((self.count,), np.int32),
            "rewards": ((self.count, self.start.players), np.float32), "terminations": ((self.count,), np.bool_),
            "truncations": ((self.count,), np.bool_), "observations": ((self.count, self.encoder.size), np.float32)}
        for name in given:
            if name not in shapes:
                raise OptionError(f"into: no array is called {shorten(name)}. There are: {', '.join(shapes)}.")
        if not observations and "observations" not in given:
            del shapes["observations"]
        arrays = {name: given[name] if name in given else np.zeros(shape, kind)
                  for name, (shape, kind) in shapes.items()}
        for name, array in arrays.items():
            shape, kind = shapes[name]
            if not (isinstance(array, np.ndarray) and array.shape == shape and array.dtype == kind
                    and array.flags.c_contiguous and array.flags.writeable):
                raise OptionError(f"into: {name} is to be a writeable array of {np.dtype(kind)} in C order with the "
                                  f"shape {shape}, and is {_describe(array)}")
        self.masks, self.to_act, self.rewards = arrays["masks"], arrays["to_act"], arrays["rewards"]
        self.terminations, self.truncations = arrays["terminations"], arrays["truncations"]
        self.observations = arrays.get("observations")
        self._views = []
        bits = self._hold(self.masks.view(np.uint8))
        self._mask = &bits[0]
        numbers = self._hold(self.to_act)
        self._to_act = &numbers[0]
        reals = self._hold(self.rewards)
        self._reward = &reals[0]
        bits = self._hold(self.terminations.view(np.uint8))
        self._termination = &bits[0]
        bits = self._hold(self.truncations.view(np.uint8))
        self._truncation = &bits[0]
        self._observation = NULL
        if self.observations is not None:
            reals = self._hold(self.observations)
            self._observation = &reals[0]

    def _hold(self, array):
        """A flat view of an array, which cannot be moved in memory while there is one."""
        view = memoryview(array.reshape(-1))
        self._views.append(view)
        return view

    # ------------------------------------------------------------------ what it is for

    def reset(self, seed=None):
        """Begin all games anew, with new streams of random numbers if a seed is given; (to_act, masks)."""
        if seed is not None:
            first_state(seed)          # refuses what is none
        self._enter()
        try:
            if seed is not None:
                self._seed(seed)
            memset(self._mask, 0, <size_t> self.count * self.actions)
            self._run(True)
        finally:
            self._busy = False
        return self.to_act, self.masks

    def step(self, actions):
        """Make a move in every row, given by its action; (rewards, terminations, truncations).

        If any action is not legal, all are refused and nothing changes.
        """
        cdef const int64_t[::1] wanted = self._read_actions(actions)
        cdef int row
        if self._broken:
            raise OptionError("the last step failed midway: reset() begins all games anew")
        self._enter()
        try:
            with nogil:
                row = self._find(&wanted[0])
            if row >= 0:
                raise IllegalMoveError(self._refusal(row, wanted[row]))
            self._run(False)
        finally:
            self._busy = False
        return self.rewards, self.terminations, self.truncations

    def sample(self, into=None):
        """An action per row, each legal one as likely as the others: int64, written `into` an array if one is given.

        0 in rows where nobody acts.
        """
        cdef int64_t[::1] actions
        cdef Row* row
        cdef int i
        chosen = np.empty(self.count, np.int64) if into is None else into
        if not isinstance(chosen, np.ndarray) or chosen.shape != (self.count,) or chosen.dtype != np.int64:
            raise OptionError(f"into: actions are an array of int64 with the shape {(self.count,)}, and this is "
                              f"{_describe(chosen)}")
        actions = chosen
        self._enter()
        with nogil:
            for i in range(self.count):
                row = &self._rows[i]
                actions[i] = row.actions[random_below(&row.choice, row.count)] if row.count else 0
        self._busy = False
        return chosen

    def position(self, row):
        """A copy of the position of a row."""
        return self._positions[read_number("row", row, 0, self.count - 1)].copy()

    def __len__(self):
        return self.count

    def __repr__(self):
        return f"<{self.count} games of {self.start.game.name}>"

    # ------------------------------------------------------------------ with the GIL

    cdef int _seed(self, seed) except -1:
        cdef uint64_t state = first_state(seed)
        cdef int i
        for i in range(self.count):
            self._rows[i].chance = next_random(&state)
            self._rows[i].choice = next_random(&state)
        return 0

    cdef int _enter(self) except -1:
        """The arrays belong to one step at a time."""
        if self._busy:
            raise OptionError("these games are being stepped by another thread: make an environment for each")
        self._busy = True
        return 0

    def _read_actions(self, actions):
        read = np.asarray(actions)
        if read.shape != (self.count,) or read.dtype.kind not in "iu":
            raise OptionError(f"actions are {self.count} whole numbers, one per row, and this is {_describe(read)}")
        return np.ascontiguousarray(read, np.int64)

    def _refusal(self, int row, action):
        """The words for an action that is not legal in its row."""
        cdef Row* one = &self._rows[row]
        cdef int i
        shown = ", ".join([str(one.actions[i]) for i in range(min(one.count, 8))])
        more = f" and {one.count - 8} more" if one.count > 8 else ""
        return f"action {action} of row {row} is not legal there; legal are {shown}{more}. No game was moved on."

    cdef int _run(self, bint anew) except -1:
        """Step all rows, or begin them anew, shared among the threads."""
        cdef int part
        self._broken = True
        if self._pool is None:
            with nogil:
                if anew:
                    self._begin(0, self.count)
                else:
                    self._advance(0, self.count)
        else:
            parts = [self._pool.submit(self._run_part, part * <int64_t> self.count // self.threads,
                                       (part + 1) * <int64_t> self.count // self.threads, anew)
                     for part in range(self.threads)]
            try:
                wait(parts)
            finally:
                wait(parts)            # also after Ctrl-C: nobody writes into the arrays afterwards
            for one in parts:
                one.result()
        self._broken = False
        return 0

    def _run_part(self, int begin, int end, bint anew):
        with nogil:
            if anew:
                self._begin(begin, end)
            else:
                self._advance(begin, end)

    # ------------------------------------------------------------------ without

    cdef int _find(self, const int64_t* actions) noexcept nogil:
        cdef Row* row
        cdef int i, k
        for i in range(self.count):
            row = &self._rows[i]
            row.chosen = -1
            for k in range(row.count):
                if row.actions[k] == actions[i]:
                    row.chosen = k
                    break
            if row.chosen < 0 and row.count:
                return i
        return -1

    cdef int _advance(self, int begin, int end) except -1 nogil:
        cdef int i, players = self.start.players
        memset(self._reward + <size_t> begin * players, 0, <size_t> (end - begin) * players * sizeof(float))
        for i in range(begin, end):
            self._fetch(i, end)
            if self._rows[i].chosen >= 0:
                self._act(i)
        return 0

    cdef void _fetch(self, int i, int end) noexcept nogil:
        """While row i is at work, have what the next two need brought near, the second before its history is known.

        A thousand games are more than the nearer caches hold: without this, a step of xiangqi mostly waits for memory.
        """
        cdef Row* row = &self._rows[i]
        cdef int ply
        if i + 2 < end:
            fetch(row[2].position, self._position_bytes)
            fetch(row[2].moves, row[2].room * (sizeof(move_t) + sizeof(int)))
            fetch(self._mask + <size_t> (i + 2) * self.actions, self.actions)
        if i + 1 < end:
            ply = (<Position> row[1].position).ply
            fetch((<Position> row[1].position).record(max(ply - HISTORY, 0)),
                  min(ply + 1, HISTORY + 1) * (<Position> row[1].position)._record_bytes)

    cdef int _begin(self, int begin, int end) except -1 nogil:
        cdef int i, players = self.start.players
        memset(self._reward + <size_t> begin * players, 0, <size_t> (end - begin) * players * sizeof(float))
        for i in range(begin, end):
            self._rows[i].count = 0
            self._termination[i] = self._truncation[i] = 0
            self._restart(i)
            self._show(i)
        return 0

    cdef int _act(self, int i) except -1 nogil:
        """Make the chosen move of a row, and all that follows from it."""
        cdef Row* row = &self._rows[i]
        cdef double scores[MAX_PLAYERS]
        cdef int player
        # 1. The move, and the next list of moves.
        (<Position> row.position).make(row.moves[row.chosen])
        row.plies += 1
        self._list_moves(i)
        # 2. Is it over?
        self._termination[i] = row.count == 0
        self._truncation[i] = row.count > 0 and row.plies == self.max_plies
        if self._termination[i]:
            (<Position> row.position).score(scores)
            for player in range(self.start.players):
                self._reward[i * self.start.players + player] = <float> scores[player]
        if self._termination[i] or self._truncation[i]:
            if self.autoreset:
                self._restart(i)
            else:
                self._clear(i)
        # 3. What its player sees.
        self._show(i)
        return 0

    cdef int _restart(self, int i) except -1 nogil:
        """Begin a game anew. What chance ends before anybody acts is no game."""
        cdef Row* row = &self._rows[i]
        cdef int _try
        row.plies = 0
        for _try in range(MOST_STARTS):
            (<Position> row.position).unmake_to(self.start.ply)
            self._list_moves(i)
            if row.count:
                return 0
        with gil:
            raise OptionError(f"nobody came to act in {MOST_STARTS} games of {self.start.game.name}")

    cdef int _list_moves(self, int i) except -1 nogil:
        """Let chance act, then list the moves of the player to act, in its row and in the mask."""
        cdef move_t moves[MAX_MOVES]
        cdef Row* row = &self._rows[i]
        cdef uint8_t* mask = self._mask + <size_t> i * self.actions
        cdef int* actions
        cdef int k, n
        while (<Position> row.position).side == CHANCE:
            draw(<Position> row.position, &row.chance)
        n = (<Position> row.position).generate(moves)
        self._clear(i)
        if n == 0:
            return 0
        if n > row.room:
            enlarge(row, n)
        memcpy(row.moves, moves, n * sizeof(move_t))
        # A local pointer: what is written through a pointer to bytes could be anything, `row` too.
        actions = row.actions
        self.encoder.index_all(<Position> row.position, moves, n, actions)
        for k in range(n):
            mask[actions[k]] = 1
        row.count = n
        if self._shares:
            refuse_shared(<Position> row.position, moves, actions, n)
        return 0

    cdef void _clear(self, int i) noexcept nogil:
        """Take the moves of a row out of its list and its mask."""
        cdef Row* row = &self._rows[i]
        cdef uint8_t* mask = self._mask + <size_t> i * self.actions
        cdef int* actions = row.actions
        cdef int k, n = row.count
        for k in range(n):
            mask[actions[k]] = 0
        row.count = 0

    cdef int _show(self, int i) except -1 nogil:
        """Say who acts and what that player sees."""
        cdef Row* row = &self._rows[i]
        cdef float* features
        self._to_act[i] = (<Position> row.position).side if row.count else OVER
        if self._observation == NULL:
            return 0
        features = self._observation + <size_t> i * self.encoder.size
        if not row.count:
            memset(features, 0, self.encoder.size * sizeof(float))
        elif self._veiled:
            with gil:
                self.encoder.encode(self._positions[i].observe(self._to_act[i]), features)
        else:
            self.encoder.encode(<Position> row.position, features)
        return 0


cdef inline void fetch(void* begin, size_t size) noexcept nogil:
    """Have memory brought near that will be written to."""
    cdef char* at = <char*> begin
    cdef char* end = at + size
    while at < end:
        prefetch(at)
        at += LINE


cdef int enlarge(Row* row, int count) except -1 nogil:
    """Make room for more moves; those that were there are gone."""
    cdef int room = max(count, 2 * row.room, FIRST_ROOM)
    cdef move_t* moves = <move_t*> PyMem_RawMalloc(room * (sizeof(move_t) + sizeof(int)))
    if moves == NULL:
        with gil:
            raise MemoryError(f"no room for {count} moves")
    PyMem_RawFree(row.moves)
    row.moves = moves
    row.actions = <int*> (moves + room)
    row.room = room
    return 0


cdef int draw(Position position, uint64_t* state) except -1 nogil:
    """Let chance act once."""
    cdef move_t moves[MAX_MOVES]
    cdef double odds[MAX_MOVES]
    cdef int n = position.chances(moves, odds)
    return position.make(moves[pick_by_odds(odds, n, state)])


def _describe(array):
    """What somebody gave for an array, in words."""
    if not isinstance(array, np.ndarray):
        return shorten(array)
    return f"one of {array.dtype} with the shape {array.shape}" + (
        "" if array.flags.c_contiguous else ", not in C order") + ("" if array.flags.writeable else ", read-only")
