"""What a position may be worth: the evaluation that searches ask for where they stop."""

from boyi.core.position cimport Position
from boyi.core.types cimport move_t

cdef enum:
    # Values are whole numbers for the player to act, in hundredths of the game's smallest unit (a pawn, a disc, a
    # stone, a step). Evaluations stay within ±GUESS; beyond it are wins: WIN - n is a win in n plies.
    GUESS = 28000
    WIN = 30000
    UNKNOWN = -32768       # no value at all; also what evaluate() returns with an exception


cdef class Evaluator:
    # The value for the player to act. Never called when the game is over or chance acts.
    cdef int evaluate(self, Position position) except? -32768 nogil
    # Per player, from -1 to 1, for searches that know more than two players or want odds of winning.
    cdef int evaluate_players(self, Position position, double* values) except -1 nogil
    # At a CHANCE turn, the one result to look at where a search does not look at all. The default: the likeliest.
    cdef move_t presume(self, Position position) except? 0xFFFFFFFF nogil
    # For two players, optional: between which values statistics of positions like this one expect it for the player to
    # act, within ±GUESS and with low <= high. Only where it is certain that less than `share` of the points was lost in
    # such positions, or won; from so many standard `deviations` below their mean value to as many above. Returns 1 and
    # fills both in, or 0 where too little is known (the default).
    cdef int bounds(self, Position position, double share, double deviations, int* low, int* high) except -1 nogil
    # For two players, optional: what a search of `depth` plies will find, told by a shallower one (ProbCut, Buro 1995).
    # Statistics of this evaluator say that the value of the deep search is slope * v + offset, give or take a standard
    # `deviation`, where v is the value of a search of `shallow` plies from the same position. Returns 1 and fills all
    # four in, or 0 where there are no statistics (the default).
    cdef int foretell(self, Position position, int depth, int* shallow, double* slope, double* offset,
                      double* deviation) except -1 nogil
    cdef readonly double scale     # how large a value gives about 73 % odds: evaluate_players' default is tanh


cdef class PythonEvaluator(Evaluator):
    pass
