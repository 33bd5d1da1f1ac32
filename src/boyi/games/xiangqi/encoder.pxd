"""What a network sees of xiangqi; jieqi names moves as it does."""

from boyi.core.encoder cimport Encoder
from boyi.core.position cimport Position
from boyi.core.types cimport move_t
from boyi.games.xiangqi.grid cimport RED, SQUARES
from boyi.games.xiangqi.position cimport XiangqiPosition


cdef inline int turned(int square, int side) noexcept nogil:
    """The square as the side sees it: from Black's side of the board near and far are exchanged."""
    return square if side == RED else 81 - square + 2 * (square % 9)


cdef class XiangqiEncoder(Encoder):
    cdef short names[SQUARES][SQUARES]   # by origin and target as the side sees them; -1 where no piece goes
    cdef object _moves                   # the pairs in the order of their names

    cdef int encode(self, Position position, float* features) except -1 nogil
    cdef int _write(self, XiangqiPosition here, float* features) except -1 nogil
    cdef int index(self, Position position, move_t move) except -1 nogil
    cdef int index_all(self, Position position, const move_t* moves, int n, int* indices) except -1 nogil
    cdef int _name_moves(self, bint roaming) except -1     # how many names there are
