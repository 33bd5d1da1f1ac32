"""An address of a database becomes connections.

SQLite runs with a write-ahead log and full synchronisation: what was committed survives `kill -9` and a power cut.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.pool import NullPool

from boyi.server.store.columns import read_json
from boyi.server.store.errors import StorageError, reason, storage_error

MIGRATIONS = Path(__file__).parent.parent / "migrations"


class Database:
    """A database that can be read; `Writer` writes."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = _make_engine(url)
        self.is_shared = self.engine.dialect.name != "sqlite"
        """Can several servers use it?"""

        self._reading = self.engine.execution_options(isolation_level="AUTOCOMMIT") if self.is_shared else self.engine
        """A single query needs no transaction, which would be two more messages to a server."""

    def migrate(self, revision: str = "head") -> None:
        """Bring the schema up to a version, the newest if none is named; what is there is kept."""
        from alembic.migration import MigrationContext
        from alembic.operations import Operations
        from alembic.script import ScriptDirectory

        versions = ScriptDirectory(str(MIGRATIONS))
        try:
            with self.engine.begin() as connection:
                context = MigrationContext.configure(connection)
                present = context.get_current_revision()
                with Operations.context(context):
                    for version in reversed(list(versions.iterate_revisions(revision, present or "base"))):
                        version.module.upgrade()
                        context.stamp(versions, version.revision)
        except (sa.exc.DBAPIError, OSError) as error:
            raise StorageError(f"the database {shown(self.url)} cannot be opened: {reason(error)}") from error

    def exists(self) -> bool:
        """Is there a file, if it is to be one? Of a database on a server that is seen when it is opened."""
        name = self.engine.url.database
        return self.is_shared or name in (None, "", ":memory:") or Path(str(name)).exists()

    def versions(self) -> list[str]:
        """All versions of the schema that this Boyi knows, the newest first."""
        from alembic.script import ScriptDirectory

        return [script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()]

    async def read(self, query: sa.Select[Any], **parameters: Any) -> Sequence[Any]:
        """The rows that a query finds, with these parameters of its `bindparam`s."""
        def work() -> Sequence[Any]:
            try:
                with self._reading.connect() as connection:
                    return connection.execute(query, parameters).all()
            except (sa.exc.DBAPIError, OSError) as error:
                raise storage_error(error) from error

        return await asyncio.to_thread(work)

    def close(self) -> None:
        self.engine.dispose()


def now_ms() -> int:
    """By the clock on the wall."""
    return int(time.time() * 1000)


def shown(url: str) -> str:
    """An address without its password, for people and logs.

    >>> shown("postgresql://ada:secret@host/boyi")
    'postgresql://ada:***@host/boyi'
    """
    try:
        return sa.make_url(url).render_as_string(hide_password=True)
    except sa.exc.ArgumentError:
        return "(unreadable address)"


def _make_engine(url: str) -> sa.Engine:
    try:
        parsed = sa.make_url(url)
    except sa.exc.ArgumentError as error:
        raise StorageError(f"{shown(url)!r} is not the address of a database: sqlite:///FILE, or "
                           "postgresql://USER@HOST/NAME") from error
    if parsed.drivername == "postgresql":
        parsed = parsed.set(drivername="postgresql+psycopg")
    options: dict[str, Any] = {"hide_parameters": True, "json_deserializer": read_json}
    try:
        # Parameters stay out of error messages, and so out of logs: there are seeds among them.
        if parsed.get_backend_name() != "sqlite":
            return sa.create_engine(parsed, pool_pre_ping=True, **options)
        # A connection per use: SQLite's belong to a thread, and opening one takes microseconds.
        engine = sa.create_engine(parsed, poolclass=NullPool if parsed.database not in (None, "", ":memory:") else None,
                                  connect_args={"timeout": 30}, **options)
    except ModuleNotFoundError as error:
        raise StorageError(f"this kind of database needs the package {error.name}; for PostgreSQL: "
                           "pip install 'boyi[postgres]'") from error
    except sa.exc.ArgumentError as error:
        raise StorageError(f"{shown(url)!r} is no database that Boyi knows: sqlite:///FILE, "
                           "postgresql://USER@HOST/NAME") from error

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=30000"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine
