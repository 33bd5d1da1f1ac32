"""Honest chance: what is drawn follows from a seed that was promised before the game.

A referee takes 32 random bytes, publishes their `commitment` before the first move, draws with
`draw_move` whenever the turn is CHANCE, and publishes the seed when the game is over. Everybody
can then `verify` that no draw was chosen after the fact.

A game may bring its own way (`Game.draws`), as jieqi does; this is the way of all others:

1. number = the first 8 bytes, big-endian, of HMAC-SHA256(key = seed, message = "boyi draw"
   followed by the count of moves made so far, 4 bytes big-endian).
2. Walk down `position.odds()`, adding up; the first result whose sum exceeds number / 2^64 comes.
"""

from __future__ import annotations

import hashlib
import hmac
import sys
from typing import Any, Protocol, cast

from boyi.core.errors import RecordError, TextError
from boyi.core.game import Game
from boyi.core.position import CHANCE, Position

__all__ = ["SEED_BYTES", "Draws", "commitment", "draw_move", "draws_of", "verify"]

SEED_BYTES = 32


class Draws(Protocol):
    """What a module must offer to be a game's way of drawing."""

    def commitment(self, seed: bytes) -> str:
        """What to publish before the game: it fixes the seed and tells nothing about it."""
        ...

    def draw_move(self, position: Any, seed: bytes) -> int:
        """The chance move that this seed gives at a CHANCE turn of the referee's position."""
        ...

    def verify(self, position: Any, seed: bytes, published: str) -> None:
        """Check a referee's game against its seed and the commitment; a `RecordError` says what is not well."""
        ...


def draws_of(game: Game) -> Draws:
    """How a game draws: its own way, or the one of this module."""
    return cast("Draws", sys.modules[__name__]) if game.draws is None else cast("Draws", game.draws)


def commitment(seed: bytes) -> str:
    """
    >>> commitment(bytes(32))[:16]
    'bd9f2b5538b4df24'
    """
    return hashlib.sha256(b"boyi seed" + _checked(seed)).hexdigest()


def draw_move(position: Position, seed: bytes) -> int:
    if position.turn != CHANCE:
        raise TextError("there is nothing to draw: it is not chance's turn")
    message = b"boyi draw" + position.ply.to_bytes(4, "big")
    share = int.from_bytes(hmac.digest(_checked(seed), message, "sha256")[:8], "big") / 2**64
    odds = position.odds()
    reached = 0.0
    for move, chance in odds:
        reached += chance
        if share < reached:
            return move
    return odds[-1][0]   # the odds add up to a hair less than 1


def verify(position: Position, seed: bytes, published: str) -> None:
    if not hmac.compare_digest(commitment(seed), published):
        raise RecordError("this seed is not the one that was promised: "
                          f"its commitment is {commitment(seed)}, {published} was published")
    replay = position.game.parse(position.start_text, **position.options)
    for number, move in enumerate(position.history(), 1):
        if replay.turn == CHANCE:
            drawn = draw_move(replay, seed)
            if drawn != move:
                raise RecordError(f"the seed draws {replay.format_move(drawn)} and not {replay.format_move(move)} "
                                  f"as move {number}", move_number=number)
        replay.play(move)


def _checked(seed: object) -> bytes:
    if not isinstance(seed, bytes) or len(seed) != SEED_BYTES:
        raise TextError(f"a seed is {SEED_BYTES} random bytes")
    return seed
