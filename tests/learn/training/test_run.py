"""A run: killed anywhere it ends the same; its files say what happened; what does not fit is refused."""

from __future__ import annotations

import json
import os
import random
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

import boyi
from boyi.agents import Clock, read_spec
from boyi.arena.pool import Pool
from boyi.core.errors import BoyiError, OptionError, RecordError
from boyi.core.game import load
from tests.scale import scaled

torch = pytest.importorskip("torch", reason="PyTorch is not installed; pip install 'boyi[learn]'")
pytest.importorskip("onnx", reason="onnx is not installed; pip install 'boyi[learn]'")
pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed; pip install 'boyi[nets]'")

from boyi.learn import files  # noqa: E402
from boyi.learn.training.run import Run  # noqa: E402
from boyi.learn.training.settings import (  # noqa: E402
    Design,
    Evaluation,
    Learning,
    Length,
    Plan,
    SelfPlay,
    change_plan,
    flatten,
)

TINY = Plan(
    design=Design(width=16), games=SelfPlay(at_once=4, simulations=4), learning=Learning(batch=16),
    evaluation=Evaluation(every=2, simulations=4, random_games=4, random_simulations=4, random_games_in_full=6, level=1,
                          level_games=2, level_simulations=4, ladder_games=2, promotion_games=4),
    games_per_iteration=12, chunk=4, first_window=100, largest_window=150, held_out=4)
CLOCK = ("time", "seconds", "exam_seconds")
"""What no two runs have alike."""


class Killed(BaseException):
    """As if the process were no more."""


def go(folder: Path, plan: Plan = TINY, iterations: int = 4, jobs: int = 1) -> Run:
    run = Run(folder, boyi.start("tic_tac_toe"), plan, Length(iterations=iterations))
    with Pool(jobs) as pool:
        list(run.work(pool))
    return run


def numbers(run: Run) -> list[dict[str, Any]]:
    return [{name: value for name, value in line.items() if name not in CLOCK} for line in run.metrics]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run that nobody disturbed."""
    return go(tmp_path_factory.mktemp("whole"))


def test_killed_anywhere_it_ends_the_same(whole: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed at twenty random writes, half of them before the file is there and half of them after."""
    write, left, generator = files.write_whole, [0], random.Random(4)

    def fragile(path: Path, content: bytes) -> None:
        left[0] -= 1
        if left[0] == 0 and generator.random() < 0.5:
            raise Killed
        write(path, content)
        if left[0] <= 0:
            raise Killed

    monkeypatch.setattr(files, "write_whole", fragile)
    kills = 0
    while True:
        left[0] = generator.randint(1, 8) if kills < 20 else 10**9
        try:
            run = go(tmp_path)
        except Killed:
            kills += 1
            continue
        break
    assert kills >= 10
    assert numbers(run) == numbers(whole)
    assert run.metrics[-1]["weights"] == whole.metrics[-1]["weights"]
    for name in ("ratings.json", "exams/00002.json", "exams/00004.json", "checkpoints/00004.onnx"):
        assert (tmp_path / name).read_bytes() == (whole.folder.path / name).read_bytes(), name


@pytest.mark.slow
def test_killed_by_the_system_it_ends_the_same(whole: Run, tmp_path: Path) -> None:
    """SIGKILL at random moments, twenty times in a soak; every second time others play while it learns."""
    command = [sys.executable, "-m", "boyi", "train", "tic_tac_toe", "--iterations", "4", "--run", str(tmp_path),
               "--json"]
    for name, value in flatten(asdict(TINY)).items():
        command += ["--set", f"{name}={value}"]
    generator = random.Random(8)
    for kill in range(scaled(20)):
        process = subprocess.Popen([*command, "--workers", str(1 + kill % 2)], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        files = count_files(tmp_path) + generator.randint(1, 6)
        while process.poll() is None and count_files(tmp_path) < files:
            time.sleep(0.002)   # nothing tells of a file that another process makes
        time.sleep(generator.random() * 0.05)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["weights"] == whole.metrics[-1]["weights"]


def count_files(folder: Path) -> int:
    return sum(1 for path in folder.rglob("*") if path.is_file())


def test_several_workers_play_the_same_games(whole: Run, tmp_path: Path) -> None:
    """And learn the same from them, although they play the next ones meanwhile."""
    assert numbers(go(tmp_path, jobs=2)) == numbers(whole)


def test_a_finished_run_goes_on_if_it_is_given_more_time(tmp_path: Path) -> None:
    """The shortest runs have one iteration."""
    for minutes, iterations in ((1e-9, 1), (1e-9, 1), (2e-9, 2), (1e-9, 2)):
        run = Run(tmp_path, boyi.start("tic_tac_toe"), TINY, Length(minutes=minutes))
        with Pool(1) as pool:
            list(run.work(pool))
        assert run.iteration == iterations and run.progress.finished


def test_other_seeds_learn_otherwise(whole: Run, tmp_path: Path) -> None:
    assert go(tmp_path, replace(TINY, seed=1), 1).metrics[0]["weights"] != whole.metrics[0]["weights"]


def test_what_a_run_leaves_behind(whole: Run) -> None:
    lines = whole.metrics
    assert [(line["iteration"], line["last"]) for line in lines] == [(1, False), (2, False), (3, False), (4, True)]
    for line in lines:
        for name in ("time", "loss", "policy_loss", "value_loss", "validation_loss", "lr", "decisive", "game_length",
                     "first_move_score", "policy_entropy", "policy_kl", "replay_ratio"):
            assert isinstance(line[name], float), name
        assert 5 <= line["game_length"] <= 9 and 0 <= line["decisive"] <= 1 and line["policy_kl"] > 0
        assert 1 < line["replay_ratio"] < 2
    assert [("elo" in line, "elo_error" in line) for line in lines] == [(False, False), (True, True)] * 2
    assert sorted(path.name for path in (whole.folder.path / "checkpoints").glob("*.onnx")) == [
        f"0000{number}.onnx" for number in range(5)]
    # The window holds the latest samples, and what it does not need is gone.
    assert lines[-1]["window"] < lines[-1]["samples"]
    assert len(list((whole.folder.path / "shards").iterdir())) < 12
    report = whole.folder.report.read_text(encoding="utf-8")
    assert report.count("<svg") >= 10 and "http" not in report.replace("http://www.w3.org/2000/svg", "")
    assert "iteration 4" in report
    ratings = json.loads(whole.folder.ratings.read_text(encoding="utf-8"))
    assert {row["agent"] for row in ratings["ratings"]} == {
        "iteration 0", "iteration 2", "iteration 4", "random", "level 1"}
    games = {row["agent"]: row["games"] for row in ratings["ratings"]}
    assert games["random"] == 4 + 6 and games["level 1"] == 2 + 2     # in full after the last
    assert next(row["elo"] for row in ratings["ratings"] if row["agent"] == "iteration 0") == 0


def test_events_are_what_tensorboard_reads(whole: Run) -> None:
    content = (whole.folder.events / "events.out.tfevents.boyi").read_bytes()
    records = 0
    while content:
        (length,) = struct.unpack("<Q", content[:8])
        content = content[8 + 4 + length + 4:]
        records += 1
    assert records == 1 + 4
    loader = pytest.importorskip("tensorboard.backend.event_processing.event_file_loader",
                                 reason="tensorboard is not installed")
    events = list(loader.LegacyEventFileLoader(str(whole.folder.events / "events.out.tfevents.boyi")).Load())
    found = {event.step: {value.tag: value.simple_value for value in event.summary.value} for event in events[1:]}
    assert found[3]["loss"] == pytest.approx(whole.metrics[2]["loss"], rel=1e-6)
    assert "elo" in found[4] and "elo" not in found[3]


def test_stages_by_hand_are_the_run(whole: Run, tmp_path: Path) -> None:
    """Prepared, then self-play, training and evaluations one by one, each in a session of its own."""
    Run(tmp_path, boyi.start("tic_tac_toe"), TINY, Length(iterations=4))
    with pytest.raises(RecordError, match="boyi learn selfplay"):
        Run.open(tmp_path).train()
    with Pool() as pool:
        for number in range(1, 5):
            Run.open(tmp_path).selfplay(pool)
            Run.open(tmp_path).train()
            if number % 2 == 0:
                Run.open(tmp_path).evaluate(number, pool)
        with pytest.raises(OptionError, match="has no iteration 9; the last is 4"):
            Run.open(tmp_path).evaluate(9, pool)
    assert numbers(Run.open(tmp_path)) == numbers(whole)


CHANGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "settings": (lambda folder: go(folder, replace(TINY, held_out=5)), "plan.held_out is 4 there and 5 here"),
    "nested settings": (lambda folder: go(folder, change_plan(TINY, {"games.simulations": "5"})),
                        "plan.games.simulations is 4 there and 5 here"),
    "another game": (lambda folder: Run(folder, boyi.start("othello"), TINY, Length(iterations=4)),
                     "is of 'tic_tac_toe' and not of othello"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_another_command_is_refused(change: str, whole: Run) -> None:
    act, words = CHANGES[change]
    with pytest.raises(BoyiError, match=words):
        act(whole.folder.path)


def test_settings_by_name() -> None:
    plan = change_plan(Plan(), {"games.simulations": "32", "schedule.shape": "plateau", "learning.reuse": "2.5",
                                "games.reuse": "off"})
    assert (plan.games.simulations, plan.schedule.shape, plan.learning.reuse, plan.games.reuse) == (
        32, "plateau", 2.5, False)
    for words, message in (({"games.simulation": "3"}, "did you mean 'games.simulations'"),
                           ({"games.simulations": "many"}, "'many' is not a whole number"),
                           ({"games.reuse": "perhaps"}, "neither on nor off"),
                           ({"exam.every": "0"}, "every of an evaluation is 0")):
        with pytest.raises(OptionError, match=message):
            change_plan(Plan(), words)
    lengths: dict[str, Any]
    for lengths in ({}, {"minutes": 1, "games": 2}, {"iterations": 0}):
        with pytest.raises(OptionError):
            Length(**lengths)
    with pytest.raises(BoyiError, match="there is no run in"):
        Run.open(Path("nowhere"))


def test_three_players_with_dice_are_trained(tmp_path: Path) -> None:
    """From self-play to an exam; the model plays as an agent."""
    start = load("tests.toys.orchard").start()
    plan = replace(TINY, evaluation=replace(TINY.evaluation, random_games_in_full=0))
    run = Run(tmp_path / "run", start, plan, Length(iterations=2))
    with Pool(1) as pool:
        list(run.work(pool))
    assert run.metrics[-1]["iteration"] == 2 and 0 <= run.metrics[-1]["random_score"] <= 1
    spec = read_spec(f"mcts:net={run.folder.model(2)},simulations=4")
    spec.check(start)
    position = start.game.parse("314159265358 0,0,0 1 2")
    assert position.is_legal(spec.make().choose(position, Clock()))
