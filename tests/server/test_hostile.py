"""Clients that mean no good: hostile frames, floods, foreign pages, readers that do not read."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import string
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import websockets.asyncio.client
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame

from boyi.server.budgets import SEARCH, Payer
from boyi.server.client import ServerError, call
from boyi.server.heartbeat import Heartbeat
from boyi.server.outbox import MOST_MESSAGES, Outbox
from boyi.server.protocol import messages
from boyi.server.protocol.messages import (
    Chat,
)
from boyi.server.rooms import telling
from boyi.server.wire import Socket
from tests.scale import SOAK
from tests.server.attacks import Target, frame
from tests.server.serving import AMPLE, Place, Served, serving


class Errors(logging.Handler):
    """Keeps what is logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(self.format(record))


@pytest.fixture
def errors() -> Iterator[list[str]]:
    """What is logged as an error while a test runs; uvicorn keeps its own from the other loggers."""
    handler = Errors()
    loggers = [logging.getLogger(name) for name in (None, "uvicorn", "asyncio")]
    for logger in loggers:
        logger.addHandler(handler)
    yield handler.texts
    for logger in loggers:
        logger.removeHandler(handler)


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


def test_hostile_frames_change_nothing(tmp_path: Path, errors: list[str]) -> None:
    async def run() -> None:
        async with serving(tmp_path, budget_factor=AMPLE) as place:   # the flood is another test
            token = await place.person("ada")
            room = await place.room(token)
            generator = random.Random(7)
            stranger = await place.person("mallory")
            frames = hostile_frames(generator, 100_000 if SOAK else 2_500)
            async with place.client(room, token) as ada:   # a room that nobody is in closes after a minute
                await ada.until(lambda: ada.state.persons[0].away_until is None)  # type: ignore[union-attr]
                await pour(place, room, ["", stranger], frames, generator)
    asyncio.run(run())
    assert not errors, errors


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
            answers = await asyncio.gather(*(place.person("mallory") for _ in range(60)), return_exceptions=True)
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


def test_who_has_searched_too_much_waits(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, engine_command=[sys.executable, "-m", "boyi.server.engines.worker"]) as place:
            asked = {"game": "tic_tac_toe", "nodes": 600}
            answer = await call(place.address, "POST", "/api/analysis", asked)
            assert answer["turn"] == 0
            place.server.budgets.owe(SEARCH, Payer("127.0.0.1"), 2 * SEARCH.size)
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


@given(st.lists(st.sampled_from(["send", "full", "empty", "turn"]), max_size=40))
def test_what_is_written_at_once_overtakes_nothing(script: list[str]) -> None:
    """A client reads slowly every now and then: what it is sent meanwhile waits, and all comes in order."""
    async def run() -> list[str]:
        written: list[str] = []
        writable = asyncio.Event()
        writable.set()

        async def send(message: Any) -> None:
            await writable.wait()
            written.append(message["text"])

        def write_now(text: str) -> bool:
            if writable.is_set():
                written.append(text)
            return writable.is_set()

        outbox = Outbox(send, write_now)
        writer = outbox.start()
        for number, step in enumerate(script):
            if step == "send":
                outbox.send(f"{number}")
            elif step == "turn":
                await asyncio.sleep(0)
            elif step == "full":
                writable.clear()
            else:
                writable.set()
        writable.set()
        while outbox.waiting or len(written) < script.count("send"):
            await asyncio.sleep(0)
        writer.cancel()
        return written
    assert asyncio.run(run()) == [f"{number}" for number, step in enumerate(script) if step == "send"]


def test_pongs_are_heard_however_they_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As our clients write them, which wakes nobody, and as any JSON."""
    heard: list[int] = []
    monkeypatch.setattr(Heartbeat, "pong", lambda _, number: heard.append(number))
    at_once: list[bool] = []
    take_pong = Socket._take_pong

    def take_and_note(self: Socket, frame: Frame) -> bool:
        at_once.append(take_pong(self, frame))
        return at_once[-1]

    monkeypatch.setattr(Socket, "_take_pong", take_and_note)

    async def run() -> None:
        async with serving(tmp_path) as place:
            token = await place.person("ada")
            async with place.raw(await place.room(token), token) as raw:
                await raw.hear("ping")
                for text in ('{"type":"pong","number":7}', '{ "number": 8, "type": "pong" }',
                             '{"type":"pong","number":9 }', '{"type":"pong","number":-1}', '{"type":"pong","number":}'):
                    await raw.socket.send(text)
                assert [(await raw.hear("nack"))["code"] for _ in range(2)] == 2 * ["unreadable"]
    asyncio.run(run())
    assert heard == [7, 8, 9]
    assert at_once == [True, False, False, False, False]


# ---------------------------------------------------------------------- what is no text

UPGRADE = (b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
           b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")

HEADS = [
    b"GET /api/rooms HTTP/1.1\r\nHost: localhost\r\nOrigin: http://[\r\n",
    b"GET /api/r\xff\xfeooms HTTP/1.1\r\nHost: localhost\r\n",
    b"GET /api/rooms/%FF%C0%80%00 HTTP/1.1\r\nHost: localhost\r\n",
    b"GET /api/games?%FF=%ED%A0%80&game=%00 HTTP/1.1\r\nHost: localhost\r\n",
    b"GET /api/games/jieqi?%ED%A0%80=\x80 HTTP/1.1\r\nHost: localhost\r\n",
    b"GET /%ED%A0%80/../%2e%2e/%00 HTTP/1.1\r\nHost: localhost\r\n",
    b"GET /api/rooms HTTP/1.1\r\nHost: [\r\n",
    b"GET /api/rooms HTTP/1.1\r\nHost: \xff\xfe\r\n",
    b"GET /api/session HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \xff\xfe\xed\xa0\x80\r\n",
    b"GET /api/session HTTP/1.1\r\nHost: localhost\r\nX-Boyi-Server: \xff\r\nX-Boyi-Client: \xff\r\n",
    b"GET /api/rooms HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: \xff\r\nX-Forwarded-For: \xff, [\r\n",
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nOrigin: http://[\r\n" + UPGRADE,
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nOrigin: \xff\xfe://\xed\xa0\x80\r\n" + UPGRADE,
    b"GET /ws%FF HTTP/1.1\r\nHost: localhost\r\n" + UPGRADE,
    b"GET /ws HTTP/1.1\r\nHost: \xff[\r\n" + UPGRADE,
    b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\nSec-WebSocket-Protocol: \xff\r\n" + UPGRADE,
    b"POST /ws HTTP/1.1\r\nHost: localhost\r\n" + UPGRADE,
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: nonsense\r\nConnection: Upgrade\r\n",
    b"POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n",
    b"POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n",
    b"POST /api/session HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n",
    b"BREW /api/rooms HTTP/1.1\r\nHost: localhost\r\n",
    b"\xff\xfe\r\n",
]

BODIES = [b'{"name": "\xff\xfe"}', b'{"name": "\xed\xa0\x80"}', b'{"name": "\\ud800"}', b"\xff", b"", b"[" * 5000,
          b'{"name": "' + b"x" * 9000 + b'"}', b'\x00{"name": "a"}']


def test_what_is_no_text_is_answered_and_leaves_no_traceback(served: Served, errors: list[str]) -> None:
    """In heads, paths, queries and bodies: there is an answer, and it is no failure of the server."""
    port = int(served.place.address.rpartition(":")[2])

    async def status(data: bytes) -> int:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(data)
        async with asyncio.timeout(20):
            head = await reader.readuntil(b"\r\n")
        writer.close()
        return int(head.split()[1])

    async def run() -> None:
        for head in HEADS:
            assert 200 <= await status(head + b"\r\n") < 500, head
        for body in BODIES:
            for path in (b"session", b"positions", b"records?name=%FF", b"login", b"analysis"):
                assert 400 <= await status(b"POST /api/%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
                                           % (path, len(body)) + body) < 500, (path, body)

    asyncio.run(run())
    assert not errors, errors


@pytest.mark.parametrize("frames", [
    [(0x81, b"\xff\xfe")], [(0x81, b'{"type": "chat", "id": 1, "seen": 0, "text": "\xed\xa0\x80"}')],
    [(0x01, b"\xe2"), (0x80, b"\x28")], [(0x82, b"\xff")], [(0x80, b"alone")], [(0x01, b"a"), (0x01, b"b")],
    [(0xF1, b"reserved")], [(0x83, b"")], [(0x88, b"\x00")], [(0x88, b"\x03\xe8\xff")], [(0x09, b"a ping in parts")],
    [(0x89, bytes(126))]])
def test_frames_that_are_none_end_the_connection_and_leave_no_traceback(
        served: Served, errors: list[str], frames: list[tuple[int, bytes]]) -> None:
    target = Target(int(served.place.address.rpartition(":")[2]), "127.0.0.1", "")

    async def run() -> None:
        target.room = await served.place.room(await served.place.person("ada"))
        socket = await target.open()
        for first, data in frames:
            socket.writer.write(frame(first, data))
        async with asyncio.timeout(20):
            with pytest.raises((OSError, asyncio.IncompleteReadError)):
                await socket.hear("never")
        socket.close()

    asyncio.run(run())
    assert not errors, errors
