"""Who comes, sits and goes; who may do what."""

from __future__ import annotations

import pytest

from boyi.server.protocol.messages import (
    AnswerDraw,
    Chat,
    Close,
    Join,
    Kick,
    Leave,
    Move,
    Mute,
    Ready,
    Rematch,
    Resign,
    Resume,
    SetAi,
    Sit,
    Stand,
    Start,
)
from boyi.server.protocol.refusals import Refusal
from tests.server import Table
from tests.server.rooms import result


def test_nobody_acts_out_of_place() -> None:
    table = Table()
    assert table.refused("ada", Sit, seat=0) == "not_joined"
    table.do("ada", Join)
    assert table.refused("ada", Join) == "joined"
    assert table.refused("ada", Sit, seat=2) == "unknown_seat"
    assert table.refused("ada", Ready) == "not_seated"
    assert table.refused("ada", Move, move="a1") == "not_playing"
    table.do("ada", Sit, seat=0)
    assert table.refused("ada", Sit, seat=1) == "seated"
    table.do("bob", Join)
    assert table.refused("bob", Sit, seat=0) == "seat_taken"
    assert table.refused("bob", SetAi, seat=1, level=3) == "not_host"
    assert table.refused("bob", Kick, person="ada") == "not_host"
    assert table.refused("ada", Start) == "not_ready"
    table.do("bob", Sit, seat=1)
    assert table.refused("ada", Start) == "not_ready"
    table.do("bob", Ready)
    assert table.refused("bob", Start) == "not_host"
    table.do("ada", Start)
    assert table.refused("bob", Move, move="a1") == "not_your_turn"
    assert table.refused("ada", Move, move="z9") == "illegal_move"
    assert table.refused("ada", Stand) == "playing"
    assert table.refused("ada", Close) == "playing"
    assert table.refused("ada", Resume) == "not_handed_over"
    assert table.refused("ada", AnswerDraw, accept=True) == "nothing_offered"
    table.do("cyd", Join)
    assert table.refused("cyd", Move, move="a1") == "not_seated"
    assert table.refused("cyd", Resign) == "not_seated"
    table.do("cyd", Chat, text="good luck")
    with pytest.raises(Refusal) as refusal:
        table.room.decide(Move(id=1, seen=1, move="a1"), table.moment())
    assert refusal.value.code == "spectator"


def test_kicked_for_good_and_host_passes_on() -> None:
    table = Table()
    for person in ("ada", "bob", "cyd"):
        table.do(person, Join)
    table.do("bob", Sit, seat=0)
    table.do("ada", Kick, person="bob")
    assert table.room.state.seats[0].person is None
    assert table.refused("bob", Join) == "banned"
    assert table.refused("ada", Kick, person="ada") == "unknown_person"
    table.do("ada", Leave)
    assert table.room.state.host == "cyd"
    table.do("cyd", Leave)
    assert table.room.state.phase == "closed"
    assert table.refused("dan", Join) == "closed"


def test_host_removes_onlookers_during_a_game_and_players_only_between() -> None:
    table = Table().seat("ada", "bob")
    table.do("cyd", Join)
    assert table.refused("bob", Kick, person="cyd") == "not_host"
    assert table.refused("ada", Kick, person="bob") == "playing"
    table.do("ada", Kick, person="cyd")
    assert table.refused("cyd", Join) == "banned"


def test_muted_people_do_not_chat_also_when_they_come_again() -> None:
    table = Table()
    for person in ("ada", "bob"):
        table.do(person, Join)
    assert table.refused("bob", Mute, person="ada") == "not_host"
    assert table.refused("ada", Mute, person="ada") == "unknown_person"
    table.do("ada", Mute, person="bob")
    table.do("ada", Mute, person="bob")
    assert table.room.state.muted == ["bob"]
    assert table.refused("bob", Chat, text="hello") == "muted"
    table.do("bob", Leave)
    table.do("bob", Join)
    assert table.refused("bob", Chat, text="hello") == "muted"
    table.do("ada", Mute, person="bob", muted=False)
    table.do("bob", Chat, text="hello")
    table.do("ada", Mute, person="bob")
    table.do("ada", Leave)
    table.do("bob", Mute, person="bob", muted=False)   # who is the host now
    assert table.room.state.muted == []


def test_rated_needs_accounts() -> None:
    table = Table(rated=True)
    table.do("ada", Join)
    assert table.refused("ada", Sit, seat=0) == "different_seats"
    assert table.refused("ada", SetAi, seat=0, level=1) == "different_seats"
    table.do("bob", Join, account=True, agent="level:3")
    assert table.refused("bob", Sit, seat=0) == "different_seats"
    rated = Table(rated=True).seat("ada", "bob", account=True)
    rated.do("ada", Resign)
    assert result(rated).rated


def test_rematch_turns_the_seats() -> None:
    table = Table().seat("ada", "bob")
    assert table.refused("ada", Rematch) == "playing"
    table.do("bob", Resign)
    table.do("ada", Rematch)
    assert table.refused("ada", Rematch) == "offered"
    table.do("bob", Rematch)
    assert [seat.person for seat in table.room.state.seats] == ["bob", "ada"]
    assert table.room.state.game.number == 2 and table.turn == 0  # type: ignore[union-attr]
