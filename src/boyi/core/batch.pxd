"""Encoded positions that wait for a predictor, and then its answers."""

from boyi.core.encoder cimport Encoder
from boyi.core.position cimport Position
from boyi.core.types cimport move_t


cdef class Batch:
    cdef readonly Encoder encoder
    cdef readonly int capacity
    cdef readonly int count          # positions in it; they may be of many games
    # ---- of each position
    cdef float* row_features         # [capacity][encoder.size]
    cdef int* row_starts             # [capacity + 1]; its moves are row_starts[row] … row_starts[row + 1] - 1
    cdef float* seat_values          # [capacity][players], -1 to 1: for the player who acts, then in order of play
    # ---- of each move asked about
    cdef int* move_indices           # its policy index, by the encoder
    cdef float* move_logits

    # ---- what owns the memory
    cdef object _features, _starts, _values, _indices, _logits
    cdef float[::1] _features_held, _values_held, _logits_held
    cdef int[::1] _starts_held, _indices_held

    cdef int add(self, Position position, const move_t* moves, int n) except -1 nogil   # its row
    cdef int clear(self) noexcept nogil
