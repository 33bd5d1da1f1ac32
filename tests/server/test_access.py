"""Who may do what: tokens and passwords."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from boyi.server.client import ServerError, call
from boyi.server.protocol.messages import (
    Join,
)
from tests.server.playing import leave, seated
from tests.server.serving import serving


def test_only_the_right_token_acts(tmp_path: Path) -> None:
    """A spectator, the opponent and a stranger with the room's link cannot move for another player."""
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
                    viewer = state["game"]["standing"]["position"].split()[-1]
                    assert viewer == ("b" if token == clients[1].token else "s")
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
