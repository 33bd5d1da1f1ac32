"""Games through the protocol: the same end for everyone, also for those who come back, and after a stop."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from boyi.games import find_game
from boyi.server.client import ServerError, call
from boyi.server.protocol.messages import (
    Check,
    Move,
    Resign,
)
from tests.scale import SOAK, scaled
from tests.server.playing import KINDS, SHORT, finished, leave, play, seated
from tests.server.serving import Place, Served, serving, serving_in_thread


@pytest.mark.parametrize(("game", "options"), SHORT, ids=[f"{game}-{rest.get('players', 2)}" for game, rest in KINDS])
def test_whole_game_through_the_protocol(game: str, options: dict[str, Any], served: Served) -> None:
    """People, an AI and hand-overs: the same end for all, which is what the rules say of the record."""
    async def run() -> None:
        place = served.place
        players = find_game(game).start(**options).players
        clients = await seated(place, game, options, players - 1 or 1)
        async with place.client(clients[0].room) as watcher:
            generator = random.Random(f"{game} {options}")
            await asyncio.gather(*(play(client, generator, hands_over=number == 0)
                                   for number, client in enumerate(clients)))
            await watcher.until(lambda: finished(watcher))
            states = [msgspec.to_builtins(client.state) for client in (*clients, watcher)]
            assert all(state == states[0] for state in states)
            record = await call(place.address, "GET", f"/api/records/{watcher.room}/1")
            assert record == await call(place.address, "GET", f"/api/rooms/{watcher.room}/record")
            from boyi.core.record import Record
            outcome = Record.parse(record, find_game).replay().outcome()
            assert outcome is not None and states[0]["game"]["result"]["places"] == list(outcome.places)
            for seat in range(players):
                shown = await watcher.request(Check, seat=seat)
                assert shown.move is None or shown.move.text in [
                    ply["text"] for ply in states[0]["game"]["plies"] if ply["seat"] == seat]
        await leave(clients)
    served.run(run())


def test_rated_games_are_rated(served: Served) -> None:
    async def run() -> None:
        place = served.place
        clients = await seated(place, "tic_tac_toe", {}, 2, accounts=True, rated=True)
        await clients[1].request(Resign)
        await clients[0].until(lambda: finished(clients[0]))
        ratings = await call(place.address, "GET", "/api/ratings?game=tic_tac_toe")
        assert [row["name"] for row in ratings] == ["ada of the club", "bob of the club"]
        assert ratings[0]["elo"] > ratings[1]["elo"]
        again = await call(place.address, "POST", "/api/login", {"name": "ADA OF THE CLUB", "password": "password"})
        assert again["name"] == "ada of the club" and again["person"] == clients[0].person
        for wrong in ({"name": "ada of the club", "password": "passwort"}, {"name": "nobody", "password": "password"}):
            with pytest.raises(ServerError) as refusal:
                await call(place.address, "POST", "/api/login", wrong)
            assert refusal.value.code == "login"
        with pytest.raises(ServerError, match="account of that name"):
            await call(place.address, "POST", "/api/accounts", {"name": "Ada of the Club", "password": "other"*2})
        token = again["token"]
        who = {"person": clients[0].person, "name": "ada of the club", "account": True}
        assert await call(place.address, "GET", "/api/session", token=token) == who
        await call(place.address, "DELETE", "/api/session", token=token)
        for method in ("GET", "DELETE"):
            for gone in (token, ""):
                with pytest.raises(ServerError) as refusal:
                    await call(place.address, method, "/api/session", token=gone)
                assert refusal.value.code == "token"
        assert await call(place.address, "GET", "/api/session", token=clients[0].token) == who   # another token
        await leave(clients)
    served.run(run())


def test_rejoin_from_every_seq_is_as_good_as_a_fresh_join(tmp_path: Path) -> None:
    async def run(place: Place) -> None:
        clients = await seated(place, "jieqi", {}, 2)
        tokens = [client.token for client in clients]
        generator = random.Random(3)
        for ply in range(50):
            mover = clients[ply % 2]
            await mover.until(lambda mover=mover: mover.turn is not None or finished(mover))  # type: ignore[misc]
            if mover.turn is None:
                break
            await mover.request(Move, move=generator.choice(mover.turn.moves).text)
        seq = (await place.server.rooms().find(clients[0].room)).room.seq
        for client in clients:
            await client.until(lambda: client.state.seq == seq)  # type: ignore[union-attr]  # noqa: B023
        for token in ("", *tokens):
            # What a client knew that heard everything up to `seen`: by events from the first on.
            fresh = place.client(clients[0].room, token)
            async with fresh:
                wanted = msgspec.to_builtins(fresh.state)
            known = {client.token: client for client in clients}.get(token)
            if known is not None:
                assert msgspec.to_builtins(known.state) == wanted
            some = (0, 1, seq - 33, seq - 32, seq - 31, seq - 7, seq - 1, seq, seq + 1, 2**53)
            for seen in (range(seq + 2) if SOAK else some):
                async with place.raw(clients[0].room, token, seen) as raw:
                    assert (await raw.hear())["type"] == "welcome"
                    first = await raw.hear("room", "event", "ping")
                    if first["type"] == "room":
                        assert first["state"] == wanted
                    elif first["type"] == "event":
                        assert first["seq"] == seen + 1 and seq - seen <= 32
                    else:
                        assert seen == seq
        await leave(clients)
    with serving_in_thread(tmp_path) as own:      # the others' sockets count towards the limit of an address
        own.run(run(own.place))


def test_doubled_delayed_and_reordered_frames(served: Served) -> None:
    """Whatever the network does to requests, each is done at most once, and none after a later one of its client."""
    async def run() -> None:
        place = served.place
        generator = random.Random(5)
        token = await place.person("ada")
        room = await place.room(token)
        sent = []
        for number in range(1, max(20, scaled(500))):
            frame = {"type": "ready" if number % 7 == 0 else "sit" if number % 7 == 1 else "stand",
                     "id": number, "seen": 0}
            frame |= {"seat": generator.randrange(2)} if frame["type"] == "sit" else {}
            sent += [frame] * generator.choice([0, 1, 1, 2, 3])
        for start in range(0, len(sent), 4):
            generator.shuffle(sent[start:start + 4])
        order = sorted(range(len(sent)), key=lambda at: at + generator.uniform(-3, 3))
        acked: dict[int, int] = {}
        for begin in range(0, len(order), 20):
            async with place.raw(room, token) as raw:   # and every connection breaks sooner or later
                for at in order[begin:begin + 20]:
                    await raw.say(sent[at])
                for _ in order[begin:begin + generator.choice([5, 20])]:
                    answer = await raw.hear("ack", "nack")
                    if answer["type"] == "ack":
                        assert acked.setdefault(answer["id"], answer["seq"]) == answer["seq"]
        events = await place.server.store.rooms.load(room)
        causes = [event.cause.id for event in events if event.cause and event.cause.client == "raw"]
        assert causes == sorted(set(causes)) and len(causes) > 3
        assert set(acked) <= set(causes)
    served.run(run())


def test_a_stop_is_said_and_the_game_goes_on_afterwards(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            clients = await seated(place, "othello", {}, 2, clock={"main_ms": 600_000})
            await clients[0].request(Move, move="f5")
            async with place.raw(clients[0].room) as raw:
                await raw.hear("room")
                stopping = asyncio.create_task(place.server.stop())
                assert (await raw.hear("goodbye"))["code"] == "stopping"
                await stopping
            tokens, room = [client.token for client in clients], clients[0].room
            await leave(clients)
        async with serving(tmp_path) as place, place.client(room, tokens[1]) as bob:
            assert bob.state is not None and bob.state.game is not None
            assert [ply.text for ply in bob.state.game.plies] == ["f5"]
            await bob.until(lambda: bob.turn is not None)
            await bob.request(Move, move="d6")
    asyncio.run(run())
