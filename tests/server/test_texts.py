"""Texts of strangers: what cannot be kept is refused in words, alike on both databases, and harms no list."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
import sqlalchemy as sa
import websockets.asyncio.client
from hypothesis import given, settings
from hypothesis import strategies as st

from boyi.server.client import ServerError, call
from boyi.server.protocol.bodies import RoomSummary
from boyi.server.protocol.events import Event, Paused
from boyi.server.store import FinishedGame, Store
from boyi.server.store.errors import UnstorableError
from tests.scale import scaled
from tests.server.databases import postgres
from tests.server.serving import AMPLE, Served, serving_in_thread

RECORD = """[Boyi "1"]
[Game "tic_tac_toe"]
[Rules "1"]
[Date "{date}"]
[Player.1 "{name}"]
[Player.2 "Bob"]

1. b2
"""

NASTY = ["\0", "a\0b", "\ud800", "x\udfff", "\U0010ffff", "ﬃ" * 24, "ΐ" * 24, "\ufb2c" * 24, "한" * 24, "é" * 60,
         "\u202e", " ", "'; DROP TABLE room; --", "%00", "\\u0000", "x" * 61, "\x7f\x1b[2J", "\r\n", "﷽" * 20]

texts = st.one_of(st.sampled_from(NASTY), st.text(max_size=70),
                  st.text(st.sampled_from("a\0\ud800\udc00ﬃΐ\ufb2c\U0001f600é\\\"%"), max_size=30))


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Served]]:
    """A server on SQLite, and one on PostgreSQL."""
    with (postgres() as database,
          serving_in_thread(tmp_path_factory.mktemp("lite"), budget_factor=AMPLE) as lite,
          serving_in_thread(tmp_path_factory.mktemp("large"), budget_factor=AMPLE, database=database) as large):
        yield lite, large


def answer(served: Served, method: str, path: str, body: object = None, token: str = "") -> Any:
    """What comes back, or the code and the reason of the refusal."""
    try:
        return served.run(call(served.place.address, method, path, body, token))
    except ServerError as error:
        return error.code, str(error)


def escaped(text: str) -> str:
    """As a record writes it."""
    return "".join(f"\\u{ord(one):04x}" if ord(one) < 0x10000 else f"\\U{ord(one):08x}" for one in text)


def asked_with(text: str) -> list[tuple[str, str, object]]:
    """Requests that have a text of a stranger in them."""
    in_path = quote(text.encode("utf-8", "surrogatepass"), safe="")
    written = json.dumps(text)   # lone surrogates too, as escapes
    return [
        ("POST", "/api/session", msgspec.Raw(f'{{"name": {written}}}'.encode())),
        ("POST", "/api/rooms", msgspec.Raw(f'{{"game": {written}}}'.encode())),
        ("POST", "/api/rooms", msgspec.Raw(f'{{"game": "othello", "options": {{{written}: {written}}}}}'.encode())),
        ("GET", f"/api/rooms/{in_path}", None),
        ("GET", f"/api/records/{in_path}/1", None),
        ("GET", f"/api/records?game={in_path}", None),
        ("GET", f"/api/ratings?game={in_path}", None),
        ("POST", "/api/records?keep=1", msgspec.Raw(RECORD.format(date=escaped(text), name="Ada").encode())),
        ("POST", "/api/records?keep=1", msgspec.Raw(RECORD.format(date="", name=escaped(text)).encode())),
    ]


@settings(max_examples=scaled(400, 25))
@given(text=texts)
def test_any_text_is_answered_alike_on_both_databases(both: tuple[Served, Served], text: str) -> None:
    tokens = [answer(served, "POST", "/api/session", {"name": "Ada"})["token"] for served in both]
    for method, path, body in asked_with(text):
        lite, large = (answer(served, method, path, body, token) for served, token in zip(both, tokens, strict=True))
        assert isinstance(lite, tuple) == isinstance(large, tuple), (path, text, lite, large)
        if isinstance(lite, tuple):
            assert lite == large and lite[0] not in ("internal", "storage"), (path, text)
    for served in both:
        assert isinstance(answer(served, "GET", "/api/records?uploaded=1"), list)


@pytest.mark.parametrize("text", NASTY, ids=ascii)
def test_accounts_and_rooms_too(both: tuple[Served, Served], text: str) -> None:
    """Accounts cost a hash each, and sockets a connection, so these are few."""
    written = json.dumps(text)
    answers = []
    for served in both:
        made = answer(served, "POST", "/api/accounts",
                      msgspec.Raw(f'{{"name": {written}, "password": "password"}}'.encode()))
        answers.append(made if isinstance(made, tuple) else made["name"])

        async def say_hello(served: Served = served) -> str:
            async with websockets.asyncio.client.connect(
                    served.place.address.replace("http", "ws") + "/ws", proxy=None) as socket:
                await socket.send(f'{{"type": "hello", "room": {written}}}')
                return str(json.loads(await socket.recv())["code"])
        assert served.run(say_hello()) in ("no_room", "unreadable")
    assert answers[0] == answers[1]
    assert answers[0][0] not in ("internal", "storage")


def test_a_file_with_half_characters_is_refused_and_not_kept(served: Served) -> None:
    before = answer(served, "GET", "/api/records?uploaded=1")
    token = answer(served, "POST", "/api/session", {"name": "Ada"})["token"]
    for name, date, path in (("\\ud800", "", "/api/records"), ("\\ud800", "", "/api/records?keep=1"),
                             ("Ada", "\\udc00", "/api/records?keep=1")):
        code, reason = answer(served, "POST", path, msgspec.Raw(RECORD.format(name=name, date=date).encode()), token)
        assert code in ("no_record", "unreadable") and "half of a character" in reason
    assert answer(served, "GET", "/api/records?uploaded=1") == before


def test_bad_rows_are_left_out_of_lists(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Rows as an earlier version could write them, and as a bad disk may leave them."""
    store = Store(f"sqlite:///{tmp_path}/boyi.sqlite")
    store.open()
    summary = RoomSummary("r", "othello", "playing", 2, 2, ["Ada", "Bob"], False, False, None, 0)

    async def run() -> None:
        for room in ("good", "bad", "worse"):
            game = FinishedGame(room, 1, "othello", True, True, ["Ada", "Bob"], [1, 2], "2026-11-16", "the record")
            await store.rooms.append(room, 1, [Event(1, 0, Paused())], summary, True, [game])
        with store.database.engine.begin() as connection:
            for room, names in (("bad", '["\\ud800", "Bob"]'), ("worse", "{")):
                connection.execute(sa.text("UPDATE finished SET names = :names WHERE room = :room"),
                                   {"names": names, "room": room})
                connection.execute(sa.text("UPDATE room SET summary = :summary WHERE id = :room"),
                                   {"summary": names.encode(), "room": room})
        assert [game.room for game in await store.games.latest()] == ["good"]
        assert await store.games.rated("othello") == [(["Ada", "Bob"], [1, 2])]
        assert await store.rooms.public() == [summary]
        assert "left out" in caplog.text
    asyncio.run(run())
    store.close()


@pytest.mark.parametrize("text", ["x" * 41, "a\0", "\ud800"], ids=ascii)
def test_the_store_itself_refuses(tmp_path: Path, text: str) -> None:
    """Whatever a door let through."""
    store = Store(f"sqlite:///{tmp_path}/boyi.sqlite")
    store.open()

    async def run() -> None:
        with pytest.raises(UnstorableError):
            await store.games.find_record(text, 1)
        with pytest.raises(UnstorableError):
            await store.leases.acquire(text, "me")
        game = FinishedGame("r", 1, "othello", True, True, [text], [1], "2026-11-16", "the record")
        if len(text) < 40:
            with pytest.raises(UnstorableError):
                await store.games.add_uploads("ada", [game], 10)
    asyncio.run(run())
    store.close()
