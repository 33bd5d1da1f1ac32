"""Types reach those who use the package: mypy and pyright see them in an editable install and in a wheel."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tests.places import ROOT
from tests.test_packaging import built as built

SCRIPT = '''\
import boyi

position: boyi.Position = boyi.start("othello")
position.play("f5")
moves: list[int] = position.moves()
analysis: boyi.Analysis = boyi.analyse(position, nodes=100, lines=2)
texts: tuple[str, ...] = analysis.lines[0].texts
with boyi.Engine("level:5") as engine:
    move: int = engine.play(position)
result = boyi.MCTS(options=boyi.MCTSOptions(seed=1)).search(position, boyi.Limits(nodes=50))
best: int = result.move
match = boyi.Match(("level:1", "random"), position, games=2)
places: tuple[int, ...] = next(iter(boyi.play_match(match))).places

wrong_move: str = position.moves()[0]
wrong_text: int = analysis.lines[0].texts[0]
boyi.analyse(position, second=1)
boyi.start("othello").fly()
hash(position)
'''
WRONG = [number for number, line in enumerate(SCRIPT.splitlines(), 1)
         if line.startswith(("wrong", "boyi.analyse(", "boyi.start("))]
"""The lines that a checker must complain about; about `hash` it may."""

MAY = len(SCRIPT.splitlines())


def complaints(checker: str, python: str, folder: Path) -> list[int]:
    """The lines of the script that a checker finds wrong, in the environment of a Python."""
    (folder / "user.py").write_text(SCRIPT, encoding="utf-8")
    if checker == "mypy":
        pytest.importorskip("mypy", reason="mypy is not installed; make test installs it")
        command = [sys.executable, "-m", "mypy", "--config-file=", "--strict", "--python-executable", python,
                   f"--cache-dir={folder / 'cache'}", "user.py"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False,
                              env={name: value for name, value in os.environ.items() if name != "MYPYPATH"})
        assert done.returncode in (0, 1), done.stdout + done.stderr
        found = re.findall(r"^user\.py:(\d+): error", done.stdout, re.MULTILINE)
        assert len(found) == done.stdout.count(": error:"), done.stdout
        return [int(line) for line in found]
    program = shutil.which("pyright", path=str(ROOT / "web/node_modules/.bin") + os.pathsep + os.environ["PATH"])
    if program is None:
        pytest.skip("pyright is not installed; make page installs it")
    done = subprocess.run([program, "--outputjson", "--pythonpath", python, "user.py"], cwd=folder, capture_output=True,
                          text=True, check=False)
    found = json.loads(done.stdout)["generalDiagnostics"]
    return [one["range"]["start"]["line"] + 1 for one in found if one["severity"] == "error"]


@pytest.mark.slow
@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_types_in_an_editable_install(checker: str, tmp_path: Path) -> None:
    if not Path(sysconfig.get_path("purelib"), "boyi-editable.pth").exists():
        pytest.skip("Boyi is not installed as editable here; make test does")
    assert set(complaints(checker, sys.executable, tmp_path)) - {MAY} == set(WRONG)


def test_the_path_for_checkers_does_not_hide_what_is_compiled() -> None:
    """It is on the path after everything else; the import hook is asked first."""
    code = ("import sys, boyi.core.position as one; print(one.__file__); "
            "print(sys.path[-1], type(sys.meta_path[0]).__name__)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    compiled, path = done.stdout.splitlines()
    if "Mesonpy" not in path:
        pytest.skip("Boyi is not installed as editable here; make test does")
    assert Path(compiled).suffix in (".so", ".pyd") and "build" in compiled


@pytest.mark.slow
@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_types_in_a_wheel(checker: str, built: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", symlinks=True)
    python = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    site = subprocess.run([str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
                          capture_output=True, text=True, check=True).stdout.strip()
    wheel, = (built / "dist").glob("*.whl")
    zipfile.ZipFile(wheel).extractall(site)
    assert set(complaints(checker, str(python), tmp_path)) - {MAY} == set(WRONG)
