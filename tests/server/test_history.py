"""The course of a game as each viewer may see it: its changes, done in order, lead to what they see now."""

from __future__ import annotations

import asyncio
import contextlib
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boyi.core.board import Change, Stone
from boyi.core.position import Position
from boyi.games import all_games
from boyi.server.protocol import messages
from boyi.server.protocol.messages import PlayedMove
from boyi.server.protocol.positions import describe_stones, describe_tokens, play_and_describe, seat_in_check
from boyi.server.protocol.refusals import Refusal
from boyi.server.rooms import Room, history, telling
from boyi.server.rooms.courses import Course, describe_course
from tests.scale import scaled
from tests.server import Table, history_of
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
        first, plies = history_of(table.room, viewer)
        seen: Any = telling.view(table.room, viewer).game
        assert after(first, [change for ply in plies for change in ply.changes]) == {
            stone.point: stone.glyph for stone in seen.stones}
        assert [(ply.seat, ply.text) for ply in plies] == [(ply.seat, ply.text) for ply in seen.plies]


def test_a_room_without_a_game_has_no_history() -> None:
    assert history_of(Table("othello").room, None) == ([], [])


def test_history_tells_nobody_what_they_may_not_know() -> None:
    """The captor of a covered piece learns what it was; the opponent and spectators do not."""
    for seed in range(20):
        table = Table("jieqi", check=False).seat("ada", 1)
        for _ in table.play_out(random.Random(seed), 60):
            pass
        views = {viewer: str(history_of(table.room, viewer)) for viewer in (None, 0, 1)}
        if table.turn is not None and views[0] != views[1]:
            assert views[None] not in (views[0], views[1])
            return
    raise AssertionError("no covered piece was captured in twenty games")


def naive_history(room: Room, viewer: int | None) -> tuple[list[Stone], list[PlayedMove]]:
    """The course of a game, worked out anew from its start."""
    referee = room.refereed
    moves = iter(referee.position.history())
    walk = referee.start.copy()
    before = start = walk.observe(viewer) if referee.hides else referee.start.copy()
    played = []
    for ply in referee.log:
        made = [next(moves) for _ in range(ply.plies)]
        course: Course = (ply.text, *play_and_describe(walk, made))
        if referee.hides:
            after = walk.observe(viewer)
            course = describe_course(before, after, made[0] if ply.seat is not None else None)
            before = after
        seen = before if referee.hides else walk
        played.append(PlayedMove(ply.seat, *course, describe_tokens(seen), seat_in_check(seen, walk.turn, ply.seat)))
    return describe_stones(start), played


@pytest.mark.parametrize("game", sorted(all_games()))
@settings(max_examples=scaled(50), deadline=None)
@given(data=st.data())
def test_history_is_the_same_however_often_it_was_asked_for(game: str, data: st.DataObject) -> None:
    """By whom and when it was asked for before, take-backs, the end of the game: nothing makes a difference."""
    table = Table(game, check=False).seat("ada", "bob")
    for _ in range(data.draw(st.integers(1, 25), "steps")):
        if table.turn is None:
            break
        action = data.draw(st.sampled_from(["move", "move", "move", "ask", "begin to ask", "take back", "resign"]))
        if action == "ask":
            history_of(table.room, data.draw(st.sampled_from([None, 0, 1])))
        elif action == "move":
            turn = telling.turn(table.room, table.turn)
            assert turn is not None
            table.play(data.draw(st.sampled_from(turn.moves)).text)
        elif action == "begin to ask":
            telling.history(table.room, 1, data.draw(st.sampled_from([None, 0, 1])))
        elif action == "take back":
            for one, other in (("ada", "bob"), ("bob", "ada")):
                with contextlib.suppress(Refusal):
                    table.do(one, messages.OfferTakeback)
                    table.do(other, messages.AnswerTakeback, accept=True)
        elif len(table.events) > 20:
            table.do(table.person(table.turn), messages.Resign)
    for viewer in (None, 0, 1, None):
        assert history_of(table.room, viewer) == naive_history(table.room, viewer)


def test_each_move_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often the course of a game is asked for."""
    calls: list[int | None] = []

    def describe(before: Position, after: Position, decision: int | None) -> Course:
        calls.append(decision)
        return describe_course(before, after, decision)

    monkeypatch.setattr(history, "describe_course", describe)
    table = Table("jieqi", check=False).seat("ada", "bob")
    for number, _ in enumerate(table.play_out(random.Random(5), 30), 1):
        for _ in range(3):
            history_of(table.room, 0)
        assert len(calls) == number == len(table.room.refereed.log)
    assert telling.history(table.room, 1, None) is None   # others have their turn in between
    assert len(calls) == 30 + history.MOST_PLIES
    history_of(table.room, None)
    assert len(calls) == 60


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


def test_a_check_is_told_with_the_move_that_gave_it() -> None:
    """And a mate, after which nobody is to move."""
    def checks(*moves: str) -> list[int | None]:
        table = Table("xiangqi").seat("ada", "bob")
        for move in moves:
            table.play(move)
        return [move.checked for move in history_of(table.room, None)[1]]

    assert checks("h2e2", "d9e8", "e2e6", "e9d9") == [None, None, 1, None]
    assert checks("h2e2", "i6i5", "e2e6", "i5i4", "b2b5", "i4i3", "b5e5") == [None] * 6 + [1]
