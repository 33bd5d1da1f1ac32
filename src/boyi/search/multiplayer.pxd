"""Search for any number of players; see the `.pyx`."""

from libc.stdint cimport int64_t

from boyi.core.evaluator cimport Evaluator
from boyi.core.types cimport key_t, move_t
from boyi.kit.gate cimport Gate
from boyi.search.forward_pruning cimport PruningSearch
from boyi.search.scores cimport Algorithm
from boyi.search.table cimport Table


cdef enum Stage:               # within the one ply that all opponents share in best-reply search
    BEFORE                     # a new ply begins
    WAITING                    # some have sat out, and one has still to reply
    REPLIED                    # one has; the rest sit out


cdef class BoundedSearch(PruningSearch):       # best reply, paranoid, own plan
    cdef Table table
    cdef Algorithm algorithm
    cdef bint use_table
    cdef int most_movers                       # with at most this many players, others move in best-reply search
    cdef key_t salt                            # sets values for one player and one algorithm apart in the table
    cdef int64_t endings                       # met by repetition: values above them hold on this path only

    cdef int minimax(self, int depth, int alpha, int beta, int ply, int stage) except? -32768 nogil
    cdef int descend(self, move_t move, int depth, int alpha, int beta, int ply, int stage) except? -32768 nogil
    cdef int sit_out(self) except -1 nogil
    cdef int evaluate(self) except? -32768 nogil


cdef class Multiplayer:
    cdef readonly Evaluator evaluator
    cdef readonly object options
    cdef PruningSearch _worker
    cdef Gate _gate                            # that it passes; None for none

    cdef object _answer(self)
