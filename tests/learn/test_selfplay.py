"""Self-play, and the statistics of abstract states that are gathered from it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import boyi
from boyi.core.errors import OptionError, RecordError
from boyi.core.record import Record
from boyi.games import all_games
from boyi.games.othello.abstract import abstract_state
from boyi.games.othello.states import Statistics
from boyi.learn.abstract import gather
from boyi.learn.selfplay import Settings, play, source

QUICK = Settings(nodes=50, random_plies=2, loose_plies=4, lines=3, longest=30)


@pytest.mark.parametrize("name", sorted(all_games()))
def test_a_number_decides_everything_about_a_game(name: str) -> None:
    start = boyi.start(name)
    first, again, other = (play(start, number, QUICK) for number in (3, 3, 4))
    assert first == again and first.to_text() != other.to_text()
    assert start.ply == 0
    reached = first.replay()          # and the record is what was played
    assert first.result is not None and len(first.entries) <= 30
    assert (reached.outcome() is None) == (first.reason == "too_long")
    assert [entry.evaluation for entry in first.entries[:2]] == [None, None]
    assert any(entry.evaluation is not None for entry in first.entries[2:])


def test_other_settings_play_other_games() -> None:
    start = boyi.start("othello")
    texts = [play(start, 0, settings).to_text() for settings in (
        QUICK, replace(QUICK, seed=1), replace(QUICK, later_nodes=400), replace(QUICK, evaluator="classic"))]
    assert len(set(texts)) == 4


def test_sources_are_gone_on_with() -> None:
    made: list[dict[str, Any]] = [{"source": "games.wtb", "games": 5}]
    first = source(made, QUICK, plies=8)
    assert first["games"] == 0 and len(made) == 2
    first["games"] = 7
    assert source(made, QUICK, plies=8) is first
    assert source(made, replace(QUICK, seed=9), plies=8)["games"] == 0 and len(made) == 3


def test_settings_are_checked() -> None:
    wrong: dict[str, Any]
    for wrong in ({"nodes": 0}, {"later_nodes": 0}, {"random_plies": -1}, {"looseness": -1.0}, {"lines": 0},
                  {"looseness": float("nan")}):
        with pytest.raises(OptionError, match="must be at least"):
            Settings(**wrong)


def test_gathered_by_hand() -> None:
    """f5 d6, thought +1 and -2.5, won by Black: two states seen, and nothing of positions without a value."""
    position = boyi.start("othello")
    states = []
    for move in ("f5", "d6", "c3"):
        states.append(abstract_state(position))
        position.play(move)
    record = Record.from_position(position, result=(1, 2), notes=[{"evaluation": 1.0}, {"evaluation": -2.5}])
    statistics = gather(Statistics(), record)
    assert statistics.positions == 2
    black, white = (statistics.records[state] for state in states[:2])
    if states[0] != states[1]:
        assert (black.count, black.wins, black.value_sum, black.square_sum) == (1, 1, 100, 10_000)
        assert (white.count, white.losses, white.value_sum, white.square_sum) == (1, 1, -250, 62_500)
    else:
        assert (black.count, black.wins, black.losses, black.value_sum, black.square_sum) == (2, 1, 1, -150, 72_500)
    twice = gather(statistics, record)
    assert twice.positions == 4 and statistics.positions == 2
    proven = Record.from_position(position, result=(1, 2), notes=[{"evaluation": 299.0}])
    assert gather(Statistics(), proven).records[states[0]].mean == 6400


def test_games_that_tell_nothing_are_refused() -> None:
    with pytest.raises(RecordError, match="of Othello"):
        gather(Statistics(), Record.from_position(boyi.start("xiangqi")))
    with pytest.raises(RecordError, match="without a result"):
        gather(Statistics(), Record.from_position(boyi.start("othello")))
