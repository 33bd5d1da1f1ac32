"""Games of a file, entered into a book."""

from __future__ import annotations

from dataclasses import dataclass

from boyi.agents.book import PLIES, Book
from boyi.core.errors import RecordError
from boyi.core.record import Record

__all__ = ["Entered"]


@dataclass
class Entered:
    """How many games were entered into a book, and how many could not be."""

    games: int = 0
    wrong: int = 0
    """Records that do not replay."""

    other: int = 0
    """Those of another game, or under other rules."""

    def enter(self, book: Book, record: Record | RecordError, plies: int = PLIES) -> None:
        """Enter the first moves of a game, as `formats.Source.records` gives it."""
        if isinstance(record, RecordError):
            self.wrong += 1
        elif not book.accepts(record):
            self.other += 1
        else:
            try:
                book.add(record, plies)
            except RecordError:
                self.wrong += 1
            else:
                self.games += 1
