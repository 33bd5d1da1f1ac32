"""Monte Carlo tree search: any number of players, chance, rollouts, an evaluator or a network.

This file is the search itself, in numbered steps, to be read from top to bottom; its parts are in `boyi.search.tree`.
A simulation descends through the tree by value and exploration, lets the tree grow by a node, values the leaf and
backs the values up. After many of them the most visited move is the best.

- Values are per player, from -1 to 1. Each player maximises their own and ignores the others' (max^n, Luckhardt and
  Irani 1986; Sturtevant 2008 for trees like this one), so a node need only sum the value for the player who chose it.
  With two players it is plain minimax.
- Chance turns are nodes, too: there the odds choose. A leaf where chance acts is valued after a
  draw, since evaluators look only at positions in which a player acts.
- The tree is a tree and not a graph: a position reached by two paths is two nodes, so repetition and
  move limits, which depend on the path, are always judged rightly.
- Descending, valuing and backing up are separate steps, and only valuing asks the evaluator.
- A predictor (a network) values many leaves at the price of a few. So the search descends several times before
  it asks, and leaves wait (`tree.pending`). What is known without asking (ends, proofs) is backed up at once. Leaves
  grow when they are first met, for the predictor gives priors of a position's moves with its value.

Nothing depends on the clock unless seconds are given: the same seed, node limit and
predecessors in a game give the same answer, bit for bit. A node, in limits and results, is a simulation.

Papers: Coulom 2006, Kocsis and Szepesvári 2006 (UCT), Silver and others 2017 (PUCT); the others are named where they
are used.
"""

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from libc.math cimport atanh
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset

from boyi.core.evaluator cimport GUESS, WIN, Evaluator
from boyi.core.position cimport Position
from boyi.core.batch cimport Batch
from boyi.core.predictor cimport Predictor
from boyi.core.race cimport Stride
from boyi.core.random cimport random_below
from boyi.core.types cimport CHANCE, MAX_MOVES, MAX_PLAYERS, move_t
from boyi.kit.control cimport CLOCK_INTERVAL, begin, has_deadline, now, out_of_budget
from boyi.kit.gate cimport Gate
from boyi.search.forward_pruning cimport keep_best
from boyi.search.playout cimport first_state, pick_by_odds, play_randomly
from boyi.search.signals cimport check_signals
from boyi.search.tree.halving cimport begin_halving, candidate_child, halve
from boyi.search.tree.memory cimport UNSEEN, Node, add_children, find_child, keep_subtree, mean_value, plant
from boyi.search.tree.pending cimport MISSED, Descent, add_descent, end_descents
from boyi.search.tree.policy cimport choose_move, read_policy
from boyi.search.tree.priors cimport add_noise, set_priors
from boyi.search.tree.proof cimport prove, prove_end, read_proof
from boyi.search.tree.ranking cimport best_child, is_better_child
from boyi.search.tree.selection cimport draw_child, forced_child, select_child

from boyi.core.errors import OptionError, TextError
from boyi.core.searcher import Line, Result, check_legal
from boyi.search.mcts_options import MCTSOptions
from boyi.search.tree.tree_node import TreeNode

cdef enum:
    ROLLOUT_CHUNK = 64         # plies of a rollout between two looks at the clock; in plain Python one may take 1 ms
    MAX_ROLLOUT = 100000       # plies; a game still unfinished is broken off and values nothing
    MAX_DEPTH = 1 << 20        # plies; as good as no limit
    FIRST_REPORT = 64          # simulations before the first result is told of

cdef double SIGNAL_INTERVAL = 0.25     # seconds between two looks at Ctrl-C
cdef double DEFAULT_SCALE = 400.0      # the value of about 73 % odds where no evaluator says it
cdef double MAX_MEAN = 0.999999        # a mean beyond it would be an infinite value


cdef class MCTS:
    """The searcher: options, perhaps an evaluator or a predictor, and a tree that outlives a search."""

    ENDS_BY_DEPTH = False

    def __cinit__(self, *args, **kwargs):
        self._history = []

    def __init__(self, Evaluator evaluator=None, options=None, Predictor predictor=None):
        self.options = MCTSOptions() if options is None else options
        self.evaluator = evaluator
        self.predictor = predictor
        if not isinstance(self.options, MCTSOptions):
            raise OptionError(f"Monte Carlo tree search takes MCTSOptions, not {type(options).__name__}")
        if evaluator is None and self.options.priors != "uniform":
            raise OptionError("search option priors: there is no evaluator to take them from")
        if evaluator is None and self.options.rollout_plies:
            raise OptionError("search option rollout_plies: there is no evaluator to ask after them")
        if predictor is not None and (evaluator is not None or self.options.rollouts):
            raise OptionError("a search values leaves by a network, by an evaluator or by rollouts: name one of them")
        if predictor is None and self.options.batch > 1:
            raise OptionError("search option batch: leaves wait for one another only where a network values them")
        self._unpack()
        PyMem_RawFree(self._block)
        self._block = <char*> PyMem_RawMalloc(<size_t> self.options.megabytes << 20)
        if self._block == NULL:
            raise MemoryError(f"no room for a tree of {self.options.megabytes} MB")
        self._tree.used = 0
        self._batch = None
        PyMem_RawFree(self._pending.descents)
        self._pending.descents = <Descent*> PyMem_RawMalloc(2 * <size_t> self.options.batch * sizeof(Descent))
        if self._pending.descents == NULL:
            raise MemoryError(f"no room for {self.options.batch} leaves that wait")

    def __dealloc__(self):
        PyMem_RawFree(self._block)
        PyMem_RawFree(self._pending.descents)

    def _unpack(self):
        options = self.options
        self._switches.rollouts = options.rollouts or self.evaluator is None
        self._switches.solver = options.solver
        self._race = self.evaluator.race() if options.priors == "strides" else None
        self._switches.evaluator_priors = options.priors != "uniform"
        self._switches.width = options.width
        self._switches.batch = options.batch
        self._switches.rollout_plies = options.rollout_plies
        self._switches.prior_temperature = options.prior_temperature
        self._switches.root_noise = options.root_noise
        self._switches.root_noise_shape = options.root_noise_shape
        self._selection.puct = options.selection == "puct"
        self._selection.solver = options.solver
        self._selection.exploration = options.exploration
        self._selection.first_play = options.first_play
        self._halving.on = options.gumbel
        self._halving.solver = options.solver
        self._halving.moves = options.gumbel_moves
        self._halving.noise = options.gumbel_noise
        self._halving.value_scale = options.gumbel_scale

    # ------------------------------------------------------------------ a search, from its beginning to its answer

    def search(self, Position position not None, limits, on_depth=None, only=()):
        """The best moves of a position in which a player acts; the position is left as it was.

        There are no depths here: `on_depth` is called with the result so far whenever the number of simulations has
        doubled, from `FIRST_REPORT` on. `only`, if not empty, are the moves to keep to.
        """
        only = tuple(only)
        check_legal(position, only)
        if self.predictor is not None and self._batch is None:    # a search in steps needs none of its own
            self._batch = Batch(self.predictor.encoder, self.options.batch)
        self._begin(position, limits, only)
        self._on_depth = on_depth
        try:
            with nogil:
                self._run()
        except BaseException:
            self._tree.used = 0          # a simulation may have been cut in half
            raise
        finally:
            self._release()
        return self._answer()

    def stop(self):
        """End a running search soon; it answers with what it has."""
        self._control.stopped = True

    def pass_through(self, Gate gate not None):
        """From the next search on, wait at a gate while it is closed."""
        self._gate = gate
        self._control.passage = &gate.passage

    def forget(self):
        """Give the tree up, and a search in steps that is under way; the next search starts from nothing."""
        if self._stepping:
            self._release()
        if self._busy:
            raise RuntimeError("this searcher is searching; it cannot forget now")
        self._tree.used = 0

    cdef int _begin(self, Position position, object limits, tuple only) except -1:
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
            begin(&self._control, limits.seconds or 0, limits.nodes or 0)   # first: stop() takes effect from here on
            if self.evaluator is not None:
                self.evaluator.check(position)
            if self.predictor is not None:
                self.predictor.check(position)
            # Step 1. The part of the last tree that the game has led to, or a new one.
            kept = -1 if only else self._find(position)
            self._only = only or None
            self._reused = 0
            if kept > 0:
                self._reused = keep_subtree(&self._tree, kept)
                self._history = position.history()
            else:
                self._plant(position)
                self._game = position.game
                self._game_options = position.options
                self._start_text = position.start_text
                self._history = position.history()
            self._prepare(position, False)
            self._random = first_state(self.options.seed)
            self._depth_limit = min(limits.depth or MAX_DEPTH, MAX_DEPTH)
            self._lines = limits.lines
        except BaseException:
            self._busy = False
            raise
        return 0

    cdef int _find(self, Position position) except -2:
        """The node of the last tree that a later position of the same game has come to; -1 if there is none.

        The last root itself does not count: the same question again gets the same answer.
        """
        cdef int number = 0
        cdef int before = len(self._history)
        if not self.options.reuse or self._tree.used == 0 or position.ply <= before:
            return -1
        if (position.game is not self._game or position.start_text != self._start_text
                or position.options != self._game_options):
            return -1
        history = position.history()
        if history[:before] != self._history:
            return -1
        for move in history[before:]:
            number = find_child(&self._tree, number, <move_t> move)
            if number < 0:
                return -1
        return number if self._tree.nodes[number].children else -1

    cdef int _plant(self, Position position) except -1:
        return plant(&self._tree, self._block, <size_t> self.options.megabytes << 20, position.players, position.side)

    cdef int _prepare(self, Position position, bint plain) except -1:
        """Nothing was counted yet, and nothing waits."""
        self._position = position
        self._root_ply = position.ply
        self._signals_checked = self._control.began
        self._ended = self._opened = False
        self._plain = plain
        self._selection.forced_playouts = 0 if plain else self.options.forced_playouts
        self._pending.count = self._pending.leaves = 0
        memset(&self._counters, 0, sizeof(self._counters))
        return 0

    cdef int _release(self) except -1:
        """Leave the position as it was."""
        self._position.unmake_to(self._root_ply)
        self._position = self._only = self._on_depth = None
        self._busy = self._stepping = False
        return 0

    cdef int _run(self) except -1 nogil:
        """Simulate until a limit is met or nothing is left to find out."""
        cdef int64_t next_report = FIRST_REPORT
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
            self._check_signals()
            if self._control.nodes >= next_report and self._on_depth is not None:
                next_report = 2 * self._control.nodes
                with gil:
                    self._on_depth(self._answer())
        return 0

    cdef bint must_end(self) noexcept nogil:
        return self._ended or self._tree.nodes[0].proven

    cdef int _open(self) except -1 nogil:
        # Step 2. Let the root know its moves; one that a predictor is to be asked about learns them with its value.
        if self._tree.nodes[0].children == 0:
            if self.predictor is not None:
                return 0
            if not self._grow(0):
                with gil:
                    raise OptionError("search option megabytes: too little room for the moves of one position")
        return self._open_choice()

    cdef int _open_choice(self) noexcept nogil:
        """Once the root has its moves and priors: candidates or noise, as the options want."""
        cdef int64_t budget = self._control.node_limit
        self._opened = True
        memset(self._halving.visits, 0, self._tree.nodes[0].children * sizeof(int))
        if self._halving.on:
            if self.predictor is not None and self._reused == 0:
                budget -= 1              # the first one valued the root
            begin_halving(&self._halving, &self._tree, budget, self._control.nodes, &self._random)
        if self._switches.root_noise > 0 and not self._plain:
            add_noise(&self._tree, self._switches.root_noise, self._switches.root_noise_shape, &self._random)
        return 0

    # ------------------------------------------------------------------ a simulation

    cdef int _simulate(self) except -1 nogil:
        cdef double values[MAX_PLAYERS]
        cdef int leaf = self._descend()
        if self._value_leaf(leaf, values):
            self._back_up(leaf, values)
        return self._position.unmake_to(self._root_ply)

    cdef int _descend(self) except -1 nogil:
        # Step 3. Follow the tree to a leaf, making its moves; its number. The tree grows under a leaf that is met
        # again. With a predictor a player's leaf grows when it is put into a batch, and a chance turn is walked
        # through at once: what comes behind it can be predicted.
        cdef int number = 0, depth = 0
        cdef Node* nodes = self._tree.nodes
        cdef bint waits
        while not nodes[number].proven and not nodes[number].queued:
            if nodes[number].children == 0:
                waits = nodes[number].side >= 0 if self.predictor is not None else nodes[number].visits == 0
                if waits or depth >= self._depth_limit or not self._grow(number):
                    break
            number = self._choose(number)
            self._position.make(nodes[number].move)
            depth += 1
            if nodes[number].side == UNSEEN:
                self._meet(number)
        if depth > self._counters.deepest:
            self._counters.deepest = depth
        return number

    cdef int _choose(self, int number) noexcept nogil:
        """The child to go to: by the odds at a chance turn, else by the rule of selection; the root has its own."""
        cdef int forced
        if self._tree.nodes[number].side == CHANCE:
            return draw_child(&self._tree, number, &self._random)
        if number == 0 and self._halving.on:
            return candidate_child(&self._halving, &self._tree)
        if number == 0 and self._selection.forced_playouts > 0:
            forced = forced_child(&self._tree, &self._selection)
            if forced >= 0:
                return forced
        return select_child(&self._tree, &self._selection, number)

    cdef int _meet(self, int number) except -1 nogil:
        """First visit: see who acts and whether the game is over, which is a proof."""
        cdef double scores[MAX_PLAYERS]
        if not self._position.over():
            self._tree.nodes[number].side = self._position.side
            return 0
        self._position.score(scores)
        return prove_end(&self._tree, number, scores)

    cdef int _grow(self, int number) except -1 nogil:
        # Step 4. Give the node, which the position stands at, its children; how many. 0 if there is no room.
        cdef move_t moves[MAX_MOVES]
        cdef double odds[MAX_MOVES]
        cdef Stride strides[MAX_MOVES]
        cdef int32_t gains[MAX_MOVES]
        cdef move_t other
        cdef int n, i, j
        cdef bint by_odds = self._tree.nodes[number].side == CHANCE, described = False
        if by_odds:
            n = self._position.chances(moves, odds)
        else:
            n = self._position.generate(moves)
            if number == 0 and self._only is not None:
                n = self._keep_only(moves, n)
            # What gains most comes first, and a width leaves the rest out; undescribed moves come in random order.
            described = n > 0 and self._race is not None and self._race.strides(self._position, moves, n, strides)
            if described:
                n = keep_best(moves, gains, strides, n, self._switches.width if self._switches.width else n)
            else:
                for i in range(n - 1, 0, -1):
                    j = random_below(&self._random, i + 1)
                    other = moves[i]
                    moves[i] = moves[j]
                    moves[j] = other
        if not add_children(&self._tree, number, moves, odds if by_odds else NULL, n):
            self._counters.refused += 1
            return 0
        if described:
            for i in range(n):
                odds[i] = gains[i] / (self._switches.prior_temperature * self.evaluator.scale)
            set_priors(&self._tree, number, odds)
        elif (not by_odds and self._switches.evaluator_priors
                and (self._selection.puct or (number == 0 and self._halving.on))):
            self._look_ahead(number)
        return n

    cdef int _keep_only(self, move_t* moves, int n) except -1 nogil:
        """Of the root's moves, those to keep to; how many."""
        cdef int i, kept = 0
        with gil:
            for i in range(n):
                if moves[i] in self._only:
                    moves[kept] = moves[i]
                    kept += 1
        return kept

    cdef int _look_ahead(self, int number) except -1 nogil:
        """Priors from the evaluator's values one ply on. A chance turn there is settled by one draw."""
        cdef double logits[MAX_MOVES]
        cdef double values[MAX_PLAYERS]
        cdef Node* node = &self._tree.nodes[number]
        cdef int ply = self._position.ply, i
        for i in range(node.children):
            self._position.make(self._tree.nodes[node.first + i].move)
            self._draw_chance()
            if self._position.over():
                self._position.score(values)
            else:
                self.evaluator.evaluate_players(self._position, values)
                self._counters.evaluations += 1
            self._position.unmake_to(ply)
            logits[i] = values[node.side] / self._switches.prior_temperature
        return set_priors(&self._tree, number, logits)

    cdef int _value_leaf(self, int number, double* values) except -1 nogil:
        # Step 5. What the leaf, which the position stands at, is worth to each player; 0 if the search was stopped
        # over it.
        cdef int player
        if self._tree.nodes[number].proven:
            read_proof(&self._tree, number, values)
            return 1
        if not self._roll_out(MAX_ROLLOUT if self._switches.rollouts else self._switches.rollout_plies):
            return 0
        self._draw_chance()
        if self._position.over():
            self._position.score(values)
        elif self._switches.rollouts:
            for player in range(self._tree.players):
                values[player] = 0
        else:
            self.evaluator.evaluate_players(self._position, values)
            self._counters.evaluations += 1
        return 1

    cdef int _roll_out(self, int plies) except -1 nogil:
        """Up to this number of random moves; 0 if the search was stopped meanwhile."""
        cdef int made, left = plies
        while left > 0:
            made = play_randomly(self._position, &self._random, left if left < ROLLOUT_CHUNK else ROLLOUT_CHUNK)
            self._counters.rollout_plies += made
            if made < ROLLOUT_CHUNK:
                return 1
            left -= made
            if self._control.stopped or now() >= self._control.deadline:
                return 0
        return 1

    cdef int _draw_chance(self) except -1 nogil:
        """Let chance act until a player does."""
        cdef move_t moves[MAX_MOVES]
        cdef double odds[MAX_MOVES]
        cdef int n
        while self._position.side == CHANCE:
            n = self._position.chances(moves, odds)
            self._position.make(moves[pick_by_odds(odds, n, &self._random)])
        return 0

    cdef int _back_up(self, int number, double* values) noexcept nogil:
        # Step 6. Add the values to all nodes from the leaf to the root, then see what a new proof proves.
        cdef Node* nodes = self._tree.nodes
        cdef Node* node = &nodes[number]
        cdef bint is_new_proof = node.proven and node.visits == 0
        cdef int parent = node.parent, above = parent, child = number
        cdef int side
        while True:
            node.visits += 1
            if node.side >= 0:
                node.actor_sum += values[node.side]
            if above < 0:
                break
            side = nodes[above].side
            if side >= 0:
                node.chooser_sum += values[side]
            if above == 0:
                self._halving.visits[child - nodes[0].first] += 1
            child = above
            node = &nodes[above]
            above = node.parent
        if is_new_proof:
            self._counters.proofs += 1
            while self._switches.solver and parent >= 0 and prove(&self._tree, parent):
                self._counters.proofs += 1
                parent = nodes[parent].parent
        return 0

    cdef int _count(self) except -1 nogil:
        # Step 7. Count a simulation and see whether it was the last; else halve the candidates when it is time.
        cdef bint timed = has_deadline(&self._control)
        # Simulations may be slow; they look at the clock more often than nodes of other searches do.
        # And the only move needs no clock time.
        if (out_of_budget(&self._control) or (timed and now() >= self._control.deadline)
                or (timed and self._tree.nodes[0].children == 1 and self._control.nodes >= CLOCK_INTERVAL)):
            self._ended = True
        elif self._halving.on and self._opened:
            halve(&self._halving, &self._tree, &self._control)
        return 0

    cdef int _check_signals(self) except -1 nogil:
        """Let Ctrl-C stop a long search, a few times a second."""
        cdef double time = now()
        if time < self._signals_checked + SIGNAL_INTERVAL:
            return 0
        self._signals_checked = time
        return check_signals()

    # ------------------------------------------------------------------ with a predictor: many leaves at once

    cdef int collect_leaves(self, Batch batch) except -1 nogil:
        """Steps 3 and 4 until enough leaves wait in the batch; how many do. What is known at once is backed up."""
        cdef double values[MAX_PLAYERS]
        cdef int leaf, misses = 0
        while (self._pending.leaves < self._batch_room() and batch.count < batch.capacity
                and misses < self._switches.batch and not self.must_end()):
            leaf = self._descend()
            if self._tree.nodes[leaf].queued:
                misses += 1
                add_descent(&self._pending, &self._tree, leaf, MISSED, self._position.side)
            elif self._is_known(leaf, values):
                self._back_up(leaf, values)
                self._count()
            else:
                add_descent(&self._pending, &self._tree, leaf, self._encode(leaf, batch), self._position.side)
            self._position.unmake_to(self._root_ply)
        self._counters.misses += misses
        self._counters.batches += self._pending.leaves > 0
        self._counters.evaluations += self._pending.leaves
        return self._pending.leaves

    cdef int64_t _batch_room(self) noexcept nogil:
        """How many leaves may wait now: never more than there are simulations left, in all and in this halving."""
        cdef int64_t most = self._switches.batch, left = self._control.node_limit - self._control.nodes
        if not self._opened:
            return 1
        if left < most:
            most = left
        if self._halving.on and self._halving.count > 2 and self._halving.phase_end - self._control.nodes < most:
            most = self._halving.phase_end - self._control.nodes
        return most

    cdef int _is_known(self, int number, double* values) except -1 nogil:
        """Is the value of the leaf, which the position stands at, known without asking? If so, which?"""
        if self._tree.nodes[number].proven:
            read_proof(&self._tree, number, values)
            return 1
        # Where the tree is too full or too deep to grow, chance leads on to a position that can be valued.
        self._draw_chance()
        if not self._position.over():
            return 0
        self._position.score(values)
        return 1

    cdef int _encode(self, int number, Batch batch) except -1 nogil:
        """Put the position into the batch, with the moves of the leaf if they have found room; its row."""
        cdef move_t moves[MAX_MOVES]
        cdef Node* node = &self._tree.nodes[number]
        cdef int i
        if node.side >= 0 and node.children == 0 and self._position.ply - self._root_ply < self._depth_limit:
            if not self._grow(number) and number == 0:
                with gil:
                    raise OptionError("search option megabytes: too little room for the moves of one position")
        for i in range(node.children):
            moves[i] = self._tree.nodes[node.first + i].move
        return batch.add(self._position, moves, node.children if node.side >= 0 else 0)

    cdef int absorb_answers(self, Batch batch) except -1 nogil:
        """Steps 5 to 7 for all predictions, in the order in which their leaves were found."""
        cdef double logits[MAX_MOVES]
        cdef double values[MAX_PLAYERS]
        cdef Descent* descent
        cdef Node* leaf
        cdef int i, j, player, players = self._tree.players
        for i in range(end_descents(&self._pending, &self._tree)):
            descent = &self._pending.descents[i]
            if descent.row == MISSED:
                continue
            leaf = &self._tree.nodes[descent.leaf]
            if leaf.side >= 0:
                for j in range(leaf.children):
                    logits[j] = batch.move_logits[batch.row_starts[descent.row] + j]
                set_priors(&self._tree, descent.leaf, logits)
            for player in range(players):
                values[(descent.side + player) % players] = batch.seat_values[descent.row * players + player]
            self._back_up(descent.leaf, values)
            self._count()
            if not self._opened:
                self._open_choice()
        return 0

    # ------------------------------------------------------------------ the answer

    cdef object _answer(self):
        # Step 8. The best moves in order, each with its line, value and visits.
        cdef Node* root = &self._tree.nodes[0]
        cdef int i, best
        left = list(range(root.first, root.first + root.children))
        found = []
        while left and len(found) < self._lines:
            best = left[0]
            for i in left[1:]:
                if is_better_child(&self._tree, &self._halving, 0, i, best):
                    best = i
            left.remove(best)
            found.append(self._line(best))
        return Result(tuple(found), len(found[0].moves), self._control.nodes, now() - self._control.began, {
            "rollout_plies": self._counters.rollout_plies, "evaluations": self._counters.evaluations,
            "tree_nodes": self._tree.used, "reused_nodes": self._reused, "refused_growth": self._counters.refused,
            "proofs": self._counters.proofs, "deepest": self._counters.deepest,
            "batches": self._counters.batches, "misses": self._counters.misses})

    cdef object _line(self, int number):
        """A root move, what is expected to follow until chance acts, and its value in the evaluator's units."""
        cdef Node* first = &self._tree.nodes[number]
        cdef double mean = mean_value(&self._tree, number), value
        cdef double scale = DEFAULT_SCALE if self.evaluator is None else self.evaluator.scale
        moves = [first.move]
        wins_in = None
        # The inverse of what evaluators do by default to turn a value into odds.
        value = 2 * scale * atanh(min(max(mean, -MAX_MEAN), MAX_MEAN))
        value = min(max(value, -<double> GUESS), <double> GUESS)
        if first.proven and mean >= 1:
            wins_in = first.distance + 1
            value = WIN - wins_in
        elif first.proven and mean <= -1:
            wins_in = -(first.distance + 1)
            value = -WIN - wins_in
        visits = first.visits
        while self._tree.nodes[number].children and self._tree.nodes[number].side >= 0:
            number = best_child(&self._tree, &self._halving, number)
            if self._tree.nodes[number].visits == 0:
                break
            moves.append(self._tree.nodes[number].move)
        return Line(tuple(moves), value, wins_in, visits)

    def policy(self):
        """What is to be learned from the last search: a share of 1 per root move."""
        cdef move_t moves[MAX_MOVES]
        cdef float policy[MAX_MOVES]
        cdef int i
        if self._busy or self._tree.used == 0 or self._tree.nodes[0].children == 0:
            raise RuntimeError("no search has ended that could have a policy")
        return {moves[i]: policy[i] for i in range(self.root_policy(moves, policy))}

    def tree(self):
        """The tree as it lies in memory, each node before its children: for tests and for the curious."""
        cdef Node* node
        cdef int i, player, players = self._tree.players
        found = []
        for i in range(self._tree.used):
            node = &self._tree.nodes[i]
            found.append(TreeNode(
                node.parent, node.move, node.side, node.visits, node.chooser_sum, node.actor_sum, node.prior,
                node.pending, tuple(self._tree.proofs[i * players + player] for player in range(players))
                if node.proven else None))
        return found

    # ------------------------------------------------------------------ in steps, for a loop over many games

    def begin(self, Position position not None, limits, seed=None):
        """Begin a search that the caller drives: `collect`, predict, `absorb`, until `done`; then `finish`.

        The seed, if there is one, takes the place of that in the options: a game to learn from wants other noise for
        every move.
        """
        cdef uint64_t state = 0 if seed is None else first_state(seed)     # refuses what is no seed
        if self.predictor is None:
            raise OptionError("a search in steps needs a predictor: nothing waits without one")
        self._begin(position, limits, ())
        if seed is not None:
            self._random = state
        self._stepping = True
        try:
            with nogil:
                self._open()
        except BaseException:
            self._release()
            raise

    def collect(self, Batch batch not None):
        """Put leaves into the batch, no more than the option `batch` and the batch have room for; how many."""
        cdef int collected
        self._check_step(batch)
        if self._pending.count:
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
        if self._pending.count:
            raise RuntimeError("leaves were collected and not absorbed; absorb them first")
        if not self._opened:
            raise RuntimeError("nothing was searched yet; collect and absorb at least once")
        self._release()
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
        if (self._tree.used and self._followed > 0 and self._tree.nodes[self._followed].children
                and self.options.reuse):
            self._reused = keep_subtree(&self._tree, self._followed)
        else:
            self._plant(position)
        self._followed = 0
        self._prepare(position, plain)
        self._depth_limit = MAX_DEPTH
        self._random = random
        self._busy = self._stepping = True
        return self._open()

    cdef int end_steps(self) except -1:
        """The search is over; the tree stays."""
        return self._release()

    cdef int follow(self, move_t move) noexcept nogil:
        """A move was made: where in the tree the game is now."""
        if self._followed >= 0 and self._tree.used:
            self._followed = find_child(&self._tree, self._followed, move)
        return 0

    cdef int64_t simulations(self) noexcept nogil:
        return self._control.nodes

    cdef double root_value(self) noexcept nogil:
        cdef Node* root = &self._tree.nodes[0]
        if root.proven:
            return self._tree.proofs[root.side]
        return root.actor_sum / root.visits if root.visits else 0.0

    cdef int root_policy(self, move_t* moves, float* policy) noexcept nogil:
        return read_policy(&self._tree, &self._selection, &self._halving, moves, policy)

    cdef move_t root_choice(self, double temperature, uint64_t* random) noexcept nogil:
        return choose_move(&self._tree, &self._selection, &self._halving, temperature, random)
