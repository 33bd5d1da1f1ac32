"""Finished games: played here, or uploaded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import sqlalchemy as sa

from boyi.server.protocol.bodies import FinishedSummary
from boyi.server.store.columns import check_text
from boyi.server.store.database import Database, now_ms
from boyi.server.store.rows import read_rows
from boyi.server.store.tables import finished
from boyi.server.store.writer import Writer


@dataclass(frozen=True)
class FinishedGame:
    """A game that is over, as it is kept for looking up and rating."""

    room: str
    number: int
    game: str
    public: bool
    rated: bool
    names: list[str]
    places: list[int]
    date: str
    record: str


def add_games(connection: sa.Connection, games: Sequence[FinishedGame], uploader: str | None = None) -> None:
    for name in (name for game in games for name in game.names):
        check_text(name)   # it goes into JSON, which would keep anything
    connection.execute(sa.insert(finished), [vars(game) | {"ended": now_ms(), "uploader": uploader} for game in games])


class Games:
    """All games that are over."""

    def __init__(self, database: Database, writer: Writer[Any]) -> None:
        self._database = database
        self._writer = writer

    async def find_record(self, room: str, number: int) -> tuple[str, bool] | None:
        """A record, and whether it was uploaded, so that there is no room to it."""
        rows = await self._database.read(sa.select(finished.c.record, finished.c.uploader).where(
            finished.c.room == room, finished.c.number == number))
        return (str(rows[0][0]), rows[0][1] is not None) if rows else None

    async def add_uploads(self, person: str, games: Sequence[FinishedGame], most: int) -> bool:
        """Keep records that a person uploaded, unless they then had more than `most`."""
        def work(connection: sa.Connection) -> bool:
            kept = connection.execute(sa.select(sa.func.count()).where(finished.c.uploader == person)).scalar_one()
            if kept + len(games) > most:
                return False
            add_games(connection, games, person)
            return True

        return await self._writer.write(work)

    async def latest(self, game: str | None = None, limit: int = 100, *,
                     uploaded: bool = False) -> list[FinishedSummary]:
        """Public games that are over, the latest first: those that were played here, or those that were uploaded."""
        names = FinishedSummary.__struct_fields__
        query = sa.select(*(finished.c[name] for name in names)).where(
            finished.c.public, finished.c.uploader.is_not(None) if uploaded else finished.c.uploader.is_(None))
        if game is not None:
            query = query.where(finished.c.game == game)
        rows = await self._database.read(query.order_by(finished.c.ended.desc()).limit(limit))
        return read_rows(rows, lambda row: msgspec.convert(dict(zip(names, row, strict=True)), FinishedSummary),
                         "a finished game")

    async def count_rated(self, game: str) -> int:
        rows = await self._database.read(sa.select(sa.func.count()).where(finished.c.game == game, finished.c.rated))
        return int(rows[0][0])

    async def rated(self, game: str) -> list[tuple[list[str], list[int]]]:
        """Who played the rated games of a kind, and who came in which place."""
        rows = await self._database.read(sa.select(finished.c.names, finished.c.places).where(
            finished.c.game == game, finished.c.rated).order_by(finished.c.ended))
        return read_rows(rows, lambda row: msgspec.convert(tuple(row), tuple[list[str], list[int]]), "a rated game")
