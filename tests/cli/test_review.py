"""boyi review: the table, the JSON, the file, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from boyi.core.record import Record, write_records
from boyi.games import find_game
from boyi.study.review.findings import Review
from tests.cli import invoke, refused


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Two games: in the first, the second move loses."""
    records = []
    for moves in ("a1 b1 b2 c1 c3", "a1 b2"):
        position = find_game("tic_tac_toe").start()
        for move in moves.split():
            position.play(move)
        records.append(Record.from_position(position, players=("Ada", "Grace")))
    path = tmp_path / "games.boyi"
    path.write_text(write_records(records), encoding="utf-8")
    return path


def test_the_table_names_the_mistake_in_both_languages(games: Path) -> None:
    english = invoke("review", str(games), "--game", "1", "--nodes", "2000", "--language", "en").out
    assert "Noughts Grace" in english and "2. Noughts played b1: winning chances -50 %" in english
    chinese = invoke("review", str(games), "--game", "1", "--nodes", "2000", "--language", "zh").out
    assert "漏着" in chinese and "胜率损失 50%" in chinese


def test_json_can_be_read_back(games: Path) -> None:
    printed = invoke("review", str(games), "--game", "2", "--nodes", "200", "--json").out
    assert len(Review.from_json(json.loads(printed), find_game).moves) == 2


def test_the_file_is_written(games: Path, tmp_path: Path) -> None:
    target = tmp_path / "review.html"
    said = invoke("review", str(games), "--game", "1", "--nodes", "500", "--html", str(target)).out
    assert str(target) in said and target.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_of_several_games_one_must_be_named(games: Path) -> None:
    assert "has 2 games; choose one with --game N" in refused(["review", str(games)])
    assert "there is no game 3" in refused(["review", str(games), "--game", "3"])
