"""Clients that mean no good: hostile frames, floods, foreign pages, readers that do not read."""

from __future__ import annotations

import asyncio
import json
import random
import string
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
import websockets.asyncio.client
from websockets.exceptions import ConnectionClosed, InvalidStatus

from boyi.server import app
from boyi.server.client import ServerError, call
from boyi.server.outbox import MOST_MESSAGES, Outbox
from boyi.server.protocol import messages
from boyi.server.protocol.messages import (
    Chat,
)
from boyi.server.rooms import telling
from tests.scale import SOAK
from tests.server.serving import Place, serving


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


def test_who_has_searched_too_much_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "SEARCH_NODES", 1_000)
    monkeypatch.setattr(app, "SEARCH_NODES_PER_SECOND", 0.0)

    async def run() -> None:
        async with serving(tmp_path, engine_command=[sys.executable, "-m", "boyi.server.engines.worker"]) as place:
            asked = {"game": "tic_tac_toe", "nodes": 600}
            answer = await call(place.address, "POST", "/api/analysis", asked)
            assert answer["turn"] == 0
            with pytest.raises(ServerError) as refusal:
                await call(place.address, "POST", "/api/analysis", asked)
            assert refusal.value.code == "flood"
    asyncio.run(run())


def test_slow_reader_is_cut_to_resync() -> None:
    """Its queue never grows beyond the limit, and the last thing in it says why."""
    async def never(*_: Any) -> Any:
        await asyncio.Event().wait()

    async def run() -> None:
        outbox = Outbox(never)
        for number in range(10 * MOST_MESSAGES):
            outbox.send(f"message {number}")
            assert len(outbox.waiting) <= MOST_MESSAGES + 1
        assert [json.loads(text)["code"] for text in outbox.waiting] == ["resync"]
    asyncio.run(run())
