"""The champion of a run: who plays, who is first, and who is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import boyi
from boyi.arena.bout import Bout, Slot
from boyi.core.errors import OptionError
from boyi.learn.training.champion import Championship, Verdict, spread
from boyi.learn.training.folder import RunFolder
from boyi.learn.training.settings import Length, Plan
from tests.cli import invoke
from tests.nets.models import write_model

COMMAND = ("learn", "champion", "run", "--models", "3", "--simulations", "2", "--rounds", "1", "--games", "4")


def prepare(path: Path, iterations: int) -> None:
    """A run that has networks, and nothing else yet."""
    folder, start = RunFolder(path), boyi.start("tic_tac_toe")
    folder.make()
    folder.write_config(start, Plan(), Length(iterations=iterations))
    for iteration in range(iterations + 1):
        write_model(folder.model(iteration), start, seed=iteration)


def test_checkpoints_at_even_distances_with_the_last() -> None:
    assert spread(range(1, 401), 80) == tuple(range(5, 401, 5))
    for there in range(2, 30):
        for count in range(2, 30):
            chosen = spread(range(1, there + 1), count)
            assert chosen[-1] == there and len(set(chosen)) == len(chosen) == min(count, there)
            gaps = [after - before for before, after in zip((0, *chosen), chosen, strict=False)]
            assert max(gaps) - min(gaps) <= 1
    with pytest.raises(OptionError, match="at least two networks"):
        spread([7], 80)


def test_the_stronger_is_kept() -> None:
    contest = Championship(run=Path("run"), start=boyi.start("tic_tac_toe"), iterations=(2, 4, 6))

    def bout(number: int, places: tuple[int, int]) -> Bout:
        """The champion has the first seat in every other game."""
        seats = (0, 1) if number % 2 == 0 else (1, 0)
        return Bout(Slot((0, 1), number), seats, places, "line", 5, (), "")

    # The champion wins twice with the first seat, the last once: 2-0-1.
    won = Verdict.of(contest, 4, [bout(0, (1, 2)), bout(2, (1, 2)), bout(1, (1, 2))])
    assert (won.wins, won.draws, won.losses, won.stronger) == (2, 0, 1, 4)
    lost = Verdict.of(contest, 4, [bout(0, (2, 1)), bout(1, (1, 2)), bout(2, (1, 1))])
    assert (lost.wins, lost.draws, lost.losses, lost.stronger) == (0, 1, 2, 6)
    assert Verdict.of(contest, 4, [bout(0, (1, 1))]).stronger == 4     # no reason to leave the champion
    assert Verdict.of(contest, 6, []).facts()["stronger"] == 6


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are kept and not played again; the model that is kept is that of the stronger."""
    monkeypatch.chdir(tmp_path)
    prepare(Path("run"), 7)
    facts = invoke(*COMMAND, "--json").json
    assert {row["iteration"] for row in facts["table"]} == {2, 4, 7}
    assert facts["table"][0]["elo"] >= facts["table"][1]["elo"] >= facts["table"][2]["elo"]
    assert facts["match"]["last"] == 7 and facts["match"]["champion"] == facts["table"][0]["iteration"]
    assert facts["match"]["games"] == (0 if facts["match"]["champion"] == 7 else 4)
    kept = RunFolder(Path("run")).model(facts["match"]["stronger"])
    assert Path("run/champion.onnx").read_bytes() == kept.read_bytes()
    assert json.loads(Path("run/champion/result.json").read_text()) == facts
    assert "<html" in Path("run/champion/report.html").read_text()

    again = invoke(*COMMAND)
    assert again.code == 0 and "games are there already" in again.err
    assert f"champion: iteration {facts['match']['champion']} of 7" in again.out


def test_what_is_no_run_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "there is no run" in invoke(*COMMAND).err
    prepare(Path("run"), 1)
    assert "at least two networks" in invoke(*COMMAND).err
