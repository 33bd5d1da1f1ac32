"""boyi show: the right picture in the right place, and mistakes answered in words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

import boyi
from boyi.cli import main
from boyi.kit.picture import svg, text

Show = Callable[..., tuple[int, str, str]]


@pytest.fixture
def show(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Show:
    """Run `boyi show WORDS` here: its exit code, standard output and standard error."""

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["boyi", "show", *words])
        code = 0
        try:
            main()
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_text_is_printed(show: Show) -> None:
    code, out, err = show("xiangqi", "--moves", "h2e2", "--pieces", "letters")
    position = boyi.start("xiangqi")
    position.play("h2e2")
    assert (code, err) == (0, "")
    assert out == text.draw(position, pieces="letters") + "\nOpening: B00 Central Cannon Opening\n"


def test_no_colours_into_a_pipe(show: Show) -> None:
    assert "\x1b" not in show("xiangqi")[1]


def test_ascii_is_ascii(show: Show) -> None:
    assert show("xiangqi", "--ascii")[1].isascii()


def test_files_by_their_ending(show: Show, tmp_path: Path) -> None:
    position = boyi.start("xiangqi")
    for name in ("board.svg", "board.png", "board.txt"):
        assert show("xiangqi", "-o", str(tmp_path / name), "--seat", "1", "--targets", "b2")[0] == 0
    ends = ["b1", "c2", "d2", "e2", "f2", "g2", "a2", "b3", "b4", "b5", "b6", "b9"]
    assert (tmp_path / "board.svg").read_text(encoding="utf-8") == svg.draw(position, seat=1, targets=sorted(
        ends, key=lambda name: position.board.index[name]))
    assert (tmp_path / "board.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "board.txt").read_text(encoding="utf-8").count("(") == len(ends)


def test_json_has_geometry_stones_and_paths(show: Show) -> None:
    code, out, _ = show("chinese_checkers", "--option", "players=3", "--json")
    document = json.loads(out)
    assert code == 0
    assert document["text"] == boyi.start("chinese_checkers", players=3).to_text()
    assert len(document["board"]["points"]) == 121
    assert len(document["stones"]) == 30
    assert document["board"]["glyphs"]["C"]["seat"] == 1
    assert {"move": "n1-m5", "path": ["n1", "m5"]} in document["legal_moves"]
    assert document["turn"] == 0
    assert document["last_move"] == []


def test_json_beside_a_file(show: Show, tmp_path: Path) -> None:
    target = tmp_path / "board.svg"
    _, out, _ = show("othello", "--json", "-o", str(target))
    assert json.loads(out)["file"] == str(target)
    ElementTree.parse(target)


@pytest.mark.parametrize(("words", "message"), [
    (["nim"], "no game is called 'nim'"),
    (["othello", "--fen", "nonsense"], "not an Othello position"),
    (["othello", "--moves", "f5 a1"], "not a legal move"),
    (["othello", "--option", "depth=3"], "no options"),
    (["othello", "--seat", "2"], "seat 2"),
    (["othello", "--pieces", "runes"], "characters, simplified, pictures, letters"),
    (["othello", "--theme", "glass"], "wood, paper"),
    (["othello", "--targets", "z9"], "no point is called 'z9'"),
    (["othello", "--targets", "a1"], "no legal move begins at a1; moves begin at d3, c4, f5, e6"),
    (["othello", "-o", "board.gif"], ".svg, .png or .txt"),
    (["othello", "-o", "no/such/folder/board.svg"], "cannot write"),
    (["othello", "-o", "board.svg", "--ascii"], "--pieces letters"),
    (["othello", "--width", "100"], "--width is for PNG"),
    (["othello", "-o", "board.png", "--width", "1"], "16 to 8192"),
])
def test_mistakes_are_answered_in_words(show: Show, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                        words: list[str], message: str) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = show(*words)
    assert code == 2
    assert message in err
    assert out == ""
    assert list(tmp_path.iterdir()) == [], "nothing is written"
