"""The scale of values inside a search; see also `core.evaluator`."""

from boyi.core.evaluator cimport GUESS

cdef enum:
    INFINITE = 31000           # an open end of a window, beyond every value
    PROVEN = GUESS + 100       # beyond it a value is a win or loss: WIN less its distance in plies
    NOWHERE = 1 << 20          # `leaned` of a value that depends on nothing of its path


cdef inline int to_guess(int value) noexcept nogil:
    """Cut off at the ends of what is no win or loss."""
    return GUESS if value > GUESS else -GUESS if value < -GUESS else value
