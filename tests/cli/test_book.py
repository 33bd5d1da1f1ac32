"""boyi book: build and show."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

import pytest

import boyi
from boyi.agents.book import Book, read_book
from boyi.core.record import Record
from boyi.games import find_game
from tests.cli import invoke, refused

OTHELLO = find_game("othello")
QUICK = ("--nodes", "60", "--plies", "6", "--lines", "3", "--looseness", "0.5")


def records(path: Path, *lines: str, name: str = "othello", result: tuple[int, int] | None = (1, 2)) -> Path:
    written = []
    for line in lines:
        position = boyi.start(name)
        for move in line.split():
            position.play(move)
        written.append(Record.from_position(position, result=result).to_text())
    path.write_text("\n".join(written), encoding="utf-8")
    return path


def test_from_records(tmp_path: Path) -> None:
    one = records(tmp_path / "one.boyi", "f5 d6 c3", "c4 e3 f6")
    two = records(tmp_path / "two.boyi", "e6 f6", result=None)
    book = tmp_path / "book.xz"
    built = invoke("book", "build", "othello", str(book), "--games", str(one), "--games", str(two), "--json").json
    assert (built["games"], built["positions"], built["moves"], built["wrong"], built["other"]) == (3, 3, 4, 0, 0)
    assert [source["source"] for source in built["made"]] == ["one.boyi", "two.boyi"]
    assert [source["games"] for source in built["made"]] == [2, 1]
    shown = invoke("book", "show", "othello", "--book", str(book), "--moves", "d3", "--json").json
    assert shown["moves"] == [
        {"moves": ["c5"], "games": 2, "wins": 0, "draws": 0, "losses": 2, "score": 0.0, "value": None},
        {"moves": ["c3"], "games": 1, "wins": 0, "draws": 0, "losses": 0, "score": None, "value": None}]
    table = invoke("book", "show", "othello", "--book", str(book)).out.splitlines()
    assert table[0] == "Othello: a book of 3 games, 3 positions"
    assert table[3].split() == ["d3,", "c4,", "f5,", "e6", "3", "2-0-0", "100", "%"]
    assert "does not have this position" in invoke("book", "show", "othello", "--book", str(book),
                                                   "--moves", "f5 f4").out
    assert "开局库" in invoke("book", "show", "othello", "--book", str(book), "--language", "zh").out


def test_from_foreign_formats_and_with_wrong_games(tmp_path: Path) -> None:
    transcripts = tmp_path / "games.txt"
    transcripts.write_text("f5d6c3d3c4\nf5a1\nf5d6\n", encoding="utf-8")
    other = records(tmp_path / "other.boyi", "b2", name="tic_tac_toe", result=None)
    built = invoke("book", "build", "othello", str(tmp_path / "book.xz"), "--games", str(transcripts),
                   "--games", str(other), "--json").json
    assert (built["games"], built["wrong"], built["other"]) == (2, 1, 1)
    assert "left out: 0 wrong records, 1 of other rules or games" in invoke(
        "book", "build", "othello", str(tmp_path / "empty.xz"), "--games", str(other)).out


def test_self_play_is_repeatable_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    for name, steps in (("whole", (4,)), ("parts", (1, 3))):
        for number, games in enumerate(steps):
            done = invoke("book", "build", "othello", str(tmp_path / name), "--selfplay", str(games), "--seed", "7",
                          *QUICK, *(["--add"] if number else []))
            assert done.code == 0, done.err
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "parts").read_bytes()
    book = read_book(tmp_path / "whole", OTHELLO)
    assert book.games == 4 and [source["games"] for source in book.made] == [4]
    (first,) = book.look_up(boyi.start("othello"))
    assert first.games == 4 and first.value is not None and first.wins + first.draws + first.losses == 4
    invoke("book", "build", "othello", str(tmp_path / "more"), "--selfplay", "4", "--seed", "8", *QUICK)
    assert read_book(tmp_path / "more", OTHELLO).entries != book.entries


def test_least(tmp_path: Path) -> None:
    games = records(tmp_path / "games.boyi", "f5 d6", "f5 f6", "f5 d6")
    invoke("book", "build", "othello", str(tmp_path / "book"), "--games", str(games), "--least", "2")
    book = read_book(tmp_path / "book", OTHELLO)
    assert sorted(tally.games for moves in book.entries.values() for tally in moves.values()) == [2, 3]
    assert book.made[-1] == {"pruned": "moves played in fewer than 2 games"}
    done = invoke("book", "build", "othello", str(tmp_path / "book"), "--add", "--least-played", "2")
    assert done.code == 0, done.err
    changed = read_book(tmp_path / "book", OTHELLO)
    assert changed.least_played == 2 and changed.entries == book.entries and changed.games == 3


def test_an_interrupted_build_keeps_what_it_has(tmp_path: Path) -> None:
    from boyi.learn import selfplay
    play = selfplay.play
    played: list[int] = []

    def once(*arguments: object) -> Record:
        if played:
            raise KeyboardInterrupt
        played.append(1)
        return play(*arguments)  # type: ignore[arg-type]

    with mock.patch.object(selfplay, "play", once):
        done = invoke("book", "build", "othello", str(tmp_path / "book"), "--selfplay", "5", *QUICK)
    assert done.code == 130 and "interrupted" in done.out
    assert read_book(tmp_path / "book", OTHELLO).games == 1


@pytest.mark.parametrize("name", ["tic_tac_toe", "liuzhou", "jieqi", "chinese_checkers"])
def test_every_game_can_have_a_book(name: str, tmp_path: Path) -> None:
    done = invoke("book", "build", name, str(tmp_path / "book"), "--selfplay", "1", "--nodes", "20", "--plies", "4",
                  "--json")
    assert done.code == 0 and done.json["games"] == 1
    assert invoke("book", "show", name, "--book", str(tmp_path / "book"), "--json").json["moves"][0]["games"] == 1


def test_refusals(tmp_path: Path) -> None:
    book = tmp_path / "book"
    book.write_bytes(Book.empty(OTHELLO).to_bytes())
    bad = tmp_path / "bad"
    bad.write_bytes(b"nonsense")
    new = str(tmp_path / "new")
    for arguments, message in (
            (["build", "othello", new], "--selfplay N"),
            (["build", "otello", new, "--selfplay", "1"], "did you mean 'othello'?"),
            (["build", "othello", str(book), "--selfplay", "1"], "there already"),
            (["build", "othello", new, "--add", "--selfplay", "1"], "not there yet"),
            (["build", "othello", str(tmp_path / "no" / "x"), "--selfplay", "1"], "no folder"),
            (["build", "othello", str(bad), "--add", "--selfplay", "1"], "not packed by xz"),
            (["build", "xiangqi", str(book), "--add", "--selfplay", "1"], "a book of 'othello'"),
            (["build", "othello", new, "--games", str(tmp_path / "none")], "cannot read"),
            (["build", "othello", new, "--games", str(bad)], "no format that Boyi knows"),
            (["build", "othello", new, "--selfplay", "-1"], "--selfplay"),
            (["build", "othello", new, "--selfplay", "1", "--nodes", "0"], "--nodes"),
            (["show", "othello", "--book", str(bad)], "not packed by xz"),
            (["show", "othello", "--book", "none"], "no book"),
            (["show", "tic_tac_toe"], "no book comes with tic_tac_toe"),
            (["show", "xiangqi", "--book", str(book)], "a book of 'othello'"),
            (["show", "othello", "x" * 1000, "--book", str(book)], "64"),
            (["show", "othello", "x", "--fen", "y", "--book", str(book)], "given twice")):
        assert message in refused(["book", *arguments]), arguments
    assert not Path(new).exists()
