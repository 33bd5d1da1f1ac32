"""Evaluators: static evaluations, kept apart from rules.

A position knows results; what an unfinished position may be worth is an estimate,
and each way to estimate is an `Evaluator` in its game's folder. Searches take one
and know nothing else of the game.

    >>> import boyi
    >>> from boyi.core.evaluator import Evaluator
    >>> Evaluator().value(boyi.start("othello"))
    0
"""

from libc.math cimport tanh

from boyi.core.position cimport Position
from boyi.core.types cimport CHANCE, MAX_MOVES, MAX_PLAYERS, move_t

from boyi.core.errors import TextError
from boyi.core.game import belongs_to_another

EXTREME_SHARE = 0.1
"""Of the points: a kind of position is extreme if it is certain that less than this share is lost in it, or won."""

RANGE_DEVIATIONS = 2.0
"""In standard deviations: how far from the mean the value of a position in an extreme kind is expected at most."""


cdef class Evaluator:
    """Every position is level. The parent of all other evaluators."""

    def __cinit__(self, *args, **kwargs):
        self.scale = 400.0

    cdef int evaluate(self, Position position) except? -32768 nogil:
        return 0

    cdef int evaluate_players(self, Position position, double* values) except -1 nogil:
        """For two players from `evaluate`; games of more players override it."""
        cdef double value = tanh(self.evaluate(position) / (2 * self.scale))
        cdef int player
        for player in range(position.players):
            values[player] = value if player == position.side else -value
        return 0

    cdef int bounds(self, Position position, double share, double deviations, int* low, int* high) except -1 nogil:
        return 0

    cdef int foretell(self, Position position, int depth, int* shallow, double* slope, double* offset,
                      double* deviation) except -1 nogil:
        return 0

    cdef move_t presume(self, Position position) except? 0xFFFFFFFF nogil:
        cdef move_t moves[MAX_MOVES]
        cdef double odds[MAX_MOVES]
        cdef int i, likeliest = 0
        for i in range(position.chances(moves, odds)):
            if odds[i] > odds[likeliest]:
                likeliest = i
        return moves[likeliest]

    @property
    def weights(self):
        """The numbers that can be tuned, a record as in `core.weights`; None where there are none."""
        return None

    def check(self, Position position not None):
        """Refuse, in words, a position that cannot be evaluated: searches ask before they begin.

        An evaluator that lives in a game's package reads the C fields of that game's positions, which no
        other position has.
        """
        if belongs_to_another(type(self), position.game):
            raise TextError(f"{type(self).__module__}.{type(self).__name__} does not know {position.game.name}")
        if position.over() or position.side < 0:
            raise TextError("there is nothing to search or to value: no player acts in this position")

    def fork(self):
        """An evaluator of the same values for another thread: this very one, unless it caches anything."""
        return self

    def race(self):
        """What describes moves to forward pruning, in games that are races (`core.race`); else None."""
        return None

    def value(self, Position position not None):
        """The value for the player to act."""
        self.check(position)
        return self.evaluate(position)

    def values(self, Position position not None):
        """The values for all players, from -1 to 1."""
        cdef double values[MAX_PLAYERS]
        cdef int i
        self.check(position)
        self.evaluate_players(position, values)
        return [values[i] for i in range(position.players)]

    def value_range(self, Position position not None, *, double share=EXTREME_SHARE,
                    double deviations=RANGE_DEVIATIONS):
        """Between which values statistics expect the position for the player to act; None where they say too little.

        They speak of positions in which it is certain that less than `share` of the points was lost, or won, and reach
        so many standard `deviations` to either side of the mean.
        """
        cdef int low = 0, high = 0
        self.check(position)
        return (low, high) if self.bounds(position, share, deviations, &low, &high) else None

    def foretold(self, Position position not None, int depth):
        """What statistics tell about a search of `depth` plies; None where there are none.

        A tuple (shallow, slope, offset, deviation): its value is expected at slope * v + offset, give or take the
        standard deviation, where v is the value of a search of `shallow` plies.
        """
        cdef int shallow = 0
        cdef double slope = 0, offset = 0, deviation = 0
        self.check(position)
        if not self.foretell(position, depth, &shallow, &slope, &offset, &deviation):
            return None
        return shallow, slope, offset, deviation

    def presumed_result(self, Position position not None):
        """At a CHANCE turn, the one result to look at where a search does not look at all of them."""
        if position.side != CHANCE:
            raise TextError("chance does not act in this position")
        return self.presume(position)


cdef class PythonEvaluator(Evaluator):
    """An evaluator in plain Python: override `guess`. Slow, and good for trying an idea."""

    cdef int evaluate(self, Position position) except? -32768 nogil:
        cdef int value
        with gil:
            value = self.guess(position)
        if value < -GUESS or value > GUESS:
            with gil:
                raise ValueError(f"{type(self).__name__}.guess: {value} is not from {-GUESS} to {GUESS}")
        return value

    def guess(self, position):
        """The value for the player to act."""
        raise NotImplementedError
