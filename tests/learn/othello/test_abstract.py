"""Statistics of abstract states, gathered from games."""

from __future__ import annotations

import pytest

import boyi
from boyi.core.errors import RecordError
from boyi.core.record import Record
from boyi.games.othello.abstract import abstract_state
from boyi.games.othello.states import Statistics
from boyi.learn.othello.abstract import gather


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
