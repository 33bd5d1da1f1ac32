"""The opening explorer: which moves were played in a position, how often and how well, and what they lead to.

It looks into any number of sources at once: the book that comes with the game, the games of a file, those that a server
has seen. In all of them a position is known by its own key (`agents.book.view`), so that games that came to it by other
moves, or to an image of it, are counted together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from boyi.agents.book import Book, BookMove, Tally, View, view
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.study.openings.names import Opening, read_openings
from boyi.study.openings.walk import walk

__all__ = ["Explored", "ExploredMove", "explore", "explore_books", "plies_in_book"]

Known = Mapping[str, Tally]
"""What a source knows of a position: a tally per name of a move."""


@dataclass(frozen=True)
class ExploredMove:
    """A move that was played in a position, or that leads to an opening with a name."""

    name: str
    """As books call it."""

    together: BookMove
    """What all sources say of it; results are for the player who moves."""

    sources: Mapping[str, BookMove]
    """The same by source, of those that know it."""

    opening: Opening | None
    """The opening that it leads to, if that position has a name."""


@dataclass(frozen=True)
class Explored:
    """What is known of a position."""

    view: View
    moves: tuple[ExploredMove, ...]
    """The most played one first."""

    @property
    def games(self) -> int:
        """How many games went through the position."""
        return sum(one.together.games for one in self.moves)


def explore(position: Position, seen: View, sources: Mapping[str, Known]) -> Explored:
    """What sources know of a position whose view is `seen`."""
    openings, position = read_openings(position.game), position.copy()
    found = []
    for name, moves in seen.moves.items():
        tallies = {source: known[name] for source, known in sources.items() if name in known}
        opening = None
        if openings:
            position.play(moves[0])
            opening = openings.get(position.symmetric_fingerprint)
            position.undo()
        if opening and len(moves) > 1:   # of images of each other, the one that people know comes first
            moves = tuple(sorted(moves, key=lambda move: position.format_move(move) != opening.moves[-1]))
        if tallies or opening:
            together = Tally()
            for tally in tallies.values():
                together.merge(tally)
            found.append(ExploredMove(name, BookMove.from_tally(moves, together), {
                source: BookMove.from_tally(moves, tally) for source, tally in tallies.items()}, opening))
    found.sort(key=lambda one: (-one.together.games, -one.together.weight, one.together.moves))
    return Explored(seen, tuple(found))


def explore_books(position: Position, books: Mapping[str, Book]) -> Explored:
    """What books know of a position; one for other rules knows nothing."""
    if position.turn < 0:
        return Explored(View("", {}), ())
    seen = view(position)
    return explore(position, seen, {name: book.entries.get(seen.key, {}) for name, book in books.items()
                                    if book.suits(position)})


def plies_in_book(played: Position | Record, book: Book) -> int:
    """How many moves of a game, from its beginning, a book knows; a move without an alternative counts as known."""
    known, plies, made = set[int](), 0, 0
    for ply, position in enumerate(walk(played)):
        if ply and position.history()[made] not in known:
            break
        plies, made, legal = ply, position.ply, position.moves()
        known = set(legal) if len(legal) == 1 else {move for one in book.look_up(position) for move in one.moves}
    return plies
