"""The vectorised loops of networks: each gives the same values as plain arithmetic, whatever the processor."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from array import array
from collections.abc import Iterator
from functools import cache

import pytest

import boyi
from boyi.core.errors import BoyiError
from boyi.games import find_game
from boyi.games.xiangqi.net import XiangqiNet
from boyi.kit.nnue import Net, kernels, use_kernels
from tests.scale import scaled


@pytest.fixture(params=kernels())
def chosen(request: pytest.FixtureRequest) -> Iterator[str]:
    use_kernels(request.param)
    yield request.param
    use_kernels(kernels()[-1])


@cache
def make_net(width: int, inputs: str, extreme: bool = False) -> Net:
    """A network of random numbers, or of the largest there are."""
    dice, rows = random.Random(width), XiangqiNet.find_inputs(inputs).rows
    facts = {"inputs": inputs, "width": width, "rows": rows, "buckets": 4, "scale": 300.0, "base": False,
             "unit": 300.0 if extreme else 30.0}
    first = dice.choices((600,) if extreme else range(-90, 91), k=(rows + 1) * width)
    last = dice.choices((127,) if extreme else range(-127, 128), k=8 * width)
    return Net(facts, array("h", (*first, *last)).tobytes() + bytes(16))


@pytest.mark.parametrize("inputs", ["xiangqi 3", "xiangqi 4"])
@pytest.mark.parametrize("width", [16, 32, 48, 112, 128, 144, 512])
def test_values_are_those_of_plain_arithmetic(chosen: str, width: int, inputs: str) -> None:
    """Widths that fill vectors of any size, and some that leave parts over."""
    dice = random.Random(width)
    evaluator = XiangqiNet(make_net(width, inputs))
    position, values = find_game("xiangqi").start(), set()
    for _ in range(scaled(2_000)):
        if position.turn == boyi.OVER or (position.ply and dice.random() < 0.3):
            position.undo()
        else:
            position.play(dice.choice(position.moves()))
        if position.turn >= 0 and position.outcome() is None:
            values.add(evaluator.fresh_value(position))
            assert evaluator.value(position) == evaluator.fresh_value(position), chosen
    assert len(values) > 20


def test_the_largest_numbers_do_not_overflow(chosen: str) -> None:
    evaluator = XiangqiNet(make_net(512, "xiangqi 3", extreme=True))
    position = boyi.parse("xiangqi", "3k5/9/9/9/9/9/9/9/4p4/4K4 w - - 0 1")
    assert evaluator.value(position) == evaluator.fresh_value(position) == 28_000, chosen


def test_the_best_are_used_unless_the_environment_says_otherwise() -> None:
    assert kernels()[0] == "plain"
    with pytest.raises(BoyiError, match="plain"):
        use_kernels("none of them")
    command = [sys.executable, "-c", "import boyi.kit.nnue"]
    assert subprocess.run(command, env=os.environ | {"BOYI_KERNELS": "plain"}, check=False).returncode == 0
    wrong = subprocess.run(command, env=os.environ | {"BOYI_KERNELS": "x"}, check=False, capture_output=True, text=True)
    assert wrong.returncode != 0 and "no loops" in wrong.stderr
