"""boyi tune."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boyi.learn.tuning import run as module
from tests.cli import invoke, refused

TUNE = ("tune", "tic_tac_toe", "--agent", "mcts:nodes=12,gumbel=on", "--random-plies", "2",
        "--params", "gumbel_noise=3:0..5,gumbel_moves=6:2..10", "--games", "40", "--check", "8")


pytestmark = pytest.mark.usefixtures("elsewhere")


def test_a_run_is_reported(tmp_path: Path) -> None:
    result = invoke(*TUNE, "--seed", "7")
    assert result.code == 0
    assert "whatever happens, this continues: boyi tune tic_tac_toe --params" in result.err
    lines = result.out.splitlines()
    assert lines[0].split() == ["parameter", "start", "tuned", "range"]
    assert lines[1].split()[0] == "gumbel_noise" and lines[2].split()[0] == "gumbel_moves"
    assert "against the start: " in lines[3] and " of 8 games, " in lines[3]
    assert lines[4].startswith("SPRT: not decided between 0 and 10 Elo (LLR ")
    assert lines[5].startswith("the tuned agent: mcts:nodes=12,gumbel=on,gumbel_noise=")
    assert [path.suffix for path in tmp_path.iterdir()] == [".jsonl"]
    assert invoke(*TUNE, "--seed", "7").out == result.out   # all games are there already
    assert "局" in invoke(*TUNE, "--seed", "7", language="zh").out


def test_the_same_command_goes_on_with_the_same_seed(tmp_path: Path) -> None:
    first = invoke(*TUNE, "--json").json
    assert invoke(*TUNE, "--json").json == first
    assert len(list(tmp_path.iterdir())) == 1
    assert first["path"][0] == {"pairs": 0, "values": [3.0, 6.0]} and first["path"][-1]["pairs"] == 20
    assert [one["name"] for one in first["parameters"]] == ["gumbel_noise", "gumbel_moves"]
    assert first["check"]["games"] == 8 and sum(first["check"]["counts"]) == 4
    assert first["check"]["sprt"]["verdict"] is None
    assert first["tuned_agent"].endswith(f",gumbel_moves={first['parameters'][1]['tuned']}")


def test_several_processes_find_the_same() -> None:
    alone = invoke(*TUNE, "--seed", "3", "--journal", "alone", "--json").json
    assert invoke(*TUNE, "--seed", "3", "--journal", "crew", "--jobs", "2", "--json").json == alone


def test_what_was_interrupted_goes_on_by_the_command_it_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = invoke(*TUNE, "--seed", "3", "--journal", "whole", "--json").json
    run = module.run

    def interrupted(*arguments: Any) -> Iterator[module.State]:
        for number, state in enumerate(run(*arguments)):
            yield state
            if number == 5:
                raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(module, "run", interrupted)
        cut = invoke(*TUNE, "--seed", "3", "--json")
    assert cut.code == 130
    assert cut.json["interrupted"] is True and cut.json["tuned_agent"] is None
    again = invoke(*shlex.split(cut.json["command"])[1:])
    assert "games are there already" in again.err
    assert again.json == whole


def test_a_run_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="pip install 'boyi[plots]'")
    assert invoke(*TUNE, "--seed", "7", "--plot", "run.svg").code == 0
    drawn = (tmp_path / "run.svg").read_text()
    assert drawn.startswith("<?xml") and len(drawn) > 5_000


def test_what_can_be_tuned_is_listed() -> None:
    result = invoke("tune", "chinese_checkers", "--agent", "multiplayer:preset=ancestor", "--list")
    assert result.code == 0
    assert ["targets", "3", "1..5", "whole", "numbers"] in [line.split() for line in result.out.splitlines()]
    found = invoke("tune", "xiangqi", "--list", "--json").json
    assert {"name": "weights.tempo.0", "value": 18, "low": 8, "high": 28, "whole": True} in found
    assert "整数" in invoke("tune", "othello", "--list", language="zh").out


@pytest.mark.parametrize(("arguments", "words"), [
    ((), "say what to tune"),
    (("--params", "own_wait"), "did you mean"),
    (("--params", "own_weight", "--method", "best"), "no method is called 'best'"),
    (("--params", "own_weight", "--agent", "random"), "random has no numbers to tune"),
    (("--params", "own_weight", "--agent", "alphabeta:nodes=5,weights.x=1"), "no weight is called 'x'"),
    (("--params", "targets", "--plot", "run.txt"), ".svg or .png"),
    (("--params", "targets", "--plot", "nowhere/run.svg"), "no folder"),
    (("--params", "targets", "--openings", "x", "--random-plies", "3"), "without --openings"),
    (("--params", "targets", "--sprt", "elo0=3"), "elo1 missing"),
    (("--params", "targets", "--rate", "0"), "above 0"),
    (("--params", "targets", "--games", "1"), "2<=x"),
    (("--params", "targets", "--journal", "nowhere/x"), "cannot write"),
])
def test_bad_runs_are_refused(arguments: tuple[str, ...], words: str) -> None:
    agent = () if "--agent" in arguments else ("--agent", "multiplayer:preset=seed,nodes=5")
    assert words in refused(("tune", "chinese_checkers", *agent, *arguments))


def test_a_missing_part_is_named_before_anything_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    monkeypatch.delitem(sys.modules, "boyi.learn.tuning.surface", raising=False)
    words = refused((*TUNE, "--method", "surface"))
    assert "pip install 'boyi[tune]'" in words
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("players", [2, 3])
def test_an_ancestor_is_tuned_at_its_own_depth(players: int) -> None:
    """A limit that it never meets: it stops where its preset says, here after one ply, and the run can be repeated."""
    agent = "multiplayer:preset=ancestor,depth=5,deepest_for_two=1,deepest_for_more=1"
    result = invoke("tune", "chinese_checkers", "--option", f"players={players}", "--agent", agent, "--params",
                    "own_weight=3:0.5..8,targets=3:1..8,win_bonus=0.1:0..1", "--games", "2", "--check", "2",
                    "--seed", "3", "--json")   # with this seed a trial moves something, so that there is a check
    assert result.code == 0, result.err
    assert "not limited by nodes or depth alone" not in result.err
    assert result.json["failures"] == 0 and result.json["check"]["games"] == 2


def test_a_run_by_time_says_that_it_cannot_be_repeated() -> None:
    result = invoke("tune", "tic_tac_toe", "--agent", "mcts:nodes=5,seconds=1", "--params", "exploration",
                    "--games", "2", "--check", "0")
    assert result.code == 0
    assert "not limited by nodes or depth alone" in result.err
