"""Expectimax as its definition says: every move, every result of chance, no bounds, no table.

It plays through the public side of `Position` only. Where the compiled search defines something by
convention (a win counts by its distance from the root in moves of players, a mean is rounded half away from zero and
is a win only if all its parts are; else all wins count the same), the same convention is written down here once more.
"""

from __future__ import annotations

import math

from boyi import CHANCE, OVER, Position
from boyi.core.evaluator import Evaluator

WIN = 30000
PROVEN = 28100
GUESS = 28000


def finished(position: Position, ply: int, player: int) -> int:
    outcome = position.outcome()
    assert outcome is not None
    score = outcome.scores[player]
    return 0 if score == 0 else WIN - ply if score > 0 else ply - WIN


def weighted(values: list[int], odds: list[float]) -> int:
    total = 0.0
    for value, share in zip(values, odds, strict=True):
        total += share * value
    return int(math.copysign(math.floor(abs(total) + 0.5), total))


def mean(values: list[int], odds: list[float]) -> int:
    if all(value > PROVEN for value in values) or all(value < -PROVEN for value in values):
        return weighted(values, odds)
    counted = [WIN if value > PROVEN else -WIN if value < -PROVEN else value for value in values]
    return max(-GUESS, min(GUESS, weighted(counted, odds)))


def after(position: Position, evaluator: Evaluator, depth: int, player: int, ply: int) -> int:
    """The value for `player` once they, or chance after them, have acted: move number `ply` from the root."""
    turn = position.turn
    if turn == CHANCE:
        values = []
        for move, _ in position.odds():
            position.play(move)
            values.append(after(position, evaluator, depth, player, ply))
            position.undo()
        return mean(values, [share for _, share in position.odds()])
    if turn == OVER:
        return finished(position, ply, player)
    if turn == player:
        return best(position, evaluator, depth, player, ply)
    return -best(position, evaluator, depth - 1, turn, ply)


def best(position: Position, evaluator: Evaluator, depth: int, player: int, ply: int) -> int:
    """The value for `player`, who acts, with `depth` plies left."""
    if depth <= 0:
        return evaluator.value(position)
    return max(valued(position, evaluator, depth, player, ply).values())


def valued(position: Position, evaluator: Evaluator, depth: int, player: int, ply: int = 0) -> dict[int, int]:
    """The value of every move for `player`, who acts."""
    values = {}
    for move in position.moves():
        position.play(move)
        values[move] = after(position, evaluator, depth, player, ply + 1)
        position.undo()
    return values
