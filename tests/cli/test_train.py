"""boyi train, and its stages: small trainings from end to end, and what is refused."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.cli import invoke, refused
from tests.nets.models import write_model

pytest.importorskip("torch", reason="PyTorch is not installed; pip install 'boyi[learn]'")

TINY = ("--set", "games.simulations=4", "--set", "games_per_iteration=8", "--set", "chunk=8", "--set", "held_out=4",
        "--set", "design.width=8", "--set", "exam.random_games=2", "--set",
        "exam.random_games_in_full=0", "--set", "exam.level_games=0", "--set",
        "exam.promotion_games=2", "--set", "exam.simulations=4")


def test_a_run_and_its_stages(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    done = invoke("train", "tic_tac_toe", "--iterations", "2", "--run", str(whole), *TINY, "--profile", "--json")
    assert done.code == 0, done.err
    assert "to continue: boyi train tic_tac_toe --iterations 2" in done.err
    facts = done.json
    assert facts["iterations"] == 2 and facts["games"] == 16 and not facts["interrupted"]
    assert [share["where"] for share in facts["profile"]] == ["rules", "search", "network", "training", "evaluation"]
    assert sum(share["share"] for share in facts["profile"]) == pytest.approx(1)
    assert (whole / "report.html").exists() and Path(facts["model"]).exists()

    again = invoke("train", "tic_tac_toe", "--iterations", "2", "--run", str(whole), *TINY)
    assert again.code == 0 and "2 iterations are there already" in again.err and facts["weights"][:16] in again.out

    command = ("train", "tic_tac_toe", "--iterations", "2", "--run", str(parts), *TINY, "--prepare")
    assert "boyi learn selfplay" in invoke(*command).out
    for _ in range(2):
        assert invoke("learn", "selfplay", str(parts), "--json").json["games"] == 8
        line = invoke("learn", "train", str(parts), "--json").json
    assert line["weights"] == facts["weights"]
    assert "iteration 0" in invoke("learn", "evaluate", str(parts)).out

    model = tmp_path / "model.onnx"
    exported = invoke("learn", "export", str(parts), str(model), "--iteration", "2", "--note", "rating=7",
                      "--json").json
    assert exported["card"]["notes"]["rating"] == "7" and exported["card"]["notes"]["iteration"] == 2
    for place in (str(model), str(parts)):
        found = invoke("learn", "infer", "tic_tac_toe", place, "--moves", "b2", "--simulations", "50", "--json").json
        (shown,) = found["positions"]
        assert 0 <= shown["network"] <= 1 and sum(one["share"] for one in shown["moves"]) == pytest.approx(1)
        assert all(0 <= one["value"] <= 1 and 0 <= one["prior"] <= 1 for one in shown["moves"])
    game = invoke("learn", "infer", "tic_tac_toe", str(model), "--simulations", "50", "--whole")
    assert game.code == 0 and "the game is over" in game.out and "网络" in invoke(
        "learn", "infer", "tic_tac_toe", str(model), language="zh").out


def test_smoke() -> None:
    done = invoke("train", "tic_tac_toe", "--smoke")
    assert done.code == 0 and "3 iterations, 48 games" in done.out and "report" not in done.out   # nothing is left


@pytest.mark.parametrize(("words", "message"), [
    ([], "say how long to train"), (["--minutes", "1", "--games", "3"], "not minutes and games"),
    (["--smoke", "--minutes", "1"], "has its own length"),
    (["--iterations", "1", "--set", "games.simulation=3"], "did you mean 'games.simulations'"),
    (["--iterations", "1", "--set", "simulations"], "NAME=VALUE")])
def test_refused(words: list[str], message: str, tmp_path: Path) -> None:
    assert message in refused(["train", "tic_tac_toe", "--run", str(tmp_path), *words])


def test_wrong_folders_and_models_are_refused(tmp_path: Path) -> None:
    import boyi

    assert "there is no run" in refused(["learn", "train", str(tmp_path / "none")])
    assert "no model" in refused(["learn", "infer", "othello", str(tmp_path)])
    model = write_model(tmp_path / "a.onnx", boyi.start("liuzhou"))
    assert "not for othello" in refused(["learn", "infer", "othello", str(model)])
    invoke("train", "tic_tac_toe", "--iterations", "1", "--run", str(tmp_path / "run"), "--prepare")
    message = refused(["train", "othello", "--iterations", "1", "--run", str(tmp_path / "run")])
    assert "is of 'tic_tac_toe' and not of othello" in message


def test_missing_torch_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in sys.modules if name.startswith("boyi.learn.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    (tmp_path / "config.json").write_text(json.dumps({}), encoding="utf-8")
    for command in (["train", "othello", "--smoke"], ["learn", "train", str(tmp_path)]):
        assert "pip install 'boyi[learn]'" in refused(command)
