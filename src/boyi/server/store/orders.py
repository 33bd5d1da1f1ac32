"""What administrators order (`boyi admin`), while servers run: bans, and a list of all that was done.

An administrator's process writes; servers look every two seconds (`Orders.after`), and are woken by NOTIFY where there
is one. The list is kept: operators can see what was done to it, and when.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from boyi.server.store.database import Database, now_ms
from boyi.server.store.leases import CHANNEL
from boyi.server.store.tables import actions, bans
from boyi.server.store.writer import Writer

CLOSE_ROOM = "close-room"
"""The one order that a server carries out: only the owner of a room may write its events."""

DELETE_ACCOUNT = "delete-account"


@dataclass(frozen=True)
class Ban:
    """Someone who is not let in."""

    target: str
    """`address:` and a network, as address:192.0.2.0/24, or `person:` and who."""

    name: str
    """Of a person, for people."""

    reason: str
    """Told to the one who is banned."""

    created: int
    """When, in milliseconds."""

    until: int | None
    """Until when, in milliseconds; None for good."""


@dataclass(frozen=True)
class Action:
    """Something that an administrator did or ordered."""

    id: int
    at: int
    """When, in milliseconds."""

    what: str
    """As the command is called: ban, unban, close-room, …"""

    target: str
    done: bool
    """Has a server carried it out, if it had to?"""


class Orders:
    """Bans, and what administrators did."""

    def __init__(self, database: Database, writer: Writer[Any]) -> None:
        self._database = database
        self._writer = writer

    async def note(self, what: str, target: str) -> None:
        """Add to the list of what was done; servers look at it."""
        await self._writer.write(lambda connection: add_action(connection, what, target))

    async def after(self, last: int) -> list[Action]:
        """What was done after an action, in order; and orders that are still to be carried out."""
        rows = await self._database.read(sa.select(actions).where(
            sa.or_(actions.c.id > last, ~actions.c.done)).order_by(actions.c.id))
        return [Action(*row) for row in rows]

    async def carried_out(self, action: int) -> None:
        await self._writer.write(lambda connection: connection.execute(
            sa.update(actions).where(actions.c.id == action).values(done=True)))

    # ------------------------------------------------------------------ bans

    async def ban(self, ban: Ban) -> None:
        """Ban someone, or change the ban that there is."""
        def work(connection: sa.Connection) -> None:
            connection.execute(sa.delete(bans).where(bans.c.target == ban.target))
            connection.execute(sa.insert(bans).values(**vars(ban)))
            add_action(connection, "ban", ban.target)

        await self._writer.write(work)

    async def unban(self, target: str) -> bool:
        """Lift a ban; False if there is none."""
        def work(connection: sa.Connection) -> bool:
            lifted = connection.execute(sa.delete(bans).where(bans.c.target == target)).rowcount > 0
            if lifted:
                add_action(connection, "unban", target)
            return lifted

        return await self._writer.write(work)

    async def bans(self) -> list[Ban]:
        """All bans in force, the latest first."""
        rows: Sequence[Any] = await self._database.read(sa.select(bans).where(
            sa.or_(bans.c.until.is_(None), bans.c.until > now_ms())).order_by(bans.c.created.desc()))
        return [Ban(*row) for row in rows]


def add_action(connection: sa.Connection, what: str, target: str) -> None:
    """Add to the list, and wake servers that listen."""
    # Counted up by hand: where a back-up is restored no sequence has to be set. Two at once: one of them fails.
    last = connection.execute(sa.select(sa.func.max(actions.c.id))).scalar_one()
    connection.execute(sa.insert(actions).values(
        id=(last or 0) + 1, at=now_ms(), what=what, target=target, done=what != CLOSE_ROOM))
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text(f"NOTIFY {CHANNEL}"))
