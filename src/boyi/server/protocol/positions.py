"""A position of any game, described for the wire."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from boyi.core.board import Change, Stone
from boyi.core.position import Position
from boyi.server.protocol.messages import LegalMove, PlayedMove
from boyi.server.protocol.parts import Standing


def sort_stones(stones: Iterable[Stone]) -> list[Stone]:
    """Stones in the order of their points, as everywhere on the wire."""
    return sorted(stones, key=lambda stone: stone.point)


def describe_stones(position: Position) -> list[Stone]:
    """What stands where."""
    return sort_stones(position.stones())


def describe_standing(observation: Position, turn: int) -> Standing:
    """How a game stands to a viewer; `turn` is the referee's."""
    return Standing(turn if turn >= 0 else None, observation.to_text(), observation.status(), observation.checked,
                    list(observation.pools()) or None)


def describe_legal_moves(observation: Position) -> list[LegalMove]:
    """Everything that may be played."""
    return [LegalMove(observation.format_move(move), list(observation.path(move))) for move in observation.moves()]


def play_and_describe(position: Position, moves: Sequence[int]) -> tuple[list[str], list[Change]]:
    """Play a decision, if a player is to act, and what chance adds to it: the path of the decision, and all changes."""
    path = list(position.path(moves[0])) if position.turn >= 0 else []
    changes: list[Change] = []
    for move in moves:
        changes += position.changes(move)
        position.play(move)
    return path, changes


def describe_played(position: Position, moves: Sequence[int]) -> PlayedMove:
    """Play a decision, or what chance brings, and describe it as a written move."""
    seat = position.turn if position.turn >= 0 else None
    text = position.format_moves(moves)
    return PlayedMove(seat, text, *play_and_describe(position, moves))
