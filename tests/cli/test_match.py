"""boyi match and boyi analyse."""

from __future__ import annotations

from pathlib import Path

import pytest

from boyi.cli.analyse import draw_bar
from boyi.games import find_game
from tests.cli import invoke


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Journals are written where one is."""
    monkeypatch.chdir(tmp_path)


MATCH = ("match", "othello", "alphabeta:nodes=200", "random", "--games", "4", "--seed", "7")


def test_a_match_is_reported() -> None:
    result = invoke(*MATCH)
    assert result.code == 0
    assert "whatever happens, this continues: boyi match" in result.err
    assert len(result.err.splitlines()) == 1   # progress is for terminals
    lines = result.out.splitlines()
    assert lines[1].startswith("alphabeta:nodes=200")
    assert lines[2].startswith("random")
    assert "4 games of Othello (seed 7)" in lines[3]
    assert "局" in invoke(*MATCH, language="zh").out


def test_a_match_as_json_and_records(tmp_path: Path) -> None:
    records = tmp_path / "games.txt"
    result = invoke(*MATCH, "--json", "--records", str(records))
    facts = result.json
    assert invoke(*MATCH, "--json").json == facts   # the same seed, the same match
    assert [row["agent"] for row in facts["standings"]] == ["alphabeta:nodes=200", "random"]
    assert sum(facts["standings"][0][name] for name in ("wins", "draws", "losses")) == 4
    assert [game["agents"] for game in facts["games"]] == [[0, 1], [1, 0]] * 2
    assert facts["games"][0]["opening"] == facts["games"][1]["opening"]
    assert invoke("record", "check", str(records)).code == 0
    assert invoke(*MATCH, "--records", str(records)).code == 2   # nothing is overwritten


def test_openings_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text("moves f5 d6\nmoves f5 f6\n", encoding="utf-8")
    facts = invoke(*MATCH, "--openings", str(file), "--json").json
    openings = [game["opening"] for game in facts["games"]]
    assert openings[0] == openings[1] != openings[2] == openings[3]
    file.write_text("moves f5 f5\n", encoding="utf-8")
    assert "line 1" in invoke(*MATCH, "--openings", str(file)).err


def test_a_match_until_it_is_clear() -> None:
    arguments = ("match", "othello", "alphabeta:nodes=100", "random", "--seed", "7", "--sprt", "elo0=0,elo1=200")
    facts = invoke(*arguments, "--json").json
    test = facts["sprt"]
    assert test["verdict"] == "elo1"
    assert test["ratio"] >= test["bounds"][1]
    assert 2 * sum(test["pairs"]) == len(facts["games"]) < 100
    result = invoke(*arguments, "--games", "4")
    assert "not decided yet between 0 and 200 Elo" in result.out
    assert "尚无定论" in invoke(*arguments, "--games", "2", language="zh").out
    assert invoke(*MATCH, "--json").json["sprt"] is None


def test_several_players() -> None:
    result = invoke("match", "chinese_checkers", "random:seed=1", "random", "--option", "players=3", "--games", "3",
                    "--seed", "1")
    assert "× fair share" in result.out
    assert "mean place" in result.out


def test_analysis() -> None:
    result = invoke("analyse", "3k5/9/9/9/9/9/9/4R4/9/4K4 w - - 0 1", "--depth", "3", "--lines", "2")
    assert result.code == 0
    assert "wins in 1" in result.out
    assert "3 步胜" in invoke("analyse", "xiangqi", "--fen", "3k5/9/9/9/9/9/9/4R4/9/4K4 w - - 0 1", "--depth", "3",
                           "--lines", "4", language="zh").out
    facts = invoke("analyse", "othello", "--nodes", "500", "--lines", "4", "--json").json
    assert len(facts["lines"]) == 4
    assert {line["moves"][0] for line in facts["lines"]} == {"d3", "c4", "f5", "e6"}
    assert facts["interrupted"] is False


def test_analysis_by_a_named_search() -> None:
    facts = invoke("analyse", "tic_tac_toe", "--moves", "a1 b2 a2 c1", "--search", "alphabeta:killers=off,depth=4",
                   "--json").json
    assert facts["lines"][0]["moves"][0] == "a3"


def test_a_text_of_two_games_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    games = {name: find_game("othello") for name in ("one", "othello")}
    monkeypatch.setattr("boyi.cli.analyse.all_games", lambda: games)
    result = invoke("analyse", "--", "-" * 27 + "OX------XO" + "-" * 27 + " X")
    assert result.code == 2
    assert "say which" in result.err


@pytest.mark.parametrize("share", [0.0, 0.001, 0.5, 0.999, 1.0])
def test_bars_have_one_length(share: float) -> None:
    assert len(draw_bar(share, "Red", ascii_only=True).split()[1]) == 40


def test_play_against_a_level() -> None:
    result = invoke("play", "othello", "--level", "1", "--seed", "1", stdin="f5\nquit\n")
    assert result.code == 0
    assert "White: level:1" in result.out
    assert "2. White: " in result.out
