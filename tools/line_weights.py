"""Fit what the features of `boyi.games.othello.automata` are worth, to paste into its FEATURES.

    python -m tools.line_weights

Least squares on the WTHOR base (`BOYI_DATA`), positions with 20 to 34 empty points, labels as in
`boyi.learn.othello.patterns`.
"""

from __future__ import annotations

import numpy as np

from boyi.games.othello.automata import FEATURES, KINDS, line_counts
from boyi.learn.othello.patterns import Array, data_folder, read_games

STAGES = range(26, 41, 2)
EVERY = 4
"""Every n-th game is used: there are only three dozen weights."""


def lines() -> list[tuple[int, list[int]]]:
    """All lines of three points and more: their kind and points."""
    found = []
    for i in range(8):
        found.append((0 if i in (0, 7) else 1, [8 * i + c for c in range(8)]))
        found.append((0 if i in (0, 7) else 1, [8 * r + i for r in range(8)]))
    for total in range(2, 13):
        found.append((2, [8 * r + total - r for r in range(8) if 0 <= total - r < 8]))
        found.append((2, [8 * r + r - total + 7 for r in range(8) if 0 <= r - total + 7 < 8]))
    return found


def features(own: Array, other: Array) -> Array:
    """Per position the counts of all features in lines of each kind."""
    table = {length: np.array(line_counts(length), np.int16) for length in range(3, 9)}
    result = np.zeros((len(own), len(KINDS), len(FEATURES)), np.float32)
    for kind, points in lines():
        index = np.zeros(len(own), np.int64)
        for digit, point in enumerate(points):
            bit = np.uint64(point)
            index += 3 ** digit * ((own >> bit & np.uint64(1)) + 2 * (other >> bit & np.uint64(1))).astype(np.int64)
        result[:, kind] += table[len(points)][index]
    return result.reshape(len(own), -1)


def main() -> None:
    games = read_games(data_folder())
    rows, labels = [], []
    for stage in STAGES:
        there = np.flatnonzero((games.side[stage] != 0) & (np.arange(games.side.shape[1]) % EVERY == 0))
        rows.append(features(games.own[stage][there], games.other[stage][there]))
        labels.append(games.side[stage][there] * games.theory[there])
    matrix, label = np.concatenate(rows), np.concatenate(labels)
    weights = np.linalg.lstsq(np.c_[matrix, np.ones(len(matrix))], label, rcond=None)[0][:-1]
    print(f"mean error {np.abs(matrix @ weights - label).mean():.2f} discs, of nothing {np.abs(label).mean():.2f}")
    for number, name in enumerate(FEATURES):
        print(name, *(round(100 * weights[kind * len(FEATURES) + number]) for kind in range(len(KINDS))))


if __name__ == "__main__":
    main()
