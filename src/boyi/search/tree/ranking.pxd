"""The best child of a node when the search is over: proofs first, then candidates of a halving, then visits."""

from boyi.search.tree.halving cimport Halving, candidate_score, is_candidate
from boyi.search.tree.memory cimport Node, Tree, mean_value


cdef inline bint is_better_child(Tree* tree, Halving* halving, int parent, int one, int other) noexcept nogil:
    """Is the first of two children of a player's node the better choice?

    Proven wins first, the nearest in front; proven losses last, the farthest in front; where everything
    is proven, the result decides. Else what is still in the halving, then visits, then the value.
    """
    cdef Node* node = &tree.nodes[parent]
    cdef Node* first = &tree.nodes[one]
    cdef Node* second = &tree.nodes[other]
    cdef double value = mean_value(tree, one), than = mean_value(tree, other)
    cdef bint won = first.proven and value >= 1, than_won = second.proven and than >= 1
    cdef bint lost = first.proven and value <= -1, than_lost = second.proven and than <= -1
    cdef bint in_first, in_second
    if won or than_won:
        if won and than_won and first.distance != second.distance:
            return first.distance < second.distance
        if not (won and than_won):
            return won
    elif lost or than_lost:
        if lost and than_lost and first.distance != second.distance:
            return first.distance > second.distance
        if not (lost and than_lost):
            return than_lost
    elif node.proven and first.proven and second.proven and value != than:
        return value > than
    elif parent == 0 and halving.on:
        in_first = is_candidate(halving, one - node.first)
        in_second = is_candidate(halving, other - node.first)
        if in_first != in_second:
            return in_first
        if in_first:
            return (candidate_score(halving, tree, one - node.first)
                    > candidate_score(halving, tree, other - node.first))
    if first.visits != second.visits:
        return first.visits > second.visits
    return value > than


cdef inline int best_child(Tree* tree, Halving* halving, int number) noexcept nogil:
    """The best choice of the player who acts at a node that is expanded."""
    cdef Node* node = &tree.nodes[number]
    cdef int i, best = node.first
    for i in range(node.first + 1, node.first + node.children):
        if is_better_child(tree, halving, number, i, best):
            best = i
    return best
