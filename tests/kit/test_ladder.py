"""Ladders: their file, their words, and that those which come with games hold what they promise."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

import boyi
from boyi.core.errors import OptionError, TextError
from boyi.core.game import Game
from boyi.core.level import MOST, Level
from boyi.kit import ladder as module
from boyi.kit.ladder import EVERYTHING, Ladder, find_ladder, ladder_file, read_ladders, write_ladders
from tests.toys.line import GAME as LINE

FITTED = [(game, name, one) for game in boyi.all_games().values() for name, one in read_ladders(game).items()]
LADDER = Ladder((Level(10, 5, 1.5, evaluator="hand", attention=0.01, depth=1, rating=140.0, score=0.7, games=20),
                 Level(3_000, rating=700.0), Level(0, rating=1_500.0)),
                'boyi levels fit "x"', "2026-11-18")


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where a game looks for its ladder."""
    path = tmp_path / "levels.toml"
    monkeypatch.setattr(module, "ladder_file", lambda game: path)
    return path


def test_a_ladder_is_read_as_it_was_written(file: Path) -> None:
    file.write_text(write_ladders({"for_two": LADDER, "for_more": replace(LADDER, levels=LADDER.levels[1:])}))
    assert read_ladders(LINE) == {"for_two": LADDER, "for_more": replace(LADDER, levels=LADDER.levels[1:])}


@pytest.mark.parametrize(("text", "words"), [
    ("for_two = 3", "there are no levels"), ("for_three = 3", "for_three"),
    ("[for_two]\nlevels = []", "1 to 15 levels"),
    ("[for_two]\nlevels = [3]", "level 1: 3 is not a table"), ("x", "is not TOML"),
    ("[[for_two.levels]]\nnodes = -3", "-3 is no value of nodes"),
    ("[[for_two.levels]]\nattention = 'x'", "no value of attention"),
    ("[[for_two.levels]]\nnodes = 3.5", "no value of nodes"), ("[[for_two.levels]]\nnode = 3", "node"),
])
def test_what_is_wrong_in_a_ladder_is_said(text: str, words: str, file: Path) -> None:
    file.write_text(text)
    with pytest.raises(TextError, match=words):
        read_ladders(LINE)


def test_where_a_ladder_stands() -> None:
    of_package, of_file = ladder_file(boyi.find_game("othello")), ladder_file(LINE)
    assert of_package is not None and of_package.parts[-2:] == ("othello", "levels.toml")
    assert of_file is not None and of_file.name == "line.levels.toml"


def test_the_words_of_a_ladder() -> None:
    assert [LADDER.title(number).en for number in (1, 2, 3)] == ["novice", "good player", "master"]
    assert LADDER.write(2, "zh") == "2 级·好手" and LADDER.write(3, "en") == "3 (master)"
    first, second, highest = (LADDER.meaning(number) for number in (1, 2, 3))
    assert first is not None and "learnt the rules today can beat it" in first.en
    assert second is not None and "for a month" in second.en and highest == EVERYTHING
    assert LADDER.describe(2).en == "good player; beats someone who has played for a month; about 700 on this ladder"
    assert Ladder((Level(5),)).describe(1).zh == "大师"
    assert [LADDER.read(text) for text in ("1", " 3 ", "easy", "高级")] == [1, 3, 1, 2]
    for wrong in ("0", "4", "", "5.0", "３", "easiest"):
        with pytest.raises(OptionError, match=r"--level: .* is not a level: a whole number from 1 to 3, or easy"):
            LADDER.read(wrong, "--level")


@pytest.mark.parametrize(("game", "name", "ladder"), FITTED)
def test_ladders_that_come_with_games_are_even(game: Game, name: str, ladder: Ladder) -> None:
    assert len(ladder) <= MOST and ladder.command.startswith(f"boyi levels fit {game.name}") and ladder.date
    for lower, higher in pairwise(ladder.levels):
        assert lower.rating is not None and higher.rating is not None and lower.rating < higher.rating
        assert not lower.full
    assert ladder.levels[-1].full
    for level in ladder.levels:
        assert (level.score is None) == (level.games == 0) and (level.score is None or level.score > 0.5)
        assert level.evaluator is None or level.evaluator in game.evaluators


def test_a_variant_of_a_game_was_not_measured() -> None:
    assert find_ladder(boyi.find_game("othello")).levels != find_ladder(replace(boyi.find_game("othello"))).levels
