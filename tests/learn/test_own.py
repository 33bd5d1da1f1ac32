"""What only one game can learn from: its commands are found through the game, also through one from outside."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from boyi.games import all_games, find_game
from boyi.learn.own import Learning, find_learning
from tests.cli import invoke, refused

GAME = '''
from dataclasses import replace

from boyi.games.tic_tac_toe import GAME

GAME = replace(GAME, name="guessing", module=__name__, learning="guessing.learning")
'''
LEARNING = '''
from typing import Annotated

import typer

from boyi.core.words import Words
from boyi.learn.own import Answer, Command, Learning, fill


def guess(
    word: Annotated[str, typer.Argument(metavar="WORD")],
    times: Annotated[int, typer.Option(min=1, help="How often.")] = 2,
    *, position, on_progress,
) -> Answer:
    """Guess a word."""
    on_progress("half of it")
    text = "nothing" if position is None else position.to_text()
    return Answer({"guess": times * word, "text": text}, (Words("guess", "猜"),), [[Words("a", "甲")]], (),
                  (fill(Words("said {word}", "说 {word}"), word=word),), interrupted=word == "stop")


LEARNING = Learning({"guess": Command(guess, takes_position=True)})
'''


@pytest.fixture
def program(tmp_path: Path) -> list[str]:
    """The command line with a game from a folder that is not ours."""
    folder = tmp_path / "games" / "guessing"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(GAME, encoding="utf-8")
    (folder / "learning.py").write_text(LEARNING, encoding="utf-8")
    return [sys.executable, "-m", "boyi", "learn"]


def run(program: list[str], tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"BOYI_GAMES": str(tmp_path / "games"), "PYTHONUTF8": "1", "BOYI_LANGUAGE": "en"}
    return subprocess.run([*program, *words], env=environment, capture_output=True, text=True, check=False,
                          encoding="utf-8")


@pytest.mark.slow
def test_a_game_from_outside_brings_its_own_commands(program: list[str], tmp_path: Path) -> None:
    listed = run(program, tmp_path, "--help").stdout
    assert "guess " in listed and "patterns " in listed and listed.index("weights") < listed.index("guess ")
    helped = run(program, tmp_path, "guess", "--help").stdout
    for word in ("Guess a word.", "WORD", "--times", "How often.", "--fen", "--moves", "--json", "--language"):
        assert word in helped
    assert run(program, tmp_path, "guess", "ho", "--language", "zh").stdout == "猜\n甲\n说 ho\n"
    done = run(program, tmp_path, "guess", "ho", "--times", "3", "--moves", "b2", "--json")
    assert '"guess": "hohoho"' in done.stdout and '"nothing"' not in done.stdout
    assert run(program, tmp_path, "guess", "stop").returncode == 130
    wrong = run(program, tmp_path, "guess", "ho", "--times", "0")
    assert wrong.returncode == 2 and "--times" in wrong.stderr


def test_our_games_name_modules_that_are_there() -> None:
    for game in all_games().values():
        learning = find_learning(game)
        assert learning is None if game.learning is None else isinstance(learning, Learning)
    with pytest.raises(TypeError, match=r"LEARNING is not a boyi\.learn\.own\.Learning"):
        find_learning(replace(find_game("tic_tac_toe"), learning="tests.learn.test_own"))


@pytest.mark.slow
def test_an_evaluator_that_is_no_network_is_made_by_the_games_own_command(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy", reason="numpy is not installed; pip install 'boyi[learn]'")
    from tests.learn.othello.test_patterns import random_games

    file = str(tmp_path / "weights.xz")
    message = refused(["learn", "evaluator", "othello", file, "--nodes", "3"])
    assert "nodes = 3 would do nothing" in message and "boyi learn patterns --help" in message
    folder = tmp_path / "othello" / "wthor"
    folder.mkdir(parents=True)
    (folder / "games.wtb").write_bytes(random_games(40, 5)[1])
    monkeypatch.setenv("BOYI_DATA", str(tmp_path))
    made = invoke("learn", "evaluator", "othello", file)
    assert made.code == 0 and "40 games" in made.out, made.err
    again = invoke("learn", "patterns", str(tmp_path / "again.xz"), "--json").json
    assert again["settings"] == {"rounds": 12, "damping": 30.0, "window": 2, "first_year": 0, "solved": 16}
    assert (tmp_path / "again.xz").read_bytes() == (tmp_path / "weights.xz").read_bytes()
