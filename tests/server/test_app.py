"""A server as clients see it: whole games, coming back, hostile frames, limits, secrets, stopping."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import string
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
import websockets.asyncio.client
from websockets.exceptions import ConnectionClosed, InvalidStatus

from boyi.games import find_game
from boyi.server import app
from boyi.server.client import Refused, RoomClient, ServerError, call, split_address
from boyi.server.connection import Connection
from boyi.server.outbox import MOST_MESSAGES
from boyi.server.protocol import messages
from boyi.server.protocol.messages import (
    Chat,
    Check,
    HandOver,
    Hint,
    Join,
    Move,
    OfferTakeback,
    Ready,
    Resign,
    Resume,
    SetAi,
    Sit,
    Start,
)
from boyi.server.rooms import Presence, telling
from boyi.server.store import StorageError
from tests.scale import SOAK, scaled
from tests.server import Table
from tests.server.databases import postgres
from tests.server.serving import Place, serving
from tests.server.test_room import KINDS, SIX


async def seated(place: Place, game: str, options: dict[str, Any], persons: int, *, accounts: bool = False,
                 **wish: Any) -> list[RoomClient]:
    """Clients in the first seats, the AI in the others, and a game that has begun."""
    tokens = [await place.person(name, "password" if accounts else "") for name in SIX[:persons]]
    room = await place.room(tokens[0], game, options=options, **wish)
    clients = [place.client(room, token) for token in tokens]
    for seat, client in enumerate(clients):
        await client.__aenter__()
        if seat:
            await client.request(Join)
        await client.request(Sit, seat=seat)
        await client.request(Ready)
    assert clients[0].state is not None
    for seat in range(persons, len(clients[0].state.seats)):
        await clients[0].request(SetAi, seat=seat, level=1)
    await clients[0].request(Start)
    return clients


async def leave(clients: list[RoomClient]) -> None:
    for client in clients:
        await client.__aexit__()


async def play(client: RoomClient, generator: random.Random, *, hands_over: bool = False) -> None:
    """Play anything whenever it is one's turn, until the game is over."""
    while True:
        await client.until(lambda: client.turn is not None or finished(client))
        if finished(client) or client.turn is None:
            return
        if hands_over and generator.random() < 0.1:
            await client.request(HandOver, level=1)
            await asyncio.sleep(0)
            try:
                await client.request(Resume)
            except Refused as refusal:
                assert refusal.code in ("game_over", "not_handed_over")
            continue
        turn = client.turn
        try:
            await client.request(Move, move=generator.choice(turn.moves).text)
        except Refused as refusal:
            assert refusal.code in ("not_your_turn", "stale", "game_over"), refusal
        await client.until(lambda turn=turn: client.turn is not turn)  # type: ignore[misc]


def finished(client: RoomClient) -> bool:
    return client.state is not None and client.state.phase == "finished"


SHORT = [(game, options | ({"quiet_limit": 4} if "quiet_limit" in options else {})
                 | ({"turn_limit": 4} if "turn_limit" in options else {})) for game, options in KINDS]


@pytest.mark.parametrize(("game", "options"), SHORT, ids=[f"{game}-{rest.get('players', 2)}" for game, rest in KINDS])
def test_whole_game_through_the_protocol(game: str, options: dict[str, Any], tmp_path: Path) -> None:
    """People, an AI and hand-overs: the same end for all, which is what the rules say of the record."""
    async def run() -> None:
        async with serving(tmp_path) as place:
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
    asyncio.run(run())


def test_rated_games_are_rated(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            clients = await seated(place, "tic_tac_toe", {}, 2, accounts=True, rated=True)
            await clients[1].request(Resign)
            await clients[0].until(lambda: finished(clients[0]))
            ratings = await call(place.address, "GET", "/api/ratings?game=tic_tac_toe")
            assert [row["name"] for row in ratings] == ["ada", "bob"] and ratings[0]["elo"] > ratings[1]["elo"]
            again = await call(place.address, "POST", "/api/login", {"name": "ADA", "password": "password"})
            assert again["name"] == "ada" and again["person"] == clients[0].person
            for wrong in ({"name": "ada", "password": "passwort"}, {"name": "nobody", "password": "password"}):
                with pytest.raises(ServerError) as refusal:
                    await call(place.address, "POST", "/api/login", wrong)
                assert refusal.value.code == "login"
            with pytest.raises(ServerError, match="account of that name"):
                await call(place.address, "POST", "/api/accounts", {"name": "Ada", "password": "other one"})
            token = again["token"]
            who = {"person": clients[0].person, "name": "ada", "account": True}
            assert await call(place.address, "GET", "/api/session", token=token) == who
            await call(place.address, "DELETE", "/api/session", token=token)
            for method in ("GET", "DELETE"):
                for gone in (token, ""):
                    with pytest.raises(ServerError) as refusal:
                        await call(place.address, method, "/api/session", token=gone)
                    assert refusal.value.code == "token"
            assert await call(place.address, "GET", "/api/session", token=clients[0].token) == who   # he has another
            await leave(clients)
    asyncio.run(run())


def test_rejoin_from_every_seq_is_as_good_as_a_fresh_join(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
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
                # What somebody knew who heard everything up to `seen`: by events from the first on.
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
    asyncio.run(run())


def test_doubled_delayed_and_reordered_frames(tmp_path: Path) -> None:
    """Whatever the network does to requests, each is done at most once, and none after a later one of its client."""
    async def run() -> None:
        async with serving(tmp_path) as place:
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
    asyncio.run(run())


def hostile_frames(generator: random.Random, count: int) -> list[str | bytes]:
    """Frames from the schema gone wrong: types, sizes, depths, names."""
    kinds = [str(kind.__struct_config__.tag) for kind in messages.FromClient.__args__]
    values: list[Any] = [None, True, -1, 0, 2**63, 2**70, 1.5, 1e308, "", "a1", "x" * 2000, "\u202e\ud83d", [],
                         [[[[]]]], {}, {"a": {"b": []}}, "\0", "level:1", "../../etc/passwd", "<script>", "' OR 1=1 --"]
    frames: list[str | bytes] = []
    for _ in range(count):
        choice = generator.random()
        if choice < 0.7:
            frame = {"type": generator.choice(kinds), "id": generator.choice([*values, 1, 5, 10**6]),
                     "seen": generator.choice([*values, 1])}
            for name in generator.sample(["seat", "level", "move", "text", "accept", "person", "ready", "room", "token",
                                          "number", "result", "zzz"], 3):
                frame[name] = generator.choice(values)
            frames.append(json.dumps(frame))
        elif choice < 0.9:
            text = json.dumps({"type": generator.choice(kinds), "id": 1, "seen": 0, "move": "a1"})
            at = generator.randrange(len(text))
            frames.append(text[:at] + generator.choice(string.printable) + text[at + 1:])
        else:
            odd: list[str | bytes] = ["", "[" * 3000, "{" * 3000, '{"type":' * 900, "null", '"' + "x" * 8000,
                                      "9" * 4000, b"\x00\x01binary", b""]
            frames.append(generator.choice(odd))
    return frames


async def pour(place: Place, room: str, tokens: list[str], frames: list[str | bytes], generator: random.Random) -> None:
    """Send frames one by one: each is refused in words, and the room is as before."""
    hosted = await place.server.rooms().find(room)
    before = msgspec.json.encode(telling.view(hosted.room, None)), await place.server.store.rooms.load(room)
    while frames:
        async with place.raw(room, generator.choice(tokens)) as raw:
            await raw.hear("room")
            try:
                while frames:
                    frame = frames.pop()
                    if isinstance(frame, str) and ('"type": "join"' in frame or '"pong"' in frame):
                        continue   # a stranger may come in, and a pong has no answer
                    await raw.say(frame.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
                                  if isinstance(frame, str) else frame)
                    answer = await raw.hear("nack", "ack", "display")
                    assert answer["type"] == "display" or answer.get("code") not in (None, "internal"), answer
            except ConnectionClosed:
                pass   # binary and too long ones end the connection
    assert (msgspec.json.encode(telling.view(hosted.room, None)), await place.server.store.rooms.load(room)) == before


def test_hostile_frames_change_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture,
                                       monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boyi.server.connection.REQUESTS", 10**9)   # the flood is another test

    async def run() -> None:
        async with serving(tmp_path, connections_per_address=10**6) as place:
            monkeypatch.setattr(place.server._requests, "take", lambda address: True)
            token = await place.person("ada")
            room = await place.room(token)
            generator = random.Random(7)
            stranger = await place.person("mallory")
            frames = hostile_frames(generator, 100_000 if SOAK else 2_500)
            async with place.client(room, token) as ada:   # a room that nobody is in closes after a minute
                await ada.until(lambda: ada.state.persons[0].away_until is None)  # type: ignore[union-attr]
                await pour(place, room, ["", stranger], frames, generator)
    asyncio.run(run())
    assert not [record for record in caplog.records if record.levelname == "ERROR"], caplog.text


def test_flood_is_cut_and_others_are_not(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            token = await place.person("ada")
            room = await place.room(token)
            async with place.client(room, token) as quiet, place.raw(room) as loud:
                async def flood() -> None:
                    for number in range(10_000):
                        await loud.say({"type": "check", "id": number + 1, "seen": 0, "seat": 0})
                        await loud.hear("display")

                with pytest.raises(ConnectionClosed) as closed:
                    await flood()
                assert closed.value.rcvd is not None and closed.value.rcvd.code == 4001
                await quiet.request(Chat, text="still here")
            # All are waited for: a server that ends in the middle of an answer leaves a socket behind.
            answers = await asyncio.gather(*(place.person("mallory") for _ in range(100)), return_exceptions=True)
            refusals = {answer.code for answer in answers if isinstance(answer, ServerError)}
            assert refusals == {"flood"}
            assert not [answer for answer in answers if not isinstance(answer, str | ServerError)]
    asyncio.run(run())


def test_only_the_right_token_acts(tmp_path: Path) -> None:
    """A spectator, the opponent and a stranger with the room's link cannot move for somebody else."""
    async def run() -> None:
        async with serving(tmp_path) as place:
            clients = await seated(place, "jieqi", {}, 2)
            stranger = await place.person("mallory")
            room = clients[0].room
            for token, code in (("", "spectator"), (stranger, "not_joined"), (clients[1].token, "not_your_turn")):
                async with place.raw(room, token) as raw:
                    state = (await raw.hear("room"))["state"]
                    await raw.say({"type": "move", "id": 1, "seen": state["seq"], "move": "h0g2"})
                    assert (await raw.hear("ack", "nack"))["code"] == code
                    eyes = state["game"]["standing"]["position"].split()[-1]
                    assert eyes == ("b" if token == clients[1].token else "s")
            for token, code in (("wrong", "token"), (clients[0].token[:-1], "token")):
                async with place.raw(room, token) as raw:
                    assert (await raw.hear("nack"))["code"] == code
            async with place.raw("nowhere", stranger) as raw:
                assert (await raw.hear("nack"))["code"] == "no_room"
            with pytest.raises(ServerError) as refusal:
                await call(place.address, "POST", "/api/rooms", {"game": "othello"}, "wrong")
            assert refusal.value.code == "token"
            await leave(clients)
    asyncio.run(run())


def test_locked_room_opens_to_its_password(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            ada, bob = await place.person("ada"), await place.person("bob")
            room = await place.room(ada, password="sesame", public=False)
            assert await call(place.address, "GET", "/api/rooms") == []
            for token, password in (("", ""), (bob, "Sesame")):
                async with place.raw(room, token, password=password) as raw:
                    assert (await raw.hear("nack", "welcome"))["code"] == "password"
            with pytest.raises(ServerError):
                await call(place.address, "GET", f"/api/rooms/{room}", token=bob)
            async with place.client(room, bob, password="sesame") as client:
                await client.request(Join)
            async with place.client(room, bob):
                pass   # who has joined is known
            everything = (tmp_path / "boyi.sqlite").read_bytes() + (tmp_path / "boyi.sqlite-wal").read_bytes()
            for secret in ("sesame", ada, bob):
                assert secret.encode() not in everything
    asyncio.run(run())


def test_foreign_pages_cannot_connect(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, origins="https://friend.example") as place:
            url = place.address.replace("http", "ws") + "/ws"
            for origin, welcome in ((place.address, True), ("https://friend.example", True),
                                    ("https://evil.example", False), ("null", False)):
                try:
                    async with websockets.asyncio.client.connect(url, origin=origin, proxy=None):  # type: ignore[arg-type]
                        assert welcome
                except InvalidStatus:
                    assert not welcome
    asyncio.run(run())


def test_nothing_is_acknowledged_that_was_not_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            clients = await seated(place, "othello", {}, 2)
            before = msgspec.to_builtins(clients[0].state)
            real = place.server.store.rooms.append

            async def full(*_: Any, **__: Any) -> None:
                raise StorageError("database or disk is full")

            monkeypatch.setattr(place.server.store.rooms, "append", full)
            with pytest.raises(Refused) as refusal:
                await clients[0].request(Move, move="f5")
            assert refusal.value.code == "storage"
            monkeypatch.setattr(place.server.store.rooms, "append", real)
            async with place.client(clients[0].room) as fresh:
                assert msgspec.to_builtins(fresh.state) == before == msgspec.to_builtins(clients[0].state)
            await clients[0].request(Move, move="f5")   # and when there is room again the game goes on
            await leave(clients)
    asyncio.run(run())


@pytest.mark.parametrize("how", ["hello", "task"])
def test_what_is_called_off_while_it_is_saved_leaves_no_gap(how: str, tmp_path: Path,
                                                            monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody goes away while it is written that he is here; or the task that writes is ended."""
    async def run() -> None:
        async with serving(tmp_path) as place:
            clients = await seated(place, "othello", {}, 2)
            room, token = clients[1].room, clients[1].token
            await leave(clients[1:])
            hosted, real = await place.server.rooms().find(room), place.server.store.rooms.append
            while hosted.room.state.persons[1].away_until is None:
                await asyncio.sleep(0.01)
            begun, goes_on = asyncio.Event(), asyncio.Event()

            async def slow(*values: Any, **named: Any) -> None:
                begun.set()
                await goes_on.wait()
                await real(*values, **named)

            monkeypatch.setattr(place.server.store.rooms, "append", slow)
            if how == "hello":
                monkeypatch.setattr("boyi.server.connection.HELLO_SECONDS", 0.05)
                async with place.raw(room, token) as socket:
                    await begun.wait()
                    await socket.socket.wait_closed()
            else:
                person = hosted.room.state.persons[1].person
                work = asyncio.create_task(hosted._perform(Presence(person, True), None, 0))
                await begun.wait()
                work.cancel()
                await asyncio.wait([work])
            goes_on.set()
            monkeypatch.setattr("boyi.server.connection.HELLO_SECONDS", 5.0)
            again = place.client(room, token)
            await again.__aenter__()
            await again.request(Resign)
            events = await place.server.store.rooms.load(room)
            assert [event.seq for event in events] == list(range(1, len(events) + 1))
            await leave([clients[0], again])
    asyncio.run(run())


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_read_only_disk_is_a_nack(kind: str, tmp_path: Path) -> None:
    """The database itself refuses, as it does when its disk can only be read: nothing is acknowledged or told."""
    async def run(database: str) -> None:
        async with serving(tmp_path, database=database) as place:
            clients = await seated(place, "othello", {}, 2)
            before = msgspec.to_builtins(clients[0].state)
            store, told = place.server.store, len(clients[1].state.game.plies)  # type: ignore[union-attr]
            read_only = "SET TRANSACTION READ ONLY" if store.is_shared else "PRAGMA query_only=ON"

            def refuse(connection: Any, *_: Any) -> None:
                connection.execute(read_only)

            sa.event.listen(store.database.engine, "checkout", refuse)
            with pytest.raises(StorageError):
                await store.writer.write(lambda _: 1 / 0)   # the writing thread connects anew
            codes = []
            for move in ("f5", "d3"):
                with pytest.raises(Refused) as refusal:
                    await clients[0].request(Move, move=move)
                codes.append(refusal.value.code)
            assert codes == ["storage", "storage"]
            with pytest.raises(ServerError) as nobody:
                await place.person("eve")
            assert nobody.value.code == "storage"
            sa.event.remove(store.database.engine, "checkout", refuse)
            assert len(clients[1].state.game.plies) == told  # type: ignore[union-attr]
            async with place.client(clients[0].room) as fresh:
                assert msgspec.to_builtins(fresh.state) == before == msgspec.to_builtins(clients[0].state)
            with contextlib.suppress(StorageError):
                await store.writer.write(lambda _: 1 / 0)
            await clients[0].request(Move, move="f5")
            await leave(clients)

    with postgres() if kind == "postgresql" else contextlib.nullcontext(f"sqlite:///{tmp_path}/b.sqlite") as database:
        asyncio.run(run(database))


@pytest.mark.parametrize("manner", ["hang", "crash", "nonsense", "illegal"])
def test_misbehaving_engine_is_replaced_and_its_move_announced(manner: str, tmp_path: Path,
                                                              monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.server.serving import FIRST_MOVE
    monkeypatch.setattr("boyi.server.engines.pool.START_SECONDS", 3.0 if manner == "hang" else 300.0)

    async def run() -> None:
        async with serving(tmp_path, engine_command=[*FIRST_MOVE[:-1], manner], engine_seconds=0.2) as place:
            (client,) = await seated(place, "othello", {}, 1)
            await client.request(Move, move="f5")
            await client.until(lambda: len(client.state.game.plies) == 2)  # type: ignore[union-attr]
            assert client.state.game.plies[1].fallback  # type: ignore[union-attr]
            engines = place.server.rooms().engines
            assert engines.answered == 1 and engines.replaced == (manner != "illegal")
            await client.request(OfferTakeback)
            await leave([client])
    asyncio.run(run())


def test_analysis_and_hints_by_real_engines(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, engine_command=[sys.executable, "-m", "boyi.server.engines.worker"]) as place:
            answer = await call(place.address, "POST", "/api/analysis", {
                "game": "tic_tac_toe", "start": "XX-/OO-/---", "lines": 2, "nodes": 5_000})
            best, second = answer["lines"]
            assert (best["moves"], best["paths"], best["wins_in"], best["odds"]) == (["c1"], [["c1"]], 1, 1.0)
            assert second["odds"] < 1
            (client,) = await seated(place, "othello", {}, 1)
            for _ in range(5):                                       # against the AI of level 1
                await client.until(lambda: client.turn is not None)
                hint = await client.request(Hint)
                assert hint.text in [move.text for move in client.turn.moves] and hint.path == [hint.text]  # type: ignore[union-attr]
                turn = client.turn
                await client.request(Move, move=hint.text)
                await client.until(lambda turn=turn: client.turn not in (turn, None))  # type: ignore[misc]
            assert not any(ply.fallback for ply in client.state.game.plies)  # type: ignore[union-attr]
            moves = [ply.text for ply in client.state.game.plies]  # type: ignore[union-attr]
            with pytest.raises(ServerError) as refusal:
                await call(place.address, "POST", "/api/analysis", {"game": "othello", "moves": moves})
            assert refusal.value.code == "playing"
            for wish, code in (({"game": "othello", "moves": ["a1"]}, "unreadable"), ({"game": "chess"}, "unreadable"),
                               ({"game": "othello", "start": "?"}, "unreadable"),
                               ({"game": "othello", "lines": 6}, "unreadable"),
                               ({"game": "tic_tac_toe", "start": "XXX/OO-/---"}, "game_over"),
                               ({"game": "othello", "options": {"self": 1}}, "unreadable")):
                with pytest.raises(ServerError) as refusal:
                    await call(place.address, "POST", "/api/analysis", wish)
                assert refusal.value.code == code, wish
            answer = await call(place.address, "POST", "/api/analysis", {"game": "othello", "moves": moves[:-1]})
            assert len(answer["lines"]) == 1
            await leave([client])
    asyncio.run(run())


def test_positions_and_records_for_an_analysis_board(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            shown = await call(place.address, "POST", "/api/positions", {"game": "othello", "moves": ["d3"]})
            assert shown["standing"]["turn"] == 1 and [ply["text"] for ply in shown["plies"]] == ["d3"]
            assert {move["text"] for move in shown["moves"]} == {"c3", "e3", "c5"}
            arranged = {"stones": shown["stones"], "fields": {"turn": "X"}}
            again = await call(place.address, "POST", "/api/positions", {"game": "othello", "arranged": arranged})
            assert again["stones"] == shown["stones"] and again["standing"]["turn"] == 0
            for wish, code in (({"start": "nonsense"}, "no_position"), ({"moves": ["a1"]}, "illegal_move"),
                               ({"moves": ["what"]}, "no_position"), ({"arranged": {"stones": [{}]}}, "unreadable"),
                               ({"options": {"self": 1}}, "unreadable"), ({"secret": 1}, "unreadable")):
                with pytest.raises(ServerError) as refusal:
                    await call(place.address, "POST", "/api/positions", {"game": "othello", **wish})
                assert refusal.value.code == code, wish
            game = {"game": "othello", "moves": ["d3", "c3"], "format": "ggf", "players": ["Ada", "Bob"]}
            assert "PB[Ada]" in await call(place.address, "POST", "/api/records/written", game)
            with pytest.raises(ServerError, match="read but not written"):
                await call(place.address, "POST", "/api/records/written", game | {"format": "wthor"})
    asyncio.run(run())


def test_who_has_searched_too_much_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "SEARCH_NODES", 1_000)
    monkeypatch.setattr(app, "SEARCH_NODES_PER_SECOND", 0.0)

    async def run() -> None:
        async with serving(tmp_path, engine_command=[sys.executable, "-m", "boyi.server.engines.worker"]) as place:
            wish = {"game": "tic_tac_toe", "nodes": 600}
            answer = await call(place.address, "POST", "/api/analysis", wish)
            assert answer["turn"] == 0
            with pytest.raises(ServerError) as refusal:
                await call(place.address, "POST", "/api/analysis", wish)
            assert refusal.value.code == "flood"
    asyncio.run(run())


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


def test_slow_reader_is_cut_to_resync() -> None:
    """Its queue never grows beyond the limit, and the last thing in it says why."""
    async def never(*_: Any) -> Any:
        await asyncio.Event().wait()

    async def run() -> None:
        connection = Connection(None, never, never)  # type: ignore[arg-type]
        for number in range(10 * MOST_MESSAGES):
            connection.send(f"message {number}")
            assert len(connection.outbox.waiting) <= MOST_MESSAGES + 1
        assert [json.loads(text)["code"] for text in connection.outbox.waiting] == ["resync"]
    asyncio.run(run())


def test_every_door_is_described_and_harmless(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            document = await call(place.address, "GET", "/api/openapi.json")
            assert document["openapi"].startswith("3.1")
            token = await place.person("ada")
            room = await place.room(token, "jieqi")
            for path in document["paths"]:
                for value in (room, "%00", "x" * 500, "..%2f..", "\u4e2d".encode().hex()):
                    try:
                        await call(place.address, "GET", path.replace("{room}", value).replace("{game}", value)
                                   .replace("{number}", value))
                    except ServerError as error:
                        assert "answered" not in str(error) and error.code not in ("internal", ""), (path, value, error)
            board = (await call(place.address, "GET", "/api/games/chinese_checkers?players=6"))
            assert board["seats"] == 6 and len(board["board"]["points"]) == 121 and "跳棋" in board["rules"]
            for body in (b"", b"[]", b'{"name":1}', b'{"name":""}', b'{"name":"a","x":1}', b"\xff", b"[" * 8000):
                with pytest.raises(ServerError) as refusal:
                    await call(place.address, "POST", "/api/session", msgspec.Raw(body))
                assert refusal.value.code == "unreadable"
            with pytest.raises(ServerError, match="there is nothing"):
                await call(place.address, "GET", "/api/nothing")
    asyncio.run(run())


def test_files_of_games_are_read(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            table = Table(check=False).seat("ada", "bob")
            for _ in table.play_out(random.Random(1)):
                pass
            text = telling.record(table.room).to_text()
            (game,) = await call(place.address, "POST", "/api/records", msgspec.Raw(text.encode()))
            assert game["game"] == "tic_tac_toe" and game["players"] == ["Ada", "Bob"] and len(game["moves"]) >= 5
            again = await call(place.address, "POST", "/api/records", msgspec.Raw(text.encode() * 3))
            assert again == [game] * 3 and game["kept"] == ""
            with pytest.raises(ServerError) as nobody:
                await call(place.address, "POST", "/api/records?keep=1", msgspec.Raw(text.encode()))
            assert nobody.value.code == "spectator"
            token = await place.person("ada")
            kept = await call(place.address, "POST", "/api/records?keep=1", msgspec.Raw(text.encode() * 2), token)
            for one in kept:   # what comes back is what was brought
                there = await call(place.address, "GET", f"/api/records/{one['kept']}")
                assert there == text
                assert (await call(place.address, "POST", "/api/records", msgspec.Raw(there.encode()))) == [game]
            listed = await call(place.address, "GET", "/api/records?uploaded=1")
            assert {f"{row['room']}/{row['number']}" for row in listed} == {one["kept"] for one in kept}
            assert await call(place.address, "GET", "/api/records") == []
            for data in (b"", b"\xff\x00", b"nonsense", text.replace("1. ", "1. a9 ").encode(), text.encode() * 60,
                         b"x" * 300_000):
                with pytest.raises(ServerError) as refusal:
                    await call(place.address, "POST", "/api/records", msgspec.Raw(data))
                assert refusal.value.code in ("no_record", "unreadable")
    asyncio.run(run())


def test_addresses() -> None:
    for text in ("", "localhost", "ftp://x/y", "http:///room/x", "http://host/"):
        with pytest.raises(ValueError):
            split_address(text)
