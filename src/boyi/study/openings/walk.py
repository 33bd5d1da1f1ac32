"""A game, position by position."""

from __future__ import annotations

from collections.abc import Iterator

from boyi.core.position import Position
from boyi.core.record import Record
from boyi.core.written import play_written, written_moves

__all__ = ["walk"]


def walk(played: Position | Record) -> Iterator[Position]:
    """The position that a game began with and those after each written move, in one object that moves on."""
    if isinstance(played, Record):
        position = played.begin()
        yield position
        for number, entry in enumerate(played.entries, 1):
            play_written(position, entry.text, number)
            yield position
    else:
        position = played.game.parse(played.start_text, **played.options)
        yield position
        for _ in written_moves(position, played.history()):
            yield position
