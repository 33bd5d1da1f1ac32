# cython: boundscheck=False, wraparound=False, cdivision=True
# (every index is checked once before the loops)
"""Fits the networks of `boyi.kit.nnue`: sums of rows, clipped and squared, and one layer more.

Written out by hand because almost all inputs are zero: a sample adds up some fifty rows per seat and its gradient goes
back to just these. A sample is a position as a row of bytes, and `table` says which rows they name, so that a sample
takes a hundred bytes and can stay on disk. Sums are kept in vector registers while rows are added.

What is minimised is the cross-entropy between a label (a score from 0 to 1) and the sigmoid of

    base + offset[bucket] + last[bucket] · clip(start + sum of first[rows], 0, 1)²

by Adam (Kingma and Ba 2015) with decoupled decay (AdamW). Values are in units of the evaluator's scale: 1 is
odds of e to 1.
The weights of the last layer are kept within what fits 8 bits in the end (`LARGEST_LAST`).
"""

from libc.math cimport exp, log
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t

cdef enum:
    WIDEST = 512
    MOST_PLACES = 128
    CODES = 32

LARGEST_LAST = 127 / 64

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    #include <math.h>
    #if defined(__GNUC__)
      #if defined(__AVX512F__)
        #define BOYI_LANES 16
      #elif defined(__AVX__)
        #define BOYI_LANES 8
      #else
        #define BOYI_LANES 4
      #endif
      typedef float boyi_vector __attribute__((vector_size(4 * BOYI_LANES), aligned(4), may_alias));
    #else
      typedef float boyi_vector;
      #define BOYI_LANES 1
    #endif

    /* sums = start + the rows, eight vectors at a time. */
    static void boyi_sum_rows(float *restrict sums, const float *restrict start, const float *restrict first,
                              const uint32_t *restrict rows, int count, int width) {
        int at = 0;
        for (; at + 8 * BOYI_LANES <= width; at += 8 * BOYI_LANES) {
            const boyi_vector *s = (const boyi_vector *) (start + at);
            boyi_vector *out = (boyi_vector *) (sums + at);
            boyi_vector a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
            for (int r = 0; r < count; r++) {
                const boyi_vector *row = (const boyi_vector *) (first + (size_t) rows[r] * width + at);
                a += row[0]; b += row[1]; c += row[2]; d += row[3];
                e += row[4]; f += row[5]; g += row[6]; h += row[7];
            }
            out[0] = a; out[1] = b; out[2] = c; out[3] = d; out[4] = e; out[5] = f; out[6] = g; out[7] = h;
        }
        for (; at < width; at += BOYI_LANES) {
            boyi_vector a = *(const boyi_vector *) (start + at);
            for (int r = 0; r < count; r++) a += *(const boyi_vector *) (first + (size_t) rows[r] * width + at);
            *(boyi_vector *) (sums + at) = a;
        }
    }
    /* Each of the rows += back. */
    static void boyi_add_to_rows(float *restrict gradient, const float *restrict back, const uint32_t *restrict rows,
                                 int count, int width) {
        int at = 0;
        for (; at + 8 * BOYI_LANES <= width; at += 8 * BOYI_LANES) {
            const boyi_vector *s = (const boyi_vector *) (back + at);
            boyi_vector a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
            for (int r = 0; r < count; r++) {
                boyi_vector *row = (boyi_vector *) (gradient + (size_t) rows[r] * width + at);
                row[0] += a; row[1] += b; row[2] += c; row[3] += d;
                row[4] += e; row[5] += f; row[6] += g; row[7] += h;
            }
        }
        for (; at < width; at += BOYI_LANES) {
            boyi_vector a = *(const boyi_vector *) (back + at);
            for (int r = 0; r < count; r++) *(boyi_vector *) (gradient + (size_t) rows[r] * width + at) += a;
        }
    }
    /* Clip the sums, and their weighted squares added up. */
    static float boyi_output(float *restrict sums, const float *restrict last, int width) {
        boyi_vector total = 0 * *(const boyi_vector *) last;
        for (int at = 0; at < width; at += BOYI_LANES) {
            float *lane = sums + at;
            for (int i = 0; i < BOYI_LANES; i++) lane[i] = lane[i] < 0 ? 0 : lane[i] > 1 ? 1 : lane[i];
            boyi_vector sum = *(const boyi_vector *) lane;
            total += *(const boyi_vector *) (last + at) * sum * sum;
        }
        float value = 0;
        for (int i = 0; i < BOYI_LANES; i++) value += ((const float *) &total)[i];
        return value;
    }
    /* What goes back through the output layer; where a sum is clipped, nothing does. */
    static void boyi_back(float *restrict back, float *restrict last_gradient, float *restrict start_gradient,
                          const float *restrict sums, const float *restrict last, float error, int width) {
        for (int i = 0; i < width; i++) {
            float sum = sums[i], slope = sum < 1 ? 2 * error * last[i] * sum : 0;
            last_gradient[i] += error * sum * sum;
            start_gradient[i] += slope;
            back[i] = slope;
        }
    }
    /* out = one + other; out may be one of them. */
    static void boyi_add_row(const float *one, const float *other, float *out, int width) {
        for (int at = 0; at < width; at += BOYI_LANES)
            *(boyi_vector *) (out + at) = *(const boyi_vector *) (one + at) + *(const boyi_vector *) (other + at);
    }
    static void boyi_adam(float *restrict weights, float *restrict gradients, float *restrict means,
                          float *restrict squares, ptrdiff_t count, float size, float pace, float keep, float limit) {
        for (ptrdiff_t i = 0; i < count; i++) {
            float gradient = gradients[i] * size;
            float mean = 0.9f * means[i] + 0.1f * gradient, square = 0.999f * squares[i] + 0.001f * gradient * gradient;
            /* Means of rows that are seldom seen would end as denormal numbers, which are very slow. */
            mean = fabsf(mean) < 1e-20f ? 0 : mean;
            square = square < 1e-30f ? 0 : square;
            float weight = keep * weights[i] - pace * mean / (sqrtf(square) + 1e-8f);
            gradients[i] = 0;
            means[i] = mean;
            squares[i] = square;
            weights[i] = weight > limit ? limit : weight < -limit ? -limit : weight;
        }
    }
    """
    void sum_rows "boyi_sum_rows"(float* sums, const float* start, const float* first, const uint32_t* rows, int count,
                                  int width) noexcept nogil
    void add_to_rows "boyi_add_to_rows"(float* gradient, const float* back, const uint32_t* rows, int count,
                                        int width) noexcept nogil
    float output "boyi_output"(float* sums, const float* last, int width) noexcept nogil
    void go_back "boyi_back"(float* back, float* last_gradient, float* start_gradient, const float* sums,
                             const float* last, float error, int width) noexcept nogil
    void add_row "boyi_add_row"(const float* one, const float* other, float* out, int width) noexcept nogil
    void adam_step "boyi_adam"(float* weights, float* gradients, float* means, float* squares, Py_ssize_t count,
                               float size, float pace, float keep, float limit) noexcept nogil


cdef inline double sigmoid(double value) noexcept nogil:
    return 1 / (1 + exp(-value))


def check(const uint8_t[:, ::1] codes not None, const uint8_t[:, ::1] facts not None,
          const uint16_t[:, :, :, :, ::1] table not None, const float[::1] bases not None,
          const float[::1] labels not None, const float[:, ::1] first not None, const float[:, ::1] last not None):
    """Refuse samples that do not fit the network.

    Facts of a sample are the side to act, the view of each seat and the bucket. `table` says per image of the board,
    view, seat, place and code which row that is; the last row of the network is for what says nothing.
    """
    cdef Py_ssize_t samples = codes.shape[0], i, j, cells = 1
    cdef int views = table.shape[1], buckets = last.shape[0]
    cdef uint8_t largest = 0
    cdef const uint16_t* cell = &table[0, 0, 0, 0, 0]
    if first.shape[1] > WIDEST or first.shape[1] % 16 or last.shape[1] != 2 * first.shape[1]:
        raise ValueError("a first layer whose width is a multiple of 16, and a last layer twice as wide, are needed")
    if bases.shape[0] != samples or labels.shape[0] != samples or facts.shape[0] != samples or facts.shape[1] < 4:
        raise ValueError("facts, a base and a label per sample are needed")
    if (table.shape[2] != 2 or table.shape[3] != codes.shape[1] or table.shape[4] != CODES
            or codes.shape[1] > MOST_PLACES):
        raise ValueError("a row per image, view, seat, place and code is needed")
    for i in range(5):
        cells *= table.shape[i]
    for i in range(cells):
        if cell[i] >= first.shape[0]:
            raise ValueError(f"the table names row {cell[i]} of {first.shape[0]}")
    with nogil:
        for i in range(samples):
            for j in range(codes.shape[1]):
                largest = largest if largest > codes[i, j] else codes[i, j]
            if facts[i, 0] > 1 or facts[i, 1] >= views or facts[i, 2] >= views or facts[i, 3] >= buckets:
                with gil:
                    raise ValueError(f"sample {i} is of side {facts[i, 0]}, views {facts[i, 1]} and {facts[i, 2]} of "
                                     f"{views} and bucket {facts[i, 3]} of {buckets}")
    if largest >= CODES:
        raise ValueError(f"a sample has the code {largest}, and codes are less than {CODES}")


cdef int find_rows(const uint8_t* codes, const uint16_t* table, int places, uint32_t nothing,
                   uint32_t* rows) noexcept nogil:
    """The rows that codes name; their number."""
    cdef int place, count = 0
    cdef uint32_t row
    for place in range(places):
        if codes[place]:
            row = table[place * CODES + codes[place]]
            rows[count] = row
            count += row != nothing
    return count


cdef double forward(const uint8_t* codes, const uint8_t* facts, const uint16_t* table, int places, int width,
                    uint32_t nothing, const float* first, const float* start, const float* last, double value,
                    float* sums, uint32_t* rows, int* counts) noexcept nogil:
    """The value; `sums` gets the sums, of the seat to act and then of the other one, clipped."""
    cdef int turn, seat
    for turn in range(2):
        seat = facts[0] ^ turn
        counts[turn] = find_rows(codes, table + (2 * facts[1 + seat] + seat) * places * CODES, places, nothing,
                                 rows + turn * MOST_PLACES)
        sum_rows(sums + turn * width, start, first, rows + turn * MOST_PLACES, counts[turn], width)
    return value + output(sums, last, 2 * width)


def values(const uint8_t[:, ::1] codes not None, const uint8_t[:, ::1] facts not None,
           const uint16_t[:, :, :, :, ::1] table not None, const float[::1] bases not None,
           const int32_t[::1] chosen not None, const float[:, ::1] first not None, const float[::1] start not None,
           const float[:, ::1] last not None, const float[::1] offset not None, float[::1] out not None):
    """Write the value of each chosen sample, in the first image. Samples were checked (`check`)."""
    cdef float sums[2 * WIDEST]
    cdef uint32_t rows[2 * MOST_PLACES]
    cdef int counts[2]
    cdef int width = first.shape[1], places = codes.shape[1], bucket
    cdef uint32_t nothing = first.shape[0] - 1
    cdef Py_ssize_t n, i
    if out.shape[0] != chosen.shape[0] or start.shape[0] != width or offset.shape[0] != last.shape[0]:
        raise ValueError("room for a value per chosen sample is needed, and a network")
    check_chosen(chosen, codes.shape[0])
    with nogil:
        for n in range(chosen.shape[0]):
            i = chosen[n]
            bucket = facts[i, 3]
            out[n] = <float> forward(&codes[i, 0], &facts[i, 0], &table[0, 0, 0, 0, 0], places, width, nothing,
                                     &first[0, 0], &start[0], &last[bucket, 0], bases[i] + offset[bucket], sums, rows,
                                     counts)


cdef int check_chosen(const int32_t[::1] chosen, Py_ssize_t samples) except -1:
    cdef Py_ssize_t n
    for n in range(chosen.shape[0]):
        if not 0 <= chosen[n] < samples:
            raise ValueError(f"there is no sample {chosen[n]}")
    return 0


def step(const uint8_t[:, ::1] codes not None, const uint8_t[:, ::1] facts not None,
         const uint16_t[:, :, :, :, ::1] table not None, const float[::1] bases not None,
         const float[::1] labels not None, const int32_t[::1] chosen not None,
         const uint8_t[::1] chosen_images not None, const float[:, ::1] first not None,
         const float[::1] start not None, const float[:, ::1] last not None, const float[::1] offset not None,
         float[:, ::1] first_gradient not None, float[::1] start_gradient not None,
         float[:, ::1] last_gradient not None, float[::1] offset_gradient not None):
    """Add the gradients of the chosen samples, each in the chosen image, to those given; their summed loss. Samples
    were checked (`check`)."""
    cdef float sums[2 * WIDEST]
    cdef float back[2 * WIDEST]
    cdef uint32_t rows[2 * MOST_PLACES]
    cdef int counts[2]
    cdef int width = first.shape[1], places = codes.shape[1], bucket, turn
    cdef uint32_t nothing = first.shape[0] - 1
    cdef Py_ssize_t n, i
    cdef double value, error, total = 0, label
    if chosen_images.shape[0] != chosen.shape[0]:
        raise ValueError("an image per chosen sample is needed")
    check_chosen(chosen, codes.shape[0])
    for n in range(chosen.shape[0]):
        if chosen_images[n] >= table.shape[0]:
            raise ValueError(f"there is no image {chosen_images[n]}")
    if (first_gradient.shape[0] != first.shape[0] or first_gradient.shape[1] != width or start.shape[0] != width
            or start_gradient.shape[0] != width or last_gradient.shape[0] != last.shape[0]
            or last_gradient.shape[1] != last.shape[1] or not offset.shape[0] == offset_gradient.shape[0]
            == last.shape[0]):
        raise ValueError("gradients must have the shapes of the network")
    with nogil:
        for n in range(chosen.shape[0]):
            i = chosen[n]
            bucket = facts[i, 3]
            value = forward(&codes[i, 0], &facts[i, 0], &table[chosen_images[n], 0, 0, 0, 0], places, width, nothing,
                            &first[0, 0], &start[0], &last[bucket, 0], bases[i] + offset[bucket], sums, rows, counts)
            label = labels[i]
            error = sigmoid(value) - label
            # log(1 + e^value) - label * value, without overflow
            total += (value if value > 0 else 0) + log(1 + exp(-value if value > 0 else value)) - label * value
            offset_gradient[bucket] += <float> error
            for turn in range(2):
                go_back(back, &last_gradient[bucket, turn * width], &start_gradient[0], sums + turn * width,
                        &last[bucket, turn * width], <float> error, width)
                add_to_rows(&first_gradient[0, 0], back, rows + turn * MOST_PLACES, counts[turn], width)
    return total


def adam(float[::1] weights not None, float[::1] gradients not None, float[::1] means not None,
         float[::1] squares not None, double rate, double decay, double count, double largest):
    """One step of Adam with the gradients of `count` samples' summed loss; clears them. Weights stay in ±largest."""
    if not weights.shape[0] == gradients.shape[0] == means.shape[0] == squares.shape[0]:
        raise ValueError("weights, gradients, means and squares must be equally many")
    with nogil:
        adam_step(&weights[0], &gradients[0], &means[0], &squares[0], weights.shape[0], <float> (1 / count),
                  <float> rate, <float> (1 - rate * decay), <float> largest)


def gather_alike(const float[:, ::1] rows not None, const int32_t[::1] alike not None, float[:, ::1] shared not None):
    """Add each row to the one that it is alike with."""
    cdef Py_ssize_t row
    cdef int width = rows.shape[1]
    check_alike(alike, rows.shape[0], shared.shape[0], width == shared.shape[1])
    with nogil:
        for row in range(rows.shape[0]):
            add_row(&shared[alike[row], 0], &rows[row, 0], &shared[alike[row], 0], width)


def join_alike(const float[:, ::1] own not None, const float[:, ::1] shared not None,
               const int32_t[::1] alike not None, float[:, ::1] rows not None):
    """Write each row: what is its own, and what it shares."""
    cdef Py_ssize_t row
    cdef int width = rows.shape[1]
    check_alike(alike, rows.shape[0], shared.shape[0],
                own.shape[0] == rows.shape[0] and width == shared.shape[1] == own.shape[1])
    with nogil:
        for row in range(rows.shape[0]):
            add_row(&own[row, 0], &shared[alike[row], 0], &rows[row, 0], width)


cdef int check_alike(const int32_t[::1] alike, Py_ssize_t rows, Py_ssize_t shared, bint fits) except -1:
    cdef Py_ssize_t row
    if alike.shape[0] != rows or not fits:
        raise ValueError("a shared row of the same width is needed for each row")
    for row in range(rows):
        if not 0 <= alike[row] < shared:
            raise ValueError(f"row {row} is alike with {alike[row]} of {shared}")
    return 0
