"""A request is done once, and only with the game as its sender knew it."""

from __future__ import annotations

import pytest

from boyi.server.protocol.messages import (
    Chat,
    Move,
)
from boyi.server.protocol.refusals import Refusal
from boyi.server.rooms import Identity, Room
from tests.server import Table


def test_repeated_request_is_done_once_and_a_late_one_not_at_all() -> None:
    table = Table().seat("ada", "bob")
    by = Identity("ada", "Ada", False, "c")
    table.ids["ada"] += 5
    number = table.ids["ada"]
    request = Move(id=number, seen=table.room.seq, move="a1")
    done = table.commit(table.room.decide(request, table.moment(), by))
    again = table.room.decide(request, table.moment(), by)
    assert again.events == () and again.seq == done.seq
    with pytest.raises(Refusal) as refusal:
        table.room.decide(Chat(id=number - 1, seen=0, text="late"), table.moment(), by)
    assert refusal.value.code == "late"
    # Another client of the same person counts for itself; what is on disk remembers both.
    table.commit(table.room.decide(Chat(id=1, seen=0, text="hi"), table.moment(), Identity("ada", "Ada", False, "d")))
    replayed = Room.replay("table", table.events)
    assert replayed.decide(request, table.moment(), by).seq == done.seq


def test_move_must_have_seen_its_turn() -> None:
    table = Table().seat("ada", "bob")
    table.play("a1")
    before = table.room.seq - 1
    assert table.refused("bob", Move, seen=before, move="b2") == "stale"
    assert table.refused("bob", Move, seen=table.room.seq + 1, move="b2") == "stale"
    table.do("ada", Chat, text="well?")
    table.do("bob", Move, seen=before + 1, move="b2")   # what has nothing to do with the turn need not be seen
