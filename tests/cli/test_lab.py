"""boyi lab."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from boyi.lab import all_experiments, find_experiment, plot
from boyi.lab.experiment import Experiment, Report, Session
from tests.cli import invoke, refused


@pytest.fixture(autouse=True)
def without_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing has tests of its own."""
    monkeypatch.setattr(plot, "is_possible", lambda: False)


def test_list() -> None:
    shown = invoke("lab", "list").out
    for name, experiment in all_experiments().items():
        assert name in shown and experiment.question.en in shown
    assert "置换表有用吗？" in invoke("lab", "list", "--language", "zh").out
    assert [one["name"] for one in invoke("lab", "list", "--json").json] == list(all_experiments())


def test_run(tmp_path: Path) -> None:
    result = invoke("lab", "run", "checkers-depth", "--out", str(tmp_path))
    assert result.code == 0, result.err
    saved = json.loads((tmp_path / "checkers-depth.json").read_text(encoding="utf-8"))
    for sentence in saved["sentences"]:
        assert sentence["en"] in result.out
    assert "W-D-L of A" in result.out
    assert "pip install 'boyi[plots]'" in result.err
    assert (tmp_path / "index.md").exists()


def test_run_in_chinese(tmp_path: Path) -> None:
    result = invoke("lab", "run", "checkers-depth", "--out", str(tmp_path), language="zh")
    saved = json.loads((tmp_path / "checkers-depth.json").read_text(encoding="utf-8"))
    assert "".join(sentence["zh"] for sentence in saved["sentences"]) in result.out
    assert "未安装 matplotlib" in result.err


def test_json(tmp_path: Path) -> None:
    result = invoke("lab", "run", "checkers-depth", "--json", "--seed", "7", "--out", str(tmp_path))
    (report,) = result.json
    assert report["seed"] == 7 and report["command"] == "boyi lab run checkers-depth --scale quick --seed 7"
    assert report == json.loads((tmp_path / "checkers-depth.json").read_text(encoding="utf-8"))


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two experiments instead of all, answered from one that has been run; the names of those that run."""
    ran: list[str] = []
    known = find_experiment("checkers-depth").run("quick").tables

    def pretend(self: Experiment, scale: str, bench: Session) -> Report:
        ran.append(self.name)
        return Report.of(self, "quick", bench.seed, 0.0, known)
    monkeypatch.setattr(Experiment, "run", pretend)
    depth = find_experiment("checkers-depth")
    monkeypatch.setattr("boyi.lab.all_experiments", lambda: {"checkers-depth": depth})
    return ran


def test_all_and_resume(only: list[str], tmp_path: Path) -> None:
    for arguments, runs in ((["--resume"], 1), (["--resume"], 1), (["--resume", "--seed", "2"], 2), ([], 3)):
        result = invoke("lab", "all", "--out", str(tmp_path), *arguments)
        assert result.code == 0, result.err
        assert len(only) == runs
    assert "kept" in invoke("lab", "all", "--out", str(tmp_path), "--resume").err


def test_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(self: Experiment, scale: str, bench: Session) -> Report:
        raise KeyboardInterrupt
    monkeypatch.setattr(Experiment, "run", interrupt)
    result = invoke("lab", "run", "checkers-depth", "--out", str(tmp_path))
    assert result.code == 130
    assert "interrupted during checkers-depth" in result.err
    assert list(tmp_path.iterdir()) == []


def test_refused(tmp_path: Path) -> None:
    assert "did you mean 'othello-tt'" in refused(["lab", "run", "othello-t", "--out", str(tmp_path)])
    assert "quick, full" in refused(["lab", "run", "othello-tt", "--scale", "huge", "--out", str(tmp_path)])
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert "cannot write to" in refused(["lab", "run", "othello-tt", "--out", str(tmp_path / "file")])
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]
