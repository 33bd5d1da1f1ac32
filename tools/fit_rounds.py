"""How many rounds of gradient descent reach what a dozen rounds of conjugate gradients reach?

    python -m tools.fit_rounds [FIRST_YEAR]

The samples are the positions with 24 empty points in the WTHOR games since FIRST_YEAR (2010 if not given), and
weights start at zero. Gradient descent has an exact line search: plain, or with each weight scaled as in `linear`.
The cost that both minimise is compared, per sample. `docs/results/othello.md` has the result.
"""

from __future__ import annotations

import sys

import numpy as np

from boyi.games.othello.patterns import PACKED
from boyi.learn.fitting.linear import fit
from boyi.learn.othello.patterns import FIRST_STAGE, INSTANCES, Array, data_folder, read_games, samples
from boyi.learn.othello.settings import PatternSettings

MOST_ROUNDS = 300


def main(first_year: int) -> None:
    settings = PatternSettings()
    games = read_games(data_folder(), first_year)
    indices, labels = samples(games, FIRST_STAGE, np.ones(games.side.shape[1], bool))
    flat = indices.ravel().astype(np.int64)

    def predicted(weights: Array) -> Array:
        return np.asarray(weights[indices].sum(1))

    def gathered(errors: Array) -> Array:
        return np.bincount(flat, np.repeat(errors, INSTANCES), PACKED)

    def cost(weights: Array) -> float:
        errors = predicted(weights) - labels
        return float(errors @ errors + settings.damping * weights @ weights) / len(labels)

    weights = np.zeros(PACKED, np.float32)
    fit(indices, labels, weights, np.empty((4, PACKED), np.float32), settings.rounds, settings.damping)
    wanted = cost(weights.astype(float))
    print(f"{len(labels)} samples; conjugate gradients, {settings.rounds} rounds: {wanted:.2f}")
    for name, scaling in (("scaled", 1 / (settings.damping + np.bincount(flat, minlength=PACKED))),
                          ("plain", np.ones(PACKED))):
        weights_now, rounds = np.zeros(PACKED), 0
        while cost(weights_now) > wanted and rounds < MOST_ROUNDS:
            gradient = gathered(labels - predicted(weights_now)) - settings.damping * weights_now
            direction = scaling * gradient
            along = predicted(direction)
            weights_now = weights_now + (gradient @ direction) / (
                along @ along + settings.damping * direction @ direction) * direction
            rounds += 1
        print(f"gradient descent, {name}, {rounds} rounds: {cost(weights_now):.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2010)
