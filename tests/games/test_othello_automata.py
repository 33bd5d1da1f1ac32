"""The automata of lines against Python's own regular expressions."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boyi.core.errors import TextError
from boyi.games.othello.automata import (
    FEATURES,
    LETTERS,
    Dfa,
    Nfa,
    automaton,
    compile_features,
    line_values,
    parse,
    words,
)


def occurrences(expression: str, line: str) -> int:
    """Ends of pieces of the line, with its borders, that match; by `re`, trying every piece."""
    text = f"#{line}#"
    pattern = re.compile(re.sub(r"\s", "", expression).replace(".", f"[{LETTERS}]"))
    return sum(any(pattern.fullmatch(text, begin, end) for begin in range(end)) for end in range(1, len(text) + 1))


expressions = st.recursive(
    st.sampled_from(["E", "B", "W", "#", ".", "[BE]", "[^W]", "[#W]"]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda both: f"({both[0]}|{both[1]})"),
        st.tuples(inner, st.sampled_from("*+?")).map(lambda both: f"({both[0]}){both[1]}")),
    max_leaves=8)


@given(expressions, st.text("EBW", max_size=8))
def test_python_agrees(expression: str, line: str) -> None:
    if re.fullmatch(expression, ""):
        with pytest.raises(TextError, match="no letters"):
            compile_features({"it": expression})
        return
    assert compile_features({"it": expression}).scan(line).get("it", 0) == occurrences(expression, line)


def test_features_agree_with_python() -> None:
    rng = random.Random(8)
    for line in rng.sample(words(8), 500):
        found = automaton().scan(line)
        assert found == {name: count for name, feature in sorted(FEATURES.items())
                         if (count := occurrences(feature.expression, line))}


@given(st.lists(expressions, min_size=1, max_size=3), st.text("EBW", max_size=8))
def test_minimal_finds_the_same(texts: list[str], line: str) -> None:
    texts = [text for text in texts if not re.fullmatch(text, "")]
    whole = Dfa.of(Nfa.of({str(number): text for number, text in enumerate(texts)}))
    least = whole.minimal()
    assert whole.scan(line) == least.scan(line)
    assert len(least.steps) <= len(whole.steps) and least.minimal() == least


def test_minimal_is_least() -> None:
    """Textbook sizes: `(E|B)*W` looked for anywhere is `W`, two states."""
    assert len(compile_features({"it": "(E|B)* W"}).steps) == 2
    assert len(compile_features({"it": "BWB"}).steps) == 4


def test_line_values() -> None:
    values = line_values("edge", 8)
    numbers = {line: number for number, line in enumerate(words(8))}
    assert len(values) == 3 ** 8 and words(2)[1] == "BE"
    exchange = str.maketrans("BW", "WB")
    for line, number in numbers.items():
        assert values[numbers[line[::-1]]] == values[number] == -values[numbers[line.translate(exchange)]]


@pytest.mark.parametrize("text", ["", "(", "B)", "[", "[]", "[^]", "[X]", "Q", "*B", "B||W", "a" * 300, None, 3])
def test_bad_expressions(text: str) -> None:
    with pytest.raises(TextError):
        parse(text)


def test_bad_line() -> None:
    with pytest.raises(TextError, match="E, B and W"):
        automaton().scan("EBX")
