"""One player's way to the goal while nobody else moves."""

from libc.stdint cimport int32_t, uint64_t

from boyi.core.types cimport key_t, move_t
from boyi.games.chinese_checkers.position cimport HOLES, ChineseCheckersPosition

cdef struct Node:              # a board of a beam
    uint64_t own[4]            # the player's pieces, by parity class
    key_t key
    int32_t value              # the way to go of all pieces: less is better
    int32_t parent             # its number among all boards that were kept
    move_t move                # that led here


cdef class SoloSolver:
    cdef Node* boards          # that were kept, beam after beam
    cdef Node* children        # of one beam, before it is narrowed
    cdef key_t* seen           # keys of the children, in slots
    cdef int32_t* slots        # how many moves of a search were not enough, and for which key
    cdef int width             # of the beam, at most ...
    cdef int kept              # ... and now
    cdef readonly double seconds       # that the last plan took
    # ---- the question
    cdef uint64_t fixed[4]     # all other pieces
    cdef uint64_t goal[4]
    cdef uint64_t edge[4]      # holes from which a step leads into the goal
    cdef int32_t load[HOLES]   # the way to go from each hole
    cdef bint strict           # foreign pieces do not fill the goal
    cdef bint stay_home
    cdef long long nodes       # that may still be searched
    cdef volatile bint stopped

    cdef int ask(self, ChineseCheckersPosition position, int player, Node* first) except -1
    cdef object find(self, Node* first, int most)
    cdef bint arrived(self, const uint64_t* own) noexcept nogil
    cdef int bound(self, const uint64_t* own) noexcept nogil
    cdef int generate(self, const uint64_t* own, move_t* moves) noexcept nogil
    cdef int beam(self, Node* first, int most) noexcept nogil
    cdef bint within(self, uint64_t* own, key_t key, int turns) noexcept nogil
