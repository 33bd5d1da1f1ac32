"""What viewers are told, and what not."""

from __future__ import annotations

import random
from typing import get_args

import pytest

from boyi.games.jieqi.draws import DRAWS
from boyi.server.protocol import events, messages, views
from boyi.server.protocol.events import Ended
from boyi.server.protocol.messages import (
    Join,
    Move,
    Resign,
    SetAi,
    Start,
)
from boyi.server.protocol.refusals import Refusal
from boyi.server.rooms import asking, telling
from tests.server import Table


def test_last_move_of_every_seat_shows_where_it_began() -> None:
    table = Table("chinese_checkers", {"players": 3, "turn_limit": 5}).seat("ada", "bob", "cyd")
    assert telling.last_move(table.room, 1, 0) is None
    made: dict[int, tuple[str, str]] = {}
    for _ in range(9):
        seat = table.turn
        assert seat is not None and table.room.state.game is not None
        before = table.room.state.game.standing.position
        table.play(telling.turn(table.room, seat).moves[-1].text)  # type: ignore[union-attr]
        made[seat] = before, table.room.state.game.plies[-1].text
        for other, (earlier, text) in made.items():
            last = telling.last_move(table.room, other, 0)
            assert last is not None and (last.before, last.text) == (earlier, text)
            assert last.path[0] in {stone.point for stone in last.stones} and last.changes
    with pytest.raises(Refusal, match="no such seat"):
        telling.last_move(table.room, 3, None)


def test_every_stored_body_is_public_or_has_a_view() -> None:
    stored = {events.kind_of(body) for body in get_args(events.StoredBody)}
    public = {events.kind_of(body) for body in get_args(views.PublicBody)}
    assert stored == public
    own = {events.kind_of(body) for body in get_args(events.Public)}
    assert stored - own == {"created", "started", "moved", "taken_back", "resigned"}
    assert not {"seed", "password"} & {
        name for body in get_args(views.PublicBody) if body is not Ended for name in body.__struct_fields__}


def test_seed_and_password_stay_until_the_end() -> None:
    table = Table("jieqi", seed=bytes(range(32)))
    table.room.password = "scrypt$hash"
    table.seat("ada", "bob")
    generator = random.Random(2)
    for _ in table.play_out(generator, longest=40):
        pass
    seen = "".join(text for told in table.told.values() for text in told)
    seen += "".join(messages.encode(messages.Room(telling.view(table.room, viewer))) for viewer in (None, 0, 1))
    seen += "".join(telling.record(table.room, viewer).to_text() for viewer in (None, 0, 1))
    assert bytes(range(32)).hex() not in seen and "scrypt" not in seen
    assert DRAWS.commitment(bytes(range(32))) in seen
    table.do("ada", Resign)
    assert bytes(range(32)).hex() in table.told[None][-1]
    record = telling.record(table.room)
    DRAWS.verify(record.replay(), bytes.fromhex(record.tags["Seed"]), record.tags["Commitment"])


def test_ai_is_given_its_own_view() -> None:
    table = Table("jieqi")
    table.do("ada", Join)
    table.do("ada", SetAi, seat=0, level=1)
    table.do("ada", SetAi, seat=1, level=1)
    table.do("ada", Start)
    generator = random.Random(4)
    for _ in range(30):
        request = asking.engine_request(table.room, table.now)
        assert request is not None and request.observation.viewer == "wb"[request.seat]  # type: ignore[attr-defined]
        table.internal(table.answer(generator))


def test_illegal_move_tells_nothing_that_the_player_does_not_know() -> None:
    table = Table("jieqi").seat("ada", "bob")
    with pytest.raises(Refusal) as refusal:
        table.do("ada", Move, move="a0a9")
    assert refusal.value.code == "illegal_move" and "a0a9" in refusal.value.detail
    with pytest.raises(Refusal) as refusal:
        table.do("ada", Move, move="b2e2R")                 # a player does not say what chance brings
    assert refusal.value.code == "illegal_move"
