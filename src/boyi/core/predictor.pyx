"""Predictors: policy and value of many positions at once.

A predictor answers a `Batch`: per legal move a logit, per player the value of the position. Tests and
networks write the same two methods, `Predictor.predict` in Cython or `PythonPredictor.answer` in Python,
and the interpreter's lock is taken once per batch, not per leaf.

    >>> import boyi
    >>> from boyi.core.batch import Batch
    >>> from boyi.core.predictor import Predictor
    >>> position = boyi.start("othello")
    >>> batch = Batch(position.game.make_encoder(position.options), 8)
    >>> batch.append(position)
    0
    >>> Predictor(batch.encoder).fill(batch)
    >>> list(batch.logits[:4]), list(batch.values[:2])
    ([0.0, 0.0, 0.0, 0.0], [0.0, 0.0])
"""

from libc.math cimport isfinite
from libc.string cimport memset

from boyi.core.batch cimport Batch
from boyi.core.encoder cimport Encoder
from boyi.core.position cimport Position

from boyi.core.errors import OptionError

cdef enum:
    # The sum of floats may pass the bounds of a value by a little: by one part in this many.
    TOLERANCE = 1000


cdef class Predictor:
    """All moves alike, every position level. The parent of all other predictors."""

    def __init__(self, Encoder encoder not None):
        self.encoder = encoder

    cdef int predict(self, Batch batch) except -1 nogil:
        memset(batch.move_logits, 0, batch.row_starts[batch.count] * sizeof(float))
        memset(batch.seat_values, 0, batch.count * self.encoder.players * sizeof(float))
        return 0

    def check(self, Position position not None):
        """Refuse, in words, a position that cannot be predicted: searches ask before they begin."""
        self.encoder.check(position)

    def fill(self, Batch batch not None):
        """Fill in the logits and values of all that is in the batch."""
        if batch.encoder is not self.encoder:
            raise OptionError("this batch was encoded by another encoder than the predictor's")
        if batch.count:
            self.predict(batch)


cdef class PythonPredictor(Predictor):
    """A predictor in plain Python: override `answer`. What it answers is checked."""

    cdef int predict(self, Batch batch) except -1 nogil:
        cdef int i
        cdef float value
        with gil:
            self.answer(batch)
        for i in range(batch.row_starts[batch.count]):
            if not isfinite(batch.move_logits[i]):
                with gil:
                    raise ValueError(f"{type(self).__name__}.answer: a logit is {batch.move_logits[i]}")
        for i in range(batch.count * self.encoder.players):
            value = batch.seat_values[i]
            if not -1 <= value <= 1:
                if not (isfinite(value) and value * value * TOLERANCE < TOLERANCE + 1):
                    with gil:
                        raise ValueError(f"{type(self).__name__}.answer: a value is {value}, not from -1 to 1")
                batch.seat_values[i] = 1 if value > 0 else -1
        return 0

    def answer(self, batch):
        """Fill in `batch.logits` and `batch.values` of the rows 0 … batch.count - 1."""
        raise NotImplementedError
