"""What an operator does to a server's database, while servers run: the logic of `boyi admin`.

Everything goes through the database. Servers look there every two seconds (`overseer`), and at once on PostgreSQL.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from boyi.core.errors import TextError, shorten
from boyi.server import passwords
from boyi.server.bans import PERSON, read_network
from boyi.server.store import Ban, Person, Report, Store
from boyi.server.store.backup import Contents, back_up, restore
from boyi.server.store.database import now_ms
from boyi.server.store.leases import FORGOTTEN_MS
from boyi.server.store.orders import CLOSE_ROOM, DELETE_ACCOUNT
from boyi.server.store.tables import events, finished, persons, rooms, servers, tokens

HOUR_MS = 3_600_000
NEW_PASSWORD_BYTES = 12


@dataclass(frozen=True)
class Stats:
    """How much there is in a database."""

    rooms: dict[str, int]
    """By phase: waiting, playing, finished, closed."""

    events: int
    accounts: int
    nicknames: int
    """Persons without an account."""

    sessions: int
    games: int
    """Finished ones that were played here."""

    uploads: int
    bans: int
    servers: int
    """That are running; on SQLite that is not known, and 0."""

    bytes: int
    """On disk."""


class Administration:
    """The database of a server, as its operator sees it."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # ------------------------------------------------------------------ all of it

    def back_up(self, path: Path) -> Contents:
        return back_up(self._store.database, path)

    def restore(self, path: Path, *, force: bool) -> Contents:
        return restore(path, self._store.database, force=force)

    async def stats(self) -> Stats:
        async def count(query: sa.Select[Any]) -> int:
            return int((await self._store.database.read(query))[0][0])

        counted = sa.select(sa.func.count())
        phases = await self._store.database.read(sa.select(rooms.c.phase, sa.func.count()).group_by(rooms.c.phase))
        pages = "pg_database_size(current_database())" if self._store.is_shared \
            else "page_count * page_size FROM pragma_page_count(), pragma_page_size()"
        return Stats(
            rooms={str(phase): int(number) for phase, number in sorted(phases)},
            events=await count(counted.select_from(events)),
            accounts=await count(counted.where(persons.c.account.is_not(None))),
            nicknames=await count(counted.where(persons.c.account.is_(None))),
            sessions=await count(counted.select_from(tokens)),
            games=await count(counted.where(finished.c.uploader.is_(None))),
            uploads=await count(counted.where(finished.c.uploader.is_not(None))),
            bans=len(await self._store.orders.bans()),
            servers=await count(counted.where(servers.c.seen > now_ms() - FORGOTTEN_MS)),
            bytes=await count(sa.select(sa.literal_column(pages))))

    # ------------------------------------------------------------------ people

    async def ban(self, *, account: str = "", person: str = "", network: str = "", reason: str = "",
                  hours: float | None = None) -> Ban:
        """Shut a person or a network out: by the name of an account, the id of a person, or addresses."""
        target, name = await self._target(account, person, network)
        until = None if hours is None else now_ms() + int(hours * HOUR_MS)
        ban = Ban(target, name, reason, now_ms(), until)
        await self._store.orders.ban(ban)
        return ban

    async def unban(self, *, account: str = "", person: str = "", network: str = "") -> str:
        target, _ = await self._target(account, person, network)
        if not await self._store.orders.unban(target):
            raise TextError(f"there is no ban of {target}; `boyi admin bans` lists all")
        return target

    async def bans(self) -> list[Ban]:
        return await self._store.orders.bans()

    async def reports(self, *, settled: bool = False) -> list[Report]:
        """What people reported of others, the latest first: what is still to be seen to, or what is settled."""
        return await self._store.reports.latest(settled=settled)

    async def settle(self, report: str) -> None:
        """A report was seen to."""
        if not await self._store.reports.settle(report):
            raise TextError(f"there is no report {shorten(report)}; `boyi admin reports` lists all")

    async def reset_password(self, account: str) -> str:
        """Give an account a new password, which is returned; all its sessions end."""
        person = await self._account(account)
        password = secrets.token_urlsafe(NEW_PASSWORD_BYTES)
        await self._store.people.change_password(person.id, await passwords.hash(password))
        await self._store.orders.note("reset-password", PERSON + person.id)
        return password

    async def delete_account(self, account: str) -> None:
        """Delete an account; all its sessions end."""
        person = await self._account(account)
        await self._store.people.delete(person.id)
        await self._store.orders.note(DELETE_ACCOUNT, PERSON + person.id)

    # ------------------------------------------------------------------ rooms

    async def close_room(self, room: str) -> None:
        """Have a room closed by the server that owns it, or by the next that starts."""
        phases = await self._store.database.read(sa.select(rooms.c.phase).where(rooms.c.id == room))
        if not phases:
            raise TextError(f"there is no room {shorten(room)}; its name is the last part of its address")
        if phases[0][0] == "closed":
            raise TextError(f"the room {room} is closed already")
        await self._store.orders.note(CLOSE_ROOM, room)

    async def is_closed(self, room: str, *, within_seconds: float) -> bool:
        """Wait for a server to close a room."""
        end = time.monotonic() + within_seconds
        while True:
            phases = await self._store.database.read(sa.select(rooms.c.phase).where(rooms.c.id == room))
            if not phases or phases[0][0] == "closed":
                return True
            if time.monotonic() > end:
                return False
            await asyncio.sleep(0.2)

    # ------------------------------------------------------------------ who is meant

    async def _target(self, account: str, person: str, network: str) -> tuple[str, str]:
        """Who is banned, and a name for people."""
        if bool(account) + bool(person) + bool(network) != 1:
            raise TextError("name one of them: an account, a person, or a network")
        if network:
            return read_network(network), ""
        if account:
            found = await self._account(account)
            return PERSON + found.id, found.name
        rows = await self._store.database.read(sa.select(persons.c.name).where(persons.c.id == person))
        if not rows:
            raise TextError(f"there is no person {shorten(person)}")
        return PERSON + person, str(rows[0][0])

    async def _account(self, name: str) -> Person:
        found = await self._store.people.find_account(name)
        if found is None:
            raise TextError(f"there is no account {shorten(name)}")
        return found


@contextlib.asynccontextmanager
async def administration(database: str) -> AsyncIterator[Administration]:
    """The administration of a database, as a setting of `boyi serve` names it."""
    store = Store(database)
    store.open()
    try:
        yield Administration(store)
    finally:
        store.close()
