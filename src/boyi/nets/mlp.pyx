"""Plain networks: linear layers with ReLU, a policy head and a value head; no library, no interpreter's lock.

For networks this small a general runtime spends more on being general than on the numbers. Three things are known
here that it cannot know:

- Features are mostly zeros, so the first layer adds up only the rows of its matrix that count.
- Only the logits of legal moves are needed, a tenth of all or less.
- A search of one position asks about one leaf, again and again; a call costs nothing but the arithmetic.

Matrices are cut into panels of columns that lie together in memory: 64 wide in the first layer, where one position
takes single rows; 16 wide in the others, where four positions share what was fetched. A sum is always added up in the
same order, whatever else is in the batch, so that a position gets the same numbers in every company: games of self-play
are the same however many are played at once. (Machines with and without fused multiplication differ in the last bit.)

The arithmetic is C because it needs the vector instructions by name: the compiler's own target is the oldest
machine of its kind.
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree, PyMem_RawMalloc
from libc.math cimport exp, isfinite, tanh

from boyi.core.encoder cimport Encoder
from boyi.core.batch cimport Batch
from boyi.core.predictor cimport Predictor

from boyi.core.errors import OptionError

cdef extern from *:
    """
    #define BOYI_WIDE 64
    #define BOYI_NARROW 16
    #define BOYI_ROWS 4

    /* 64 outputs of one position: bias + the sum of x[i] * row at[i]. A row is four pieces of 16, `piece` apart. */
    static void boyi_row_plain(const float *x, const int *at, int count, const float *weights, long step, long piece,
                               const float *bias, float *out) {
        float sums[BOYI_WIDE];
        for (int c = 0; c < BOYI_WIDE; c++) sums[c] = bias[c];
        for (int i = 0; i < count; i++) {
            const float *row = weights + at[i] * step;
            for (int p = 0; p < 4; p++)
                for (int c = 0; c < BOYI_NARROW; c++) sums[p * BOYI_NARROW + c] += x[i] * row[p * piece + c];
        }
        for (int c = 0; c < BOYI_WIDE; c++) out[c] = sums[c] > 0 ? sums[c] : 0;
    }

    /* 16 outputs of four positions: bias + x * panel; x and out have rows of their own widths. */
    static void boyi_four_plain(const float *x, long inputs, const float *panel, const float *bias, float *out,
                                long outputs) {
        for (int r = 0; r < BOYI_ROWS; r++) {
            float sums[BOYI_NARROW];
            for (int c = 0; c < BOYI_NARROW; c++) sums[c] = bias[c];
            for (long i = 0; i < inputs; i++)
                for (int c = 0; c < BOYI_NARROW; c++) sums[c] += x[r * inputs + i] * panel[i * BOYI_NARROW + c];
            for (int c = 0; c < BOYI_NARROW; c++) out[r * outputs + c] = sums[c] > 0 ? sums[c] : 0;
        }
    }

    /* The length is a multiple of 64. */
    static float boyi_dot_plain(const float *a, const float *b, long n) {
        float sums[8] = {0};
        for (long i = 0; i < n; i += 8)
            for (int c = 0; c < 8; c++) sums[c] += a[i + c] * b[i + c];
        return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
    }

    #if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
    #include <immintrin.h>
    #define BOYI_FUSED __attribute__((target("avx2,fma")))

    BOYI_FUSED static void boyi_row_fused(const float *x, const int *at, int count, const float *weights, long step,
                                          long piece, const float *bias, float *out) {
        __m256 sums[8];
        for (int c = 0; c < 8; c++) sums[c] = _mm256_loadu_ps(bias + 8 * c);
        for (int i = 0; i < count; i++) {
            const float *row = weights + at[i] * step;
            const __m256 factor = _mm256_set1_ps(x[i]);
            for (int p = 0; p < 4; p++) {
                sums[2 * p] = _mm256_fmadd_ps(factor, _mm256_loadu_ps(row + p * piece), sums[2 * p]);
                sums[2 * p + 1] = _mm256_fmadd_ps(factor, _mm256_loadu_ps(row + p * piece + 8), sums[2 * p + 1]);
            }
        }
        for (int c = 0; c < 8; c++) _mm256_storeu_ps(out + 8 * c, _mm256_max_ps(sums[c], _mm256_setzero_ps()));
    }

    BOYI_FUSED static void boyi_four_fused(const float *x, long inputs, const float *panel, const float *bias,
                                           float *out, long outputs) {
        __m256 sums[BOYI_ROWS][2];
        for (int r = 0; r < BOYI_ROWS; r++) {
            sums[r][0] = _mm256_loadu_ps(bias);
            sums[r][1] = _mm256_loadu_ps(bias + 8);
        }
        for (long i = 0; i < inputs; i++) {
            __m256 low = _mm256_loadu_ps(panel + i * BOYI_NARROW);
            __m256 high = _mm256_loadu_ps(panel + i * BOYI_NARROW + 8);
            __asm__("" : "+x"(low), "+x"(high));      /* or gcc fetches them anew for every row */
            for (int r = 0; r < BOYI_ROWS; r++) {
                const __m256 factor = _mm256_set1_ps(x[r * inputs + i]);
                sums[r][0] = _mm256_fmadd_ps(factor, low, sums[r][0]);
                sums[r][1] = _mm256_fmadd_ps(factor, high, sums[r][1]);
            }
        }
        for (int r = 0; r < BOYI_ROWS; r++) {
            _mm256_storeu_ps(out + r * outputs, _mm256_max_ps(sums[r][0], _mm256_setzero_ps()));
            _mm256_storeu_ps(out + r * outputs + 8, _mm256_max_ps(sums[r][1], _mm256_setzero_ps()));
        }
    }

    BOYI_FUSED static float boyi_dot_fused(const float *a, const float *b, long n) {
        __m256 sums[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps()};
        for (long i = 0; i < n; i += 32)
            for (int c = 0; c < 4; c++)
                sums[c] = _mm256_fmadd_ps(_mm256_loadu_ps(a + i + 8 * c), _mm256_loadu_ps(b + i + 8 * c), sums[c]);
        sums[0] = _mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3]));
        __m128 half = _mm_add_ps(_mm256_castps256_ps128(sums[0]), _mm256_extractf128_ps(sums[0], 1));
        half = _mm_add_ps(half, _mm_movehl_ps(half, half));
        return _mm_cvtss_f32(_mm_add_ss(half, _mm_shuffle_ps(half, half, 1)));
    }

    static int boyi_fused(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
    #else
    #define boyi_row_fused boyi_row_plain
    #define boyi_four_fused boyi_four_plain
    #define boyi_dot_fused boyi_dot_plain
    static int boyi_fused(void) { return 0; }
    #endif
    """
    enum:
        WIDE "BOYI_WIDE"
        NARROW "BOYI_NARROW"
        ROWS "BOYI_ROWS"
    int has_fused "boyi_fused"()
    void row_plain "boyi_row_plain"(const float* x, const int* at, int count, const float* weights, long step,
                                    long piece, const float* bias, float* out) noexcept nogil
    void row_fused "boyi_row_fused"(const float* x, const int* at, int count, const float* weights, long step,
                                    long piece, const float* bias, float* out) noexcept nogil
    void four_plain "boyi_four_plain"(const float* x, long inputs, const float* panel, const float* bias, float* out,
                                      long outputs) noexcept nogil
    void four_fused "boyi_four_fused"(const float* x, long inputs, const float* panel, const float* bias, float* out,
                                      long outputs) noexcept nogil
    float dot_plain "boyi_dot_plain"(const float* a, const float* b, long n) noexcept nogil
    float dot_fused "boyi_dot_fused"(const float* a, const float* b, long n) noexcept nogil

cdef enum:
    TILE = 64                  # positions computed together: their numbers stay in the cache
    MOST_INPUTS = 1 << 14

cdef bint FUSED = has_fused()


def use_fused(wanted):
    """Whether machines that can fuse multiplication and addition shall; for tests. Does this one, now?"""
    global FUSED
    FUSED = wanted and has_fused()
    return bool(FUSED)


cdef int filled_up(int width) noexcept:
    """The next whole number of wide panels."""
    return (width + WIDE - 1) // WIDE * WIDE


cdef float* take(size_t count) except NULL:
    """An array of zeros."""
    cdef float* numbers = <float*> PyMem_RawCalloc(count, sizeof(float))
    if numbers == NULL:
        raise MemoryError("no room for a network")
    return numbers


cdef class MLPPredictor(Predictor):
    """A network of plain layers: from the features to logits of moves and values."""

    def __init__(self, Encoder encoder not None, layers, policy, value, wdl):
        """Each layer, the policy head and the value head is a pair: weights, `float32` of shape [inputs, outputs], and
        a bias.

        The value head gives logits of win, draw and loss (`wdl`), or what `tanh` makes values of, for one player or for
        all.
        """
        cdef int inputs = encoder.size, outputs, i
        if self._layers != NULL:
            raise RuntimeError("a network is made once")
        if not layers:
            raise OptionError("a network has at least one layer")
        Predictor.__init__(self, encoder)
        self._layers = <Layer*> take(len(layers) * sizeof(Layer) // sizeof(float))
        self._depth = len(layers)
        for i, (weights, bias) in enumerate(layers):
            outputs = _check(weights, bias, inputs)
            self._layers[i].inputs = encoder.size if i == 0 else filled_up(inputs)
            self._layers[i].outputs = filled_up(outputs)
            self._layers[i].weights = take(<size_t> self._layers[i].inputs * self._layers[i].outputs)
            self._layers[i].bias = take(self._layers[i].outputs)
            _pack(&self._layers[i], WIDE if i == 0 else NARROW, weights, bias)
            self._widest = max(self._widest, self._layers[i].outputs)
            inputs = outputs
        self._trunk = filled_up(inputs)
        if _check(*policy, inputs) != encoder.policy_size:
            raise OptionError(f"the policy has {len(policy[1])} outputs; moves have {encoder.policy_size} names")
        self._value_size = _check(*value, inputs)
        self._wdl = wdl
        if (self._value_size != 3 or encoder.players != 2) if wdl else (
                self._value_size != encoder.players and (self._value_size != 1 or encoder.players != 2)):
            raise OptionError(f"the value head has {self._value_size} outputs for {encoder.players} players")
        self._policy = take(<size_t> encoder.policy_size * self._trunk)
        self._policy_bias = take(encoder.policy_size)
        self._value = take(<size_t> self._value_size * self._trunk)
        self._value_bias = take(self._value_size)
        _turn(self._policy, self._policy_bias, self._trunk, policy[0], policy[1])
        _turn(self._value, self._value_bias, self._trunk, value[0], value[1])

    def __dealloc__(self):
        cdef int i
        for i in range(self._depth):
            PyMem_RawFree(self._layers[i].weights)
            PyMem_RawFree(self._layers[i].bias)
        PyMem_RawFree(self._layers)
        PyMem_RawFree(self._policy)
        PyMem_RawFree(self._policy_bias)
        PyMem_RawFree(self._value)
        PyMem_RawFree(self._value_bias)

    cdef int predict(self, Batch batch) except -1 nogil:
        # Several threads may ask at once, so every call has its own memory to work in.
        cdef int rows = batch.count if batch.count < TILE else TILE
        cdef size_t room = <size_t> (rows + ROWS) * self._widest
        cdef float* one = <float*> PyMem_RawMalloc(2 * room * sizeof(float))
        cdef int first = 0
        if one == NULL:
            with gil:
                raise MemoryError("no room to ask a network")
        while first < batch.count:
            rows = batch.count - first if batch.count - first < TILE else TILE
            self._predict_some(batch, first, rows, one, one + room)
            first += rows
        PyMem_RawFree(one)
        return 0

    cdef int _predict_some(self, Batch batch, int first, int rows, float* one, float* other) noexcept nogil:
        """The positions from row `first` on; `one` and `other` have room for the numbers of a layer."""
        cdef float x[MOST_INPUTS]
        cdef int at[MOST_INPUTS]
        cdef Layer* layer = &self._layers[0]
        cdef const float* features
        cdef const float* trunk
        cdef float* values
        cdef float* swapped
        cdef double odds[3]
        cdef double largest, total
        cdef int row, i, count, column, depth, move, player, players = self.encoder.players
        # 1. The first layer: what is not zero.
        for row in range(rows):
            features = batch.row_features + <size_t> (first + row) * layer.inputs
            count = 0
            for i in range(layer.inputs):
                x[count] = features[i]
                at[count] = i
                count += features[i] != 0
            column = 0
            while column < layer.outputs:
                if FUSED:
                    row_fused(x, at, count, layer.weights + <size_t> column * layer.inputs, WIDE, NARROW,
                              layer.bias + column, one + <size_t> row * layer.outputs + column)
                else:
                    row_plain(x, at, count, layer.weights + <size_t> column * layer.inputs, WIDE, NARROW,
                              layer.bias + column, one + <size_t> row * layer.outputs + column)
                column += WIDE
        # 2. The others: four positions at a time, and those left over one by one.
        for depth in range(1, self._depth):
            layer = &self._layers[depth]
            column = 0
            while column < layer.outputs:
                row = 0
                while row + ROWS <= rows:
                    if FUSED:
                        four_fused(one + <size_t> row * layer.inputs, layer.inputs,
                                   layer.weights + <size_t> column * layer.inputs, layer.bias + column,
                                   other + <size_t> row * layer.outputs + column, layer.outputs)
                    else:
                        four_plain(one + <size_t> row * layer.inputs, layer.inputs,
                                   layer.weights + <size_t> column * layer.inputs, layer.bias + column,
                                   other + <size_t> row * layer.outputs + column, layer.outputs)
                    row += ROWS
                column += NARROW
            for row in range(rows - rows % ROWS, rows):
                count = 0
                for i in range(layer.inputs):
                    x[count] = one[<size_t> row * layer.inputs + i]
                    at[count] = i
                    count += x[count] != 0
                column = 0
                while column < layer.outputs:
                    if FUSED:
                        row_fused(x, at, count, layer.weights + <size_t> column * layer.inputs, NARROW,
                                  <long> NARROW * layer.inputs, layer.bias + column,
                                  other + <size_t> row * layer.outputs + column)
                    else:
                        row_plain(x, at, count, layer.weights + <size_t> column * layer.inputs, NARROW,
                                  <long> NARROW * layer.inputs, layer.bias + column,
                                  other + <size_t> row * layer.outputs + column)
                    column += WIDE
            swapped = one
            one = other
            other = swapped
        # 3. The heads: logits of the moves asked about, and values.
        for row in range(rows):
            trunk = one + <size_t> row * self._trunk
            for i in range(batch.row_starts[first + row], batch.row_starts[first + row + 1]):
                move = batch.move_indices[i]
                batch.move_logits[i] = self._policy_bias[move] + dot(
                    trunk, self._policy + <size_t> move * self._trunk, self._trunk)
            values = batch.seat_values + <size_t> (first + row) * players
            if self._wdl:
                largest = -1e300
                for i in range(3):
                    odds[i] = self._value_bias[i] + dot(trunk, self._value + <size_t> i * self._trunk, self._trunk)
                    largest = odds[i] if odds[i] > largest else largest
                total = 0
                for i in range(3):
                    odds[i] = exp(odds[i] - largest)
                    total += odds[i]
                values[0] = <float> ((odds[0] - odds[2]) / total)
                values[1] = -values[0]
            else:
                for player in range(self._value_size):
                    values[player] = <float> tanh(self._value_bias[player] + dot(
                        trunk, self._value + <size_t> player * self._trunk, self._trunk))
                if self._value_size < players:
                    values[1] = -values[0]
        return 0


cdef inline float dot(const float* a, const float* b, int n) noexcept nogil:
    return dot_fused(a, b, n) if FUSED else dot_plain(a, b, n)


def _check(weights, bias, int inputs):
    """How many outputs these have; refuses what does not fit together or is no number."""
    cdef const float[:, :] numbers = weights
    cdef const float[:] offsets = bias
    cdef Py_ssize_t i, j
    if numbers.shape[0] != inputs or not 1 <= numbers.shape[1] == offsets.shape[0] or inputs > MOST_INPUTS:
        raise OptionError(f"a layer of {numbers.shape[0]} × {numbers.shape[1]} with a bias of {offsets.shape[0]} does "
                          f"not fit {inputs} inputs")
    for j in range(numbers.shape[1]):
        for i in range(inputs):
            if not isfinite(numbers[i, j]):
                raise OptionError("a weight is not a number")
        if not isfinite(offsets[j]):
            raise OptionError("a bias is not a number")
    return numbers.shape[1]


cdef int _pack(Layer* layer, int panel, weights, bias) except -1:
    """Cut a matrix into panels of columns."""
    cdef const float[:, :] numbers = weights
    cdef const float[:] offsets = bias
    cdef Py_ssize_t i, j
    for j in range(numbers.shape[1]):
        layer.bias[j] = offsets[j]
        for i in range(numbers.shape[0]):
            layer.weights[(j // panel * layer.inputs + i) * panel + j % panel] = numbers[i, j]
    return 0


cdef int _turn(float* rows, float* heights, int trunk, weights, bias) except -1:
    """Keep a matrix by its outputs."""
    cdef const float[:, :] numbers = weights
    cdef const float[:] offsets = bias
    cdef Py_ssize_t i, j
    for j in range(numbers.shape[1]):
        heights[j] = offsets[j]
        for i in range(numbers.shape[0]):
            rows[j * trunk + i] = numbers[i, j]
    return 0
