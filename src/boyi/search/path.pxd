"""The way from the root to where a search stands: null moves are taken back otherwise than moves."""

from boyi.core.position cimport Position

cdef enum:
    MAX_NULLS = 104


cdef struct Nulls:             # the null moves on the path
    int count
    int plies[MAX_NULLS]       # position.ply after each


cdef inline int pass_turn(Position position, Nulls* nulls) except -1 nogil:
    """Make a null move and remember where; 0 if the position refuses one."""
    if not position.make_null():
        return 0
    nulls.plies[nulls.count] = position.ply
    nulls.count += 1
    return 1


cdef inline int pass_back(Position position, Nulls* nulls) except -1 nogil:
    nulls.count -= 1
    return position.unmake_null()


cdef inline int return_to(Position position, Nulls* nulls, int root_ply) except -1 nogil:
    """Back to the root from wherever an exception left the position."""
    while nulls.count or position.ply > root_ply:
        if nulls.count and nulls.plies[nulls.count - 1] == position.ply:
            pass_back(position, nulls)
        else:
            position.unmake()
    return 0
