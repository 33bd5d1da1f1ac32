"""What version 0.1.0 learnt: a training run goes on, books and statistics grow, fitted evaluators play the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli import invoke
from tests.compat import DATA, commands, unpack
from tests.compat.test_spellings import analyse, rounded


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def read(name: str) -> Any:
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def read_metrics(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    return [untimed(json.loads(line)) for line in lines]


def untimed(line: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in line.items() if name not in ("time", "seconds", "exam_seconds")}


def without_levels(facts: dict[str, Any]) -> dict[str, Any]:
    """What does not depend on how the levels play, which is another way since 0.2."""
    left = {name: value for name, value in facts.items()
            if name not in ("level", "level_score", "level_error", "elo", "elo_error")}
    if "results" in left:
        left["results"] = [game for game in left["results"] if not any("level" in agent for agent in game["agents"])]
    return left


def test_a_training_run_goes_on(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnxruntime")
    kept = read("run.json")
    unpack("run.tar.xz", tmp_path)
    folder = tmp_path / kept["folder"]
    before = read_metrics(folder)
    assert [line["iteration"] for line in before] == [1, 2]

    result = invoke(*commands.TRAIN, "--json")
    assert result.code == 0, result.err
    assert "2 iterations are there already" in result.err   # in the folder whose name is made of the settings
    assert result.json["folder"] == kept["folder"]
    metrics = read_metrics(folder)
    expected = [untimed(line) for line in kept["metrics"]]
    assert metrics[:2] == before == expected[:2]
    assert [line["iteration"] for line in metrics] == [1, 2, 3, 4]
    assert all(line.keys() == other.keys() for line, other in zip(metrics, expected, strict=True))
    if kept["machine"] == [torch.__version__, torch.backends.cpu.get_cpu_capability()]:
        # Down to the digest of the weights.
        assert list(map(without_levels, metrics)) == list(map(without_levels, expected))
        assert list(map(without_levels, result.json["exams"])) == list(map(without_levels, kept["report"]["exams"]))
    else:
        assert [line["games"] for line in metrics] == [line["games"] for line in expected]


def test_the_stages_of_a_run_go_on(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    kept = read("run.json")
    unpack("run.tar.xz", tmp_path)
    for stage, field in (("selfplay", "iteration"), ("train", "iteration"), ("evaluate", "iteration")):
        result = invoke("learn", stage, kept["folder"], "--json")
        assert result.code == 0, result.err
        assert result.json[field] == 3
    assert invoke("learn", "export", kept["folder"], "model.onnx").code == 0


def test_books_and_statistics_grow(tmp_path: Path) -> None:
    """They are read and added to. What is added was played by a search that is better now."""
    unpack("learnt.tar.xz", tmp_path)
    for name, command in (("states.xz", commands.ABSTRACT), ("book.xz", commands.BOOK)):
        before = (tmp_path / name).read_bytes()
        assert invoke(*command, "--add").code == 0
        assert (tmp_path / name).read_bytes() != before
    from boyi.games.othello.states import Statistics
    unpack("learnt.tar.xz", tmp_path / "old")
    ours, theirs = (Statistics.from_bytes((tmp_path / folder / "states.xz").read_bytes()) for folder in (".", "old"))
    assert all(ours.records[state].count >= record.count for state, record in theirs.records.items())


def test_fitted_evaluators_play_the_same(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    unpack("learnt.tar.xz", tmp_path)
    kept = read("learnt.json")
    for name, words in commands.FITTED.items():
        found = analyse(words)
        if commands.searches_anew(" ".join(words)):
            assert found["lines"] and found["search"] == kept[name]["search"], name
        else:
            assert found == rounded(kept[name]), name


def test_positions_of_self_play_are_told_from_todays(tmp_path: Path) -> None:
    """They lie in another format now; nothing of theirs is touched."""
    unpack("learnt.tar.xz", tmp_path)
    shard = tmp_path / "positions" / "shard-00000.xz"
    before = shard.read_bytes()
    result = invoke(*(word.replace("net.xz", "again.xz") for word in commands.EVALUATOR))
    assert result.code == 2 and "earlier version of Boyi" in result.err and "another folder" in result.err
    assert shard.read_bytes() == before and not (tmp_path / "again.xz").exists()
