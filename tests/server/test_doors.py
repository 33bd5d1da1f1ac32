"""How bytes and requests come in: each limit alone, with all other budgets ample."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from typing import Any

import pytest
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from boyi.server import boards, budgets, catalogue, teaching, wire
from boyi.server.api import status
from boyi.server.budgets import CONNECTIONS, LOOP, PENALTIES, REQUESTS, ROOMS_OF_PERSON, SOCKETS, Budgets, Payer, Rate
from boyi.server.client import Refused, ServerError
from boyi.server.protocol import messages
from boyi.server.protocol.events import Event
from boyi.server.protocol.messages import Ready
from boyi.server.rooms import Room
from tests.server.attacks import CONTINUATION, PING, TEXT_BEGUN, Target, frame
from tests.server.serving import AMPLE, Place, serving

Test = Callable[[Place, Target], Coroutine[Any, Any, None]]

HOME = Payer("127.0.0.1")


def door(tmp_path: Path, test: Test, **settings: Any) -> None:
    """Run a test against a server."""
    async def run() -> None:
        async with serving(tmp_path, **{"budget_factor": AMPLE} | settings) as place:
            room = await place.room(await place.person("ada"))
            async with asyncio.timeout(60):
                await test(place, Target(int(place.address.rpartition(":")[2]), "127.0.0.1", room))
    asyncio.run(run())


def stop_time(place: Place) -> Budgets:
    """The server's budgets, which are not refilled any more."""
    place.server.budgets._clock = lambda: 10.0**9
    return place.server.budgets


def left(bank: Budgets, rate: Rate) -> float:
    return bank._find(rate, HOME)._tokens


async def ends(reader: asyncio.StreamReader) -> bytes:
    """What comes until the server ends the connection."""
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""


# ---------------------------------------------------------------------- frames

def test_what_was_read_is_parsed_in_slices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A read of thousands of frames holds the loop for a slice of them; others have their turn in between."""
    slices: list[int] = []
    parse = WebSocketsSansIOProtocol.data_received

    def noted(self: WebSocketsSansIOProtocol, data: bytes) -> None:
        slices.append(len(data))
        parse(self, data)

    monkeypatch.setattr(WebSocketsSansIOProtocol, "data_received", noted)

    async def test(_place: Place, target: Target) -> None:
        socket = await target.open()
        slices.clear()
        socket.writer.write(PING * 2_000 + frame(0x81, b"nonsense"))
        loop, rounds = asyncio.get_running_loop(), 0

        def count() -> None:
            nonlocal rounds
            rounds += 1
            if sum(slices) < 12_000:
                loop.call_soon(count)

        loop.call_soon(count)
        assert (await socket.hear("nack"))["code"] == "unreadable"
        assert max(slices) <= 2_000 and sum(slices) >= 12_000
        assert rounds >= len(slices) - 2
        socket.close()
    door(tmp_path, test)


def test_messages_in_slices_are_answered_in_order(tmp_path: Path) -> None:
    async def test(_place: Place, target: Target) -> None:
        socket = await target.open()
        socket.writer.write(b"".join(frame(0x81, b'{"type":"check","id":%d,"seen":0,"seat":0}' % number)
                                     for number in range(1, 400)))
        assert [(await socket.hear("display"))["id"] for _ in range(1, 400)] == list(range(1, 400))
        socket.close()
    door(tmp_path, test)


def test_control_frames_are_paid_for(tmp_path: Path) -> None:
    async def test(place: Place, target: Target) -> None:
        bank = stop_time(place)
        socket = await target.open()
        socket.writer.write(PING * 300)
        await ends(socket.reader)
        socket.close()
        assert bank.refused == {"frames": 1}
        while left(bank, REQUESTS) > REQUESTS.size - PENALTIES["flood"]:   # when it has ended it has a price
            await asyncio.sleep(0.001)
        assert left(bank, CONNECTIONS) < CONNECTIONS.size - PENALTIES["flood"]
    door(tmp_path, test, budget_factor=1.0)


def test_bytes_are_paid_for(tmp_path: Path) -> None:
    async def test(place: Place, target: Target) -> None:
        socket = await target.open()
        for _ in range(40):
            socket.writer.write(frame(0x81, b"x" * 8_000))
        await ends(socket.reader)
        socket.close()
        assert place.server.budgets.refused["bytes"] == 1
    door(tmp_path, test, budget_factor=1.0)


def test_a_message_has_few_fragments(tmp_path: Path) -> None:
    async def test(_place: Place, target: Target) -> None:
        for fragments, answer in ((15, True), (40, False)):
            socket = await target.open()
            socket.writer.write(TEXT_BEGUN + CONTINUATION * (fragments - 1) + frame(0x80, b"nonsense"))
            if answer:
                assert (await socket.hear("nack"))["code"] == "unreadable"
            else:
                assert b"nonsense" not in await ends(socket.reader)
            socket.close()
    door(tmp_path, test)


# ---------------------------------------------------------------------- connections

def test_one_more_connection_that_is_waited_for_cuts_the_oldest(tmp_path: Path) -> None:
    """Half a head, half a body, or no hello: a real client gets in."""
    async def test(place: Place, target: Target) -> None:
        begun = []
        for start in (b"GET /api/health HT",
                      b"POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n", b""):
            if start:
                reader, writer = await target.connect()
                writer.write(start)
            else:
                socket = await target.open(hello=False)
                reader, writer = socket.reader, socket.writer
            begun.append((reader, writer))
        for reader, _ in list(begun):
            while place.host is not None and len(place.host.doors.waiting) < 3:
                await asyncio.sleep(0.001)
            assert (await target.ask("GET", "/api/health"))[0] == 200   # which needs a place, and takes the oldest
            assert not await ends(reader)
            begun.append(await target.connect())
        for _, writer in begun:
            writer.transport.abort()
    door(tmp_path, test, connections_per_address=3, budget_factor=1.0)


@pytest.mark.parametrize(("first", "rest"), [
    (b"", b""), (b"", b"GET /api/hea"),
    (b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n", b"GET /api/hea"),   # the second head on a connection
    (b"", b"POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")],
    ids=["silent", "head", "later head", "body"])
def test_what_is_begun_has_a_time_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: bytes,
                                        rest: bytes) -> None:
    monkeypatch.setattr(wire, "HEAD_SECONDS", 0.05)
    monkeypatch.setattr(wire, "BODY_SECONDS", 0.05)

    async def test(_place: Place, target: Target) -> None:
        reader, writer = await target.connect()
        if first:
            writer.write(first)
            assert b"200" in await reader.readuntil(b"}")
        writer.write(rest)
        assert not await ends(reader)
        writer.transport.abort()
    door(tmp_path, test)


def test_an_address_that_connects_too_often_is_reset(tmp_path: Path) -> None:
    async def test(place: Place, target: Target) -> None:
        place.server.budgets.owe(CONNECTIONS, HOME, 10 * CONNECTIONS.size)
        with pytest.raises((OSError, asyncio.IncompleteReadError)):
            await target.ask("GET", "/api/health")
        assert place.server.budgets.refused["connections"] == 1
        target.source = "127.0.0.2"
        assert (await target.ask("GET", "/api/health"))[0] == 200
    door(tmp_path, test, budget_factor=1.0)


def test_sockets_of_an_address_have_an_end(tmp_path: Path) -> None:
    async def test(place: Place, target: Target) -> None:
        sockets = [await target.open() for _ in range(3)]
        more = await target.open(hello=False)
        more.say({"type": "hello", "room": target.room})
        refusal = await more.hear("nack", "welcome")
        assert refusal["code"] == "flood" and refusal["retry_after_ms"] > 0 and "at most 3" in refusal["detail"]
        assert (await more.hear("goodbye"))["code"] == "flood"
        more.close()
        for socket in sockets:
            socket.close()
        while place.server.budgets.holders(SOCKETS):
            await asyncio.sleep(0.001)
    door(tmp_path, test, connections_per_address=3, budget_factor=1.0)


# ---------------------------------------------------------------------- what things cost

def test_what_answers_take_of_the_loop_is_owed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has taken too much of it is refused with when to come back; a regular at the same address goes on."""
    monkeypatch.setattr(budgets, "REGULAR_SECONDS", 0.0)

    async def test(place: Place, target: Target) -> None:
        bank = stop_time(place)
        token = await place.person("bob")
        async with place.client(await place.room(token), token) as bob, place.client(target.room) as watcher:
            await bob.request(messages.Sit, seat=0)
            for ready in (True, False) * 3:
                await bob.request(Ready, ready=ready)
            assert bob.person is not None and bank.is_regular(bob.person)
            before = left(bank, LOOP)
            await watcher.request(messages.Check, seat=0)
            assert left(bank, LOOP) < before
            bank.owe(LOOP, HOME, 2 * LOOP.size)
            refusals: list[messages.Nack] = []
            watcher.on_message = lambda told: refusals.append(told) if isinstance(told, messages.Nack) else None
            with pytest.raises(Refused) as refused:
                await watcher.request(messages.Check, seat=0)
            assert refused.value.code == "flood" and refusals[0].retry_after_ms > 1000
            status, answer = await target.ask("GET", "/api/health")
            assert status == 429 and answer["retry_after"] > 1
            await bob.request(Ready, ready=True)
            assert (await target.ask("GET", "/api/session", token=token))[0] == 200
    door(tmp_path, test, budget_factor=1.0)


def test_a_person_holds_only_so_many_rooms(tmp_path: Path) -> None:
    async def test(place: Place, _target: Target) -> None:
        token = await place.person("bob")
        rooms = [await place.room(token) for _ in range(ROOMS_OF_PERSON.most)]
        with pytest.raises(ServerError, match="at most 20 rooms") as refused:
            await place.room(token)
        assert refused.value.code == "flood"
        lobby = place.server.rooms()
        lobby.forget(await lobby.find(rooms[0]))
        await place.room(token)
    door(tmp_path, test, budget_factor=1.0)


def test_bodies_that_nobody_would_read_are_not_read(tmp_path: Path) -> None:
    async def test(_place: Place, target: Target) -> None:
        for header, code in ((b"Transfer-Encoding: chunked", b"411"), (b"Content-Length: 300000", b"413"),
                             (b"Content-Length: 100000", b"400")):
            for method in (b"GET", b"POST"):
                if method == b"GET" and code == b"400":
                    continue
                reader, writer = await target.connect()
                writer.write(method + b" /api/session HTTP/1.1\r\nHost: localhost\r\n" + header + b"\r\n\r\n")
                head = await reader.readuntil(b"\r\n\r\n")
                assert head.split()[1] == code
                if code != b"400":
                    await ends(reader)   # the server has closed it
                writer.transport.abort()
    door(tmp_path, test)


def test_guessing_at_servers_is_paid_for(tmp_path: Path) -> None:
    """Whether a name is another server's is asked of the database, so not for free."""
    async def test(place: Place, target: Target) -> None:
        bank = stop_time(place)
        before = left(bank, REQUESTS)
        reader, writer = await target.connect()
        writer.write(b"GET /api/games HTTP/1.1\r\nHost: localhost\r\nX-Boyi-Server: guessed\r\n\r\n")
        assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
        assert left(bank, REQUESTS) == before - 2
        bank.owe(REQUESTS, HOME, 2 * REQUESTS.size)
        writer.write(b"GET /api/games HTTP/1.1\r\nHost: localhost\r\nX-Boyi-Server: guessed\r\n\r\n")
        await reader.readuntil(b"HTTP/1.1 429")
        writer.transport.abort()
    door(tmp_path, test, budget_factor=1.0)


def test_rooms_are_replayed_beside_the_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[str] = []
    replay = Room.replay

    def noted(identity: str, events: Iterable[Event]) -> Room:
        threads.append(threading.current_thread().name)
        return replay(identity, events)

    monkeypatch.setattr(Room, "replay", noted)

    async def test(place: Place, target: Target) -> None:
        lobby = place.server.rooms()
        lobby.forget(await lobby.find(target.room))
        await lobby.find(target.room)
        assert [name.partition("_")[0] for name in threads] == ["boyi-work"]
    door(tmp_path, test)


def test_long_answers_are_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    for module, name in ((status, "schema"), (status, "openapi"), (catalogue, "games"), (boards, "board"),
                         (teaching, "introduction")):
        work = getattr(module, name)

        def noted(*given: Any, name: str = name, work: Any = work) -> Any:
            made.append(name)
            return work(*given)

        monkeypatch.setattr(module, name, noted)

    async def test(_place: Place, target: Target) -> None:
        made.clear()
        paths = ("/api/schema", "/api/openapi.json", "/api/games", "/api/games/othello/board",
                 "/api/games/jieqi/introduction")
        for path in paths:
            answers = await asyncio.gather(*(target.ask("GET", path) for _ in range(5)))
            assert all(answer == answers[0] for answer in answers) and answers[0][0] == 200
        assert sorted(made) == ["board", "games", "introduction", "openapi", "schema"]
        for path in ("/api/games/nothing/board", "/api/games/othello?nonsense=1"):
            for _ in range(2):   # what cannot be answered is not kept, and is no failure
                assert (await target.ask("GET", path))[0] in (400, 404)
    door(tmp_path, test)
