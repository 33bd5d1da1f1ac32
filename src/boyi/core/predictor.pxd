"""Policy and value of many positions at once: what a network gives a tree search."""

from boyi.core.batch cimport Batch
from boyi.core.encoder cimport Encoder


cdef class Predictor:
    cdef readonly Encoder encoder
    # Fill in `move_logits` and `seat_values` of all that is in the batch.
    cdef int predict(self, Batch batch) except -1 nogil


cdef class PythonPredictor(Predictor):
    pass
