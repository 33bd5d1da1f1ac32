"""What a position may be worth: the guess that searches make where they stop."""

from boyi.core.position cimport Position
from boyi.core.types cimport move_t

cdef enum:
    # Values are whole numbers for the player to act, in hundredths of the game's smallest
    # coin (a pawn, a disc, a stone, a step). Guesses stay within ±GUESS; beyond it are wins:
    # WIN - n is a win in n plies.
    GUESS = 28000
    WIN = 30000
    UNKNOWN = -32768       # no value at all; also what evaluate() returns with an exception


cdef enum:
    STRIDE_PLACES = 128    # pieces and targets of strides are numbers below this


cdef struct Stride:        # a move of a race, as an evaluator sees it; distances in units of its own
    int piece              # names what moves ...
    int target             # ... and where it lands
    int rear               # how far the piece is from its goal
    int gain               # how much nearer the move brings it; negative for a retreat
    int remaining          # how far it will be from the place it should now take: less is better
    bint chain             # it lands by a chain of hops that could have stopped earlier or gone on


cdef class Evaluator:
    # The value for the player to act. Never called when the game is over or chance acts.
    cdef int evaluate(self, Position position) except? -32768 nogil
    # Per player, from -1 to 1, for searches that know more than two players or want odds of winning.
    cdef int evaluate_players(self, Position position, double* values) except -1 nogil
    # At a CHANCE turn, the result to take for granted where not all are looked at. The default: the likeliest.
    cdef move_t presume(self, Position position) except? 0xFFFFFFFF nogil
    # For two players, optional: a range in which the value for the player to act almost certainly lies, as far as
    # statistics tell. Returns 1 and fills both in, or 0 where nothing is known (the default).
    cdef int bounds(self, Position position, int* low, int* high) except -1 nogil
    cdef readonly double scale     # how large a value gives about 73 % odds: evaluate_players' default is tanh

    # ---- optional hook: for races, what ordering and forward pruning want to know of a legal move.
    # Returns 1 and fills in `stride`, or 0 for a move that brings no piece anywhere (the default).
    cdef int stride(self, Position position, move_t move, Stride* stride) except -1 nogil


cdef class PythonEvaluator(Evaluator):
    pass
