"""The arithmetic of time, in milliseconds.

Network lag is given back to the player, by the server's own measure: at most `MOST_CREDIT_MS` a move, out of a bank
that begins full and refills by `REFILL_MS` with each move. A client that answers the server's pings late to be measured
slow gains no more than that.
"""

from __future__ import annotations

from boyi.server.protocol.parts import ClockRule

MOST_CREDIT_MS = 500
BANK_MS = 1000
REFILL_MS = 100

MOVES_IN_A_GAME = 40
"""Tells how fast a game is: the increments of this many moves count as part of its time."""

SHORTEST_TIMEOUT_MS, LONGEST_TIMEOUT_MS = 30_000, 300_000
"""How long a disconnected player has to come back, in fast and in slow games."""

TIMEOUT_BETWEEN_GAMES_MS = 60_000
"""A person who is disconnected this long between games has left."""

ABANDONED_MS = 24 * 3_600_000
"""A game is over when all its players have been away this much longer than their timeout."""


def credit(lag_ms: int, bank_ms: int) -> int:
    """How much of a move's time is not counted.

    >>> credit(80, BANK_MS), credit(9000, BANK_MS), credit(9000, 200), credit(-5, 200)
    (80, 500, 200, 0)
    """
    return max(0, min(lag_ms, MOST_CREDIT_MS, bank_ms))


def refill(bank_ms: int, used_ms: int) -> int:
    """The bank after a move.

    >>> refill(BANK_MS, 500), refill(BANK_MS, 20)
    (600, 1000)
    """
    return min(BANK_MS, bank_ms - used_ms + REFILL_MS)


def reconnect_timeout(rule: ClockRule | None) -> int:
    """How long a player may be disconnected before the others need not wait: a tenth of the game, within bounds.

    >>> reconnect_timeout(ClockRule(60_000)), reconnect_timeout(ClockRule(600_000, 5_000)), reconnect_timeout(None)
    (30000, 80000, 300000)
    """
    if rule is None:
        return LONGEST_TIMEOUT_MS
    expected = rule.main_ms + MOVES_IN_A_GAME * rule.increment_ms
    return max(SHORTEST_TIMEOUT_MS, min(LONGEST_TIMEOUT_MS, expected // 10))
