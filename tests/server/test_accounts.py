"""Accounts: names, passwords, sessions, what is kept of people, and how it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from boyi.core.errors import TextError
from boyi.server import accounts as accounts_module
from boyi.server import lockout, passwords
from boyi.server.accounts import Accounts, clean_name
from boyi.server.client import Refused, ServerError, call
from boyi.server.lookalikes import skeleton
from boyi.server.protocol.messages import Chat, HandOver, Join, Leave, Resign
from boyi.server.protocol.refusals import Refusal
from boyi.server.store import FinishedGame, Store, TakenError
from boyi.server.store import people as people_module
from boyi.server.store.people import DAY_MS
from boyi.server.store.tables import tokens
from tests.compat import unpack
from tests.server.playing import finished, leave, seated
from tests.server.serving import Served, serving

PASSWORD = "correct horse"


class Clock:
    """The wall clock of a store, which goes when it is told to."""

    def __init__(self) -> None:
        self.now_ms = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now_ms


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    for module in (people_module, accounts_module):
        monkeypatch.setattr(module, "now_ms", made)
    return made


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(f"sqlite:///{tmp_path}/boyi.sqlite")
    opened.open()
    yield opened
    opened.close()


async def refused(work: Awaitable[Any]) -> Refusal:
    """The refusal of what must not work."""
    with pytest.raises(Refusal) as refusal:
        await work
    return refusal.value


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def running() -> None:
        await work()

    asyncio.run(running())


# ---------------------------------------------------------------------- names

LOOKALIKES = {
    "Ada": ("ada", "АDА", "Ａｄａ", "A\u200bda", "\u2060Ada", "Ada\ufe0f", "𝐀𝐝𝐚", "Αda"),
    "Bill10": ("BiIl10", "Bi11IO", "Bіll1０"),
    "modern": ("rnodern", "MODERN", "mоdеrn"),
    "二口": ("ニ口", "二ロ", "⼆⼝"),
}


@pytest.mark.parametrize("name", LOOKALIKES)
def test_names_that_look_alike_are_one(name: str) -> None:
    for other in LOOKALIKES[name]:
        assert skeleton(other) == skeleton(name), ascii(other)
    apart = [*LOOKALIKES, "Adá", "Adam", "Bob", "Bil10", "二日"]
    assert len({skeleton(one) for one in apart}) == len(apart)


def test_account_of_a_name_that_looks_like_another_is_refused(store: Store) -> None:
    async def work() -> None:
        people = Accounts(store)
        guest = await people.new_session("Ada")   # before there was an account
        await people.register("Ada", PASSWORD)
        for other in (*LOOKALIKES["Ada"], "ADA"):
            with pytest.raises(TakenError):
                await people.register(other, PASSWORD)
            with pytest.raises(TakenError):   # a nickname must not pretend to be the account
                await people.new_session(other)
        assert (await people.identify(guest.token)).account is False
        await people.register("ΝΙΚΗ", PASSWORD)
        with pytest.raises(TakenError):   # to log in capitals do not count, however they look
            await people.register("νικη", PASSWORD)
        for typed in ("ada", "ＡＤＡ", "Ada "):
            assert (await people.log_in(typed, PASSWORD)).name == "Ada"
    run(work)


@pytest.mark.parametrize("name", ["", "\u200b", "\u3164", "level:3", "LEVEL:3", "deleted:abc", "\ufdfa" * 24])
def test_names_that_cannot_be(name: str) -> None:
    with pytest.raises(TextError):
        clean_name(name)


def test_old_accounts_that_look_alike_keep_working(tmp_path: Path) -> None:
    """A database of version 0.1.0, with a second Ada in Cyrillic: both log in, and nobody can become a third."""
    unpack("rooms.tar.xz", tmp_path)
    (file,) = tmp_path.rglob("*.sqlite")
    store = Store(f"sqlite:///{file}")
    with store.database.engine.begin() as connection:
        old = connection.execute(sa.text("SELECT password, created FROM person WHERE account = 'ada'")).one()
        for number, name in enumerate(("АDА", "Ａda", "adа")):
            connection.execute(
                sa.text("INSERT INTO person (id, name, account, password, created) "
                        "VALUES (:id, :name, :key, :hash, :at)"),
                {"id": f"p{number}", "name": name, "key": name.casefold(), "hash": old.password, "at": old.created + 1})
    store.open()

    async def work() -> None:
        people = Accounts(store)
        for name, person in (("ADA", "ada"), ("аdа", "АDА"), ("ａda", "Ａda"), ("Adа", "adа")):
            assert (await people.log_in(name, "password of ada")).name.casefold() == person.casefold()
        with pytest.raises(TakenError):
            await people.register("аdа", PASSWORD)
        # The hash of version 0.1.0 was replaced by one of today's cost when its password was known.
        account = await store.people.find_account("ada")
        assert account is not None and not passwords.is_outdated(account.password) and account.password != old.password
        assert (await people.log_in("ada", "password of ada")).account
        # Who played is known of games that were over before: their records are theirs.
        games = await store.games.of_person(account.id)
        assert games and all("ada" in game.names for game in games)
    try:
        asyncio.run(work())
    finally:
        store.close()


# ---------------------------------------------------------------------- passwords

def test_wait_after_wrong_passwords_grows_and_holds_over_a_restart(store: Store, clock: Clock) -> None:
    async def work() -> None:
        people = Accounts(store)
        session = await people.register("Ada", PASSWORD)
        for _ in range(lockout.FREE_TRIES):
            assert (await refused(people.log_in("ada", "a wrong guess"))).code == "login"
        waits = []
        for _ in range(3):
            people = Accounts(store)   # another server, or this one started again
            refusal = await refused(people.log_in("ada", PASSWORD))   # also the right one has to wait
            assert refusal.code == "locked_out"
            waits.append(refusal.retry_after)
            clock.now_ms += round(1000 * refusal.retry_after)
            assert (await refused(people.log_in("ada", "a wrong guess"))).code == "login"
        assert waits == [5.0, 10.0, 20.0]
        assert (await people.identify(session.token)).name == "Ada"   # who is logged in already stays so
        clock.now_ms += 40_000
        await people.log_in("ada", PASSWORD)
        for _ in range(lockout.FREE_TRIES):   # all is forgiven
            assert (await refused(people.log_in("ada", "a wrong guess"))).code == "login"
    run(work)


def test_many_guesses_at_once_gain_nothing(store: Store, clock: Clock) -> None:
    async def work() -> None:
        people = Accounts(store)
        await people.register("Ada", PASSWORD)
        codes = [one.code for one in await asyncio.gather(*(
            refused(people.log_in("ada", f"guess {number}")) for number in range(20)))]
        assert codes.count("login") == lockout.FREE_TRIES and codes.count("locked_out") == 20 - lockout.FREE_TRIES
    run(work)


def test_unknown_account_takes_as_much_work_as_a_wrong_password(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    worked = []
    check = passwords._check

    def checked(password: str, stored: str) -> bool:
        worked.append(stored.split("$")[:2])
        return check(password, stored)

    monkeypatch.setattr(passwords, "_check", checked)

    async def work() -> None:
        people = Accounts(store)
        await people.register("Ada", PASSWORD)
        for name in ("Ada", "nobody"):
            assert (await refused(people.log_in(name, "a wrong guess"))).code == "login"
        assert len(worked) == 2 and worked[0] == worked[1]
    run(work)


def test_changed_password_ends_all_other_sessions(store: Store) -> None:
    async def work() -> None:
        people = Accounts(store)
        first = await people.register("Ada", PASSWORD)
        second = await people.log_in("Ada", PASSWORD)
        assert (await refused(people.change_password(first.token, "a wrong guess", "battery staple"))).code == "login"
        await people.change_password(first.token, PASSWORD, "battery staple")
        assert (await people.identify(first.token)).name == "Ada"
        assert (await refused(people.identify(second.token))).code == "token"
        assert (await refused(people.log_in("Ada", PASSWORD))).code == "login"
        await people.log_in("Ada", "battery staple")
        guest = await people.new_session("Guest")
        assert (await refused(people.change_password(guest.token, "", "battery staple"))).code == "no_account"
    run(work)


# ---------------------------------------------------------------------- sessions

def test_sessions_that_are_not_used_expire(store: Store, clock: Clock) -> None:
    def later(days: float) -> Accounts:
        clock.now_ms += round(days * DAY_MS)
        return Accounts(store)   # what it knew is forgotten

    async def work() -> None:
        people = Accounts(store)
        account, guest = await people.register("Ada", PASSWORD), await people.new_session("Guest")
        for _ in range(3):
            people = later(29)
            await people.identify(account.token)   # used, so they last
            await people.identify(guest.token)
        assert await store.people.remove_expired() == 0
        people = later(31)
        assert (await refused(people.identify(guest.token))).code == "token"
        await people.identify(account.token)
        assert await store.people.remove_expired() == 1
        assert await store.people.find(guest.person) is None
        people = later(91)
        assert (await refused(people.identify(account.token))).code == "token"
        assert await store.people.remove_expired() == 1
        await people.log_in("Ada", PASSWORD)   # the account lasts
    run(work)


def test_use_is_written_once_a_day(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    async def used() -> int:
        rows = await store.database.read(sa.select(tokens.c.used))
        return int(rows[0][0])

    async def work() -> None:
        token = (await Accounts(store).new_session("Guest")).token
        began = clock.now_ms
        for hours, expected in ((23, 0), (2, 25), (20, 25), (5, 50)):
            clock.now_ms += hours * 3_600_000
            await Accounts(store).identify(token)
            assert await used() == began + expected * 3_600_000
    run(work)


def test_sessions_are_listed_and_ended(served: Served) -> None:
    async def work() -> None:
        place = served.place
        first = await place.person("Session Owner", PASSWORD)
        second, third = [(await call(place.address, "POST", "/api/login", {
            "name": "Session Owner", "password": PASSWORD})) ["token"] for _ in range(2)]
        mallory = await place.person("mallory")
        room = await place.room(first)
        listed = await call(place.address, "GET", "/api/sessions", token=second)
        assert len(listed) == 3 and [one["current"] for one in listed].count(True) == 1
        assert all(one["created"] and one["used"] and one["device"] for one in listed)
        of_second = next(one["id"] for one in listed if one["current"])
        with pytest.raises(ServerError) as refusal:
            await call(place.address, "DELETE", f"/api/sessions/{of_second}", token=mallory)
        assert refusal.value.code == "no_session"
        async with place.raw(room, first) as own, place.raw(room, second) as other, place.raw(room, third) as last:
            for raw in (own, other, last):
                await raw.hear("room")
            await call(place.address, "DELETE", f"/api/sessions/{of_second}", token=first)
            assert (await other.hear("goodbye"))["code"] == "token"   # at once
            await call(place.address, "DELETE", "/api/sessions", token=first)
            assert (await last.hear("goodbye"))["code"] == "token"
            await own.say({"type": "chat", "id": 1, "seen": 0, "text": "still here"})
            assert (await own.hear("ack", "nack", "goodbye"))["type"] == "ack"
        assert len(await call(place.address, "GET", "/api/sessions", token=first)) == 1
    served.run(work())


def test_socket_of_a_session_that_was_ended_elsewhere_closes(served: Served) -> None:
    async def work() -> None:
        place = served.place
        token = await place.person("Elsewhere", PASSWORD)
        async with place.raw(await place.room(token), token) as raw:
            await raw.hear("room")
            await place.server.store.people.remove_tokens([passwords.hash_token(token)])   # by another server
            await place.server.rooms().accounts.look_again()
            assert (await raw.hear("goodbye"))["code"] == "token"
        with pytest.raises(ServerError):
            await call(place.address, "GET", "/api/session", token=token)
    served.run(work())


def test_token_that_was_ended_elsewhere_is_known_no_longer_than_promised(store: Store) -> None:
    now = 0.0

    async def work() -> None:
        nonlocal now
        people = Accounts(store, lambda: now)
        token = (await people.new_session("Guest")).token
        assert people.remembered(token) is None
        await people.identify(token)
        await store.people.remove_tokens([passwords.hash_token(token)])   # by another server
        now = accounts_module.KNOWN_SECONDS
        assert (await people.identify(token)).name == "Guest"
        now += 0.1
        assert people.remembered(token) is not None   # it pays by its own name until it is looked up
        assert (await refused(people.identify(token))).code == "token"
        assert people.remembered(token) is None
    run(work)


def test_token_that_is_ended_while_it_is_looked_up_stays_ended(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        people = Accounts(store)
        token = (await people.new_session("Guest")).token
        find, found, go_on = store.people.find_token, asyncio.Event(), asyncio.Event()

        async def slow(hashed: str) -> Any:
            answer = await find(hashed)
            found.set()
            await go_on.wait()
            return answer

        monkeypatch.setattr(store.people, "find_token", slow)
        looking = asyncio.create_task(people.identify(token))
        await found.wait()
        monkeypatch.setattr(store.people, "find_token", find)
        await people.end_session(token)
        go_on.set()
        assert (await refused(looking)).code == "token"
        assert (await refused(people.identify(token))).code == "token"
    run(work)


# ---------------------------------------------------------------------- what is kept, and the end

def test_players_have_their_record_also_when_they_left_a_locked_room(served: Served) -> None:
    async def work() -> None:
        place = served.place
        clients = await seated(place, "tic_tac_toe", {}, 1, password="sesame street")
        room = clients[0].room
        await clients[0].request(Resign)
        await clients[0].until(lambda: finished(clients[0]))
        await clients[0].request(Leave)
        record = await call(place.address, "GET", f"/api/records/{room}/1", token=clients[0].token)
        assert f'[Room "{room}/1"]' in record
        for token in ("", await place.person("mallory")):
            with pytest.raises(ServerError) as refusal:
                await call(place.address, "GET", f"/api/records/{room}/1", token=token)
            assert refusal.value.code == "password"
        await leave(clients)
    served.run(work())


def test_rated_loss_by_hand_over_is_stored_and_the_game_goes_on(served: Served) -> None:
    async def work() -> None:
        place = served.place
        clients = await seated(place, "othello", {}, 2, accounts=True, rated=True)
        room = clients[0].room
        with pytest.raises(Refused) as refusal:
            await clients[0].request(HandOver, level=1)
        assert refusal.value.code == "confirm_loss"
        await clients[0].request(HandOver, level=1, confirm=True)
        (row,) = [one for one in await call(place.address, "GET", "/api/records") if one["room"] == room]
        assert row["rated"] and row["places"] == [2, 1]
        rated = await place.server.store.games.rated("othello")
        assert rated == [(["ada of the club", "bob of the club"], [2, 1])]
        await clients[1].request(Resign)
        await clients[0].until(lambda: finished(clients[0]))
        (row,) = [one for one in await call(place.address, "GET", "/api/records") if one["room"] == room]
        assert row["rated"] and row["places"] == [2, 1]   # it is the result that counts
        record = await call(place.address, "GET", f"/api/records/{room}/1")
        assert '[Forfeit "1 handed_over"]' in record and '[Result "1-0"]' in record
        assert await place.server.store.games.rated("othello") == rated
        await leave(clients)
    served.run(work())


def test_export_and_deletion(tmp_path: Path, clock: Clock) -> None:
    async def work() -> None:
        async with serving(tmp_path) as place:
            clients = await seated(place, "tic_tac_toe", {}, 2, accounts=True, rated=True)
            ada, bob, room = clients[0].token, clients[1].token, clients[0].room
            await clients[0].request(Chat, text="good luck")
            await clients[1].request(Chat, text="thanks")
            await clients[1].request(Resign)
            await clients[0].until(lambda: finished(clients[0]))
            await place.server.store.games.add_uploads(clients[0].person or "", [FinishedGame(
                "upload", 1, "othello", True, False, ["ada of the club"], [], "", "a record")], 1)
            data = await call(place.address, "GET", "/api/account/data", token=ada)
            assert data["name"] == "ada of the club" and data["account"] and data["created"]
            assert [one["current"] for one in data["sessions"]] == [True]
            assert [(game["room"], game["places"]) for game in data["games"]] == [(room, [1, 2])]
            assert len(data["uploads"]) == 1 and [line["text"] for line in data["chat"]] == ["good luck"]
            assert not any(secret in str(data) for secret in (ada, passwords.hash_token(ada), "scrypt"))

            ratings = await call(place.address, "GET", "/api/ratings?game=tic_tac_toe")
            assert {one["name"] for one in ratings} == {"ada of the club", "bob of the club"}
            other = await place.room(ada)
            with pytest.raises(ServerError) as refusal:
                await call(place.address, "POST", "/api/account/deletion", {"password": "a wrong guess"}, ada)
            assert refusal.value.code == "login"
            await call(place.address, "POST", "/api/account/deletion", {"password": "password"}, ada)
            with pytest.raises(ServerError) as refusal:
                await call(place.address, "GET", "/api/session", token=ada)
            assert refusal.value.code == "token"
            await clients[1].until(lambda: len(clients[1].state.persons) == 1)  # type: ignore[union-attr]
            assert (await place.server.rooms().find(other)).room.state.phase == "closed"
            (row,) = await call(place.address, "GET", "/api/records")
            assert row["names"][0].startswith("deleted:") and row["names"][1] == "bob of the club"
            record = await call(place.address, "GET", f"/api/records/{room}/1", token=bob)
            assert "ada" not in record and f'[Player.1 "{row["names"][0]}"]' in record
            assert await call(place.address, "GET", "/api/records?uploaded=1") == []
            ratings = await call(place.address, "GET", "/api/ratings?game=tic_tac_toe")
            assert [one["name"] for one in ratings] == ["bob of the club"]
            # The name is free after a while, so that nobody can pretend to be who has just gone.
            credentials = {"name": "Ada of the Club", "password": PASSWORD}
            for path in ("login", "accounts"):
                with pytest.raises(ServerError) as refusal:
                    await call(place.address, "POST", f"/api/{path}", credentials)
                assert refusal.value.code == ("login" if path == "login" else "name_taken")
            clock.now_ms += (people_module.NAME_HELD_DAYS + 1) * DAY_MS
            await call(place.address, "POST", "/api/accounts", credentials)
            await leave(clients[1:])
    asyncio.run(work())


def test_report_is_kept_with_what_was_said(served: Served) -> None:
    async def work() -> None:
        place = served.place
        ada, bob = await place.person("reporter"), await place.person("rude")
        room = await place.room(ada)
        async with place.client(room, bob) as client:
            await client.request(Join)
            await client.request(Chat, text="something rude")
            person = client.person
        asked = {"room": room, "person": person, "why": "abuse", "text": "see the chat"}
        await call(place.address, "POST", "/api/reports", asked, ada)
        await call(place.address, "POST", "/api/reports", asked, ada)   # once is enough
        store = place.server.store.reports
        (report,) = await store.latest()
        assert (report.room, report.person, report.name, report.why) == (room, person, "rude", "abuse")
        assert report.chat == [[person, "rude", "something rude"]]
        for wrong, code in (({"person": "nobody"}, "unknown_person"), ({"room": "nowhere"}, "no_room"),
                            ({"why": "fun"}, "unreadable")):
            with pytest.raises(ServerError) as refusal:
                await call(place.address, "POST", "/api/reports", asked | wrong, ada)
            assert refusal.value.code == code
        assert await store.settle(report.id) and not await store.settle("nothing")
        assert await store.latest() == [] and (await store.latest(settled=True))[0].id == report.id
    served.run(work())
