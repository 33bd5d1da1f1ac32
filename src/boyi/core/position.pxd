"""The contract every game signs: a mutable position that makes a move and takes it back."""

from boyi.core.types cimport key_t, move_t

cdef enum Repeat:              # what a position that stood on the stack before means for the player to act
    FRESH = 0                  # it did not stand there
    REPEAT_DRAWS = 1
    REPEAT_WINS = 2            # the opponent may not go on like this
    REPEAT_LOSES = 3


cdef class Position:
    # ---- facts, fixed for the life of the position
    cdef readonly object game        # the core.game.Game it belongs to
    cdef readonly object options     # core.game.Options
    cdef readonly int players
    cdef readonly str start_text     # what the moves on the stack were played from
    cdef bint finished_is_leaf       # perft counts a game that ended early as one leaf (Othello's custom)

    # ---- state that the game keeps up to date in make and unmake
    cdef int side                    # who acts: a player, CHANCE, or OVER once that is known for certain
    cdef readonly int ply            # moves made since start_text = records on the stack

    # ---- the undo stack: `ply` records of `_record_bytes` each; a record's first field is its move_t
    cdef char* _stack
    cdef int _record_bytes
    cdef int _capacity

    # ---- the C side: trusted, nogil, no checks (debug builds assert)
    # All legal moves, written to `moves` (room for MAX_MOVES); returns how many. 0 exactly when the
    # game is over. At a CHANCE turn: all results that chance may give.
    cdef int generate(self, move_t* moves) except -1 nogil
    cdef int count(self) except -1 nogil                  # how many generate() would write
    cdef int legal(self, move_t move) except -1 nogil     # would generate() write this one?
    cdef int over(self) except -1 nogil                   # is the game over?
    cdef int make(self, move_t move) except -1 nogil      # play a legal move
    cdef int unmake(self) except -1 nogil                 # take back the last move, legal or null
    cdef key_t key(self) noexcept nogil                   # holds all that decides the future (side, phase, ...)
    cdef key_t fresh_key(self) except? 0 nogil            # the same, computed anew: what key() must equal
    cdef int score(self, double* scores) except -1 nogil  # per player; of a finished game only

    # ---- optional hooks; the defaults suit a game without chance, checks, repetition and symmetry
    cdef int chances(self, move_t* moves, double* odds) except -1 nogil  # at a CHANCE turn
    cdef int captures(self, move_t* moves) except -1 nogil                # the legal moves that take something
    cdef int exchange(self, move_t move) except? -32768 nogil             # what it wins in the end, in evaluator units;
    #                                                                       negative when it loses, 0 for quiet ones
    # Pass the turn although the rules may know no passing: a record goes on the stack as by make(), unmake() takes it
    # off, and repeated() never reaches back across it. 0, and nothing changed, where a null move would tell a search
    # nothing (in check, in zugzwang, at a CHANCE turn, when the game is over) or where the game has none.
    cdef int make_null(self) except -1 nogil
    cdef int repeated(self) except -1 nogil                               # a Repeat: is the last move a repetition?
    cdef int last_occurrence(self) except -2 nogil                        # the ply at which this position stood, or -1
    cdef int settled(self, int player, double* score) except -1 nogil     # is his final score certain, and which?
    #                                                                       (finished or gone while others play on)
    cdef int in_check(self) except -1 nogil
    cdef int repetition(self) except -1 nogil             # how often this position stood on the stack before
    # The smallest key of the position's images, equal for all of them, and the number of that image: 0 is the
    # position as it stands. The two below take any number for a move and may make nonsense of nonsense.
    cdef key_t canonical_key(self, int* image) except? 0 nogil
    cdef move_t image_of(self, move_t move, int image) noexcept nogil     # a legal move as it is in that image
    cdef move_t original_of(self, move_t move, int image) noexcept nogil  # and a move of that image as it is here

    # ---- for subclasses
    cdef int _records(self, int record_bytes) except -1   # call once, in __init__
    cdef int _grow(self) except -1 nogil
    cdef int copy_state(self, Position other) except -1   # copy the game's own fields from `other`

    cdef inline void* push(self) except NULL nogil:
        """Room for the next record; the caller fills it in."""
        if self.ply == self._capacity:
            self._grow()
        self.ply += 1
        return self._stack + (self.ply - 1) * self._record_bytes

    cdef inline void* pop(self) noexcept nogil:
        """The last record, taken off the stack; valid until the next push."""
        self.ply -= 1
        return self._stack + self.ply * self._record_bytes

    cdef inline void* record(self, int ply) noexcept nogil:
        """The record of move number `ply`, counted from 0."""
        return self._stack + ply * self._record_bytes

    cdef inline int unmake_to(self, int ply) except -1 nogil:
        """Take moves back until `ply` are left: the way home from anywhere, also after an exception."""
        while self.ply > ply:
            self.unmake()
        return 0


cdef class PythonPosition(Position):
    cdef list _turns                 # per ply, from 0 to the present one: (state, who acts, key)
    cdef key_t _key
    cdef object _broken(self, method, fault)
    cdef int _restart(self, state) except -1
    cdef tuple _judge(self, state)
    cdef int _enter(self, tuple turn) except -1
