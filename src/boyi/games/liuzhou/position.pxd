"""Liuzhou qi on 36-bit boards; bit 6*row + column, a1 = bit 0 at the top left."""

from libc.stdint cimport int8_t, int32_t, uint64_t

from boyi.core.position cimport Position
from boyi.core.rules cimport Rules
from boyi.core.types cimport key_t, move_t

cdef enum:
    BLACK = 0              # places first
    WHITE = 1              # moves first

cdef enum:                 # what a move does: its bits from 12 up; below them from << 6 | to, or a point
    PUT = 0                # put a stone on the point
    MARK = 1               # mark the opponent's stone there
    CLEAR = 2              # take all marked stones away; touches no point
    STEP = 3               # from one point to the next
    TAKE = 4               # remove the opponent's stone there, for whatever reason

cdef enum:                 # the phases, in the order of PHASES; from MOVING on, too few stones lose
    PLACING = 0
    MARKING = 1            # `pending` marks still to be made
    CLEARING = 2
    MOVING = 3             # or, for one who cannot, removing
    CAPTURING = 4          # `pending` captures still to be made
    FORCED = 5             # nothing was marked: White removes a stone, then Black
    COUNTER = 6            # the answer to the removal by one who could not move


cdef struct State:
    uint64_t stones[2]     # per player, marked ones included
    uint64_t marked        # of both players; none from MOVING on
    int32_t actions        # made since the game began
    int32_t quiet          # made since the number of stones last fell; 0 until CLEARING is done
    int8_t phase
    int8_t pending         # marks or captures still to be made; 0 in all other phases
    int8_t actor           # whose action it is, or would be if the game were not over


cdef struct Record:
    move_t move
    State before


cdef class LiuzhouPosition(Position):
    cdef State state
    cdef int threshold                 # with fewer stones a side is beaten
    cdef bint maximum                  # only the best of several new shapes counts
    cdef int action_limit
    cdef int quiet_limit

    cdef int generate(self, move_t* moves) except -1 nogil
    cdef int count(self) except -1 nogil
    cdef int legal(self, move_t move) except -1 nogil
    cdef int over(self) except -1 nogil
    cdef int make(self, move_t move) except -1 nogil
    cdef int unmake(self) except -1 nogil
    cdef key_t key(self) noexcept nogil
    cdef key_t canonical_key(self, int* image) except? 0 nogil
    cdef int images(self) noexcept nogil
    cdef move_t image_of(self, move_t move, int image) noexcept nogil
    cdef move_t original_of(self, move_t move, int image) noexcept nogil
    cdef int score(self, double* scores) except -1 nogil
    cdef int copy_state(self, Rules other) except -1


cdef uint64_t in_shapes(uint64_t stones) noexcept nogil
cdef uint64_t targets(uint64_t stones) noexcept nogil
cdef uint64_t movable(uint64_t own, uint64_t empty) noexcept nogil
cdef int earned(uint64_t own, int point, bint maximum) noexcept nogil
