"""Fitting an evaluator to games that it plays against itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import boyi
from boyi.agents.searching import find_evaluator as evaluator_of
from boyi.core.errors import OptionError
from boyi.core.weights import flatten, restore
from boyi.core.weights_json import read_weights
from boyi.games import find_game
from boyi.games.xiangqi.evaluator import HandEvaluator
from boyi.games.xiangqi.weights import Weights
from tests.cli import invoke

np = pytest.importorskip("numpy", reason="training needs numpy: pip install 'boyi[learn]'")

from boyi.learn.fitting.labels import expected_score, find_scale  # noqa: E402
from boyi.learn.fitting.settings import WeightSettings  # noqa: E402
from boyi.learn.fitting.weights import SCALES, SMALLEST, features, fit, gather, improve, play_itself  # noqa: E402

GAME = find_game("xiangqi")
FEW = WeightSettings(games=20, nodes=60, damping=20, seed=3)


def test_the_features_are_what_the_evaluator_adds_up() -> None:
    """Any other numbers: the value must change as the features say, up to rounding."""
    samples = play_itself("xiangqi", "hand", FEW, 1)
    texts = [sample.text for sample in samples][::7]
    table, values = features(GAME, HandEvaluator, Weights(), texts)
    dice = np.random.default_rng(1)
    shift = dice.integers(-20, 21, table.shape[1])
    other = HandEvaluator(restore(Weights(), [int(number) for number in flatten(Weights()) + shift]))
    for row, text in enumerate(texts):
        assert abs(other.value(GAME.parse(text)) - (values[row] + table[row] @ shift)) <= 12


def test_a_fit_finds_the_numbers_behind_the_labels() -> None:
    dice = np.random.default_rng(2)
    table = dice.normal(size=(4_000, 5)).astype(np.float32)
    truth = np.array([30.0, -20.0, 0.0, 55.0, 10.0])
    step = fit(table, np.zeros(4_000), expected_score(table @ truth / 100), 100.0, 0.0)
    assert np.abs(step - truth).max() < 0.5


def test_damping_holds_numbers_that_nothing_speaks_of() -> None:
    table = np.zeros((100, 2), np.float32)
    table[:, 0] = 1
    step = fit(table, np.zeros(100), np.full(100, 0.7), 100.0, 1.0)
    assert step[0] > 50 and step[1] == 0


def test_the_scale_is_what_the_results_say() -> None:
    dice = np.random.default_rng(3)
    values = dice.normal(size=20_000) * 400
    results = np.where(dice.random(20_000) < expected_score(values / 300), 1.0, -1.0)
    assert 270 < find_scale(values, results, SCALES, SMALLEST) < 330


def test_games_are_repeatable_and_their_samples_quiet() -> None:
    one = gather(GAME, "hand", FEW, 1)
    assert one == gather(GAME, "hand", FEW, 2)
    assert {sample.game for sample in one} == set(range(20))
    assert not any(GAME.parse(sample.text).checked for sample in one)
    assert {sample.result for sample in one} <= {1.0, 0.0, -1.0}


@pytest.mark.slow
def test_a_wrong_number_is_mended() -> None:
    """Rooks that are worth as much as pawns: a few games say that it is not so."""
    wrong = replace(Weights(), rook=(300, 300))
    samples = gather(GAME, "hand", replace(FEW, games=40), 2)
    game = replace(GAME, evaluators={"wrong": lambda: HandEvaluator(wrong)})
    better, report = improve(game, "wrong", samples, replace(FEW, share=0.0, damping=200))
    assert better.rook[0] > 350
    assert report.loss_after < report.loss_before
    assert report.samples == len(samples)


@pytest.mark.slow
def test_the_command_writes_weights_that_an_agent_plays_with(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    answer = invoke("learn", "weights", "xiangqi", str(file), "--games", "20", "--nodes", "40")
    assert answer.code == 0 and "numbers changed" in answer.out
    evaluator = evaluator_of(GAME, {"weights": str(file)})
    assert isinstance(evaluator, HandEvaluator)
    assert evaluator.weights == read_weights(Weights(), file.read_text(encoding="utf-8")) != Weights()


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="at least 20"):
        WeightSettings(games=3)
    with pytest.raises(OptionError, match="from 0 to 1"):
        WeightSettings(share=1.5)
    with pytest.raises(OptionError, match="cannot be read"):
        evaluator_of(GAME, {"weights": str(tmp_path / "none")})
    (tmp_path / "some").write_text("{}")
    with pytest.raises(OptionError, match="no weights"):
        evaluator_of(boyi.start("othello").game, {"weights": str(tmp_path / "some"), "evaluator": "classic"})
