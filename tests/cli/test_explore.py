"""boyi explore: the table of a position, with the games of files."""

from __future__ import annotations

from pathlib import Path

import pytest

import boyi
from boyi.agents.book import read_book, view
from boyi.core.record import Record, write_records
from boyi.study.openings import begin_openings
from tests.cli import invoke, refused


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two games of xiangqi, one of Othello."""
    records = []
    for game, moves, result in (("xiangqi", "h2e2 h9g7 h0g2", (1, 2)), ("xiangqi", "h2e2 h9g7 h0i2", (2, 1)),
                                ("othello", "f5 d6", None)):
        position = boyi.start(game)
        for move in moves.split():
            position.play(move)
        records.append(Record.from_position(position, result=result))
    path = tmp_path / "mine.boyi"
    path.write_text(write_records(records), encoding="utf-8")
    return path


def test_the_games_of_a_file_are_explored(file: Path) -> None:
    told = invoke("explore", "xiangqi", "h2e2", "h9g7", "--book", "none", "--games", str(file)).out.splitlines()
    assert told[0] == f"{file}: 2 games; left out: 0 wrong records, 1 of other rules or games"
    assert told[2] == "Opening: B05 Central Cannon vs. Left Horse"
    assert told[3] == f"2 games went on from here: {file} 2"
    assert told[5].split() == ["h0g2", "1", "50", "%", "1-0-0", "100", "%"]
    assert told[6].split() == ["h0i2", "1", "50", "%", "0-0-1", "0", "%"]


def test_everything_is_told_as_json(file: Path) -> None:
    told = invoke("explore", "xiangqi", "h2e2", "--games", str(file), "--book", "none", "--json").json
    assert told["opening"] == {"name": {"en": "Central Cannon Opening", "zh": "中炮局"}, "code": "B00", "ply": 1}
    assert told["files"] == {str(file): {"games": 2, "wrong": 0, "other": 1}}
    assert told["games"] == 2
    first = told["moves"][0]
    assert first["moves"] == ["h9g7"]
    assert (first["games"], first["wins"], first["losses"], first["score"]) == (2, 1, 1, 0.5)
    assert first["opening"]["code"] == "B05"
    assert first["sources"][str(file)]["games"] == 2


def test_the_book_of_the_game_is_looked_into() -> None:
    told = invoke("explore", "othello", "f5", language="zh").out
    assert "开局库" in told
    assert "垂直开局" in told


def test_moves_in_another_notation() -> None:
    assert "炮二平五" in invoke("explore", "xiangqi", "--notation", "chinese").out


def test_a_position_by_its_text() -> None:
    position = boyi.start("xiangqi")
    position.play("h2e2")
    assert "B00" in invoke("explore", "xiangqi", "--position", position.to_text()).out


def test_a_position_nobody_played_in() -> None:
    assert "nobody played on" in invoke("explore", "tic_tac_toe").out


@pytest.mark.parametrize(("arguments", "words"), [
    (["xiangqi", "a1a9"], "a1a9"), (["xiangqi", "--notation", "morse"], "morse"),
    (["xiangqi", "--games", "nowhere.pgn"], "nowhere.pgn"), (["xiangqi", "--book", "none", "--book", "x"], "none"),
])
def test_what_is_wrong_is_said(arguments: list[str], words: str) -> None:
    assert words in refused(["explore", *arguments])


def test_a_book_of_games_that_begin_with_named_openings(tmp_path: Path) -> None:
    path = tmp_path / "book.xz"
    done = invoke("book", "build", "othello", str(path), "--selfplay", "3", "--nodes", "50", "--plies", "2",
                  "--from-openings")
    assert done.code == 0, done.err
    game = boyi.find_game("othello")
    book = read_book(path, game)
    assert book.made[0]["openings"] == len(begin_openings(game.start()))
    assert view(game.start()).key not in book.entries
    for position in begin_openings(game.start())[:3]:
        assert book.look_up(position)[0].games == 1
    assert "no opening" in refused(["book", "build", "jieqi", str(tmp_path / "none.xz"), "--selfplay", "1",
                                    "--from-openings"])
