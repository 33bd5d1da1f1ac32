"""A gate that a search passes now and then, and that another thread may close: how a search is paused."""

from boyi.kit.control cimport Passage


cdef class Gate:
    cdef Passage passage
    cdef readonly bint is_closed
