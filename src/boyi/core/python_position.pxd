"""A game in plain Python."""

from boyi.core.position cimport Position
from boyi.core.types cimport key_t


cdef class PythonPosition(Position):
    cdef list _turns                 # per ply, from 0 to the present one: (state, who acts, key, final scores or None)
    cdef key_t _key
    cdef object _broken(self, method, fault)
    cdef object _ask(self, method, tuple arguments)   # what a method of the game answers
    cdef tuple _ask_numbers(self, method, state)
    cdef object _guard(self, method, call, tuple arguments)
    cdef str _text(self, state)
    cdef int _restart(self, state) except -1
    cdef tuple _judge(self, state)
    cdef tuple _scores(self, state)
    cdef int _side(self, state) except -3
    cdef int _enter(self, tuple turn) except -1
