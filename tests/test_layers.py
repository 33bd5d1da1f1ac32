"""The layers hold, and the contract that says so sees Python and Cython alike."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT
from tests.scale import some_of
from tools.layers import cython_imports


def check_layers(root: Path) -> tuple[int, str]:
    """The exit code and the report of our contracts in a copy of the repository."""
    done = subprocess.run([sys.executable, "-m", "tools.layers"], cwd=root, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """What the contracts read, somewhere else."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    unread = shutil.ignore_patterns("__pycache__", "static", "*.onnx", "*.xz")
    for folder in ("src", "tools"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=unread)
    return tmp_path


def plant(root: Path, file: str, text: str) -> None:
    """Add lines to the end of a source, or write a new one."""
    path = root / "src" / "boyi" / file
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix != ".py" or path.parent.name != "boyi":
        (path.parent / "__init__.py").touch()
    with path.open("a", encoding="utf-8") as source:
        source.write("\n" + text + "\n")


@pytest.mark.slow
def test_layers_hold() -> None:
    code, report = check_layers(ROOT)
    assert code == 0, report
    assert "Analyzed 0 files" not in report


VIOLATIONS = [
    ("search/perft.pyx", "from boyi.games.othello.position cimport OthelloPosition",
     "boyi.search is not allowed to import boyi.games"),
    ("search/perft.pyx", "cimport boyi.games.othello.position as position",
     "boyi.search is not allowed to import boyi.games"),
    ("search/planted.pxd", "from ..games.othello cimport (\n    position,\n)",
     "boyi.search is not allowed to import boyi.games"),
    ("core/position.pyx", "def later():\n    from boyi.search.perft import perft\n    return perft",
     "boyi.core is not allowed to import boyi.search"),
    ("core/board.py", "from boyi.search.perft import perft",
     "boyi.core is not allowed to import boyi.search"),
    ("games/othello/position.pxd", "from boyi.search.perft cimport count_leaves",
     "boyi.games is not allowed to import boyi.search"),
    ("games/planted/rules.pyx", "from boyi.games.othello.position cimport OthelloPosition",
     "boyi.games.planted is not allowed to import boyi.games.othello"),
    ("games/planted/rules.py", "from boyi.games.othello.board import board",
     "boyi.games.planted is not allowed to import boyi.games.othello"),
    ("games/xiangqi/planted.pyx", "from boyi.games.jieqi cimport planted",
     "boyi.games.xiangqi is not allowed to import boyi.games.jieqi"),
    ("core/planted.pyx", "import time", "boyi.core is not allowed to import time"),
    ("core/planted.pyx", "from libc.time cimport clock", "boyi.core is not allowed to import time"),
    ("games/othello/planted.pyx", 'cdef extern from "<time.h>" nogil:\n    long clock()',
     "boyi.games is not allowed to import time"),
    ("games/othello/planted.pxd", 'cdef extern from *:\n    """\n    #include <time.h>\n    """\n    long clock()',
     "boyi.games is not allowed to import time"),
    ("games/othello/position.pyx", "from boyi.kit.control cimport now",
     "boyi.games is not allowed to import boyi.kit.control"),
    ("kit/planted.py", "import threading", "boyi.kit is not allowed to import threading"),
    ("core/board.py", "from boyi.kit.picture.text import draw", "boyi.core is not allowed to import boyi.kit"),
    ("core/evaluator.pxd", "from boyi.kit.control cimport now", "boyi.core is not allowed to import boyi.kit"),
    ("kit/folder.py", "from boyi.games import find_game", "boyi.kit is not allowed to import boyi.games"),
    ("core/planted.py", "import threading", "boyi.core is not allowed to import threading"),
    ("planted/anything.py", "", "boyi.planted"),
]


@pytest.mark.parametrize(("file", "text", "complaint"), some_of(VIOLATIONS, len(VIOLATIONS)),
                         ids=lambda value: value.replace("\n", " ") if isinstance(value, str) else None)
def test_violation_is_caught(copy: Path, file: str, text: str, complaint: str) -> None:
    plant(copy, "games/jieqi/planted.pxd", "")
    plant(copy, file, text)
    code, report = check_layers(copy)
    assert code == 1, report
    assert complaint in report


@pytest.mark.slow
def test_what_is_allowed(copy: Path) -> None:
    plant(copy, "games/xiangqi/planted.pxd", "")
    plant(copy, "games/jieqi/planted.pyx", "from boyi.games.xiangqi cimport planted")
    plant(copy, "games/jieqi/__init__.py", "from boyi.games.xiangqi.planted import nothing")
    plant(copy, "search/planted.pyx", '"""\nfrom boyi.games.othello.position cimport OthelloPosition\n"""')
    plant(copy, "search/planted.pyx", "# from boyi.games cimport othello")
    code, report = check_layers(copy)
    assert code == 0, report


def test_cython_imports() -> None:
    source = '''
"""from docs import nothing"""
from libc.stdint cimport uint64_t, int8_t as small  # import comments
cimport cython, boyi.core.types as types
from . cimport grid
from ..core.types cimport (move_t,
                           key_t)
cdef extern from "header.h":
    pass
def lazy():
    import hashlib
'''
    assert [(found.name, found.line) for found in cython_imports(source, "boyi.games")] == [
        ("libc.stdint.uint64_t", 3), ("libc.stdint.int8_t", 3), ("boyi.games.grid", 5),
        ("boyi.core.types.move_t", 6), ("boyi.core.types.key_t", 6),
        ("cython", 4), ("boyi.core.types", 4), ("hashlib", 11)]
