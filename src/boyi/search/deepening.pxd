"""Iterative deepening at the root, with the best lines (MultiPV): what alpha-beta, expectimax and multiplayer share."""

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy

from boyi.core.position cimport Position
from boyi.core.types cimport move_t
from boyi.kit.control cimport Control


cdef struct RootLine:          # a root move and what follows, in a row of its own
    double value               # for the player to act at the root
    int depth                  # of the search that gave the value
    int length


cdef struct RootLines:         # as many as a root can have moves, the best first
    RootLine* heads
    move_t* moves              # [MAX_MOVES][line_room]


cdef inline int extend_line(move_t* lines, int* lengths, int room, move_t move, int ply) noexcept nogil:
    """The best line from `ply` on is the move and the line from the next ply; a row of `lines` has `room` moves."""
    cdef int length = lengths[ply + 1] if lengths[ply + 1] < room else room - 1
    lines[ply * room] = move
    memcpy(&lines[ply * room + 1], &lines[(ply + 1) * room], length * sizeof(move_t))
    lengths[ply] = length + 1
    return 0


cdef class Deepening:
    # ---- the search under way
    cdef Position position
    cdef Control control
    cdef bint principal_variation              # after the first move, only ask whether another is better
    cdef object only                           # the root moves to keep to; None for all
    cdef object on_depth                       # called without arguments after every depth; None for nobody

    # ---- memory for the tree, per ply
    cdef size_t room                           # bytes of moves, orders and the lines of `fresh` and `best`
    cdef move_t* moves                         # MAX_MOVES of each
    cdef int32_t* orders
    cdef int line_room                         # moves of a line that are kept
    cdef move_t* lines                         # the best line from each ply on
    cdef int* line_lengths

    # ---- the root
    cdef move_t* root_moves
    cdef int* root_values                      # of bounded searches
    cdef int64_t* root_nodes                   # spent on each, by bounded searches, in all depths
    cdef int root_count
    cdef int wanted                            # how many lines the answer should have
    cdef RootLines fresh                       # the depth under way, so far
    cdef RootLines best                        # the answer
    cdef int best_count
    cdef int depth_done
    cdef bint lists_all                        # before the first depth is done, answer with all lines, unvalued

    cdef int take_memory(self, int plies, int line_room) except -1
    cdef int deepen(self, int deepest, int lines) except -1 nogil
    cdef int search_root(self, int depth, int first, int alpha, int beta) except? -32768 nogil
    cdef int rank_roots(self, int depth) except -1 nogil
    cdef int keep_line(self, int number, double value, int depth) noexcept nogil
    cdef int adopt(self, int lines) noexcept nogil
    cdef int64_t nodes_of(self, move_t move) noexcept nogil
    cdef object answer(self, int64_t nodes, dict statistics)

    # ---- what the searches say themselves
    # The root moves, best first as far as is known. By default all that are legal, or those of `only`.
    cdef int choose_roots(self) except -1 nogil
    # Is this depth left out? By default none is.
    cdef bint skips(self, int depth, int deepest) noexcept nogil
    # Find line number `first` of a depth; those before it are found. By default with an open window.
    cdef int search_line(self, int depth, int first) except -1 nogil
    # The value of a root move for the player to act, within a window; the line from ply 1 on is in `lines`.
    cdef int root_value(self, move_t move, int depth, int alpha, int beta, int number) except? -32768 nogil
    # The same where every move has an exact value: the score, times what the search counts in.
    cdef double exact_root_value(self, move_t move, int depth) except? -1e300 nogil
    # After a finished depth: would deeper tell nothing new? By default when there is only one move and a clock.
    cdef bint is_enough(self, int depth) noexcept nogil
    # Plies to the win or loss that a value of the answer proves, negative for a loss; None if it proves none.
    cdef object wins_in(self, RootLine* line)
