"""An evaluation by a small network whose first layer is kept up to date instead of computed."""

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint64_t

from boyi.core.evaluator cimport Evaluator
from boyi.core.position cimport Position

cdef enum:
    MAX_PLACES = 128          # of a position as a row of bytes; a multiple of 8
    MAX_CODES = 32            # a byte is less than this; 0 says nothing
    MAX_WIDTH = 512           # neurons of the first layer per seat; a multiple of 16
    MAX_BUCKETS = 8           # output layers to choose from
    MAX_VIEWS = 64            # that a seat may have
    ACCUMULATORS = 128        # positions whose accumulator is kept, by their ply; a power of two
    CACHED_VALUES = 32768     # values that are kept, by the key of their position; a power of two, at most 2^16
    ACTIVATION_ONE = 255      # 1.0 of an accumulator
    WEIGHT_ONE = 64           # 1.0 of a weight of the output layer


cdef struct Accumulator:      # a position as it was last seen at some ply, and its first layer before activation
    uint8_t codes[MAX_PLACES]
    uint8_t views[64]         # in which the sums of each seat are; the rest aligns sums
    int16_t sums[2][MAX_WIDTH]


cdef struct Refresher:        # the same for one seat in one view: where a seat begins that has come to another view
    uint8_t codes[MAX_PLACES]
    int16_t sums[MAX_WIDTH]


cdef class Net:
    cdef readonly object facts        # the header of the file, a dict
    cdef readonly str digest          # SHA-256 of the file; empty for one that was read from none
    cdef readonly int width
    cdef readonly int rows
    cdef readonly int buckets
    cdef readonly double unit         # what 1.0 of the output is in units of the evaluator
    cdef readonly double scale        # of the evaluator: see there
    cdef int16_t* first               # rows × width, and one row of zeros more, for what says nothing
    cdef int16_t start[MAX_WIDTH]     # biases of the first layer
    cdef int16_t last[MAX_BUCKETS][2 * MAX_WIDTH]   # output weights: for the seat to act, then for the other one
    cdef int32_t offset[MAX_BUCKETS]                # output biases


cdef class NetEvaluator(Evaluator):
    cdef readonly Net net
    cdef readonly Evaluator base      # the evaluator whose value the net corrects, or None
    cdef readonly object inputs       # what the net is shown (kit.inputs)
    cdef int places
    cdef int views
    cdef int16_t* row_of              # per view, seat, place and code, the row of the first layer
    cdef Accumulator* accumulators
    cdef Refresher* refreshers        # per view and seat; NULL where there is one view
    cdef uint64_t* cache              # values by key

    cdef int evaluate(self, Position position) except? -32768 nogil
    # ---- what a game must say: the position as a row of bytes, each less than MAX_CODES (those after `places`
    # stay 0); and which output layer it takes. Where its inputs have several views, also which one a seat has.
    cdef int encode(self, Position position, uint8_t* codes) except -1 nogil
    cdef int bucket(self, Position position) except -1 nogil
    cdef int view(self, Position position, int seat) except -1 nogil

    cdef Accumulator* refresh(self, Position position) except NULL nogil
    cdef int compare(self, const uint8_t* codes, const uint8_t* old_codes, uint8_t* places) noexcept nogil
    cdef int update(self, int16_t* sums, const int16_t* old, const uint8_t* codes, const uint8_t* old_codes,
                    const uint8_t* places, int changes, int view, int seat) noexcept nogil
    cdef int output(self, Accumulator* accumulator, int side, int bucket) noexcept nogil


cdef class PythonNetEvaluator(NetEvaluator):
    pass
