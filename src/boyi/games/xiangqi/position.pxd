"""The rules of xiangqi, and what jieqi shares of them."""

from libc.stdint cimport uint8_t

from boyi.core.position cimport Position
from boyi.core.rules cimport Rules
from boyi.core.types cimport key_t, move_t
from boyi.games.xiangqi.grid cimport Grid
from boyi.games.xiangqi.repetition cimport Ruling, RuleSet

cdef enum Ending:                   # why the game is over, as far as make() found out
    NONE
    REPETITION
    QUIET_LIMIT
    BARE_MATERIAL


cdef struct Record:                 # the position before the move: its counters and its key
    move_t move
    uint8_t captured                # the piece taken, or EMPTY
    bint checked
    uint8_t checks[2]
    int quiet
    int reversible
    int number
    key_t key


cdef class XiangqiPosition(Position):
    cdef Grid grid
    cdef bint checked               # is the side to act in check?
    cdef int quiet                  # plies that count towards the limit
    cdef int reversible             # plies on the stack since the last one that cannot be repeated
    cdef uint8_t checks[2]          # checks given by each side since then
    cdef Ending ending              # with side == OVER only
    cdef Ruling ruling              # of an ending by repetition
    cdef int acting                 # who acts, or would if the game were not over
    cdef int number                 # the move number: it grows after Black's moves

    # ---- the options, unpacked
    cdef RuleSet rules
    cdef bint mate_threats
    cdef int quiet_limit
    cdef int counted_checks
    cdef bint bare_material_draws

    cdef int generate(self, move_t* moves) except -1 nogil
    cdef int count(self) except -1 nogil
    cdef int legal(self, move_t move) except -1 nogil
    cdef int make(self, move_t move) except -1 nogil
    cdef int unmake(self) except -1 nogil
    cdef key_t key(self) noexcept nogil
    cdef key_t fresh_key(self) except? 0 nogil
    cdef int score(self, double* scores) except -1 nogil
    cdef int captures(self, move_t* moves) except -1 nogil
    cdef int quiets(self, move_t* moves) except -1 nogil
    cdef int taken(self, move_t move) except -1 nogil
    cdef int gives_check(self, move_t move) except -1 nogil
    cdef int exchange(self, move_t move) except? -32768 nogil
    cdef int exchange_reaches(self, move_t move, int least) except -1 nogil
    cdef int footprint(self, move_t move) noexcept nogil
    cdef key_t part_key(self, int part) noexcept nogil
    cdef int make_null(self) except -1 nogil
    cdef int repeated(self) except -1 nogil
    cdef int last_occurrence(self) except -2 nogil
    cdef int in_check(self) except -1 nogil
    cdef int repetition(self) except -1 nogil
    cdef key_t canonical_key(self, int* image) except? 0 nogil
    cdef int images(self) noexcept nogil
    cdef move_t image_of(self, move_t move, int image) noexcept nogil
    cdef move_t original_of(self, move_t move, int image) noexcept nogil
    cdef int copy_state(self, Rules other) except -1

    # ---- for jieqi
    cdef int remember(self, Record* record, move_t move) noexcept nogil   # fill in a record before a move
    cdef int recall(self, Record* record) noexcept nogil                  # restore the counters from it
    cdef int conclude(self, bint progress) except -1 nogil                # after a move: whose turn, is it over?
    cdef int previous_occurrence(self, int before) noexcept nogil         # its ply, or -1
    cdef bint _bare(self) noexcept nogil
