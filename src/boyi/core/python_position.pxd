"""A game in plain Python."""

from boyi.core.position cimport Position
from boyi.core.types cimport key_t


cdef class PythonPosition(Position):
    cdef list _turns                 # per ply, from 0 to the present one: (state, who acts, key)
    cdef key_t _key
    cdef object _broken(self, method, fault)
    cdef int _restart(self, state) except -1
    cdef tuple _judge(self, state)
    cdef int _enter(self, tuple turn) except -1
