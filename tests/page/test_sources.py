"""What must be true of the page's sources, without a browser."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from starlette.exceptions import HTTPException

from boyi.games import all_games, find_game
from boyi.server import boards, catalogue, heartbeat, page
from tools import page_types

WEB = Path(__file__).parent.parent.parent / "web" / "src"


def test_types_are_those_of_the_server() -> None:
    assert page_types.TARGET.read_text(encoding="utf-8") == page_types.written(), "run python -m tools.page_types"


def test_the_page_waits_longer_than_the_server_is_silent() -> None:
    """One ping that is lost or late is no reason to give up; nor is one pong."""
    source = (WEB / "lib" / "connection.ts").read_text(encoding="utf-8")
    silence_ms = int(re.search(r"const SILENCE_MS = ([0-9_]+);", source)[1])  # type: ignore[index]
    longest = heartbeat.PING_SECONDS * (1 + heartbeat.PING_JITTER) + heartbeat.SLOT_SECONDS
    assert silence_ms / 1000 >= 1.5 * longest
    assert 1.5 * longest <= heartbeat.DEAD_SECONDS


def _texts(language: str) -> dict[str, str]:
    source = (WEB / "lib" / "texts" / f"{language}.ts").read_text(encoding="utf-8")
    body = re.search(rf"export const {language}[^{{]*\{{(.*?)\n\}}", source, re.S)
    assert body is not None
    return dict(re.findall(r'^  (\w+): "((?:[^"\\]|\\.)*)",$', body[1], re.M))


def test_both_languages_say_everything() -> None:
    en, zh = _texts("en"), _texts("zh")
    assert len(en) > 100 and en.keys() == zh.keys()
    for key, text in en.items():
        assert text and zh[key], key
        assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", zh[key])), key
        assert re.search("[\u4e00-\u9fff]", zh[key]) or not re.search("[A-Za-z]", re.sub(r"\{\w+\}", "", zh[key])), key


def test_no_text_is_unused() -> None:
    used = "".join(file.read_text(encoding="utf-8") for file in WEB.rglob("*") if file.is_file())
    for key in _texts("en"):
        assert re.search(rf'"{key}"|\'{key}\'', used), key


def test_the_page_knows_no_game() -> None:
    for file in WEB.rglob("*"):
        if file.is_file():
            text = file.read_text(encoding="utf-8").lower()
            for name in all_games():
                for word in (name, name.replace("_", " "), find_game(name).title.zh):
                    assert word not in text, f"{file.name} names {word}"


def test_nothing_is_written_into_the_page_as_markup() -> None:
    for file in WEB.rglob("*.svelte"):
        text = file.read_text(encoding="utf-8")
        assert "{@html" not in text and not re.search(r'\sstyle="', text), file.name


def test_a_server_without_a_page_says_so(tmp_path: Path) -> None:
    answer = page.answer("", tmp_path)
    said = bytes(answer.body).decode()
    assert answer.status_code == 503 and "make page" in said and "网页" in said


def test_only_files_of_the_page_are_served(tmp_path: Path) -> None:
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("page")
    (static / "assets" / "a.js").write_text("script")
    (tmp_path / "secret").write_text("secret")
    for path in ("", "room/abc", "../secret", "..%2fsecret", "a\0b", "x" * 5000, "assets/../../secret"):
        try:
            answer = page.answer(path, static)
        except HTTPException:
            continue
        assert answer.body == b"page", path
    assert "immutable" in page.answer("assets/a.js", static).headers["cache-control"]
    (static / "assets" / "b.js").write_text("script " * 1000)
    packed = page.answer("assets/b.js", static, "gzip, br")
    assert packed.headers["content-encoding"] == "gzip" and gzip.decompress(bytes(packed.body)) == b"script " * 1000
    assert "content-encoding" not in page.answer("assets/b.js", static, "br").headers
    for path in ("api/nothing", "assets/nothing.js"):
        with pytest.raises(HTTPException):
            page.answer(path, static)


@pytest.mark.parametrize("name", sorted(all_games()))
def test_catalogue(name: str) -> None:
    game = catalogue.describe(find_game(name))
    for players in game.players:
        options = {"players": str(players)} if len(game.players) > 1 else {}
        board = boards.board(name, options)
        assert len(board.seats) == players
        points = {point.name for point in board.points}
        glyphs = {glyph.code for glyph in board.glyphs}
        assert all(stone.point in points and stone.glyph in glyphs for stone in board.stones)
        for glyph in board.glyphs:
            assert all(character in board.outlines for character in glyph.character + glyph.letter)
