"""Puzzles that people with accounts have tried: the first attempt at each, and a rating for every game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from boyi.server.protocol.puzzles import BEGINNER, PuzzleRating
from boyi.server.store.database import Database, now_ms
from boyi.server.store.tables import puzzle_attempts, puzzle_ratings
from boyi.server.store.writer import Writer

Update = Callable[[PuzzleRating], PuzzleRating]
"""A rating after an attempt, given that before it."""


class PuzzleAttempts:
    """All attempts."""

    def __init__(self, database: Database, writer: Writer[Any]) -> None:
        self._database = database
        self._writer = writer

    async def note(self, person: str, game: str, puzzle: str, update: Update, *,
                   solved: bool) -> tuple[PuzzleRating, int]:
        """Count an attempt, if it is the first at this puzzle: the rating, and by how much it changed."""
        its_game = sa.and_(puzzle_ratings.c.person == person, puzzle_ratings.c.game == game)
        key = {"person": person, "game": game, "puzzle": puzzle}

        def work(connection: sa.Connection) -> tuple[PuzzleRating, int]:
            row = connection.execute(_RATING.where(its_game)).first()
            before = BEGINNER if row is None else PuzzleRating(*row)
            tried = connection.execute(sa.select(puzzle_attempts.c.puzzle).filter_by(**key)).first()
            if tried is not None:
                return before, 0
            after = update(before)
            values = {"rating": after.rating, "tried": after.tried, "solved": after.solved}
            connection.execute(sa.insert(puzzle_attempts).values(**key, solved=solved, at=now_ms()))
            if row is None:
                connection.execute(sa.insert(puzzle_ratings).values(person=person, game=game, **values))
            else:
                connection.execute(sa.update(puzzle_ratings).where(its_game).values(**values))
            return after, after.rating - before.rating

        return await self._writer.write(work)

    async def ratings(self, person: str) -> dict[str, PuzzleRating]:
        """The ratings of a person, by game."""
        rows = await self._database.read(
            sa.select(puzzle_ratings.c.game, puzzle_ratings.c.rating, puzzle_ratings.c.tried, puzzle_ratings.c.solved)
            .where(puzzle_ratings.c.person == person).order_by(puzzle_ratings.c.game))
        return {row[0]: PuzzleRating(*row[1:]) for row in rows}

    async def tried(self, person: str, game: str) -> set[str]:
        """The puzzles of a game that a person has tried."""
        rows = await self._database.read(sa.select(puzzle_attempts.c.puzzle).where(
            puzzle_attempts.c.person == person, puzzle_attempts.c.game == game))
        return {row[0] for row in rows}


_RATING = sa.select(puzzle_ratings.c.rating, puzzle_ratings.c.tried, puzzle_ratings.c.solved)


def forget_puzzles(connection: sa.Connection, person: str) -> None:
    """A person has gone."""
    for table in (puzzle_attempts, puzzle_ratings):
        connection.execute(sa.delete(table).where(table.c.person == person))
