"""Statistics for ProbCut: measured end to end on a few games, their file, and what an evaluator tells of them."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

import boyi
from boyi.core.errors import BoyiError, OptionError
from boyi.core.evaluator import Evaluator
from boyi.games import find_game
from boyi.games.othello.evaluator import PatternEvaluator
from boyi.games.othello.probcut import OWN_FILE, SHALLOW, TO_THE_END, Fit, ProbCut, own_probcut

np = pytest.importorskip("numpy")

from boyi.learn.othello import probcut  # noqa: E402
from boyi.learn.othello.settings import ProbCutSettings  # noqa: E402
from tests.learn.othello.test_patterns import random_games  # noqa: E402

GAME = find_game("othello")


def test_line() -> None:
    rng = np.random.default_rng(1)
    shallow = rng.normal(0, 1000, 5000)
    slope, offset, deviation = probcut.line(shallow, 0.9 * shallow + 50 + rng.normal(0, 300, 5000))
    assert abs(slope - 0.9) < 0.02 and abs(offset - 50) < 20 and abs(deviation - 300) < 15


def test_measured_end_to_end(tmp_path: Path) -> None:
    (tmp_path / "games.wtb").write_bytes(random_games(20, 3)[1])
    settings = ProbCutSettings(positions=10, deepest=4, solved=12, solutions=10, seed=5)
    stages: list[int] = []
    found = probcut.learn(tmp_path, settings, stages.append)
    assert stages == list(range(6, 61))
    assert found.card["command"] == "boyi learn probcut probcut.json --positions 10 --deepest 4 --solved 12 " \
                                    "--solutions 10 --seed 5"
    for fit in found.fits:
        assert fit.deep == TO_THE_END or fit.shallow == SHALLOW[fit.deep]
        assert (fit.count == 0) == (fit.deep > 4 or (fit.deep == TO_THE_END and fit.discs not in (40, 52)))
    assert ProbCut.from_text(found.to_text()) == found
    again = probcut.learn(tmp_path, settings)
    assert again.fits == found.fits


def test_the_file_of_the_package() -> None:
    own = own_probcut()
    assert "boyi learn probcut" in own.card["command"] and own.card["games"] > 100_000
    assert own == ProbCut.from_text((files(GAME.module) / OWN_FILE).read_text(encoding="utf-8"))
    told = {(fit.discs, fit.deep): fit for fit in own.fits}
    assert len(told) == len(own.fits)
    # Deep searches from deep in the game are told about within a few discs, and better than those from far away.
    assert 50 < told[36, 4].deviation < 400 and told[36, 4].deviation < told[36, 8].deviation * 1.5
    assert 0.8 < told[36, 4].slope < 1.2


def test_what_an_evaluator_tells() -> None:
    position = boyi.start("othello")
    evaluator = PatternEvaluator()
    for move in "f5 d6 c3 d3 c4".split():
        position.play(position.parse_move(move))
    told = {(fit.discs, fit.deep): fit for fit in own_probcut().fits}
    for depth in range(3, 13):
        fit = told[9, depth]
        assert evaluator.foretold(position, depth) == (fit.shallow, fit.slope, fit.offset, fit.deviation)
    assert evaluator.foretold(position, 0) is None and evaluator.foretold(position, 2) is None
    assert evaluator.foretold(position, 1000) is None and evaluator.foretold(position, -1) is None
    assert Evaluator().foretold(position, 6) is None
    late = boyi.parse("othello", "-O-OX-XOXOOXX-OOXXOOOOOO-XXOXXXO-XXOOOXOX-XOOOOO-XXO-XOOXX-OOOOO X")
    assert evaluator.foretold(late, 8) is not None and evaluator.foretold(late, 10) is None, "to the end: no statistics"


def test_refusals() -> None:
    with pytest.raises(OptionError, match="deepest"):
        ProbCutSettings(deepest=1)
    for text in ("", "{}", ProbCut((Fit(3, 1, 3, 1.0, 0.0, 1.0, 0),)).to_text(),
                 ProbCut((Fit(30, 4, 3, 1.0, 0.0, 1.0, 0),)).to_text(),
                 ProbCut((Fit(30, 1, 3, 1.0, 0.0, 0.0, 0),)).to_text()):
        with pytest.raises(BoyiError, match="no statistics for ProbCut"):
            ProbCut.from_text(text)
