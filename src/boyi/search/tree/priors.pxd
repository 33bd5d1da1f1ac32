"""Priors: a softmax over the moves of a node, and Dirichlet noise at the root for games to learn from."""

from libc.math cimport cos, exp, log, pow, sqrt
from libc.stdint cimport uint64_t

from boyi.core.random cimport random_unit
from boyi.core.types cimport MAX_MOVES
from boyi.search.tree.memory cimport Node, Tree


cdef inline double log_prior(double prior) noexcept nogil:
    """The logarithm of a prior, finite also for 0."""
    return log(prior + 1e-30)


cdef inline int set_priors(Tree* tree, int number, double* logits) noexcept nogil:
    """The softmax of the logits of its moves, which are overwritten."""
    cdef Node* node = &tree.nodes[number]
    cdef double largest = -1e300, total = 0
    cdef int i
    for i in range(node.children):
        largest = logits[i] if logits[i] > largest else largest
    for i in range(node.children):
        logits[i] = exp(logits[i] - largest)
        total += logits[i]
    for i in range(node.children):
        tree.nodes[node.first + i].prior = logits[i] / total
    return 0


cdef inline double random_gamma(uint64_t* random, double shape) noexcept nogil:
    """From the Gamma distribution of that shape (Marsaglia and Tsang 2000)."""
    cdef double boost = 1, third, spread, normal, cube
    if shape < 1:
        boost = pow(1 - random_unit(random), 1 / shape)
        shape += 1
    third = shape - 1.0 / 3
    spread = 1 / sqrt(9 * third)
    while True:
        normal = sqrt(-2 * log(1 - random_unit(random))) * cos(6.283185307179586 * random_unit(random))
        cube = (1 + spread * normal) * (1 + spread * normal) * (1 + spread * normal)
        if cube > 0 and log(1 - random_unit(random)) < normal * normal / 2 + third * (1 - cube + log(cube)):
            return boost * third * cube


cdef inline int add_noise(Tree* tree, double share, double shape, uint64_t* random) noexcept nogil:
    """Mix Dirichlet noise, which is Gamma numbers over their sum, into the priors of the root's moves."""
    cdef Node* root = &tree.nodes[0]
    cdef Node* child
    cdef double noise[MAX_MOVES]
    cdef double total = 0
    cdef int i
    for i in range(root.children):
        noise[i] = random_gamma(random, shape)
        total += noise[i]
    if total <= 0:
        return 0                     # all of them underflowed
    for i in range(root.children):
        child = &tree.nodes[root.first + i]
        child.prior = (1 - share) * child.prior + share * noise[i] / total
    return 0
