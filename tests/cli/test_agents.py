"""Agents that somebody else wrote, on the command line: in matches, in tournaments, at the board."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from boyi.agents.python import end_idle
from tests.cli import invoke, refused
from tests.places import ROOT

GREEDY = ROOT / "examples" / "agents" / "greedy.py"
ODD = "python:tests.agents.guests:Odd"


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(ROOT)
    yield
    end_idle()


def test_the_example_is_short_and_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred games on two processes."""
    lines = [line for line in GREEDY.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert len(lines) <= 15
    assert GREEDY.read_text(encoding="utf-8").partition("\n\n")[2] in (
        ROOT / "docs" / "authors" / "agent.md").read_text(encoding="utf-8")
    monkeypatch.chdir(GREEDY.parent)
    result = invoke("match", "tic_tac_toe", "python:greedy:Greedy", "random", "--games", "100", "--jobs", "2", "--seed",
                    "1", "--json")
    assert result.code == 0, result.err
    assert len(result.json["games"]) == 100
    assert [row["failures"] for row in result.json["standings"]] == [0, 0]
    assert result.json["agents"] == ["python:greedy:Greedy", "random"]


def test_a_tournament_with_those_who_fail(tmp_path: Path) -> None:
    """One that raises, one that hangs, one that plays illegal moves: the table says so, and the others play on."""
    good, *bad = agents = ("python:tests.agents.guests:First",
                           *(f"{ODD},does={what}" for what in ("raises", "loops", "illegal")))
    result = invoke("tournament", "tic_tac_toe", *agents, "random", "--rounds", "1", "--timeout", "0.4", "--seed", "1",
                    "--journal", str(tmp_path / "journal.jsonl"), "--report", str(tmp_path / "report.html"))
    assert result.code == 0, result.err
    rows = {line.split()[0]: line.split()[-1] for line in result.out.splitlines()
            if line.startswith(("python:", "random "))}
    assert (rows[good], rows["random"]) == ("0", "0")
    assert all(int(rows[agent]) > 0 for agent in bad)
    for words in ("it raised ValueError: as it was told (guests.py, line",
                  "took longer than 0.4 s for a move and was ended",
                  "it answered 4294967295, which is none of observation.moves()", "… and ",
                  f"where {bad[0]} raised it:"):
        assert words in result.out
    assert result.out.count("Traceback (most recent call last)") == 1
    games = [json.loads(line) for line in (tmp_path / "journal.jsonl").read_text().splitlines()[1:]]
    assert len(games) == 20
    assert {failure["fault"]: bool(failure.get("traceback")) for game in games for failure in game["failures"]} == {
        "crash": True, "timeout": False, "illegal_move": False}


@pytest.mark.parametrize("command", [
    ("match", "tic_tac_toe", "-n", "2"), ("tournament", "tic_tac_toe", "--rounds", "1")])
def test_when_every_game_failed_the_exit_code_says_so(command: tuple[str, ...], tmp_path: Path) -> None:
    for rest in ((), ("--json",)):
        result = invoke(*command, f"{ODD},does=raises", "random", "--random-plies", "0", *rest, "--journal",
                        str(tmp_path / f"journal{len(rest)}.jsonl"))
        assert result.code == 1
        assert "in every game an agent failed" in result.err
    resigned = invoke(*command, f"{ODD},does=resigns", "random", "--journal", str(tmp_path / "resigned.jsonl"))
    assert resigned.code == 0   # which is no failure
    once = invoke(*command, f"{ODD},does=raises,after=4", "random", "--random-plies", "4", "--journal",
                  str(tmp_path / "once.jsonl"))
    assert once.code == 0


def test_code_that_was_edited_begins_a_new_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match that is run again after its agent was mended plays again."""
    monkeypatch.chdir(tmp_path)
    names = set()
    for move in ("[99]", "[0]"):
        (tmp_path / "mine.py").write_text(f"class Mine:\n    def choose(self, observation, clock):\n"
                                          f"        return observation.moves(){move}\n")
        result = invoke("tournament", "tic_tac_toe", "python:mine:Mine", "random", "--rounds", "1", "--seed", "1")
        assert result.code == (1 if "99" in move else 0), result.err
        names |= {path.name for path in tmp_path.glob("tournament-*.jsonl")}
    assert len(names) == 2


def test_what_is_wrong_with_an_agent_is_said_before_the_first_game() -> None:
    for spec, words in (("python:there_is_none:Agent", "there is no module there_is_none"),
                        ("python:tests.agents.guests:Frist", "did you mean 'First'?"),
                        ("python:tests.agents.guests:Settings,dept=3", "did you mean 'depth'?"),
                        ("python:tests.agents.guests:Empty", "no choose(observation, clock)")):
        for command in (("match", "othello", "random", spec), ("tournament", "othello", "random", spec),
                        ("play", "othello", "--seats", f"human,{spec}")):
            assert words in refused(command)


def test_it_sits_at_the_board() -> None:
    result = invoke("play", "tic_tac_toe", "--seats", "python:tests.agents.guests:First,random:seed=1", "--json")
    assert result.code == 0, result.err
    assert result.json["agents"] == ["python:tests.agents.guests:First", "random:seed=1"]
    assert result.json["ending"] == "over"
    assert "it raised ValueError: as it was told" in refused(
        ["play", "tic_tac_toe", "--seats", f"{ODD},does=raises,random:seed=1", "--json"])
