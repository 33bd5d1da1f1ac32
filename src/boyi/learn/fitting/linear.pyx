# cython: boundscheck=False, wraparound=False
# (every index is checked once before the loops)
"""Sums of table entries, fitted to labels by least squares.

A sample is a row of indices, its prediction the sum of the weights they name. `fit` minimises

    sum over samples (prediction - label)^2  +  damping * sum over weights (weight - start)^2

by conjugate gradients on the normal equations, each weight scaled by how often it occurs
(Hestenes and Stiefel 1952; Jacobi preconditioning). One round reads every sample once, as one round of
gradient descent does, but a dozen do what takes that about a hundred (`tools/fit_rounds.py` measures it): the
direction in which all weights grow together is far steeper than the others, and only here may the steps differ.
The damping holds what is seen seldom near where it started from.
"""

from libc.stdint cimport uint32_t


def fit(const uint32_t[:, ::1] indices not None, const float[::1] labels not None, float[::1] weights not None,
        float[:, ::1] scratch not None, int rounds, double damping):
    """Improve `weights` in place by a number of rounds. `scratch` has four rows as long as `weights`."""
    cdef Py_ssize_t samples = indices.shape[0], width = indices.shape[1], size = weights.shape[0], i, j
    cdef float[::1] inverse = scratch[0], residual = scratch[1], direction = scratch[2], image = scratch[3]
    cdef double old, new, curvature, step
    cdef float total
    cdef int _
    if labels.shape[0] != samples or scratch.shape[0] != 4 or scratch.shape[1] != size:
        raise ValueError("a label per sample and four rows of scratch, each as long as the weights, are needed")
    for i in range(samples):
        for j in range(width):
            if indices[i, j] >= size:
                raise ValueError(f"sample {i} names weight {indices[i, j]} of {size}")
    with nogil:
        # 1. How often each weight occurs, and the residual at the start: X^T (label - X weight).
        for j in range(size):
            inverse[j] = <float> damping
            residual[j] = 0
        for i in range(samples):
            total = labels[i]
            for j in range(width):
                total -= weights[indices[i, j]]
            for j in range(width):
                residual[indices[i, j]] += total
                inverse[indices[i, j]] += 1
        old = 0
        for j in range(size):
            inverse[j] = 1 / inverse[j]
            direction[j] = inverse[j] * residual[j]
            old += <double> residual[j] * direction[j]
        for _ in range(rounds):
            # 2. image = (X^T X + damping) direction
            for j in range(size):
                image[j] = <float> damping * direction[j]
            for i in range(samples):
                total = 0
                for j in range(width):
                    total += direction[indices[i, j]]
                for j in range(width):
                    image[indices[i, j]] += total
            # 3. As far along the direction as the error falls.
            curvature = 0
            for j in range(size):
                curvature += <double> direction[j] * image[j]
            if curvature <= 0 or old <= 0:
                break
            step = old / curvature
            new = 0
            for j in range(size):
                weights[j] += <float> step * direction[j]
                residual[j] -= <float> step * image[j]
                new += <double> residual[j] * residual[j] * inverse[j]
            # 4. The next direction is conjugate to all before.
            for j in range(size):
                direction[j] = inverse[j] * residual[j] + <float> (new / old) * direction[j]
            old = new


def predict(const uint32_t[:, ::1] indices not None, const float[::1] weights not None,
            float[::1] predictions not None):
    """Write the prediction for each sample."""
    cdef Py_ssize_t i, j
    cdef float total
    if predictions.shape[0] != indices.shape[0]:
        raise ValueError("as many predictions as samples are needed")
    for i in range(indices.shape[0]):
        total = 0
        for j in range(indices.shape[1]):
            if indices[i, j] >= weights.shape[0]:
                raise ValueError(f"sample {i} names weight {indices[i, j]} of {weights.shape[0]}")
            total += weights[indices[i, j]]
        predictions[i] = total
