"""Expectimax as its definition says: every move, every result of chance, no bounds, no table.

It plays through the public side of `Position` only. Where the compiled search defines something by
convention (a win counts by the plies left, a mean is rounded half away from zero and is a win only
if all its parts are), the same convention is written down here once more.
"""

from __future__ import annotations

import math

from boyi import CHANCE, OVER, Position
from boyi.core.evaluator import Evaluator

WON = 30000 - 160
PROVEN = 30000 - 320
GUESS = 28000


def finished(position: Position, depth: int, player: int) -> int:
    outcome = position.outcome()
    assert outcome is not None
    score = outcome.scores[player]
    return 0 if score == 0 else WON + depth if score > 0 else -(WON + depth)


def mean(values: list[int], odds: list[float]) -> int:
    total = 0.0
    for value, share in zip(values, odds, strict=True):
        total += share * value
    rounded = int(math.copysign(math.floor(abs(total) + 0.5), total))
    if all(value > PROVEN for value in values) or all(value < -PROVEN for value in values):
        return rounded
    return max(-GUESS, min(GUESS, rounded))


def after(position: Position, evaluator: Evaluator, depth: int, player: int) -> int:
    """The value for `player` once he, or chance after him, has acted."""
    turn = position.turn
    if turn == CHANCE:
        values = []
        for move, _ in position.odds():
            position.play(move)
            values.append(after(position, evaluator, depth, player))
            position.undo()
        return mean(values, [share for _, share in position.odds()])
    if turn == OVER:
        return finished(position, depth - 1, player)
    if turn == player:
        return best(position, evaluator, depth, player)
    return -best(position, evaluator, depth - 1, turn)


def best(position: Position, evaluator: Evaluator, depth: int, player: int) -> int:
    """The value for `player`, who acts, with `depth` plies left."""
    if depth <= 0:
        return evaluator.value(position)
    return max(valued(position, evaluator, depth, player).values())


def valued(position: Position, evaluator: Evaluator, depth: int, player: int) -> dict[int, int]:
    """The value of every move for `player`, who acts."""
    values = {}
    for move in position.moves():
        position.play(move)
        values[move] = after(position, evaluator, depth, player)
        position.undo()
    return values
