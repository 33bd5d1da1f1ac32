"""Opponents by name: every network and evaluator that comes with a game can be met."""

from __future__ import annotations

import pytest

import boyi
from boyi.agents import Clock, make_agent
from boyi.agents.opponents import find_opponent, find_opponents
from boyi.core.errors import UnknownNameError
from boyi.nets.shipped import shipped_models


@pytest.mark.parametrize("game", boyi.all_games())
def test_every_evaluator_is_an_opponent(game: str) -> None:
    names = {one.name for one in find_opponents(boyi.start(game))}
    assert names >= {f"evaluator:{name}" for name in boyi.find_game(game).evaluators if name != "ancestor_for_more"}


def test_every_network_is_an_opponent_somewhere() -> None:
    starts = [boyi.start("liuzhou"), boyi.start("liuzhou", rules="reference"), *map(boyi.start, boyi.all_games())]
    met = {one.name for start in starts for one in find_opponents(start) if one.is_network}
    assert {f"net:{name}" for name in shipped_models()} <= met


def test_an_opponent_plays() -> None:
    position = boyi.start("liuzhou")
    opponent = find_opponent("net:liuzhou", position)
    assert opponent.timed(0.05) == "mcts:net=liuzhou,seconds=0.05" and opponent.is_network
    assert position.is_legal(make_agent(opponent.timed(0.05)).choose(position.copy(), Clock()))
    with pytest.raises(UnknownNameError, match=r"evaluator:hand"):
        find_opponent("evaluator:nonsense", position)
    assert not any(one.name == "net:liuzhou" for one in find_opponents(boyi.start("liuzhou", threshold=3)))
