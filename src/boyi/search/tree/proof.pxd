"""MCTS-Solver: results that are certain, one per player (Winands, Björnsson and Saito 2008).

A player's node is proven when a move is proven to win, or when all moves are proven; a chance node, when all
results are: its proof is their mean.
"""

from boyi.core.types cimport CHANCE, MAX_PLAYERS, OVER
from boyi.search.tree.memory cimport Node, Tree

cdef enum:
    MAX_DISTANCE = 32000       # plies; longer proofs count as this long


cdef inline int read_proof(Tree* tree, int number, double* values) noexcept nogil:
    """The values of a proven node."""
    cdef int player
    for player in range(tree.players):
        values[player] = tree.proofs[number * tree.players + player]
    return 0


cdef inline int prove_end(Tree* tree, int number, const double* scores) noexcept nogil:
    """The game is over here."""
    cdef int player
    for player in range(tree.players):
        tree.proofs[number * tree.players + player] = <float> scores[player]
    tree.nodes[number].side = OVER
    tree.nodes[number].proven = True
    tree.nodes[number].distance = 0
    return 0


cdef inline bint is_better_proof(Tree* tree, int side, int one, int other) noexcept nogil:
    """Of two proven nodes, would `side` go to the first? Win soon, lose late."""
    cdef float value = tree.proofs[one * tree.players + side]
    cdef float than = tree.proofs[other * tree.players + side]
    if value != than:
        return value > than
    if value >= 1:
        return tree.nodes[one].distance < tree.nodes[other].distance
    return value <= -1 and tree.nodes[one].distance > tree.nodes[other].distance


cdef inline int prove(Tree* tree, int number) noexcept nogil:
    """Do the proofs of its children prove this node? If so, keep the result."""
    cdef Node* node = &tree.nodes[number]
    cdef Node* child
    cdef float* proof = &tree.proofs[number * tree.players]
    cdef double sums[MAX_PLAYERS]
    cdef int i, player, chosen = -1, longest = 0
    cdef bint all_proven = True
    if node.side == CHANCE:
        for player in range(tree.players):
            sums[player] = 0
        for i in range(node.first, node.first + node.children):
            child = &tree.nodes[i]
            if not child.proven:
                return 0
            longest = child.distance if child.distance > longest else longest
            for player in range(tree.players):
                sums[player] += child.prior * tree.proofs[i * tree.players + player]
        for player in range(tree.players):
            proof[player] = <float> sums[player]
    else:
        for i in range(node.first, node.first + node.children):
            if not tree.nodes[i].proven:
                all_proven = False
            elif chosen < 0 or is_better_proof(tree, node.side, i, chosen):
                chosen = i
        if chosen < 0 or not (all_proven or tree.proofs[chosen * tree.players + node.side] >= 1):
            return 0
        longest = tree.nodes[chosen].distance
        for player in range(tree.players):
            proof[player] = tree.proofs[chosen * tree.players + player]
    node.proven = True
    node.distance = longest + 1 if longest < MAX_DISTANCE else MAX_DISTANCE
    return 1
