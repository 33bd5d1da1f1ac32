"""Looking for an opponent: who wants the same meets, once, and who goes is gone. And what a lobby is shown."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from boyi.server import matchmaking
from boyi.server.budgets import ROOMS, SEEKERS, Payer
from boyi.server.client import ServerError, call
from boyi.server.protocol.messages import Move
from tests.server.playing import leave, seated
from tests.server.serving import Place, Served, serving

FIVE = {"main_ms": 300_000, "increment_ms": 3000}


def seek(place: Place, token: str, game: str = "othello", seconds: float = 20, **more: Any) -> asyncio.Task[Any]:
    """What is answered; a task that is cancelled closes its connection, as a page does."""
    async def ask() -> Any:
        body = json.dumps({"game": game, "seconds": seconds, **more})
        host, _, port = place.address.removeprefix("http://").partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        try:
            writer.write((f"POST /api/opponents HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n"
                          f"Connection: close\r\nContent-Length: {len(body)}\r\n\r\n{body}").encode())
            answer = json.loads((await reader.read()).partition(b"\r\n\r\n")[2])
        finally:
            writer.close()
        if "code" in answer:
            raise ServerError(answer["words"]["en"], answer["code"])
        return answer
    return asyncio.ensure_future(ask())


async def until_waiting(place: Place, count: int) -> None:
    """Until so many people are in queues, as everyone is told."""
    async with asyncio.timeout(20):
        while sum(one["waiting"] for one in await call(place.address, "GET", "/api/opponents")) != count:
            await asyncio.sleep(0.02)


def test_two_who_want_the_same_play(served: Served) -> None:
    """The first two of one game and clock meet in a public room, seated, and the game begins when both are there."""
    async def run() -> None:
        place = served.place
        ada, bob, cyd, dan = [await place.person(name) for name in ("ada", "bob", "cyd", "dan")]
        first = seek(place, ada, clock=FIVE)
        await until_waiting(place, 1)
        others = [seek(place, bob, "xiangqi", clock=FIVE), seek(place, cyd)]   # another game, another clock
        await until_waiting(place, 3)
        assert {"game": "othello", "clock": FIVE, "rated": False, "waiting": 1} in await call(
            place.address, "GET", "/api/opponents")
        found = await seek(place, dan, clock=FIVE)
        assert found["room"] and (await first) == found and not any(one.done() for one in others)
        summary = await call(place.address, "GET", f"/api/rooms/{found['room']}")
        assert summary["phase"] == "waiting" and sorted(summary["names"]) == ["ada", "dan"]
        assert summary["clock"] == FIVE and summary["turn"] is None
        async with place.client(found["room"], ada) as one:
            assert one.state is not None
            await asyncio.sleep(3 * matchmaking.LOOK_SECONDS)
            assert one.state.phase == "waiting"   # one of them is still on the way
            async with place.client(found["room"], dan) as two:
                await one.until(lambda: one.state is not None and one.state.phase == "playing")
                await two.until(lambda: two.turn is not None or one.turn is not None)
                assert {seat.person for seat in one.state.seats} == {one.person, two.person}
        for other in others:
            other.cancel()
        await until_waiting(place, 0)
    served.run(run())


def test_seats_are_drawn(served: Served) -> None:
    async def run() -> set[str]:
        place = served.place
        first = set()
        for _ in range(40):
            ada, bob = await place.person("ada"), await place.person("bob")
            waiting = seek(place, ada)
            await until_waiting(place, 1)
            found = await seek(place, bob)
            await waiting
            first.add((await call(place.address, "GET", f"/api/rooms/{found['room']}"))["names"][0])
            if len(first) == 2:
                break
        return first
    assert served.run(run()) == {"ada", "bob"}


def test_a_game_of_three_gathers_three(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many meet as the game has seats."""
    class Three:
        players = 3

    class Game:
        def start(self) -> Three:
            return Three()

    made: list[list[str]] = []

    async def run() -> None:
        place = served.place
        lobby = place.server.rooms()
        with monkeypatch.context() as patch:
            patch.setattr(matchmaking, "find_game", lambda name: Game())

            async def gather(seekers: list[matchmaking.Seeker]) -> None:
                made.append([seeker.by.name for seeker in seekers])
                for seeker in seekers:
                    seeker.found.set_result("room")
            patch.setattr(lobby.matchmaking, "_bring_together", gather)
            waiting = []
            for number, name in enumerate(("ada", "bob"), 1):
                waiting.append(seek(place, await place.person(name)))
                await until_waiting(place, number)
            assert not made
            waiting.append(seek(place, await place.person("cyd")))
            assert [one["room"] for one in await asyncio.gather(*waiting)] == ["room"] * 3
    served.run(run())
    assert made == [["ada", "bob", "cyd"]]


def test_who_goes_is_gone(served: Served) -> None:
    """Nobody is paired with a person whose page is closed, whose time is over, or with themselves."""
    async def run() -> None:
        place = served.place
        ada, bob = await place.person("ada"), await place.person("bob")
        closed = seek(place, ada)
        await until_waiting(place, 1)
        closed.cancel()
        await until_waiting(place, 0)
        assert (await seek(place, bob, seconds=1))["room"] == ""
        await until_waiting(place, 0)
        first = seek(place, ada)
        await until_waiting(place, 1)
        again = seek(place, ada, "xiangqi")   # in another tab: the wish that counts is the last
        assert await refused(first) == "elsewhere"
        await until_waiting(place, 1)
        same = seek(place, ada, "xiangqi")
        assert await refused(again) == "elsewhere"
        same.cancel()
        await until_waiting(place, 0)
    served.run(run())


def test_a_room_to_which_one_does_not_come_is_closed(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matchmaking, "ARRIVAL_SECONDS", 0.5)

    async def run() -> None:
        place = served.place
        ada, bob = await place.person("ada"), await place.person("bob")
        first = seek(place, ada)
        await until_waiting(place, 1)
        found = await seek(place, bob)
        await first
        async with place.client(found["room"], ada) as one:
            await one.until(lambda: one.state is not None and one.state.phase == "closed")
    served.run(run())


def refused(work: Coroutine[Any, Any, Any] | asyncio.Task[Any]) -> Coroutine[Any, Any, str]:
    async def run() -> str:
        with pytest.raises(ServerError) as refusal:
            await work
        return refusal.value.code
    return run()


def test_what_is_refused(served: Served) -> None:
    async def run() -> None:
        place = served.place
        ada = await place.person("ada")
        assert await refused(call(place.address, "POST", "/api/opponents", {"game": "othello"})) == "spectator"
        assert await refused(seek(place, ada, rated=True)) == "no_account"
        for wrong in ({"game": "nothing"}, {"seconds": 26}, {"seconds": 0}, {"clock": {"main_ms": 1}}, {"more": 1}):
            assert await refused(seek(place, ada, **wrong)) == "unreadable", wrong
        await until_waiting(place, 0)
    served.run(run())


def test_rated_games_are_a_queue_of_their_own(served: Served) -> None:
    async def run() -> None:
        place = served.place
        ada, bob = [await place.person(f"{name} who seeks", "password") for name in ("ada", "bob")]
        plain = seek(place, await place.person("cyd"))
        await until_waiting(place, 1)
        first = seek(place, ada, rated=True)
        await until_waiting(place, 2)
        found = await seek(place, bob, rated=True)
        assert (await first) == found
        assert (await call(place.address, "GET", f"/api/rooms/{found['room']}"))["rated"]
        plain.cancel()
        await until_waiting(place, 0)
    served.run(run())


def test_an_address_has_so_many_seekers_and_a_host_pays_for_the_room(tmp_path: Path) -> None:
    """One who has made too many rooms is refused, and the other goes on waiting."""
    async def run() -> None:
        async with serving(tmp_path) as place:
            place.server.budgets._most[SEEKERS] = 2
            tokens = [await place.person(name) for name in ("ada", "bob", "cyd")]
            waiting = [seek(place, tokens[0], "othello"), seek(place, tokens[1], "xiangqi")]
            await until_waiting(place, 2)
            assert await refused(seek(place, tokens[2])) == "flood"
            waiting[1].cancel()
            await until_waiting(place, 1)
            place.server.budgets.owe(ROOMS, Payer("127.0.0.1"), 2 * ROOMS.size)
            again = seek(place, tokens[2])
            assert await refused(waiting[0]) == "flood"
            await until_waiting(place, 1)
            again.cancel()
            await until_waiting(place, 0)
    asyncio.run(run())


# ---------------------------------------------------------------------- what a lobby is shown

def test_own_rooms_and_whose_turn_it_is(served: Served) -> None:
    async def run() -> None:
        place = served.place
        clients = await seated(place, "othello", {}, 1, public=False)
        token = clients[0].token
        await clients[0].until(lambda: clients[0].turn is not None)
        (own,) = await call(place.address, "GET", "/api/rooms/own", token=token)
        assert own["seat"] == 0 and own["room"]["turn"] == 0 and own["room"]["names"] == ["ada", "level:1"]
        assert await refused(call(place.address, "GET", "/api/rooms/own")) == "spectator"
        assert await call(place.address, "GET", "/api/rooms/own", token=await place.person("eve")) == []
        await leave(clients)
    served.run(run())


def test_live_games_show_what_spectators_see(served: Served) -> None:
    """Public games only, with nothing that is covered, and each move as a change of the board."""
    async def run() -> None:
        place = served.place
        hidden = [await seated(place, "othello", {}, 1, **way) for way in ({"public": False}, {"password": "abcdef"})]
        players = await seated(place, "jieqi", {}, 2)
        generator = random.Random(3)
        for number in range(12):
            client = players[number % 2]
            await client.until(lambda client=client: client.turn is not None)   # type: ignore[misc]
            assert client.turn is not None
            await client.request(Move, move=generator.choice(client.turn.moves).text)
            place.server._live_until = 0.0
            (game,) = await call(place.address, "GET", "/api/live-games")
            async with place.client(game["room"]["room"]) as watcher:
                assert watcher.state is not None and watcher.state.game is not None
                seen = [{"point": one.point, "glyph": one.glyph} for one in watcher.state.game.stones]
            assert game["stones"] == seen and game["room"]["moves"] == number + 1 and game["path"] and game["changes"]
        await leave(players)
        place.server._live_until = 0.0
        assert await call(place.address, "GET", "/api/live-games") == []   # nobody plays it any more
        for clients in hidden:
            await leave(clients)
    served.run(run())
