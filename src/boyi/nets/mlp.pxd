"""A network of plain layers, computed without a library."""

from boyi.core.batch cimport Batch
from boyi.core.predictor cimport Predictor


cdef struct Layer:             # out = ReLU(in × weights + bias); both widths are filled up with zeros to a panel
    int inputs
    int outputs
    float* weights             # in panels: see `mlp.pyx`
    float* bias


cdef class MLPPredictor(Predictor):
    cdef Layer* _layers
    cdef int _depth
    cdef int _widest
    cdef int _trunk                          # width of the last layer
    cdef float* _policy                      # [policy_size][_trunk]
    cdef float* _policy_bias
    cdef float* _value                       # [_value_size][_trunk]
    cdef float* _value_bias
    cdef int _value_size                     # outputs of the value head
    cdef bint _wdl                           # which are logits of win, draw and loss, not values

    cdef int _predict_some(self, Batch batch, int first, int rows, float* one, float* other) noexcept nogil
