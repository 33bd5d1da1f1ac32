"""Provably fair chance: every draw follows from a secret that was committed to before the game.

A referee takes 32 random bytes, publishes their `commitment` before the first move, draws with
`draw_move` whenever the turn is CHANCE, and publishes the secret when the game is over. Anyone can
then `verify` that no draw was chosen after the fact.

A game may bring its own way to draw (`Game.draws`), as jieqi does; this is the way of all others:

1. number = the first 8 bytes, big-endian, of HMAC-SHA256(key = secret, message = "boyi draw"
   followed by the count of moves made so far, 4 bytes big-endian).
2. Walk down `position.odds()`, adding up; the first result whose sum exceeds number / 2^64 comes.
"""

from __future__ import annotations

import hashlib
import hmac
import random
from typing import Any

from boyi.core.errors import RecordError, TextError
from boyi.core.game import Game
from boyi.core.position import CHANCE, Position

__all__ = ["SECRET_BYTES", "Draws", "draws_of", "sample_chance"]

SECRET_BYTES = 32


class Draws:
    """How chance is drawn. A game with a way of its own overrides `label` and `draw_move`, and perhaps `describe`."""

    label = b"boyi"
    """What the hashed messages begin with: no secret means the same in two games."""

    def commitment(self, secret: bytes) -> str:
        """What to publish before the game: it fixes the secret and reveals nothing about it.

        >>> Draws().commitment(bytes(32))[:16]
        'bd9f2b5538b4df24'
        """
        return hashlib.sha256(self.label + b" seed" + _checked(secret)).hexdigest()

    def number(self, secret: bytes, *counters: int) -> int:
        """A number below 2^64 that depends on nothing but the secret and the counters."""
        message = self.label + b" draw" + b"".join(counter.to_bytes(4, "big") for counter in counters)
        return int.from_bytes(hmac.digest(_checked(secret), message, "sha256")[:8], "big")

    def draw_move(self, position: Any, secret: bytes) -> int:
        """The chance move that this secret gives at a CHANCE turn of the referee's position."""
        if position.turn != CHANCE:
            raise TextError("there is nothing to draw: it is not chance's turn")
        share = self.number(secret, position.ply) / 2**64
        odds = position.odds()
        reached = 0.0
        for move, chance in odds:
            reached += chance
            if share < reached:
                return int(move)
        return int(odds[-1][0])   # the odds add up to a hair less than 1

    def verify(self, position: Any, secret: bytes, published: str) -> None:
        """Check a referee's game against its secret and the commitment; a `RecordError` says what is wrong."""
        if not hmac.compare_digest(self.commitment(secret), published):
            raise RecordError("this seed is not the one that was promised: "
                              f"its commitment is {self.commitment(secret)}, {published} was published")
        replay = position.game.parse(position.start_text, **position.options)
        for move in position.history():
            if replay.turn == CHANCE:
                drawn = self.draw_move(replay, secret)
                if drawn != move:
                    number, where = self.describe(replay)
                    raise RecordError(f"the seed draws {replay.format_move(drawn)} and not {replay.format_move(move)} "
                                      f"{where}", move_number=number)
            replay.play(move)

    def describe(self, position: Any) -> tuple[int, str]:
        """Where in the game a draw stands: a move number for a `RecordError`, and words."""
        return position.ply + 1, f"as move {position.ply + 1}"


def sample_chance(position: Position, generator: random.Random) -> int:
    """A chance result at a CHANCE turn, drawn by its odds; for games that nobody has to trust."""
    odds = position.odds()
    return generator.choices([move for move, _ in odds], [chance for _, chance in odds])[0]


_DEFAULT = Draws()


def draws_of(game: Game) -> Draws:
    """How a game draws: its own way, or the one of this module."""
    return _DEFAULT if game.draws is None else game.draws


def _checked(secret: object) -> bytes:
    if not isinstance(secret, bytes) or len(secret) != SECRET_BYTES:
        raise TextError(f"a seed is {SECRET_BYTES} random bytes")
    return secret
