"""Leaves that wait for a prediction. A descent counts as a visit of unknown value until its leaf is valued.

So the next descent goes elsewhere, and many leaves are predicted at the price of a few (Liu, Chen, Yu, Zhai, Zhou and
Liu 2020, "Watch the Unobserved"). A descent to a leaf that waits already is a miss and not a simulation.
"""

from libc.stdint cimport int32_t

from boyi.search.tree.memory cimport Tree

cdef enum:
    MISSED = -1                # as the row of a descent: its leaf waited already


cdef struct Descent:           # its leaf waits for a prediction
    int32_t leaf
    int32_t row                # in the batch; or MISSED
    int32_t side               # who acts in the position that was encoded


cdef struct Pending:
    Descent* descents          # room for a whole batch and as many misses
    int count
    int leaves                 # without the misses


cdef inline int add_descent(Pending* pending, Tree* tree, int leaf, int row, int side) noexcept nogil:
    """Let a descent count as a visit to all nodes above its leaf."""
    cdef Descent* descent = &pending.descents[pending.count]
    descent.leaf = leaf
    descent.row = row
    descent.side = side
    pending.count += 1
    if row != MISSED:
        pending.leaves += 1
        tree.nodes[leaf].queued = True
    while leaf >= 0:
        tree.nodes[leaf].pending += 1
        leaf = tree.nodes[leaf].parent
    return 0


cdef inline int end_descents(Pending* pending, Tree* tree) noexcept nogil:
    """No descent is pending any more; how many there were. Their leaves and rows can still be read."""
    cdef int i, number, count = pending.count
    for i in range(count):
        number = pending.descents[i].leaf
        tree.nodes[number].queued = False
        while number >= 0:
            tree.nodes[number].pending -= 1
            number = tree.nodes[number].parent
    pending.count = pending.leaves = 0
    return count
