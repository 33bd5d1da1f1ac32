"""Which moves a search for any number of players looks at: forward pruning, and no position twice in a game."""

from libc.stdint cimport int16_t, int32_t, int64_t

from boyi.core.evaluator cimport Evaluator
from boyi.core.race cimport Stride, StrideEvaluator
from boyi.core.types cimport move_t
from boyi.search.deepening cimport Deepening
from boyi.search.ordering cimport Killers

cdef enum:
    MAX_PLY = 64               # no line is followed further
    LINE_LENGTH = 16           # moves of a line that are kept
    MAX_PLACES = 256           # of a race: pieces and targets of strides are numbers below it


cdef struct Pruning:           # the options, unpacked
    bint any                   # of the next five
    bint no_retreat
    bint claims
    int targets
    bint farthest_hop
    int width
    bint skip_made


cdef struct Counters:
    int64_t table_hits
    int64_t table_cutoffs
    int64_t cutoffs
    int64_t pruned             # moves left out by forward pruning
    int64_t backups            # nodes where nothing else was left
    int64_t skipped            # positions not looked at twice
    int64_t leaves


cdef class PruningSearch(Deepening):
    cdef Evaluator evaluator
    cdef StrideEvaluator race  # describes moves; None where the game is no race
    cdef Pruning pruning
    cdef Killers killers
    cdef Counters counters
    cdef int root_player       # for whom it searches

    # Before a search; subclasses add what they need.
    cdef int prepare(self) except -1
    # Empty the tables, as before the first search.
    cdef int forget(self) except -1
    # Write the moves to be searched and how promising each is; returns how many. `known` is the table's move.
    cdef int select(self, move_t* moves, int32_t* orders, int ply, move_t known) except -1 nogil
    # Of these moves keep those that forward pruning leaves, and write how promising each is; returns how many. They
    # come piece by piece, the rearmost piece first; a piece's targets are in the order of the rules, but one that
    # had to make room for a nearer one gave it its place.
    cdef int narrow(self, move_t* moves, int32_t* orders, int n, int ply) except -1 nogil
    cdef int prune(self, move_t* moves, int32_t* orders, Stride* strides, int n, int ply) except -1 nogil
    # Pruning left nothing: put the one of these `n` to be played instead first; returns how many there are, 0 or 1.
    cdef int fall_back(self, const move_t* moves, int16_t* backups, int n, int ply) except -1 nogil
    cdef int refuse_chance(self) except -1 nogil
