"""Clocks: what players are told, and when their flags fall. The time is made up; nobody waits."""

from __future__ import annotations

import pytest

import boyi
from boyi.agents import Clock
from boyi.agents.random import RandomAgent
from boyi.arena import Match, play_game, play_match
from boyi.arena.game import Notes
from boyi.arena.timecontrol import Clocks, TimeControl, parse_time
from boyi.core.errors import OptionError
from boyi.core.position import Position


class Time:
    """A clock that goes when told to."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


class Slow(RandomAgent):
    """Plays anything and takes so long for its moves, the last of them again and again."""

    def __init__(self, time: Time, *takes: float, ready: float = 0.0) -> None:
        super().__init__(1)
        self._time, self._takes, self._ready = time, list(takes), ready
        self.told: list[Clock] = []

    def prepare(self, observation: Position) -> None:
        self._time.seconds += self._ready

    def choose(self, observation: Position, clock: Clock) -> int:
        self.told.append(clock)
        self._time.seconds += self._takes.pop(0) if len(self._takes) > 1 else self._takes[0]
        return super().choose(observation, clock)


@pytest.mark.parametrize(("text", "control"), [
    ("60+0.6", TimeControl(base_seconds=60, increment_seconds=0.6)), ("60", TimeControl(base_seconds=60)),
    ("0.5/move", TimeControl(move_seconds=0.5)), ("5000nodes", TimeControl(nodes=5000)),
    ("5000 nodes", TimeControl(nodes=5000)), ("60 + 1", TimeControl(base_seconds=60, increment_seconds=1)),
])
def test_clocks_are_read(text: str, control: TimeControl) -> None:
    assert parse_time(text) == control
    assert parse_time(str(control)) == control


@pytest.mark.parametrize("text", ["", "x", "60+", "+1", "0", "0/move", "0nodes", "-3", "1e3", "60+0.6+1", "1..2", "6٣",
                                  "nan", "99999999", "1+99999999", "9" * 400 + "nodes", "9" * 400, "./move", "5/moves"])
def test_bad_clocks_are_refused(text: str) -> None:
    with pytest.raises(OptionError):
        parse_time(text)


def test_a_clock_is_one_thing() -> None:
    with pytest.raises(OptionError, match="one of them"):
        TimeControl(base_seconds=1, nodes=3)
    with pytest.raises(OptionError, match="one of them"):
        TimeControl()
    with pytest.raises(OptionError, match="margin"):
        TimeControl(nodes=3, margin_seconds=-1)


def test_players_see_all_clocks() -> None:
    clocks = Clocks(parse_time("60+0.5"), 3)
    assert clocks.face(1) == Clock(60, 0.5, seats=(60, 60, 60))
    assert clocks.spend(1, 20) is None
    assert clocks.face(0) == Clock(60, 0.5, seats=(60, 40.5, 60))
    assert clocks.face(1).seconds == clocks.left(1) == 40.5
    assert Clocks(parse_time("0.5/move"), 2).face(0) == Clock(move_seconds=0.5)
    assert Clocks(parse_time("7nodes"), 2).face(0) == Clock(nodes=7)
    assert Clocks(None, 2).face(0) == Clock()
    assert Clocks(None, 2).spend(0, 10**6) is None
    assert Clocks(parse_time("7nodes"), 2).spend(0, 10**6) is None


def test_the_margin_is_not_given_with_every_move() -> None:
    clocks = Clocks(TimeControl(base_seconds=1, margin_seconds=0.25), 2)
    assert clocks.spend(0, 1.125) is None
    assert clocks.left(0) == clocks.face(0).seconds == 0
    assert clocks.spend(0, 0.125) is None
    assert clocks.spend(0, 0.01) == 0
    clocks = Clocks(TimeControl(move_seconds=1, margin_seconds=0.25), 2)
    assert [clocks.spend(0, seconds) for seconds in (1.25, 1.25, 1.26)] == [None, None, 1]


def test_a_flag_falls_when_the_game_took_too_long() -> None:
    time = Time()
    slow, fast = Slow(time, 10.0), Slow(time, 0.1)
    outcome, failures = play_game(boyi.start("othello"), [slow, fast], time=parse_time("25+1"), now=time)
    assert (outcome.places, outcome.reason) == ((2, 1), "timeout")
    assert [(failure.seat, failure.fault) for failure in failures] == [(0, "timeout")]
    assert [clock.seconds for clock in slow.told] == [25, 16, 7]
    assert failures[0].message == "Black took 10 s for a move and had 7 s"
    assert fast.told[-1].seats[0] == 7


def test_a_flag_falls_when_a_move_took_too_long() -> None:
    time = Time()
    slow, fast = Slow(time, 0.5, 0.59, 0.7), Slow(time, 0.1)
    outcome, _ = play_game(boyi.start("othello"), [fast, slow], time=parse_time("0.5/move"), now=time)
    assert (outcome.places, outcome.reason, len(slow.told)) == ((1, 2), "timeout", 3)
    assert slow.told[0] == Clock(move_seconds=0.5)


def test_getting_ready_is_free() -> None:
    time = Time()
    slow = Slow(time, 0.1, ready=100.0)
    _, failures = play_game(boyi.start("othello"), [slow, Slow(time, 0.1)], time=parse_time("20"), now=time)
    assert not failures
    assert time.seconds > 1100


def test_the_others_play_on_where_the_rules_allow_it() -> None:
    time = Time()
    position = boyi.start("chinese_checkers", players=3)
    agents = [Slow(time, 0.001), Slow(time, 1.0), Slow(time, 0.001)]
    outcome, failures = play_game(position, agents, time=parse_time("10", 0.0), now=time, longest=200)
    assert [(failure.seat, failure.fault) for failure in failures] == [(1, "timeout")]
    assert len(agents[1].told) == 11
    assert len(agents[0].told) > 20
    assert outcome.reason != "timeout"


@pytest.mark.parametrize("game", ["othello", "jieqi"])
def test_records_tell_how_long_moves_took(game: str) -> None:
    time, notes, position = Time(), Notes(), boyi.start(game)
    agents = [Slow(time, 0.5), Slow(time, 0.25)]
    play_game(position, agents, time=parse_time("100+1"), now=time, longest=30, notes=notes)
    assert notes[0] == {"took": 0.5, "clock": 100.5}
    match = Match(("random", "random:seed=1"), boyi.start(game), games=1, time=parse_time("100+1"), longest=30, seed=2)
    (played,) = play_match(match)
    opening = match.opening(0).ply
    for number, entry in enumerate(played.record.entries):
        if number < opening and game == "othello":
            assert entry.clock is None
        if number >= opening:   # where chance acted there are fewer written moves than plies
            assert entry.took is not None
            assert entry.clock is not None
            assert 100 < entry.clock < 131
    played.record.replay()


def test_nodes_are_repeatable_and_not_noted() -> None:
    match = Match(("alphabeta", "alphabeta:nodes=50"), boyi.start("othello"), games=2, seed=2,
                  time=parse_time("100nodes"))
    first, again = ([game.record.to_text() for game in play_match(match)] for _ in range(2))
    assert first == again
    assert "took" not in first[0].splitlines()[-1]


def test_clocks_that_an_agent_cannot_keep_are_refused() -> None:
    with pytest.raises(OptionError, match="whole seconds"):
        Match(("random", "gtp:python3"), boyi.start("othello"), time=parse_time("0.5/move"))
