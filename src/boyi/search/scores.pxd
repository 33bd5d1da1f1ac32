"""Scores of games for any number of players, as values of a search."""

from libc.math cimport lround
from libc.stdint cimport uint64_t

from boyi.core.bits cimport mix
from boyi.core.evaluator cimport WIN
from boyi.core.types cimport key_t

cdef enum:
    UNIT = 10000               # the value of a score of 1 that is not proven

cdef enum Algorithm:           # the numbers are in the keys of tables
    BEST_REPLY = 0
    PARANOID = 1
    MAX_N = 2
    OWN_PLAN = 3


cdef inline int to_value(double score) noexcept nogil:
    """A score from -1 to 1 that is a guess."""
    return <int> lround(UNIT * score)


cdef inline int to_proven(double score, int ply) noexcept nogil:
    """A certain score: the first or last place and its distance from the root, or what lies between."""
    return WIN - ply if score >= 1 else ply - WIN if score <= -1 else to_value(score)


cdef inline key_t salt_for(int player, Algorithm algorithm) noexcept nogil:
    """Sets the values for one player and one algorithm apart in a table."""
    return mix((<uint64_t> player << 8) + <uint64_t> algorithm + 1)
