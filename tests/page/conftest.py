"""A server, a browser and people at it. Everything ends with these tests: a running Playwright disturbs asyncio."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from boyi.games import all_games
from boyi.server import page, passwords
from tests.page import Visitor
from tests.places import LAB, ROOT
from tests.server.serving import AMPLE, serving_in_thread
from tests.toys import einstein
from tools.browser import MISSING, find_chromium, launch

Visit = Callable[..., Visitor]

EXPECTED = ("ERR_INTERNET_DISCONNECTED", "WebSocket", "status of 400", "status of 403", "status of 404",
            "status of 409")
"""What a browser's console may complain of: a line that was cut, and refusals that the page shows in words."""

ENGINE = [sys.executable, str(Path(__file__).with_name("engine.py"))]


@pytest.fixture(scope="package")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the server shows: a report of the lab, a tournament, a training run."""
    root = tmp_path_factory.mktemp("results")
    for ending in (".json", ".md", ".svg"):
        (root / f"multiplayer{ending}").write_bytes((LAB / f"multiplayer{ending}").read_bytes())
    begun = {"boyi": "tournament", "game": "othello", "contestants": ["<b>level:1</b>", "random"]}
    games = [{"meeting": [0, 1], "contestants": [number % 2, 1 - number % 2],
              "places": [1 + number % 3 % 2, 2 - number % 3 % 2]} for number in range(12)]
    (root / "two.jsonl").write_text("\n".join(map(json.dumps, [begun, *games])))
    (root / "run").mkdir()
    (root / "run" / "metrics.jsonl").write_text("\n".join(json.dumps(
        {"iteration": number, "loss": 2 / (number + 1), "elo": 10.0 * number, "elo_error": 9.0})
        for number in range(30)))
    return root


@pytest.fixture(scope="package")
def address(tmp_path_factory: pytest.TempPathFactory, results: Path) -> Iterator[str]:
    """A server with a simple engine, and games that the page has never heard of: toys (one with a die) and examples."""
    if not (page.STATIC / "index.html").is_file():
        pytest.skip("the page is not built; make page")
    patch = pytest.MonkeyPatch()
    games = tmp_path_factory.mktemp("games")
    shutil.copy(Path(__file__).with_name("sixth.py"), games)
    toy = Path(einstein.__file__).read_text(encoding="utf-8")
    (games / "rolling.py").write_text(toy.replace('name="einstein"', 'name="rolling"'), encoding="utf-8")
    folders = [str(games), str(ROOT / "examples" / "games"), os.environ.get("BOYI_GAMES", "")]
    patch.setenv("BOYI_GAMES", os.pathsep.join(folders).rstrip(os.pathsep))
    patch.setattr(sys, "path", list(sys.path))      # games are imported from it, and the next folder is another
    patch.setattr(passwords, "COST", passwords.Cost(10, 8, 1))   # nobody tries to break in here
    # A worker that comes back to this package makes them anew, in another folder.
    forget_modules(games)
    all_games.cache_clear()
    # One address makes all the rooms here, faster than anybody would.
    with serving_in_thread(tmp_path_factory.mktemp("server"), engine_command=ENGINE, results=str(results),
                           budget_factor=AMPLE, review_seconds=0.25) as served:
        yield served.place.address
    patch.undo()
    forget_modules(games)
    all_games.cache_clear()


def forget_modules(folder: Path) -> None:
    for path in folder.glob("*.py"):
        sys.modules.pop(path.stem, None)


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright not found; pip install playwright")
    if find_chromium() is None:
        pytest.skip(MISSING)
    with playwright.sync_playwright() as running:
        browser = launch(running)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Any, address: str) -> Iterator[Visit]:
    """`visit(way=…, language=…)` brings a person to a page of their own. No script may fail in it."""
    contexts: list[Any] = []
    problems: list[str] = []

    def make(*, way: str = "mouse", language: str = "en", size: tuple[int, int] = (1280, 800), still: bool = True,
             scheme: str = "light", **rest: Any) -> Visitor:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, locale={"en": "en-GB", "zh": "zh-CN"}[language],
            reduced_motion="reduce" if still else "no-preference", color_scheme=scheme, has_touch=way == "touch",
            **rest)
        context.set_default_timeout(int(os.environ.get("BOYI_BROWSER_MS", "60000")))
        contexts.append(context)
        sheet = context.new_page()
        sheet.on("pageerror", lambda error: problems.append(str(error)))
        sheet.on("console", lambda message: problems.append(message.text) if message.type == "error"
                 and not any(word in message.text for word in EXPECTED) else None)
        return Visitor(sheet, address, way)  # type: ignore[arg-type]

    yield make
    for context in contexts:
        context.close()
    assert problems == []
