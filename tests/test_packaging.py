"""The build: what goes into a wheel, and that a changed `.pxd` rebuilds all that cimport it.

An extension left stale after its base's `.pxd` changed does not crash; it counts wrongly. So
this is a matter of correct rules. Every day both questions are asked of what the editable install has recorded; before
a merge a copy is built and changed, so that nothing here changes.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.places import ROOT

SOURCE = Path("src/boyi")

pytest.importorskip("mesonpy", reason="meson-python is not installed; make test installs it")


def tool(name: str) -> str:
    """A build tool of this environment, or of the machine."""
    found = shutil.which(name, path=str(Path(sys.executable).parent) + os.pathsep + os.environ["PATH"])
    if found is None:
        pytest.skip(f"{name} not found; make test installs it")
    return found


def run(*command: str | Path, cwd: Path) -> str:
    environment = os.environ | {
        "PATH": str(Path(sys.executable).parent) + os.pathsep + os.environ["PATH"], "CYTHON": tool("cython"),
        "NINJA": tool("ninja")}
    done = subprocess.run([str(word) for word in command], cwd=cwd, env=environment, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository, made unclean on purpose, with a wheel in `dist` and its objects in `objects`.

    Only core, search and Othello are compiled, and without optimisation: the mechanism is the same for all.
    """
    copy = tmp_path_factory.mktemp("copy")
    for file in ("pyproject.toml", "meson.build", "meson.options", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, copy)
    shutil.copytree(ROOT / "LICENSES", copy / "LICENSES")
    shutil.copytree(ROOT / SOURCE, copy / SOURCE, ignore=shutil.ignore_patterns("__pycache__"))
    for recipe in (copy / SOURCE / "games").glob("*/meson.build"):
        if recipe.parent.name != "othello":
            recipe.write_text("")
    for folder in ("", "core", "games/othello"):
        cache = copy / SOURCE / folder / "__pycache__"
        cache.mkdir()
        (cache / "planted.cpython-311.pyc").write_bytes(b"stale")
    (copy / "dist").mkdir()
    run(sys.executable, "-c", "import mesonpy; mesonpy.build_wheel('dist', "
        "{'build-dir': 'objects', 'setup-args': ['-Doptimization=0', '-Dcpu=any']})", cwd=copy)
    return copy


@pytest.fixture(scope="module")
def objects() -> Path:
    """Where the editable install that runs these tests keeps what it has compiled."""
    for finder in sys.meta_path:
        if type(finder).__module__ == "_boyi_editable_loader":
            return Path(finder._build_path)  # type: ignore[attr-defined]
    pytest.skip("Boyi is not installed as editable here; make test does")


def test_the_build_knows_what_each_module_cimports(objects: Path) -> None:
    """So that it is compiled again when that changes: the `.pxd` of each is named beside what was compiled."""
    recorded: dict[str, set[str]] = {}
    for file in objects.rglob("*.pyx.c.dep"):
        module = file.parent.relative_to(objects / SOURCE).as_posix().partition(".")[0]
        recorded[module] = set(re.findall(r"src/boyi/(\S+\.pxd)", file.read_text(encoding="utf-8")))
    checked = 0
    for source in (ROOT / SOURCE).rglob("*.pyx"):
        module = source.relative_to(ROOT / SOURCE).with_suffix("").as_posix()
        for name in re.findall(r"^from boyi\.([\w.]+) cimport", source.read_text(encoding="utf-8"), re.MULTILINE):
            header = name.replace(".", "/") + ".pxd"
            if (ROOT / SOURCE / header).exists():
                checked += 1
                assert header in recorded[module], f"{module} is not compiled again with {header}"
    assert checked > 100


def test_the_plan_of_a_wheel(objects: Path) -> None:
    plan = json.loads((objects / "meson-info" / "intro-install_plan.json").read_text(encoding="utf-8"))
    (package,) = plan["install_subdirs"].values()
    assert package["destination"] == "{py_platlib}/boyi"
    recipes = {path.relative_to(ROOT / SOURCE).as_posix() for path in (ROOT / SOURCE).rglob("meson.build")}
    assert recipes <= set(package["exclude_files"]) and "core/__pycache__" in package["exclude_dirs"]
    compiled = {target["destination"].partition("/boyi/")[2].partition(".")[0] for target in plan["targets"].values()}
    again = {f"games/othello/endgame_{processor}" for processor in ("avx2", "avx512")}    # the same source, other flags
    assert compiled - again == {"core/shared_utility"} | {source.relative_to(ROOT / SOURCE).with_suffix("").as_posix()
                                                  for source in (ROOT / SOURCE).rglob("*.pyx")}


@pytest.mark.slow
def test_wheel_holds_the_package_and_nothing_else(built: Path) -> None:
    wheel, = (built / "dist").glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert [name for name in names if not re.match(r"boyi/|boyi-[\d.]+\.dist-info/", name)] == []
    assert [name for name in names if re.search(r"__pycache__|\.pyc$|meson\.build$|(^|/)tests?/|\.c$", name)] == []
    for wanted in ("boyi/py.typed", "boyi/core/position.pxd", "boyi/core/game.py", "boyi/games/othello/__init__.py"):
        assert wanted in names
    if (ROOT / SOURCE / "server" / "static" / "index.html").exists():   # the page, where it is built
        assert "boyi/server/static/index.html" in names
    for module in ("core/position", "search/perft", "games/othello/position"):
        assert any(re.match(rf"boyi/{module}\..*(so|pyd)$", name) for name in names), module
    metadata = next(name for name in names if name.endswith("/METADATA"))
    text = zipfile.ZipFile(wheel).read(metadata).decode()
    assert "License-Expression: Apache-2.0 AND OFL-1.1" in text
    assert {"plots", "tune", "nets", "learn", "cluster", "postgres", "dev"} <= set(
        re.findall(r"^Provides-Extra: (.*)$", text, re.MULTILINE))


@pytest.mark.slow
def test_wheel_works_alone(built: Path, tmp_path: Path) -> None:
    wheel, = (built / "dist").glob("*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    # -S keeps out this environment's own Boyi (an editable one would win); its packages are added by path.
    code = ("import sys; sys.path[:0] = sys.argv[1:]; import boyi; assert boyi.__file__.startswith(sys.argv[1]); "
            "print(boyi.perft(boyi.start('othello'), 5))")
    folders = [path for path in sys.path if path.endswith("site-packages")]
    # The games that were not compiled here would not import, so they are taken away.
    for game in (tmp_path / "site/boyi/games").iterdir():
        if game.is_dir() and game.name != "othello":
            shutil.rmtree(game)
    assert run(sys.executable, "-S", "-c", code, tmp_path / "site", *folders, cwd=tmp_path).strip() == "1396"


def rebuilt(copy: Path) -> set[str]:
    """Which Cython sources ninja would compile again, as module paths."""
    plan = run(tool("ninja"), "-n", "-v", "-C", "objects", cwd=copy)
    return set(re.findall(r"src/boyi/(\S+)\.pyx -o", plan))


@pytest.mark.slow
def test_changed_pxd_rebuilds_all_that_cimport_it(built: Path) -> None:
    assert rebuilt(built) == set()
    for header, users in (("games/othello/position", {"games/othello/position"}),
                          ("core/position", {"core/position", "search/perft", "search/playout",
                                             "games/othello/position"})):
        path = built / SOURCE / f"{header}.pxd"
        text = path.read_text(encoding="utf-8")
        path.write_text(text + "\n# changed\n", encoding="utf-8")
        newer = max(file.stat().st_mtime for file in (built / "objects").rglob("*") if file.is_file()) + 10
        os.utime(path, (newer, newer))
        assert users <= rebuilt(built), header
        path.write_text(text, encoding="utf-8")
        os.utime(path, (newer - 1e6, newer - 1e6))
        assert rebuilt(built) == set()


@pytest.mark.slow
def test_source_archive_is_complete(tmp_path: Path) -> None:
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("a source archive is made from a git checkout, and this is none")
    shallow = tmp_path / "clone"
    run("git", "clone", "-q", ROOT, shallow, cwd=tmp_path)
    run(sys.executable, "-c", "import mesonpy; mesonpy.build_sdist('dist')", cwd=shallow)
    archive, = (shallow / "dist").glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert {"meson.build", "meson.options", "pyproject.toml", "LICENSE", "README.md",
            "src/boyi/core/position.pyx", "src/boyi/core/position.pxd", "tools/build_backend.py"} <= names


def test_every_compiled_source_is_in_a_recipe() -> None:
    """A `.pyx` that no meson.build names would be missing from the wheel; only a stray build would hide it."""
    forgotten = []
    for source in (ROOT / SOURCE).rglob("*.pyx"):
        recipe = source.parent / "meson.build"
        if not recipe.exists() or not re.search(rf"'{source.stem}(\.pyx)?'", recipe.read_text(encoding="utf-8")):
            forgotten.append(str(source.relative_to(ROOT)))
    assert forgotten == []


def test_editor_and_checker_settings_agree() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["tool"]["ruff"]["line-length"] == settings["tool"]["cython-lint"]["max-line-length"] == 120
    assert settings["project"]["requires-python"] == ">=" + settings["tool"]["mypy"]["python_version"]
