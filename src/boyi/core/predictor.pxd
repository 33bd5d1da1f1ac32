"""Policies and values of many positions at once: what a network gives a tree search."""

from boyi.core.encoder cimport Encoder
from boyi.core.position cimport Position
from boyi.core.types cimport move_t


cdef class Batch:
    # Encoded positions that wait for a prediction, and then the predictions. They may be of many games.
    cdef readonly Encoder encoder
    cdef readonly int capacity
    cdef readonly int count          # positions in it
    # ---- of each position
    cdef float* encoded              # [capacity][encoder.size]
    cdef int* first                  # [capacity + 1]; its moves are first[row] … first[row + 1] - 1
    cdef float* seat_values          # [capacity][players], -1 to 1: for the player who acts, then in order of play
    # ---- of each move asked about
    cdef int* names                  # by the encoder
    cdef float* move_logits

    # ---- who owns the memory
    cdef object _features, _starts, _values, _indices, _logits
    cdef float[::1] _features_held, _values_held, _logits_held
    cdef int[::1] _starts_held, _indices_held

    cdef int add(self, Position position, const move_t* moves, int n) except -1 nogil   # its row
    cdef int clear(self) noexcept nogil


cdef class Predictor:
    cdef readonly Encoder encoder
    # Fill in `move_logits` and `seat_values` of all that is in the batch.
    cdef int predict(self, Batch batch) except -1 nogil


cdef class PythonPredictor(Predictor):
    pass
