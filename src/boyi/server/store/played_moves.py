"""What was played in positions, and how it went: counts for the opening explorer. Nobody is named.

A game that is over is counted once, in the transaction that notes that it was. Which games are counted, and what a
position and a move are called, is for `server.openings` to say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from boyi.agents.book import Tally
from boyi.server.store.database import Database
from boyi.server.store.tables import finished, played_moves
from boyi.server.store.writer import Writer

LONGEST_MOVE = 80
"""Characters of the name of a move; a longer one is not counted."""

NUMBERS = ("games", "wins", "draws", "losses")


@dataclass(frozen=True)
class UncountedGame:
    """A public game that was played here, is over, and is not counted yet."""

    room: str
    number: int
    record: str


Counts = Mapping[tuple[str, str], Tally]
"""By position and move."""


class PlayedMoves:
    """All positions that were played in games that are over."""

    def __init__(self, database: Database, writer: Writer[Any]) -> None:
        self._database = database
        self._writer = writer

    async def uncounted(self, limit: int) -> list[UncountedGame]:
        """Games that are to be counted, the earliest first."""
        rows = await self._database.read(
            sa.select(finished.c.room, finished.c.number, finished.c.record)
            .where(~finished.c.counted)
            .order_by(finished.c.ended).limit(limit))
        return [UncountedGame(*row) for row in rows]

    async def count(self, games: Sequence[tuple[UncountedGame, Counts]]) -> int:
        """Count games; how many of them nobody had counted meanwhile."""
        def work(connection: sa.Connection) -> int:
            added: dict[tuple[str, str], Tally] = {}
            counted = 0
            for game, counts in games:
                noted = connection.execute(sa.update(finished).where(
                    finished.c.room == game.room, finished.c.number == game.number, ~finished.c.counted)
                    .values(counted=True))
                if noted.rowcount == 0:
                    continue   # another server of this database was faster
                counted += 1
                for key, tally in counts.items():
                    added.setdefault(key, Tally()).merge(tally)
            rows = [{"position": position, "move": move} | {name: getattr(tally, name) for name in NUMBERS}
                    for (position, move), tally in sorted(added.items()) if len(move) <= LONGEST_MOVE]
            if rows:
                connection.execute(_adding(connection.dialect.name), rows)
            return counted

        return await self._writer.write(work)

    async def find(self, position: str) -> dict[str, Tally]:
        """What was played in a position, by the name of the move."""
        rows = await self._database.read(
            sa.select(played_moves.c.move, *(played_moves.c[name] for name in NUMBERS))
            .where(played_moves.c.position == position))
        return {str(move): Tally(*map(int, numbers)) for move, *numbers in rows}


def _adding(dialect: str) -> sa.Insert:
    """Adds to the row of a move, or makes it. Rows come in order, so that two servers never wait for each other."""
    if dialect == "sqlite":
        adding = sqlite.insert(played_moves)
        return adding.on_conflict_do_update(index_elements=["position", "move"], set_={
            name: played_moves.c[name] + adding.excluded[name] for name in NUMBERS})
    adding_there = postgresql.insert(played_moves)
    return adding_there.on_conflict_do_update(index_elements=["position", "move"], set_={
        name: played_moves.c[name] + adding_there.excluded[name] for name in NUMBERS})
