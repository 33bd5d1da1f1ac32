"""boyi record: show, convert, check, and what they refuse."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from boyi.core.record import Record, write_records
from boyi.games import all_games, find_game
from tests.cli import invoke, refused
from tests.walks import walk

GAMES = sorted(all_games())


def random_record(name: str, seed: int = 1, plies: int = 30) -> Record:
    position = walk(find_game(name).start(), plies, seed)
    return Record.from_position(position, players=("Ada", "Grace"), event="A friendly game")


@pytest.fixture
def othello(tmp_path: Path) -> Path:
    path = tmp_path / "game.boyi"
    path.write_text(random_record("othello").to_text(), encoding="utf-8")
    return path


@pytest.mark.parametrize("game", GAMES)
def test_a_record_of_every_game_is_shown_and_checked(game: str, tmp_path: Path) -> None:
    record = random_record(game)
    path = tmp_path / "game"
    path.write_text(record.to_text(), encoding="utf-8")
    shown = invoke("record", "show", str(path))
    assert shown.code == 0
    assert record.to_text() in shown.out
    facts = invoke("record", "show", str(path), "--move", "3", "--json").json
    assert facts["text"] == record.replay(3).to_text()
    assert facts["records"][0]["game"] == game
    assert [move["text"] for move in facts["records"][0]["moves"]] == [entry.text for entry in record.entries]
    assert invoke("record", "check", str(path)).code == 0
    again = invoke("record", "convert", str(path), "--to", "boyi")
    assert again.out == record.to_text()


def test_show_of_several_records_is_a_list(tmp_path: Path) -> None:
    path = tmp_path / "games.boyi"
    path.write_text(write_records([random_record("othello", seed) for seed in range(3)]), encoding="utf-8")
    text = invoke("record", "show", str(path)).out
    assert "3. Ada – Grace  *  30 moves  A friendly game" in text
    assert "3 records" in text
    assert "共 3 局" in invoke("record", "show", str(path), language="zh").out
    assert len(invoke("record", "show", str(path), "--json").json["records"]) == 3
    assert "after move 30 of 30" in invoke("record", "show", str(path), "--record", "2").out


@pytest.mark.parametrize(("game", "name", "notation", "holds"), [
    ("othello", "ggf", None, "(;GM[Othello]"), ("othello", "transcript", None, "\n"),
    ("xiangqi", "pgn", None, '[Format "ICCS"]'),
    ("xiangqi", "pgn", "wxf", '[Format "WXF"]'), ("xiangqi", "pgn", "chinese", '[Format "Chinese"]'),
])
def test_convert_there_and_back(game: str, name: str, notation: str | None, holds: str, tmp_path: Path) -> None:
    record = random_record(game)
    path = tmp_path / "a.boyi"
    path.write_text(record.to_text(), encoding="utf-8")
    foreign, back = tmp_path / "foreign", tmp_path / "back.boyi"
    extra = ["--notation", notation] if notation else []
    done = invoke("record", "convert", str(path), "--to", name, "-o", str(foreign), *extra)
    assert (done.code, done.out) == (0, "")
    assert holds in foreign.read_text(encoding="utf-8")
    assert invoke("record", "convert", str(foreign), "--to", "boyi", "--output", str(back)).code == 0   # by its content
    again = Record.parse(back.read_text(encoding="utf-8"), find_game)
    assert again.entries == record.entries
    assert again.final == record.final


def test_check_says_which_move_is_wrong_and_what_was_legal(othello: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("f5d6c3\nf5d6a1\nf5f5\n")
    result = invoke("record", "check", str(othello), str(wrong))
    assert result.code == 1
    assert "game.boyi: boyi, 1 checked, all right" in result.out
    assert "record 2: move 3: 'a1' is not a legal move here; legal are c3, " in result.out
    assert "record 3: move 2:" in result.out
    assert "wrong.txt: transcript, 3 checked, 2 wrong" in result.out
    assert "第 2 局" in invoke("record", "check", str(wrong), language="zh").out
    reports = invoke("record", "check", str(othello), str(wrong), "--json")
    assert reports.code == 1
    assert [(one["record"], one["move"]) for one in reports.json[1]["wrong"]] == [(2, 3), (3, 2)]
    assert reports.json[0]["wrong"] == []


def test_check_of_a_damaged_file_is_a_no(tmp_path: Path) -> None:
    path = tmp_path / "base.wtb"
    path.write_bytes(bytes(20))
    result = invoke("record", "check", str(path))
    assert result.code == 1
    assert "the header promises 0 games, which is 16 bytes, and the file has 20" in result.out


def test_standard_input(othello: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "boyi", "record", "convert", "-", "--to", "transcript"],
                          input=othello.read_bytes(), capture_output=True, check=True)
    assert done.stdout.decode().strip().startswith(random_record("othello").entries[0].text)


RECORD = random_record("othello").to_text()
BAD = [
    # file's name, its bytes, the words after `boyi record`, what is said
    ("x.boyi", b"", ["show", "{}"], "is in no format that Boyi knows|is not a Boyi record"),
    ("x.boyi", b"\xff\xfe\x00", ["show", "{}"], "no format that Boyi knows"),
    ("x.boyi", b'[Boyi "1"]\n\xff', ["show", "{}"], "not text in utf-8"),
    ("x.boyi", RECORD.encode().replace(b'[Boyi "1"]', b'[Boyi "7"]'), ["show", "{}"], "version 7 of the format"),
    ("x.boyi", RECORD.encode().replace(b'[Rules "1"]', b'[Rules "99"]'), ["show", "{}"], "version 99 of the rules"),
    ("x.boyi", RECORD.encode().replace(b"othello", b"go"), ["show", "{}"], "no game is called 'go'"),
    ("x.boyi", RECORD.encode().replace(b"\n1. c4 ", b"\n1. a1 "), ["show", "{}"], "move 1: 'a1' is not a legal move"),
    ("x.boyi", RECORD.encode(), ["show", "{}", "--move", "31"], "there is no move 31: the record has 30"),
    ("x.boyi", RECORD.encode(), ["show", "{}", "--move", "-1"], "there is no move -1"),
    ("x.boyi", RECORD.encode(), ["show", "{}", "--move", "x"], "'--move'"),
    ("x.boyi", RECORD.encode(), ["show", "{}", "--record", "2"], "there is no record 2"),
    ("x.boyi", RECORD.encode(), ["show", "{}", "--record", "0"], "there is no record 0"),
    ("x.boyi", RECORD.encode(), ["show", "{}", "--from", "sgf"], "no format is called 'sgf'"),
    ("x.boyi", RECORD.encode(), ["show", "{}", "--from", "wthor"], "board is|WTHOR|promises"),
    ("x.boyi", RECORD.encode(), ["show", "{}", "--from", "ggf"], "is not GGF"),
    ("x.boyi", RECORD.encode(), ["show", "{}", "--from", "xqf"], "no XQF file"),
    ("x.boyi", RECORD.encode(), ["show", "{}", "--from", "pgn"], "a game of 'othello'"),
    ("x.boyi", RECORD.encode(), ["show", "{}", "--language", "fr"], "no language is called 'fr'"),
    ("x.boyi", RECORD.encode(), ["show", "{}nowhere"], "cannot read .*No such file"),
    ("x.boyi", RECORD.encode(), ["show", "."], "cannot read"),
    ("x.boyi", RECORD.encode(), ["show", "\0"], "NUL"),
    ("x.boyi", RECORD.encode(), ["check", "{}nowhere"], "cannot read .*No such file"),
    ("x.boyi", RECORD.encode(), ["check", "{}", "--from", "sgf"], "no format is called 'sgf'"),
    ("x.boyi", RECORD.encode(), ["check"], "FILE"),
    ("x.boyi", RECORD.encode(), ["convert", "{}"], "--to"),
    ("x.boyi", RECORD.encode(), ["convert", "{}", "--to", "ggff"], "no format is called 'ggff'; did you mean 'ggf'"),
    ("x.boyi", RECORD.encode(), ["convert", "{}", "--to", "wthor"], "wthor is read but not written"),
    ("x.boyi", RECORD.encode(), ["convert", "{}", "--to", "pgn"], "pgn is for xiangqi and this is a record of othello"),
    ("x.boyi", RECORD.encode(), ["convert", "{}", "--to", "ggf", "--notation", "wxf"],
     "no notation of the format ggf is called 'wxf'"),
    ("x.boyi", RECORD.encode(), ["convert", "{}", "--to", "boyi", "--notation", "wxf"],
     "no notation of the format boyi"),
    ("x.boyi", RECORD.encode(), ["convert", "{}", "--to", "ggf", "-o", "/nowhere/at/all"], "cannot write"),
    ("x.txt", b"f5d6\nf5f5\n", ["convert", "{}", "--to", "ggf"], "x.txt: record 2: move 2: 'f5' is not a legal move"),
    ("x.wtb", b"123", ["show", "{}"], "header of 16 bytes"),
    ("x.xqf", b"XQ\x12", ["show", "{}"], "header of 1024 bytes"),
    ("x.pgn", b"1. e4 e5", ["show", "{}"], "move 1: 'e4' is not a move in ICCS"),
    ("x.pgn", b"[Event", ["show", "{}"], "neither a tag"),
    ("x.ggf", b"(;", ["show", "{}"], "neither a property"),
    ("x.unknown", b"some words", ["show", "{}"], "no format that Boyi knows; name one of boyi, "),
]


@pytest.mark.parametrize(("name", "data", "words", "message"), BAD)
def test_bad_input_is_refused_in_words(name: str, data: bytes, words: list[str], message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    said = refused(["record", *(word.format(path) if "{" in word else word for word in words)])
    assert re.search(message, said), said
