"""Screenshots of the page, in both languages, light and dark, on a desk and on a phone.

    python -m tools.screenshots                       # those that the documents show, into docs/screenshots
    python -m tools.screenshots --all build/shots     # every one there is, into a folder of your choice
    python -m tools.screenshots lobby rules --all …   # only of these pages

Takes them from a server of its own. Needs the built page (`make page`), playwright and a chromium.
"""

from __future__ import annotations

import argparse
import itertools
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from boyi.server.positions import write_record
from boyi.server.protocol.study import AskRecord
from tools.browser import launch
from tools.serving import ServerProcess

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
LEARNT = {"desk": ("chinese_checkers", 4), "phone": ("liuzhou", 3)}
"""Of which introduction a picture is taken, and after how many steps."""

SIZES = {"desk": (1280, 800), "phone": (390, 844)}
OPENINGS: dict[str, list[str]] = {"xiangqi": ["h2", "e2"], "othello": ["d3"], "jieqi": ["b2", "e2"]}
"""What is touched in each game before its picture is taken."""

GAME = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 h0h6 h7i7 h6g6 i7i8 b0c2 i8g8 g6f6 g7h5 f6g6 g8g3 g6g3 h5g3 e2e6 c7e6"
MISTAKE = 17
"""What is analysed, and which of its moves loses."""


def shown() -> set[str]:
    """The screenshots that some document shows, by file name."""
    pages = [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]
    return {name for page in pages for name in re.findall(r"screenshots/([\w-]+\.jpg)", page.read_text("utf-8"))}


def main() -> None:
    parser = argparse.ArgumentParser(description="Screenshots of the page.")
    parser.add_argument("pages", nargs="*", help="lobby, rules, analysis, xiangqi, …; all of them if none is named")
    parser.add_argument("--all", metavar="FOLDER", type=Path, help="also those that no document shows, and into FOLDER")
    arguments = parser.parse_args()
    target = arguments.all or DOCS / "screenshots"
    target.mkdir(parents=True, exist_ok=True)
    with (tempfile.TemporaryDirectory() as folder,
          ServerProcess(folder, "--results", str(DOCS / "lab")) as server, sync_playwright() as playwright):
        browser = launch(playwright)
        for kind in itertools.product(("en", "zh"), ("light", "dark"), SIZES):
            take(browser, server.address + "/", *kind, target, set(arguments.pages),
                 None if arguments.all else shown())
        browser.close()


def take(browser: Browser, address: str, language: str, scheme: Any, place: str, target: Path, pages: set[str],
         files: set[str] | None) -> None:
    """The screenshots of one kind: of the named `pages` (of all if none is), and among these `files` (any if None)."""
    def file(name: str) -> str:
        return f"{name}-{language}-{scheme}-{place}.jpg"

    def wanted(*names: str) -> bool:
        return any((not pages or name in pages) and (files is None or file(name) in files) for name in names)

    width, height = SIZES[place]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme,
                                  locale={"en": "en-GB", "zh": "zh-CN"}[language], reduced_motion="reduce")
    context.set_default_timeout(120_000)
    page = context.new_page()

    def keep(name: str) -> None:
        if wanted(name):
            page.screenshot(path=str(target / file(name)), type="jpeg", quality=82)
            print(target / file(name))

    if wanted("lobby"):
        page.goto(address)
        page.wait_for_selector(".card .board")
        page.wait_for_function("() => document.querySelectorAll('.card .board').length === "
                               "document.querySelectorAll('.card').length")
        keep("lobby")
    if wanted("rules"):
        page.goto(f"{address.rstrip('/')}/rules/liuzhou")
        page.wait_for_selector("article h2")
        page.wait_for_selector("figure .piece")
        keep("rules")
    if wanted("learn"):
        learn(page, address, place)
        keep("learn")
    if wanted("results"):
        page.goto(f"{address.rstrip('/')}/results/multiplayer.json")
        page.wait_for_function("() => document.querySelector('.picture img')?.naturalWidth > 0")
        keep("results")
    if wanted("puzzles", "puzzle", "puzzle-solved", "rush"):
        page.goto(f"{address.rstrip('/')}/puzzles")
        page.wait_for_selector(".page li .board")
        keep("puzzles")
        solve(page, keep)
    more = (language, scheme) in (("en", "light"), ("zh", "dark"))
    if wanted("analysis", "records", "editor", "account"):
        analyse(page, address)
        keep("analysis")
        if more:
            page.locator(".tools button").nth(1).click()
            keep("records")
            page.keyboard.press("Escape")
            page.locator(".tools button").nth(0).click()
            page.wait_for_selector(".editor textarea")
            page.wait_for_timeout(500)
            keep("editor")
            page.locator("nav button").nth(1).click()
            keep("account")
    if wanted("review", "review-question"):
        review(page, address)
        keep("review")
        page.locator("button.learn").first.click()
        page.wait_for_selector(".review[data-learning] .point.start")
        page.wait_for_timeout(400)
        keep("review-question")
    for game in [*OPENINGS, "chinese_checkers"] if more else ["xiangqi"]:
        if wanted(game.replace("_", "-")):
            play(page, address, game)
            keep(game.replace("_", "-"))
    context.close()


def learn(page: Page, address: str, place: str) -> None:
    """An introduction, some steps on."""
    game, steps = LEARNT[place]
    page.goto(f"{address.rstrip('/')}/learn/{game}")
    page.wait_for_selector(".lesson .board")
    for _ in range(steps):
        page.locator(".onward").click()
    page.wait_for_selector(f".lesson[data-step='{steps}']")
    if place == "desk":
        page.locator(".buttons button").nth(1).click()   # show me
        page.wait_for_selector(".lesson[data-done] .board:not([data-playing])")


def solve(page: Page, keep: Callable[[str], None]) -> None:
    """The puzzle of the day of xiangqi, its solution, and a rush."""
    page.locator("a.day[href*=xiangqi]").click()
    page.wait_for_selector(".puzzle[data-phase=asked] .board:not([data-playing])")
    keep("puzzle")
    page.locator(".puzzle .buttons button").nth(1).click()
    page.wait_for_selector(".puzzle[data-phase=shown] .board:not([data-playing])")
    keep("puzzle-solved")
    page.locator(".puzzle input[value=rush]").check(force=True)
    page.locator(".puzzle .onward").click()
    page.wait_for_selector(".puzzle[data-phase=asked] [role=timer]")
    keep("rush")


def analyse(page: Page, address: str) -> None:
    """A game with a mistake in it, and a variation that does better."""
    page.goto(f"{address.rstrip('/')}/analysis/xiangqi")
    page.wait_for_selector(".study[data-ready]")
    page.locator(".tools button").nth(1).click()
    record = write_record(AskRecord("xiangqi", moves=GAME.split(), players=["Ada", "Grace"]))
    page.locator("dialog textarea").first.fill(record.decode())
    page.locator("dialog form button.main").click()
    page.wait_for_selector("dialog", state="detached")
    page.wait_for_selector(".study[data-plies='0'] .analysis ol")
    page.locator(".analysis > button").last.click()
    page.wait_for_function("plies => document.querySelector('.curve .line')?.getAttribute('d').split(/[ML]/).length"
                           " === plies + 2", arg=len(GAME.split()))
    page.locator(".study [data-move]").nth(MISTAKE - 2).click()
    page.wait_for_selector(f".study[data-plies='{MISTAKE - 1}'][data-ready] .analysis ol button")
    page.locator(".analysis ol button").nth(1).click()
    page.wait_for_selector(f".study[data-plies='{MISTAKE + 1}'][data-ready] .analysis ol")
    page.locator(".study [data-move]").nth(MISTAKE - 1).click()   # in whatever notation
    page.wait_for_selector(f".study[data-plies='{MISTAKE}'][data-ready] .analysis ol")
    page.evaluate("scrollTo(0, 0)")
    page.mouse.move(0, 0)
    page.wait_for_timeout(400)


def review(page: Page, address: str) -> None:
    """The same game reviewed, at its mistake."""
    record = write_record(AskRecord("xiangqi", moves=GAME.split(), players=["Ada", "Grace"])).decode()
    begun = page.request.post(f"{address.rstrip('/')}/api/reviews", data={"record": record}).json()
    page.goto(f"{address.rstrip('/')}/review/{begun['id']}")
    page.wait_for_selector(".review[data-ready] .board")
    page.locator(".panel ul button:has(b.blunder)").last.click()
    page.wait_for_selector(".review .arrow.good")
    page.mouse.move(0, 0)
    page.wait_for_timeout(400)


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
