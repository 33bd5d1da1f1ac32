"""Random games, for those who play them on the compiled side."""

from libc.stdint cimport uint64_t

from boyi.core.position cimport Position


cdef int pick_by_odds(double* odds, int n, uint64_t* state) noexcept nogil      # which of n results chance gives
cdef int play_randomly(Position position, uint64_t* state, int most) except -1 nogil
cdef uint64_t first_state(seed) except? 0
