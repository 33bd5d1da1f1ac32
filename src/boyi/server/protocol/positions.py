"""A position of any game, described for the wire."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from boyi.core.board import Change, Stone
from boyi.core.position import Position
from boyi.core.token import Token
from boyi.core.words import Words
from boyi.server.protocol.messages import LegalMove, PlayedMove
from boyi.server.protocol.parts import Standing


def sort_stones(stones: Iterable[Stone]) -> list[Stone]:
    """Stones in the order of their points, as everywhere on the wire."""
    return sorted(stones, key=lambda stone: stone.point)


def describe_stones(position: Position) -> list[Stone]:
    """What stands where."""
    return sort_stones(position.stones())


def describe_tokens(observation: Position) -> list[Token] | None:
    """What lies beside the board, and what is counted there."""
    tally = observation.game.tally
    return [*observation.tokens(), *(() if tally is None else tally(observation))] or None


def describe_standing(observation: Position, turn: int) -> Standing:
    """How a game stands to a viewer; `turn` is the referee's."""
    return Standing(turn if turn >= 0 else None, observation.to_text(), observation.status(), observation.checked,
                    list(observation.pools()) or None, describe_tokens(observation))


def seat_in_check(observation: Position, turn: int, mover: int | None) -> int | None:
    """Who is in check after a move; at the end of a game, the player who would have moved next."""
    if not observation.checked:
        return None
    return turn if turn >= 0 else None if mover is None else (mover + 1) % observation.players


def describe_legal_moves(observation: Position) -> list[LegalMove]:
    """Everything that may be played."""
    return [LegalMove(observation.format_move(move), list(observation.path(move))) for move in observation.moves()]


def play_and_describe(position: Position, moves: Sequence[int]) -> tuple[list[str], list[Change], list[Words]]:
    """Play a decision, if a player is to act, and what chance adds to it: the path of the decision, all changes, and
    what chance brought, in words."""
    decided = position.turn >= 0
    path = list(position.path(moves[0])) if decided else []
    changes: list[Change] = []
    drawn: list[Words] = []
    for number, move in enumerate(moves):
        changes += position.changes(move)
        if number or not decided:
            drawn.append(position.chance_words(move))
        position.play(move)
    return path, changes, drawn


def describe_played(position: Position, moves: Sequence[int]) -> PlayedMove:
    """Play a decision, or what chance brings, and describe it as a written move."""
    seat = position.turn if position.turn >= 0 else None
    text = position.format_moves(moves)
    return PlayedMove(seat, text, *play_and_describe(position, moves), describe_tokens(position),
                      seat_in_check(position, position.turn, seat))
