"""What a network sees of jieqi."""

from libc.stdint cimport uint64_t

from boyi.core.position cimport Position
from boyi.games.jieqi.position cimport JieqiPosition
from boyi.games.xiangqi.encoder cimport XiangqiEncoder


cdef class JieqiEncoder(XiangqiEncoder):
    cdef int encode(self, Position position, float* features) except -1 nogil
    cdef int _write_jieqi(self, JieqiPosition here, float* features) except -1 nogil


cdef uint64_t known_pools(JieqiPosition position) noexcept nogil    # as the side to act knows them
