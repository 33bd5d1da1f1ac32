"""Splitmix64 (Steele, Lea, Flood 2014): a fast, seedable stream of numbers for searches."""

from libc.stdint cimport uint32_t, uint64_t


cdef inline uint64_t next_random(uint64_t* state) noexcept nogil:
    cdef uint64_t z
    state[0] += <uint64_t> 0x9E3779B97F4A7C15
    z = state[0]
    z = (z ^ (z >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t> 0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline uint32_t random_below(uint64_t* state, uint32_t n) noexcept nogil:
    """Uniform in 0 … n-1 (Lemire's multiply-shift; its bias below 2^-20 does not matter here)."""
    return <uint32_t> (((next_random(state) >> 32) * n) >> 32)


cdef inline double random_unit(uint64_t* state) noexcept nogil:
    """Uniform in [0, 1)."""
    return <double> (next_random(state) >> 11) * (1.0 / 9007199254740992.0)
