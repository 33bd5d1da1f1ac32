"""`boyi admin` while a server runs: back-ups under load, bans, rooms and accounts, on both databases."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa

from boyi.cli import main
from boyi.server import overseer
from boyi.server.administration import Administration, administration
from boyi.server.bans import Bans, read_network
from boyi.server.client import Refused, ServerError, call
from boyi.server.protocol.events import Moved
from boyi.server.protocol.messages import Chat
from boyi.server.protocol.refusals import Refusal
from boyi.server.rooms import Room
from boyi.server.store import Ban, StorageError, Store
from boyi.server.store.backup import BackupError, back_up, read_contents, restore
from boyi.server.store.database import Database
from boyi.server.store.tables import metadata, servers
from tests.scale import some_of
from tests.server.databases import postgres
from tests.server.playing import leave, seated
from tests.server.serving import Place, serving
from tests.server.test_kill import play_for_ever

KINDS = ["sqlite", "postgresql"]


@contextlib.contextmanager
def empty_database(kind: str, folder: Path, name: str = "boyi") -> Iterator[str]:
    if kind == "sqlite":
        yield f"sqlite:///{folder}/{name}.sqlite"
    else:
        with postgres() as address:
            yield address


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with empty_database(request.param, tmp_path) as address:
        yield address


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers look often, so that nobody waits for two seconds."""
    monkeypatch.setattr(overseer, "LOOK_SECONDS", 0.05)


@contextlib.asynccontextmanager
async def run_by(place: Place) -> AsyncIterator[Administration]:
    async with administration(place.server.config.database) as admin:
        yield admin


def rows_of(database: Database) -> dict[str, list[tuple[object, ...]]]:
    """Everything in a database that a back-up has, in order."""
    with database.engine.connect() as connection:
        return {table.name: sorted((tuple(row) for row in connection.execute(sa.select(
            *(column for column in table.c if column.name not in ("epoch", "owner", "lease_until"))))), key=repr)
            for table in metadata.sorted_tables if table is not servers}


# ---------------------------------------------------------------------- back-ups

@pytest.mark.parametrize(("database", "into"), some_of([
    ("sqlite", "postgresql"), ("sqlite", "sqlite"), ("postgresql", "sqlite"), ("postgresql", "postgresql")], 2),
    indirect=["database"])
def test_a_backup_under_load_has_every_acknowledged_move(database: str, into: str, tmp_path: Path) -> None:
    """Taken while people play; restored into either kind of database, it has what was acknowledged before it began."""
    file = tmp_path / "rooms.backup"

    async def play_and_back_up() -> list[tuple[str, dict[int, str]]]:
        generator = random.Random(5)
        async with serving(tmp_path, database=database) as place:
            tables = [await seated(place, game, {}, 2) for game in ("othello", "jieqi")]
            acked: list[dict[int, str]] = [{} for _ in tables]
            players = [asyncio.create_task(play_for_ever(client, generator, promised))
                       for clients, promised in zip(tables, acked, strict=True) for client in clients]
            while min(map(len, acked)) < 5:
                await asyncio.sleep(0.01)
            before = [dict(promised) for promised in acked]
            contents = await asyncio.to_thread(back_up, place.server.store.database, file)
            while min(map(len, acked)) < 10:   # they play on meanwhile and afterwards
                await asyncio.sleep(0.01)
            for player in players:
                player.cancel()
            await asyncio.gather(*players, return_exceptions=True)
            assert contents.rows["event"] > 10
            promised = [(clients[0].room, moves) for clients, moves in zip(tables, before, strict=True)]
            for clients in tables:
                await leave(clients)
            return promised

    promised = asyncio.run(play_and_back_up())
    with empty_database(into, tmp_path, "restored") as address:
        target = Store(address)
        restore(file, target.database)

        async def look() -> None:
            target.open()
            for room, moves in promised:
                events = await target.rooms.load(room)
                assert [event.seq for event in events] == list(range(1, len(events) + 1))
                Room.replay(room, events)
                for seq, move in moves.items():
                    caused = [event.body.text for event in events
                              if event.cause == events[seq - 1].cause and isinstance(event.body, Moved)]
                    assert caused[0].startswith(move)
                assert await target.leases.acquire(room, "a new server") is not None
            await target.leases.release_all("a new server")
            target.close()
        asyncio.run(look())

        async def go_on() -> None:   # and a server that starts on it goes on
            async with serving(tmp_path, database=address) as place:
                for room, _ in promised:
                    async with place.client(room) as watcher:
                        assert watcher.state is not None and watcher.state.phase == "playing"
        asyncio.run(go_on())


def test_what_is_restored_is_what_was_there(tmp_path: Path) -> None:
    """Also rows as only an earlier version could write them."""
    async def fill() -> None:
        async with serving(tmp_path) as place:
            token = await place.person("ada", "password")
            await place.room(token, password="sesame")
            with place.server.store.database.engine.begin() as connection:
                connection.execute(sa.text(
                    "INSERT INTO finished (room, number, game, public, rated, names, places, date, ended, record, "
                    "uploader) VALUES ('u', 1, 'othello', 1, 0, '[\"\\ud800\"]', '[1]', '2026', 0, 'x', 'ada')"))
    asyncio.run(fill())
    source, file = Database(f"sqlite:///{tmp_path}/boyi.sqlite"), tmp_path / "b"
    contents = back_up(source, file)
    assert file.stat().st_mode & 0o077 == 0   # there are hashes of passwords in it
    assert list(tmp_path.glob("b.*")) == []
    first = Database(f"sqlite:///{tmp_path}/first.sqlite")
    assert restore(file, first) == contents == read_contents(file)
    assert rows_of(first) == rows_of(source)
    with postgres() as address:
        second = Database(address)
        restore(file, second)
        back_up(second, tmp_path / "again")
        third = Database(f"sqlite:///{tmp_path}/third.sqlite")
        restore(tmp_path / "again", third)
        assert rows_of(third) == rows_of(source)
        second.close()
    for database in (source, first, third):
        database.close()


def test_restoring_refuses(tmp_path: Path) -> None:
    source, target = (Database(f"sqlite:///{tmp_path}/{name}.sqlite") for name in ("source", "target"))
    source.migrate()
    with source.engine.begin() as connection:
        connection.execute(sa.text("INSERT INTO person (id, name, password, created) VALUES ('a', 'Ada', '', 0)"))
    file = tmp_path / "file"
    back_up(source, file)
    with pytest.raises(BackupError, match="exists already"):
        back_up(source, file)
    restore(file, target)
    with pytest.raises(BackupError, match="not empty"):
        restore(file, target)
    restore(file, target, force=True)
    assert rows_of(target) == rows_of(source)
    for change, words in (("DELETE FROM person", "damaged"), ("DROP TABLE backup", "not a back-up")):
        with contextlib.closing(sqlite3.connect(file)) as connection:
            connection.execute(change)
            connection.commit()
        with pytest.raises(BackupError, match=words):
            restore(file, target, force=True)
    (tmp_path / "text").write_text("no database")
    for path in (tmp_path / "text", tmp_path / "nothing"):
        with pytest.raises(BackupError, match="not a back-up"):
            restore(path, target, force=True)
    assert not (tmp_path / "nothing").exists()
    newer = tmp_path / "newer"
    back_up(source, newer)
    with contextlib.closing(sqlite3.connect(newer)) as connection:
        told = msgspec.json.decode(connection.execute("SELECT contents FROM backup").fetchone()[0]) | {"schema": "9999"}
        connection.execute("UPDATE backup SET contents = ?", [msgspec.json.encode(told)])
        connection.commit()
    with pytest.raises(BackupError, match="newer"):
        restore(newer, target, force=True)
    assert rows_of(target) == rows_of(source)
    with pytest.raises(StorageError, match="could not be written"):
        back_up(source, tmp_path / "no" / "folder")
    source.close()
    target.close()


def test_a_backup_of_an_older_schema_is_restored(tmp_path: Path) -> None:
    source, target = (Database(f"sqlite:///{tmp_path}/{name}.sqlite") for name in ("source", "target"))
    source.migrate("0002")
    with source.engine.begin() as connection:
        connection.execute(sa.text("INSERT INTO person (id, name, password, created) VALUES ('a', 'Ada', '', 0)"))
    file = tmp_path / "file"
    shown = {"person": 1, "room": 0, "event": 0, "token": 0, "finished": 0}
    with contextlib.closing(sqlite3.connect(file)) as connection:
        with source.engine.connect() as reading:
            reading.connection.driver_connection.backup(connection)  # type: ignore[union-attr]
        connection.execute("CREATE TABLE backup (contents BLOB NOT NULL)")
        connection.execute("INSERT INTO backup VALUES (?)", [json.dumps(
            {"made": "2026-11-17T00:00:00+00:00", "schema": "0002", "rows": shown}).encode()])
        connection.commit()
    restore(file, target)
    with target.engine.connect() as connection:
        assert connection.execute(sa.text("SELECT name FROM person")).scalars().all() == ["Ada"]
    source.close()
    target.close()


# ---------------------------------------------------------------------- bans

def test_bans_are_found_by_person_and_network() -> None:
    bans = Bans()
    bans.check("192.0.2.7", "ada")
    networks = {"192.0.2.0/24": None, "2001:db8::1/48": None, "198.51.100.9": 1}   # the last one is over
    bans.replace([Ban("person:ada", "Ada", "because", 0, None),
                  *(Ban(read_network(network), "", "", 0, until) for network, until in networks.items())])
    for address, person, banned in (
            ("10.0.0.1", "ada", True), ("10.0.0.1", "bob", False), ("192.0.2.7", None, True),
            ("192.0.3.7", None, False), ("::ffff:192.0.2.7", "bob", True), ("2001:db8:0:5::2", None, True),
            ("2001:db8:0:5::/64", None, True), ("2001:db9::", None, False),
            ("198.51.100.9", None, False), ("", None, False)):
        with pytest.raises(Refusal) if banned else contextlib.nullcontext() as refusal:
            bans.check(address, person)
        assert refusal is None or refusal.value.code == "shut_out"
    with pytest.raises(ValueError, match="neither an address nor a network"):
        read_network("example.org")


def test_whoever_is_banned_is_sent_away_and_not_let_in(database: str, soon: None, tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, database=database) as place, run_by(place) as admin:
            token, other = await place.person("ada", "password"), await place.person("bob")
            room = await place.room(token)
            async with place.raw(room, token) as ada, place.client(room, other):
                await ada.hear("room")
                await admin.ban(account="Ada", reason="For cheating.", hours=1)
                assert (await ada.hear("goodbye"))["code"] == "shut_out"
            async with place.raw(room, token) as ada:
                nack = await ada.hear("nack")
                assert nack["code"] == "shut_out" and "For cheating. (until 20" in nack["detail"]
            with pytest.raises(ServerError, match="For cheating") as refusal:
                await call(place.address, "POST", "/api/rooms", {"game": "othello"}, token)
            assert refusal.value.code == "shut_out"
            assert [ban.name for ban in await admin.bans()] == ["ada"]
            await admin.unban(account="ada")
            await until_true(lambda: not place.server.rooms().bans)
            await call(place.address, "GET", "/api/session", token=token)
            # Everyone at an address; how the server is may still be asked.
            await admin.ban(network="127.0.0.0/8")
            await until_true(lambda: bool(place.server.rooms().bans))
            for path in ("/api/session", "/api/rooms"):
                with pytest.raises(ServerError) as refusal:
                    await call(place.address, "GET", path, token=token)
                assert refusal.value.code == "shut_out"
            async with place.raw(room) as watcher:
                assert (await watcher.hear("nack"))["code"] == "shut_out"
            assert (await call(place.address, "GET", "/api/health"))["status"] == "ok"
            with pytest.raises(ValueError, match="there is no ban"):
                await admin.unban(network="192.0.2.1")
    asyncio.run(run())


async def until_true(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.01)


def test_bans_are_there_from_the_start(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place, run_by(place) as admin:
            token = await place.person("ada", "password")
            await admin.ban(account="ada")
        async with serving(tmp_path) as place:
            with pytest.raises(ServerError) as refusal:
                await call(place.address, "GET", "/api/session", token=token)
            assert refusal.value.code == "shut_out"
    asyncio.run(run())


# ---------------------------------------------------------------------- rooms and accounts

def test_rooms_are_closed_by_their_owner(database: str, soon: None, tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, database=database) as place, run_by(place) as admin:
            clients = await seated(place, "othello", {}, 2)
            room = clients[0].room
            await admin.close_room(room)
            await clients[1].until(lambda: clients[1].state.phase == "closed")  # type: ignore[union-attr]
            assert await admin.is_closed(room, within_seconds=60)
            with pytest.raises(Refused) as refusal:
                await clients[0].request(Chat, text="still here?")
            assert refusal.value.code == "closed"
            for name in (room, "nothing"):
                with pytest.raises(ValueError):
                    await admin.close_room(name)
            await leave(clients)
            async with asyncio.timeout(30):
                while not all(action.done for action in await place.server.store.orders.after(0)):
                    await asyncio.sleep(0.01)
            # A room that no server has open is closed by the next that starts.
            other = await place.room(await place.person("cyd"))
        store = Store(database)
        store.open()
        await Administration(store).close_room(other)
        store.close()
        async with serving(tmp_path, database=database) as place, run_by(place) as admin:
            assert await admin.is_closed(other, within_seconds=60)
    asyncio.run(run())


def test_accounts_get_new_passwords_and_are_deleted(database: str, soon: None, tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, database=database) as place, run_by(place) as admin:
            token = await place.person("ada", "password")
            await call(place.address, "GET", "/api/session", token=token)
            password = await admin.reset_password("ADA")
            await refused_soon(place, token)
            with pytest.raises(ServerError):
                await call(place.address, "POST", "/api/login", {"name": "ada", "password": "password"})
            again = await call(place.address, "POST", "/api/login", {"name": "ada", "password": password})
            room = await place.room(again["token"])
            async with place.client(room, again["token"]):
                await admin.delete_account("ada")
                await refused_soon(place, again["token"])
            hosted = await place.server.rooms().find(room)
            await until_true(lambda: hosted.room.state.phase == "closed")   # she was alone there
            with pytest.raises(ValueError, match="no account"):
                await admin.delete_account("ada")
            stats = await admin.stats()
            assert stats.sessions == 0 and stats.bytes > 0
    asyncio.run(run())


async def refused_soon(place: Place, token: str) -> None:
    """A session ends, as soon as the server has looked."""
    async with asyncio.timeout(30):
        while True:
            try:
                await call(place.address, "GET", "/api/session", token=token)
            except ServerError as error:
                assert error.code == "token"
                return
            await asyncio.sleep(0.02)


# ---------------------------------------------------------------------- the commands

def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("boyi.cli.admin.CLOSING_SECONDS", 0.0)

    async def fill() -> str:
        async with serving(tmp_path) as place:
            return await place.room(await place.person("ada", "password"))
    room = asyncio.run(fill())

    def admin(*words: str) -> str:
        with pytest.raises(SystemExit) as ended:
            main(["admin", *words])
        assert ended.value.code in (0, None), capsys.readouterr().err
        return capsys.readouterr().out

    assert "rooms waiting    1" in admin("stats")
    assert json.loads(admin("stats", "--json"))["accounts"] == 1
    assert "rows, as of" in admin("backup", "all.backup", "--language", "en")
    assert "restored" in admin("restore", "all.backup", "--database", "sqlite:///other.sqlite", "--language", "en")
    assert json.loads(admin("ban", "--network", "192.0.2.0/24", "--hours", "2", "--json"))["target"] == \
        "address:192.0.2.0/24"
    assert "192.0.2.0/24" in admin("bans") and len(json.loads(admin("bans", "--json"))) == 1
    admin("unban", "--network", "192.0.2.0/24")
    assert json.loads(admin("bans", "--json")) == []
    assert len(json.loads(admin("reset-password", "ada", "--json"))["password"]) >= 12
    assert json.loads(admin("reports", "--json")) == [] and "room" in admin("reports", "--language", "en")
    assert "the next one that starts" in admin("close-room", room, "--language", "en")
    admin("delete-account", "ada")
    with pytest.raises(SystemExit) as ended:
        main(["admin", "ban"])
    assert ended.value.code == 2 and "name one of them" in capsys.readouterr().err
