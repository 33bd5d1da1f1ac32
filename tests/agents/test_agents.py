"""The agents, and the spec strings that name them."""

from __future__ import annotations

import builtins
from collections import Counter
from collections.abc import Iterator

import pytest

import boyi
from boyi.agents import Agent, Clock, all_kinds, make_agent, read_spec
from boyi.agents.human import HumanAgent
from boyi.agents.spec import split_specs
from boyi.core.errors import BoyiError, IllegalMoveError, OptionError, TextError, UnknownNameError


def moves(agent: Agent, count: int) -> list[int]:
    position = boyi.start("othello")
    chosen = []
    for _ in range(count):
        chosen.append(agent.choose(position.observe(position.turn), Clock()))
        position.play(chosen[-1])
    return chosen


def test_kinds_are_found() -> None:
    assert {"random", "human"} <= all_kinds().keys()
    for name, kind in all_kinds().items():
        assert kind.name == name
        assert kind.title.zh
        assert kind.help.zh


# ---------------------------------------------------------------------- specs

@pytest.mark.parametrize("text", ["random", "random:seed=3", "human", " random "])
def test_specs_are_written_as_read(text: str) -> None:
    assert str(read_spec(text, trusted=True)) == text.strip()


@pytest.mark.parametrize(("text", "error", "words"), [
    ("", UnknownNameError, "There are: "),
    ("randm", UnknownNameError, "did you mean 'random'?"),
    ("Random", UnknownNameError, "There are: "),
    (":seed=3", UnknownNameError, "There are: "),
    ("random:", OptionError, "NAME=VALUE"),
    ("random:seed", OptionError, "NAME=VALUE"),
    ("random:=3", OptionError, "NAME=VALUE"),
    ("random:seed=", OptionError, "a whole number from 0"),
    ("random:seed=x", OptionError, "a whole number from 0"),
    ("random:seed=-1", OptionError, "a whole number from 0"),
    ("random:seed=٣", OptionError, "a whole number from 0"),
    ("random:seed=" + "9" * 10_000, OptionError, "a whole number from 0"),
    ("random:seed=1,seed=2", OptionError, "given twice"),
    ("random:speed=1", OptionError, "did you mean 'seed'?"),
    ("human:seed=1", OptionError, "no parameters"),
])
def test_bad_specs_are_refused(text: str, error: type[BoyiError], words: str) -> None:
    with pytest.raises(error) as caught:
        read_spec(text, trusted=True)
    assert words in str(caught.value)
    assert len(str(caught.value)) < 400


def test_fill_sets_only_what_is_open() -> None:
    assert str(read_spec("random").fill(seed=5, depth=3)) == "random:seed=5"
    assert str(read_spec("random:seed=1").fill(seed=5)) == "random:seed=1"
    assert str(read_spec("human", trusted=True).fill(seed=5)) == "human"


def test_several_specs_in_one_text() -> None:
    assert split_specs("human") == ["human"]
    assert split_specs("a:x=1,y=2,b,c:z=3") == ["a:x=1,y=2", "b", "c:z=3"]
    for text in ("", ",", "a,,b", "a,"):
        with pytest.raises(TextError):
            split_specs(text)


# ---------------------------------------------------------------------- random

def test_random_repeats_itself_with_a_seed() -> None:
    assert moves(make_agent("random:seed=3"), 20) == moves(make_agent("random:seed=3"), 20)
    assert moves(make_agent("random:seed=3"), 20) != moves(make_agent("random:seed=4"), 20)
    assert moves(make_agent("random"), 30) != moves(make_agent("random"), 30)


def test_random_plays_every_move_equally_often() -> None:
    agent, position = make_agent("random:seed=1"), boyi.start("othello")
    counts = Counter(agent.choose(position, Clock()) for _ in range(4_000))
    # 4 moves, 1000 each; five standard deviations are 137.
    assert set(counts) == set(position.moves())
    assert all(abs(count - 1_000) < 137 for count in counts.values())


# ---------------------------------------------------------------------- human

def answers(*lines: str) -> Iterator[str]:
    yield from lines


def test_human_is_asked_until_the_move_is_legal() -> None:
    lines = answers("", "zz", "help", "a1", " f5 ")
    told: list[BoyiError] = []
    agent = HumanAgent(ask=lambda observation: next(lines), command=lambda line, observation: line == "help",
                       tell=lambda error, line, observation: told.append(error))
    position = boyi.start("othello")
    assert position.format_move(agent.choose(position, Clock())) == "f5"
    assert [type(error) for error in told] == [TextError, IllegalMoveError]


def test_human_by_spec_talks_to_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    lines = answers("a1", "f5")
    prompts: list[str] = []

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        return next(lines)

    monkeypatch.setattr(builtins, "input", ask)
    position = boyi.start("othello")
    assert position.format_move(make_agent("human", trusted=True).choose(position, Clock())) == "f5"
    assert prompts == ["Black: ", "Black: "]
    assert "not a legal move" in capsys.readouterr().out
