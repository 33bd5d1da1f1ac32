"""Policy and value of many positions at once: what a network gives a tree search."""

from boyi.core.batch cimport Batch
from boyi.core.encoder cimport Encoder


cdef class Predictor:
    cdef readonly Encoder encoder
    # Fill in `logit_data` and `value_data` of all that is in the batch.
    cdef int predict(self, Batch batch) except -1 nogil


cdef class PythonPredictor(Predictor):
    pass
