"""What an attacker tries at accounts and locked rooms, and that nobody else has to wait for it."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from boyi.server import lockout, passwords
from boyi.server.budgets import Payer
from boyi.server.client import ServerError, call
from boyi.server.protocol.refusals import Refusal
from boyi.server.store.tables import persons
from tests.server.serving import Place, serving

LOOKUPS = 200
PATIENCE_SECONDS = 20.0
"""Longer than anything takes that is not blocked; nothing is measured."""


class Blocked:
    """Password hashing that does not end until it is let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.tries = 0
        self.go_on = threading.Event()
        scrypt = passwords._scrypt

        def blocking(*arguments: Any) -> bytes:
            self.tries += 1
            self.go_on.wait()
            return scrypt(*arguments)

        monkeypatch.setattr(passwords, "_scrypt", blocking)


async def code(work: Any) -> str:
    """The code with which something is refused; empty if it is not."""
    try:
        await work
    except (Refusal, ServerError) as refusal:
        return refusal.code
    return ""


async def locked_room(place: Place) -> str:
    return await place.room(await place.person("ada"), password="sesame street")


def test_lookups_of_a_locked_room_do_not_delay_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """200 look-ups with passwords, from as many addresses: lists are told while not one password is checked yet."""
    async def run() -> None:
        async with serving(tmp_path) as place:
            lobby = place.server.rooms()
            hosted = await lobby.find(await locked_room(place))
            blocked = Blocked(monkeypatch)
            lookups = [asyncio.create_task(code(lobby.admit(hosted, Payer(f"10.0.0.{number}"), f"guess {number}")))
                       for number in range(LOOKUPS)]
            try:
                async with asyncio.timeout(PATIENCE_SECONDS):
                    assert len(await call(place.address, "GET", "/api/rooms")) == 1
                waiting = [one for one in lookups if not one.done()]
                assert len(waiting) == passwords.MOST_WAITING   # the others were told to come back
            finally:
                blocked.go_on.set()
            codes = Counter(await asyncio.gather(*lookups))
            assert codes == {"flood": LOOKUPS - passwords.MOST_WAITING, "password": passwords.MOST_WAITING}
    asyncio.run(run())


def test_lookups_without_a_password_cost_no_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            room = await locked_room(place)
            blocked = Blocked(monkeypatch)
            blocked.go_on.set()
            codes = Counter([await code(call(place.address, "GET", f"/api/rooms/{room}")) for _ in range(50)])
            assert codes == {"password": 50} and not blocked.tries
            for _ in range(3):   # who knows the password is let in, and its hash is not made again
                async with place.client(room, password="sesame street"):
                    pass
            assert not blocked.tries
    asyncio.run(run())


def test_guessing_the_password_of_a_room_waits_by_address_and_room(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            lobby, now = place.server.rooms(), 0.0
            lobby.lockout = lockout.Lockout(lambda: now)
            mallory, bob = Payer("mallory"), Payer("bob")
            hosted = await lobby.find(await locked_room(place))
            guesses = [await code(lobby.admit(hosted, mallory, f"guess {number}")) for number in range(LOOKUPS)]
            assert Counter(guesses) == {"password": lockout.FREE_TRIES, "locked_out": LOOKUPS - lockout.FREE_TRIES}
            assert await code(lobby.admit(hosted, bob, "a slip")) == "password"   # others are not locked out
            assert await code(lobby.admit(hosted, bob, "sesame street")) == ""
            now = 5.0
            assert await code(lobby.admit(hosted, mallory, "another guess")) == "password"
            with pytest.raises(Refusal) as refusal:
                await lobby.admit(hosted, mallory, "and another")
            assert refusal.value.retry_after == 10.0
    asyncio.run(run())


def test_short_room_passwords_are_refused_and_old_ones_still_open(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            token = await place.person("ada")
            assert await code(place.room(token, password="short")) == "short_password"
            hosted = await place.server.rooms().find(await locked_room(place))
            hosted.room.password = await passwords.hash("old")   # of a room from before
            assert await code(place.server.rooms().admit(hosted, Payer("ada"), "old")) == ""
    asyncio.run(run())


def test_guessing_does_not_end_the_sessions_of_the_owner(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            token = await place.person("Ada", "correct horse")
            people = place.server.rooms().accounts
            codes = Counter(await asyncio.gather(*(code(people.log_in("Ada", f"guess {number}"))
                                                   for number in range(LOOKUPS))))
            assert codes == {"login": lockout.FREE_TRIES, "locked_out": LOOKUPS - lockout.FREE_TRIES}
            assert (await call(place.address, "GET", "/api/session", token=token))["name"] == "Ada"
            assert await place.room(token)
    asyncio.run(run())


def test_too_many_passwords_at_once_are_refused_and_not_queued(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        blocked = Blocked(monkeypatch)
        hashing = [asyncio.create_task(passwords.hash("password")) for _ in range(passwords.MOST_WAITING)]
        await asyncio.sleep(0)
        try:
            with pytest.raises(Refusal) as refusal:
                async with asyncio.timeout(PATIENCE_SECONDS):
                    await passwords.hash("one more")
            assert refusal.value.code == "flood" and refusal.value.retry_after == passwords.FULL_SECONDS
            for task in hashing[1:]:   # clients that went away do not hold a place
                task.cancel()
            await asyncio.gather(*hashing[1:], return_exceptions=True)
            late = asyncio.create_task(passwords.hash("late"))
            await asyncio.sleep(0)
            assert not late.done()
        finally:
            blocked.go_on.set()
        assert await passwords.check("late", await late)
        assert blocked.tries == 3   # the first, the late one and its check
    asyncio.run(run())


def test_thousands_of_sessions_from_one_address(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            codes = Counter([await code(call(place.address, "POST", "/api/session", {"name": f"guest {number}"}))
                             for number in range(100)])
            assert set(codes) == {"", "flood"} and codes[""] < 50
            # An account keeps the sessions that were used last.
            people = place.server.rooms().accounts
            tokens = [(await people.register("Ada", "correct horse")).token]
            tokens += [(await people.log_in("Ada", "correct horse")).token for _ in range(60)]
            assert len(await people.sessions(tokens[-1])) == 50
            assert await code(people.identify(tokens[0])) == "token"
    asyncio.run(run())


def test_lookalikes_are_refused_whoever_comes_first(tmp_path: Path) -> None:
    """Of many registrations of names that look alike, all at once, one succeeds."""
    async def run() -> None:
        async with serving(tmp_path) as place:
            store = place.server.store
            names = ["Ada", "АDА", "Ａda", "adа", "A\u200bda", "𝐀da"]
            people = place.server.rooms().accounts
            results = await asyncio.gather(*(people.register(name, "correct horse") for name in names),
                                           return_exceptions=True)
            assert sum(not isinstance(one, Exception) for one in results) == 1
            rows = await store.database.read(persons.select().where(persons.c.account.is_not(None)))
            assert len(rows) == 1
    asyncio.run(run())
