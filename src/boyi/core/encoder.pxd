"""The input of a network for a position, and the policy indices of its moves."""

from boyi.core.position cimport Position
from boyi.core.types cimport move_t


cdef class Encoder:
    # ---- facts, fixed when it is made
    cdef readonly int version        # grows when a position would be encoded, or a move be numbered, otherwise
    cdef readonly int players
    cdef readonly int planes         # numbers per point of the board
    cdef readonly int points
    cdef readonly int scalars        # numbers about the whole position, behind the planes
    cdef readonly int size           # of all features: planes * points + scalars
    cdef readonly int policy_size    # policy indices are 0 to policy_size - 1

    # Both are for positions in which a player acts, as that player sees them. Features are about 0 to 1.
    cdef int encode(self, Position position, float* features) except -1 nogil
    # The policy index of a legal move: no two moves of one position share one (but see PythonEncoder).
    cdef int index(self, Position position, move_t move) except -1 nogil
    # May, to be faster than the default, which asks index() one by one: the policy indices of n legal moves.
    cdef int index_all(self, Position position, const move_t* moves, int n, int* indices) except -1 nogil

    cdef int _shape(self, int version, int players, int planes, int points, int scalars, int policy_size) except -1


cdef class PythonEncoder(Encoder):
    pass
