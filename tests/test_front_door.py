"""`boyi.<tab>`: the public names, that each can be had and says what it is, and that importing them all waits."""

from __future__ import annotations

import doctest
import inspect
import re
import subprocess
import sys
from collections.abc import Callable

import pytest

import boyi
from tests.places import ROOT

PUBLIC = """
    AgentError AlphaBeta AlphaBetaOptions Agent AnalysedLine Analysis AsyncEngine BoyiError CHANCE Clock Engine
    Expectimax ExpectimaxOptions Game IllegalMoveError Limits MCTS MCTSOptions Match Multiplayer MultiplayerOptions OVER
    OptionError Options Outcome Position PythonPosition Record RecordError TextError Tournament Words all_games analyse
    divide find_game parse perft play_match play_tournament playout playouts read_records start train write_records
""".split()
"""From here on semantic versioning holds: a name that is taken away is a new major version."""

CONSTANTS = {"CHANCE", "OVER"}


def test_the_list_is_what_is_promised() -> None:
    assert sorted(boyi.__all__) == sorted(PUBLIC)
    assert dir(boyi) == sorted(PUBLIC)


@pytest.mark.parametrize("name", PUBLIC)
def test_each_name_is_there_and_described(name: str) -> None:
    found = getattr(boyi, name)
    if name not in CONSTANTS:
        assert inspect.isclass(found) or callable(found)
        assert (found.__doc__ or "").strip() and not found.__doc__.startswith(f"{name}("), name
    page = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    assert re.search(rf"`{name}\b", page), f"docs/api.md does not mention {name}"


def test_the_version_is_known() -> None:
    assert re.match(r"\d+\.\d+", boyi.__version__)


def test_a_wrong_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'analyze_this'"):
        boyi.analyze_this  # noqa: B018


def test_the_page_names_nothing_else() -> None:
    page = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?) \|", page, re.MULTILINE)
    named = {word for row in rows for word in re.findall(r"`(\w+)", row)}
    assert named == set(PUBLIC)


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_only_what_is_used_is_imported() -> None:
    loaded = python("import sys, boyi; print(*sorted(name for name in sys.modules if name.startswith('boyi')))").split()
    assert "boyi.core.position" in loaded
    for layer in ("agents", "arena", "learn", "nets", "server", "cli", "engine"):
        assert not [name for name in loaded if name.startswith(f"boyi.{layer}")]
    assert python("import sys, boyi; boyi.train; print('torch' in sys.modules)").strip() == "False"


def test_modules_that_were_imported_do_not_show() -> None:
    code = "import boyi.arena.match, boyi.cli; print('arena' in dir(boyi), 'cli' in dir(boyi), boyi.arena.__name__)"
    assert python(code).split() == ["False", "False", "boyi.arena"]


def test_star_imports_everything_public() -> None:
    names: dict[str, object] = {}
    exec("from boyi import *", names)
    assert set(PUBLIC) <= set(names)


@pytest.mark.parametrize("found", [boyi.analyse, boyi.Engine, boyi.AsyncEngine],
                         ids=["analyse", "Engine", "AsyncEngine"])
def test_examples_work(found: Callable[..., object]) -> None:
    finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner()
    examples = [test for test in finder.find(found, globs={}) if test.examples]
    assert examples
    for test in examples:
        assert runner.run(test).failed == 0
