"""Games that are over: where they ended, why, and how they are drawn.

A record is replayed once and what it says is kept for a while. All of it is what the record itself tells, which whoever
may see the game may have: a covered piece that nobody turned up is covered in every picture.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from boyi.core.board import Stone
from boyi.core.outcome import LOSSES, Outcome
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.core.words import Words
from boyi.games import find_game
from boyi.kit.picture import animation, card, svg
from boyi.kit.picture.view import last_path
from boyi.server.protocol.positions import describe_stones
from boyi.server.work import in_thread

MOST_RECORDS = 256
"""Whose ends are kept."""

MOST_PICTURES = 64
"""That are kept; one has up to a megabyte."""

AGREED = Words("a draw by agreement", "双方同意和棋")
LEFT = Words("all players have left", "所有人都已离开")


@dataclass(frozen=True)
class Ending:
    """What a record says of a game, once it is replayed."""

    record: Record
    position: Position
    """Where it ended; not to be changed."""

    stones: list[Stone]
    path: list[str]
    reason: Words | None


@lru_cache(maxsize=MOST_RECORDS)
def replay(text: str) -> Ending:
    """A record, replayed; a `RecordError` if that cannot be done any more."""
    record = Record.parse(text, find_game)
    position = record.replay()
    return Ending(record, position, describe_stones(position), list(last_path(position)), why(record, position))


def why(record: Record, position: Position) -> Words | None:
    """Why a game ended: by the rules, or by what its players did."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.words
    places = record.result
    if places is not None and len(places) == 2 and record.reason in LOSSES and 2 in places:
        return Outcome.off_board(position.board.seat_names, places.index(2), record.reason).words
    return {"agreement": AGREED, "abandoned": LEFT}.get(record.reason)


PICTURES: dict[str, tuple[str, Callable[[Ending], bytes]]] = {
    "picture.svg": ("image/svg+xml", lambda ending: svg.draw(ending.position).encode()),
    "picture.png": ("image/png", lambda ending: card.draw(ending.position)),
    "animation.svg": ("image/svg+xml", lambda ending: animation.draw(
        ending.position, title=" – ".join(name for name in ending.record.players if name)).encode()),
}
"""By the name of the file: what it is, and how it is drawn."""


class Pictures:
    """Pictures of games that are over. Drawing one takes a tenth of a second, so those that were drawn are kept."""

    def __init__(self) -> None:
        self._drawn: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._lock = asyncio.Lock()

    async def find(self, text: str, name: str) -> bytes:
        """The picture of that name, of the game with that record."""
        key = text, name
        async with self._lock:   # one at a time: others want the thread as well
            if key not in self._drawn:
                self._drawn[key] = await in_thread(lambda: PICTURES[name][1](replay(text)))
                while len(self._drawn) > MOST_PICTURES:
                    self._drawn.popitem(last=False)
            self._drawn.move_to_end(key)
            return self._drawn[key]
