"""Draws, take-backs and resigning."""

from __future__ import annotations

import random

import pytest
from msgspec import structs

from boyi.server.protocol.events import Moved, Resigned, TakenBack
from boyi.server.protocol.messages import (
    AnswerDraw,
    AnswerTakeback,
    Claim,
    Leave,
    Move,
    OfferDraw,
    OfferTakeback,
    Resign,
)
from boyi.server.protocol.refusals import Refusal
from boyi.server.rooms import Identity, Room, telling
from tests.server import Table
from tests.server.rooms import result


def test_draw_by_agreement() -> None:
    table = Table().seat("ada", "bob")
    table.do("ada", OfferDraw)
    assert table.refused("ada", OfferDraw) == "offered"
    table.do("bob", AnswerDraw, accept=False)
    assert table.refused("ada", OfferDraw) == "offered"    # not twice at the same move
    table.play("a1")
    table.do("ada", OfferDraw)
    offer = table.room.seq
    table.play("b2")                                       # moving on is an answer too
    assert table.refused("bob", AnswerDraw, accept=True) == "nothing_offered"
    table.do("bob", OfferDraw)
    assert table.refused("ada", AnswerDraw, seen=offer, accept=True) == "stale"
    table.do("ada", AnswerDraw, accept=True)
    assert result(table).places == [1, 1] and result(table).reason == "agreement"


def test_resigning_where_the_others_play_on() -> None:
    table = Table("chinese_checkers", {"players": 3, "turn_limit": 5}).seat("ada", "bob", "cyd")
    assert table.refused("ada", Move, move="resign:C") == "illegal_move"      # nobody makes another one leave
    table.play(telling.turn(table.room, 0).moves[0].text)  # type: ignore[union-attr]
    table.do("cyd", Resign)
    assert table.turn == 1 and table.refused("cyd", Resign) == "game_over"
    assert table.refused("ada", OfferTakeback) == "not_allowed"
    table.do("bob", Leave)
    assert result(table).places == [1, 2, 3] or result(table).places == [1, 3, 2]
    assert telling.record(table.room).replay().outcome() is not None


def test_who_has_finished_cannot_resign_but_leaves() -> None:
    table = Table("chinese_checkers", {"players": 3}, check=False).seat("ada", "bob", "cyd")
    table.room.refereed.position.set_text("A/AA/AAA/AAAA/CCCC5EEEE/CCC6EEE/CC7EE/C8E/9/10/11/12/13/4/3/2/1 C ACE A 31")
    assert table.refused("ada", Resign) == "game_over"
    table.presence("ada", False)
    table.now += 10**6
    assert table.refused("bob", Claim) == "not_away"       # there is nothing to claim
    table.do("ada", Leave)
    assert table.room.state.phase == "playing" and table.room.state.person("ada") is None


def test_takeback_needs_consent_of_persons_only() -> None:
    table = Table("othello").seat("ada", "bob")
    assert table.refused("ada", OfferTakeback) == "nothing_to_take_back"
    table.play("f5")
    before = table.room.state.game.standing.position  # type: ignore[union-attr]
    table.play("d6")
    table.play("c3")
    table.do("bob", OfferTakeback)
    table.do("ada", AnswerTakeback, accept=False)
    assert table.refused("ada", AnswerTakeback, accept=True) == "nothing_offered"
    table.do("bob", OfferTakeback)
    table.do("ada", AnswerTakeback, accept=True)
    assert isinstance(table.events[-1].body, TakenBack) and table.turn == 1
    assert table.room.state.game.standing.position == before  # type: ignore[union-attr]
    alone = Table("othello").seat("ada", 2)
    generator = random.Random(1)
    alone.play("f5")
    late = alone.answer(generator)
    alone.do("ada", OfferTakeback)                          # the AI agrees, and its answer comes too late
    assert alone.turn == 0
    with pytest.raises(Refusal, match="gone on"):
        alone.internal(late)


def test_takeback_never_across_a_reveal() -> None:
    table = Table("jieqi").seat("ada", "bob")
    covered = next(move.text for move in telling.turn(table.room, 0).moves if move.path[0] != "e0")  # type: ignore[union-attr]
    table.play(covered)
    assert table.refused("ada", OfferTakeback) == "revealed"
    assert Table("jieqi", rated=True).seat("ada", "bob", account=True).refused("ada", OfferTakeback) == "not_allowed"


def test_takeback_never_across_a_forfeit_of_version_0_1_0() -> None:
    """Which stored it as a move like any other."""
    table = Table("chinese_checkers", {"players": 3}).seat("ada", "bob", "cyd")
    table.play(telling.turn(table.room, 0).moves[0].text)  # type: ignore[union-attr]
    table.do("bob", Resign)
    number, resigned = next((number, event) for number, event in enumerate(table.events)
                            if isinstance(event.body, Resigned))
    old = list(table.events)
    old[number] = structs.replace(resigned, body=Moved(1, resigned.body.text, 1))  # type: ignore[union-attr]
    for events in (table.events, old):
        room = Room.replay("table", events)
        with pytest.raises(Refusal, match="has left the game since"):
            room.decide(OfferTakeback(id=99, seen=room.seq), table.moment(), Identity("ada", "Ada", False, "c"))
