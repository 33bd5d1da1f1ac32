"""The searches for several players once more, as their definitions read: no table, no bounds, no order of moves.

Opponents sit out by writing the position down with somebody else to act, not by the search's own null moves.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from boyi.core.evaluator import Evaluator
from boyi.core.position import OVER, Position
from boyi.games.chinese_checkers.evaluator import AncestorEvaluator
from boyi.games.chinese_checkers.position import ChineseCheckersPosition

WIN = 30000
UNIT = 10000
SOONER = 1e-6


def nearest(number: float) -> int:
    """Rounded as C does: halves away from zero."""
    return int(math.copysign(math.floor(abs(number) + 0.5), number))


def certain(position: Position, player: int) -> float | None:
    """The score of a player whose fate is certain, or None."""
    outcome = position.outcome()
    if outcome is not None:
        return float(outcome.scores[player])
    if isinstance(position, ChineseCheckersPosition):
        if player in position.finished:
            return 1 - 2 * position.finished.index(player) / (position.players - 1)
        if player in position.left:
            return -1 + 2 * position.left.index(player) / (position.players - 1)
    return None


def proven(score: float, ply: int) -> int:
    return WIN - ply if score >= 1 else ply - WIN if score <= -1 else nearest(UNIT * score)


def guess(evaluator: Evaluator, position: Position, root: int) -> int:
    if position.players == 2:
        return evaluator.value(position) * (1 if position.turn == root else -1)
    return nearest(UNIT * evaluator.values(position)[root])


def handed(position: Position, player: int) -> Position:
    """The same position with another player to act."""
    fields = position.to_text().split()
    fields[1] = fields[2][player]
    return position.game.parse(" ".join(fields), **position.options)


def after(position: Position) -> Iterator[tuple[int, Position]]:
    """Every move and what it leads to; the position moves along."""
    for move in position.moves():
        position.play(move)
        yield move, position
        position.undo()


def paranoid(evaluator: Evaluator, position: Position, depth: int, root: int, ply: int = 0) -> int:
    score = certain(position, root)
    if score is not None:
        return proven(score, ply)
    if depth == 0:
        return guess(evaluator, position, root)
    values = [paranoid(evaluator, child, depth - 1, root, ply + 1) for _, child in after(position)]
    return max(values) if position.turn == root else min(values)


def best_reply(evaluator: Evaluator, position: Position, depth: int, root: int, ply: int = 0) -> int:
    """At even plies of depth the root player moves; at odd ones a single opponent, any of them."""
    score = certain(position, root)
    if score is not None:
        return proven(score, ply)
    if depth == 0:
        return guess(evaluator, position, root)
    if position.turn == root:
        return max(best_reply(evaluator, child, depth - 1, root, ply + 1) for _, child in after(position))
    values = []
    waiting = [player for step in range(1, position.players)
               if certain(position, player := (root + step) % position.players) is None]
    for place, opponent in enumerate(waiting):
        for _, child in after(handed(position, opponent)):
            fate = certain(child, root)
            if fate is not None:
                values.append(proven(fate, ply + place + 1))
                continue
            later = sum(certain(child, player) is None for player in waiting[place + 1:])
            values.append(best_reply(evaluator, handed(child, root), depth - 1, root, ply + place + 1 + later))
    return min(values)


def own_plan(evaluator: Evaluator, position: Position, depth: int, root: int, ply: int = 0) -> int:
    score = certain(position, root)
    if score is not None:
        return proven(score, ply)
    if depth == 0:
        return guess(evaluator, position, root)
    values = []
    for _, child in after(position):
        fate = certain(child, root)
        values.append(proven(fate, ply + 1) if fate is not None
                      else own_plan(evaluator, handed(child, root), depth - 1, root, ply + 1))
    return max(values)


def max_n(evaluator: Evaluator, position: Position, depth: int) -> list[float]:
    outcome = position.outcome()
    if outcome is not None:
        return [score + math.copysign(SOONER * depth, score) * (score != 0) for score in outcome.scores]
    if depth == 0:
        return evaluator.values(position)
    mover = position.turn
    before = [certain(position, player) for player in range(position.players)]
    best: list[float] | None = None
    for _, child in after(position):
        found = max_n(evaluator, child, depth - 1)
        if child.turn != OVER:
            for player in range(position.players):
                if before[player] is None and (certain(child, player) or 0) > 0:
                    found[player] += SOONER * depth
        if best is None or (-found[mover], found) < (-best[mover], best):
            best = found
    assert best is not None
    return best


def leaves(evaluator: Evaluator, position: Position, depth: int, root: int) -> Iterator[float]:
    outcome = position.outcome()
    if isinstance(evaluator, AncestorEvaluator) and (outcome is not None or depth == 0
                                                     or certain(position, root) is not None):
        assert isinstance(position, ChineseCheckersPosition)
        ways = evaluator.distances(position)
        yield (sum(ways) - 4 * ways[root]) / 1000
    elif outcome is not None:
        yield outcome.scores[root]
    elif depth == 0 or certain(position, root) is not None:
        yield evaluator.values(position)[root]
    else:
        for _, child in after(position):
            yield from leaves(evaluator, child, depth - 1, root)
