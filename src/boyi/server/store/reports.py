"""Reports of people about others, for the operator of the server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from boyi.server.store.database import Database, now_ms
from boyi.server.store.tables import reports
from boyi.server.store.writer import Writer

DAY_MS = 24 * 3_600_000


@dataclass(frozen=True)
class Report:
    """What one person says of another."""

    id: str
    reporter: str
    room: str
    person: str
    name: str
    """Of the person, when it was reported."""

    why: str
    text: str
    chat: list[list[str]]
    """The last lines of the room's chat: a person, their name, what they said."""

    created: int = 0
    """When, in milliseconds."""

    settled: int | None = None
    """When the operator had seen to it; None if that is still to come."""


_COLUMNS = [reports.c[name] for name in Report.__dataclass_fields__]


class Reports:
    """All reports."""

    def __init__(self, database: Database, writer: Writer[Any]) -> None:
        self._database = database
        self._writer = writer

    async def add(self, report: Report, most_a_day: int) -> bool:
        """Keep a report, unless its reporter has made `most_a_day`. The same one within a day is kept once."""
        def work(connection: sa.Connection) -> bool:
            today = sa.select(reports.c.room, reports.c.person).where(
                reports.c.reporter == report.reporter, reports.c.created > now_ms() - DAY_MS)
            made = [tuple(row) for row in connection.execute(today)]
            if (report.room, report.person) in made:
                return True
            if len(made) >= most_a_day:
                return False
            connection.execute(sa.insert(reports).values(**vars(report) | {"created": now_ms()}))
            return True

        return await self._writer.write(work)

    async def latest(self, limit: int = 100, *, settled: bool = False) -> list[Report]:
        """The latest first: those that are still to be seen to, or those that are settled."""
        rows = await self._database.read(
            sa.select(*_COLUMNS).where(reports.c.settled.is_not(None) if settled else reports.c.settled.is_(None))
            .order_by(reports.c.created.desc()).limit(limit))
        return [Report(*row) for row in rows]

    async def of_reporter(self, person: str) -> list[Report]:
        """What a person has reported, the earliest first."""
        rows = await self._database.read(sa.select(*_COLUMNS).where(reports.c.reporter == person)
                                         .order_by(reports.c.created))
        return [Report(*row) for row in rows]

    async def settle(self, identity: str) -> bool:
        """The operator has seen to a report; False if there is none of that name."""
        return bool(await self._writer.write(lambda connection: connection.execute(
            sa.update(reports).where(reports.c.id == identity).values(settled=now_ms())).rowcount))
