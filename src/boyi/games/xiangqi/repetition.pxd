"""Who must give way when a position comes back."""

from libc.stdint cimport uint8_t

from boyi.core.types cimport move_t
from boyi.games.xiangqi.grid cimport SQUARES, Grid, squares_t

cdef enum RuleSet:
    CXA
    AXF
    CHECKS
    SIMPLE

cdef enum Verdict:                  # of a repetition; the loser is given separately
    DRAWN
    PERPETUAL_CHECK
    PERPETUAL_CHASE
    PERPETUAL_ATTACK                # checks and chases (and mate threats) mixed
    MUTUAL_CHECK                    # both sides check all the time: a draw
    MUTUAL_ATTACK                   # both sides attack all the time: a draw


cdef struct Deed:                   # what one move of the cycle did
    move_t move
    int side
    bint checks
    bint threatens_mate
    squares_t victims               # pieces newly threatened, each named by its square at the cycle's start
    squares_t targets               # the same pieces, by where they stand after the move


cdef struct Ruling:
    Verdict verdict
    int loser                       # RED, BLACK, or -1 in a draw


cdef int inspect(Grid* grid, uint8_t* names, move_t move, bint mate_threats, Deed* deed) noexcept nogil
cdef Ruling judge(Grid* grid, move_t* cycle, int length, int stride, RuleSet rules, bint mate_threats) noexcept nogil
