"""A picture of every view of the page, to look at after a change of its looks.

    python -m tools.views FOLDER                  # every view, Chinese by day and English by night, desk and phone
    python -m tools.views FOLDER lobby room-end   # only these

Lobby, room and analysis board are taken in both languages by day and by night, and on a small phone and a large screen
as well. The pictures that documents show are taken by `tools.screenshots`. Needs the built page (`make page`),
playwright and a chromium.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import Error as BrowserError

from boyi.server.positions import write_record
from boyi.server.protocol.study import AskRecord
from tools.browser import launch
from tools.person import GAMES, HINT, LEAVE, Person
from tools.screenshots import DOCS, GAME, MISTAKE
from tools.serving import ServerProcess

SIZES = {"desk": (1280, 800), "phone": (390, 844), "small": (360, 740), "large": (1920, 1080)}
KINDS = [("zh", "light"), ("en", "dark")]
ALL_KINDS = [(language, scheme) for language in ("zh", "en") for scheme in ("light", "dark")]
CHIEF = ("lobby", "room", "analysis")
"""The views that are taken in every kind and size."""

PASSWORD = "plum blossom"
BROKEN = "h2e2 h9g7 h0g2 z9z9"


class Album:
    """The pictures of one person: one language, one scheme, one size."""

    def __init__(self, person: Person, target: Path, kind: str, wanted: Callable[[str], bool]) -> None:
        self.person, self.page = person, person.page
        self.target, self.kind, self.wanted = target, kind, wanted

    def keep(self, name: str, *, whole: bool = False) -> None:
        """The view as it is now; the whole page also below the screen's edge if asked for."""
        if self.wanted(name):
            self.page.mouse.move(0, 0)
            self.page.wait_for_timeout(500)
            path = self.target / f"{name}-{self.kind}.png"
            self.page.screenshot(path=str(path), full_page=whole)
            print(path, flush=True)

    def any(self, *names: str) -> bool:
        return any(map(self.wanted, names))

    def take(self) -> None:
        for group in (self.lobby, self.rooms, self.analysis, self.learning, self.puzzles, self.texts, self.dialogs,
                      self.end_of_game, self.people):
            try:
                group()
            except BrowserError as error:
                print(self.kind, group.__name__, error, flush=True)
                self.page.goto("about:blank")

    # ------------------------------------------------------------------ the views

    def lobby(self) -> None:
        if not self.any("lobby", "lobby-whole", "new-game", "find-opponent"):
            return
        self.person.lobby()
        self.page.wait_for_timeout(500)
        self.keep("lobby")
        self.keep("lobby-whole", whole=True)
        for name, button in (("new-game", "[data-game=xiangqi]"), ("find-opponent", "[data-play=opponent]")):
            if self.wanted(name):
                self.person.touch(button)
                self.person.wait("dialog")
                self.keep(name)
                self.person.close_dialog()

    def rooms(self) -> None:
        person = self.person
        for game in GAMES:
            name = "room" if game == "xiangqi" else f"room-{game.replace('_', '-')}"
            more = game == "xiangqi" and self.any("room-chat", "room-info", "room-leave")
            if not (self.wanted(name) or more):
                continue
            person.lobby()
            person.begin(game, players=6 if game == "chinese_checkers" else None)
            person.play(3)
            if game == "liuzhou" and person.await_turn():
                person.act(HINT)
                person.wait(".arrow")
            self.keep(name)
            if more:
                for tab in ("chat", "info"):
                    person.touch(f"#tab-{tab}")
                    if tab == "chat":
                        self.page.locator("[role=tabpanel] input").fill({"z": "你好！", "e": "Hello!"}[self.kind[0]])
                        self.page.keyboard.press("Enter")
                    self.keep(f"room-{tab}", whole=True)
                person.act(LEAVE)
                self.keep("room-leave")
                person.close_dialog()
        if self.wanted("room-waiting"):
            person.lobby()
            person.touch(".card:has([data-game=jieqi]) [data-play=friend]")
            person.wait(".invite svg path[d*=M]")
            self.keep("room-waiting")

    def analysis(self) -> None:
        person, page = self.person, self.page
        for game in GAMES:
            name = "analysis" if game == "xiangqi" else f"analysis-{game.replace('_', '-')}"
            more = game == "xiangqi" and self.any("import", "import-failed", "editor", "analysis-whole")
            if not (self.wanted(name) or more):
                continue
            person.go(f"/analysis/{game}", ".study[data-ready] .analysis ol li")
            if game == "xiangqi":
                person.touch(page.locator(".tools button").nth(1))
                self.keep("import")
                page.locator("dialog textarea").first.fill(BROKEN)
                person.touch("dialog form button.main")
                person.wait("dialog .said *")
                self.keep("import-failed")
                page.locator("dialog textarea").first.fill(GAME)
                person.touch("dialog form button.main")
                page.wait_for_selector("dialog", state="detached")
                person.wait(".study[data-ready] [data-move]")
                person.touch(page.locator(".study [data-move]").nth(MISTAKE - 1))
                person.wait(f".study[data-plies='{MISTAKE}'][data-ready] .analysis ol li")
            person.wait(".explorer .sources")
            page.evaluate("scrollTo(0, 0)")
            page.wait_for_timeout(1500)
            self.keep(name)
            if more:
                self.keep("analysis-whole", whole=True)
                person.touch(page.locator(".tools button").nth(0))
                person.wait(".editor textarea")
                page.evaluate("scrollTo(0, 0)")
                self.keep("editor", whole=True)

    def learning(self) -> None:
        person = self.person
        for name, path, ready in (("learn", "/learn", ".page section ol a"),
                                  ("learn-game", "/learn/xiangqi", ".page ol"),
                                  ("learn-unknown", "/learn/anything-unknown", ".page section ol a")):
            if self.wanted(name):
                person.go(path, ready)
                self.keep(name)
        for name, path in (("introduction", "/learn/xiangqi/introduction"),
                           ("introduction-checkers", "/learn/chinese_checkers"),
                           ("introduction-liuzhou", "/learn/liuzhou"), ("lesson", "/learn/othello/corners")):
            if self.wanted(name):
                person.go(path, ".lesson .board")
                for _ in range(2):
                    person.touch(".onward")
                self.keep(name)

    def puzzles(self) -> None:
        person, page = self.person, self.page
        if self.wanted("puzzles"):
            person.go("/puzzles", ".page li .board .piece")
            self.keep("puzzles")
        for game in GAMES:
            name = f"puzzle-{game.replace('_', '-')}"
            more = game == "xiangqi" and self.any("puzzle-solved", "rush")
            if not (self.wanted(name) or more):
                continue
            person.go(f"/puzzles/{game}", ".puzzle[data-phase=asked] .board:not([data-playing])")
            self.keep(name)
            if more:
                person.touch(page.locator(".puzzle .buttons button").nth(1))
                person.wait(".puzzle[data-phase=shown] .board:not([data-playing])")
                self.keep("puzzle-solved")
                page.locator(".puzzle input[value=rush]").check(force=True)
                person.touch(".puzzle .onward")
                person.wait(".puzzle[data-phase=asked] [role=timer]")
                self.keep("rush")

    def texts(self) -> None:
        for name, path, ready in (
                ("rules", "/rules/xiangqi", "article dt"),
                ("rules-checkers", "/rules/chinese_checkers", "figure .piece"),
                ("results", "/results", ".page section"), ("result", "/results/multiplayer.json", ".picture img"),
                ("not-found", "/nothing/here", ".message"), ("no-room", "/room/nothing", ".message")):
            if self.wanted(name):
                self.person.go(path, ready)
                self.keep(name)

    def dialogs(self) -> None:
        person, page = self.person, self.page
        if not self.any("settings", "log-in"):
            return
        person.go("/rules/othello", "article h1")
        for name, number in (("log-in", 1), ("settings", 2)):
            person.touch(page.locator("header nav button").nth(number))
            person.wait("dialog")
            page.wait_for_timeout(500)
            self.keep(name)
            person.close_dialog()

    def end_of_game(self) -> None:
        person, page = self.person, self.page
        if not self.any("room-end", "share", "review", "review-question", "game", "games"):
            return
        person.lobby()
        person.begin("xiangqi")
        person.play(2)
        person.resign()
        self.keep("room-end")
        person.touch(page.locator(".after button").nth(2))
        page.wait_for_function("() => document.querySelector('dialog img')?.naturalWidth > 0")
        self.keep("share")
        person.close_dialog()
        if self.any("review", "review-question"):
            record = write_record(AskRecord("xiangqi", moves=GAME.split(), players=["Ada", "Grace"])).decode()
            begun = page.request.post(f"{person.address}/api/reviews", data={"record": record}).json()
            person.go(f"/review/{begun['id']}", ".review[data-ready] .board")
            self.keep("review")
            person.touch("button.learn")
            person.wait(".review[data-learning] .point.start")
            self.keep("review-question")
        person.go("/games", ".games li .board .piece")
        self.keep("games")
        person.touch(".games li a.what")
        person.wait(".game[data-ready]")
        self.keep("game")

    def people(self) -> None:
        person, page = self.person, self.page
        if not self.any("account", "profile", "ratings", "running", "lobby-running"):
            return
        person.lobby()
        name = f"{'梅兰竹菊' if self.kind.startswith('zh') else 'Ada Lovelace'} {self.kind[-5:]}"
        person.account(name, PASSWORD)
        person.begin("othello")
        person.play(2)
        person.resign()
        person.lobby()
        person.begin("xiangqi")
        person.play(1)
        person.lobby()
        self.keep("lobby-running", whole=True)
        person.go("/rules/xiangqi", "[data-running]")
        self.keep("running")
        person.touch(page.locator("header nav button").nth(1))
        person.wait("dialog details")
        self.keep("account")
        person.close_dialog()
        person.go(f"/people/{name}", ".page h1")
        self.keep("profile")
        person.go("/ratings/othello", ".page fieldset")
        self.keep("ratings")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("views", nargs="*", help="lobby, room, analysis, …; all of them if none is named")
    parser.add_argument("--kind", default="", help="only those whose name ends so, as zh-light-phone")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    views = set(arguments.views)
    settings = {"BUDGET_FACTOR": "1000", "ENGINE_PAUSE": "0.1", "REVIEW_SECONDS": "0.1"}
    with (tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright,
          ServerProcess(folder, "--results", str(DOCS / "lab"), settings=settings) as server):
        browser = launch(playwright)
        for language, scheme in ALL_KINDS:
            for place in SIZES:
                full = (language, scheme) in KINDS and place in ("desk", "phone")
                if not full and place in ("small", "large") and (language, scheme) not in KINDS:
                    continue
                if not f"{language}-{scheme}-{place}".endswith(arguments.kind):
                    continue

                def wanted(name: str, full: bool = full) -> bool:
                    return (full or name in CHIEF) and (not views or name in views)

                album(browser, server.address, arguments.folder, language, scheme, place, wanted)
        browser.close()


def album(browser: Browser, address: str, target: Path, language: str, scheme: Any, place: str,
          wanted: Callable[[str], bool]) -> None:
    width, height = SIZES[place]
    finger = place in ("phone", "small")
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, has_touch=finger,
                                  locale={"en": "en-GB", "zh": "zh-CN"}[language], reduced_motion="reduce")
    context.set_default_timeout(60_000)
    person = Person(context.new_page(), address, finger=finger)
    Album(person, target, f"{language}-{scheme}-{place}", wanted).take()
    context.close()


if __name__ == "__main__":
    main()
