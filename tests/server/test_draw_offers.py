"""A draw that is offered to the computer: considered, agreed to or declined with words."""

from __future__ import annotations

import random

import pytest

from boyi.games import find_game
from boyi.server import drawing
from boyi.server.protocol.events import DrawDeclined, DrawOffered, Ended
from boyi.server.protocol.messages import HandOver, OfferDraw
from boyi.server.protocol.refusals import Refusal
from boyi.server.rooms import EngineAnswer, Room, asking
from tests.server import Table
from tests.server.rooms import result

SHUFFLE = ("a0a1", "a9a8", "a1a0", "a8a9", "i0i1", "i9i8", "i1i0", "i8i9")


def test_the_computer_agrees_or_declines() -> None:
    table = Table("xiangqi").seat("ada", 1)
    assert asking.draws_to_consider(table.room) == []
    table.do("ada", OfferDraw)
    [offer] = asking.draws_to_consider(table.room)
    assert offer == (1, table.room.seq)
    table.internal(EngineAnswer(*offer, "early"))
    assert table.events[-1].body == DrawDeclined(1, "early") and table.room.state.game.draw == []  # type: ignore[union-attr]
    assert table.refused("ada", OfferDraw) == "offered"      # not twice at the same move
    with pytest.raises(Refusal):
        table.internal(EngineAnswer(*offer, ""))             # an answer counts once, and for its own offer
    table.play("h2e2")
    table.internal(table.answer(random.Random(1)))
    table.do("ada", OfferDraw)
    table.internal(EngineAnswer(*asking.draws_to_consider(table.room)[0], ""))
    assert [type(event.body) for event in table.events[-2:]] == [DrawOffered, Ended]
    assert result(table).places == [1, 1] and result(table).reason == "agreement"
    assert asking.draws_to_consider(table.room) == []
    assert Room.replay("table", table.events).state.phase == "finished"


def test_a_move_of_the_computer_makes_an_answer_void() -> None:
    table = Table("xiangqi").seat(1, "ada")
    table.do("ada", OfferDraw)
    [offer] = asking.draws_to_consider(table.room)
    table.internal(table.answer(random.Random(1)))
    assert asking.draws_to_consider(table.room) == []
    with pytest.raises(Refusal):
        table.internal(EngineAnswer(*offer, ""))


def test_who_has_handed_over_answers_for_themselves() -> None:
    table = Table("xiangqi").seat("ada", "bob")
    table.do("bob", HandOver, level=1)
    table.do("ada", OfferDraw)
    assert asking.draws_to_consider(table.room) == []


def test_all_computers_must_agree() -> None:
    table = Table("chinese_checkers", {"players": 3}).seat("ada", 1, 1)
    table.do("ada", OfferDraw)
    first, second = asking.draws_to_consider(table.room)
    assert (first[0], second[0]) == (1, 2)
    table.internal(EngineAnswer(*first, ""))
    phases = [table.room.state.phase]
    [second] = asking.draws_to_consider(table.room)
    table.internal(EngineAnswer(*second, ""))
    assert [*phases, table.room.state.phase] == ["playing", "finished"]


def test_quiet_is_what_the_game_counts() -> None:
    position = find_game("xiangqi").start(rules="simple")
    assert not drawing.is_quiet(position)
    for number in range(drawing.FEWEST_PLIES):
        assert not drawing.is_quiet(position), number
        if position.turn < 0:
            break
        position.play(position.parse_move(SHUFFLE[number % 8]))
    else:
        assert drawing.is_quiet(position)
    assert not drawing.is_quiet(find_game("othello").start())      # it is played to the end
    assert drawing.judge(0.5) == drawing.judge(0.6) == "" and drawing.judge(0.8) == drawing.judge(0.2) == "plays_on"
