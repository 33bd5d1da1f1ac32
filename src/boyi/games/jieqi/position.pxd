"""Jieqi as one viewer knows it: xiangqi, a set of covered pieces, and pools of what they may be."""

from libc.stdint cimport uint8_t, uint64_t

from boyi.core.position cimport Position
from boyi.core.rules cimport Rules
from boyi.core.types cimport key_t, move_t
from boyi.games.xiangqi.grid cimport squares_t
from boyi.games.xiangqi.position cimport Record, XiangqiPosition

cdef enum:
    TYPES = 6                       # R A C P N B, in the order of the pools
    TURNED_UP = 1 << 14             # a chance result: the piece that moved is of the type in the low bits
    SHOWN = 1 << 15                 # a chance result: the piece it took was of the type in the low bits
    TURN_UP = 1                     # what is awaited of chance, first this,
    SHOW = 2                        # then this

cdef enum Viewer:                   # beside the players RED and BLACK
    REFEREE = 2
    SPECTATOR = 3

cdef enum ShownTo:                  # who is shown a piece that is taken covered
    CAPTOR
    NOBODY
    BOTH


cdef struct JieqiRecord:
    Record base
    uint8_t uncovered               # TURN_UP: the piece that moved was covered; SHOW: the one it took was
    uint8_t landed                  # the field of that name before the move


cdef inline int pool_count(uint64_t pools, int side, int type) noexcept nogil:
    return pools >> 4 * (TYPES * side + type) & 15


cdef int standing_on(int side, int square) noexcept nogil        # the kind whose starting point it is, or EMPTY


cdef class JieqiPosition(XiangqiPosition):
    cdef squares_t covered          # the covered pieces, all on their starting points; not one that is turning up
    cdef key_t covered_key          # of that set
    cdef uint64_t pool_counts       # 4 bits per side and type: how many may still be covered
    cdef int viewing                # RED, BLACK, REFEREE or SPECTATOR
    cdef int shown_to               # the option `captures`, unpacked
    cdef int awaits                 # at a CHANCE turn: TURN_UP and SHOW, those still to come
    cdef int landed                 # at a CHANCE turn: where the last move went
    cdef readonly int decisions     # players' moves since start_text

    cdef int generate(self, move_t* moves) except -1 nogil
    cdef int count(self) except -1 nogil
    cdef int legal(self, move_t move) except -1 nogil
    cdef int make(self, move_t move) except -1 nogil
    cdef int unmake(self) except -1 nogil
    cdef key_t key(self) noexcept nogil
    cdef key_t fresh_key(self) except? 0 nogil
    cdef key_t canonical_key(self, int* image) except? 0 nogil
    cdef move_t image_of(self, move_t move, int image) noexcept nogil
    cdef int chances(self, move_t* moves, double* odds) except -1 nogil
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
    cdef int repetition(self) except -1 nogil
    cdef int copy_state(self, Rules other) except -1

    cdef bint _awaits_after(self, move_t move) noexcept nogil
    cdef int tell(self, move_t move) except -1 nogil             # make a chance result
    cdef int untell(self, JieqiRecord* record) except -1 nogil
    cdef int become(self, int viewing) except -1                 # at a start: be another viewer's
    cdef int value_on(self, int square) noexcept nogil           # of the piece there, in exchanges
    cdef int covered_value(self, int side) noexcept nogil        # the same of a side's covered pieces
    cdef int exchanged(self, move_t move, int taken) noexcept nogil
    cdef key_t known(self, int landed) noexcept nogil            # the key of all that is not on the board
