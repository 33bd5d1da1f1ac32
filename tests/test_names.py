"""A game carries what is the game's: no code outside the games names one, and a plug-in has what ours have."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

import boyi
from boyi.cli.new import write

SOURCE = Path(boyi.__file__).parent

MAY_NAME_GAMES = {
    "games/*": "the games themselves",
    "lab/experiments/*": "an experiment is about a game",
    "learn/othello/*": "what is fitted for one game alone, found through a fact of the game",
    "engine/othello_*.py": "a client and a server of a protocol that is Othello's",
    "cli/othello_*.py": "their commands",
}

GAMES = [game for game in boyi.all_games().values() if game.module.startswith("boyi.")]
WORDS = [re.sub("[_ -]", "[_ -]?", word) for game in GAMES for word in (game.name, game.title.en, game.title.zh)]
NAMED = re.compile(rf"(?:(?<![a-z])|(?=[A-Z]))(?i:{'|'.join(WORDS)})")
"""A name, but not inside a word: hoixiangqi is the name of a program."""

ASIDE = re.compile(r'"""(?:\\.|[^\\])*?"""' r"|\#[^\n]*", re.DOTALL)
"""In Cython: docstrings and comments."""


def code_of(path: Path) -> list[str]:
    """Names and texts of a source, without its docstrings and comments."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return ASIDE.sub("", text).splitlines()
    found, tree = list[str](), ast.parse(text)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            found.append(node.value)
        for name in ("id", "attr", "name", "module", "arg", "asname"):
            if isinstance(word := getattr(node, name, None), str):
                found.append(word)
    return found


def places() -> list[str]:
    return sorted(path.relative_to(SOURCE).as_posix() for suffix in ("py", "pyx", "pxd")
                  for path in SOURCE.rglob(f"*.{suffix}"))


def test_no_code_outside_the_games_names_one() -> None:
    named = {place: words for place in places() if not any(fnmatch(place, one) for one in MAY_NAME_GAMES)
             if (words := [line.strip() for line in code_of(SOURCE / place) if NAMED.search(line)])}
    assert named == {}


def test_a_name_would_be_found(tmp_path: Path) -> None:
    for number, (code, names) in enumerate((
            ('if game.name == "othello": pass', True), ("from boyi.games.jieqi import GAME", True),
            ("from boyi.games import jieqi as other", True), ('HELP = f"for {x} and Chinese checkers"', True),
            ("class XiangqiReader: pass", True), ("def ReadXiangqi(): pass", True), ("OTHELLO = 1", True),
            ("ChineseCheckers()", True), ('"hoixiangqi"; 1', False), ('PROGRAM = "hoixiangqi"', False),
            ("def read(tic_tac_toe): pass", True), ("ZH = '六洲棋'", True),
            ('"""As in xiangqi."""', False), ("x = 1  # othello", False),
            ('def f():\n    """>>> start("othello")"""', False))):
        path = tmp_path / f"{number}.py"
        path.write_text(code, encoding="utf-8")
        assert any(NAMED.search(line) for line in code_of(path)) is names, code
    cython = tmp_path / "one.pyx"
    cython.write_text('"""Othello."""\n# jieqi\nfrom boyi.games.liuzhou cimport x\n')
    assert [line for line in code_of(cython) if NAMED.search(line)] == ["from boyi.games.liuzhou cimport x"]


def test_games_are_listed_by_their_place() -> None:
    assert [game.order for game in boyi.all_games().values()] == sorted(
        game.order for game in boyi.all_games().values())
    assert len({game.order for game in GAMES}) == len(GAMES)


# ---------------------------------------------------------------------- a plug-in

FACTS = """\
    levels=ladder(range(100, 1100, 100), [9] * 9 + [1], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0]),
    protocols={"uci": Dialect("plugged"), "gtp": Dialect("plugged", colours=("crosses", "noughts"), board_size=3)},
    order=5,
"""


@pytest.fixture
def plugged(tmp_path: Path) -> Path:
    """A folder with a game that says its own levels, protocols and place."""
    source = write("plugged", tmp_path) / "__init__.py"
    text = source.read_text(encoding="utf-8")
    assert text.count("GAME = Game(\n") == 1
    source.write_text(text.replace("GAME = Game(\n", f"GAME = Game(\n{FACTS}").replace(
        "from boyi.core.game import Game\n", "from boyi.core.dialect import Dialect\nfrom boyi.core.game import Game\n"
                                             "from boyi.core.level import ladder\n"), encoding="utf-8")
    return tmp_path


def run(folder: Path, *words: str, program: str = "from boyi.cli import main; main()", heard: str = "") -> str:
    """What a process of its own prints that looks for games in a folder."""
    done = subprocess.run([sys.executable, "-c", program, *words], input=heard, capture_output=True, text=True,
                          env=os.environ | {"BOYI_GAMES": str(folder), "PYTHONUTF8": "1"}, encoding="utf-8",
                          check=False, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_plug_in_has_levels(plugged: Path) -> None:
    program = """
import boyi
from boyi.agents import Clock, make_agent
from boyi.agents.level import find_level
position = boyi.start("plugged")
assert find_level(3, position.game).nodes == 300
for _ in range(9):
    if position.outcome() is None:
        position.play(make_agent("level:2,seed=1").choose(position.copy(), Clock()))
assert position.outcome() is not None
"""
    run(plugged, program=program)


@pytest.mark.slow
def test_a_plug_in_has_protocols(plugged: Path) -> None:
    heard = "uci\nisready\nposition startpos moves a1 b2 a2 c1\ngo depth 4\nquit\n"
    said = run(plugged, "engine", "plugged", heard=heard)
    assert "uciok" in said and "bestmove a3" in said and "score mate 1" in said
    heard = "list_games\nboardsize 3\nplay crosses b2\nreg_genmove noughts\nshowboard\nquit\n"
    said = run(plugged, "engine", "plugged", "--protocol", "gtp", heard=heard)
    assert said.startswith("= plugged\n") and "  A B C\n1 - - -\n2 - X -\n3 - - -" in said
    played = json.loads(run(
        plugged, "match", "plugged", f"uci:{sys.executable} -m boyi engine plugged,depth=3", "random", "--games", "2",
        "--seed", "1", "--json"))
    assert sum(played["reasons"].values()) == 2 and played["reasons"].keys() <= {"three_in_a_row", "board_full"}


def test_a_plug_in_has_a_card_in_the_lobby(plugged: Path) -> None:
    program = """
import json
import msgspec
from boyi.server import catalogue
print(json.dumps([msgspec.to_builtins(card) for card in catalogue.games()]))
"""
    first, *others = json.loads(run(plugged, program=program))
    (ladder,) = first["ladders"]
    assert (first["name"], first["players"], ladder["players"], len(ladder["levels"])) == ("plugged", [2], [2], 10)
    assert [one["level"] for one in ladder["difficulties"]] == [2, 5, 8]
    assert [one["name"] for one in others] == [game.name for game in GAMES if game.listed]


def test_what_is_not_listed_is_played_by_its_name(plugged: Path) -> None:
    source = plugged / "plugged" / "__init__.py"
    source.write_text(source.read_text(encoding="utf-8").replace("    order=5,\n", "    listed=False,\n"),
                      encoding="utf-8")
    assert "plugged" not in run(plugged, "games")
    assert "[X]" in run(plugged, "show", "plugged", "--moves", "b2")
