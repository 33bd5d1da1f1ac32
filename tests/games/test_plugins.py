"""Games from outside: found, loaded, and left out with a reason when they are broken. Nothing else is disturbed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import fields
from importlib import metadata
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boyi
import boyi.games
from boyi.agents import Clock, make_agent
from boyi.cli import games as listing
from boyi.core.board import Board
from boyi.core.errors import BoyiWarning, BrokenGameError, UnknownNameError
from boyi.core.facts import FIELDS
from boyi.core.game import Game, load
from boyi.games import BrokenGame, all_games, broken_games, find_game, is_own
from boyi.server import catalogue
from tests.scale import scaled

LINE = (Path(__file__).parent.parent / "toys" / "line.py").read_text(encoding="utf-8")
OWN = {name: game for name, game in all_games().items() if is_own(game)}
_numbers = count()


def fresh_name() -> str:
    """The name of a module that nobody has imported."""
    return f"stranger{next(_numbers)}"


def line(name: str, more: str = "") -> str:
    """A game that works, and something after it."""
    return LINE.replace('name="line"', f'name="{name}"') + more


def look(*directories: Path | str) -> tuple[dict[str, Game], tuple[BrokenGame, ...]]:
    """What is found where BOYI_GAMES names these directories."""
    before, path = os.environ.get("BOYI_GAMES"), list(sys.path)
    os.environ["BOYI_GAMES"] = os.pathsep.join(map(str, directories))
    all_games.cache_clear()
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            games, broken = all_games(), broken_games()
        said = [str(warning.message) for warning in caught if issubclass(warning.category, BoyiWarning)]
        assert said == [str(one) for one in broken]                     # once each
        assert {name: games[name] for name in OWN} == OWN               # nothing else is disturbed
        return games, broken
    finally:
        os.environ.pop("BOYI_GAMES") if before is None else os.environ.update(BOYI_GAMES=before)
        sys.path[:] = path


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    yield
    all_games.cache_clear()


# ---------------------------------------------------------------------- what is found

def test_a_file_and_a_folder_are_games_and_scripts_are_not_run(tmp_path: Path) -> None:
    file, folder, inner = fresh_name(), fresh_name(), fresh_name()
    (tmp_path / f"{file}.py").write_text(line(file))
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "__init__.py").write_text(line(folder))
    (tmp_path / inner).mkdir()                                  # a folder that exports what one of its modules holds
    (tmp_path / inner / "__init__.py").write_text(f"from {inner}.rules import GAME\n")
    (tmp_path / inner / "rules.py").write_text(line(inner))
    (tmp_path / "script.py").write_text(f"from {file} import GAME\nraise SystemExit('it was run')\n")
    (tmp_path / "helpers").mkdir()
    (tmp_path / "helpers" / "__init__.py").write_text("raise SystemExit('it was run')\n")
    (tmp_path / "notes.txt").write_text("GAME = 3\n")
    games, broken = look(tmp_path)
    assert not broken
    assert set(games) - set(OWN) == {file, folder, inner}
    assert games[file].start().moves() and load(games[file].module) is games[file]


def test_a_game_that_is_found_in_two_ways_is_one_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = fresh_name()
    (tmp_path / f"{name}.py").write_text(line(name))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(metadata, "entry_points", lambda group: [metadata.EntryPoint(name, name, group)])
    games, broken = look(tmp_path, tmp_path)
    assert name in games and not broken


def test_a_single_file_reads_no_files_of_its_neighbours(tmp_path: Path) -> None:
    from boyi.kit.folder import read_text

    name = fresh_name()
    (tmp_path / f"{name}.py").write_text(line(name))
    (tmp_path / "rules.md").write_text("rules of another game")
    games, _ = look(tmp_path)
    assert read_text(games[name], "rules.md") == ""


def test_a_single_file_may_have_an_evaluator(tmp_path: Path) -> None:
    """It lives in the game's own module, which has no package."""
    name = fresh_name()
    (tmp_path / f"{name}.py").write_text(line(name, """
from dataclasses import replace
from boyi.core.evaluator import PythonEvaluator
class Middle(PythonEvaluator):
    def guess(self, position):
        return 50 if position.state[4] == "xo"[position.turn] else -50
GAME = replace(GAME, evaluators={"middle": Middle})
"""))
    games, broken = look(tmp_path)
    assert not broken
    position = games[name].start()
    position.play(make_agent("level:3").choose(position.copy(), Clock()))
    assert position.ply == 1


# ---------------------------------------------------------------------- what is left out

BROKEN: dict[str, tuple[Callable[[str], str], str]] = {
    "syntax": (lambda name: "GAME = (\n", "SyntaxError: '(' was never closed"),
    "import": (lambda name: line(name, "import nothing_of_this_name\n"), "No module named 'nothing_of_this_name'"),
    "raises": (lambda name: line(name, "1 / 0\n"), "ZeroDivisionError: division by zero"),
    "exits": (lambda name: line(name, "raise SystemExit(3)\n"), "SystemExit: 3"),
    "type": (lambda name: line(name, "GAME = {'name': 'x'}\n"), "not a boyi.core.game.Game"),
    "name": (lambda name: line(name, "object.__setattr__(GAME, 'name', 7)\n"), "its name is 7"),
    "order": (lambda name: line(name, "object.__setattr__(GAME, 'order', 'first')\n"), "its order is 'first'"),
    "module": (lambda name: line(name, "object.__setattr__(GAME, 'module', 'json')\n"), "module"),
    "start": (lambda name: line(name, "LinePosition.initial = lambda self: 1 / 0\n"), "ZeroDivisionError"),
    "unwritten": (lambda name: line(name, "del LinePosition.legal_moves\n"), "does not generate moves"),
    "board": (lambda name: line(name, "def _board(options):\n    raise KeyError('felt')\n"
                                      "object.__setattr__(GAME, 'board', _board)\n"), "KeyError: 'felt'"),
    "players": (lambda name: line(name, "LinePosition.player_count = lambda self: 7\n"), "7 players, not 1 to 6"),
    "seats": (lambda name: line(name, "LinePosition.player_count = lambda self: 3\n"
                                      "LinePosition.final_scores = lambda self, state: None\n"), "of 3 players"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_one_broken_game_breaks_only_itself(kind: str, tmp_path: Path) -> None:
    bad, good = fresh_name(), fresh_name()
    source, words = BROKEN[kind]
    (tmp_path / f"{bad}.py").write_text(source(bad))
    (tmp_path / f"{good}.py").write_text(line(good))
    games, (broken,) = look(tmp_path)
    assert good in games and bad not in games
    assert (broken.name, broken.place) == (bad, str(tmp_path / f"{bad}.py"))
    assert words in broken.reason
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BoyiWarning)
        os.environ["BOYI_GAMES"] = str(tmp_path)
        try:
            all_games.cache_clear()
            with pytest.raises(BrokenGameError) as caught:
                find_game(bad)
        finally:
            del os.environ["BOYI_GAMES"]
    assert broken.reason in str(caught.value) and str(tmp_path) in str(caught.value)


def test_every_field_of_a_record_is_checked() -> None:
    assert set(FIELDS) == {field.name for field in fields(Game)}


def test_a_reason_tells_the_line(tmp_path: Path) -> None:
    name = fresh_name()
    (tmp_path / f"{name}.py").write_text("GAME = None\n\nnone_such\n")
    _, (broken,) = look(tmp_path)
    assert broken.reason == f"NameError: name 'none_such' is not defined ({name}.py, line 3)"


def test_who_comes_first_has_the_name(tmp_path: Path) -> None:
    first, second, module = fresh_name(), fresh_name(), fresh_name()
    for place in ("one", "two"):
        (tmp_path / place).mkdir()
        (tmp_path / place / f"{module}.py").write_text(line(f"{place}s"))
    (tmp_path / "one" / f"{first}.py").write_text(line("othello"))
    (tmp_path / "one" / f"{second}.py").write_text(line("ones"))
    (tmp_path / "two" / "json.py").write_text(line("jason"))
    games, broken = look(tmp_path / "one", tmp_path / "two")
    assert games["othello"] is OWN["othello"] and games["ones"].module in (module, second)
    assert {one.name: one.reason.partition(";")[0] for one in broken} == {
        "othello": "there is a game of this name already, in boyi.games.othello",
        "ones": f"there is a game of this name already, in {games['ones'].module}",
        module: f"another module is called {module} and comes first: {tmp_path / 'one' / module}.py",
        "json": f"another module is called json and comes first: {json.__file__}",
    }


def test_a_name_that_cannot_be_imported_is_said(tmp_path: Path) -> None:
    (tmp_path / "connect-four.py").write_text(line("connect_four"))
    _, (broken,) = look(tmp_path)
    assert broken.name == "connect-four" and "rename it" in broken.reason


def test_a_path_that_does_not_exist_or_is_a_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "file.py").write_text(line("file"))
    games, broken = look(tmp_path / "gone", tmp_path / "file.py")
    assert set(games) == set(OWN)
    assert [(one.name, one.place) for one in broken] == [
        (str(tmp_path / "gone"), "BOYI_GAMES"), (str(tmp_path / "file.py"), "BOYI_GAMES")]
    assert "No such file" in broken[0].reason and "Not a directory" in broken[1].reason
    assert str(broken[0]).startswith(f"BOYI_GAMES names {tmp_path / 'gone'}, where nothing can be looked for: No such")


def test_an_entry_point_whose_package_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [metadata.EntryPoint("sixth", "package_that_is_gone", "boyi.games"),
              metadata.EntryPoint("seventh", "tests.toys.line:GAME", "boyi.games"),
              metadata.EntryPoint("eighth", "json", "boyi.games")]
    monkeypatch.setattr(metadata, "entry_points", lambda group: points if group == "boyi.games" else [])
    games, broken = look()
    assert games["line"] is load("tests.toys.line")
    assert [(one.name, one.place) for one in broken] == [
        ("package_that_is_gone", "entry point sixth"), ("json", "entry point eighth")]
    assert "No module named 'package_that_is_gone'" in broken[0].reason and "exports no GAME" in broken[1].reason


# ---------------------------------------------------------------------- the commands

def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "boyi", *words], capture_output=True, text=True, encoding="utf-8",
                          check=False, env=os.environ | {"BOYI_GAMES": str(folder), "BOYI_LANGUAGE": "en",
                                                         "PYTHONUTF8": "1"})


def test_a_command_says_it_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "bad_one.py").write_text("GAME = 1 / 0\n")
    done = run(tmp_path, "games", "--json")
    assert done.returncode == 0 and {game["name"] for game in json.loads(done.stdout)} <= set(OWN)
    assert done.stderr == (f"boyi: the game bad_one ({tmp_path / 'bad_one.py'}) is left out: ZeroDivisionError: "
                           "division by zero (bad_one.py, line 1)\n")
    asked = run(tmp_path, "show", "bad_one")
    assert asked.returncode == 2 and "boyi: the game bad_one" in asked.stderr.splitlines()[-1]
    assert "is broken: ZeroDivisionError" in asked.stderr and "Traceback" not in asked.stderr


@pytest.mark.slow
def test_the_doctor_has_a_row_for_each(tmp_path: Path) -> None:
    (tmp_path / "bad_two.py").write_text("GAME = 2\n")
    done = run(tmp_path, "doctor", "--json")
    assert done.stderr == "" and json.loads(done.stdout)["broken_games"] == [
        {"name": "bad_two", "place": str(tmp_path / "bad_two.py"),
         "reason": "GAME is 2 and not a boyi.core.game.Game"}]
    shown = run(tmp_path, "doctor").stdout
    assert "broken game bad_two" in shown and "GAME is 2" in shown


def test_others_commands_for_learning_break_only_themselves(tmp_path: Path) -> None:
    (tmp_path / "eager.py").write_text(line("eager", "object.__setattr__(GAME, 'learning', 'no_such_module')\n"))
    done = run(tmp_path, "learn", "--help")
    assert done.returncode == 0 and "patterns" in done.stdout
    assert "the commands that eager brings for `boyi learn` are left out" in done.stderr


# ---------------------------------------------------------------------- hostile ones

VALUES = ("None", "0", "-1", "7", "2.5", "'x'", "''", "()", "[]", "{}", "{1: 2}", "object()", "10**30", "b'x'", "type",
          "print", "float('nan')", "lambda *words: None", "lambda *words: 1 / 0", "lambda *words: 'x'",
          "lambda *words: []", "lambda *words: [None]", "lambda *words: 10**30", "lambda *words: object()", "GAME",
          "lambda: 3", "property(lambda self: 1 / 0)")
ERRORS = ("ValueError('wrong')", "KeyError", "SystemExit(1)", "GeneratorExit", "StopIteration", "RecursionError",
          "MemoryError", "BaseException('worse')", "Unspeakable", "SyntaxError('odd')", "UnicodeError")
METHODS = ("player_count", "initial", "to_act", "legal_moves", "after", "final_scores", "likelihoods", "state_to_text",
           "text_to_state", "format_move", "path", "stones", "changes", "reason", "observe", "to_text", "set_text",
           "moves", "turn", "copy", "__init__", "__new__", "__eq__", "__repr__", "__class__", "board", "state")
UNSPEAKABLE = """
class Unspeakable(Exception):
    def __str__(self):
        raise self
"""

hostile = st.one_of(
    st.builds("object.__setattr__(GAME, {!r}, {})".format, st.sampled_from([field.name for field in fields(Game)]),
              st.sampled_from(VALUES)),
    st.builds("object.__setattr__(BOARD, {!r}, {})".format, st.sampled_from([field.name for field in fields(Board)]),
              st.sampled_from(VALUES)),
    st.builds("LinePosition.{} = {}".format, st.sampled_from(METHODS), st.sampled_from(VALUES)),
    st.builds("def fail(*words, **more):\n    raise {1}\nLinePosition.{0} = fail".format, st.sampled_from(METHODS),
              st.sampled_from(ERRORS)),
    st.builds("def fail(*words, **more):\n    raise {1}\nobject.__setattr__(GAME, {0!r}, fail)".format,
              st.sampled_from(("position", "board", "encoder")), st.sampled_from(ERRORS)),
    st.builds("def __getattr__(name):\n    raise {}\ndel GAME".format, st.sampled_from(ERRORS)),
    st.builds("raise {}".format, st.sampled_from(ERRORS)),
    st.builds("GAME = {}".format, st.sampled_from(VALUES)),
    st.text(st.characters(codec="utf-8", exclude_characters="\r"), min_size=1, max_size=30),
)


@given(st.lists(hostile, min_size=1, max_size=2))
@settings(max_examples=scaled(2_000, 50))
def test_hostile_games_harm_nobody(tmp_path_factory: pytest.TempPathFactory, statements: list[str]) -> None:
    """Each is left out with a reason, or does what is asked of every game in lists."""
    name, folder = fresh_name(), tmp_path_factory.mktemp("hostile")
    (folder / f"{name}.py").write_text(line(name, UNSPEAKABLE + "\n".join(statements) + "\n"), encoding="utf-8")
    games, broken = look(folder)
    strangers = [game for known, game in games.items() if known not in OWN]
    assert len(strangers) + len(broken) <= 1
    for one in broken:
        assert one.reason and "\n" not in one.reason and len(one.reason) < 400
    for game in strangers:
        listing.describe(game)
        listing.player_range(game)
        catalogue.describe(game)


def test_unknown_games_are_still_unknown() -> None:
    with pytest.raises(UnknownNameError):
        find_game("nothing of the kind")
    assert isinstance(boyi.games.broken_games(), tuple)
