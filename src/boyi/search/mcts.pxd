"""Monte Carlo tree search for any number of players, with chance."""

from libc.stdint cimport int64_t, uint64_t

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position
from boyi.core.batch cimport Batch
from boyi.core.predictor cimport Predictor
from boyi.core.race cimport StrideEvaluator
from boyi.core.types cimport move_t
from boyi.kit.control cimport Control
from boyi.kit.gate cimport Gate
from boyi.search.tree.halving cimport Halving
from boyi.search.tree.memory cimport Tree
from boyi.search.tree.pending cimport Pending
from boyi.search.tree.selection cimport Selection


cdef struct Switches:          # the options that are not settings of a part
    bint rollouts
    bint solver
    bint evaluator_priors
    int width
    int batch
    int rollout_plies
    double prior_temperature
    double root_noise
    double root_noise_shape


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
    cdef StrideEvaluator _race              # describes moves for priors; None where they come from elsewhere

    # ---- the parts
    cdef char* _block                       # the memory of the tree
    cdef Tree _tree
    cdef Selection _selection
    cdef Halving _halving
    cdef Pending _pending
    cdef Batch _batch                       # for searches that predict by themselves
    cdef Switches _switches

    # ---- what the root stands for, so that the next search can tell whether it continues this one
    cdef object _game
    cdef object _game_options
    cdef str _start_text
    cdef list _history
    cdef int _followed                      # the node that the game has come to since (follow); -1: out of the tree

    # ---- the search under way
    cdef Position _position
    cdef object _only                       # the root's moves to keep to; None for all
    cdef object _on_depth                   # told of results while the search goes on; None for nobody
    cdef Control _control
    cdef Gate _gate                         # that it passes; None for none
    cdef Counters _counters
    cdef uint64_t _random
    cdef int _root_ply
    cdef int _lines                         # how many were asked for
    cdef int64_t _reused                    # nodes kept from the last search
    cdef int _depth_limit
    cdef bint _busy
    cdef bint _stepping                     # between begin() and finish(), which the caller calls
    cdef bint _ended                        # a limit was met
    cdef bint _opened                       # the root knows its moves and their priors
    cdef bint _plain                        # without noise and forced playouts, whatever the options say
    cdef double _signals_checked            # when

    # ---- a search in steps, for loops that play many games and predict for all of them at once: begin() a search,
    # then, until done(): collect(), predict, absorb(); then finish(). A collected leaf must be absorbed.
    cdef int collect_leaves(self, Batch batch) except -1 nogil   # how many of its leaves now wait in the batch
    cdef int absorb_answers(self, Batch batch) except -1 nogil
    cdef bint must_end(self) noexcept nogil

    # ---- the same without Python objects, for loops that are compiled themselves. The position is the caller's;
    # between begin_steps() and end_steps() nobody else may move it, and follow() hears of every move made afterwards.
    cdef int begin_steps(self, Position position, int64_t nodes, uint64_t random, bint plain) except -1
    cdef int end_steps(self) except -1
    cdef int follow(self, move_t move) noexcept nogil
    # What came out: the moves of the root and the policy to be learned, which sums to 1; how many moves there are.
    cdef int root_policy(self, move_t* moves, float* policy) noexcept nogil
    cdef int64_t simulations(self) noexcept nogil               # made in this search
    cdef double root_value(self) noexcept nogil                 # for the player who acts, -1 to 1
    cdef move_t root_choice(self, double temperature, uint64_t* random) noexcept nogil

    # ---- the steps of a search
    cdef int _begin(self, Position position, object limits, tuple only) except -1
    cdef int _find(self, Position position) except -2
    cdef int _plant(self, Position position) except -1
    cdef int _prepare(self, Position position, bint plain) except -1
    cdef int _release(self) except -1
    cdef int _run(self) except -1 nogil
    cdef int _open(self) except -1 nogil
    cdef int _open_choice(self) noexcept nogil
    cdef int _simulate(self) except -1 nogil
    cdef int _descend(self) except -1 nogil
    cdef int _choose(self, int number) noexcept nogil
    cdef int _meet(self, int number) except -1 nogil
    cdef int _grow(self, int number) except -1 nogil
    cdef int _keep_only(self, move_t* moves, int n) except -1 nogil
    cdef int _look_ahead(self, int number) except -1 nogil
    cdef int _value_leaf(self, int number, double* values) except -1 nogil
    cdef int _roll_out(self, int plies) except -1 nogil
    cdef int _draw_chance(self) except -1 nogil
    cdef int _back_up(self, int number, double* values) noexcept nogil
    cdef int _count(self) except -1 nogil
    cdef int64_t _batch_room(self) noexcept nogil
    cdef int _is_known(self, int number, double* values) except -1 nogil
    cdef int _encode(self, int number, Batch batch) except -1 nogil
    cdef int _check_signals(self) except -1 nogil
    cdef object _answer(self)
    cdef object _line(self, int number)
