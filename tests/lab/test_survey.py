"""Values in a compiled loop."""

from __future__ import annotations

import pytest

import boyi
from boyi.core.errors import TextError
from boyi.games import find_game
from boyi.lab.positions import random_positions
from boyi.lab.survey import sum_values


def test_sum_of_values() -> None:
    game = find_game("othello")
    evaluator = game.evaluators["classic"]()
    positions = [position for _, position in random_positions(game.start(), (0, 9, 30), 3, seed=5)]
    assert len(positions) == 7
    assert sum_values(evaluator, positions) == sum(map(evaluator.value, positions)) != 0
    assert sum_values(evaluator, positions, 3) == 3 * sum_values(evaluator, positions)
    assert sum_values(evaluator, []) == 0


def test_what_cannot_be_valued_is_refused() -> None:
    evaluator = find_game("othello").evaluators["classic"]()
    with pytest.raises(TextError):
        sum_values(evaluator, [boyi.start("othello"), boyi.start("xiangqi")])
    nothing: list[boyi.Position] = [None]  # type: ignore[list-item]
    with pytest.raises(TypeError):
        sum_values(evaluator, nothing)
