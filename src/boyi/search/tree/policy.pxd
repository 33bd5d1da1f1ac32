"""The policy of the root after a search: what a network is to learn, and the move to play in a game to learn from.

It is the share of visits, without those that were only forced; after a halving, the improved policy. Proofs outweigh
both.
"""

from libc.math cimport exp, pow, sqrt
from libc.stdint cimport uint64_t

from boyi.core.types cimport MAX_MOVES, move_t
from boyi.search.playout cimport pick_by_odds
from boyi.search.tree.halving cimport Halving, value_weight, weighed_value
from boyi.search.tree.memory cimport Node, Tree, mean_value
from boyi.search.tree.priors cimport log_prior
from boyi.search.tree.ranking cimport best_child
from boyi.search.tree.selection cimport Selection


cdef inline int _count_visits(Tree* tree, Selection* rule, double* counts) noexcept nogil:
    """How often each root move was visited; less, where that was forced, what PUCT would not have done.

    Visits are taken back from a move, but never more than were forced upon it, while its bound would still be below
    that of the most visited one; a single visit that is left is dropped (Wu 2019, "policy target pruning").
    """
    cdef Node* root = &tree.nodes[0]
    cdef Node* child
    cdef double exploration = rule.exploration * sqrt(root.visits), best, mean, forced
    cdef int i, most = root.first, left
    for i in range(root.children):
        counts[i] = tree.nodes[root.first + i].visits
        if tree.nodes[root.first + i].visits > tree.nodes[most].visits or (
                tree.nodes[root.first + i].visits == tree.nodes[most].visits
                and mean_value(tree, root.first + i) > mean_value(tree, most)):
            most = root.first + i
    if rule.forced_playouts <= 0 or tree.nodes[most].visits == 0:
        return 0
    best = mean_value(tree, most) + exploration * tree.nodes[most].prior / (1 + tree.nodes[most].visits)
    for i in range(root.children):
        child = &tree.nodes[root.first + i]
        if root.first + i == most or child.visits == 0 or child.proven:
            continue
        mean = mean_value(tree, root.first + i)
        forced = sqrt(rule.forced_playouts * child.prior * root.visits)
        left = child.visits
        while left > 0 and child.visits - left < forced and mean + exploration * child.prior / left < best:
            left -= 1
        counts[i] = left if left > 1 else 0
    return 0


cdef inline int _improve_priors(Tree* tree, Halving* halving, double* policy) noexcept nogil:
    """The priors, moved towards the better values (Danihelka and others 2022, equations 10 and 11); not normalised.

    A move that was not visited is worth what the position is: the predictor's value of the root and the values of
    the moves that were visited, weighed by their priors, as if it were one visit among all.
    """
    cdef Node* root = &tree.nodes[0]
    cdef Node* child
    cdef double own = root.actor_sum, visited_priors = 0, weighed = 0, visits = 0, mixed, value, largest = -1e300
    cdef double weight = value_weight(halving, tree)
    cdef int i
    for i in range(root.first, root.first + root.children):
        child = &tree.nodes[i]
        own -= child.chooser_sum
        if child.visits:
            visits += child.visits
            visited_priors += child.prior
            weighed += child.prior * mean_value(tree, i)
    mixed = (own + (visits * weighed / visited_priors if visited_priors > 0 else 0.0)) / (1 + visits)
    for i in range(root.children):
        child = &tree.nodes[root.first + i]
        value = mean_value(tree, root.first + i) if child.visits or child.proven else mixed
        policy[i] = log_prior(child.prior) + weight * (value + 1) / 2
        largest = policy[i] if policy[i] > largest else largest
    for i in range(root.children):
        policy[i] = exp(policy[i] - largest)
    return 0


cdef inline int read_policy(Tree* tree, Selection* rule, Halving* halving, move_t* moves,
                            float* policy) noexcept nogil:
    """The moves of the root and the policy, which sums to 1; how many moves there are.

    Nothing for a proven loss, and where the root itself is proven only for moves that keep its result; of several
    wins, for the soonest.
    """
    cdef Node* root = &tree.nodes[0]
    cdef Node* child
    cdef double weights[MAX_MOVES]
    cdef double total = 0, proof
    cdef int i, best = best_child(tree, halving, 0) - root.first
    if halving.on:
        _improve_priors(tree, halving, weights)
    else:
        _count_visits(tree, rule, weights)
    for i in range(root.children):
        child = &tree.nodes[root.first + i]
        moves[i] = child.move
        proof = tree.proofs[(root.first + i) * tree.players + root.side] if child.proven else -1
        if root.proven:
            if not child.proven or proof < tree.proofs[root.side] or (proof >= 1 and i != best):
                weights[i] = 0
        elif child.proven and proof <= -1:
            weights[i] = 0
        total += weights[i]
    if total <= 0:                       # a proof may end a search before anything was tried twice
        weights[best] = total = 1
    for i in range(root.children):
        policy[i] = <float> (weights[i] / total)
    return root.children


cdef inline move_t choose_move(Tree* tree, Selection* rule, Halving* halving, double temperature,
                               uint64_t* random) noexcept nogil:
    """A move of the root: at temperature 0 the best one, at 1 drawn by the policy.

    After a halving the noise has drawn already, and the temperature says how much of it shall decide.
    """
    cdef Node* root = &tree.nodes[0]
    cdef move_t moves[MAX_MOVES]
    cdef float policy[MAX_MOVES]
    cdef double powers[MAX_MOVES]
    cdef double largest = 0, total = 0, score, best = -1e300
    cdef int i, child, chosen = best_child(tree, halving, 0)
    if root.proven or (temperature <= 0 and not halving.on):
        return tree.nodes[chosen].move
    if halving.on:
        for i in range(halving.count):
            child = halving.candidates[i]
            score = log_prior(tree.nodes[root.first + child].prior)
            score += temperature * (halving.logits[child] - score)
            score += weighed_value(halving, tree, mean_value(tree, root.first + child))
            if score > best:
                best = score
                chosen = root.first + child
        return tree.nodes[chosen].move
    for i in range(read_policy(tree, rule, halving, moves, policy)):
        largest = policy[i] if policy[i] > largest else largest
    for i in range(root.children):
        powers[i] = pow(policy[i] / largest, 1 / temperature)
        total += powers[i]
    for i in range(root.children):
        powers[i] /= total
    return moves[pick_by_odds(powers, root.children, random)]
