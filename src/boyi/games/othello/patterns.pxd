"""Patterns: sets of points whose discs are read together, as one number in base 3."""

from libc.stdint cimport int8_t, uint16_t, uint64_t

cdef enum:
    INSTANCES = 46         # pattern images on the board
    LANES = 48             # the same, rounded up to whole vector registers
    STAGES = 61            # one set of weights per number of discs, 4 to 64
    INDICES = 226314       # 3^points summed over the 12 patterns: all the ways they can look
    STEP = 25              # one unit of a weight is 25 / 2 hundredths of a disc


# Per instance the number in base 3 of its discs: own 1, other 2, empty 0. Room for LANES.
cdef int measure(uint64_t own, uint64_t other, uint16_t* numbers) noexcept nogil

# The weights in use, STAGES x INDICES; NULL until load_weights() was called.
cdef int8_t* weights
cdef int load_weights() except -1

# The value for `own`, to act, in hundredths of a disc. The weights must have been loaded.
cdef int pattern_value(uint64_t own, uint64_t other) noexcept nogil
