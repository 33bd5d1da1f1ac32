"""The clock of a room: the server's fair time (`fair_clock`), without what the room waited for its commits.

A room's clock goes on where the last event left it, so it stands still without a server. Times on it are those of
events (`Event.at`).

A turn begins when its player has been told of it. The move before it arrived earlier: it waited in a queue, for the
room's lock and for the disk. That time is nobody's, so `told` sets the clock back to the time of the event that began
the turn. The same holds for a seat that changes hands in the middle of a turn, and for a request that could not be
saved.

Bounds. The clock is set back once when a turn begins, once more for the first change of hands in that turn, and
otherwise only when the disk failed. Whatever else is committed during a turn, chat or offers or a seat handed to and
fro, goes on the clock of the player to act; they lose nothing by it, since a move counts from its arrival. So nobody
gains time by causing commits, however slow the disk is.

After a start the clock of a player stands still until they are back and have been told, at most `RETURN_MS`: it was
the server that cut the connection.
"""

from __future__ import annotations

from boyi.server.fair_clock import NOTED_MS, FairClock

RETURN_MS = 15_000
"""How long the clock waits for the player to act after a start: clients wait at most so long before they try again."""

Occasion = tuple[int, bool]
"""Why a clock may be set back: the event that began a turn, and whether the turn has changed hands since. Each counts
once, in this order."""


class RoomClock:
    """The time of a room, in milliseconds."""

    def __init__(self, fair: FairClock, at_ms: int, occasion: Occasion = (0, False), *, waits: bool = False) -> None:
        self._fair = fair
        self._at_ms = at_ms
        """The time of the last event; the room's time is never before it."""

        self._origin_ms = fair.now_ms() - at_ms + (RETURN_MS if waits else 0)
        """What the fair clock shows when this one shows zero. It may lie ahead: then this one stands still as long."""

        self._occasion = occasion
        self._stood_ms = self._set_back_ms = fair.now_ms()
        """From when to when it last stood still, by the fair clock: what was waited for, and when it was set back."""

        self._waited_ms = -fair.noted_ms
        """What the room alone stood still for, without what is written down already."""

    def now_ms(self) -> int:
        return max(self._at_ms, self._fair.now_ms() - self._origin_ms)

    def at(self, arrived_ms: int) -> int:
        """The room's time when something arrived, by the fair clock; it may be before the last event."""
        if arrived_ms < self._set_back_ms:   # it has waited with what this clock stood still for, or longer
            return self._set_back_ms - self._origin_ms + min(0, arrived_ms - self._stood_ms)
        return arrived_ms - self._origin_ms

    @property
    def stalled_ms(self) -> int:
        """The stalls that are still to be written down."""
        return self._waited_ms + self._fair.noted_ms

    def told(self, at_ms: int, occasion: Occasion, stalled_ms: int) -> None:
        """Events up to a time are on disk, with stalls of this length, and everyone has been told of them."""
        self._at_ms = at_ms
        self._waited_ms -= stalled_ms
        if occasion > self._occasion:
            self._occasion = occasion
            self._set_back(self._fair.now_ms() - self._origin_ms - at_ms)

    def failed(self, arrived_ms: int) -> None:
        """What arrived at a time, by the fair clock, could not be saved."""
        self._set_back(self._fair.now_ms() - max(arrived_ms, self._set_back_ms))   # nothing is given back twice

    def player_is_back(self) -> None:
        """After a start: the player to act has been told."""
        self._origin_ms = min(self._origin_ms, self._fair.now_ms() - self._at_ms)

    def _set_back(self, waited_ms: int) -> None:
        self._origin_ms += waited_ms
        now_ms = self._fair.now_ms()
        if now_ms - waited_ms > self._set_back_ms:   # else it goes on standing
            self._stood_ms = min(now_ms, now_ms - waited_ms)
        self._set_back_ms = now_ms
        if waited_ms >= NOTED_MS:
            self._waited_ms += waited_ms
