"""What describes a run: settings by name, its folder and its results; without PyTorch, and as version 0.1.0 had it."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import boyi
from boyi.core.errors import OptionError
from boyi.learn.training.folder import RunFolder
from boyi.learn.training.results import read_settings, series
from boyi.learn.training.settings import Evaluation, Length, Plan, change_plan, flatten, read_plan
from boyi.learn.training.smoke import SMOKE


def test_a_run_is_described_without_torch() -> None:
    """In a fresh interpreter: the server needs none of these to show a run, nor does the command line to show help."""
    light = ["boyi.cli.learn", "boyi.server.results",
             *(f"boyi.learn.training.{name}" for name in ("folder", "progress", "results", "settings", "smoke"))]
    code = (f"import sys, {', '.join(light)}\n"
            "print(*{'torch', 'numpy', 'scipy', 'onnx', 'onnxruntime'} & sys.modules.keys())")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_default_folders_have_the_names_of_0_1_0() -> None:
    """They are made from these texts: the digests are of what 0.1.0 printed."""
    digests = [hashlib.sha256(plan.identity().encode()).hexdigest()[:16] for plan in (Plan(), SMOKE)]
    assert digests == ["f44c2f71b6dfd101", "baec28d79273341d"]
    assert Plan().identity() != Plan(seed=1).identity()


def test_the_names_of_0_1_0_are_written_and_read() -> None:
    plan = Plan(evaluation=Evaluation(every=3))
    facts = json.loads(json.dumps(plan.to_facts()))
    assert facts["exam"]["every"] == 3 and "evaluation" not in facts
    assert read_plan(facts) == plan == change_plan(Plan(), {"exam.every": "3"}) == change_plan(
        Plan(), {"evaluation.every": "3"})
    with pytest.raises(OptionError, match=r"did you mean 'evaluation.every'"):
        change_plan(Plan(), {"evaluation.evry": "3"})


def test_a_config_is_read_as_it_was_written(tmp_path: Path) -> None:
    folder, plan, length = RunFolder(tmp_path / "run"), change_plan(SMOKE, {"seed": "7"}), Length(games=32)
    start = boyi.start("tic_tac_toe")
    start.play("b2")
    folder.make()
    folder.write_config(start, plan, length)
    again = folder.read_plan()
    assert again[0].to_text() == start.to_text() and again[0].history() == start.history()
    assert again[1:] == (plan, length)
    settings = read_settings(folder)
    assert settings["card.game"] == "tic_tac_toe" and settings["plan.exam.every"] == 3
    assert settings["length.games"] == 32
    folder.write_config(start, plan, Length(games=64))     # longer, but otherwise the same
    assert read_settings(folder)["length.games"] == 64
    assert read_settings(RunFolder(tmp_path)) == {}
    folder.config.write_text("[1]")
    assert read_settings(folder) == {}


def test_every_score_has_the_error_of_its_name() -> None:
    rows: list[dict[str, Any]] = [
        {"iteration": 2, "time": 1.0, "random_score": 0.75, "random_error": 0.05, "elo": 10, "last": True},
        {"iteration": 4, "elo": 20.0, "elo_error": 5.0, "loss": float("nan")}]
    found = {one.name: one for one in series(rows)}
    assert found.keys() == {"random_score", "elo"}
    assert found["random_score"].errors == {2: 0.05} and found["elo"].values == {2: 10, 4: 20}
    assert found["elo"].errors == {4: 5}


def test_flattened_names_have_dots() -> None:
    assert flatten({"a": {"b": {"c": 1}, "d": []}, "e": {}}) == {"a.b.c": 1, "a.d": []}
