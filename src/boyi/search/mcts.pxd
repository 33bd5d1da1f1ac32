"""Monte Carlo tree search for any number of players, with chance."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint64_t

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position
from boyi.core.predictor cimport Batch, Predictor
from boyi.core.types cimport MAX_MOVES, MAX_PLAYERS, move_t
from boyi.kit.control cimport Control


cdef struct Node:              # 48 bytes; the children of a node lie side by side, behind their parent
    double gain                # sum of the values for the player who chose the move that leads here
    double worth               # sum of the values for the player who acts here
    move_t move                # leads here
    int32_t parent             # -1 for the root
    int32_t first              # the first child
    int32_t visits
    float prior                # how promising the move looked; after a chance turn, how likely it is
    int16_t children           # 0 until the node has grown
    int16_t distance           # of a proven node: plies to the end
    int8_t side                # who acts; UNSEEN before the first visit
    int8_t proven              # its result, per player, is in the proofs
    int8_t kept                # while the tree is cut down to a part of it
    int8_t awaited             # a leaf in a batch that was not predicted yet
    int16_t passing            # descents that went through here to leaves that are awaited


cdef struct Switches:          # the options, unpacked
    bint puct
    bint rollouts
    bint solver
    bint gumbel
    bint evaluator_priors
    int batch
    double exploration
    double first_play
    double prior_temperature
    int rollout_plies
    int gumbel_moves
    double gumbel_noise
    double gumbel_scale
    double forced_playouts
    double root_noise
    double root_noise_shape


cdef struct Awaited:           # a descent whose leaf waits for a prediction
    int32_t leaf
    int32_t row                # in the batch; MISSED for a leaf that waited already
    int32_t side               # who acts in the position that was encoded


cdef struct Counters:
    int64_t rollout_plies
    int64_t evaluations
    int64_t proofs
    int64_t refused            # times that the tree was too full to grow
    int64_t batches            # times that a predictor was asked
    int64_t misses             # descents to leaves that waited already
    int deepest


cdef class MCTS:
    cdef readonly object options
    cdef readonly Evaluator evaluator
    cdef readonly Predictor predictor

    # ---- the tree: one block, in it `_capacity` nodes and then their proofs, one float per player and node
    cdef char* _block
    cdef Node* _nodes
    cdef float* _proofs
    cdef int _players
    cdef int32_t _capacity
    cdef int32_t _used

    # ---- what the root stands for, so that the next search can tell whether it continues this one
    cdef object _game
    cdef object _game_options
    cdef str _start_text
    cdef list _history
    cdef int _at                            # where the game has come to since (follow); -1: out of the tree

    # ---- the search under way
    cdef Position _position
    cdef Control _control
    cdef Switches _switches
    cdef Counters _counters
    cdef uint64_t _random
    cdef int _root_ply
    cdef int _lines                         # how many were asked for
    cdef int64_t _reused                    # nodes kept from the last search
    cdef int _depth_limit
    cdef bint _busy
    cdef bint _stepping                     # between begin() and finish(), which somebody else calls
    cdef bint _ended                        # a limit was met
    cdef bint _opened                       # the root knows its moves and their priors
    cdef bint _plain                        # without noise and forced playouts, whatever the options say
    cdef double _heeded                     # when signals were last looked at

    # ---- the leaves that wait for a prediction
    cdef Batch _batch                       # for searches that are not part of somebody else's loop
    cdef Awaited* _awaited                  # room for all that may wait and as many misses
    cdef int _awaited_count
    cdef int _leaf_count                    # of them those that are no misses

    # ---- the halving at the root, by number of child
    cdef int _candidates[MAX_MOVES]         # the first `_candidate_count` are still in it, then those given up
    cdef int _candidate_count
    cdef int _phase
    cdef int _phases
    cdef int64_t _phase_end                 # it is over after so many simulations
    cdef double _hopes[MAX_MOVES]           # Gumbel noise + logarithm of the prior
    cdef int _rounds[MAX_MOVES]             # visits in this search

    # ---- a search in steps, for loops that play many games and predict for all of them at once: begin() a search,
    # then, until done(): collect(), predict, absorb(); then finish(). A collected leaf must be absorbed.
    cdef int collect_leaves(self, Batch batch) except -1 nogil   # how many of its leaves now wait in the batch
    cdef int absorb_answers(self, Batch batch) except -1 nogil
    cdef bint must_end(self) noexcept nogil

    # ---- the same without Python objects, for loops that are compiled themselves. The position is the caller's;
    # between begin_steps() and end_steps() nobody else may move it, and follow() is told of every move made afterwards.
    cdef int begin_steps(self, Position position, int64_t nodes, uint64_t random, bint plain) except -1
    cdef int end_steps(self) except -1
    cdef int follow(self, move_t move) noexcept nogil
    # What came out: the moves of the root and how much each is to be trusted, which sums to 1; how many there are.
    cdef int root_policy(self, move_t* moves, float* policy) noexcept nogil
    cdef int64_t simulations(self) noexcept nogil               # made in this search
    cdef double root_value(self) noexcept nogil                 # for the player who acts, -1 to 1
    cdef move_t root_choice(self, double temperature, uint64_t* random) noexcept nogil

    cdef int _begin(self, Position position, object limits) except -1
    cdef int _open(self) except -1 nogil
    cdef int _run(self) except -1 nogil
    cdef int _count(self) except -1 nogil
    cdef int _simulate(self) except -1 nogil
    cdef int64_t _may_wait(self) noexcept nogil
    cdef int _know(self, int number, double* values) except -1 nogil
    cdef int _enlist(self, int number, Batch batch) except -1 nogil
    cdef int _await(self, int number, int row) noexcept nogil
    cdef int _take_priors(self, int number, const float* logits) noexcept nogil
    cdef int _descend(self) except -1 nogil
    cdef int _choose(self, int number) noexcept nogil
    cdef int _grow(self, int number) except -1 nogil
    cdef int _set_priors(self, int number) except -1 nogil
    cdef int _meet(self, int number) except -1 nogil
    cdef int _value_leaf(self, int number, double* values) except -1 nogil
    cdef int _roll_out(self, int most) except -1 nogil
    cdef int _settle_chance(self) except -1 nogil
    cdef int _back_up(self, int number, double* values) noexcept nogil
    cdef int _prove(self, int number) noexcept nogil
    cdef bint _before_proven(self, int side, int one, int other) noexcept nogil
    cdef double _mean(self, int number) noexcept nogil

    cdef int _begin_choosing(self) noexcept nogil
    cdef int _force(self) noexcept nogil
    cdef int _count_playouts(self, double* playouts) noexcept nogil
    cdef int _improve(self, double* trust) noexcept nogil
    cdef int _add_noise(self) noexcept nogil
    cdef int _begin_halving(self) noexcept nogil
    cdef int _choose_candidate(self) noexcept nogil
    cdef int _end_phase(self) noexcept nogil
    cdef int _halve(self) noexcept nogil
    cdef double _influence(self) noexcept nogil
    cdef double _halving_score(self, int child) noexcept nogil

    cdef bint _still_candidate(self, int child) noexcept nogil
    cdef bint _before(self, int parent, int one, int other) noexcept nogil
    cdef int _best_child(self, int number) noexcept nogil
    cdef int _go_back(self) except -1 nogil
    cdef int _heed_signals(self) except -1 nogil

    cdef int _prepare(self, Position position) except -1
    cdef int _let_go(self) except -1
    cdef int _plant(self, Position position) except -1
    cdef int _sow(self, Position position) except -1
    cdef int _find(self, Position position) except -2
    cdef int _cut_down(self, int number) noexcept nogil
    cdef object _answer(self)
    cdef object _line(self, int number)
