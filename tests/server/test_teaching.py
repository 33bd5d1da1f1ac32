"""What teaches a game, as a client gets it: stones, moves and changes agree, and moves are written as one likes."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from boyi.core.board import Stone
from boyi.games import all_games, find_game
from boyi.kit.introduction import read_headings, read_introduction, read_lesson
from boyi.server import boards, notation, teaching
from boyi.server.client import ServerError, call
from boyi.server.protocol.reducer import changed
from tests.server.serving import serving

INTRODUCED = [name for name, game in all_games().items() if read_introduction(game) is not None]


LESSONS = [(name, heading.name) for name, game in all_games().items() for heading in read_headings(game)]


@pytest.mark.parametrize(("name", "lesson"), [*((name, "") for name in INTRODUCED), *LESSONS])
def test_the_changes_give_the_game(name: str, lesson: str) -> None:
    """A client without rules gets from each step to where its moves lead."""
    game = find_game(name)
    told = teaching.lesson(game, lesson) if lesson else teaching.introduction(game)
    known = read_lesson(game, lesson).introduction if lesson else read_introduction(game)
    assert known is not None
    points = {point.name for point in boards.board(name, told.options).points}
    for step, truth in zip(told.steps, known.steps, strict=True):
        legal = {move.text: move.path for move in step.moves}
        for task in step.tasks:
            assert legal[task.text] == task.played[0].path and set(task.played[0].path) <= points
            stones, walk = step.stones, truth.position.copy()
            for played in task.played:
                stones = changed(stones, played.changes)
                walk.play(played.text)
            assert {(stone.point, stone.glyph) for stone in stones} == {
                (stone.point, stone.glyph) for stone in walk.stones()}
        assert {stone.point for stone in step.stones} >= set(step.touch)


@pytest.mark.parametrize("name", sorted(all_games()))
def test_pictures_fit_their_boards(name: str) -> None:
    for picture in teaching.pictures(find_game(name)).values():
        board = boards.board(name, picture.options)
        points, glyphs = {point.name for point in board.points}, {glyph.code for glyph in board.glyphs}
        assert {*picture.path, *picture.marks, *(stone.point for stone in picture.stones)} <= points
        assert {stone.glyph for stone in picture.stones} <= glyphs
        assert all(isinstance(stone, Stone) for stone in picture.stones)


def test_moves_are_written_in_every_notation() -> None:
    moves = ["h2e2", "h9g7", "h0g2"]
    wanted = {"wxf": ["C2=5", "H8+7", "H2+3"], "chinese": ["炮二平五", "马８进７", "马二进三"],
              "iccs": ["H2-E2", "H9-G7", "H0-G2"]}
    for name, texts in wanted.items():
        assert notation.write(notation.AskNotation("xiangqi", notation=name, moves=moves)) == texts
    start = find_game("xiangqi").start()
    start.play("h2e2")
    later = notation.AskNotation("xiangqi", notation="wxf", start=start.to_text(), moves=moves[1:])
    assert notation.write(later) == ["H8+7", "H2+3"]


@pytest.mark.parametrize("name", sorted(all_games()))
def test_every_notation_has_a_sample(name: str) -> None:
    offered = notation.notations(find_game(name))
    assert [one.name for one in offered] == ["", *find_game(name).notations]
    assert all(one.sample for one in offered)


def test_over_http(tmp_path: Path) -> None:
    async def ask() -> None:
        async with serving(tmp_path) as place:
            games: Any = await call(place.address, "GET", "/api/games")
            for game in games:
                for ladder in game["ladders"]:
                    assert [(one["name"], one["title"]["zh"]) for one in ladder["difficulties"]] == [
                        ("easy", "初级"), ("medium", "中级"), ("hard", "高级")]
                path = f"/api/games/{game['name']}/introduction"
                if game["introduction"]:
                    told: Any = await call(place.address, "GET", path)
                    assert told["title"] == game["title"] and told["steps"]
                else:
                    with pytest.raises(ServerError, match="liuzhou"):
                        await call(place.address, "GET", path)
                for lesson in game["lessons"]:
                    told = await call(place.address, "GET", f"/api/games/{game['name']}/lessons/{lesson['name']}")
                    assert told["title"] == lesson["title"] and len(told["steps"]) == lesson["steps"]
                with pytest.raises(ServerError, match="nothing"):
                    await call(place.address, "GET", f"/api/games/{game['name']}/lessons/nothing")
            liuzhou: Any = await call(place.address, "GET", "/api/games/liuzhou")
            assert {"shapes", "marked", "capture"} == liuzhou["pictures"].keys()
            asked = {"game": "xiangqi", "notation": "wxf", "moves": ["h2e2"]}
            assert await call(place.address, "POST", "/api/notation", asked) == ["C2=5"]
            for wrong in ({"notation": "none"}, {"moves": ["a0a9"]}, {"game": "go"}, {"moves": 3}, {"start": "x"}):
                with pytest.raises(ServerError):
                    await call(place.address, "POST", "/api/notation", asked | wrong)
    asyncio.run(ask())
