"""The opening of a game: its name, if it has one, and where the game left the book."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from boyi.agents.book import Book, own_book
from boyi.core.record import Record
from boyi.core.words import Words
from boyi.core.written import play_written
from boyi.study.openings import name_of


@dataclass(frozen=True)
class Opening:
    """How a game began."""

    name: Words | None = None
    """Of the last position that has a name."""

    left_book: int | None = None
    """The number of the first move that the book does not know; None if the game was never in it, or never left it."""

    def to_json(self) -> dict[str, Any]:
        return {"name": None if self.name is None else [self.name.en, self.name.zh], "left_book": self.left_book}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Opening:
        return cls(None if data["name"] is None else Words(*data["name"]), data["left_book"])


def find_opening(record: Record, book: Book | None = None) -> Opening:
    """The opening of a game by its name and a book, or else the one that comes with the game."""
    named = name_of(record)
    return Opening(None if named is None else named.opening.name, _left_book(record, book or own_book(record.game)))


def _left_book(record: Record, book: Book | None) -> int | None:
    """The number of the first move that a book does not know, in a game that was in it."""
    position, in_book = record.begin(), False
    for number, entry in enumerate(record.entries, 1):
        before = position.copy()
        play_written(position, entry.text, number)
        if book is not None and before.turn >= 0 and len(before.moves()) > 1:
            move = position.history()[before.ply]
            if not any(move in known.moves for known in book.look_up(before)):
                return number if in_book else None
            in_book = True
    return None
