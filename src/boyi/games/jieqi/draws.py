"""What a covered piece is: drawn from a secret that was committed to before the game (see `core.draws`).

Each draw depends on nothing but the secret, on which decision of the game caused it and on the pool.
It is plain enough to be repeated in any language:

1. number = the first 8 bytes, big-endian, of HMAC-SHA256(key = secret,
   message = "boyi jieqi draw" followed by decision, index and attempt, 4 bytes big-endian each).
   `decision` is how many moves the players have made, so 1 for what the first move turns up;
   `index` is 0 for the piece that moved and 1 for the piece it took; `attempt` is 0.
2. If number >= 2^64 - 2^64 mod total, where total is the size of the pool, try the next attempt: so
   every piece of the pool is exactly equally likely.
3. Count number mod total down the pool, types in the order R A C P N B.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from boyi.core.draws import Draws
from boyi.core.errors import TextError
from boyi.core.position import CHANCE

if TYPE_CHECKING:
    from boyi.games.jieqi.position import JieqiPosition

__all__ = ["DRAWS", "ORDER", "JieqiDraws"]

ORDER = "RACPNB"
"""The types in the order in which a pool is counted."""


class JieqiDraws(Draws):
    """Draws from pools of covered pieces."""

    label = b"boyi jieqi"

    def draw(self, secret: bytes, decision: int, index: int, pool: Mapping[str, int]) -> str:
        """The type (one of `ORDER`) that this secret draws from `pool`, a count per type.

        >>> DRAWS.draw(bytes(32), 0, 0, {"R": 2, "A": 2, "C": 2, "P": 5, "N": 2, "B": 2})
        'C'
        """
        counts = [pool.get(letter, 0) for letter in ORDER]
        total = sum(counts)
        if total <= 0 or min(counts) < 0 or set(pool) - set(ORDER):
            raise TextError(f"{dict(pool)} is not a pool to draw from: counts of {', '.join(ORDER)}, not all 0")
        limit = 2**64 - 2**64 % total
        number, attempt = limit, 0
        while number >= limit:
            number = self.number(secret, decision, index, attempt)
            attempt += 1
        at = number % total
        for letter, count in zip(ORDER, counts, strict=True):
            if at < count:
                return letter
            at -= count
        raise AssertionError("the counts of a pool add up to its total")

    def draw_move(self, position: JieqiPosition, secret: bytes) -> int:
        if position.viewer != "-":
            raise TextError(f"only the referee draws; this is the view of {position.viewer!r}")
        if position.turn != CHANCE:
            raise TextError("there is nothing to draw: no covered piece was moved or taken just now")
        owner = "Xx".index(position.awaited[0])
        index = int(owner != position.mover)
        letter = self.draw(secret, position.decisions, index, position.pool(owner))
        return position.parse_move(letter.lower() if owner else letter)

    def describe(self, position: JieqiPosition) -> tuple[int, str]:
        return position.decisions, f"after move {position.decisions} of the players"


DRAWS = JieqiDraws()
