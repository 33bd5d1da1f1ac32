"""How much a loss of odds matters: the class of a move, and the accuracy of a player.

Odds go from 0 to 1, a draw counting as half. The thresholds and the formulas are those of lichess
(https://lichess.org/page/accuracy, and `AccuracyPercent` and `Advice` in its source), where winning chances go from -1
to 1, so that its thresholds are twice as large as ours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

Judgement = Literal["best", "good", "inaccuracy", "mistake", "blunder", "forced"]
"""`forced`: there was nothing to decide, and the move counts for nothing."""

JUDGEMENTS: tuple[Judgement, ...] = ("best", "good", "inaccuracy", "mistake", "blunder", "forced")
WRONG: tuple[Judgement, ...] = ("inaccuracy", "mistake", "blunder")

INACCURACY = 0.05
MISTAKE = 0.10
BLUNDER = 0.15
"""Losses of odds from which on a move is called so; lichess's."""

ONLY_MOVE = MISTAKE
"""The best move is the only one if every other loses at least this much."""

ACCEPTED = INACCURACY
"""A move is as good as the best one if it loses less than this: what "find a better move" accepts."""

# Accuracy of a move in percent, of a loss of x percent: A exp(-B x) + C + BONUS. Lichess fitted it to games.
_A, _B, _C = 103.1668100711649, 0.04354415386753951, -3.166924740191411
_BONUS = 1.0     # for what the engine is not sure of

_SHORTEST_WINDOW, _LONGEST_WINDOW = 2, 8     # positions
_LEAST_WEIGHT, _MOST_WEIGHT = 0.5, 12.0      # percent
_LEAST_ACCURACY = 1.0                        # percent; a harmonic mean cannot take 0


def judge(loss: float, *, is_best: bool = False, is_forced: bool = False) -> Judgement:
    """The class of a move by what it lost.

    >>> judge(0.04), judge(0.05), judge(0.2)
    ('good', 'inaccuracy', 'blunder')
    """
    if is_forced:
        return "forced"
    if is_best:
        return "best"
    for threshold, judgement in ((BLUNDER, JUDGEMENTS[4]), (MISTAKE, JUDGEMENTS[3]), (INACCURACY, JUDGEMENTS[2])):
        if loss >= threshold:
            return judgement
    return "good"


def move_accuracy(loss: float) -> float:
    """The accuracy of one move, in percent.

    >>> [round(move_accuracy(loss)) for loss in (0.0, 0.05, 0.1, 0.2, 0.5)]
    [100, 81, 65, 41, 10]
    """
    return max(0.0, min(100.0, _A * math.exp(-_B * 100 * max(0.0, loss)) + _C + _BONUS))


def accuracy(losses: Sequence[float], weights: Sequence[float]) -> float | None:
    """The accuracy of a player, in percent: the mean of a weighted mean, which counts the moves more that were made in
    sharp positions, and the harmonic mean, which does not forget the bad ones. None without a move.

    >>> round(accuracy([0.0, 0.0, 0.3], [1.0, 1.0, 1.0]), 1)
    63.1
    """
    if not losses:
        return None
    moves = [move_accuracy(loss) for loss in losses]
    weighted = sum(move * weight for move, weight in zip(moves, weights, strict=True)) / sum(weights)
    harmonic = len(moves) / sum(1 / max(_LEAST_ACCURACY, move) for move in moves)
    return (weighted + harmonic) / 2


def volatility(odds: Sequence[float]) -> list[float]:
    """How sharp each position of a game was: the deviation of the odds in the window that ends with it, in percent,
    within bounds. The window is a tenth of the game.

    >>> [round(weight, 1) for weight in volatility([0.5, 0.5, 0.9])]
    [0.5, 0.5, 12.0]
    """
    length = max(_SHORTEST_WINDOW, min(_LONGEST_WINDOW, len(odds) // 10))
    weights = []
    for end in range(1, len(odds) + 1):
        window = odds[max(0, end - length):end] if end >= length else odds[:length]
        mean = sum(window) / len(window)
        deviation = 100 * math.sqrt(sum((one - mean) ** 2 for one in window) / len(window))
        weights.append(max(_LEAST_WEIGHT, min(_MOST_WEIGHT, deviation)))
    return weights
