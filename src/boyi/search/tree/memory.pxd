"""The tree of a Monte Carlo search: nodes in one block of memory, each before its children.

Nothing is allocated during a search. The children of a node lie side by side. To keep a subtree for the next
search, nodes move towards the front and stay in order.
"""

from libc.stdint cimport int8_t, int16_t, int32_t
from libc.string cimport memset

from boyi.core.types cimport MAX_PLAYERS, move_t

cdef enum:
    UNSEEN = -3                # as the side of a node: not visited yet


cdef struct Node:              # 48 bytes
    double chooser_sum         # of the values for the player who chose the move that leads here
    double actor_sum           # of the values for the player who acts here
    move_t move                # leads here
    int32_t parent             # -1 for the root
    int32_t first              # the first child
    int32_t visits
    float prior                # of the move; after a chance turn, its probability
    int16_t children           # 0 until the node is expanded
    int16_t distance           # of a proven node: plies to the end
    int8_t side                # who acts; UNSEEN before the first visit
    int8_t proven              # its result, per player, is in the proofs
    int8_t kept                # while a subtree is moved to the front
    int8_t queued              # a leaf in a batch that was not predicted yet
    int16_t pending            # descents through here to leaves that are not valued yet


cdef struct Tree:
    Node* nodes                # `capacity` of them; the root is number 0
    float* proofs              # per node, one result per player
    int players
    int32_t capacity
    int32_t used               # 0: there is no tree


cdef inline int plant(Tree* tree, char* block, size_t size, int players, int side) noexcept nogil:
    """A new tree that is only a root, in a block of `size` bytes."""
    cdef size_t room = size // (sizeof(Node) + players * sizeof(float))
    tree.players = players
    tree.capacity = <int32_t> min(room, <size_t> 0x7FFFFFFF // MAX_PLAYERS)
    tree.nodes = <Node*> block
    tree.proofs = <float*> (block + tree.capacity * sizeof(Node))
    memset(tree.nodes, 0, sizeof(Node))
    tree.nodes[0].parent = -1
    tree.nodes[0].side = side
    tree.used = 1
    return 0


cdef inline int add_children(Tree* tree, int number, const move_t* moves, const double* priors, int n) noexcept nogil:
    """Expand a node; priors may be NULL for equal ones. Returns n, or 0 where there is no room."""
    cdef Node* child
    cdef int i
    if tree.used + n > tree.capacity:
        return 0
    tree.nodes[number].first = tree.used
    tree.nodes[number].children = n
    for i in range(n):
        child = &tree.nodes[tree.used + i]
        memset(child, 0, sizeof(Node))
        child.move = moves[i]
        child.parent = number
        child.side = UNSEEN
        child.prior = priors[i] if priors != NULL else 1.0 / n
    tree.used += n
    return n


cdef inline int find_child(Tree* tree, int number, move_t move) noexcept nogil:
    """The child that a move leads to; -1 if there is none."""
    cdef int i
    for i in range(tree.nodes[number].first, tree.nodes[number].first + tree.nodes[number].children):
        if tree.nodes[i].move == move:
            return i
    return -1


cdef inline int keep_subtree(Tree* tree, int number) noexcept nogil:
    """Make a node the root, keep what is below it and free the rest; how many nodes are left.

    A node lies before its children, and siblings lie side by side. So one walk towards the back moves every kept
    node towards the front, marks its children and updates their parent; the first of the siblings then updates
    where the parent finds them.
    """
    cdef Node* nodes = tree.nodes
    cdef int i, j, player, used = 0
    nodes[number].kept = True
    nodes[number].parent = -1
    for i in range(number, tree.used):
        if not nodes[i].kept:
            continue
        nodes[i].kept = False
        for j in range(nodes[i].first, nodes[i].first + nodes[i].children):
            nodes[j].kept = True
            nodes[j].parent = used
        if nodes[i].parent >= 0 and nodes[nodes[i].parent].first == i:
            nodes[nodes[i].parent].first = used
        nodes[used] = nodes[i]
        for player in range(tree.players):
            tree.proofs[used * tree.players + player] = tree.proofs[i * tree.players + player]
        used += 1
    tree.used = used
    return used


cdef inline double mean_value(Tree* tree, int number) noexcept nogil:
    """The value of a child for the player who chooses it: proven, or the mean, or as good as its parent."""
    cdef Node* node = &tree.nodes[number]
    cdef Node* parent = &tree.nodes[node.parent]
    if node.proven and parent.side >= 0:
        return tree.proofs[number * tree.players + parent.side]
    if node.visits:
        return node.chooser_sum / node.visits
    return parent.actor_sum / parent.visits if parent.visits else 0.0
