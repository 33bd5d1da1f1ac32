"""What is on disk: every schema version, group commit, fencing, and disks that do not want."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from boyi.server.protocol.bodies import RoomSummary
from boyi.server.protocol.events import Event, Paused, Started, encode_event
from boyi.server.protocol.parts import Player
from boyi.server.store import FencedError, FinishedGame, HeldError, Person, StorageError, Store, TakenError
from boyi.server.store.database import MIGRATIONS
from boyi.server.store.tables import metadata
from tests.scale import SLOW, scaled

SUMMARY = RoomSummary("r", "othello", "playing", 2, 2, ["Ada", "Bob"], False, False, None, 0)
REVISIONS = [script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()]


def event(seq: int) -> Event:
    return Event(seq, 10 * seq, Paused())


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_schema_version_becomes_the_present_one(address: str, revision: str) -> None:
    old = Store(address)
    old.database.migrate(revision)
    old.migrate()
    with old.database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    old.migrate()   # and it is no harm to ask again
    old.close()


def test_events_come_back_as_they_were(store: Store) -> None:
    async def run() -> None:
        await store.leases.renew("me")
        await store.rooms.append("r", 1, [event(1), event(2)], SUMMARY, True, owner="me")
        await store.rooms.append("r", 1, [event(3)], SUMMARY, True)
        assert await store.rooms.load("r") == [event(1), event(2), event(3)]
        assert await store.rooms.load("nothing") == []
        assert await store.leases.open_rooms() == ([] if store.is_shared else ["r"])   # it is this server's already
        assert await store.rooms.public() == [SUMMARY]
    asyncio.run(run())


def test_who_lost_the_room_writes_nothing_more(store: Store) -> None:
    async def run() -> None:
        await store.rooms.append("r", 1, [event(1)], SUMMARY, True, owner="first")
        if store.is_shared:
            await store.leases.renew("first")
            with pytest.raises(HeldError) as held:
                await store.leases.acquire("r", "second")
            assert held.value.owner == "first"
            assert await store.leases.open_rooms() == []
            await store.leases.release_all("first")
            assert await store.leases.open_rooms() == ["r"]
        assert await store.leases.acquire("r", "second") == 2
        with pytest.raises(FencedError):
            await store.rooms.append("r", 1, [event(2)], SUMMARY, True)
        await store.rooms.append("r", 2, [event(2)], SUMMARY, True)
        with pytest.raises(FencedError):
            await store.rooms.append("r", 2, [event(2)], SUMMARY, True)   # the number is taken
        assert await store.rooms.load("r") == [event(1), event(2)]
        assert await store.leases.acquire("nothing", "second") is None
    asyncio.run(run())


def test_a_bad_write_harms_no_other_of_its_group(store: Store) -> None:
    async def run() -> None:
        await store.rooms.append("bad", 1, [event(1)], SUMMARY, True)
        results = await asyncio.gather(*(
            store.rooms.append("bad" if number == 7 else f"r{number}", 1, [event(1)], SUMMARY, True)
            for number in range(20)), return_exceptions=True)
        assert [number for number, result in enumerate(results) if result is not None] == [7]
        assert isinstance(results[7], FencedError)
        assert len(await store.rooms.public()) == 20
        await asyncio.gather(*(store.rooms.append(f"s{number}", 1, [event(1)], SUMMARY, True) for number in range(50)))
        assert len(await store.rooms.public()) == 70
        assert store.writer.groups < store.writer.writes   # these did go together
    asyncio.run(run())


def test_whoever_goes_away_while_it_is_written_harms_nobody(store: Store) -> None:
    async def run() -> None:
        begun, go_on = threading.Event(), threading.Event()

        def slow(_: sa.Connection) -> None:
            begun.set()
            go_on.wait()

        running = asyncio.create_task(store.writer.write(slow))
        while not begun.is_set():
            await asyncio.sleep(0.001)
        waiting = asyncio.create_task(store.rooms.append("r", 1, [event(1)], SUMMARY, True))
        await asyncio.sleep(0)
        for task in (running, waiting):
            task.cancel()
        await asyncio.gather(running, waiting, return_exceptions=True)
        go_on.set()
        async with asyncio.timeout(60):   # for ever, if the writing thread has died
            await store.rooms.append("s", 1, [event(1)], SUMMARY, True)
        assert await store.rooms.load("r") == []   # called off before it was begun
    asyncio.run(run())


def test_what_is_urgent_goes_with_the_next_transaction(store: Store) -> None:
    """A server that is busy renews its leases all the same."""
    blocked, done = threading.Event(), list[str]()

    def note(what: str) -> None:
        done.append(what)

    async def run() -> None:
        block = asyncio.create_task(store.writer.write(lambda _: blocked.wait(20)))
        await asyncio.sleep(0.1)   # the thread waits
        many = [asyncio.create_task(store.writer.write(lambda _: note("many"))) for _ in range(1000)]
        urgent = asyncio.create_task(store.writer.write(lambda _: note("urgent"), urgent=True))
        await asyncio.sleep(0.1)
        blocked.set()
        await asyncio.gather(block, urgent, *many)

    asyncio.run(run())
    assert len(done) == 1001 and done.index("urgent") == 0


def test_rooms_are_acquired_and_loaded_together(store: Store) -> None:
    async def run() -> None:
        events = [Event(1, 5, Paused()), Event(2, 6, Paused())]
        await store.leases.renew("one")
        for room in ("a", "b", "c"):
            await store.rooms.append(room, 1, events, SUMMARY, True, owner="one")
        taken = await store.leases.acquire_all(["a", "b", "x"], "two")
        assert taken == (({}, {"a": "one", "b": "one"}) if store.is_shared else ({"a": 2, "b": 2}, {}))
        for room in ("a", "b"):
            await store.leases.release("one" if store.is_shared else "two", room)
        taken = await store.leases.acquire_all(["a", "b", "c"], "three")
        # Where servers share rooms, c is leased still.
        assert taken == (({"a": 2, "b": 2}, {"c": "one"}) if store.is_shared else ({"a": 3, "b": 3, "c": 2}, {}))
        assert await store.rooms.load_all(["a", "x"]) == {"a": [encode_event(event) for event in events], "x": []}

    asyncio.run(run())


def test_people_and_tokens(store: Store) -> None:
    async def run() -> None:
        await store.people.add(Person("p", "Ada", False), "hash")
        await store.people.add(Person("q", "Ada", True, "scrypt"), "other")
        found = await store.people.find_token("hash")
        assert found is not None and (found[0].id, found[0].name, found[0].account) == ("p", "Ada", False)
        assert await store.people.find_token("no") is None
        with pytest.raises(TakenError):
            await store.people.add(Person("s", "ADA", True, "scrypt"), "third")
        assert await store.people.find_token("third") is None
        account = await store.people.find_account("aDa")
        assert account is not None and (account.id, account.name, account.password) == ("q", "Ada", "scrypt")
        assert await store.people.log_in("q", "fourth", "Firefox", "scrypt") == []
        assert {token.hash for token in await store.people.tokens_of("q")} == {"other", "fourth"}
        assert await store.people.existing_tokens(["hash", "third", "fourth"]) == {"hash", "fourth"}
        assert await store.people.change_password("q", "another", but="fourth") == ["other"]
    asyncio.run(run())


def test_accounts_of_version_0_1_0_are_brought_along(address: str) -> None:
    old = Store(address)
    old.database.migrate("0002")
    names = ["Ada", "\u0410da", "Bob"]   # the second in Cyrillic
    started = Event(1, 0, Started(1, [Player("Ada", "p0", None), Player("level:3", None, 3)], "2026-11-16", True))
    with old.database.engine.begin() as connection:
        for number, name in enumerate(names):
            connection.execute(sa.text(
                "INSERT INTO person (id, name, account, password, created) VALUES (:id, :name, :account, 'scrypt', 1)"),
                {"id": f"p{number}", "name": name, "account": name.casefold()})
            connection.execute(sa.text("INSERT INTO token (hash, person, created) VALUES (:hash, :person, 1)"),
                               {"hash": f"t{number}", "person": f"p{number}"})
        connection.execute(sa.text("INSERT INTO event (room, seq, data) VALUES ('r', 1, :data)"),
                           {"data": encode_event(started)})
        connection.execute(sa.text(
            "INSERT INTO finished (room, number, game, public, rated, names, places, date, ended, record) "
            "VALUES ('r', 1, 'othello', :true, :true, '[]', '[]', '', 1, '')"), {"true": True})
    old.close()

    async def run(store: Store) -> None:
        for number, name in enumerate(names):
            found, token = await store.people.find_account(name), await store.people.find_token(f"t{number}")
            assert found is not None and found.id == f"p{number}"
            assert token is not None and token[0].name == name   # not logged out
        for name in ("ADA", "\u0410DA", "B\u043eb"):
            with pytest.raises(TakenError):
                await store.people.add(Person("new", name, True, "scrypt"), "new")
        assert [await store.games.has_played("r", 1, person) for person in ("p0", "p1")] == [True, False]

    store = Store(address)
    store.open()
    try:
        asyncio.run(run(store))
    finally:
        store.close()


def test_finished_games(store: Store) -> None:
    game = FinishedGame("r", 1, "othello", True, True, ["Ada", "Bob"], [1, 2], "2026-11-16", "the record")

    async def run() -> None:
        await store.rooms.append("r", 1, [event(1)], SUMMARY, True, [game])
        assert await store.games.find_record("r", 1) == ("the record", False)
        assert await store.games.add_uploads("ada", [replace(game, room="u", rated=False)], most=1)
        assert not await store.games.add_uploads("ada", [replace(game, room="v", rated=False)], most=1)
        assert await store.games.find_record("u", 1) == ("the record", True)
        assert [row.room for row in await store.games.latest(uploaded=True)] == ["u"]
        assert [row.room for row in await store.games.latest()] == ["r"]
        assert await store.games.count_rated("othello") == 1
        assert await store.games.find_record("r", 2) is None
        assert (await store.games.latest())[0].names == ["Ada", "Bob"]
        assert await store.games.latest("xiangqi") == []
        assert await store.games.rated("othello") == [(["Ada", "Bob"], [1, 2])]
    asyncio.run(run())


def test_full_disk_is_an_error_and_not_a_silence(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/boyi.sqlite")
    store.migrate()
    with store.database.engine.connect() as connection:
        pages = connection.execute(sa.text("PRAGMA page_count")).scalar_one()

    @sa.event.listens_for(store.database.engine, "connect")
    def little_room(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count={pages + 3}")

    store.open()

    async def run() -> None:
        await store.rooms.append("r", 1, [event(1)], SUMMARY, True)
        acknowledged = 1
        try:
            while acknowledged < 10_000:
                await store.rooms.append("r", 1, [event(acknowledged + 1)], SUMMARY, True)
                acknowledged += 1
        except StorageError as error:
            assert "full" in str(error)
        kept = await store.rooms.load("r")
        assert acknowledged < 10_000
        assert [one.seq for one in kept] == list(range(1, acknowledged + 1))   # what was acknowledged, and no more
    asyncio.run(run())
    store.close()


def test_unknown_databases_are_refused_in_words(tmp_path: Path) -> None:
    for url in ("nonsense", "oracle://x/y", "cobol:///x"):
        with pytest.raises(StorageError):
            Store(url)
    missing = Store(f"sqlite:///{tmp_path}/no/such/folder/boyi.sqlite")
    with pytest.raises(StorageError, match="cannot be opened"):
        missing.open()


WRITER = """
import asyncio, sys
from boyi.server.store import Store
from tests.server.test_store import SUMMARY, event
store = Store(sys.argv[1])
store.open()
async def room(name):
    # An earlier life may have got this far, acknowledged or not.
    epoch = await store.leases.acquire(name, "again") or 1
    seq = len(await store.rooms.load(name)) + 1
    while True:
        await store.rooms.append(name, epoch, [event(seq)], SUMMARY, True)
        print(name, seq, flush=True)
        seq += 1
async def main():
    await asyncio.gather(*(room(f"r{number}") for number in range(int(sys.argv[2]))))
asyncio.run(main())
"""


def test_what_was_acknowledged_survives_kill_9(tmp_path: Path) -> None:
    """Many rooms write as fast as they can; the process is killed at a random moment, again and again."""
    rooms = 50 if SLOW else 20
    url = f"sqlite:///{tmp_path}/boyi.sqlite"
    acknowledged: dict[str, int] = {}
    root = Path(__file__).parents[2]
    for life in range(max(2, scaled(20))):
        process = subprocess.Popen([sys.executable, "-c", WRITER, url, str(rooms)], stdout=subprocess.PIPE, text=True,
                                   cwd=root, env={**os.environ, "PYTHONPATH": str(root)})
        assert process.stdout is not None
        for _ in range(60 + 37 * life % 100):
            name, seq = process.stdout.readline().split()
            acknowledged[name] = int(seq)
        process.send_signal(signal.SIGKILL)
        for line in process.stdout.read().splitlines():
            if len(line.split()) == 2:   # the last line may be cut off
                name, seq = line.split()
                acknowledged[name] = max(acknowledged.get(name, 0), int(seq))
        process.wait()
        process.stdout.close()
        store = Store(url)
        store.open()
        for name, last in acknowledged.items():
            there = [one.seq for one in asyncio.run(store.rooms.load(name))]
            assert there == list(range(1, len(there) + 1)) and len(there) >= last
        store.close()
