"""Honest draws: what a covered piece is, from a seed that was promised before the game.

A room takes 32 random bytes as the seed of a game, publishes `commitment(seed)` before the first
move, draws with `draw_move` whenever the referee's position is at a CHANCE turn, and publishes the
seed when the game is over. Everyone can then `verify` that no draw was chosen after the fact: each
depends on nothing but the seed, on which decision of the game caused it and on the pool.

The draw itself is plain enough to be repeated in any language:

1. number = the first 8 bytes, big-endian, of HMAC-SHA256(key = seed,
   message = "boyi jieqi draw" followed by decision, index and attempt, 4 bytes big-endian each).
   `decision` is how many moves the players have made, so 1 for what the first move turns up;
   `index` is 0 for the piece that moved and 1 for the piece it took; `attempt` is 0.
2. If number >= 2^64 - 2^64 mod total, where total is the size of the pool, try the next attempt: so
   every piece of the pool is exactly equally likely.
3. Count number mod total down the pool, types in the order R A C P N B.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from boyi.core.errors import RecordError, TextError
from boyi.core.position import CHANCE

if TYPE_CHECKING:
    from boyi.games.jieqi.position import JieqiPosition

__all__ = ["ORDER", "SEED_BYTES", "commitment", "draw", "draw_move", "verify"]

ORDER = "RACPNB"
"""The types in the order in which a pool is counted."""

SEED_BYTES = 32


def commitment(seed: bytes) -> str:
    """What to publish before the game: it fixes the seed and tells nothing about it.

    >>> commitment(bytes(32))[:16]
    'd8458ae393f940b7'
    """
    return hashlib.sha256(b"boyi jieqi seed" + _checked(seed)).hexdigest()


def draw(seed: bytes, decision: int, index: int, pool: Mapping[str, int]) -> str:
    """The type (one of `ORDER`) that this seed draws from `pool`, a count per type.

    >>> draw(bytes(32), 0, 0, {"R": 2, "A": 2, "C": 2, "P": 5, "N": 2, "B": 2})
    'C'
    """
    counts = [pool.get(letter, 0) for letter in ORDER]
    total = sum(counts)
    if total <= 0 or min(counts) < 0 or set(pool) - set(ORDER):
        raise TextError(f"{dict(pool)} is not a pool to draw from: counts of {', '.join(ORDER)}, not all 0")
    limit = 2**64 - 2**64 % total
    number, attempt = limit, 0
    while number >= limit:
        message = b"boyi jieqi draw" + b"".join(part.to_bytes(4, "big") for part in (decision, index, attempt))
        number = int.from_bytes(hmac.digest(_checked(seed), message, "sha256")[:8], "big")
        attempt += 1
    at = number % total
    for letter, count in zip(ORDER, counts, strict=True):
        if at < count:
            return letter
        at -= count
    raise AssertionError("the counts of a pool add up to its total")


def draw_move(position: JieqiPosition, seed: bytes) -> int:
    """The chance move that this seed gives at a CHANCE turn of the referee's position."""
    if position.viewer != "-":
        raise TextError(f"only the referee draws; this is the view of {position.viewer!r}")
    if position.turn != CHANCE:
        raise TextError("there is nothing to draw: no covered piece was moved or taken just now")
    owner = "Xx".index(position.awaited[0])
    index = int(owner != position.mover)
    letter = draw(seed, position.decisions, index, position.pool(owner))
    return position.parse_move(letter.lower() if owner else letter)


def verify(position: JieqiPosition, seed: bytes, published: str) -> None:
    """Check a referee's game against its seed and the commitment published before it.

    Nothing happens when all is well; else a `RecordError` says what is not.
    """
    if not hmac.compare_digest(commitment(seed), published):
        raise RecordError("this seed is not the one that was promised: "
                          f"its commitment is {commitment(seed)}, {published} was published")
    replay = cast("JieqiPosition", position.game.parse(position.start_text, **position.options))
    for move in position.history():
        if replay.turn == CHANCE:
            drawn = draw_move(replay, seed)
            if drawn != move:
                raise RecordError(f"the seed turns up {replay.format_move(drawn)} and not {replay.format_move(move)} "
                                  f"after move {replay.decisions} of the players", move_number=replay.decisions)
        replay.play(move)


def _checked(seed: object) -> bytes:
    if not isinstance(seed, bytes) or len(seed) != SEED_BYTES:
        raise TextError(f"a seed is {SEED_BYTES} random bytes")
    return seed
