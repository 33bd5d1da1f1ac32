"""`boyi.train`: a run from Python."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import boyi
from boyi.core.errors import MissingPartError, OptionError


@pytest.mark.slow
def test_a_run_leaves_a_model_that_plays(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed; pip install 'boyi[learn]'")
    rows: list[object] = []
    trained = boyi.train("tic_tac_toe", tmp_path / "run", iterations=1, smoke=True,
                         settings={"evaluation.every": 9, "design.width": 16}, on_iteration=rows.append)
    assert trained.model.exists() and trained.folder == tmp_path / "run"
    assert len(rows) == len(trained.metrics) == 1
    position = boyi.start("tic_tac_toe")
    with boyi.Engine(f"mcts:net={trained.model},simulations=8") as engine:
        assert position.is_legal(engine.play(position))
    again = boyi.train("tic_tac_toe", tmp_path / "run", iterations=1, smoke=True,
                       settings={"evaluation.every": 9, "design.width": 16}, on_iteration=rows.append)
    assert again.metrics == trained.metrics and len(rows) == 1


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no setting is called"):
        boyi.train("tic_tac_toe", tmp_path, minutes=1, settings={"games.simulation": 3})


def test_without_pytorch_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "boyi.learn.training.run", raising=False)
    with pytest.raises(MissingPartError, match=r"pip install 'boyi\[learn\]'"):
        boyi.train("tic_tac_toe", tmp_path, minutes=1)
