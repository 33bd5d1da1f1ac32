"""What the documents say is true: their examples run, their links lead somewhere, their lists are complete."""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest

import boyi
from boyi.kit.picture import animation
from tests.places import ROOT
from tools.pictures import SCENES

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
READMES = [ROOT / "README.md", ROOT / "README.zh.md"]
MODULES = sorted(found.name for found in pkgutil.walk_packages(boyi.__path__, "boyi.") if found.name != "boyi.__main__")
FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_examples_run(page: Path) -> None:
    if page.name == "learn.md":
        pytest.importorskip("torch", reason="PyTorch is not installed; pip install 'boyi[learn]'")
    assert doctest.testfile(str(page), module_relative=False, optionflags=FLAGS, encoding="utf-8").failed == 0


@pytest.mark.parametrize("page", READMES, ids=name)
def test_readme_is_two_screens_with_an_example_and_a_moving_picture(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(doctest.DocTestParser().get_examples(text)) >= 5
    assert len(text.splitlines()) <= 80
    assert "docs/pictures/game.svg" in text


def test_the_moving_picture_is_that_of_its_record() -> None:
    """`boyi record animate docs/pictures/game.boyi -o docs/pictures/game.svg` makes it."""
    record, = boyi.read_records((ROOT / "docs/pictures/game.boyi").read_bytes())
    title = " – ".join(record.players)
    assert animation.draw(record.replay(), title=title) == (ROOT / "docs/pictures/game.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("module", ["boyi", *MODULES, "tools.layers", "tools.site"])
def test_docstrings_run(module: str) -> None:
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        pytest.skip("PyTorch is not installed; pip install 'boyi[learn]'")
    assert doctest.testmod(found, optionflags=FLAGS).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", path):
            continue
        file = page.parent / path if path else page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(target)
    assert broken == []


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", READMES, ids=name)
def test_readme_shows_every_game(page: Path) -> None:
    shown = set(re.findall(r"docs/pictures/(\w+)\.svg", page.read_text(encoding="utf-8")))
    assert shown - {"game"} == {folder.name for folder in (ROOT / "src/boyi/games").iterdir()
                     if (folder / "meson.build").exists()}


def test_every_long_source_file_is_named_with_its_thought() -> None:
    """The design lists the files above 500 lines, and only those."""
    sources = [path for folder, endings in (("src/boyi", (".py", ".pyx", ".pxd")), ("web/src", (".ts", ".svelte")))
               for path in (ROOT / folder).rglob("*") if path.suffix in endings and "static" not in path.parts]
    assert len(sources) > 400
    long = {path.relative_to(ROOT).as_posix() for path in sources
            if len(path.read_text(encoding="utf-8").splitlines()) > 500}
    design = (ROOT / "docs/design.md").read_text(encoding="utf-8")
    listed = re.findall(r"^[|] `((?:src|web)/[^`]+)` [|] .+ [|]$", design, re.MULTILINE)
    assert set(listed) == long


def test_layers_are_listed_as_they_are_enforced() -> None:
    page = ROOT / "docs/design.md"
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    enforced = [re.sub(r"[()]", "", layer) for layer in settings["tool"]["importlinter"]["contracts"][0]["layers"]]
    block, = re.findall(r"^```\n(cli .*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert [re.split(r"\s{2,}", line)[0] for line in block.splitlines()] == enforced


def test_worked_example_is_the_real_game() -> None:
    """The pieces of code in docs/authors/more.md stand in tic-tac-toe or in an example, word for word."""
    sources = [path.read_text(encoding="utf-8") for path in (
        ROOT / "src/boyi/games/tic_tac_toe/__init__.py", *(ROOT / "examples" / "games").glob("*.py"))]
    pieces = re.findall(r"```python\n(.*?)```", (ROOT / "docs/authors/more.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(pieces) > 10
    for piece in pieces:
        assert any(piece in source or textwrap.indent(piece, "    ") in source for source in sources), piece


def make(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run make as a person would: not as the child of a make that may have started these tests."""
    program = shutil.which("make")
    if program is None:
        pytest.skip("make not found; Debian, Ubuntu: apt-get install make")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run([program, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_make_targets_are_documented_and_can_be_planned() -> None:
    """Each one that the help names has all its prerequisites, and stands in CONTRIBUTING."""
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    targets = re.findall(r"^make ([\w-]+)", make("help").stdout, re.MULTILINE)
    assert {"run", "test", "test-all", "lint", "bench", "soak", "docs", "wheel", "clean"} <= set(targets)
    for target in targets:
        planned = make("--dry-run", target)
        assert planned.returncode == 0, planned.stderr
        assert f"make {target}`" in contributing, target


def test_no_picture_is_shown_nowhere() -> None:
    """Each picture under docs is in a page, or held by a test of what it draws."""
    pages = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    held = {f"{game}.svg" for game in SCENES}
    assert [name(picture) for ending in ("jpg", "png", "svg") for picture in (ROOT / "docs").rglob(f"*.{ending}")
            if picture.name not in pages and picture.name not in held] == []


def test_the_tests_of_the_page_exist() -> None:
    """What docs/page-tests.md names, and every promise there names something."""
    text = (ROOT / "docs" / "page-tests.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)
    assert len(named) > 100
    assert [f"{file}::{test}" for file, test in named if not (ROOT / file).is_file()
            or not re.search(rf"^def {test}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)] == []
    rows = [line for line in text.splitlines() if line.startswith("| ") and line != "| the page | test |"]
    assert [row for row in rows if "::" not in row] == []


@pytest.mark.slow
def test_site_builds(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="mkdocs-material is not installed; make test installs it")
    done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")],
                          cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    site = tmp_path / "site"
    assert (site / "design" / "index.html").exists()
    assert (site / "reference" / "boyi.Position" / "index.html").exists()
    assert (site / "search" / "search_index.json").exists()
    command_line = (site / "cli" / "index.html").read_text(encoding="utf-8")
    assert "word>--json</span>" in command_line.replace('"', "") and "site.css" in command_line
    for page in site.rglob("*.html"):   # nothing is loaded from elsewhere
        text = page.read_text(encoding="utf-8")
        assert re.findall(r'<(?:script|img|iframe|source)[^>]* src="?https?:[^"> ]+', text) == [], page
        assert [link for link in re.findall(r"<link[^>]*>", text) if re.search(r'href="?https?:', link)
                and 'rel="canonical"' not in link and "rel=canonical" not in link] == [], page


def test_the_ancestors_statements_name_what_there_is() -> None:
    """Each of the 24 rows has an answer, and the tests and experiments that it names exist."""
    page = (ROOT / "docs" / "ancestors.md").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 24 and all(len(row) == 4 and row[2].strip() for row in rows)
    for name in re.findall(r"`([a-z_]+/[a-z_/]+\.(?:py|md))`", page):
        assert (ROOT / "tests" / name).exists() or (ROOT / "src" / "boyi" / name).exists(), name
    for name in re.findall(r"boyi lab run ([a-z-]+)", page):
        assert (ROOT / "docs" / "lab" / f"{name}.md").exists(), name


def test_the_version_is_the_same_everywhere() -> None:
    def find(pattern: str, file: str) -> str:
        found = re.search(pattern, (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
        assert found is not None, f"{file} has no {pattern}"
        return found[1]
    version = find(r"^  version: '([\d.]+)'", "meson.build")
    assert find(r"^version: (.+)$", "CITATION.cff") == version
    assert find(r"^## ([\d.]+) ", "CHANGELOG.md") == version
    assert find(r"^date-released: (.+)$", "CITATION.cff") == find(r"^## [\d.]+ \(([\d-]+)\)", "CHANGELOG.md")
