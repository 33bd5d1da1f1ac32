"""Positions as arrays: what the encoder says, of what the player may know."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import boyi
from boyi.core.errors import BoyiError, OptionError
from boyi.core.position import Position
from boyi.envs import encode, encoder_of, legal_actions, legal_mask
from tests.envs.variants import OURS, TOYS, asked_of, start
from tests.walks import walk


def acting(name: str, rules: dict[str, Any], seed: int) -> Position:
    """A position of a random game in which a player acts."""
    position = walk(start(name, rules), seed, seed)
    while position.turn < 0:
        position = start(name, rules) if position.turn == boyi.OVER else walk(position, 1, seed)
    return position


@asked_of(OURS + TOYS)
def test_arrays_say_what_the_encoder_says(name: str, rules: dict[str, Any]) -> None:
    positions = [acting(name, rules, seed) for seed in range(6)]
    features, mask = encode(positions), legal_mask(positions)
    assert features.dtype == np.float32 and mask.dtype == np.bool_
    for row, position in enumerate(positions):
        encoder = position.game.make_encoder(position.options)
        assert features[row].tolist() == pytest.approx(encoder.features(position.observe(position.turn)))
        actions = {encoder.policy_index(position, move): move for move in position.moves()}
        assert legal_actions(position) == actions
        assert np.flatnonzero(mask[row]).tolist() == sorted(actions)


def test_the_encoder_is_made_once() -> None:
    assert encoder_of(boyi.start("xiangqi")) is encoder_of(boyi.start("xiangqi"))
    two, three = (encoder_of(boyi.start("chinese_checkers", players=players)) for players in (2, 3))
    assert (two.players, three.players) == (2, 3)


def test_wrong_positions_are_refused() -> None:
    with pytest.raises(OptionError, match="there are no positions here"):
        encode([])
    with pytest.raises(OptionError, match="'othello' is not a position"):
        legal_mask(["othello"])  # type: ignore[list-item]
    with pytest.raises(OptionError, match=r"here are othello under .* and xiangqi under"):
        encode([boyi.start("othello"), boyi.start("xiangqi")])
    with pytest.raises(BoyiError, match="no player acts"):
        legal_actions(boyi.parse("othello", "X" * 64 + " X"))
