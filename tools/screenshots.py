"""Pictures of every page for the READMEs: `python -m tools.screenshots` writes docs/screenshots/.

Each page in both languages, light and dark, on a desk and on a phone, from a server of its own. Needs the built page
(`make page`), playwright and a chromium.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

TARGET = Path(__file__).parent.parent / "docs" / "screenshots"
RESULTS = TARGET.parent / "lab"
LEARNT = {"desk": ("chinese_checkers", 4), "phone": ("liuzhou", 3)}
"""Of which introduction a picture is taken, and after how many steps."""

SIZES = {"desk": (1280, 800), "phone": (390, 844)}
OPENINGS: dict[str, list[str]] = {"xiangqi": ["h2", "e2"], "othello": ["d3"], "jieqi": ["b2", "e2"]}
"""What is touched in each game before its picture is taken."""


def main() -> None:
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen(
            [sys.executable, "-m", "boyi", "serve", "--port", "0", "--database", f"sqlite:///{folder}/boyi.sqlite",
             "--results", str(RESULTS)],
            stdout=subprocess.PIPE, text=True, env=os.environ | {"BOYI_LANGUAGE": "en"}) as server:
        try:
            assert server.stdout is not None
            address = next(word for word in server.stdout.readline().split() if word.startswith("http"))
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
                for language in ("en", "zh"):
                    for scheme in ("light", "dark"):
                        for place in SIZES:
                            take(browser, address, language, scheme, place)
                browser.close()
        finally:
            server.terminate()


def take(browser: Browser, address: str, language: str, scheme: Any, place: str) -> None:
    width, height = SIZES[place]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme,
                                  locale={"en": "en-GB", "zh": "zh-CN"}[language], reduced_motion="reduce")
    context.set_default_timeout(120_000)
    page = context.new_page()

    def keep(name: str) -> None:
        file = TARGET / f"{name}-{language}-{scheme}-{place}.jpg"
        page.screenshot(path=str(file), type="jpeg", quality=82)
        print(file.name)

    page.goto(address)
    page.wait_for_function("() => document.querySelectorAll('.card .board').length === "
                           "document.querySelectorAll('.card').length")
    keep("lobby")
    page.goto(f"{address.rstrip('/')}/rules/liuzhou")
    page.wait_for_selector("article h2")
    page.wait_for_selector(".picture .board")
    keep("rules")
    game, steps = LEARNT[place]
    page.goto(f"{address.rstrip('/')}/learn/{game}")
    page.wait_for_selector(".lesson .board")
    for _ in range(steps):
        page.locator(".onward").click()
    page.wait_for_selector(f".lesson[data-step='{steps}']")
    if place == "desk":
        page.locator(".buttons button").nth(1).click()   # show me
        page.wait_for_selector(".lesson[data-done] .board:not([data-playing])")
    keep("learn")
    page.goto(f"{address.rstrip('/')}/results/multiplayer.json")
    page.wait_for_function("() => document.querySelector('.picture img')?.naturalWidth > 0")
    keep("results")
    games = [*OPENINGS, "chinese_checkers"] if (language, scheme) in (("en", "light"), ("zh", "dark")) else ["xiangqi"]
    for game in games:
        play(page, address, game)
        keep(game.replace("_", "-"))
    context.close()


def play(page: Page, address: str, game: str) -> None:
    page.goto(address)
    page.locator(f"[data-game={game}]").click()
    page.wait_for_timeout(300)
    if page.locator("dialog fieldset input[value='6']").count():
        page.locator("dialog fieldset input[value='6']").check(force=True)
    page.locator("button.go").click()
    page.wait_for_selector(".room[data-mine]")
    for point in OPENINGS.get(game, []):
        page.locator(f"[data-point={point}]").click()
    if game in OPENINGS:
        page.wait_for_function("() => Number(document.querySelector('.room').dataset.plies) >= 2")
    else:
        page.locator(".point.start").first.click()
        page.locator(".point.can").first.click()
        page.wait_for_function("() => Number(document.querySelector('.room').dataset.plies) >= 6")
    page.wait_for_selector(".room[data-mine] .board:not([data-playing])")
    page.wait_for_timeout(400)


if __name__ == "__main__":
    main()
