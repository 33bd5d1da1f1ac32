"""Which child to descend to: the highest upper confidence bound, by UCT or PUCT.

    UCT    mean + exploration * sqrt(log(visits of the parent) / visits)             Kocsis and Szepesvári 2006
    PUCT   mean + exploration * prior * sqrt(visits of the parent) / (1 + visits)    Rosin 2011, Silver and others 2017

Visits include pending ones (see `pending`). A child without visits of known value is valued like its parent, under
PUCT `first_play` less. At a chance node the odds choose.
"""

from libc.math cimport log, sqrt
from libc.stdint cimport uint64_t

from boyi.core.random cimport random_unit
from boyi.search.tree.memory cimport Node, Tree


cdef struct Selection:
    bint puct                  # else UCT
    bint solver                # go by proofs
    double exploration
    double first_play          # of PUCT: what a child that was not tried is valued below its parent
    double forced_playouts     # of PUCT, at the root; 0: none


cdef inline int draw_child(Tree* tree, int number, uint64_t* random) noexcept nogil:
    """A child of a chance node, by the odds."""
    cdef Node* node = &tree.nodes[number]
    cdef double at = random_unit(random)
    cdef int i = 0
    while i < node.children - 1 and at >= tree.nodes[node.first + i].prior:
        at -= tree.nodes[node.first + i].prior
        i += 1
    return node.first + i


cdef inline int select_child(Tree* tree, Selection* rule, int number) noexcept nogil:
    """The child of a player's node with the highest bound."""
    cdef Node* node = &tree.nodes[number]
    cdef Node* child
    cdef int i, chosen = node.first
    cdef int visits = node.visits + node.pending
    cdef double value, bound, exploration, unvisited = 0, best = -1e300
    if rule.puct:
        exploration = rule.exploration * sqrt(visits if visits else 1)
        unvisited = (node.actor_sum / node.visits if node.visits else 0.0) - rule.first_play
    else:
        exploration = log(visits) if visits else 0.0
        unvisited = node.actor_sum / node.visits if node.visits else 0.0
    for i in range(node.first, node.first + node.children):
        child = &tree.nodes[i]
        visits = child.visits + child.pending
        if child.visits:
            value = child.chooser_sum / child.visits
        elif rule.puct or visits:
            value = unvisited
        else:
            return i                  # moves lie in random order, so the next one is as good as any
        if child.proven and rule.solver:
            value = tree.proofs[i * tree.players + node.side]
            if value <= -1:
                continue              # a proven loss; were all moves such, the node would be proven itself
        if rule.puct:
            bound = value + exploration * child.prior / (1 + visits)
        else:
            bound = value + rule.exploration * sqrt(exploration / visits)
        if bound > best:
            best = bound
            chosen = i
    return chosen


cdef inline int forced_child(Tree* tree, Selection* rule) noexcept nogil:
    """A root move that was tried, but less often than its prior demands (Wu 2019); -1 if there is none."""
    cdef Node* root = &tree.nodes[0]
    cdef Node* child
    cdef int i, visits
    for i in range(root.first, root.first + root.children):
        child = &tree.nodes[i]
        visits = child.visits + child.pending
        if (visits > 0 and not child.proven
                and visits * <double> visits < rule.forced_playouts * child.prior * root.visits):
            return i
    return -1
