"""Names of openings: all that ship are legal and right, and a position is recognised however it came about."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import boyi
from boyi.core.errors import TextError
from boyi.core.game import Game, load
from boyi.core.position import Position
from boyi.core.record import Record
from boyi.study.openings import find_opening, name_of, read_openings

LEAST = {"xiangqi": 150, "othello": 60}

Make = Callable[[str], Game]


def played(game: str, moves: str) -> Position:
    position = boyi.start(game)
    for move in moves.split():
        position.play(move)
    return position


def image(position: Position, number: int) -> Position:
    """The same game on another image of the board."""
    points = position.board.images[number]
    turned = boyi.start(position.game.name)
    walk = boyi.start(position.game.name)
    for move in position.history():
        path = tuple(points[point] for point in walk.path(move))
        turned.play(next(one for one in turned.moves() if turned.path(one) == path))
        walk.play(move)
    return turned


@pytest.mark.parametrize("game", LEAST)
def test_every_opening_is_legal_and_recognised(game: str) -> None:
    openings = read_openings(boyi.find_game(game))
    assert len({opening.name.en for opening in openings.values()}) >= LEAST[game]
    assert len({opening.name.zh for opening in openings.values()}) >= LEAST[game]
    for opening in openings.values():
        position = played(game, " ".join(opening.moves))
        assert find_opening(position) is opening
        named = name_of(position)
        assert named is not None
        assert (named.opening, named.ply) == (opening, len(opening.moves))
        assert not re.search("[\u2e80-\uffff]", opening.name.en)
        assert not re.search("[a-z]", opening.name.zh)
        assert re.fullmatch("([A-E][0-9]{2})?", opening.code)


@pytest.mark.parametrize("game", LEAST)
def test_every_image_of_an_opening_is_recognised(game: str) -> None:
    openings = list(read_openings(boyi.find_game(game)).values())
    for opening in random.Random(1).sample(openings, 20):
        position = played(game, " ".join(opening.moves))
        for number in range(len(position.board.images)):
            assert find_opening(image(position, number)) is opening


def test_the_order_of_moves_does_not_matter() -> None:
    usual = played("xiangqi", "C2=5 H8+7 H2+3 R9=8 R1=2 H2+3")
    other = played("xiangqi", "C2=5 H2+3 H2+3 H8+7 R1=2 R9=8")
    assert find_opening(other) is find_opening(usual) is not None


@pytest.mark.parametrize(("game", "moves", "zh", "code"), [
    ("xiangqi", "h2e2", "中炮局", "B00"),
    ("xiangqi", "h2e2 h7e7", "顺炮局", "D00"),
    ("xiangqi", "h2e2 b7e7", "列炮局", "D50"),
    ("xiangqi", "b2e2 b7e7", "顺炮局", "D00"),
    ("xiangqi", "g0e2", "飞相局", "A10"),
    ("xiangqi", "c3c4", "仙人指路局", "E00"),
    ("xiangqi", "c3c4 b7c7", "仙人指路对卒底炮", "E10"),
    ("xiangqi", "h2d2", "过宫炮局", "A60"),
    ("xiangqi", "b0c2", "起马局", "A40"),
    ("xiangqi", "h2f2", "仕角炮局", "A50"),
    ("xiangqi", "c3c4 g6g5", "对兵局", "E40"),
    ("othello", "f5 d6 c3 d3 c4", "虎式", ""),
    ("othello", "d3 c5 f6 f5 e6", "虎式", ""),
    ("othello", "c4 c3 d3 c5 d6", "牛式", ""),
])
def test_well_known_openings(game: str, moves: str, zh: str, code: str) -> None:
    opening = find_opening(played(game, moves))
    assert opening is not None
    assert (opening.name.zh, opening.code) == (zh, code)


def test_the_last_named_position_names_a_game() -> None:
    position = played("xiangqi", "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 e0e1 e9e8")
    for game in (position, Record.from_position(position), Record.from_position(position).with_final()):
        named = name_of(game)
        assert named is not None
        assert (named.opening.name.zh, named.ply) == ("中炮对屏风马", 6)
    assert name_of(boyi.start("xiangqi")) is None
    assert name_of(boyi.find_game("xiangqi").parse("4k4/9/9/9/9/9/9/9/9/3K5 w")) is None


def test_a_game_that_begins_elsewhere_is_named_by_its_positions() -> None:
    middle = played("othello", "f5 d6 c3")
    position = boyi.find_game("othello").parse(middle.to_text())
    assert name_of(position) is None
    for move in ("d3", "c4"):
        position.play(move)
    named = name_of(position)
    assert named is not None
    assert (named.opening.name.en, named.ply) == ("Tiger", 2)


@pytest.mark.parametrize("game", ["jieqi", "tic_tac_toe"])
def test_a_game_may_do_without_names(game: str) -> None:
    assert read_openings(boyi.find_game(game)) == {}
    assert name_of(boyi.start(game)) is None


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Othello with openings of one's own."""
    def made(openings: str) -> Game:
        name = f"othello_{abs(hash(openings))}"
        package = tmp_path / name
        package.mkdir()
        (package / "__init__.py").write_text(
            "from dataclasses import replace\nfrom boyi.games import find_game\n"
            "GAME = replace(find_game('othello'), module=__name__)\n", encoding="utf-8")
        (package / "openings.toml").write_text(openings, encoding="utf-8")
        game = load(name)
        monkeypatch.delitem(sys.modules, name, raising=False)
        return game
    monkeypatch.syspath_prepend(str(tmp_path))
    return made


@pytest.mark.parametrize(("openings", "words"), [
    ('openings = [{ moves = "f5 a1", en = "A", zh = "甲" }]', "opening 1: .*a1"),
    ('openings = [{ moves = "f5", en = "A", zh = "甲" }, { moves = "c4", en = "B", zh = "乙" }]', "same position as A"),
    ('openings = [{ moves = "", en = "A", zh = "甲" }]', "A has no moves"),
    ('openings = [{ moves = "f5", en = "A" }]', "zh is a text"),
    ('openings = [{ moves = "f5", en = "A", zh = "甲", eco = "A" }]', "eco"),
    ("opening = []", "opening"),
])
def test_what_is_wrong_in_the_file_is_said(make: Make, openings: str, words: str) -> None:
    with pytest.raises(TextError, match=f"openings.toml of othello.*{words}"):
        read_openings(make(openings))
