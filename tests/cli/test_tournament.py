"""boyi tournament."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boyi.arena import tournament as module
from boyi.arena.bout import Bout
from tests.cli import invoke

PLAY = ("tournament", "tic_tac_toe", "alphabeta:nodes=50", "random", "random:seed=1", "--random-plies", "2",
        "--rounds", "2")


pytestmark = pytest.mark.usefixtures("elsewhere")


def test_a_tournament_is_reported(tmp_path: Path) -> None:
    result = invoke(*PLAY, "--seed", "7")
    assert result.code == 0
    assert "whatever happens, this continues: boyi tournament" in result.err
    lines = result.out.splitlines()
    assert lines[0].split() == ["agent", "games", "W-D-L", "score", "Elo", "LOS", "failures"]
    assert lines[1].startswith("alphabeta:nodes=50")
    assert "1 alphabeta:nodes=50" in result.out   # the cross table
    assert "12 games of Tic-tac-toe (seed 7)" in result.out
    assert [path.suffix for path in tmp_path.iterdir()] == [".jsonl"]
    assert invoke(*PLAY, "--seed", "7").out == result.out   # all games are there already
    assert "局" in invoke(*PLAY, "--seed", "7", language="zh").out


def test_the_same_command_goes_on_with_the_same_seed(tmp_path: Path) -> None:
    first = invoke(*PLAY, "--json").json
    again = invoke(*PLAY, "--json").json
    assert again == first
    longer = invoke(*PLAY[:-1], "3", "--json").json
    assert longer["seed"] == first["seed"]
    known = {(*game["meeting"], game["number"]): game for game in longer["games"]}
    assert len(known) == len(longer["games"]) == longer["games_in_all"] == 18
    assert all(known[(*game["meeting"], game["number"])] == game for game in first["games"])
    assert len(list(tmp_path.iterdir())) == 1


def test_what_was_interrupted_goes_on_by_the_command_it_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    play = module.play_tournament

    def interrupted(*arguments: Any, **settings: Any) -> Iterator[Bout]:
        for number, bout in enumerate(play(*arguments, **settings)):
            yield bout
            if number == 4:
                raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(module, "play_tournament", interrupted)
        result = invoke(*PLAY, "--seed", "3", "--anchor", "random", "--journal", "my games.jsonl")
    assert result.code == 130
    assert "interrupted after 5 of 12 games" in result.out
    command = result.err.splitlines()[-1].removeprefix("continue with: boyi ")
    resumed = invoke(*shlex.split(command), "--json")
    assert "5 games are there already" in resumed.err
    whole = invoke(*PLAY, "--seed", "3", "--anchor", "random", "--json").json
    assert resumed.json == whole
    assert next(row["elo"] for row in whole["table"] if row["agent"] == "random") == 0
    assert whole["interrupted"] is False and whole["command"] is None


def test_records_and_ladder(tmp_path: Path) -> None:
    arguments = (*PLAY, "--records", "games.txt", "--ladder", "ratings.json")
    assert invoke(*arguments).code == 0
    assert invoke("record", "check", "games.txt").code == 0
    ladder = json.loads((tmp_path / "ratings.json").read_text(encoding="utf-8"))
    assert {row["agent"] for row in ladder["pools"][0]["ratings"]} == set(PLAY[2:5])
    assert invoke(*PLAY, "--report", "page.html").code == invoke(*PLAY, "--report", "plot.svg").code == 0
    assert "<table>" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert (tmp_path / "plot.svg").read_text(encoding="utf-8").startswith("<svg")
    result = invoke(*arguments)   # goes on, and may write its own files again
    assert result.code == 0
    assert "ratings.json now rates 3 agents" in result.out
    assert json.loads((tmp_path / "ratings.json").read_text(encoding="utf-8")) == ladder
    assert "such a file already" in invoke(*arguments, "--journal", "new.jsonl").err


def test_another_tournament_is_not_continued() -> None:
    invoke(*PLAY, "--journal", "games.jsonl")
    result = invoke(*PLAY[:4], "random:seed=2", *PLAY[5:], "--journal", "games.jsonl")
    assert result.code == 2
    assert "another tournament" in result.err


def test_several_players_and_the_swiss_way() -> None:
    result = invoke("tournament", "chinese_checkers", "random", "random:seed=1", "--option", "players=3",
                    "--rounds", "1")
    assert "first places" in result.out
    assert "6 games" in result.out
    agents = [f"random:seed={number}" for number in range(5)]
    facts = invoke("tournament", "tic_tac_toe", *agents, "--swiss", "2", "--rounds", "1", "--random-plies", "2",
                   "--json").json
    assert len(facts["games"]) == facts["games_in_all"] == 2 * 2 * 2
    words = invoke("tournament", "tic_tac_toe", *agents, "--swiss", "1", "--rounds", "1", "--random-plies", "2",
                   "--journal", "new.jsonl").out
    assert "never met" in words


def test_clocks_and_early_ends() -> None:
    agents = ("tournament", "othello", "alphabeta", "alphabeta:nodes=30", "random", "-r", "1", "--seed", "2", "--json")
    facts = invoke(*agents, "--time", "60nodes", "--random-plies", "6", "--resign-value", "0.9").json
    assert len(facts["games"]) == 6
    assert not any(game["failures"] for game in facts["games"])
    assert invoke(*agents, "--time", "60nodes", "--longest", "8").json["reasons"] == {"too_long": 6}
