"""Othello on two bitboards; bit 8*row + column, a1 = bit 0 at the top left."""

from libc.stdint cimport uint64_t

from boyi.core.position cimport Position
from boyi.core.rules cimport Rules
from boyi.core.types cimport key_t, move_t

cdef enum:
    PASS = 64              # the move that touches no point; 0 … 63 put a disc there
    REPLY = 1500           # what a reply less for the opponent promises, a corner counting twice; see `Rules.promise`
    CORNER = 3000          # and what taking a corner does


cdef struct Record:
    move_t move
    uint64_t own           # the discs before the move, of the player who made it
    uint64_t other         # (kept whole: to put them back waits for nothing, to flip back waits for the flips)


cdef class OthelloPosition(Position):
    cdef uint64_t discs[2]             # per player

    cdef int generate(self, move_t* moves) except -1 nogil
    cdef int count(self) except -1 nogil
    cdef int legal(self, move_t move) except -1 nogil
    cdef int make(self, move_t move) except -1 nogil
    cdef int unmake(self) except -1 nogil
    cdef key_t key(self) noexcept nogil
    cdef int score(self, double* scores) except -1 nogil
    cdef key_t canonical_key(self, int* image) except? 0 nogil
    cdef int images(self) noexcept nogil
    cdef move_t image_of(self, move_t move, int image) noexcept nogil
    cdef move_t original_of(self, move_t move, int image) noexcept nogil
    cdef int promise(self, move_t move) noexcept nogil
    cdef int copy_state(self, Rules other) except -1


# `mobility_of` and `flips_of` of discs.pxd, for other modules to call.
cdef uint64_t mobility(uint64_t own, uint64_t other) noexcept nogil
cdef uint64_t flips(uint64_t own, uint64_t other, int point) noexcept nogil
