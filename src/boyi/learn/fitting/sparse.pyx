# cython: boundscheck=False, wraparound=False, cdivision=True
# (every index is checked once before the loops)
"""Fits the networks of `boyi.kit.nnue`: sums of rows, clipped and squared, and one layer more.

Written out by hand because almost all inputs are zero: a sample adds up some thirty rows per seat and its gradient goes
back to just these. At width 32 one core does some 400,000 samples a second.

What is minimised is the cross-entropy between a label (a score from 0 to 1) and the sigmoid of

    base + offset[bucket] + last[bucket] · clip(start + sum of first[rows], 0, 1)²

by Adam (Kingma and Ba 2015) with decoupled decay (AdamW). Values are in units of the evaluator's scale: 1 is
odds of e to 1.
The weights of the last layer are kept within what fits 8 bits in the end (`LARGEST_LAST`).
"""

from libc.math cimport exp, log, sqrt
from libc.stdint cimport int32_t, uint8_t, uint16_t

cdef enum:
    WIDEST = 256

LARGEST_LAST = 127 / 64

cdef extern from *:
    """
    static inline void boyi_add_row(float *restrict sums, const float *restrict row, int width) {
        for (int i = 0; i < width; i++) sums[i] += row[i];
    }
    """
    void add_row "boyi_add_row"(float* sums, const float* row, int width) noexcept nogil


cdef inline double sigmoid(double value) noexcept nogil:
    return 1 / (1 + exp(-value))


def check(const uint16_t[:, :, ::1] rows not None, const uint16_t[:, ::1] images not None,
          const float[::1] bases not None, const float[::1] labels not None, const uint8_t[::1] buckets not None,
          const float[:, ::1] first not None, const float[:, ::1] last not None):
    """Refuse samples that do not fit the network. `images`: per image of the board, the row that each row becomes."""
    cdef Py_ssize_t samples = rows.shape[0], i, j, seat
    if first.shape[1] > WIDEST or last.shape[1] != 2 * first.shape[1] or rows.shape[1] != 2:
        raise ValueError("two seats, and a last layer twice as wide as the first, are needed")
    if bases.shape[0] != samples or labels.shape[0] != samples or buckets.shape[0] != samples:
        raise ValueError("a base, a label and a bucket per sample are needed")
    if images.shape[1] != first.shape[0]:
        raise ValueError("every image must say what becomes of every row")
    for i in range(images.shape[0]):
        for j in range(images.shape[1]):
            if images[i, j] >= first.shape[0]:
                raise ValueError(f"image {i} makes row {images[i, j]} of {first.shape[0]} of row {j}")
    for i in range(samples):
        if buckets[i] >= last.shape[0]:
            raise ValueError(f"sample {i} is of bucket {buckets[i]} of {last.shape[0]}")
        for seat in range(2):
            for j in range(rows.shape[2]):
                if rows[i, seat, j] >= first.shape[0]:
                    raise ValueError(f"sample {i} names row {rows[i, seat, j]} of {first.shape[0]}")


cdef double forward(const uint16_t* rows, const uint16_t* image, int active, int width, const float* first,
                    const float* start, const float* last, double value, float* sums) noexcept nogil:
    """The value; `sums` gets the sums, of the seat to act and then of the other one, clipped."""
    cdef int seat, i
    cdef float* of_seat
    for seat in range(2):
        of_seat = sums + seat * width
        for i in range(width):
            of_seat[i] = start[i]
        for i in range(active):
            add_row(of_seat, first + image[rows[seat * active + i]] * width, width)
    for i in range(2 * width):
        sums[i] = 0 if sums[i] < 0 else 1 if sums[i] > 1 else sums[i]
        value += last[i] * sums[i] * sums[i]
    return value


def values(const uint16_t[:, :, ::1] rows not None, const uint16_t[:, ::1] images not None,
           const float[::1] bases not None, const uint8_t[::1] buckets not None,
           const float[:, ::1] first not None, const float[::1] start not None, const float[:, ::1] last not None,
           const float[::1] offset not None, float[::1] out not None):
    """Write the value of each sample, in the first image."""
    cdef float sums[2 * WIDEST]
    cdef int width = first.shape[1], active = rows.shape[2], bucket
    cdef Py_ssize_t i
    check(rows, images, bases, out, buckets, first, last)
    with nogil:
        for i in range(rows.shape[0]):
            bucket = buckets[i]
            out[i] = <float> forward(&rows[i, 0, 0], &images[0, 0], active, width, &first[0, 0], &start[0],
                                     &last[bucket, 0], bases[i] + offset[bucket], sums)


def step(const uint16_t[:, :, ::1] rows not None, const uint16_t[:, ::1] images not None,
         const float[::1] bases not None, const float[::1] labels not None, const uint8_t[::1] buckets not None,
         const int32_t[::1] chosen not None, const uint8_t[::1] chosen_images not None,
         const float[:, ::1] first not None, const float[::1] start not None, const float[:, ::1] last not None,
         const float[::1] offset not None, float[:, ::1] first_gradient not None, float[::1] start_gradient not None,
         float[:, ::1] last_gradient not None, float[::1] offset_gradient not None):
    """Add the gradients of the chosen samples, each in the chosen image, to those given; their summed loss."""
    cdef float sums[2 * WIDEST]
    cdef float back[2 * WIDEST]
    cdef int width = first.shape[1], active = rows.shape[2], bucket, j, seat, k
    cdef Py_ssize_t n, i, samples = rows.shape[0]
    cdef double value, error, total = 0, label
    cdef const uint16_t* image
    if chosen_images.shape[0] != chosen.shape[0]:
        raise ValueError("an image per chosen sample is needed")
    for n in range(chosen.shape[0]):
        if not 0 <= chosen[n] < samples:
            raise ValueError(f"there is no sample {chosen[n]}")
        if chosen_images[n] >= images.shape[0]:
            raise ValueError(f"there is no image {chosen_images[n]}")
    with nogil:
        for n in range(chosen.shape[0]):
            i = chosen[n]
            bucket = buckets[i]
            image = &images[chosen_images[n], 0]
            value = forward(&rows[i, 0, 0], image, active, width, &first[0, 0], &start[0], &last[bucket, 0],
                            bases[i] + offset[bucket], sums)
            label = labels[i]
            error = sigmoid(value) - label
            # log(1 + e^value) - label * value, without overflow
            total += (value if value > 0 else 0) + log(1 + exp(-value if value > 0 else value)) - label * value
            offset_gradient[bucket] += <float> error
            for j in range(2 * width):
                last_gradient[bucket, j] += <float> error * sums[j] * sums[j]
                # Where a sum is clipped, nothing goes back.
                back[j] = (<float> (2 * error) * last[bucket, j] * sums[j] if sums[j] < 1 else 0)
            for seat in range(2):
                add_row(&start_gradient[0], back + seat * width, width)
                for k in range(active):
                    add_row(&first_gradient[image[rows[i, seat, k]], 0], back + seat * width, width)
    return total


def adam(float[::1] weights not None, float[::1] gradients not None, float[::1] means not None,
         float[::1] squares not None, double rate, double decay, double count, double largest):
    """One step of Adam with the gradients of `count` samples' summed loss; clears them. Weights stay in ±largest."""
    cdef Py_ssize_t i
    cdef float gradient, size = <float> (1 / count), limit = <float> largest, keep = <float> (1 - rate * decay)
    cdef float pace = <float> rate
    if not weights.shape[0] == gradients.shape[0] == means.shape[0] == squares.shape[0]:
        raise ValueError("weights, gradients, means and squares must be equally many")
    with nogil:
        for i in range(weights.shape[0]):
            gradient = gradients[i] * size
            gradients[i] = 0
            means[i] = <float> 0.9 * means[i] + <float> 0.1 * gradient
            squares[i] = <float> 0.999 * squares[i] + <float> 0.001 * gradient * gradient
            weights[i] = keep * weights[i] - pace * means[i] / (<float> sqrt(squares[i]) + <float> 1e-8)
            weights[i] = limit if weights[i] > limit else -limit if weights[i] < -limit else weights[i]
