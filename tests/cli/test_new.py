"""boyi new: a game that works at once, or a refusal that writes nothing."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from boyi.cli.new import write
from boyi.core.errors import BoyiError, TextError
from tests.places import ROOT
from tests.scale import some_of

PROGRAM = [sys.executable, "-c", "from boyi.cli import main; main()"]


@pytest.fixture
def games(tmp_path: Path) -> Path:
    write("noughts", tmp_path)
    return tmp_path


def boyi_with(games: Path, *words: str, program: list[str] = PROGRAM) -> str:
    """What `boyi WORDS` prints in a process of its own that looks for games in `games`."""
    done = subprocess.run([*program, *words], env=os.environ | {"BOYI_GAMES": str(games), "PYTHONUTF8": "1"},
                          capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_is_found_shown_and_counted(games: Path) -> None:
    assert "[O]" in boyi_with(games, "show", "noughts", "--moves", "b2 a1")
    assert json.loads(boyi_with(games, "perft", "noughts", "6", "--json"))["nodes"] == 54720
    document = json.loads(boyi_with(games, "show", "noughts", "--json"))
    assert len(document["legal_moves"]) == 9


def test_its_own_tests_pass(games: Path) -> None:
    assert "passed" in own_tests(games, "noughts")


def own_tests(games: Path, name: str) -> str:
    """The tests that came with a game; the first of them asks what is true of every game."""
    return boyi_with(games, "-q", "-p", "no:cacheprovider", str(games / name), program=[sys.executable, "-m", "pytest"])


@pytest.mark.parametrize(("players", "dice"), some_of(
    [(3, True), (2, True), (3, False), (4, True), (4, False), (5, True), (5, False), (6, True), (6, False)], 9))
def test_more_players_and_dice(players: int, dice: bool, tmp_path: Path) -> None:
    write("racing", tmp_path, players=players, dice=dice)
    assert "passed" in own_tests(tmp_path, "racing")
    facts = json.loads(boyi_with(tmp_path, "games", "--json"))
    found = next(one for one in facts if one["name"] == "racing")
    assert found["players"] == {"least": players, "most": players} and found["has_chance"] is dice


def test_templates_are_written_well(tmp_path: Path) -> None:
    """By the same rules as our own code, and nothing of the template is left."""
    for dice in (False, True):
        for cython in (False, True):
            write(f"racing_{dice}_{cython}".lower(), tmp_path, players=4, dice=dice, cython=cython)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            source = path.read_text(encoding="utf-8")
            assert not re.search(r"template|[+-]dice|[ \t]$", source, re.IGNORECASE | re.MULTILINE), path
            assert max(map(len, source.splitlines())) <= 120, path
    done = subprocess.run([sys.executable, "-m", "ruff", "check", "--no-cache", "--extend-ignore", "I",
                           "--config", str(ROOT / "pyproject.toml"), str(tmp_path)], capture_output=True, text=True,
                          check=False)      # what is ours and what is theirs, imports cannot tell here
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("players", "dice"), [(3, True), (2, False)])
def test_a_package_in_cython(players: int, dice: bool, tmp_path: Path) -> None:
    """It is compiled against the Boyi that is installed, found by its entry point, and conforms."""
    pytest.importorskip("mesonpy", reason="meson-python is not installed; make test installs it")
    folder = write("racing", tmp_path / "source", players=players, dice=dice, cython=True)
    site = tmp_path / "site"
    path = str(Path(sys.executable).parent) + os.pathsep + os.environ["PATH"]
    done = subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps",
                           "--target", str(site), str(folder)], env=os.environ | {"PATH": path}, capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    environment = os.environ | {"PYTHONPATH": str(site), "PYTHONUTF8": "1"}
    environment.pop("BOYI_GAMES", None)
    for program in ([*PROGRAM, "check", "racing"],
                    [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)]):
        done = subprocess.run(program, env=environment, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr


def test_it_is_a_game_like_the_others(games: Path) -> None:
    """Its positions travel, draw and end: what a stranger's game needs for everything built on top."""
    program = """
import pickle, random
from boyi.games import find_game
game = find_game("noughts")
assert game.title.en == "Noughts" and type(game.start()).__name__ == "Noughts"
chance = random.Random(1)
for _ in range(50):
    position = game.start()
    while position.outcome() is None:
        position.play(chance.choice(position.moves()))
        assert position.fingerprint == position.recomputed_fingerprint() == game.parse(position.to_text()).fingerprint
    assert str(pickle.loads(pickle.dumps(position))) == str(position)
    assert position._repr_svg_().startswith("<svg")
    while position.ply:
        position.undo()
    assert position.fingerprint == game.start().fingerprint
"""
    boyi_with(games, program=[sys.executable, "-c", program])


def test_a_worker_process_finds_it(games: Path) -> None:
    """A position arrives in a process that has not looked for games."""
    program = """
import pickle, subprocess, sys
from boyi.games import find_game
position = find_game("noughts").start()
position.play("b2")
code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).to_text())"
done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(position), capture_output=True, check=True)
assert done.stdout.split() == [b"---/-X-/---"], done.stderr
"""
    boyi_with(games, program=[sys.executable, "-c", program])


def test_other_packages_beside_it_are_no_games(games: Path) -> None:
    (games / "helpers_of_mine").mkdir()
    (games / "helpers_of_mine" / "__init__.py").write_text("ANSWER = 42\n")
    assert "·" in boyi_with(games, "show", "noughts")


def test_nothing_of_the_example_is_left(games: Path) -> None:
    for path in (games / "noughts").iterdir():
        source = path.read_text(encoding="utf-8")
        for word in ("tic_tac_toe", "TicTacToe", "Tic-tac-toe", "井", "boyi new"):
            assert word not in source, path


def test_the_next_steps_are_printed(tmp_path: Path) -> None:
    printed = boyi_with(tmp_path, "new", "connect_four", "--to", str(tmp_path))
    assert f"BOYI_GAMES={tmp_path}" in printed and "boyi check connect_four" in printed
    assert "boyi show connect_four" in printed
    assert sorted(path.name for path in (tmp_path / "connect_four").iterdir()) == [
        "__init__.py", "test_connect_four.py"]
    document = json.loads(boyi_with(tmp_path, "new", "hex", "--to", str(tmp_path / "deep" / "er"), "--json"))
    assert document["game"] == "hex"
    assert [Path(name).exists() for name in document["files"]] == [True, True]


@pytest.mark.parametrize("name", [
    "", "x", "Chess", "2048", "go-moku", "my game", "../up", "a/b", "_hidden", "class", "围棋", "n" * 41, "a\n", "json",
    "boyi", "tic_tac_toe", "othello",
])
def test_bad_names_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(TextError):
        write(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_an_existing_folder_is_left_alone(games: Path) -> None:
    before = (games / "noughts" / "__init__.py").read_bytes()
    with pytest.raises(TextError, match="exists already"):
        write("noughts", games)
    assert (games / "noughts" / "__init__.py").read_bytes() == before


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BoyiError, match="cannot write"):
        write("noughts", tmp_path / "file")
