"""What can be asked over HTTP."""

from __future__ import annotations

import random

import msgspec
import pytest

from boyi.server.client import ServerError, call, split_address
from boyi.server.rooms import telling
from tests.server import Table
from tests.server.serving import Served


def test_positions_and_records_for_an_analysis_board(served: Served) -> None:
    async def run() -> None:
        place = served.place
        shown = await call(place.address, "POST", "/api/positions", {"game": "othello", "moves": ["d3"]})
        assert shown["standing"]["turn"] == 1 and [ply["text"] for ply in shown["plies"]] == ["d3"]
        assert {move["text"] for move in shown["moves"]} == {"c3", "e3", "c5"}
        arranged = {"stones": shown["stones"], "fields": {"turn": "X"}}
        again = await call(place.address, "POST", "/api/positions", {"game": "othello", "arranged": arranged})
        assert again["stones"] == shown["stones"] and again["standing"]["turn"] == 0
        for asked, code in (({"start": "nonsense"}, "no_position"), ({"moves": ["a1"]}, "illegal_move"),
                           ({"moves": ["what"]}, "no_position"), ({"arranged": {"stones": [{}]}}, "unreadable"),
                           ({"options": {"self": 1}}, "unreadable"), ({"secret": 1}, "unreadable")):
            with pytest.raises(ServerError) as refusal:
                await call(place.address, "POST", "/api/positions", {"game": "othello", **asked})
            assert refusal.value.code == code, asked
        game = {"game": "othello", "moves": ["d3", "c3"], "format": "ggf", "players": ["Ada", "Bob"]}
        assert "PB[Ada]" in await call(place.address, "POST", "/api/records/written", game)
        with pytest.raises(ServerError, match="read but not written"):
            await call(place.address, "POST", "/api/records/written", game | {"format": "wthor"})
    served.run(run())


def test_every_route_is_described_and_harmless(served: Served) -> None:
    async def run() -> None:
        place = served.place
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
    served.run(run())


def test_files_of_games_are_read(served: Served) -> None:
    async def run() -> None:
        place = served.place
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
    served.run(run())


def test_addresses() -> None:
    for text in ("", "localhost", "ftp://x/y", "http:///room/x", "http://host/"):
        with pytest.raises(ValueError):
            split_address(text)
