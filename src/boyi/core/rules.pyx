"""Rules: what the author of a game writes, with the defaults for what may be left out.

There are two sides to it. The C side (`generate`, `make`, `unmake`, `key`, ...)
trusts its caller, runs without the GIL and allocates nothing per move; searches
live there. The Python side says in words and points what the numbers mean. What
the author gets for it is in `core.position`.

History is on the position's own stack, so that repetition and move limits need
no second object.
"""

from cpython.mem cimport PyMem_RawFree, PyMem_RawRealloc

from boyi.core.types cimport MAX_MOVES, OVER, key_t, move_t

from boyi.core.words import Words

cdef enum:
    SOMETHING = 100            # the value of what is taken where a game does not say: its smallest piece


cdef class Rules:
    """What the author of a game writes; always used as a `core.position.Position`."""

    def __init__(self, game, options):
        self.game = game
        self.options = options
        self.players = 2
        self.start_text = None

    def __dealloc__(self):
        PyMem_RawFree(self._stack)

    # ------------------------------------------------------------------ the C side: what must be written says so

    cdef int generate(self, move_t* moves) except -1 nogil:
        with gil:
            raise NotImplementedError(f"{type(self).__name__} does not generate moves")

    cdef int count(self) except -1 nogil:
        cdef move_t moves[MAX_MOVES]
        return self.generate(moves)

    cdef int legal(self, move_t move) except -1 nogil:
        cdef move_t moves[MAX_MOVES]
        cdef int i
        for i in range(self.generate(moves)):
            if moves[i] == move:
                return 1
        return 0

    cdef int over(self) except -1 nogil:
        return self.side == OVER or self.count() == 0

    cdef int make(self, move_t move) except -1 nogil:
        with gil:
            raise NotImplementedError(f"{type(self).__name__} does not make moves")

    cdef int unmake(self) except -1 nogil:
        with gil:
            raise NotImplementedError(f"{type(self).__name__} does not take moves back")

    cdef key_t key(self) noexcept nogil:
        return 0

    cdef key_t fresh_key(self) except? 0 nogil:
        return self.key()

    cdef int score(self, double* scores) except -1 nogil:
        with gil:
            raise NotImplementedError(f"{type(self).__name__} does not score finished games")

    cdef int chances(self, move_t* moves, double* odds) except -1 nogil:
        return 0

    cdef int captures(self, move_t* moves) except -1 nogil:
        return 0

    cdef int quiets(self, move_t* moves) except -1 nogil:
        cdef move_t takers[MAX_MOVES]
        cdef int n = self.generate(moves), m = self.captures(takers), kept = 0, i, j
        if m == 0:
            return n
        for i in range(n):
            for j in range(m):
                if moves[i] == takers[j]:
                    break
            else:
                moves[kept] = moves[i]
                kept += 1
        return kept

    cdef int taken(self, move_t move) except -1 nogil:
        cdef move_t takers[MAX_MOVES]
        cdef int i
        for i in range(self.captures(takers)):
            if takers[i] == move:
                return SOMETHING
        return 0

    cdef int gives_check(self, move_t move) except -1 nogil:
        cdef int checked
        if not self.has_checks:
            return 0
        self.make(move)
        checked = self.in_check()
        self.unmake()
        return checked

    cdef int exchange(self, move_t move) except? -32768 nogil:
        return 0

    cdef int exchange_reaches(self, move_t move, int least) except -1 nogil:
        return self.exchange(move) >= least

    cdef int footprint(self, move_t move) noexcept nogil:
        return (move ^ move >> 11 ^ move >> 22) & (FOOTPRINTS - 1)

    cdef int promise(self, move_t move) noexcept nogil:
        return 0

    cdef key_t part_key(self, int part) noexcept nogil:
        return 0

    cdef int make_null(self) except -1 nogil:
        return 0

    cdef int repeated(self) except -1 nogil:
        return FRESH

    cdef int last_occurrence(self) except -2 nogil:
        return -1

    cdef int settled(self, int player, double* score) except -1 nogil:
        return 0

    cdef int in_check(self) except -1 nogil:
        return 0

    cdef int repetition(self) except -1 nogil:
        return 0

    cdef key_t canonical_key(self, int* image) except? 0 nogil:
        image[0] = 0
        return self.key()

    cdef int images(self) noexcept nogil:
        return 1

    cdef move_t image_of(self, move_t move, int image) noexcept nogil:
        return move

    cdef move_t original_of(self, move_t move, int image) noexcept nogil:
        return move

    cdef int _records(self, int record_bytes) except -1:
        self._record_bytes = record_bytes
        self._capacity = 0
        return self._grow()

    cdef int _grow(self) except -1 nogil:
        cdef int capacity = 2 * self._capacity if self._capacity else 64
        cdef char* larger = <char*> PyMem_RawRealloc(self._stack, <size_t> capacity * self._record_bytes)
        if larger == NULL:
            with gil:
                raise MemoryError(f"no room for a history of {capacity} moves")
        self._stack = larger
        self._capacity = capacity
        return 0

    cdef int copy_state(self, Rules other) except -1:
        raise NotImplementedError(f"{type(self).__name__} does not copy its state")

    # ------------------------------------------------------------------ the words: must

    def set_text(self, text):
        """Become the position that `text` describes, with an empty history; `Game.parse` calls it."""
        raise NotImplementedError(f"{type(self).__name__} reads no text")

    def to_text(self):
        """The position as text; `game.parse` reads it back."""
        raise NotImplementedError(f"{type(self).__name__} writes no text")

    def format_move(self, move):
        """A move of this position in the game's own writing."""
        raise NotImplementedError(f"{type(self).__name__} writes no moves")

    def path(self, move):
        """The points a move touches, in order; empty for one that touches none (a pass)."""
        raise NotImplementedError(f"{type(self).__name__} draws no moves")

    def stones(self):
        """What stands where: a list of `Stone`."""
        raise NotImplementedError(f"{type(self).__name__} shows no stones")

    def changes(self, move):
        """What a move (legal here) does to the board: a list of `Change`."""
        raise NotImplementedError(f"{type(self).__name__} shows no changes")

    def reason(self):
        """Of a finished game: why it ended, as a stable name and in words."""
        raise NotImplementedError(f"{type(self).__name__} gives no reasons")

    # ------------------------------------------------------------------ the words: may

    def explain(self):
        """Of a finished game: the reasoning behind the verdict, a sentence (`Words`) each."""
        return ()

    def status(self):
        """What the player to act has to do (`Words`), in games with several kinds of actions; else None."""
        return None

    def stage(self):
        """Which part of the game this is (`Words`), in games that have parts: placing, then moving; else None."""
        return None

    def tokens(self):
        """What lies beside the board, for everyone who may know this position: a sequence of `Token`."""
        return ()

    def chance_words(self, move):
        """At a CHANCE turn, what a result is announced as (`Words`), with its subject: "Red rolls 4"."""
        text = self.format_move(move)
        return Words(f"Chance brings {text}", f"随机结果：{text}")

    def may_resign(self, player):
        """Is this player still in the game, which goes on?"""
        return isinstance(player, int) and 0 <= player < self.players and not self.over()

    def forfeit(self, player):
        """The move by which a player leaves while the others play on; None where giving up ends the game.

        `moves()` never lists it, so that no search considers it. `play` accepts it from every player who
        `may_resign`, on any turn; it is written, read, undone and stands on the history like any other move.
        """
        return None

    def observe(self, player):
        """What `player` (None: a spectator) may know of this position. With no secrets in the game: all of it."""
        return self.copy()

    def pools(self):
        """What covered pieces may be, as far as the viewer knows: a `Covered` per seat and kind; () without any."""
        return ()
