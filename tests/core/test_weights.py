"""The numbers of an evaluator as data."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from boyi.core.errors import BoyiError, OptionError
from boyi.core.evaluator import Evaluator
from boyi.core.weights import flatten, read, restore, tunable, write
from boyi.games.xiangqi.evaluator import HandEvaluator
from boyi.games.xiangqi.weights import Weights


@dataclass(frozen=True)
class Few:
    pair: tuple[int, int] = (1, 2)
    table: tuple[tuple[int, ...], ...] = ((3, 4), (5, 6))
    one: int = 7


def test_numbers_go_out_and_come_back() -> None:
    assert flatten(Few()) == [1, 2, 3, 4, 5, 6, 7]
    assert restore(Few(), [10, 20, 30, 40, 50, 60, 70]) == Few((10, 20), ((30, 40), (50, 60)), 70)
    assert restore(Weights(), flatten(Weights())) == Weights()


def test_json_goes_out_and_comes_back() -> None:
    other = restore(Weights(), [number + 1 for number in flatten(Weights())])
    assert read(Weights(), write(other)) == other
    assert read(Few(), '{"one": -3}') == Few(one=-3)


@pytest.mark.parametrize(("text", "words"), [
    ("no json", "not: 'no json'"),
    ("[" * 100_000, "weights are JSON"),
    ("[1]", "a JSON object"),
    ('{"two": 1}', "'two'"),
    ('{"one": 1.5}', "whole number"),
    ('{"one": true}', "whole number"),
    ('{"one": 10001}', "from -10000 to 10000"),
    ('{"one": [1]}', "whole number"),
    ('{"pair": [1]}', "a list of 2"),
    ('{"pair": 1}', "a list of 2"),
    ('{"table": [[1, 2], [3, 4, 5]]}', "a list of 2"),
])
def test_what_is_no_weights_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(BoyiError) as error:
        read(Few(), text)
    assert words in str(error.value)
    assert len(str(error.value)) < 300


def test_only_an_evaluator_with_weights_can_be_tuned() -> None:
    weights, make = tunable(HandEvaluator())
    assert isinstance(make(weights), HandEvaluator)
    with pytest.raises(OptionError, match="no weights"):
        tunable(Evaluator())
