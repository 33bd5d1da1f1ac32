"""What a position may be worth: the guess that searches make where they stop."""

from boyi.core.position cimport Position

cdef enum:
    # Values are whole numbers for the player to act, in hundredths of the game's smallest
    # coin (a pawn, a disc, a stone, a step). Guesses stay within ±GUESS; beyond it are wins:
    # WIN - n is a win in n plies.
    GUESS = 28000
    WIN = 30000
    UNKNOWN = -32768       # no value at all; also what evaluate() returns with an exception


cdef class Evaluator:
    # The value for the player to act. Never called when the game is over or chance acts.
    cdef int evaluate(self, Position position) except? -32768 nogil
    # Per player, from -1 to 1, for searches that know more than two players or want odds of winning.
    cdef int evaluate_players(self, Position position, double* values) except -1 nogil
    cdef readonly double scale     # how large a value gives about 73 % odds: evaluate_players' default is tanh


cdef class PythonEvaluator(Evaluator):
    pass
