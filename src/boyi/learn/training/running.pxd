"""A game of self-play under way."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from boyi.core.encoder cimport Encoder
from boyi.core.position cimport Position
from boyi.core.predictor cimport Predictor
from boyi.core.types cimport MAX_PLAYERS, move_t
from boyi.search.mcts cimport MCTS


cdef struct Plan:              # the settings, unpacked
    int64_t simulations
    int64_t fast_simulations   # 0: all searches are full ones
    double full_share
    int random_plies
    int loose_plies
    int cooling_plies
    double temperature
    double late_temperature
    int longest
    double resign_below        # 0: nobody resigns
    int resign_moves


cdef class RunningGame:
    cdef readonly int number
    cdef readonly Position position
    cdef readonly bint checked               # is played on although a player would have resigned
    cdef readonly int resigned               # the first who resigned, or would have; -1: nobody
    cdef readonly int64_t simulations        # made so far
    cdef bint over                           # nothing is left to decide

    cdef Plan _plan
    cdef uint64_t _random
    cdef Encoder _encoder
    cdef Predictor _predictor
    cdef bint _secret                        # players do not see the same, and each has their own tree
    cdef list _searchers
    cdef MCTS _searcher                      # whose search is under way
    cdef bint _full                          # its policy is learned from
    cdef int _made                           # decisions, random ones included
    cdef int _hopeless[MAX_PLAYERS]          # decisions in a row that looked lost

    # ---- the decisions so far, in memory that doubles when it is full
    cdef float* _features                    # [_room][encoder.size]
    cdef int64_t* _starts                    # [_room + 1]
    cdef float* _weights
    cdef float* _values
    cdef int32_t* _players
    cdef int _count, _room
    cdef int32_t* _names                     # [_move_room]
    cdef float* _policy
    cdef int64_t _move_room

    cdef int begin(self) except -1           # begin the next search; 0 when the game is over
    cdef int decide(self) except -1          # end it, remember what it found and make a move
    cdef int _make(self, move_t move) except -1
    cdef double _temperature(self) noexcept nogil
    cdef int _remember(self, int player, const move_t* moves, const float* policy, int n, double value) except -1
    cdef int _give_up(self, int player, double value) noexcept nogil
