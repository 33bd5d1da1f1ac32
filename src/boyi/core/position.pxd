"""What the author of a game gets for writing `core.rules`: a position to be played, shown, copied and sent."""

from boyi.core.rules cimport Rules


cdef class Position(Rules):
    cdef inline int unmake_to(self, int ply) except -1 nogil:
        """Take moves back until `ply` are left: the way home from anywhere, also after an exception."""
        while self.ply > ply:
            self.unmake()
        return 0


cdef long long move_number(object move) except -2
