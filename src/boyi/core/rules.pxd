"""What the author of a game writes. What comes with it (`moves`, `play`, `undo`, ...) is in `core.position`.

A game is a `Position` of its own: fields for the board, the C methods below, and in Python the words

    must:  to_text, set_text, format_move, path, stones, changes, reason
    may:   explain, status, tokens, chance_words, parse_move, parse_moves; may_resign, forfeit; observe, pools

which `rules.pyx` explains. `core.python_position` asks less, of a game in plain Python.
"""

from boyi.core.types cimport key_t, move_t

cdef enum:
    FOOTPRINTS = 2048
    PARTS = 4


cdef enum Repeat:              # what a position that stood on the stack before means for the player to act
    FRESH = 0                  # it did not stand there
    REPEAT_DRAWS = 1
    REPEAT_WINS = 2            # the opponent may not go on like this
    REPEAT_LOSES = 3


cdef class Rules:
    # ---- facts, fixed for the life of the position
    cdef readonly object game        # the core.game.Game it belongs to
    cdef readonly object options     # core.game.Options
    cdef readonly int players        # 2 unless the game's __init__ says otherwise
    cdef readonly str start_text     # what the moves on the stack were played from

    # Are captures(), quiets() and legal() written out? Then a search asks for captures first, and for the others only
    # where no capture refutes; else it calls generate() at once. A game's __init__ sets it.
    cdef bint staged
    cdef bint has_checks             # may in_check() ever be true? A game's __init__ sets it, too
    cdef bint has_promises           # is promise() written out? The same

    # ---- state that the game keeps up to date in make and unmake
    cdef int side                    # who acts: a player, CHANCE, or OVER once that is known for certain
    cdef readonly int ply            # records on the stack: moves made since start_text

    # ---- must: trusted, nogil, no checks (debug builds assert)
    # All legal moves, written to `moves` (room for MAX_MOVES); returns their number. 0 exactly when the
    # game is over. At a CHANCE turn: all results that chance may give.
    cdef int generate(self, move_t* moves) except -1 nogil
    cdef int make(self, move_t move) except -1 nogil      # play a legal move or a forfeit: push() a record
    cdef int unmake(self) except -1 nogil                 # pop() the last record, of a legal move, forfeit or null move
    cdef key_t key(self) noexcept nogil                   # holds all that decides the future (side, phase, ...)
    cdef int score(self, double* scores) except -1 nogil  # per player from 1 to -1; of a finished game only
    cdef int copy_state(self, Rules other) except -1      # copy the game's own fields from `other`

    # ---- may, to be faster than the defaults, which generate
    cdef int count(self) except -1 nogil                  # the number of moves that generate() would write
    cdef int legal(self, move_t move) except -1 nogil     # would generate() write this one?
    cdef int over(self) except -1 nogil                   # is the game over?
    cdef key_t fresh_key(self) except? 0 nogil            # key() computed anew: what it must equal

    # ---- may; the defaults suit a game without chance, captures, checks, repetition and symmetry
    cdef int chances(self, move_t* moves, double* odds) except -1 nogil  # at a CHANCE turn: generate(), and how likely
    cdef int captures(self, move_t* moves) except -1 nogil               # the legal moves that take something
    cdef int quiets(self, move_t* moves) except -1 nogil                 # all the other legal moves
    # The nominal value of what a legal move takes (see `exchange`), 0 if captures() does not write it.
    cdef int taken(self, move_t move) except -1 nogil
    cdef int gives_check(self, move_t move) except -1 nogil              # is in_check() true after this legal move?
    # What a move wins once all captures on its square are over; negative when it loses, 0 if it takes nothing. In
    # hundredths of the smallest piece, by the nominal values of the pieces: fixed facts of the game, which order and
    # prune moves in every search whatever its evaluator.
    cdef int exchange(self, move_t move) except? -32768 nogil
    # Is that at least `least`? Of a move that takes nothing: is no more lost than `-least` when what moved is taken
    # where it stands now, all captures there counted? To answer is cheaper than to compute the exchange.
    cdef int exchange_reaches(self, move_t move, int least) except -1 nogil
    # What goes where, as a number below FOOTPRINTS: moves with the same footprint share their histories in searches.
    cdef int footprint(self, move_t move) noexcept nogil
    # How good a quiet move looks before it is searched, in units of the searches' histories (which stay within some
    # ten thousands): it is added to what they have learnt about the move.
    cdef int promise(self, move_t move) noexcept nogil
    # A key of one part of the position, such as the pawns or one side's pieces, for searches that learn by how much
    # positions which share it are misjudged; 0 where there are no more parts. At most PARTS.
    cdef key_t part_key(self, int part) noexcept nogil
    # Pass the turn although the rules may know no passing: a record goes on the stack as by make(), unmake() takes it
    # off, and repeated() never reaches back across it. 0, and nothing changed, where a null move would tell a search
    # nothing (in check, in zugzwang, at a CHANCE turn, when the game is over) or where the game has none.
    cdef int make_null(self) except -1 nogil
    cdef int in_check(self) except -1 nogil
    cdef int repetition(self) except -1 nogil             # how often this position stood on the stack before
    cdef int repeated(self) except -1 nogil               # a Repeat: is the last move a repetition?
    cdef int last_occurrence(self) except -2 nogil        # the ply at which this position last stood, or -1
    # Is a player's final score certain, whatever the others do from here (finished, or gone, while they play on)?
    # 1, and the score; 0 is always right.
    cdef int settled(self, int player, double* score) except -1 nogil
    cdef int images(self) noexcept nogil                  # by canonical_key(), itself included; 1 without symmetry
    # The smallest key of the position's images, equal for all of them, and the number of that image: 0 is the
    # position as it stands. The two below take any number for a move and may make nonsense of nonsense.
    cdef key_t canonical_key(self, int* image) except? 0 nogil
    cdef move_t image_of(self, move_t move, int image) noexcept nogil     # a legal move as it is in that image
    cdef move_t original_of(self, move_t move, int image) noexcept nogil  # and a move of that image as it is here

    # ---- the undo stack: `ply` records of the game's own kind; a record's first field is its move_t
    cdef char* _stack
    cdef int _record_bytes
    cdef int _capacity
    cdef int _records(self, int record_bytes) except -1   # call once, in __init__
    cdef int _grow(self) except -1 nogil

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
