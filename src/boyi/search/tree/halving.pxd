"""Gumbel: sequential halving among the moves of the root (Danihelka, Guez, Schrittwieser and Silver 2022).

The moves with the largest logits, with Gumbel noise or without, are the candidates. In each phase all candidates get
the same number of visits, then the worse half is given up; the last two share what is left. A candidate's score is its
logit plus its value, which weighs the more the more visits there are.
"""

from libc.math cimport log
from libc.stdint cimport int64_t, uint64_t

from boyi.core.random cimport random_unit
from boyi.core.types cimport MAX_MOVES
from boyi.kit.control cimport Control, has_deadline, now
from boyi.search.tree.memory cimport Node, Tree, mean_value
from boyi.search.tree.priors cimport log_prior

cdef enum:
    C_VISIT = 50               # visits; the paper's c_visit: with it values weigh something from the start


cdef struct Halving:           # candidates are numbers of children of the root, counted from 0
    # ---- settings
    bint on
    bint solver                # do not visit what is proven
    int moves                  # how many moves it begins with
    double noise               # the scale of the Gumbel noise; 0 for play, 1 for games to learn from
    double value_scale         # the paper's c_scale
    # ---- state
    int64_t budget             # simulations that all phases share
    int candidates[MAX_MOVES]  # the first `count` are still in it, then those given up
    int count
    int phase
    int phases
    int64_t phase_end          # when this number of simulations were made
    double logits[MAX_MOVES]   # Gumbel noise + logarithm of the prior
    int visits[MAX_MOVES]      # of all moves, in this search


cdef inline int _plan_phase(Halving* halving, int64_t simulations) noexcept nogil:
    """When the present phase ends: when its share of simulations is used up, and not before all had one each."""
    cdef int64_t each = halving.budget // (halving.phases * halving.count)
    halving.phase_end = simulations + (each if each > 1 else 1) * halving.count
    return 0


cdef inline int begin_halving(Halving* halving, Tree* tree, int64_t budget, int64_t simulations,
                              uint64_t* random) noexcept nogil:
    """Take the moves with the largest logits as candidates, the best first. `simulations` were made already."""
    cdef Node* root = &tree.nodes[0]
    cdef int i, j, best, n = root.children
    cdef double noise
    halving.budget = budget
    for i in range(n):
        # Half a step of the random numbers more keeps them within (0, 1).
        noise = -log(-log(random_unit(random) + 0.5 / 9007199254740992.0))
        halving.logits[i] = halving.noise * noise + log_prior(tree.nodes[root.first + i].prior)
        halving.candidates[i] = i
    halving.count = n if n < halving.moves else halving.moves
    for i in range(halving.count):
        best = i
        for j in range(i + 1, n):
            if halving.logits[halving.candidates[j]] > halving.logits[halving.candidates[best]]:
                best = j
        j = halving.candidates[i]
        halving.candidates[i] = halving.candidates[best]
        halving.candidates[best] = j
    halving.phase = 0
    halving.phases = 1
    while 1 << halving.phases < halving.count:
        halving.phases += 1
    return _plan_phase(halving, simulations)


cdef inline int candidate_child(Halving* halving, Tree* tree) noexcept nogil:
    """All candidates in turn, but none whose value is proven; when all are, the other moves in turn."""
    cdef Node* root = &tree.nodes[0]
    cdef int i, child, visits, chosen = -1, fewest = 0
    for i in range(halving.count):
        child = halving.candidates[i]
        visits = halving.visits[child] + tree.nodes[root.first + child].pending
        if (chosen < 0 or visits < fewest) and not (halving.solver and tree.nodes[root.first + child].proven):
            chosen = child
            fewest = visits
    if chosen < 0:
        for child in range(root.children):
            visits = halving.visits[child] + tree.nodes[root.first + child].pending
            if (chosen < 0 or visits < fewest) and not tree.nodes[root.first + child].proven:
                chosen = child
                fewest = visits
    return root.first + chosen


cdef inline double value_weight(Halving* halving, Tree* tree) noexcept nogil:
    """How much a value from 0 to 1 counts beside a logit: the paper's (c_visit + most visits) * c_scale."""
    cdef int i, most = 0
    for i in range(tree.nodes[0].children):
        most = halving.visits[i] if halving.visits[i] > most else most
    return (C_VISIT + most) * halving.value_scale


cdef inline double weighed_value(Halving* halving, Tree* tree, double value) noexcept nogil:
    """A value from -1 to 1 as it counts beside a logit: the paper's sigma."""
    return value_weight(halving, tree) * (value + 1) / 2


cdef inline double candidate_score(Halving* halving, Tree* tree, int child) noexcept nogil:
    return halving.logits[child] + weighed_value(halving, tree, mean_value(tree, tree.nodes[0].first + child))


cdef inline bint is_candidate(Halving* halving, int child) noexcept nogil:
    cdef int i
    for i in range(halving.count):
        if halving.candidates[i] == child:
            return True
    return False


cdef inline int halve(Halving* halving, Tree* tree, Control* control) noexcept nogil:
    """When a phase is over, give the worse half of the candidates up. The last two share what is left."""
    cdef double elapsed
    cdef int i, j, moving
    if halving.count <= 2:
        return 0
    if control.nodes < halving.phase_end:
        # A search by the clock cannot know how many simulations it has: every phase gets the same time.
        if not has_deadline(control):
            return 0
        elapsed = (now() - control.began) / (control.deadline - control.began)
        if elapsed * halving.phases < halving.phase + 1:
            return 0
    halving.phase += 1
    for i in range(1, halving.count):
        moving = halving.candidates[i]
        j = i
        while j > 0 and (candidate_score(halving, tree, halving.candidates[j - 1])
                         < candidate_score(halving, tree, moving)):
            halving.candidates[j] = halving.candidates[j - 1]
            j -= 1
        halving.candidates[j] = moving
    halving.count = (halving.count + 1) // 2
    return _plan_phase(halving, control.nodes)
