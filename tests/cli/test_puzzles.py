"""boyi puzzles and boyi puzzle."""

from __future__ import annotations

from pathlib import Path

import pytest

from boyi.core.record import Record
from boyi.games import find_game
from boyi.study.puzzles.answer import accepts
from boyi.study.puzzles.collection import Puzzles, own_puzzles, read_puzzles
from tests.cli import invoke, refused


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("puzzles") / "puzzles.xz"
    made = invoke("puzzles", "make", "tic_tac_toe", str(path), "--number", "4", "--nodes", "100", "--json")
    assert made.code == 0, made.err
    assert made.json["puzzles"] >= 4
    assert made.json["bytes"] == path.stat().st_size
    return path


def shipped() -> Puzzles:
    puzzles = own_puzzles(find_game("othello"))
    assert puzzles is not None
    return puzzles


def test_made_again_they_are_the_same(file: Path) -> None:
    before = file.read_bytes()
    again = invoke("puzzles", "make", "tic_tac_toe", str(file), "--number", "4", "--nodes", "100", language="zh")
    assert "道题" in again.out
    assert file.read_bytes() == before


def test_puzzles_of_records(tmp_path: Path) -> None:
    position = find_game("tic_tac_toe").start()
    for move in ("a1", "b1", "a2", "b2", "a3"):
        position.play(move)
    record, path = tmp_path / "game.boyi", tmp_path / "found.xz"
    record.write_text(Record.from_position(position).to_text())
    words = ["puzzles", "make", "tic_tac_toe", str(path), "--number", "0", "--nodes", "100", "--games"]
    made = invoke(*words, str(record))
    assert made.code == 0, made.err
    assert {puzzle.source for puzzle in read_puzzles(path, find_game("tic_tac_toe")).puzzles} == {"game.boyi"}
    record.write_text(record.read_text().replace("a3", "b1"))
    assert "no game of" in refused([*words, str(record)])


def test_verify(file: Path, tmp_path: Path) -> None:
    done = invoke("puzzles", "verify", "tic_tac_toe", str(file), "--nodes", "2000")
    assert done.code == 0
    assert "(100.0 %)" in done.out
    kept = tmp_path / "kept.xz"
    done = invoke("puzzles", "verify", "tic_tac_toe", str(file), "--nodes", "2000", "--keep", str(kept), "--json")
    assert done.json["hold"] == done.json["puzzles"] == len(read_puzzles(kept, find_game("tic_tac_toe")))
    assert read_puzzles(kept, find_game("tic_tac_toe")).made["verified_nodes"] == 2000


def test_solving(file: Path) -> None:
    puzzle = shipped().puzzles[-1]
    steps = list(puzzle.steps(shipped().game, shipped().options))
    answers = "\n".join(step.text for step in steps if step.asked)
    right = invoke("puzzle", "othello", "--id", puzzle.id, "--number", "1", stdin=answers)
    assert right.code == 0
    assert "Solved." in right.out
    told = invoke("puzzle", "othello", "--id", puzzle.id, "--json", stdin=answers).json
    assert told["puzzles"] == [
        {"id": puzzle.id, "rating": puzzle.rating, "themes": list(puzzle.themes), "solved": True}]
    first = steps[0]
    wrong = next(move for move in first.position.moves() if not accepts(first.position, move, first.move, 1_000))
    tried = invoke("puzzle", "othello", "--id", puzzle.id, language="zh",
                   stdin=f"{first.position.format_move(wrong)}\nzz\n提示\n答案\n")
    assert "不对" in tried.out and "看看" in tried.out and f"答案：{puzzle.solution[0]}" in tried.out
    assert invoke("puzzle", "othello", "--id", puzzle.id, stdin="quit\n").code == 0


def test_which_one_comes(file: Path) -> None:
    first, again = (invoke("puzzle", "othello", "--seed", "3", "--rating", "1200").out for _ in range(2))
    assert first == again
    assert "Puzzle" in invoke("puzzle", "othello", "--day").out
    listed = invoke("puzzle", "othello", "--theme", "list").out
    assert "corner" in listed
    several = invoke("puzzle", "tic_tac_toe", "--file", str(file), "-n", "50", stdin="next\n" * 50)
    assert "no more puzzles" in several.out
    assert "0 of" in several.out


def test_what_is_refused(tmp_path: Path, file: Path) -> None:
    assert "no puzzles come with tic_tac_toe" in refused(["puzzle", "tic_tac_toe"])
    assert "theme of othello" in refused(["puzzle", "othello", "--theme", "fork"])
    assert "no puzzle of othello" in refused(["puzzle", "othello", "--id", "12345678"])
    assert "leave --day" in refused(["puzzle", "othello", "--id", "12345678", "--day"])
    assert "there is no folder" in refused(["puzzles", "make", "othello", str(tmp_path / "no" / "file.xz")])
    assert "made of nothing" in refused(["puzzles", "make", "othello", str(tmp_path / "a.xz"), "-n", "0"])
    assert "not of othello" in refused(["puzzles", "verify", "othello", str(file)])
    assert "put together" in refused(["puzzles", "make", "othello", str(tmp_path / "a.xz"), "--composed", "10"])
