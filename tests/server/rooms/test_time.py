"""Clocks, flags, and players who stay away."""

from __future__ import annotations

import random

from boyi.server.protocol.events import Moved, Stalled
from boyi.server.protocol.messages import (
    Chat,
    Claim,
    Join,
    Move,
    Resume,
)
from boyi.server.protocol.parts import ClockRule
from boyi.server.rooms import Pause, Room, Tick, asking, clock, telling
from tests.server import Table
from tests.server.rooms import result

CLOCK = ClockRule(10_000, 1_000)


def test_clock_counts_turns() -> None:
    table = Table("othello", clock=CLOCK).seat("ada", "bob")
    table.now += 4_000
    table.play("f5")
    table.now += 2_000
    table.play("d6")
    assert table.room.state.game.clocks_ms == [7_000, 9_000]  # type: ignore[union-attr]
    assert table.room.deadline() == table.now + 7_000 + clock.MOST_CREDIT_MS
    table.now += 7_000
    assert table.refused("ada", Move, move="c3") == "flag"
    table.internal(Tick())
    assert table.turn == 0                                   # what is on its way may yet be in time
    table.do("ada", Move, lag=1, move="c3")


def test_flag_loses_or_hands_over() -> None:
    table = Table("othello", clock=CLOCK).seat("ada", "bob")
    table.now += 10_500
    table.internal(Tick())
    assert result(table).places == [2, 1] and result(table).reason == "time"
    table = Table("othello", clock=CLOCK, ai_on_flag=True).seat("ada", "bob")
    table.now += 10_500
    table.internal(Tick())
    assert asking.engine_request(table.room, table.now) is not None and table.room.deadline() is None
    assert table.refused("ada", Resume) == "flag"
    table.now += 60_000
    table.internal(table.answer(random.Random(1)))           # the AI plays on without a clock
    assert table.turn == 1


def test_lag_credit_is_capped() -> None:
    """A client that pretends to be infinitely slow gains the bank once, then what is refilled."""
    table = Table("othello", clock=ClockRule(600_000)).seat("ada", "bob")
    gained = 0
    for number in range(20):
        table.now += 5_000
        seat = table.turn
        assert seat is not None
        turn = telling.turn(table.room, seat)
        assert turn is not None
        table.do(table.person(seat), Move, lag=10**9 if seat == 0 else 0, move=turn.moves[0].text)
        given = [event.body.credit_ms for event in table.events if isinstance(event.body, Moved)]
        assert max(given) <= clock.MOST_CREDIT_MS
        gained = sum(given)
        assert gained <= clock.BANK_MS + clock.REFILL_MS * (number + 1)
    moves = sum(ply.seat == 0 and ply.chosen for ply in table.room.refereed.log)   # a pass that is forced takes no time
    assert table.room.state.game.clocks_ms[0] == 600_000 - 5_000 * moves + gained  # type: ignore[index, union-attr]


def test_time_stands_still_while_the_server_does() -> None:
    table = Table("othello", clock=CLOCK).seat("ada", "bob")
    table.now += 3_000
    table.internal(Pause())
    room = Room.replay("table", table.events)                # hours later; the room's clock has not moved
    assert room.state.at == table.now
    assert room.state.game.clocks_ms == [7_000, 10_000]  # type: ignore[union-attr]
    assert room.deadline() == table.now + 7_000 + clock.MOST_CREDIT_MS


def test_away_then_claimed_or_replaced() -> None:
    table = Table("othello", clock=ClockRule(60_000)).seat("ada", "bob")
    table.presence("bob", False)
    assert table.presence("bob", False).events == ()
    assert table.refused("ada", Claim) == "not_away"
    table.now += 30_000
    table.presence("bob", True)
    assert table.refused("ada", Claim) == "not_away"
    table.presence("bob", False)
    table.now += 29_999
    assert table.refused("ada", Claim) == "not_away"
    table.now += 1
    table.do("ada", Claim)
    assert result(table).reason == "abandoned" and result(table).places == [1, 2]

    table = Table("othello", ai_on_disconnect=True, ai_level=7).seat("ada", "bob")
    table.presence("ada", False)
    assert table.room.deadline() == table.now + 300_000
    table.now += 300_000
    table.internal(Tick())
    request = asking.engine_request(table.room, table.now)
    assert request is not None and request.level == 7
    assert table.refused("bob", Claim) == "not_away"         # the AI plays
    table.presence("ada", True)
    table.do("ada", Resume)
    assert table.turn == 0 and asking.engine_request(table.room, table.now) is None


def test_who_stays_away_between_games_has_left() -> None:
    table = Table()
    table.do("ada", Join)
    table.do("bob", Join)
    table.presence("ada", False)
    table.now += 60_000
    table.internal(Tick())
    assert [person.person for person in table.room.state.persons] == ["bob"] and table.room.state.host == "bob"


def test_who_is_connected_is_not_away() -> None:
    """That they are back could not be written down yet."""
    table = Table("othello", clock=ClockRule(60_000)).seat("ada", "bob")
    table.presence("bob", False)
    table.connected.add("bob")
    table.now += 10_000_000
    assert table.refused("ada", Claim) == "not_away"
    assert table.room.deadline(table.connected) != table.room.state.persons[1].away_until

    table = Table("othello", ai_on_disconnect=True).seat("ada", "bob")
    for person in ("ada", "bob"):
        table.presence(person, False)
        table.connected.add(person)
    table.now += 2 * clock.ABANDONED_MS
    assert table.room.deadline(table.connected) is None and table.internal(Tick()).events == ()
    table.connected.clear()
    assert [type(event.body).__name__ for event in table.internal(Tick()).events] == ["Handed"]

    table = Table()
    table.do("ada", Join)
    table.presence("ada", False)
    table.connected.add("ada")
    table.now += 10_000_000
    assert table.internal(Tick()).events == () and table.room.state.persons


def test_who_acts_is_back() -> None:
    table = Table("othello").seat("ada", "bob")
    table.presence("ada", False)
    table.connected.add("ada")
    assert [type(event.body).__name__ for event in table.play("f5").events] == ["Back", "Moved"]
    assert table.room.state.persons[0].away_until is None


def test_a_stall_is_written_down_where_a_clock_runs() -> None:
    table = Table("othello", clock=CLOCK).seat("ada", "bob")
    table.stalled_ms = 9_000
    assert [type(event.body).__name__ for event in table.play("f5").events] == ["Stalled", "Moved"]
    for other in (Table("othello"), Table("othello", clock=CLOCK)):
        other.stalled_ms = 9_000
        other.seat("ada", "bob")   # no clock runs before the start
        if other.room.settings.clock is None:
            other.play("f5")
        assert not [event for event in other.events if isinstance(event.body, Stalled)]


def test_a_move_takes_the_time_until_it_arrived() -> None:
    """Something else that came later was written down before it."""
    table = Table("othello", clock=CLOCK).seat("ada", "bob")
    table.now += 4_000
    table.do("bob", Chat, text="hm")
    table.now -= 3_000
    table.play("f5")
    assert table.room.state.game.clocks_ms == [10_000, 10_000]  # type: ignore[union-attr]
    assert table.events[-1].at == table.now + 3_000
