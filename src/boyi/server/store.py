"""Events on disk: nothing is acknowledged that could still be lost.

One thread writes. It takes whatever is waiting, writes it in one transaction and waits once for the disk
(group commit): alone a commit takes milliseconds, together they cost little more than one. Events of all
rooms in a group go by one statement, and the thread that serves everybody is woken once for all of them. If the
transaction fails, everything in it is tried again one by one, so that one bad write harms no other.

SQLite runs with a write-ahead log and full synchronisation: what was committed survives `kill -9` and a
power cut. PostgreSQL is used by the same schema and the same code.

A room has one owner at a time. Taking it (`acquire`) counts up its epoch, and every write names the epoch it
was made in: a server that has lost a room without knowing it writes nothing more (`FencedError`).

A server that stops gives its rooms away and says so by NOTIFY, so that others look at once. A notification carries
nothing and may be lost: the table is the truth, and servers look at it every two seconds anyway.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.pool import NullPool

from boyi.core.errors import BoyiError
from boyi.server.events import Event, decode_event, encode_event
from boyi.server.messages import RoomSummary

log = logging.getLogger("boyi.store")

MOST_IN_A_GROUP = 256
MIGRATIONS = Path(__file__).parent / "migrations"
LEASE_MS = 6_000
"""How long a server owns a room without saying so again."""

FORGOTTEN_MS = 10 * LEASE_MS
CHANNEL = "boyi_rooms"
EARS_SECONDS = 0.5

metadata = sa.MetaData()
rooms = sa.Table(
    "room", metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("game", sa.String(60), nullable=False),
    sa.Column("phase", sa.String(20), nullable=False),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("summary", sa.LargeBinary, nullable=False),
    sa.Column("updated", sa.BigInteger, nullable=False),
    sa.Column("epoch", sa.BigInteger, nullable=False),
    sa.Column("owner", sa.String(80), nullable=False),
    sa.Column("lease_until", sa.BigInteger, nullable=False),
    sa.Index("room_by_phase", "phase", "public", "updated"),
)
events = sa.Table(
    "event", metadata,
    sa.Column("room", sa.String(40), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("data", sa.LargeBinary, nullable=False),
)
persons = sa.Table(
    "person", metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("name", sa.String(60), nullable=False),
    sa.Column("account", sa.String(60), unique=True),
    sa.Column("password", sa.String(200), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
)
tokens = sa.Table(
    "token", metadata,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("person", sa.String(40), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
)
finished = sa.Table(
    "finished", metadata,
    sa.Column("room", sa.String(40), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("game", sa.String(60), nullable=False),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("names", sa.JSON, nullable=False),
    sa.Column("places", sa.JSON, nullable=False),
    sa.Column("date", sa.String(30), nullable=False),
    sa.Column("ended", sa.BigInteger, nullable=False),
    sa.Column("record", sa.Text, nullable=False),
    sa.Column("uploader", sa.String(40)),
    sa.Index("finished_by_game", "game", "rated", "ended"),
)

servers = sa.Table(
    "server", metadata,
    sa.Column("name", sa.String(80), primary_key=True),
    sa.Column("seen", sa.BigInteger, nullable=False),
)

T = TypeVar("T")


class StorageError(BoyiError):
    """It could not be written or read: the disk is full, the database is gone."""


class FencedError(StorageError):
    """Somebody else owns the room now."""


class HeldError(StorageError):
    """Another server owns the room, and is alive."""

    def __init__(self, owner: str) -> None:
        super().__init__("another server owns the room")
        self.owner = owner


class TakenError(StorageError):
    """The name of that account is taken."""


@dataclass(frozen=True)
class Person:
    """Somebody the server knows."""

    id: str
    name: str
    account: bool
    password: str = ""
    """Hashed; empty without an account."""


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


@dataclass(frozen=True)
class _Append:
    """New events of a room."""

    event_rows: list[dict[str, Any]]
    room_row: dict[str, Any]
    is_new: bool
    games: Sequence[FinishedGame]


@dataclass(frozen=True)
class _Write:
    work: Callable[[sa.Connection], Any] | _Append
    future: asyncio.Future[Any]


# Made once: to put a statement together takes longer than to run it.
_TOUCH_ROOM = sa.update(rooms).where(rooms.c.id == sa.bindparam("its_id"), rooms.c.epoch == sa.bindparam("its_epoch"))
_ADD_EVENT = sa.insert(events)


class Store:
    """The database of a server."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._engine = _make_engine(url)
        self.shared = self._engine.dialect.name != "sqlite"
        """Can several servers use it? Then rooms are leased; else whoever comes last is the only one."""

        self._queue: queue.SimpleQueue[_Write | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._connection: sa.Connection | None = None
        """Of the writing thread."""

        self._ears: threading.Thread | None = None
        self._closing = threading.Event()
        self.groups = 0
        self.writes = 0
        """For the metrics: how many transactions, and how much was in them."""

    # ------------------------------------------------------------------ opening and closing

    def open(self) -> None:
        """Bring the schema up to date and begin to write."""
        self.migrate()
        self._thread = threading.Thread(target=self._run, name="boyi-store", daemon=True)
        self._thread.start()

    def migrate(self, revision: str = "head") -> None:
        """Bring the schema up to a version, the newest if none is named; what is there is kept."""
        from alembic.migration import MigrationContext
        from alembic.operations import Operations
        from alembic.script import ScriptDirectory

        versions = ScriptDirectory(str(MIGRATIONS))
        try:
            with self._engine.begin() as connection:
                context = MigrationContext.configure(connection)
                present = context.get_current_revision()
                with Operations.context(context):
                    for version in reversed(list(versions.iterate_revisions(revision, present or "base"))):
                        version.module.upgrade()
                        context.stamp(versions, version.revision)
        except (sa.exc.DBAPIError, OSError) as error:
            raise StorageError(f"the database {shown(self.url)} cannot be opened: {_reason(error)}") from error

    def close(self) -> None:
        """Write what is waiting, and stop."""
        self._closing.set()
        if self._ears is not None:
            self._ears.join()
            self._ears = None
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
            self._thread = None
        self._engine.dispose()

    # ------------------------------------------------------------------ the writing thread

    async def write(self, work: Callable[[sa.Connection], T]) -> T:
        """Have something written; when this returns it is on disk, or it fails with a `StorageError`."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.put(_Write(work, future))
        return await future

    def _run(self) -> None:
        while True:
            group = [self._queue.get()]
            while len(group) < MOST_IN_A_GROUP and group[-1] is not None:
                try:
                    group.append(self._queue.get_nowait())
                except queue.Empty:
                    break
            # From here on nobody can call a write off: whoever waited for one is told, or has gone.
            writes = [write for write in group if write is not None and not write.future.cancelled()]
            if writes and not self._write_group(writes):
                for write in writes:
                    self._write_group([write], last=True)
            if None in group:
                self._disconnect()
                return

    def _write_group(self, group: Sequence[_Write], last: bool = False) -> bool:
        """Write a group in one transaction; False if it failed and should be tried singly."""
        try:
            # One connection for all: to open one costs as much as to commit.
            if self._connection is None:
                self._connection = self._engine.connect()
            with self._connection.begin():
                self._append_all(self._connection, [
                    write.work for write in group if isinstance(write.work, _Append)])
                results = [None if isinstance(write.work, _Append) else write.work(self._connection)
                           for write in group]
        except Exception as error:  # noqa: BLE001  (whatever it is, whoever waits must be told)
            self._disconnect()
            if not last and len(group) > 1:
                return False
            _tell(group, [_storage_error(error)] * len(group))
            return True
        self.groups += 1
        self.writes += len(group)
        _tell(group, results)
        return True

    def _append_all(self, connection: sa.Connection, appends: Sequence[_Append]) -> None:
        """Write the events of many rooms; a room is not twice among them, since it waits for its own."""
        touched = [append.room_row for append in appends if not append.is_new]
        for append in appends:
            if append.is_new:
                connection.execute(sa.insert(rooms).values(lease_until=self._time() + LEASE_MS, **append.room_row))
        if touched and connection.execute(_TOUCH_ROOM, touched).rowcount != len(touched):
            raise FencedError("another server owns the room now")
        if appends:
            connection.execute(_ADD_EVENT, [row for append in appends for row in append.event_rows])
        for game in (game for append in appends for game in append.games):
            connection.execute(sa.insert(finished).values(ended=_now(), **vars(game)))

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(sa.exc.SQLAlchemyError):
                connection.close()

    # ------------------------------------------------------------------ rooms

    async def append(self, room: str, epoch: int, new: Sequence[Event], summary: RoomSummary, public: bool,
                     games: Sequence[FinishedGame] = (), owner: str = "") -> None:
        """Put events on disk, in one piece; when this returns they are there. The first ones make the room."""
        is_new = new[0].seq == 1
        row = {"phase": summary.phase, "updated": _now(), "summary": msgspec.json.encode(summary)}
        row |= ({"id": room, "game": summary.game, "public": public, "epoch": epoch, "owner": owner} if is_new
                else {"its_id": room, "its_epoch": epoch})
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put(_Write(_Append(
            [{"room": room, "seq": event.seq, "data": encode_event(event)} for event in new], row, is_new, games),
            future))
        await future

    async def acquire(self, room: str, owner: str) -> int | None:
        """Become the owner of a room: its new epoch, or None if there is no such room.

        A `HeldError` names the other server that owns it, if that one has said so lately.
        """
        def work(connection: sa.Connection) -> int | None:
            free = sa.or_(rooms.c.owner == owner, rooms.c.lease_until < self._time()) if self.shared else sa.true()
            done = connection.execute(sa.update(rooms).where(rooms.c.id == room, free).values(
                epoch=rooms.c.epoch + 1, owner=owner, lease_until=self._time() + LEASE_MS))
            row = connection.execute(sa.select(rooms.c.epoch, rooms.c.owner).where(rooms.c.id == room)).first()
            if row is None:
                return None
            if done.rowcount != 1:
                raise HeldError(row.owner)
            return int(row.epoch)

        return await self.write(work)

    async def renew(self, owner: str) -> None:
        """Say that this server is alive and keeps its rooms."""
        def work(connection: sa.Connection) -> None:
            connection.execute(sa.update(rooms).where(rooms.c.owner == owner, rooms.c.lease_until > 0)
                               .values(lease_until=self._time() + LEASE_MS))
            known = connection.execute(sa.update(servers).where(servers.c.name == owner).values(seen=self._time()))
            if not known.rowcount:
                connection.execute(sa.insert(servers).values(name=owner, seen=self._time()))
                connection.execute(sa.delete(servers).where(servers.c.seen < self._time() - FORGOTTEN_MS))

        await self.write(work)

    async def is_server(self, name: str) -> bool:
        """Is there a server of that name, which only servers of this database can know?"""
        return bool(await self._read(sa.select(servers.c.name).where(
            servers.c.name == name, servers.c.seen > self._time() - FORGOTTEN_MS)))

    async def release(self, owner: str, room: str) -> None:
        """Give a room to whoever asks for it next."""
        await self.write(lambda connection: connection.execute(
            sa.update(rooms).where(rooms.c.owner == owner, rooms.c.id == room).values(lease_until=0)))

    async def sign_off(self, owner: str) -> None:
        """This server ends: all its rooms are free, and other servers are woken."""
        def work(connection: sa.Connection) -> None:
            connection.execute(sa.update(rooms).where(rooms.c.owner == owner).values(lease_until=0))
            connection.execute(sa.delete(servers).where(servers.c.name == owner))
            if self.shared:
                connection.execute(sa.text(f"NOTIFY {CHANNEL}"))

        await self.write(work)

    def listen(self, heard: Callable[[], None]) -> None:
        """Call somebody, in a thread of its own, whenever another server has signed off."""
        self._ears = threading.Thread(target=self._hear, args=(heard,), name="boyi-ears", daemon=True)
        self._ears.start()

    def _hear(self, heard: Callable[[], None]) -> None:
        while not self._closing.is_set():
            try:
                with self._engine.connect() as connection:
                    driver: Any = connection.connection.driver_connection
                    connection.detach()   # it is not for others afterwards
                    driver.autocommit = True
                    driver.execute(f"LISTEN {CHANNEL}")
                    while not self._closing.is_set():
                        for _ in driver.notifies(timeout=EARS_SECONDS):
                            heard()
            except Exception as error:  # noqa: BLE001  (whatever it is: nothing depends on it, and it is tried again)
                log.warning("notifications are not heard: %s", type(error).__name__)
                self._closing.wait(LEASE_MS / 1000)

    def _time(self) -> Any:
        """The time that leases are measured by: the database's own, since servers' clocks differ."""
        if not self.shared:
            return _now()
        return sa.cast(sa.extract("epoch", sa.func.clock_timestamp()) * 1000, sa.BigInteger)

    async def load(self, room: str) -> list[Event]:
        """All events of a room, in order."""
        query = sa.select(events.c.data).where(events.c.room == room).order_by(events.c.seq)
        return [decode_event(data) for (data,) in await self._read(query)]

    async def open_rooms(self) -> list[str]:
        """The rooms that somebody waits or plays in, and that no living server owns."""
        query = sa.select(rooms.c.id).where(rooms.c.phase != "closed").order_by(rooms.c.updated.desc())
        if self.shared:
            query = query.where(rooms.c.lease_until < self._time())
        return [room for (room,) in await self._read(query)]

    async def lobby(self, limit: int = 200) -> list[RoomSummary]:
        """Public rooms, the latest first."""
        query = (sa.select(rooms.c.summary).where(rooms.c.public, rooms.c.phase.in_(("waiting", "playing")))
                 .order_by(rooms.c.updated.desc()).limit(limit))
        return [msgspec.json.decode(data, type=RoomSummary) for (data,) in await self._read(query)]

    # ------------------------------------------------------------------ people

    async def add_person(self, person: Person, token_hash: str) -> None:
        def work(connection: sa.Connection) -> None:
            account = person.name.casefold() if person.account else None
            if account is not None and connection.execute(
                    sa.select(persons.c.id).where(persons.c.account == account)).first() is not None:
                raise TakenError("an account of that name exists")
            connection.execute(sa.insert(persons).values(
                id=person.id, name=person.name, account=account, password=person.password, created=_now()))
            connection.execute(sa.insert(tokens).values(hash=token_hash, person=person.id, created=_now()))

        await self.write(work)

    async def add_token(self, person: str, token_hash: str) -> None:
        await self.write(lambda connection: connection.execute(
            sa.insert(tokens).values(hash=token_hash, person=person, created=_now())))

    async def remove_token(self, token_hash: str) -> None:
        await self.write(lambda connection: connection.execute(
            sa.delete(tokens).where(tokens.c.hash == token_hash)))

    async def find_token(self, token_hash: str) -> Person | None:
        query = (sa.select(persons.c.id, persons.c.name, persons.c.account)
                 .join(tokens, tokens.c.person == persons.c.id).where(tokens.c.hash == token_hash))
        rows = await self._read(query)
        return Person(rows[0][0], rows[0][1], rows[0][2] is not None) if rows else None

    async def find_account(self, name: str) -> Person | None:
        query = (sa.select(persons.c.id, persons.c.name, persons.c.password)
                 .where(persons.c.account == name.casefold()))
        rows = await self._read(query)
        return Person(rows[0][0], rows[0][1], True, rows[0][2]) if rows else None

    # ------------------------------------------------------------------ finished games

    async def find_record(self, room: str, number: int) -> tuple[str, bool] | None:
        """A record, and whether somebody brought it, so that there is no room to it."""
        rows = await self._read(sa.select(finished.c.record, finished.c.uploader).where(
            finished.c.room == room, finished.c.number == number))
        return (str(rows[0][0]), rows[0][1] is not None) if rows else None

    async def add_uploads(self, person: str, games: Sequence[FinishedGame], most: int) -> bool:
        """Keep records that somebody brought, if he has no more than so many then."""
        def work(connection: sa.Connection) -> bool:
            kept = connection.execute(sa.select(sa.func.count()).where(finished.c.uploader == person)).scalar_one()
            if kept + len(games) > most:
                return False
            connection.execute(sa.insert(finished), [vars(game) | {"ended": _now(), "uploader": person}
                                                     for game in games])
            return True

        return await self.write(work)

    async def finished_games(self, game: str | None = None, limit: int = 100, *,
                             uploaded: bool = False) -> list[dict[str, Any]]:
        """Public games that are over, the latest first: those that were played here, or those that were brought."""
        columns = [finished.c[name] for name in ("room", "number", "game", "rated", "names", "places", "date")]
        query = sa.select(*columns).where(finished.c.public, finished.c.uploader.is_not(None) if uploaded
                                          else finished.c.uploader.is_(None))
        if game is not None:
            query = query.where(finished.c.game == game)
        rows = await self._read(query.order_by(finished.c.ended.desc()).limit(limit))
        return [dict(zip([column.name for column in columns], row, strict=True)) for row in rows]

    async def count_rated(self, game: str) -> int:
        rows = await self._read(sa.select(sa.func.count()).where(finished.c.game == game, finished.c.rated))
        return int(rows[0][0])

    async def rated_games(self, game: str) -> list[tuple[list[str], list[int]]]:
        """Who played the rated games of a kind, and who came in which place."""
        rows = await self._read(sa.select(finished.c.names, finished.c.places).where(
            finished.c.game == game, finished.c.rated).order_by(finished.c.ended))
        return [(names, places) for names, places in rows]

    async def _read(self, query: sa.Select[Any]) -> Sequence[Any]:
        def work() -> Sequence[Any]:
            try:
                with self._engine.connect() as connection:
                    return connection.execute(query).all()
            except (sa.exc.DBAPIError, OSError) as error:
                raise _storage_error(error) from error

        return await asyncio.to_thread(work)


def _tell(group: Sequence[_Write], results: Sequence[Any]) -> None:
    """Tell those who wait what came of it: each loop is woken once."""
    waiting: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any]]] = {}
    for write, result in zip(group, results, strict=True):
        waiting.setdefault(write.future.get_loop(), []).append((write.future, result))
    for loop, told in waiting.items():
        with contextlib.suppress(RuntimeError):   # its loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_settle, told)


def _settle(told: Sequence[tuple[asyncio.Future[Any], Any]]) -> None:
    for future, result in told:
        if future.done():
            continue   # whoever waited has gone
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)


def _now() -> int:
    return int(time.time() * 1000)


def _make_engine(url: str) -> sa.Engine:
    try:
        parsed = sa.make_url(url)
    except sa.exc.ArgumentError as error:
        raise StorageError(f"{shown(url)!r} is not the address of a database: sqlite:///FILE, or "
                           "postgresql://USER@HOST/NAME") from error
    if parsed.drivername == "postgresql":
        parsed = parsed.set(drivername="postgresql+psycopg")
    try:
        # Parameters stay out of error messages, and so out of logs: there are seeds among them.
        if parsed.get_backend_name() != "sqlite":
            return sa.create_engine(parsed, pool_pre_ping=True, hide_parameters=True)
        # A connection per use: SQLite's belong to a thread, and opening one takes microseconds.
        engine = sa.create_engine(parsed, poolclass=NullPool if parsed.database not in (None, "", ":memory:") else None,
                                  connect_args={"timeout": 30}, hide_parameters=True)
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


def shown(url: str) -> str:
    """An address without its password, for people and logs.

    >>> shown("postgresql://ada:secret@host/boyi")
    'postgresql://ada:***@host/boyi'
    """
    try:
        return sa.make_url(url).render_as_string(hide_password=True)
    except sa.exc.ArgumentError:
        return "(unreadable address)"


def _reason(error: BaseException) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0]


def _storage_error(error: Exception) -> StorageError:
    if isinstance(error, StorageError):
        return error
    if isinstance(error, sa.exc.IntegrityError):
        return FencedError("somebody else has written this already")
    return StorageError(f"it could not be saved: {_reason(error)}")
