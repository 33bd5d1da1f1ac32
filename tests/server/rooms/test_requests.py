"""A request is done once, and only with the game as its sender knew it."""

from __future__ import annotations

import pytest

from boyi.server.protocol.events import Cause
from boyi.server.protocol.messages import (
    Chat,
    Move,
)
from boyi.server.protocol.refusals import Refusal
from boyi.server.rooms import Identity, Room
from boyi.server.rooms.requests import MOST_CLIENTS, MOST_PEOPLE, Requests
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


def test_no_request_is_done_twice_after_many_clients() -> None:
    """What is remembered is bounded; what is forgotten is refused, also after a restart."""
    table = Table().seat("ada", "bob")
    first = Identity("ada", "Ada", False, "first")
    request = Chat(id=1, seen=table.room.seq, text="once")
    table.commit(table.room.decide(request, table.moment(), first))
    for number in range(MOST_CLIENTS + 1):
        say = Chat(id=1, seen=table.room.seq, text=str(number))
        table.commit(table.room.decide(say, table.moment(), Identity("ada", "Ada", False, f"client {number}")))
    for room in (table.room, Room.replay("table", table.events)):
        with pytest.raises(Refusal) as refusal:
            room.decide(request, table.moment(), first)
        assert refusal.value.code == "late"
        # What the client asks for now is done, and its old requests are late for ever.
        asked = Chat(id=2, seen=room.seq, text="now")
        assert room.decide(asked, table.moment(), first).events
    table.commit(table.room.decide(asked, table.moment(), first))
    with pytest.raises(Refusal, match="later one"):
        table.room.decide(request, table.moment(), first)


def test_what_is_remembered_is_bounded() -> None:
    requests = Requests()
    for seq in range(1, 3_000):
        requests.remember(Cause(f"person {seq % 1_000}", f"client {seq}", 1), seq)
    assert len(requests._people) == MOST_PEOPLE
    for seq in range(1, 2_999):
        try:
            assert requests.find(f"person {seq % 1_000}", f"client {seq}", 1, seq - 1) == seq
        except Refusal as refusal:
            assert refusal.code == "late"
    assert requests.find("person 7", "another client", 1, 3_000) is None
    assert requests.find("a newcomer", "their client", 1, 3_000) is None


def test_move_must_have_seen_its_turn() -> None:
    table = Table().seat("ada", "bob")
    table.play("a1")
    before = table.room.seq - 1
    assert table.refused("bob", Move, seen=before, move="b2") == "stale"
    assert table.refused("bob", Move, seen=table.room.seq + 1, move="b2") == "stale"
    table.do("ada", Chat, text="well?")
    table.do("bob", Move, seen=before + 1, move="b2")   # what has nothing to do with the turn need not be seen
