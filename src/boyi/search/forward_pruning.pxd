"""Which moves a search for any number of players looks at: forward pruning, and no position twice in a game."""

from libc.stdint cimport int16_t, int32_t, int64_t
from libc.string cimport memset

from boyi.core.evaluator cimport Evaluator
from boyi.core.race cimport Stride, StrideEvaluator
from boyi.core.types cimport MAX_MOVES, move_t
from boyi.search.deepening cimport Deepening

cdef enum:
    MAX_PLY = 64               # no line is followed further
    LINE_LENGTH = 16           # moves of a line that are kept
    MAX_PLACES = 256           # of a race: pieces and targets of strides are numbers below it

cdef enum:                     # the order of moves; what an evaluator says of them lies between
    FIRST_MOVE = 1 << 30       # the table's move
    KILLER = 1 << 25
    LAST_MOVE = -(1 << 30)     # after everything else


cdef struct Pruning:           # the options, unpacked
    bint by_piece              # any of the next four
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


cdef struct Killers:           # the last two moves that refuted at each ply
    bint on
    move_t moves[MAX_PLY + 2][2]


cdef inline int forget_killers(Killers* killers) noexcept nogil:
    memset(killers.moves, 0xFF, sizeof(killers.moves))
    return 0


cdef inline int add_killer(Killers* killers, move_t move, int ply) noexcept nogil:
    if killers.on and killers.moves[ply][0] != move:
        killers.moves[ply][1] = killers.moves[ply][0]
        killers.moves[ply][0] = move
    return 0


cdef inline int prefer(Killers* killers, move_t* moves, int32_t* orders, int n, int ply, move_t first) noexcept nogil:
    """Put the table's move and killers before all others, which keep the places they have."""
    cdef int i
    for i in range(n):
        if moves[i] == first:
            orders[i] = FIRST_MOVE
        elif killers.on and (moves[i] == killers.moves[ply][0] or moves[i] == killers.moves[ply][1]):
            orders[i] = KILLER
    return 0


cdef inline int pick(move_t* moves, int32_t* orders, int first, int n) noexcept nogil:
    """Bring the best of the moves left to the front; equal ones keep their order."""
    cdef int best = first, i, order
    cdef move_t move
    for i in range(first + 1, n):
        if orders[i] > orders[best]:
            best = i
    if best != first:
        move = moves[best]
        order = orders[best]
        for i in range(best, first, -1):
            moves[i] = moves[i - 1]
            orders[i] = orders[i - 1]
        moves[first] = move
        orders[first] = order
    return 0


cdef inline int keep_best(move_t* moves, int32_t* orders, const Stride* strides, int n, int width) noexcept nogil:
    """The moves that gain most, sorted, and what each gains; how many. Of equal ones those of the rearmost piece."""
    cdef int32_t rears[MAX_MOVES]
    cdef int i, j, gain, rear, kept = 0
    cdef move_t move
    for i in range(n):
        move, gain, rear = moves[i], strides[i].gain, strides[i].rear
        if kept < width:
            kept += 1
        elif gain < orders[kept - 1] or (gain == orders[kept - 1] and rear <= rears[kept - 1]):
            continue
        j = kept - 1                           # no more are kept than were looked at, so nothing unread is overwritten
        while j > 0 and (gain > orders[j - 1] or (gain == orders[j - 1] and rear > rears[j - 1])):
            moves[j], orders[j], rears[j] = moves[j - 1], orders[j - 1], rears[j - 1]
            j -= 1
        moves[j], orders[j], rears[j] = move, gain, rear
    return kept


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
    # Of these moves keep those that forward pruning leaves, and write how promising each is; returns how many. If any
    # switch but the width is on, they come piece by piece, the rearmost piece first; a piece's targets are in the order
    # of the rules, but one that had to make room for a nearer one gave it its place.
    cdef int narrow(self, move_t* moves, int32_t* orders, int n, int ply) except -1 nogil
    cdef int prune(self, move_t* moves, int32_t* orders, Stride* strides, int n, int ply) except -1 nogil
    # Pruning left nothing: put the one of these `n` to be played instead first; returns how many there are, 0 or 1.
    cdef int fall_back(self, const move_t* moves, int16_t* backups, int n, int ply) except -1 nogil
    cdef int refuse_chance(self) except -1 nogil
