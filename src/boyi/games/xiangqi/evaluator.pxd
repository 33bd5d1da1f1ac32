"""The hand-written evaluation of xiangqi."""

from libc.stdint cimport int32_t

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position
from boyi.games.xiangqi.grid cimport KINDS, SQUARES, Grid

cdef enum:
    FULL_PHASE = 48                 # all rooks (6 each), horses and cannons (3 each)
    MOST_SIEGERS = 7


# A pair (middlegame, ending) is one number, the ending's part times 2^16, so that one addition adds both.
ctypedef int32_t pair_t


cdef class HandEvaluator(Evaluator):
    cdef readonly object weights    # a weights.Weights
    cdef pair_t squares[2][KINDS][SQUARES]      # piece and place
    cdef pair_t freedom[KINDS]                  # per point, of rooks and cannons
    cdef pair_t horse_freedom[9]
    cdef pair_t nears[KINDS]
    cdef pair_t siege[MOST_SIEGERS + 1]
    cdef pair_t bare_cannon
    cdef pair_t screened_cannon
    cdef pair_t pinning_rook
    cdef pair_t bottom_cannon
    cdef pair_t rook_without_advisor
    cdef pair_t cannon_without_elephant
    cdef pair_t horse_without_advisor
    cdef pair_t cannon_against_advisors
    cdef pair_t pawn_pair
    cdef pair_t linked_elephants
    cdef pair_t linked_advisors
    cdef pair_t both_rooks
    cdef pair_t tempo

    cdef int evaluate(self, Position position) except? -32768 nogil
    cdef pair_t count_side(self, Grid* grid, int side, int* phase) noexcept nogil
