"""How readers choose a notation: names in words, one choice for a family, coordinates of the board; and imports."""

from __future__ import annotations

import json
import random
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from boyi.core.position import CHANCE, OVER
from boyi.games import find_game, listed_games
from boyi.server import boards, catalogue, notation
from boyi.server.engines.describing import describe_lines
from tests.server.serving import serving_in_thread

XIANGQI, JIEQI = find_game("xiangqi"), find_game("jieqi")


def test_notations_have_names_in_words_and_an_example() -> None:
    offered = {one.name: one for one in notation.notations(XIANGQI)}
    assert [(offered[name].title.en, offered[name].sample) for name in ("wxf", "chinese", "")] == [
        ("WXF", "C2=5"), ("Chinese", "炮二平五"), ("Algebraic", "h2e2")]
    assert offered["chinese"].title.zh == "中文"
    covered = {one.name: one.sample for one in notation.notations(JIEQI)}
    assert covered["chinese"] == "暗炮二平五"
    assert covered["wxf"] == "XC2=5"


def test_xiangqi_and_jieqi_share_a_choice_and_chinese_is_usual_in_chinese() -> None:
    for game in (XIANGQI, JIEQI):
        facts = catalogue.describe(game)
        assert facts.notation_family == "xiangqi"
        assert facts.usual_notation.zh == "chinese"
        assert facts.usual_notation.en in {one.name for one in facts.notations}
    othello = catalogue.describe(find_game("othello"))
    assert (othello.notation_family, othello.usual_notation.zh) == ("othello", "")


@pytest.mark.parametrize("name", ["xiangqi", "jieqi"])
def test_files_are_counted_from_each_players_right(name: str) -> None:
    info = boards.board(name)
    chinese = {(label.x, label.y): label.text for label in info.coordinates["chinese"]}
    assert "".join(chinese[x, 9.85] for x in range(9)) == "九八七六五四三二一"
    assert "".join(chinese[x, -0.85] for x in range(9)) == "123456789"
    wxf = {(label.x, label.y): label.text for label in info.coordinates["wxf"]}
    assert "".join(wxf[x, 9.85] for x in range(9)) == "987654321"
    # A move from the second file is written with what stands below that file.
    point = next(point for point in info.points if point.name == "h2")
    assert chinese[point.x, 9.85] == "炮二平五"[1]
    assert set("一二三四五六七八九") <= set(info.outlines)   # no font is needed


def test_every_piece_is_in_every_set() -> None:
    for name in ("xiangqi", "jieqi"):
        open_pieces = [glyph for glyph in boards.board(name).glyphs if glyph.style == "plain"]
        assert len(open_pieces) == 14
        for glyph in open_pieces:
            assert glyph.letter
            assert glyph.character
            assert glyph.simplified
            assert glyph.picture.startswith("M")
        assert len({glyph.picture for glyph in open_pieces}) == 7
    assert {glyph.picture for glyph in boards.board("othello").glyphs} == {""}


def test_only_moves_that_are_not_known_are_written() -> None:
    asked = notation.AskNotation("xiangqi", notation="chinese", moves=["h2e2", "h9g7", "h0g2"], known=2)
    assert notation.write(asked) == ["马二进三"]


@pytest.mark.parametrize("name", ["wxf", "chinese", "traditional"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_jieqi_games_are_written_and_read_back(name: str, seed: int) -> None:
    rng = random.Random(seed)
    position, one = JIEQI.start(), JIEQI.notation(name)
    for _ in range(60):
        if position.turn == OVER:
            break
        if position.turn == CHANCE:
            position.play(rng.choice(position.odds())[0])
            continue
        for move in position.moves():
            assert one.parse(position, one.format(position, move)) == move
        position.play(rng.choice(position.moves()))


def test_a_line_through_a_reveal_can_be_written() -> None:
    class Line:
        moves = (JIEQI.start().parse_move("h2e2"),)
        texts, paths, units, odds, wins_in = ("h2e2",), (("h2", "e2"),), 0.1, 0.5, None

    (line,) = describe_lines(JIEQI.start(), [Line()], "chinese")  # type: ignore[list-item]
    assert line.written == ["暗炮二平五"]
    assert line.reveals


def test_imports_over_http(tmp_path: Path) -> None:
    with serving_in_thread(tmp_path) as served:
        def post(data: bytes, **query: str) -> Any:
            where = f"{served.place.address}/api/imports?{urllib.parse.urlencode(query)}"
            with urllib.request.urlopen(urllib.request.Request(where, data)) as answer:
                return json.load(answer)

        read = post("1. 炮二平五 马８进７".encode(), game="othello")
        assert read["problem"] is None
        assert [(one["game"], one["moves"]) for one in read["records"]] == [("xiangqi", ["h2e2", "h9g7"])]
        wrong = post("炮二平五 马8进7 炮五进三".encode(), game="xiangqi")
        assert wrong["records"] == []
        assert wrong["problem"]["number"] == 3
        assert wrong["problem"]["text"] == "炮五进三"
        assert wrong["problem"]["words"]["zh"] == "第 3 步（红方）“炮五进三”在此局面不能走。"
        assert wrong["problem"]["until"]["moves"] == ["h2e2", "h9g7"]
        assert post(b"\0\1\2\3")["problem"]["until"] is None


def test_every_listed_game_can_be_described() -> None:
    for game in listed_games():
        assert catalogue.describe(game).notations
