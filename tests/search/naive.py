"""Plain minimax, written to be obviously right: no window, no table, no order."""

from __future__ import annotations

from boyi import Position
from boyi.core.evaluator import Evaluator

WIN = 30_000


def minimax(position: Position, evaluator: Evaluator, depth: int, ply: int = 0, player: int | None = None) -> int:
    """The value for `player` (by default who acts) after `depth` turns; actions of one turn are one ply of depth."""
    if player is None:
        player = position.turn
    outcome = position.outcome()
    if outcome is not None:
        score = outcome.scores[player]
        return 0 if score == 0 else WIN - ply if score > 0 else -(WIN - ply)
    if depth <= 0:
        value = evaluator.value(position)
        return value if position.turn == player else -value
    best = None
    for move in position.moves():
        actor = position.turn
        position.play(move)
        stays = position.turn == actor
        value = minimax(position, evaluator, depth if stays else depth - 1, ply + 1, player)
        position.undo()
        if best is None or (value > best if actor == player else value < best):
            best = value
    assert best is not None
    return best
