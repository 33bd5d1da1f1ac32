"""The numbers of an evaluator as data."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from boyi.core.errors import BoyiError, OptionError
from boyi.core.evaluator import Evaluator
from boyi.core.weights import by_name, change, flatten, restore, tunable
from boyi.core.weights_json import read_weights, write_weights
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
    assert read_weights(Weights(), write_weights(other)) == other
    assert read_weights(Few(), '{"one": -3}') == Few(one=-3)


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
        read_weights(Few(), text)
    assert words in str(error.value)
    assert len(str(error.value)) < 300


@dataclass(frozen=True)
class Loose:
    share: float = 0.5
    count: int = 2


def test_numbers_that_are_not_whole() -> None:
    assert read_weights(Loose(), '{"share": 0.75}') == Loose(share=0.75)
    assert read_weights(Loose(), write_weights(Loose(share=0.1))) == Loose(share=0.1)
    assert isinstance(restore(Loose(), [1, 3]).share, float)
    with pytest.raises(OptionError, match="whole number"):
        read_weights(Loose(), '{"count": 1.5}')
    with pytest.raises(OptionError, match=r"needs a number from"):
        read_weights(Loose(), '{"share": "x"}')


def test_every_number_has_a_name() -> None:
    assert by_name(Few()) == {"pair.0": 1, "pair.1": 2, "table.0.0": 3, "table.0.1": 4, "table.1.0": 5, "table.1.1": 6,
                              "one": 7}
    assert list(by_name(Weights()).values()) == flatten(Weights())
    assert change(Few(), {"pair.1": 20, "table.1.0": 50.0}) == Few((1, 20), ((3, 4), (50, 6)))
    assert isinstance(change(Few(), {"one": 8.0}).one, int)
    assert change(Loose(), {"share": 2}) == Loose(share=2.0)


@pytest.mark.parametrize(("name", "number", "words"), [
    ("pear.0", 1, "did you mean 'pair'?"),
    ("pair", 1, "has 2 numbers; say which, from pair.0 to pair.1"),
    ("table.1", 1, "from table.1.0 to table.1.1"),
    ("pair.2", 1, "there are pair.0 to pair.1"),
    ("one.0", 1, "the weight one is one number"),
    ("one", 1.5, "a whole number"),
    ("one", 10_001, "from -10000 to 10000"),
    ("one", float("nan"), "a whole number"),
])
def test_numbers_that_are_not_there_are_refused(name: str, number: float, words: str) -> None:
    with pytest.raises(BoyiError) as error:
        change(Few(), {name: number})
    assert words in str(error.value)


def test_only_an_evaluator_with_weights_can_be_tuned() -> None:
    weights, make = tunable(HandEvaluator())
    assert isinstance(make(weights), HandEvaluator)
    with pytest.raises(OptionError, match="no weights"):
        tunable(Evaluator())
