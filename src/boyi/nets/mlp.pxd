"""A network of plain layers, worked out without anybody's help."""

from boyi.core.predictor cimport Batch, Predictor


cdef struct Layer:             # out = ramp(in × weights + bias); both widths are filled up with zeros to a panel
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
    cdef float* _outlook                     # [_outlooks][_trunk]
    cdef float* _outlook_bias
    cdef int _outlooks
    cdef bint _wdl                           # the outlook is logits of win, draw and loss, not values

    cdef int _predict_some(self, Batch batch, int first, int rows, float* one, float* other) noexcept nogil
