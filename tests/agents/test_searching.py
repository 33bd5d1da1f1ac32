"""Agents that search."""

from __future__ import annotations

import types
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

import boyi
from boyi.agents import Clock, all_kinds, make_agent, read_spec
from boyi.agents.searching import (
    Algorithm,
    all_algorithms,
    find_algorithm,
    find_default,
    find_evaluator,
    make_kind,
)
from boyi.core.errors import BoyiError, OptionError
from boyi.core.position import Position
from boyi.core.searcher import Limits, Line, Result
from boyi.core.words import Words
from boyi.games.chinese_checkers.evaluator import AncestorEvaluator


@dataclass(frozen=True, kw_only=True)
class FirstOptions:
    """Options of the search below, one of each type."""

    number: int = 0
    factor: float = 1.0
    flag: bool = True
    style: Literal["calm", "wild"] = "calm"
    maybe: int | None = None

    def __post_init__(self) -> None:
        if self.number > 5:
            raise OptionError("number is not from 0 to 5")


class First:
    """A search that likes the move of a given number."""

    def __init__(self, evaluator: object, options: FirstOptions) -> None:
        self.evaluator, self.options = evaluator, options

    def search(self, position: Position, limits: Limits) -> Result:
        return Result((Line((position.moves()[self.options.number],), 0.0),), 1, 1, 0.0)

    def stop(self) -> None:
        pass


PRESETS = {"two": FirstOptions(number=2, flag=False)}
FIRST = Algorithm("first", First, FirstOptions, PRESETS)


def test_algorithms_are_found() -> None:
    assert "alphabeta" in all_algorithms()
    assert set(all_algorithms()) <= set(all_kinds())
    module = types.ModuleType("boyi.search.first")
    assert find_algorithm(module) is None
    copied = type("First", (First,), {"__module__": module.__name__})
    vars(module).update(First=copied, FirstOptions=FirstOptions, PRESETS=PRESETS, Limits=Limits)
    found = find_algorithm(module)
    assert found is not None
    assert (found.name, found.searcher, found.options, dict(found.presets)) == ("first", copied, FirstOptions, PRESETS)


@pytest.mark.parametrize(("values", "options"), [
    ("", FirstOptions()),
    ("number=3,seconds=1", FirstOptions(number=3)),
    ("factor=-0.5,flag=off,style=wild,maybe=7", FirstOptions(factor=-0.5, flag=False, style="wild", maybe=7)),
    ("preset=two", FirstOptions(number=2, flag=False)),
    ("preset=two,flag=on", FirstOptions(number=2)),
])
def test_options_are_read(values: str, options: FirstOptions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(all_kinds(), "first", make_kind(FIRST))
    spec = read_spec(f"first:{values}" if values else "first")
    assert FIRST.read_options(spec.values) == options
    assert read_spec(str(spec)) == spec
    position = boyi.start("othello")
    assert spec.make().choose(position, Clock()) == position.moves()[options.number]


@pytest.mark.parametrize(("values", "words"), [
    ("number=6", "from 0 to 5"),
    ("number=x", "a whole number"),
    ("number=1.5", "a whole number"),
    ("factor=x", "a number"),
    ("factor=--1", "a number"),
    ("factor=inf", "a number"),
    ("flag=maybe", "on or off"),
    ("style=loud", "one of calm, wild"),
    ("preset=three", "one of two"),
    ("nummer=3", "did you mean 'number'?"),
    ("seconds=0", "above 0"),
    ("nodes=-1", "from 1"),
    ("depth=0", "from 1 to 1000"),
])
def test_bad_options_are_refused(values: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(all_kinds(), "first", make_kind(FIRST))
    with pytest.raises(OptionError) as caught:
        read_spec(f"first:{values}")
    assert words in str(caught.value)


@pytest.mark.parametrize(("spec", "game", "options", "words"), [
    ("alphabeta:evaluator=nobody", "othello", {}, "no evaluator of othello is called 'nobody'"),
    ("alphabeta:depth=2", "chinese_checkers", {"players": 3}, "two players"),
    ("alphabeta:depth=2", "jieqi", {}, "no chance"),
])
def test_unsuitable_searches_are_refused(spec: str, game: str, options: dict[str, int], words: str) -> None:
    with pytest.raises(BoyiError) as caught:
        read_spec(spec).check(boyi.start(game, **options))
    assert words in str(caught.value)


def test_numbers_of_the_evaluator_are_named_in_the_spec() -> None:
    game = boyi.start("xiangqi").game
    spec = read_spec("alphabeta:nodes=5,weights.rook.0=990,weights.tempo.1=-3")
    assert read_spec(str(spec)) == spec
    spec.check(boyi.start("xiangqi"))
    weights = find_evaluator(game, spec.values).weights   # type: ignore[union-attr]
    assert (weights.rook[0], weights.tempo[1], weights.pawn) == (990, -3, (105, 101))
    own = find_evaluator(boyi.start("chinese_checkers").game,
                         read_spec("multiplayer:preset=ancestor,weights.own_weight=0.00001").values)
    assert own.weights.own_weight == 0.00001              # type: ignore[union-attr]
    small = read_spec("multiplayer:weights.own_weight=0.00001")
    assert str(small) == "multiplayer:weights.own_weight=0.00001" and read_spec(str(small)) == small


def test_a_preset_brings_its_evaluator() -> None:
    game = boyi.start("chinese_checkers").game
    for preset, targets in (("ancestor", 3), ("ancestor_for_more", 1)):
        spec = read_spec(f"multiplayer:preset={preset},nodes=5")
        assert isinstance(find_evaluator(game, spec.values), AncestorEvaluator)
        assert all_algorithms()["multiplayer"].read_options(spec.values).targets == targets


def test_numbers_of_the_evaluator_come_after_its_file(tmp_path: Path) -> None:
    (tmp_path / "weights.json").write_text('{"tempo": [30, 31]}')
    spec = read_spec(f"alphabeta:weights.tempo.0=40,weights={tmp_path / 'weights.json'}")
    assert find_evaluator(boyi.start("xiangqi").game, spec.values).weights.tempo == (40, 31)   # type: ignore[union-attr]


@pytest.mark.parametrize(("text", "words"), [
    ("alphabeta:weights.rook.0=x", "parameter weights.rook.0 of alphabeta: 'x' is not a number"),
    ("alphabeta:weights.=3", "no parameter of alphabeta is called 'weights.'"),
    ("alphabeta:wights.rook.0=3", "no parameter of alphabeta is called"),
    ("alphabeta:weights.rook.0=3,weights.rook.0=4", "given twice"),
    ("random:weights.rook.0=3", "no parameter of random"),
])
def test_badly_written_numbers_are_refused(text: str, words: str) -> None:
    with pytest.raises(OptionError) as caught:
        read_spec(text)
    assert words in str(caught.value)


@pytest.mark.parametrize(("text", "game", "words"), [
    ("alphabeta:weights.rok.0=3", "xiangqi", "did you mean 'rook"),
    ("alphabeta:weights.rook=3", "xiangqi", "rook has 2 numbers"),
    ("alphabeta:weights.rook.0=3.5", "xiangqi", "a whole number"),
    ("alphabeta:weights.rook.0=3", "othello", "has no weights"),
    ("mcts:weights.rook.0=3", "tic_tac_toe", "has no evaluator"),
    ("multiplayer:weights.hop=-1", "chinese_checkers", "from 0 to 1000"),
    ("multiplayer:weights.half=0", "chinese_checkers", "from 1 to 1000"),
])
def test_numbers_that_the_evaluator_does_not_have_are_refused(text: str, game: str, words: str) -> None:
    with pytest.raises(BoyiError) as caught:
        read_spec(text).check(boyi.start(game))
    assert words in str(caught.value)


def test_alphabeta_plays() -> None:
    position = boyi.start("tic_tac_toe")
    for move in ("a1", "b2", "a2", "c1"):
        position.play(move)
    best = make_agent("alphabeta:depth=3,table_mb=1").choose(position, Clock())
    assert position.format_move(best) == "a3"


@pytest.mark.parametrize(("game", "options", "algorithm"), [
    ("xiangqi", {}, "alphabeta"), ("jieqi", {}, "expectimax"), ("chinese_checkers", {"players": 2}, "alphabeta"),
    ("chinese_checkers", {"players": 3}, "race_mcts"), ("chinese_checkers", {"players": 6}, "race_mcts"),
])
def test_searches_are_chosen_by_who_acts(game: str, options: dict[str, int], algorithm: str) -> None:
    assert find_default(boyi.start(game, **options)).name == algorithm


def test_kinds_speak_both_languages() -> None:
    for kind in all_kinds().values():
        for parameter in kind.parameters:
            assert isinstance(parameter.help, Words)
            assert parameter.help.zh
