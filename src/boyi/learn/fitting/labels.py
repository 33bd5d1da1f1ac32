"""Labels: what the evaluation of a position should say, as the expected score of the player to act.

A label mixes the result of the game with the value of a search. Values become scores by a logistic function; the value
that means a score of 73 % (odds of e to 1), the *scale*, is the one by which values explain the results best.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

LARGEST = 50
"""In scales: more is as certain as it gets."""


def expected_score(values: Array) -> Array:
    """From 0 to 1, of values in units of the scale."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(values, -LARGEST, LARGEST))))


def cross_entropy(scores: Array, labels: Array, smallest: float) -> Array:
    """Per sample; scores are kept `smallest` away from 0 and 1."""
    sure = np.clip(scores, smallest, 1 - smallest)
    return np.asarray(-(labels * np.log(sure) + (1 - labels) * np.log(1 - sure)))


def loss(values: Array, labels: Array, smallest: float) -> float:
    """The mean cross-entropy of values in units of the scale, less that of a perfect guess."""
    return float((cross_entropy(expected_score(values), labels, smallest)
                  - cross_entropy(labels, labels, smallest)).mean())


def find_scale(values: Array, results: Array, candidates: Array, smallest: float) -> float:
    """The candidate that explains results (1, 0 or -1) best."""
    return min((float(scale) for scale in candidates),
               key=lambda scale: loss(values / scale, (results + 1) / 2, smallest))


def mix(results: Array, searched: Array, scale: float, share: float) -> Array:
    """Labels of which this share is the result of the game and the rest the value of the search."""
    return np.asarray(share * (results + 1) / 2 + (1 - share) * expected_score(searched / scale))
