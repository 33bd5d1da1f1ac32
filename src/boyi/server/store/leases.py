"""Which server owns which room.

A room has one owner at a time. Acquiring it counts up its epoch, and every write names the epoch it was made in.
On a database that several servers share, a server has a lease, and renews it while it is alive: one row, however many
rooms it owns. They are free when its lease has ended, and those that it has released before are free at once.

A server that stops releases its rooms and says so by NOTIFY, so that others look at once. A notification carries
nothing and may be lost: the table is the truth, and servers look at it every two seconds anyway.

One that is killed cannot say so. But the connection on which it listens holds an advisory lock, which PostgreSQL gives
up with the connection: if nobody answers at the server's address and its lock is free, its rooms are free at
once (`bury`). A server that is frozen or cut off keeps its lock, and its rooms until their leases end.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Callable, Sequence
from typing import Any

import sqlalchemy as sa

from boyi.server.store.database import Database, now_ms
from boyi.server.store.errors import HeldError
from boyi.server.store.tables import rooms, servers
from boyi.server.store.writer import Writer

log = logging.getLogger("boyi.store")

LEASE_MS = 6_000
"""How long a server owns its rooms without renewing."""

KEPT, RELEASED = 1 << 62, 0
"""The column `lease_until` of a room that its owner has, and of one that it has released. Version 0.1.0 wrote times
there; one that has passed is as good as released."""

FORGOTTEN_MS = 10 * LEASE_MS
"""How long a server is known without renewing."""

CHANNEL = "boyi_rooms"
LISTEN_SECONDS = 0.5
"""How long the listening thread waits before it looks whether it is to stop."""


def database_time(dialect: sa.Dialect) -> Any:
    """The time that leases are measured by: a shared database's own, since servers' clocks differ."""
    if dialect.name == "sqlite":
        return now_ms()
    return sa.cast(sa.extract("epoch", sa.func.statement_timestamp()) * 1000, sa.BigInteger)


def _lock_of(name: str) -> int:
    """The advisory lock that a server holds while it is connected."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)


class Leases:
    """Who owns the rooms of a database."""

    def __init__(self, database: Database, writer: Writer[Any]) -> None:
        self._database = database
        self._writer = writer
        self._listener: threading.Thread | None = None
        self._closing = threading.Event()

    async def acquire(self, room: str, owner: str) -> int | None:
        """Become the owner of a room: its new epoch, or None if there is no such room.

        A `HeldError` names the other server that owns it, if that one is alive. A server renews before it acquires.
        """
        epochs, owners = await self.acquire_all([room], owner)
        if room in owners:
            raise HeldError(owners[room])
        return epochs.get(room)

    async def acquire_all(self, wanted: Sequence[str], owner: str) -> tuple[dict[str, int], dict[str, str]]:
        """Become the owner of some rooms: their new epochs, and of those that other servers own, which these are."""
        def work(connection: sa.Connection) -> tuple[dict[str, int], dict[str, str]]:
            free = sa.or_(rooms.c.owner == owner, self._is_free()) if self._database.is_shared else sa.true()
            # What another server is just acquiring is that one's: to wait for it could be to wait for each other.
            those = sa.select(rooms.c.id).where(rooms.c.id.in_(wanted), free).with_for_update(skip_locked=True)
            done = connection.execute(sa.update(rooms).where(rooms.c.id.in_(those)).values(
                epoch=rooms.c.epoch + 1, owner=owner, lease_until=KEPT,
            ).returning(rooms.c.id, rooms.c.epoch))
            epochs = {room: int(epoch) for room, epoch in done}
            others = [room for room in wanted if room not in epochs]
            held = connection.execute(sa.select(rooms.c.id, rooms.c.owner).where(rooms.c.id.in_(others))) \
                if others else ()
            return epochs, {room: str(other) for room, other in held}

        return await self._writer.write(work)

    async def renew(self, owner: str) -> None:
        """This server is alive and keeps its rooms."""
        def work(connection: sa.Connection) -> None:
            known = connection.execute(sa.update(servers).where(servers.c.name == owner).values(seen=self._now()))
            if not known.rowcount:
                connection.execute(sa.insert(servers).values(name=owner, seen=self._now()))
                connection.execute(sa.delete(servers).where(servers.c.seen < self._now() - FORGOTTEN_MS))

        await self._writer.write(work, urgent=True)   # else a server that is busy would lose its rooms

    async def release(self, owner: str, room: str) -> None:
        """Let the next server that asks have a room."""
        await self._writer.write(lambda connection: connection.execute(
            sa.update(rooms).where(rooms.c.owner == owner, rooms.c.id == room).values(lease_until=RELEASED)))

    async def release_all(self, owner: str) -> None:
        """This server ends: all its rooms are free, and other servers are woken."""
        def work(connection: sa.Connection) -> None:
            connection.execute(sa.delete(servers).where(servers.c.name == owner))
            if self._database.is_shared:
                connection.execute(sa.text(f"NOTIFY {CHANNEL}"))

        await self._writer.write(work)

    async def bury(self, name: str) -> bool:
        """Free the rooms of a server that cannot be reached, if its process has ended; has it?"""
        def work(connection: sa.Connection) -> bool:
            if not connection.scalar(sa.select(sa.func.pg_try_advisory_xact_lock(_lock_of(name)))):
                return False
            connection.execute(sa.delete(servers).where(servers.c.name == name))
            return True

        return await self._writer.write(work, urgent=True)

    async def open_rooms(self) -> list[str]:
        """The rooms that are not closed, and that no living server owns."""
        query = (sa.select(rooms.c.id).where(rooms.c.phase.not_in(("closed", "cleared")))
                 .order_by(rooms.c.updated.desc()))
        if self._database.is_shared:
            query = query.where(self._is_free())
        return [room for (room,) in await self._database.read(query)]

    async def is_server(self, name: str) -> bool:
        """Is there a server of that name? Only servers of this database can know it."""
        return bool(await self._database.read(sa.select(servers.c.name).where(
            servers.c.name == name, servers.c.seen > self._now() - FORGOTTEN_MS)))

    async def others(self, name: str) -> list[str]:
        """The other servers that may own rooms: those that renew their leases."""
        return [other for (other,) in await self._database.read(sa.select(servers.c.name).where(
            servers.c.name != name, servers.c.seen > self._now() - LEASE_MS))]

    def _is_free(self) -> sa.ColumnElement[bool]:
        """Does no living server own the room?"""
        living = sa.select(servers.c.name).where(servers.c.seen > self._now() - LEASE_MS)
        return sa.or_(rooms.c.lease_until < self._now(), rooms.c.owner.not_in(living))

    def _now(self) -> Any:
        return database_time(self._database.engine.dialect)

    # ------------------------------------------------------------------ notifications

    def listen(self, name: str, on_release: Callable[[], object]) -> None:
        """Call back, in a thread of its own, whenever another server has released its rooms.

        As long as the thread is connected, others see that the server of this name has not ended.
        """
        self._listener = threading.Thread(target=self._listen, args=(name, on_release), name="boyi-listen", daemon=True)
        self._listener.start()

    def stop_listening(self) -> None:
        self._closing.set()
        if self._listener is not None:
            self._listener.join()
            self._listener = None

    def _listen(self, name: str, on_release: Callable[[], object]) -> None:
        while not self._closing.is_set():
            try:
                with self._database.engine.connect() as connection:
                    driver: Any = connection.connection.driver_connection
                    connection.detach()   # it does not go back to the pool
                    driver.autocommit = True
                    # Shared, so that a connection of this server that broke unnoticed is not waited for.
                    driver.execute("SELECT pg_advisory_lock_shared(%s)", (_lock_of(name),))
                    driver.execute(f"LISTEN {CHANNEL}")
                    while not self._closing.is_set():
                        for _ in driver.notifies(timeout=LISTEN_SECONDS):
                            on_release()
            except Exception as error:  # noqa: BLE001  (whatever it is: nothing depends on it, and it is tried again)
                log.warning("notifications are not heard: %s", type(error).__name__)
                self._closing.wait(LEASE_MS / 1000)
