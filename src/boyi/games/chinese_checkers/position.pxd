"""Chinese checkers on words of bits.

A hop keeps the parity of both axial coordinates y and q, so the holes fall into four classes that no
hop ever leaves, and the hole hopped over is always of another class. A class fits into one 64-bit word,
in which the hops to the right, down right and down left are shifts by 1, 8 and 7: one flood fill finds
all that a chain can reach, and the moving piece, being of the class itself, never stands in its own way.
"""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint64_t

from boyi.core.position cimport Position
from boyi.core.rules cimport Rules
from boyi.core.types cimport MAX_PLAYERS, key_t, move_t

cdef enum:
    HOLES = 121
    OUTSIDE = 121          # the neighbour beyond the edge: never empty, never a piece
    MAX_PIECES = 15
    SLOTS = 2048           # of the counting filter of positions; a power of two

    # ---- moves: start << 7 | end, or
    PASS = 1 << 14         # of a player who cannot move
    # RESIGN | player: a forfeit; so far from all other numbers that nobody resigns by a slip
    RESIGN = 0x7FFFFF00

cdef enum Ending:
    RUNNING
    DECIDED                # all places but the last are taken, or all but one player have left
    REPEATED
    TURN_LIMIT


cdef struct Record:
    move_t move
    int32_t turn           # before the move, like all of this
    key_t key
    int8_t acting
    int8_t finished_count


cdef struct State:
    # ---- the same pieces three times, each for its own question
    uint64_t own[MAX_PLAYERS][2]       # the holes of each player: hole h is bit h % 64 of word h / 64
    uint64_t classes[4]                # all pieces, by parity class
    uint8_t owner[HOLES + 1]           # 0 for an empty hole, else player + 1; [OUTSIDE] is never 0
    # ---- whose turn it is
    int8_t acting                      # who acts, or would act if the game were not over
    int32_t turn                       # which turn of each player this is, from 1
    Ending ending
    # ---- who is out of play
    uint8_t out                        # a bit per player who has finished or left
    int8_t finished[MAX_PLAYERS]       # in the order in which they finished
    int8_t finished_count
    int8_t left[MAX_PLAYERS]           # in the order in which they left
    int8_t left_count
    # ---- what repetition needs
    key_t key
    uint16_t seen[SLOTS]               # how many positions of this game have a key with these low bits


cdef class ChineseCheckersPosition(Position):
    # ---- facts, fixed by the options
    cdef int pieces                    # per player
    cdef int turn_limit
    cdef bint stay_home
    cdef bint long_hops
    cdef bint strict
    cdef int8_t corner[MAX_PLAYERS]            # the home of each player, 0 = A … 5 = F
    cdef uint64_t goal[MAX_PLAYERS][2]         # the holes that each player heads for
    cdef uint64_t goal_classes[MAX_PLAYERS][4]
    cdef int8_t heading[HOLES]                 # per hole: the player whose goal it belongs to, or -1

    cdef State state

    cdef int generate(self, move_t* moves) except -1 nogil
    cdef int count(self) except -1 nogil
    cdef int over(self) except -1 nogil
    cdef int make(self, move_t move) except -1 nogil
    cdef int unmake(self) except -1 nogil
    cdef key_t key(self) noexcept nogil
    cdef key_t fresh_key(self) except? 0 nogil
    cdef int score(self, double* scores) except -1 nogil
    cdef int repetition(self) except -1 nogil
    cdef int make_null(self) except -1 nogil
    cdef int settled(self, int player, double* score) except -1 nogil
    cdef key_t canonical_key(self, int* image) except? 0 nogil
    cdef int images(self) noexcept nogil
    cdef move_t image_of(self, move_t move, int image) noexcept nogil
    cdef move_t original_of(self, move_t move, int image) noexcept nogil
    cdef int copy_state(self, Rules other) except -1

    cdef key_t board_key(self) noexcept nogil            # of the pieces alone: not who acts, has finished or left
    cdef key_t board_key_after(self, move_t move) noexcept nogil         # the same once a legal move is made
    cdef int distance(self, int player) noexcept nogil   # steps from all the player's pieces to the apex of the goal
    cdef int place(self, int player) noexcept nogil      # if the game ended as it stands; 1 is best
    cdef bint reached(self, int player) noexcept nogil   # is the player's goal full as the rules want it?

    cdef int _sit(self, int players, int pieces) except -1
    cdef int _begin(self) except -1
    cdef void _put(self, int hole, int player) noexcept nogil
    cdef void _shift(self, int player, int start, int end) noexcept nogil
    cdef void _hand_on(self) noexcept nogil
    cdef void _judge(self) noexcept nogil
    cdef int _earlier(self, int enough) noexcept nogil
    cdef int _hops(self, uint64_t* reach, uint8_t* starts) noexcept nogil
    cdef int _generate_long(self, move_t* moves) noexcept nogil
    cdef int _landing(self, int start, int hole, int direction) noexcept nogil
