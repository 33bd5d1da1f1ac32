"""Ctrl-C while compiled code runs without the interpreter."""

from cpython.exc cimport PyErr_CheckSignals


cdef inline int check_signals() except -1 nogil:
    """Run the handlers of signals that have arrived; they may raise."""
    with gil:
        return PyErr_CheckSignals()
