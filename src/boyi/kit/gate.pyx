"""A gate that a search passes now and then, and that another thread may close: how a search is paused.

A search that was given one (`Searcher.pass_through`) looks at the clock a hundred times a second or oftener, and passes
the gate at each look (`kit.control`). While the gate is closed it waits there, with all that it has found and is in the
middle of; opened, it goes on at the next node. So many searches can share a processor by turns.
"""

from cpython.pythread cimport (
    PyThread_acquire_lock, PyThread_allocate_lock, PyThread_free_lock, PyThread_release_lock, WAIT_LOCK)


cdef class Gate:
    """Open at first. To be closed and opened by one thread; a stopped search ends only through an open gate.

    >>> gate = Gate()
    >>> gate.close()
    >>> gate.is_closed
    True
    >>> gate.open()
    """

    def __cinit__(self):
        self.passage.lock = PyThread_allocate_lock()
        if self.passage.lock == NULL:
            raise MemoryError("no room for a gate")

    def __dealloc__(self):
        if self.passage.lock != NULL:
            if self.is_closed:
                PyThread_release_lock(self.passage.lock)
            PyThread_free_lock(self.passage.lock)

    def close(self):
        """Whoever comes to the gate waits. A search comes soon, not at once."""
        if not self.is_closed:
            with nogil:
                PyThread_acquire_lock(self.passage.lock, WAIT_LOCK)
            self.is_closed = True

    def open(self):
        """Whoever waits goes on."""
        if self.is_closed:
            self.is_closed = False
            PyThread_release_lock(self.passage.lock)

    @property
    def nodes(self):
        """What the search had visited when it passed last."""
        return self.passage.nodes

    @property
    def seconds(self):
        """How long it had searched then, pauses not counted."""
        return self.passage.seconds
