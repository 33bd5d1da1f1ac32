"""The course of a game as each viewer may see it: its changes, done in order, lead to what they see now."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from boyi.core.board import Change, Stone
from boyi.games import all_games
from boyi.server.rooms import telling
from tests.server import Table
from tests.server.serving import Raw, serving


def after(stones: list[Stone], changes: list[Change]) -> dict[str, str]:
    standing = {stone.point: stone.glyph for stone in stones}
    for change in changes:
        if change.kind in ("captured", "moved"):
            standing.pop(change.point, None)
        if change.kind == "moved" and change.to is not None:
            standing[change.to] = change.glyph
        elif change.kind != "captured":
            standing[change.point] = change.glyph
    return standing


@pytest.mark.parametrize("game", sorted(all_games()))
def test_history_leads_to_the_present(game: str) -> None:
    table = Table(game, check=False).seat("ada", 1)
    for _ in table.play_out(random.Random(7), 60):
        pass
    for viewer in (None, 0, 1):
        first, plies = telling.history(table.room, viewer)
        seen: Any = telling.view(table.room, viewer).game
        assert after(first, [change for ply in plies for change in ply.changes]) == {
            stone.point: stone.glyph for stone in seen.stones}
        assert [(ply.seat, ply.text) for ply in plies] == [(ply.seat, ply.text) for ply in seen.plies]


def test_a_room_without_a_game_has_no_history() -> None:
    assert telling.history(Table("othello").room, None) == ([], [])


def test_history_tells_nobody_what_they_may_not_know() -> None:
    """The captor of a covered piece learns what it was; the opponent and spectators do not."""
    for seed in range(20):
        table = Table("jieqi", check=False).seat("ada", 1)
        for _ in table.play_out(random.Random(seed), 60):
            pass
        views = {viewer: str(telling.history(table.room, viewer)) for viewer in (None, 0, 1)}
        if table.turn is not None and views[0] != views[1]:
            assert views[None] not in (views[0], views[1])
            return
    raise AssertionError("no covered piece was captured in twenty games")


def test_history_over_the_wire(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            token = await place.person("ada")
            room = await place.room(token, "othello")
            async with place.raw(room, token) as ada, place.raw(room, await place.person("bob")) as bob:
                async def ask(who: Raw, number: int, **request: Any) -> Any:
                    await who.say(request | {"id": number, "seen": 0})
                    return await who.hear("ack", "nack", "history")

                assert (await ask(ada, 1, type="history"))["number"] == 0
                assert (await ask(ada, 2, type="sit", seat=0))["type"] == "ack"
                assert (await ask(ada, 3, type="ready"))["type"] == "ack"
                assert (await ask(bob, 1, type="join"))["type"] == "ack"
                assert (await ask(bob, 2, type="sit", seat=1))["type"] == "ack"
                assert (await ask(bob, 3, type="ready"))["type"] == "ack"
                await ada.say({"type": "start", "id": 4, "seen": 0})
                turn = await ada.hear("turn")
                await ada.say({"type": "move", "id": 5, "seen": turn["seq"], "move": turn["moves"][0]["text"]})
                await bob.hear("turn")
                async with place.raw(room) as watcher:   # who has no name may look, too
                    answer = await ask(watcher, 1, type="history")
                    assert answer["number"] == 1 and len(answer["stones"]) == 4
                    assert [ply["path"] for ply in answer["plies"]] == [turn["moves"][0]["path"]]
    asyncio.run(run())
