"""Monte Carlo tree search: any number of players, chance, rollouts, an evaluator or a network.

One file, to be read from top to bottom. A simulation has four steps: descend through the
tree, choosing by value and curiosity; let the tree grow by a node; value the leaf; back the
values up. After many of them the most visited move is the best.

- Values are per player, from -1 to 1. Whoever acts wants his own to be large and cares for no
  other (max^n, Luckhardt and Irani 1986; Sturtevant 2008 for trees like this one), so a node
  need only sum the value for the player who chose it. With two players it is plain minimax.
- Chance turns are nodes, too: there the odds choose. A leaf where chance acts is valued after a
  draw, since evaluators look only at positions in which a player acts.
- The tree is a tree and not a graph: a position reached by two paths is two nodes, so repetition and
  move limits, which depend on the path, are always judged rightly.
- The solver proves results per player (Winands, Björnsson and Saito 2008): a position is proven
  when a move is proven to win, or when all moves are proven; a chance turn, when all results are.
- The tree lies in one block of memory, each node before its children. Nothing is allocated during a
  search; to keep a part of it for the next one, nodes move towards the front and stay in order.
- Descending, valuing and backing up are separate steps, and only valuing asks the evaluator.
- A predictor (a network) values many leaves at the price of a few. So the search descends several times before
  it asks. A leaf on its way counts as a visit of unknown value to all nodes above it (Liu and others 2020), and
  so the next descent goes elsewhere; one that still comes to a leaf that waits is a miss and not a simulation.
  What is known without asking (ends, proofs) is backed up at once. Leaves grow when they are first met, for the
  predictor says with the value of a position which of its moves look promising.

Nothing depends on the clock unless seconds are given: the same seed, node limit and
predecessors in a game give the same answer, bit for bit. A node, in limits and results, is a simulation.

Papers: Kocsis and Szepesvári 2006 (UCT), Coulom 2006, Rosin 2011 and Silver and others 2017 (PUCT),
Winands, Björnsson and Saito 2008 (MCTS-Solver), Danihelka, Guez, Schrittwieser and Silver 2022 (Gumbel),
Wu 2019 ("Accelerating self-play learning in Go", forced playouts),
Liu, Chen, Yu, Zhai, Zhou and Liu 2020 ("Watch the Unobserved", for leaves that wait).
"""

from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from libc.math cimport atanh, cos, exp, log, pow, sqrt
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

from boyi.core.evaluator cimport GUESS, WIN, Evaluator
from boyi.core.position cimport Position
from boyi.core.predictor cimport Batch, Predictor
from boyi.core.random cimport random_below, random_unit
from boyi.core.types cimport CHANCE, MAX_MOVES, MAX_PLAYERS, OVER, move_t
from boyi.search.control cimport PATIENCE, begin, now, out_of_budget
from boyi.search.playout cimport first_state, pick_by_odds, play_randomly

from boyi.core.errors import OptionError, TextError
from boyi.core.searcher import Line, Result
from boyi.search.mcts_options import MCTSOptions
from boyi.search.tree_node import TreeNode

cdef enum:
    UNSEEN = -3                # as the side of a node: not visited yet
    STRIDE = 512               # plies of a rollout between two looks at the clock
    LONGEST_ROLLOUT = 100000   # a game still unfinished is broken off and values nothing
    LONGEST_PROOF = 32000
    MAX_DEPTH = 1 << 20
    # Danihelka and others: how soon values outweigh priors in the halving.
    VISIT_OFFSET = 50
    MISSED = -1                # as the row of a descent: its leaf waited already


cdef double TINY = 1e-30       # keeps the logarithm of a prior finite


cdef double random_gamma(uint64_t* state, double shape) noexcept nogil:
    """From the Gamma distribution of that shape (Marsaglia and Tsang 2000)."""
    cdef double boost = 1, third, spread, normal, cube
    if shape < 1:
        boost = pow(1 - random_unit(state), 1 / shape)
        shape += 1
    third = shape - 1.0 / 3
    spread = 1 / sqrt(9 * third)
    while True:
        normal = sqrt(-2 * log(1 - random_unit(state))) * cos(6.283185307179586 * random_unit(state))
        cube = (1 + spread * normal) * (1 + spread * normal) * (1 + spread * normal)
        if cube > 0 and log(1 - random_unit(state)) < normal * normal / 2 + third * (1 - cube + log(cube)):
            return boost * third * cube


cdef class MCTS:
    """The searcher: options, perhaps an evaluator or a predictor, and a tree that outlives a search."""

    def __cinit__(self, *args, **kwargs):
        self._history = []

    def __init__(self, Evaluator evaluator=None, options=None, Predictor predictor=None):
        self.options = MCTSOptions() if options is None else options
        self.evaluator = evaluator
        self.predictor = predictor
        if not isinstance(self.options, MCTSOptions):
            raise OptionError(f"Monte Carlo tree search takes MCTSOptions, not {type(options).__name__}")
        if evaluator is None and self.options.priors == "evaluator":
            raise OptionError("search option priors: there is no evaluator to take them from")
        if evaluator is None and self.options.rollout_plies:
            raise OptionError("search option rollout_plies: there is no evaluator to ask after them")
        if predictor is not None and (evaluator is not None or self.options.rollouts):
            raise OptionError("a search values leaves by a network, by an evaluator or by rollouts: name one of them")
        if predictor is None and self.options.batch > 1:
            raise OptionError("search option batch: leaves wait for one another only where a network values them")
        first_state(self.options.seed)      # refuses what is no seed
        self._unpack()
        PyMem_RawFree(self._block)
        self._block = <char*> PyMem_RawMalloc(<size_t> self.options.megabytes << 20)
        if self._block == NULL:
            raise MemoryError(f"no room for a tree of {self.options.megabytes} MB")
        self._used = 0
        self._batch = None
        PyMem_RawFree(self._awaited)
        self._awaited = <Awaited*> PyMem_RawMalloc(2 * <size_t> self.options.batch * sizeof(Awaited))
        if self._awaited == NULL:
            raise MemoryError(f"no room for {self.options.batch} leaves that wait")

    def __dealloc__(self):
        PyMem_RawFree(self._block)
        PyMem_RawFree(self._awaited)

    def search(self, Position position not None, limits):
        """The best moves of a position in which a player acts; the position is left as it was."""
        if self.predictor is not None and self._batch is None:    # a search in steps needs none of its own
            self._batch = Batch(self.predictor.encoder, self.options.batch)
        self._begin(position, limits)
        try:
            with nogil:
                self._run()
        except BaseException:
            self._used = 0               # a simulation may have been cut in half
            raise
        finally:
            self._let_go()
        return self._answer()

    # ------------------------------------------------------------------ in steps, for a loop over many games

    def begin(self, Position position not None, limits, seed=None):
        """Begin a search that somebody else drives: `collect`, predict, `absorb`, until `done`; then `finish`.

        Random numbers start at the seed, if there is one, and not at that of the options: a game to learn from wants
        other noise for every move.
        """
        cdef uint64_t state = 0 if seed is None else first_state(seed)     # refuses what is no seed
        if self.predictor is None:
            raise OptionError("a search in steps needs a predictor: nothing waits without one")
        self._begin(position, limits)
        if seed is not None:
            self._random = state
        self._stepping = True
        try:
            with nogil:
                self._open()
        except BaseException:
            self._let_go()
            raise

    def collect(self, Batch batch not None):
        """Put leaves into the batch, no more than the option `batch` and the batch have room for; how many."""
        cdef int collected
        self._check_step(batch)
        if self._awaited_count:
            raise RuntimeError("leaves were collected already; absorb them first")
        with nogil:
            collected = self.collect_leaves(batch)
        return collected

    def absorb(self, Batch batch not None):
        """Take in the predictions for the leaves that were collected."""
        self._check_step(batch)
        with nogil:
            self.absorb_answers(batch)

    @property
    def done(self):
        """Has the search met a limit, or is there nothing left to find out?"""
        return self.must_end()

    def finish(self):
        """End a search that was begun with `begin`: the best moves."""
        if not self._stepping:
            raise RuntimeError("no search was begun that could be finished")
        if self._awaited_count:
            raise RuntimeError("leaves were collected and not absorbed; absorb them first")
        if not self._opened:
            raise RuntimeError("nothing was searched yet; collect and absorb at least once")
        self._let_go()
        return self._answer()

    def _check_step(self, Batch batch):
        if not self._stepping:
            raise RuntimeError("no search was begun; call begin first")
        if batch.encoder is not self.predictor.encoder:
            raise OptionError("this batch was encoded by another encoder than the predictor's")

    # ------------------------------------------------------------------ the same for compiled loops

    cdef int begin_steps(self, Position position, int64_t nodes, uint64_t random, bint plain) except -1:
        """Begin a search in steps from a position in which a player acts and that the predictor was made for."""
        if self._busy:
            raise RuntimeError("this searcher is searching already; make one per game")
        begin(&self._control, 0, nodes)
        self._game = None                # only follow() knows what this tree stands for
        self._reused = 0
        if self._used and self._at > 0 and self._nodes[self._at].children and self.options.reuse:
            self._reused = self._cut_down(self._at)
        else:
            self._sow(position)
        self._at = 0
        self._prepare(position)
        self._depth_limit = MAX_DEPTH
        self._random = random
        self._plain = plain
        self._busy = self._stepping = True
        return self._open()

    cdef int end_steps(self) except -1:
        """The search is over; the tree stays."""
        return self._let_go()

    cdef int follow(self, move_t move) noexcept nogil:
        """A move was made: where in the tree the game is now."""
        cdef Node* node
        cdef int i
        if self._at < 0 or self._used == 0:
            return 0
        node = &self._nodes[self._at]
        self._at = -1
        for i in range(node.first, node.first + node.children):
            if self._nodes[i].move == move:
                self._at = i
        return 0

    cdef int64_t simulations(self) noexcept nogil:
        return self._control.nodes

    cdef double root_value(self) noexcept nogil:
        cdef Node* root = &self._nodes[0]
        if root.proven:
            return self._proofs[root.side]
        return root.worth / root.visits if root.visits else 0.0

    cdef int root_policy(self, move_t* moves, float* policy) noexcept nogil:
        """What is to be learned from the search: visits, or after a halving the improved policy.

        Proofs outweigh both: no trust in a proven loss, and where the root itself is proven only in moves that keep
        its result; of several wins, in the soonest.
        """
        cdef Node* root = &self._nodes[0]
        cdef Node* child
        cdef double trust[MAX_MOVES]
        cdef double total = 0, kept
        cdef int i, best = self._best_child(0) - root.first
        if self._switches.gumbel:
            self._improve(trust)
        else:
            self._count_playouts(trust)
        for i in range(root.children):
            child = &self._nodes[root.first + i]
            moves[i] = child.move
            kept = self._proofs[(root.first + i) * self._players + root.side] if child.proven else -1
            if root.proven:
                if not child.proven or kept < self._proofs[root.side] or (kept >= 1 and i != best):
                    trust[i] = 0
            elif child.proven and kept <= -1:
                trust[i] = 0
            total += trust[i]
        if total <= 0:                       # a proof may end a search before anything was tried twice
            trust[best] = total = 1
        for i in range(root.children):
            policy[i] = <float> (trust[i] / total)
        return root.children

    cdef move_t root_choice(self, double temperature, uint64_t* random) noexcept nogil:
        """A move of the root: at 0 the best one, at 1 drawn by the policy, between them more often a good one.

        Under gumbel the noise has drawn already, and the temperature says how much of it shall decide.
        """
        cdef Node* root = &self._nodes[0]
        cdef move_t moves[MAX_MOVES]
        cdef float policy[MAX_MOVES]
        cdef double powers[MAX_MOVES]
        cdef double largest = 0, total = 0, score, best = -1e300
        cdef int i, child, chosen = self._best_child(0)
        if root.proven or (temperature <= 0 and not self._switches.gumbel):
            return self._nodes[chosen].move
        if self._switches.gumbel:
            for i in range(self._candidate_count):
                child = self._candidates[i]
                score = log(self._nodes[root.first + child].prior + TINY)
                score += temperature * (self._hopes[child] - score)
                score += self._influence() * (self._mean(root.first + child) + 1) / 2
                if score > best:
                    best = score
                    chosen = root.first + child
            return self._nodes[chosen].move
        for i in range(self.root_policy(moves, policy)):
            largest = policy[i] if policy[i] > largest else largest
        for i in range(root.children):
            powers[i] = pow(policy[i] / largest, 1 / temperature)
            total += powers[i]
        for i in range(root.children):
            powers[i] /= total
        return moves[pick_by_odds(powers, root.children, random)]

    cdef int _force(self) noexcept nogil:
        """A root move that was tried, but less often than its prior demands; -1 if there is none."""
        cdef Node* root = &self._nodes[0]
        cdef Node* child
        cdef int i, tries
        for i in range(root.first, root.first + root.children):
            child = &self._nodes[i]
            tries = child.visits + child.passing
            if (tries > 0 and not child.proven
                    and tries * <double> tries < self._switches.forced_playouts * child.prior * root.visits):
                return i
        return -1

    cdef int _count_playouts(self, double* playouts) noexcept nogil:
        """How often each root move was tried; less, where that was forced, what the rule of choice would not have done.

        Visits are taken back from a move, but never more than were forced upon it, while it would still look worse
        than the most visited one; what is left with a single visit was not worth it (Wu 2019, "policy target pruning").
        """
        cdef Node* root = &self._nodes[0]
        cdef Node* child
        cdef double curiosity = self._switches.exploration * sqrt(root.visits), best, mean, forced
        cdef int i, most = root.first, left
        for i in range(root.children):
            playouts[i] = self._nodes[root.first + i].visits
            if self._nodes[root.first + i].visits > self._nodes[most].visits or (
                    self._nodes[root.first + i].visits == self._nodes[most].visits
                    and self._mean(root.first + i) > self._mean(most)):
                most = root.first + i
        if self._switches.forced_playouts <= 0 or self._plain or self._nodes[most].visits == 0:
            return 0
        best = self._mean(most) + curiosity * self._nodes[most].prior / (1 + self._nodes[most].visits)
        for i in range(root.children):
            child = &self._nodes[root.first + i]
            if root.first + i == most or child.visits == 0 or child.proven:
                continue
            mean = self._mean(root.first + i)
            forced = sqrt(self._switches.forced_playouts * child.prior * root.visits)
            left = child.visits
            while left > 0 and child.visits - left < forced and mean + curiosity * child.prior / left < best:
                left -= 1
            playouts[i] = left if left > 1 else 0
        return 0

    cdef int _improve(self, double* trust) noexcept nogil:
        """The priors, moved towards the better values (Danihelka and others 2022, equations 10 and 11).

        A move that was not tried is worth what the position is: the predictor's value of the root and the values of
        the moves that were tried, weighed by their priors, as if it were one visit among all.
        """
        cdef Node* root = &self._nodes[0]
        cdef Node* child
        cdef double own = root.worth, believed = 0, weighed = 0, visits = 0, mixed, value, largest = -1e300
        cdef double influence = self._influence()
        cdef int i
        for i in range(root.first, root.first + root.children):
            child = &self._nodes[i]
            own -= child.gain
            if child.visits:
                visits += child.visits
                believed += child.prior
                weighed += child.prior * self._mean(i)
        mixed = (own + (visits * weighed / believed if believed > 0 else 0.0)) / (1 + visits)
        for i in range(root.children):
            child = &self._nodes[root.first + i]
            value = self._mean(root.first + i) if child.visits or child.proven else mixed
            trust[i] = log(child.prior + TINY) + influence * (value + 1) / 2
            largest = trust[i] if trust[i] > largest else largest
        for i in range(root.children):
            trust[i] = exp(trust[i] - largest)
        return 0

    cdef int _begin(self, Position position, object limits) except -1:
        """Everything before the first simulation."""
        cdef int kept
        if limits.nodes is None and limits.seconds is None:
            raise OptionError("Monte Carlo tree search has no natural end: limit its nodes or seconds")
        if position.over() or position.side < 0:
            raise TextError("there is nothing to search: no player acts in this position")
        if self._busy:
            raise RuntimeError("this searcher is searching already; make one per thread")
        self._busy = True
        try:
            begin(&self._control, limits.seconds or 0, limits.nodes or 0)   # first: who says stop from now on, is heard
            if self.evaluator is not None:
                self.evaluator.check(position)
            if self.predictor is not None:
                self.predictor.check(position)
            # 1. The part of the last tree that the game has led to, or a new one.
            kept = self._find(position)
            self._reused = 0
            if kept > 0:
                self._reused = self._cut_down(kept)
                self._history = position.history()
            else:
                self._plant(position)
            # 2. What the search needs to know.
            self._prepare(position)
            self._random = first_state(self.options.seed)
            self._depth_limit = min(limits.depth or MAX_DEPTH, MAX_DEPTH)
            self._lines = limits.lines
        except BaseException:
            self._busy = False
            raise
        return 0

    cdef int _prepare(self, Position position) except -1:
        """Nothing has been counted yet, and nothing waits."""
        self._position = position
        self._root_ply = position.ply
        self._heeded = self._control.began
        self._ended = self._opened = self._plain = False
        self._awaited_count = self._leaf_count = 0
        memset(&self._counters, 0, sizeof(self._counters))
        return 0

    cdef int _let_go(self) except -1:
        """Leave the position as it was."""
        while self._position.ply > self._root_ply:
            self._position.unmake()
        self._position = None
        self._busy = self._stepping = False
        return 0

    def stop(self):
        """End a running search soon; it answers with what it has."""
        self._control.stopped = True

    def forget(self):
        """Give the tree up, and a search in steps that is under way; the next search starts from nothing."""
        if self._stepping:
            self._let_go()
        if self._busy:
            raise RuntimeError("this searcher is searching; it cannot forget now")
        self._used = 0

    def policy(self):
        """What is to be learned from the last search: per root move how much it is to be trusted, 1 in all."""
        cdef move_t moves[MAX_MOVES]
        cdef float policy[MAX_MOVES]
        cdef int i
        if self._busy or self._used == 0 or self._nodes[0].children == 0:
            raise RuntimeError("no search has ended whose policy could be told")
        return {moves[i]: policy[i] for i in range(self.root_policy(moves, policy))}

    def tree(self):
        """The tree as it lies in memory, each node before its children: for tests and for the curious."""
        cdef Node* node
        cdef int i, player
        found = []
        for i in range(self._used):
            node = &self._nodes[i]
            found.append(TreeNode(
                node.parent, node.move, node.side, node.visits, node.gain, node.worth, node.prior, node.passing,
                tuple(self._proofs[i * self._players + player] for player in range(self._players))
                if node.proven else None))
        return found

    def _unpack(self):
        cdef Switches switches
        options = self.options
        switches.puct = options.selection == "puct"
        switches.batch = options.batch
        switches.rollouts = options.rollouts or self.evaluator is None
        switches.solver = options.solver
        switches.gumbel = options.gumbel
        switches.evaluator_priors = options.priors == "evaluator"
        switches.exploration = options.exploration
        switches.first_play = options.first_play
        switches.prior_temperature = options.prior_temperature
        switches.rollout_plies = options.rollout_plies
        switches.gumbel_moves = options.gumbel_moves
        switches.gumbel_noise = options.gumbel_noise
        switches.gumbel_scale = options.gumbel_scale
        switches.forced_playouts = options.forced_playouts
        switches.root_noise = options.root_noise
        switches.root_noise_shape = options.root_noise_shape
        self._switches = switches

    # ------------------------------------------------------------------ the search

    cdef int _run(self) except -1 nogil:
        """Simulate until a limit is met or nothing is left to find out."""
        self._open()
        while not self.must_end():
            if self.predictor is None:
                self._simulate()
                self._count()
            else:
                self._batch.clear()
                if self.collect_leaves(self._batch):
                    self.predictor.predict(self._batch)
                self.absorb_answers(self._batch)
            self._heed_signals()
        return 0

    cdef bint must_end(self) noexcept nogil:
        return self._ended or self._nodes[0].proven

    cdef int _open(self) except -1 nogil:
        """Let the root know its moves; one that a predictor is to be asked about learns them with its value."""
        if self._nodes[0].children == 0:
            if self.predictor is not None:
                return 0
            if not self._grow(0):
                with gil:
                    raise OptionError("search option megabytes: too little room for the moves of one position")
        return self._begin_choosing()

    cdef int _begin_choosing(self) noexcept nogil:
        """Once the root has its moves and priors: candidates or noise, whatever the options want."""
        self._opened = True
        memset(self._rounds, 0, self._nodes[0].children * sizeof(int))
        if self._switches.gumbel:
            self._begin_halving()
        if self._switches.root_noise > 0 and not self._plain:
            self._add_noise()
        return 0

    cdef int _count(self) except -1 nogil:
        """Count a simulation and see whether it was the last; else halve the candidates when it is time."""
        cdef bint in_a_hurry = self._control.deadline < 1e299
        # Simulations may be slow; they look at the clock more often than nodes of other searches do.
        # And the only move needs no clock time.
        if (out_of_budget(&self._control) or (in_a_hurry and now() >= self._control.deadline)
                or (in_a_hurry and self._nodes[0].children == 1 and self._control.nodes >= PATIENCE)):
            self._ended = True
        elif self._switches.gumbel and self._opened:
            self._halve()
        return 0

    cdef int _simulate(self) except -1 nogil:
        cdef double values[MAX_PLAYERS]
        cdef int leaf = self._descend()
        if self._value_leaf(leaf, values):
            self._back_up(leaf, values)
        return self._go_back()

    # ---- step 1: descend

    cdef int _descend(self) except -1 nogil:
        """Follow the tree to a leaf, making its moves; its number. The tree grows under a leaf that is met again.

        With a predictor a player's leaf grows when it is put into a batch, and a chance turn is walked
        through at once: what comes behind it can be predicted.
        """
        cdef int number = 0, depth = 0
        cdef bint waits
        while not self._nodes[number].proven and not self._nodes[number].awaited:
            if self._nodes[number].children == 0:
                waits = self._nodes[number].side >= 0 if self.predictor is not None else self._nodes[number].visits == 0
                if waits or depth >= self._depth_limit or not self._grow(number):
                    break
            number = self._choose(number)
            self._position.make(self._nodes[number].move)
            depth += 1
            if self._nodes[number].side == UNSEEN:
                self._meet(number)
        if depth > self._counters.deepest:
            self._counters.deepest = depth
        return number

    cdef int _meet(self, int number) except -1 nogil:
        """First visit: see who acts and whether the game is over, which is a proof."""
        cdef double scores[MAX_PLAYERS]
        cdef int player
        if not self._position.over():
            self._nodes[number].side = self._position.side
            return 0
        self._position.score(scores)
        for player in range(self._players):
            self._proofs[number * self._players + player] = <float> scores[player]
        self._nodes[number].side = OVER
        self._nodes[number].proven = True
        self._nodes[number].distance = 0
        return 0

    cdef int _choose(self, int number) noexcept nogil:
        """The child to go to: by the odds at a chance turn, else by value and curiosity."""
        cdef Node* node = &self._nodes[number]
        cdef Node* child
        cdef int i, chosen = node.first
        cdef int tries = node.visits + node.passing
        cdef double value, score, curiosity, unplayed = 0, best = -1e300, at
        if node.side == CHANCE:
            at = random_unit(&self._random)
            i = 0
            while i < node.children - 1 and at >= self._nodes[node.first + i].prior:
                at -= self._nodes[node.first + i].prior
                i += 1
            return node.first + i
        if number == 0 and self._switches.gumbel:
            return self._choose_candidate()
        if number == 0 and self._switches.forced_playouts > 0 and not self._plain:
            i = self._force()
            if i >= 0:
                return i
        if self._switches.puct:
            curiosity = self._switches.exploration * sqrt(tries if tries else 1)
            unplayed = (node.worth / node.visits if node.visits else 0.0) - self._switches.first_play
        else:
            curiosity = log(tries) if tries else 0.0
            unplayed = node.worth / node.visits if node.visits else 0.0
        for i in range(node.first, node.first + node.children):
            child = &self._nodes[i]
            tries = child.visits + child.passing
            if child.visits:
                value = child.gain / child.visits
            elif self._switches.puct or tries:
                value = unplayed
            else:
                return i                  # moves lie in random order, so the next one is as good as any
            if child.proven and self._switches.solver:
                value = self._proofs[i * self._players + node.side]
                if value <= -1:
                    continue              # a proven loss; were all moves such, the node would be proven itself
            if self._switches.puct:
                score = value + curiosity * child.prior / (1 + tries)
            else:
                score = value + self._switches.exploration * sqrt(curiosity / tries)
            if score > best:
                best = score
                chosen = i
        return chosen

    # ---- step 2: grow

    cdef int _grow(self, int number) except -1 nogil:
        """Give the node, which the position stands at, its children; how many. 0 if there is no room."""
        cdef move_t moves[MAX_MOVES]
        cdef double odds[MAX_MOVES]
        cdef Node* child
        cdef move_t other
        cdef int n, i, j
        cdef bint by_odds = self._nodes[number].side == CHANCE
        if by_odds:
            n = self._position.chances(moves, odds)
        else:
            n = self._position.generate(moves)
            for i in range(n - 1, 0, -1):
                j = random_below(&self._random, i + 1)
                other = moves[i]
                moves[i] = moves[j]
                moves[j] = other
        if self._used + n > self._capacity:
            self._counters.refused += 1
            return 0
        self._nodes[number].first = self._used
        self._nodes[number].children = n
        for i in range(n):
            child = &self._nodes[self._used + i]
            memset(child, 0, sizeof(Node))
            child.move = moves[i]
            child.parent = number
            child.side = UNSEEN
            child.prior = odds[i] if by_odds else 1.0 / n
        self._used += n
        if (not by_odds and self._switches.evaluator_priors
                and (self._switches.puct or (number == 0 and self._switches.gumbel))):
            self._set_priors(number)
        return n

    cdef int _set_priors(self, int number) except -1 nogil:
        """Priors from the values one ply on: a softmax. A chance turn there is settled by one draw."""
        cdef double values[MAX_MOVES]
        cdef double all_values[MAX_PLAYERS]
        cdef double largest = -1e300, total = 0
        cdef int first = self._nodes[number].first, n = self._nodes[number].children
        cdef int player = self._nodes[number].side, ply = self._position.ply, i
        for i in range(n):
            self._position.make(self._nodes[first + i].move)
            self._settle_chance()
            if self._position.over():
                self._position.score(all_values)
            else:
                self.evaluator.evaluate_players(self._position, all_values)
                self._counters.evaluations += 1
            while self._position.ply > ply:
                self._position.unmake()
            values[i] = all_values[player] / self._switches.prior_temperature
            largest = values[i] if values[i] > largest else largest
        for i in range(n):
            values[i] = exp(values[i] - largest)
            total += values[i]
        for i in range(n):
            self._nodes[first + i].prior = values[i] / total
        return 0

    # ---- step 3: value

    cdef int _value_leaf(self, int number, double* values) except -1 nogil:
        """What the leaf, which the position stands at, is worth to each player; 0 if the search was stopped over it."""
        cdef int player
        if self._nodes[number].proven:
            for player in range(self._players):
                values[player] = self._proofs[number * self._players + player]
            return 1
        if not self._roll_out(LONGEST_ROLLOUT if self._switches.rollouts else self._switches.rollout_plies):
            return 0
        self._settle_chance()
        if self._position.over():
            self._position.score(values)
        elif self._switches.rollouts:
            for player in range(self._players):
                values[player] = 0
        else:
            self.evaluator.evaluate_players(self._position, values)
            self._counters.evaluations += 1
        return 1

    cdef int _roll_out(self, int most) except -1 nogil:
        """Up to `most` random moves; 0 if the search was stopped meanwhile."""
        cdef int made, left = most
        while left > 0:
            made = play_randomly(self._position, &self._random, left if left < STRIDE else STRIDE)
            self._counters.rollout_plies += made
            if made < STRIDE:
                return 1
            left -= made
            if self._control.stopped or now() >= self._control.deadline:
                return 0
        return 1

    cdef int _settle_chance(self) except -1 nogil:
        """Let chance act until a player does."""
        cdef move_t moves[MAX_MOVES]
        cdef double odds[MAX_MOVES]
        cdef int n
        while self._position.side == CHANCE:
            n = self._position.chances(moves, odds)
            self._position.make(moves[pick_by_odds(odds, n, &self._random)])
        return 0

    # ---- step 4: back up

    cdef int _back_up(self, int number, double* values) noexcept nogil:
        """Add the values to all nodes from the leaf to the root, then see what a new proof proves."""
        cdef Node* node = &self._nodes[number]
        cdef bint news = node.proven and node.visits == 0
        cdef int parent = node.parent, above = parent, child = number
        cdef int side
        while True:
            node.visits += 1
            if node.side >= 0:
                node.worth += values[node.side]
            if above < 0:
                break
            side = self._nodes[above].side
            if side >= 0:
                node.gain += values[side]
            if above == 0:
                self._rounds[child - self._nodes[0].first] += 1
            child = above
            node = &self._nodes[above]
            above = node.parent
        if news:
            self._counters.proofs += 1
            while self._switches.solver and parent >= 0 and self._prove(parent):
                self._counters.proofs += 1
                parent = self._nodes[parent].parent
        return 0

    cdef int _prove(self, int number) noexcept nogil:
        """Do the proofs of its children prove this node? If so, keep the result."""
        cdef Node* node = &self._nodes[number]
        cdef Node* child
        cdef float* proof = &self._proofs[number * self._players]
        cdef double sums[MAX_PLAYERS]
        cdef int i, player, chosen = -1, longest = 0
        cdef bint all_proven = True
        if node.side == CHANCE:
            for player in range(self._players):
                sums[player] = 0
            for i in range(node.first, node.first + node.children):
                child = &self._nodes[i]
                if not child.proven:
                    return 0
                longest = child.distance if child.distance > longest else longest
                for player in range(self._players):
                    sums[player] += child.prior * self._proofs[i * self._players + player]
            for player in range(self._players):
                proof[player] = <float> sums[player]
        else:
            for i in range(node.first, node.first + node.children):
                if not self._nodes[i].proven:
                    all_proven = False
                elif chosen < 0 or self._before_proven(node.side, i, chosen):
                    chosen = i
            if chosen < 0 or not (all_proven or self._proofs[chosen * self._players + node.side] >= 1):
                return 0
            longest = self._nodes[chosen].distance
            for player in range(self._players):
                proof[player] = self._proofs[chosen * self._players + player]
        node.proven = True
        node.distance = longest + 1 if longest < LONGEST_PROOF else LONGEST_PROOF
        return 1

    cdef bint _before_proven(self, int side, int one, int other) noexcept nogil:
        """Of two proven nodes, would `side` go to the first? Win soon, lose late."""
        cdef float value = self._proofs[one * self._players + side]
        cdef float than = self._proofs[other * self._players + side]
        if value != than:
            return value > than
        if value >= 1:
            return self._nodes[one].distance < self._nodes[other].distance
        return value <= -1 and self._nodes[one].distance > self._nodes[other].distance

    # ------------------------------------------------------------------ many leaves at once

    cdef int collect_leaves(self, Batch batch) except -1 nogil:
        """Descend until enough leaves wait in the batch; how many do. What is known at once is backed up at once."""
        cdef double values[MAX_PLAYERS]
        cdef int leaf, misses = 0
        while (self._leaf_count < self._may_wait() and batch.count < batch.capacity
                and misses < self._switches.batch and not self.must_end()):
            leaf = self._descend()
            if self._nodes[leaf].awaited:
                misses += 1
                self._await(leaf, MISSED)
            elif self._know(leaf, values):
                self._back_up(leaf, values)
                self._count()
            else:
                self._await(leaf, self._enlist(leaf, batch))
            self._go_back()
        self._counters.misses += misses
        self._counters.batches += self._leaf_count > 0
        self._counters.evaluations += self._leaf_count
        return self._leaf_count

    cdef int64_t _may_wait(self) noexcept nogil:
        """How many leaves may wait now: never more than there are simulations left, in all and in this halving."""
        cdef int64_t most = self._switches.batch, left = self._control.node_limit - self._control.nodes
        if not self._opened:
            return 1
        if left < most:
            most = left
        if self._switches.gumbel and self._candidate_count > 2 and self._phase_end - self._control.nodes < most:
            most = self._phase_end - self._control.nodes
        return most

    cdef int _know(self, int number, double* values) except -1 nogil:
        """Is the value of the leaf, which the position stands at, known without asking? If so, which?"""
        cdef int player
        if self._nodes[number].proven:
            for player in range(self._players):
                values[player] = self._proofs[number * self._players + player]
            return 1
        # Where the tree is too full or too deep to grow, chance leads on to a position that can be valued.
        self._settle_chance()
        if not self._position.over():
            return 0
        self._position.score(values)
        return 1

    cdef int _enlist(self, int number, Batch batch) except -1 nogil:
        """Put the position into the batch, with the moves of the leaf if they have found room; its row."""
        cdef move_t moves[MAX_MOVES]
        cdef Node* node = &self._nodes[number]
        cdef int i
        if node.side >= 0 and node.children == 0 and self._position.ply - self._root_ply < self._depth_limit:
            if not self._grow(number) and number == 0:
                with gil:
                    raise OptionError("search option megabytes: too little room for the moves of one position")
        for i in range(node.children):
            moves[i] = self._nodes[node.first + i].move
        return batch.add(self._position, moves, node.children if node.side >= 0 else 0)

    cdef int _await(self, int number, int row) noexcept nogil:
        """Remember a descent, and let it count as a visit until its leaf is predicted."""
        cdef Awaited* descent = &self._awaited[self._awaited_count]
        descent.leaf = number
        descent.row = row
        descent.side = self._position.side
        self._awaited_count += 1
        if row != MISSED:
            self._leaf_count += 1
            self._nodes[number].awaited = True
        while number >= 0:
            self._nodes[number].passing += 1
            number = self._nodes[number].parent
        return 0

    cdef int absorb_answers(self, Batch batch) except -1 nogil:
        """Back up the predictions, in the order in which their leaves were found."""
        cdef double values[MAX_PLAYERS]
        cdef Awaited* descent
        cdef int i, number, player, count = self._awaited_count
        # 1. Nothing is on its way any more.
        self._awaited_count = self._leaf_count = 0
        for i in range(count):
            number = self._awaited[i].leaf
            self._nodes[number].awaited = False
            while number >= 0:
                self._nodes[number].passing -= 1
                number = self._nodes[number].parent
        # 2. Priors for the moves of each leaf, its values for the nodes above it.
        for i in range(count):
            descent = &self._awaited[i]
            if descent.row == MISSED:
                continue
            number = descent.leaf
            if self._nodes[number].side >= 0:
                self._take_priors(number, batch.wishes + batch.first[descent.row])
            for player in range(self._players):
                values[(descent.side + player) % self._players] = batch.opinions[
                    descent.row * self._players + player]
            self._back_up(number, values)
            self._count()
            if not self._opened:
                self._begin_choosing()
        return 0

    cdef int _take_priors(self, int number, const float* logits) noexcept nogil:
        """A softmax of what the predictor says of the moves."""
        cdef Node* node = &self._nodes[number]
        cdef double largest = -1e300, total = 0
        cdef int i
        for i in range(node.children):
            largest = logits[i] if logits[i] > largest else largest
        for i in range(node.children):
            total += exp(logits[i] - largest)
        for i in range(node.children):
            self._nodes[node.first + i].prior = exp(logits[i] - largest) / total
        return 0

    # ------------------------------------------------------------------ noise at the root

    cdef int _add_noise(self) noexcept nogil:
        """Mix Dirichlet noise, which is Gamma numbers over their sum, into the priors of the root's moves."""
        cdef Node* root = &self._nodes[0]
        cdef Node* child
        cdef double noise[MAX_MOVES]
        cdef double total = 0, share = self._switches.root_noise
        cdef int i
        for i in range(root.children):
            noise[i] = random_gamma(&self._random, self._switches.root_noise_shape)
            total += noise[i]
        if total <= 0:
            return 0                     # numbers too small to tell apart from nothing
        for i in range(root.children):
            child = &self._nodes[root.first + i]
            child.prior = (1 - share) * child.prior + share * noise[i] / total
        return 0

    # ------------------------------------------------------------------ Gumbel: sequential halving at the root

    cdef int _begin_halving(self) noexcept nogil:
        """Take the moves with the greatest hopes (noise + logarithm of the prior) as candidates."""
        cdef Node* root = &self._nodes[0]
        cdef int i, j, best, n = root.children
        cdef double noise
        for i in range(n):
            # Half a step more keeps the number within (0, 1).
            noise = -log(-log(random_unit(&self._random) + 0.5 / 9007199254740992.0))
            self._hopes[i] = self._switches.gumbel_noise * noise + log(self._nodes[root.first + i].prior + TINY)
            self._candidates[i] = i
        self._candidate_count = n if n < self._switches.gumbel_moves else self._switches.gumbel_moves
        for i in range(self._candidate_count):
            best = i
            for j in range(i + 1, n):
                if self._hopes[self._candidates[j]] > self._hopes[self._candidates[best]]:
                    best = j
            j = self._candidates[i]
            self._candidates[i] = self._candidates[best]
            self._candidates[best] = j
        self._phase = 0
        self._phases = 1
        while 1 << self._phases < self._candidate_count:
            self._phases += 1
        return self._end_phase()

    cdef int _end_phase(self) noexcept nogil:
        """When the present phase ends: when its share of simulations is used up, and not before all had one each."""
        cdef int64_t all_of_them = self._control.node_limit, each
        if self.predictor is not None and self._reused == 0:
            all_of_them -= 1                 # the first one valued the root
        each = all_of_them // (self._phases * self._candidate_count)
        self._phase_end = self._control.nodes + (each if each > 1 else 1) * self._candidate_count
        return 0

    cdef int _choose_candidate(self) noexcept nogil:
        """All candidates in turn, but none whose value is proven; when all are, the other moves in turn."""
        cdef Node* root = &self._nodes[0]
        cdef int i, child, tries, chosen = -1, fewest = 0
        for i in range(self._candidate_count):
            child = self._candidates[i]
            tries = self._rounds[child] + self._nodes[root.first + child].passing
            if ((chosen < 0 or tries < fewest)
                    and not (self._switches.solver and self._nodes[root.first + child].proven)):
                chosen = child
                fewest = tries
        if chosen < 0:
            for child in range(root.children):
                tries = self._rounds[child] + self._nodes[root.first + child].passing
                if (chosen < 0 or tries < fewest) and not self._nodes[root.first + child].proven:
                    chosen = child
                    fewest = tries
        return root.first + chosen

    cdef int _halve(self) noexcept nogil:
        """When a phase is over, give the worse half of the candidates up. The last two share what is left."""
        cdef double by_clock
        cdef int i, j, moving
        if self._candidate_count <= 2:
            return 0
        if self._control.nodes < self._phase_end:
            # A search by the clock cannot know how many simulations it has: every phase gets the same time.
            if self._control.deadline >= 1e299:
                return 0
            by_clock = (now() - self._control.began) / (self._control.deadline - self._control.began)
            if by_clock * self._phases < self._phase + 1:
                return 0
        self._phase += 1
        for i in range(1, self._candidate_count):
            moving = self._candidates[i]
            j = i
            while j > 0 and self._halving_score(self._candidates[j - 1]) < self._halving_score(moving):
                self._candidates[j] = self._candidates[j - 1]
                j -= 1
            self._candidates[j] = moving
        self._candidate_count = (self._candidate_count + 1) // 2
        return self._end_phase()

    cdef double _influence(self) noexcept nogil:
        """How much a value from 0 to 1 counts beside the logarithm of a prior: the more, the more visits there are."""
        cdef Node* root = &self._nodes[0]
        cdef int i, most = 0
        for i in range(root.children):
            most = self._rounds[i] if self._rounds[i] > most else most
        return (VISIT_OFFSET + most) * self._switches.gumbel_scale

    cdef double _halving_score(self, int child) noexcept nogil:
        """Hope plus value."""
        return self._hopes[child] + self._influence() * (self._mean(self._nodes[0].first + child) + 1) / 2

    cdef double _mean(self, int number) noexcept nogil:
        """The value of a node for the player who chooses it: proven, or the mean, or as good as its parent."""
        cdef Node* node = &self._nodes[number]
        cdef Node* parent = &self._nodes[node.parent]
        if node.proven and parent.side >= 0:
            return self._proofs[number * self._players + parent.side]
        if node.visits:
            return node.gain / node.visits
        return parent.worth / parent.visits if parent.visits else 0.0

    # ------------------------------------------------------------------ the order of moves

    cdef bint _before(self, int parent, int one, int other) noexcept nogil:
        """Is the first of two children of a player's node the better choice?

        Proven wins first, the nearest in front; proven losses last, the farthest in front; where everything
        is proven, the result decides. Else whoever is still in the halving, then visits, then the value.
        """
        cdef Node* node = &self._nodes[parent]
        cdef int in_first, in_second
        cdef double value, than
        cdef bint won, lost, than_won, than_lost
        value = self._mean(one)
        than = self._mean(other)
        won = self._nodes[one].proven and value >= 1
        than_won = self._nodes[other].proven and than >= 1
        lost = self._nodes[one].proven and value <= -1
        than_lost = self._nodes[other].proven and than <= -1
        if won or than_won:
            if won and than_won and self._nodes[one].distance != self._nodes[other].distance:
                return self._nodes[one].distance < self._nodes[other].distance
            if not (won and than_won):
                return won
        elif lost or than_lost:
            if lost and than_lost and self._nodes[one].distance != self._nodes[other].distance:
                return self._nodes[one].distance > self._nodes[other].distance
            if not (lost and than_lost):
                return than_lost
        elif node.proven and self._nodes[one].proven and self._nodes[other].proven and value != than:
            return value > than
        elif parent == 0 and self._switches.gumbel:
            in_first = self._still_candidate(one - node.first)
            in_second = self._still_candidate(other - node.first)
            if in_first != in_second:
                return in_first
            if in_first:
                return self._halving_score(one - node.first) > self._halving_score(other - node.first)
        if self._nodes[one].visits != self._nodes[other].visits:
            return self._nodes[one].visits > self._nodes[other].visits
        return value > than

    cdef bint _still_candidate(self, int child) noexcept nogil:
        cdef int i
        for i in range(self._candidate_count):
            if self._candidates[i] == child:
                return True
        return False

    cdef int _best_child(self, int number) noexcept nogil:
        """The best choice of the player who acts at a node that has grown."""
        cdef Node* node = &self._nodes[number]
        cdef int i, best = node.first
        for i in range(node.first + 1, node.first + node.children):
            if self._before(number, i, best):
                best = i
        return best

    # ------------------------------------------------------------------ the life of the tree

    cdef int _plant(self, Position position) except -1:
        """A new tree that is only a root, and what it stands for."""
        self._sow(position)
        self._game = position.game
        self._game_options = position.options
        self._start_text = position.start_text
        self._history = position.history()
        return 0

    cdef int _sow(self, Position position) except -1:
        """A new tree that is only a root."""
        cdef size_t each = sizeof(Node) + position.players * sizeof(float)
        cdef size_t room = (<size_t> self.options.megabytes << 20) // each
        self._players = position.players
        self._capacity = <int> min(room, <size_t> 0x7FFFFFFF // MAX_PLAYERS)
        self._nodes = <Node*> self._block
        self._proofs = <float*> (self._block + self._capacity * sizeof(Node))
        memset(self._nodes, 0, sizeof(Node))
        self._nodes[0].parent = -1
        self._nodes[0].side = position.side
        self._used = 1
        return 0

    cdef int _find(self, Position position) except -2:
        """The node of the last tree that a later position of the same game has come to; -1 if there is none.

        The last root itself does not count: who asks the same again gets the same answer.
        """
        cdef int number = 0, i
        cdef int before = len(self._history)
        if not self.options.reuse or self._used == 0 or position.ply <= before:
            return -1
        if (position.game is not self._game or position.start_text != self._start_text
                or position.options != self._game_options):
            return -1
        history = position.history()
        if history[:before] != self._history:
            return -1
        for move in history[before:]:
            for i in range(self._nodes[number].first, self._nodes[number].first + self._nodes[number].children):
                if self._nodes[i].move == <move_t> move:
                    number = i
                    break
            else:
                return -1
        return number if self._nodes[number].children else -1

    cdef int _cut_down(self, int number) noexcept nogil:
        """Make the node the root, keep what hangs on it and free the rest; how many nodes are left.

        A node lies before its children, and brothers lie side by side. So one walk towards the back moves
        every kept node towards the front, marks its children and tells them where their parent is now;
        the first of the brothers then tells the parent where they are.
        """
        cdef Node* nodes = self._nodes
        cdef int i, j, player, used = 0
        nodes[number].kept = True
        nodes[number].parent = -1
        for i in range(number, self._used):
            if not nodes[i].kept:
                continue
            nodes[i].kept = False
            for j in range(nodes[i].first, nodes[i].first + nodes[i].children):
                nodes[j].kept = True
                nodes[j].parent = used
            if nodes[i].parent >= 0 and nodes[nodes[i].parent].first == i:
                nodes[nodes[i].parent].first = used
            nodes[used] = nodes[i]
            for player in range(self._players):
                self._proofs[used * self._players + player] = self._proofs[i * self._players + player]
            used += 1
        self._used = used
        return used

    # ------------------------------------------------------------------ around the search

    cdef int _go_back(self) except -1 nogil:
        """Take back all moves of a simulation."""
        while self._position.ply > self._root_ply:
            self._position.unmake()
        return 0

    cdef int _heed_signals(self) except -1 nogil:
        """Let Ctrl-C stop a long search, a few times a second."""
        cdef double time = now()
        if time < self._heeded + 0.25:
            return 0
        self._heeded = time
        with gil:
            return PyErr_CheckSignals()

    cdef object _answer(self):
        """The best moves in order, each with its line, value and visits."""
        cdef Node* root = &self._nodes[0]
        cdef int i, best
        left = list(range(root.first, root.first + root.children))
        found = []
        while left and len(found) < self._lines:
            best = left[0]
            for i in left[1:]:
                if self._before(0, i, best):
                    best = i
            left.remove(best)
            found.append(self._line(best))
        return Result(tuple(found), len(found[0].moves), self._control.nodes, now() - self._control.began, {
            "rollout_plies": self._counters.rollout_plies, "evaluations": self._counters.evaluations,
            "tree_nodes": self._used, "reused_nodes": self._reused, "refused_growth": self._counters.refused,
            "proofs": self._counters.proofs, "deepest": self._counters.deepest,
            "batches": self._counters.batches, "misses": self._counters.misses})

    cdef object _line(self, int number):
        """A root move, what is expected to follow until chance acts, and its value in the evaluator's units."""
        cdef Node* first = &self._nodes[number]
        cdef double mean = self._mean(number), value
        cdef double scale = 400.0 if self.evaluator is None else self.evaluator.scale
        moves = [first.move]
        wins_in = None
        # The inverse of what evaluators do by default to turn a value into odds.
        value = 2 * scale * atanh(min(max(mean, -0.999999), 0.999999))
        value = min(max(value, -<double> GUESS), <double> GUESS)
        if first.proven and mean >= 1:
            wins_in = first.distance + 1
            value = WIN - wins_in
        elif first.proven and mean <= -1:
            wins_in = -(first.distance + 1)
            value = -WIN - wins_in
        visits = first.visits
        while self._nodes[number].children and self._nodes[number].side >= 0:
            number = self._best_child(number)
            if self._nodes[number].visits == 0:
                break
            moves.append(self._nodes[number].move)
        return Line(tuple(moves), value, wins_in, visits)
