"""boyi analyse: what it prints, in which unit and notation, and while it is watched."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from boyi.cli._analysis_report import draw_bar
from boyi.games import find_game
from tests.cli import invoke, refused


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


def test_values_are_in_the_unit_of_the_game() -> None:
    fen = ("--fen", "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 0 1")
    shown = invoke("analyse", "xiangqi", *fen, "--depth", "1", "--lines", "1")
    assert "value (pawns)" in shown.out
    assert "评分（兵）" in invoke("analyse", "xiangqi", *fen, "--depth", "1", language="zh").out
    facts = invoke("analyse", "xiangqi", *fen, "--depth", "1", "--lines", "1", "--json").json
    assert facts["unit"] == "pawns"
    assert f"{facts['lines'][0]['value']:+.2f}" in shown.out


def test_analysis_by_a_named_search() -> None:
    facts = invoke("analyse", "tic_tac_toe", "--moves", "a1 b2 a2 c1", "--search", "alphabeta:killers=off,depth=4",
                   "--json").json
    assert facts["lines"][0]["moves"][0] == "a3"


def test_a_text_of_two_games_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    games = {name: find_game("othello") for name in ("one", "othello")}
    monkeypatch.setattr("boyi.games.all_games", lambda: games)
    result = invoke("analyse", "--", "-" * 27 + "OX------XO" + "-" * 27 + " X")
    assert result.code == 2
    assert "say which" in result.err


@pytest.mark.parametrize("share", [0.0, 0.001, 0.5, 0.999, 1.0])
def test_bars_have_one_length(share: float) -> None:
    assert len(draw_bar(share, "Red", ascii_only=True).split()[1]) == 40


def test_moves_are_written_in_the_chosen_notation() -> None:
    asked = ("analyse", "xiangqi", "--fen", "3k5/9/9/9/9/9/9/4R4/9/4K4 w - - 0 1", "--depth", "2", "--lines", "1")
    assert "e2d2" in invoke(*asked).out
    assert "车五平六" in invoke(*asked, "--notation", "chinese").out
    assert invoke(*asked, "--notation", "wxf", "--json").json["lines"][0]["moves"] == ["R5=6"]
    assert "no notation of xiangqi is called 'chinse'; did you mean 'chinese'?" in refused(
        [*asked, "--notation", "chinse"])


# ---------------------------------------------------------------------- watched

def test_a_pipe_gets_a_line_per_depth() -> None:
    asked = ("analyse", "xiangqi", "--watch", "--depth", "4", "--lines", "2", "--notation", "iccs")
    lines = invoke(*asked).out.splitlines()
    assert [line.split()[:2] for line in lines] == [["depth", str(depth)] for depth in range(1, 5)]
    assert all(" pawns (" in line and "  1. " in line and "  2. " in line for line in lines)
    assert "-" in lines[-1].split()[-1]     # H2-E2
    proven = invoke("analyse", "3k5/9/9/9/9/9/9/4R4/9/4K4 w - - 0 1", "--watch", "--depth", "2", "--lines", "1").out
    assert "1. wins in 1 (100%) e2d2" in proven


def test_it_is_one_search_that_goes_on() -> None:
    """Nodes are those of the search without a watcher, and so are the lines."""
    asked = ("analyse", "xiangqi", "--nodes", "3000", "--lines", "2", "--json")
    whole = invoke(*asked).json
    told = [json.loads(line) for line in invoke(*asked, "--watch").out.splitlines()]
    assert [facts["final"] for facts in told] == [False] * (len(told) - 1) + [True]
    assert [facts["depth"] for facts in told[:-1]] == list(range(1, whole["depth"] + 1))
    assert [facts["nodes"] for facts in told] == sorted(facts["nodes"] for facts in told)
    assert (told[-1]["nodes"], told[-1]["lines"]) == (whole["nodes"], whole["lines"])


def test_what_an_unfinished_depth_found_is_told() -> None:
    """With a single line a better move counts even if the depth was not finished."""
    watched = invoke("analyse", "othello", "--watch", "--nodes", "28", "--lines", "1", "--json").out.splitlines()
    last, final = map(json.loads, watched[-2:])
    assert last["lines"] != final["lines"]     # else this position shows nothing
    lines = invoke("analyse", "othello", "--watch", "--nodes", "28", "--lines", "1").out.splitlines()
    assert len(lines) == len(watched) and " ".join(final["lines"][0]["moves"]) in lines[-1]


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C as POSIX sends it")
def test_without_limits_it_goes_on_until_it_is_interrupted() -> None:
    with subprocess.Popen(
            [sys.executable, "-m", "boyi", "analyse", "othello", "--watch", "--lines", "1", "--json"],
            stdout=subprocess.PIPE, text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as process:
        assert process.stdout is not None
        for depth in range(1, 9):
            assert json.loads(process.stdout.readline())["depth"] == depth
        process.send_signal(signal.SIGINT)
        told = [json.loads(line) for line in process.stdout]
        assert process.wait(60) == 0
    assert told[-1]["final"] and told[-1]["depth"] >= 8
