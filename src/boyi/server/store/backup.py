"""All of a database as one file, and back: while servers run, and from either kind of database into the other.

A back-up is a SQLite file with the schema that the server has, and a table that says what is in it. SQLite is copied by
its online backup, PostgreSQL table by table as one transaction sees them: both are the state of one moment, and
everything that was acknowledged before it is there. Writers do not wait for it.

What is restored has new owners for all its rooms: a server that had them open from before writes nothing more.
"""

from __future__ import annotations

import contextlib
import datetime
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa

from boyi.core.errors import RecordError, shorten
from boyi.server.store.columns import Text
from boyi.server.store.database import Database, now_ms
from boyi.server.store.errors import StorageError, reason
from boyi.server.store.tables import metadata, rooms, servers

PORTION_ROWS = 1000
"""How many rows are copied at a time."""

COPIED = [table for table in metadata.sorted_tables if table is not servers]
"""Which servers are running is of no use in a back-up."""

_CONTENTS = "backup"
"""The table that says what is in a back-up."""


class BackupError(RecordError):
    """A file that is no back-up, or not a whole one; or a database that it must not be restored to."""


class Contents(msgspec.Struct, frozen=True):
    """What a back-up says of itself."""

    made: str
    """When it was begun, ISO 8601, UTC."""

    schema: str
    """The version of the schema, as 0004."""

    rows: dict[str, int]
    """By table: how many."""


def back_up(database: Database, path: Path) -> Contents:
    """Write all of a database to a new file, which is there whole or not at all."""
    if path.exists():
        raise BackupError(f"{shorten(str(path))} exists already; a back-up is a new file")
    made = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    part = path.with_name(path.name + ".part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))   # there are hashes of passwords in it
        if database.is_shared:
            _copy_snapshot(database, part)
        else:
            _copy_file(database, part)
        contents = _describe(part, made)
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.rename(path)
    except (OSError, sqlite3.Error, sa.exc.SQLAlchemyError) as error:
        raise StorageError(f"the back-up {shorten(str(path))} could not be written: {reason(error)}") from error
    finally:
        part.unlink(missing_ok=True)
    return contents


def read_contents(path: Path) -> Contents:
    """What a back-up says that is in it."""
    try:
        with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            ((text,),) = connection.execute(f"SELECT contents FROM {_CONTENTS}")
            return msgspec.json.decode(text, type=Contents)
    except (sqlite3.Error, ValueError) as error:
        raise BackupError(f"{shorten(str(path))} is not a back-up that `boyi admin backup` made") from error


def restore(path: Path, database: Database, *, force: bool = False) -> Contents:
    """Put a back-up into a database, in one transaction; into one that is not empty only by force: it is replaced."""
    contents = read_contents(path)
    with _as_present(path, contents) as source, source.engine.connect() as reading:
        database.migrate()
        try:
            with database.engine.begin() as writing:
                _make_room(writing, force)
                for table in COPIED:
                    copied = _copy(reading, writing, table)
                    if _count(writing, table) != copied:
                        raise StorageError(f"of {copied} rows of {table.name} not all arrived; nothing was changed")
                writing.execute(sa.update(rooms).values(epoch=now_ms(), owner="", lease_until=0))
        except sa.exc.SQLAlchemyError as error:
            raise StorageError(f"the back-up could not be restored; nothing was changed: {reason(error)}") from error
    return contents


# ---------------------------------------------------------------------- writing

def _copy_file(database: Database, part: Path) -> None:
    """SQLite's online backup: the state of one moment, with what is still in the write-ahead log."""
    with (database.engine.connect() as connection, contextlib.closing(sqlite3.connect(part)) as target):
        driver: Any = connection.connection.driver_connection
        driver.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")   # one file, with no log beside it
        target.execute(f"DELETE FROM {servers.name}")
        target.commit()


def _copy_snapshot(database: Database, part: Path) -> None:
    """Every table, as one transaction sees it."""
    target = Database(f"sqlite:///{part}")
    try:
        target.migrate()
        with (database.engine.connect().execution_options(isolation_level="REPEATABLE READ") as reading,
              target.engine.begin() as writing):
            for table in COPIED:
                _copy(reading, writing, table)
    finally:
        with target.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA journal_mode=DELETE")
        target.close()


def _describe(part: Path, made: str) -> Contents:
    """Add to a back-up what is in it."""
    with contextlib.closing(sqlite3.connect(part)) as connection:
        damage = connection.execute("PRAGMA quick_check").fetchone()[0]
        if damage != "ok":
            raise StorageError(f"the copy is damaged: {damage}")
        counts = {table.name: connection.execute(f"SELECT count(*) FROM {table.name}").fetchone()[0]
                  for table in COPIED}
        ((schema,),) = connection.execute("SELECT version_num FROM alembic_version")
        contents = Contents(made, schema, counts)
        connection.execute(f"CREATE TABLE {_CONTENTS} (contents BLOB NOT NULL)")
        connection.execute(f"INSERT INTO {_CONTENTS} VALUES (?)", [msgspec.json.encode(contents)])
        connection.commit()
    return contents


# ---------------------------------------------------------------------- reading

@contextlib.contextmanager
def _as_present(path: Path, contents: Contents) -> Iterator[Database]:
    """A back-up with the schema of today, in a copy: the file itself stays as it is."""
    with tempfile.TemporaryDirectory(prefix="boyi-restore-") as folder:
        copy = Path(folder) / "copy.sqlite"
        shutil.copyfile(path, copy)
        source = Database(f"sqlite:///{copy}")
        try:
            if contents.schema not in source.versions():
                raise BackupError(f"{shorten(str(path))} has the schema {contents.schema}, which a newer Boyi wrote; "
                                  "restore it with that one")
            with source.engine.connect() as connection:
                for name, expected in contents.rows.items():
                    there = _count(connection, sa.table(name))
                    if there != expected:
                        raise BackupError(f"{shorten(str(path))} is damaged: of {expected} rows of {name} it has "
                                          f"{there}")
            source.migrate()
            yield source
        finally:
            source.close()


def _make_room(writing: sa.Connection, force: bool) -> None:
    """The database is empty, or becomes so."""
    for table in COPIED:
        if not force and writing.execute(sa.select(sa.literal(1)).select_from(table).limit(1)).first() is not None:
            raise BackupError(f"the database is not empty: there are rows in {table.name}; --force replaces everything "
                              "that is in it")
    for table in reversed(COPIED):
        writing.execute(sa.delete(table))


def _copy(reading: sa.Connection, writing: sa.Connection, table: sa.Table) -> int:
    """Copy all rows of a table; how many."""
    copied = 0
    for portion in reading.execution_options(yield_per=PORTION_ROWS).execute(sa.select(table)).partitions():
        writing.execute(sa.insert(table), [
            {column.name: _fitted(column, value) for column, value in zip(table.c, row, strict=True)}
            for row in portion])
        copied += len(portion)
    return copied


def _fitted(column: sa.Column[Any], value: Any) -> Any:
    """A value as it can be kept: a row of an earlier version must not keep all others from being restored."""
    return column.type.fit(value) if isinstance(column.type, Text) and isinstance(value, str) else value


def _count(connection: sa.Connection, table: sa.FromClause) -> int:
    return int(connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())
