"""Who has how much time, in plain arithmetic.

All times are milliseconds. What the network takes is given back to the player, from the server's own
measure of the way: at most `MOST_CREDIT_MS` a move, out of a store that begins full and refills by
`REFILL_MS` with each move. Whoever answers the server's pings late to be measured slow gains no more
than that.
"""

from __future__ import annotations

from boyi.server.events import ClockRule

MOST_CREDIT_MS = 500
BANK_MS = 1000
REFILL_MS = 100

MOVES_IN_A_GAME = 40
"""To tell how fast a game is: increments of so many moves count as its time."""


def credit(lag_ms: int, bank_ms: int) -> int:
    """How much of a move's time is not counted.

    >>> credit(80, BANK_MS), credit(9000, BANK_MS), credit(9000, 200), credit(-5, 200)
    (80, 500, 200, 0)
    """
    return max(0, min(lag_ms, MOST_CREDIT_MS, bank_ms))


def refill(bank_ms: int, used_ms: int) -> int:
    """The store after a move.

    >>> refill(BANK_MS, 500), refill(BANK_MS, 20)
    (600, 1000)
    """
    return min(BANK_MS, bank_ms - used_ms + REFILL_MS)


def patience(rule: ClockRule | None) -> int:
    """How long a player may be disconnected before the others need not wait: 30 s in fast games to 300 s in slow ones.

    >>> patience(ClockRule(60_000)), patience(ClockRule(600_000, 5_000)), patience(None)
    (30000, 80000, 300000)
    """
    if rule is None:
        return 300_000
    expected = rule.main_ms + MOVES_IN_A_GAME * rule.increment_ms
    return max(30_000, min(300_000, expected // 10))
