"""Many games at once, stepped without the GIL into arrays."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from boyi.core.encoder cimport Encoder
from boyi.core.position cimport Position
from boyi.core.types cimport move_t


cdef struct Row:                       # one game
    void* position                     # a Position, which `_positions` keeps alive
    move_t* moves                      # the legal moves of the player to act,
    int* actions                       # and their numbers, in the same block of memory, behind room for moves
    int count                          # of them; 0 exactly when the game is over and does not begin anew
    int room
    int chosen                         # which of them is to be made; -1 for none
    int plies                          # decisions since the game began
    uint64_t chance                    # two streams of random numbers: the dice,
    uint64_t choice                    # and the actions that sample() gives


cdef class VectorEnv:
    cdef readonly Position start       # what every game begins from
    cdef readonly Encoder encoder
    cdef readonly int count            # of games
    cdef readonly int actions          # how many there are: the width of a mask
    cdef readonly int max_plies        # decisions after which a game is truncated; 0: never
    cdef readonly int threads
    cdef readonly bint autoreset

    # ---- the arrays, for the caller
    cdef readonly object masks         # (count, actions) bool
    cdef readonly object to_act        # (count,) int32
    cdef readonly object rewards       # (count, players) float32
    cdef readonly object terminations  # (count,) bool
    cdef readonly object truncations   # (count,) bool
    cdef readonly object observations  # (count, encoder.size) float32, or None

    # ---- the same for us: views, which keep the memory where it is, and where it begins
    cdef list _views
    cdef uint8_t* _mask
    cdef int32_t* _to_act
    cdef float* _reward
    cdef uint8_t* _termination
    cdef uint8_t* _truncation
    cdef float* _observation           # NULL without observations

    cdef list _positions
    cdef Row* _rows
    cdef int _position_bytes           # of a position, that are fetched ahead
    cdef object _pool                  # of threads, if there are more than one
    cdef bint _shares                  # may two moves have the same number?
    cdef bint _veiled                  # must a position be turned into the player's own before it is encoded?
    cdef bint _busy                    # is some thread stepping?
    cdef bint _broken                  # did the last step fail midway?

    cdef int _seed(self, seed) except -1
    cdef int _enter(self) except -1
    cdef int _find(self, const int64_t* actions) noexcept nogil             # -1, or a row whose action is not legal
    cdef int _advance(self, int begin, int end) except -1 nogil             # rows begin … end - 1
    cdef int _begin(self, int begin, int end) except -1 nogil               # the same rows anew
    cdef void _fetch(self, int i, int end) noexcept nogil
    cdef int _act(self, int i) except -1 nogil
    cdef int _restart(self, int i) except -1 nogil
    cdef int _list_moves(self, int i) except -1 nogil
    cdef void _clear(self, int i) noexcept nogil
    cdef int _show(self, int i) except -1 nogil
    cdef int _run(self, bint anew) except -1
