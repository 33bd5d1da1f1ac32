"""boyi learn: small trainings from end to end."""

from __future__ import annotations

import json
import lzma
from hashlib import sha256
from pathlib import Path

import pytest

from boyi.games.othello.states import Statistics
from tests.cli import invoke, refused

QUICK = ("--nodes", "40", "--loose-plies", "4")


@pytest.mark.slow
def test_patterns(tmp_path: Path) -> None:
    """From a WTHOR file to weights that an evaluator takes."""
    pytest.importorskip("numpy", reason="numpy is not installed; pip install 'boyi[learn]'")
    from boyi.games.othello import patterns
    from tests.learn.othello.test_patterns import random_games

    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "games.wtb").write_bytes(random_games(40, 5)[1])
    output = tmp_path / "weights.xz"
    done = invoke("learn", "patterns", str(output), "--data", str(folder), "--rounds", "2", "--window", "0")
    assert done.code == 0, done.err
    assert len(done.out.splitlines()) == 63 and "40 games" in done.out
    record = json.loads(output.with_suffix(".json").read_text(encoding="utf-8"))
    assert record["games"] == 40 and record["settings"]["rounds"] == 2 and len(record["errors"]) == 61
    weights = lzma.decompress(output.read_bytes())
    assert len(weights) == patterns.STAGE_COUNT * patterns.PACKED and any(weights)
    assert sha256(weights).hexdigest() == record["sha256"]


def test_patterns_refused(tmp_path: Path) -> None:
    pytest.importorskip("numpy", reason="numpy is not installed; pip install 'boyi[learn]'")
    output = str(tmp_path / "weights.xz")
    assert "no WTHOR games" in refused(["learn", "patterns", output, "--data", str(tmp_path)])
    assert "no folder" in refused(["learn", "patterns", str(tmp_path / "none" / "x"), "--data", str(tmp_path)])
    assert "rounds" in refused(["learn", "patterns", output, "--data", str(tmp_path), "--rounds", "0"])


def test_abstract_is_repeatable_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.xz", tmp_path / "parts.xz"
    built = invoke("learn", "abstract", str(whole), "--games", "3", "--seed", "5", *QUICK, "--json").json
    assert built["games"] == 3 and built["positions"] > 100 and built["states"] > 10 and not built["interrupted"]
    invoke("learn", "abstract", str(parts), "--games", "1", "--seed", "5", *QUICK)
    assert "3 games" in invoke("learn", "abstract", str(parts), "--games", "2", "--seed", "5", *QUICK, "--add").out
    assert whole.read_bytes() == parts.read_bytes()
    assert Statistics.from_bytes(whole.read_bytes()).positions == built["positions"]
    (shown,) = invoke("learn", "states", "--statistics", str(whole), "--most", "1", "--json").json["shown"]
    assert shown["count"] > 1 and shown["low"] < shown["score"] < shown["high"]


def test_states(tmp_path: Path) -> None:
    table = invoke("learn", "states", "--most", "5").out.splitlines()
    assert len(table) == 7 and table[0].startswith("state  corners  edges  mobility")
    (start,) = invoke("learn", "states", "--moves", "f5", "--json").json["shown"]
    assert set(start["corners"].values()) == {"empty"} and set(start["edges"].values()) == {"bare"}
    assert start["mobility"] == "low"
    nothing = tmp_path / "nothing.xz"
    nothing.write_bytes(Statistics().to_bytes())
    unseen = ("learn", "states", "--moves", "f5", "--statistics", str(nothing))
    assert invoke(*unseen).out == "state 0 was never seen\n"
    assert invoke(*unseen, "--json").json["shown"][0]["count"] == 0
    assert "行动力" in invoke("learn", "states", "--language", "zh").out


def test_abstract_refused(tmp_path: Path) -> None:
    (tmp_path / "bad").write_bytes(b"nonsense")
    for arguments, message in (
            (["abstract", str(tmp_path / "bad")], "there already"),
            (["abstract", str(tmp_path / "new"), "--add"], "not there yet"),
            (["abstract", str(tmp_path / "bad"), "--add"], "not packed by xz"),
            (["abstract", str(tmp_path / "none" / "x")], "no folder"),
            (["abstract", str(tmp_path / "new"), "--games", "0"], "--games"),
            (["states", "--statistics", str(tmp_path / "bad")], "not packed by xz"),
            (["states", "--statistics", str(tmp_path / "none")], "cannot read"),
            (["states", "--fen", "x"], "64"),
            (["states", "--moves", "a1"], "move 1")):
        assert message in refused(["learn", *arguments]), arguments
