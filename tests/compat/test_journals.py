"""Matches, tournaments and tuning that version 0.1.0 was killed in: the same command goes on, to the same end."""

from __future__ import annotations

import json
import lzma
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli import invoke
from tests.compat import DATA, commands

with lzma.open(DATA / "journals.json.xz") as _file:
    KEPT: dict[str, Any] = json.load(_file)


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=pytest.mark.slow if name == "surface" else ()) for name in commands.JOURNALS])
def test_the_same_command_goes_on(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, command = KEPT[name], commands.JOURNALS[name]
    monkeypatch.chdir(tmp_path)
    journal = DATA / "journals" / kept["journal"]
    games = kept["done"] * (2 if command[0] == "tune" else 1)

    # Nobody named the journal: its name is made of the settings, and found again.
    shutil.copy(journal, tmp_path)
    result = invoke(*command, "--json")
    assert result.code == 0, result.err
    assert f"{games} games are there already" in result.err
    report = {**kept["report"], "repeated": 0}    # which 0.1.0 did not look for
    anew = commands.searches_anew(" ".join(command))
    if anew:                                      # the games that were missing are played otherwise, and no others
        assert result.json.keys() == report.keys()
    else:
        assert respelled(result.json) == respelled(report)

    shutil.copy(journal, "named.jsonl")
    again = invoke(*command, "--json", "--journal", "named.jsonl")
    assert respelled(again.json) == respelled({**result.json, "command": again.json.get("command")})
    lines = Path("named.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    assert lines[:kept["done"]] == journal.read_text(encoding="utf-8").splitlines()[1:]
    if anew:
        assert len(lines) > kept["done"]
        return
    assert sorted(map(respelled, map(without_averages, lines))) == sorted(
        map(respelled, map(without_averages, kept["entries"])))


def without_averages(line: str) -> str:
    """A game without the moves, where somebody played who averages leaves: they play otherwise since 0.2.0."""
    if any(setting in line for setting in commands.AVERAGING):
        game = json.loads(line)
        return json.dumps({name: game[name] for name in ("meeting", "number", "contestants", "reason")})
    return line


def respelled(value: Any) -> Any:
    """The same with specs as they are spelled today: what an ancestor did is no longer called `seed`."""
    if isinstance(value, str):
        return re.sub(r"\b(preset|evaluator|repetition)=seed", r"\1=ancestor", value)
    if isinstance(value, dict):
        return {name: respelled(one) for name, one in value.items()}
    return [respelled(one) for one in value] if isinstance(value, list) else value


def test_a_ladder_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(DATA / "journals" / "ratings.json", tmp_path)
    assert invoke(*commands.LADDER, "2").code == 0
    ladder, kept = json.loads(Path("ratings.json").read_text(encoding="utf-8")), KEPT["ladder"]
    before = json.loads((DATA / "journals" / "ratings.json").read_text(encoding="utf-8"))
    for facts, known in zip(ladder["pools"], before["pools"], strict=True):
        assert known["results"].items() <= facts["results"].items()
    for facts in (ladder, kept):
        for pool in facts["pools"]:   # the identities of tournaments are random, and levels play otherwise since 0.2.0
            pool["results"] = sorted(sum(result["times"] for result in one) for one in pool["results"].values())
    assert ladder.keys() == kept.keys()
    assert [pool["results"] for pool in ladder["pools"]] == [pool["results"] for pool in kept["pools"]]
