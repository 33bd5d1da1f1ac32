"""How many rounds of gradient descent do what a dozen rounds of conjugate gradients do?

    python -m tools.fit_rounds [FIRST_YEAR]

The samples are the positions with 24 empty points in the WTHOR games since FIRST_YEAR (2010 if not given), and the
start is nothing. Gradient descent goes the best way each time: plain, or with each weight scaled as in `linear`.
What is compared is what both minimise, per sample. `docs/othello.md` tells what came out.
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
        place, rounds = np.zeros(PACKED), 0
        while cost(place) > wanted and rounds < MOST_ROUNDS:
            slope = gathered(labels - predicted(place)) - settings.damping * place
            way = scaling * slope
            along = predicted(way)
            place = place + (slope @ way) / (along @ along + settings.damping * way @ way) * way
            rounds += 1
        print(f"gradient descent, {name}, {rounds} rounds: {cost(place):.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2010)
