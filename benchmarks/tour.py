"""A tour of everything: what breaks, what fails to load and what jumps while people use every view of the page.

    python -m benchmarks.tour [--minutes 30] [--games xiangqi othello]

A server of its own on this machine, and a chromium without a window. It goes round and round until the time is over
(once if it is 0): by turns in English and in Chinese, on a desk and on a phone, by day and by night, each time as
somebody new. Told are, each with the view it happened in: errors and warnings of the console, uncaught exceptions,
requests that failed, answers that are refusals and were not provoked, views that did not come, and layout shift above
0.05 (the worst session window of a view, as browsers define Cumulative Layout Shift; what follows within half a
second of a touch does not count). Requests that the page itself gave up, because somebody left, are not failures. It
counts touches as well: from the address to the first move two, from a finished game to its review one, back to a left
game one. Ends with status 1 if something was found. Needs the built page (`make page`), playwright and chromium.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Response, sync_playwright
from playwright.sync_api import Error as BrowserError

from tools.browser import MISSING, find_chromium, launch
from tools.person import DRAW, GAMES, HINT, LEAVE, Person
from tools.serving import ServerProcess

LAB = Path(__file__).parents[1] / "docs" / "lab"
BUDGET_SHIFT = 0.05
KINDS = (("en", "light", "desk"), ("zh", "dark", "phone"), ("zh", "light", "desk"), ("en", "dark", "phone"))
"""Of the rounds, by turns."""

SIZES = {"desk": (1280, 800), "phone": (390, 844)}
SETTLE_MS = 800
"""What comes late in a view comes within this time."""

TIMEOUT_MS = 60_000
SETTINGS = {"BUDGET_FACTOR": "1000", "REVIEW_SECONDS": "0.1"}
"""One address does all of this, faster than anybody would."""

PASTED = {"xiangqi": "1. 炮二平五 马8进7 2. 马二进三 车9平8", "othello": "f5d6c3d3c4f4f6"}
BROKEN = "h2e2 h9g7 h0g2 z9z9"
LESSONS = {"xiangqi": "basic_mates", "othello": "corners"}
PASSWORD = "plum blossom"

SHIFTS = """(() => {
  const name = node => {
    for (let one = node; one; one = one.parentElement) {
      if (one.nodeType !== 1) continue;
      const classes = [...one.classList].filter(word => !word.startsWith("svelte-"));
      if (classes.length || one.id)
        return one.tagName.toLowerCase() + (one.id ? "#" + one.id : "") + classes.map(word => "." + word).join("");
    }
    return node?.nodeName.toLowerCase() ?? "?";
  };
  window.shifts = [];
  new PerformanceObserver(list => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifts.push({
      value: one.value, at: one.startTime, what: one.sources.map(({node, previousRect: from, currentRect: to}) =>
       `${name(node)} ${Math.round(from.y)}→${Math.round(to.y)} ${Math.round(from.height)}→${Math.round(to.height)}`)});
  }).observe({type: "layout-shift", buffered: true});
})()"""
"""Notes every layout shift with what moved, in the window."""


@dataclass(frozen=True)
class Finding:
    """Something that should not happen, and the view it happened in."""

    view: str
    kind: str
    what: str


def session_window(shifts: list[dict[str, Any]]) -> tuple[float, list[str]]:
    """The worst sum of shifts less than a second apart, within five seconds; and what moved then."""
    worst, moved = 0.0, list[str]()
    total, names, began, last = 0.0, list[str](), 0.0, 0.0
    for shift in shifts:
        if not names or shift["at"] - last >= 1000 or shift["at"] - began >= 5000:
            total, names, began = 0.0, [], shift["at"]
        total, last = total + shift["value"], shift["at"]
        names = [*names, *(f"{one} ({shift['value']:.3f})" for one in shift["what"][:3])]
        if total > worst:
            worst, moved = total, names
    return worst, moved


class Tour:
    """Goes everywhere, and keeps what it finds."""

    def __init__(self, browser: Browser, address: str, games: Sequence[str] = GAMES) -> None:
        self.browser, self.address, self.games = browser, address, games
        self.findings: list[Finding] = []
        self.visits: Counter[str] = Counter()
        self.shift: dict[str, float] = {}
        """The worst of each view."""
        self.rounds = 0
        self._view = "start"
        self._refusals = False
        self._pages: list[Page] = []

    def run(self, minutes: float) -> None:
        """Round and round until the time is over; one round if it is zero."""
        end = time.monotonic() + 60 * minutes if minutes else float("inf")
        while self._round(*KINDS[self.rounds % len(KINDS)], end):
            self.rounds += 1
            if not minutes:
                return

    def _round(self, language: str, scheme: str, place: str, end: float) -> bool:
        person = self.person(language, scheme, place)
        name = f"{'梅' if language == 'zh' else 'Ada'} {self.rounds}"
        stations: list[Callable[[], None]] = [
            lambda: self.front(person), *(lambda game=game: self.game(person, game) for game in self.games),
            lambda: self.many(person), lambda: self.own_games(person), lambda: self.account(person, name),
            lambda: self.settings(person),
            lambda: self.friends(person), lambda: self.opponents(person), lambda: self.puzzles(person),
            lambda: self.lessons(person), lambda: self.reading(person), lambda: self.analysis(person),
            lambda: self.nowhere(person)]
        for station in stations:
            if time.monotonic() > end:
                break
            try:
                station()
            except BrowserError as error:
                self.find("did not come", str(error).splitlines()[0])
                person.page.goto("about:blank")
        else:
            self._leave(person)
            return True
        self._leave(person)
        return False

    # ------------------------------------------------------------------ watching

    def find(self, kind: str, what: str) -> None:
        self.findings.append(Finding(self._view, kind, what))
        print(f"{self._view}: {kind}: {what}", file=sys.stderr, flush=True)

    def person(self, language: str, scheme: Any, place: str) -> Person:
        """Somebody new, in a browser that has never been here."""
        width, height = SIZES[place]
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, locale={"en": "en-GB", "zh": "zh-CN"}[language],
            color_scheme=scheme, has_touch=place == "phone")
        context.set_default_timeout(TIMEOUT_MS)
        context.add_init_script(SHIFTS)
        page = context.new_page()
        page.on("pageerror", lambda error: self.find("exception", str(error)))
        page.on("console", lambda message: self._hear(message.type, message.text))
        page.on("requestfailed", lambda request: None if "ERR_ABORTED" in (request.failure or "")
                else self.find("request failed", f"{request.url} {request.failure}"))
        page.on("response", self._answered)
        self._pages.append(page)
        return Person(page, self.address, finger=place == "phone")

    def _leave(self, person: Person) -> None:
        self._pages.remove(person.page)
        person.page.context.close()

    def _hear(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not text.startswith("Failed to load resource"):   # told as an answer
            self.find(f"console {kind}", text)

    def _answered(self, response: Response) -> None:
        if response.status >= 400 and not self._refusals:
            self.find("refused", f"{response.status} {response.request.method} {response.url}")

    @contextmanager
    def view(self, name: str, *, refusals: bool = False) -> Iterator[None]:
        """What happens within is told of this view. Refusals are no news where they are provoked."""
        self._view, self._refusals = name, refusals
        self.visits[name] += 1
        for page in self._pages:
            page.evaluate("window.shifts && (window.shifts.length = 0)")
        yield
        for page in self._pages:
            page.wait_for_timeout(SETTLE_MS)
            worst, moved = session_window(page.evaluate("window.shifts ?? []"))
            self.shift[name] = max(worst, self.shift.get(name, 0.0))
            if worst > BUDGET_SHIFT:
                self.find("layout shift", f"{worst:.3f}: {'; '.join(moved[:8])}")
        self._refusals = False

    def expect(self, what: str, touches: int, wanted: int) -> None:
        if touches != wanted:
            self.find("too many touches", f"{what}: {touches}, not {wanted}")

    # ------------------------------------------------------------------ the stations

    def front(self, person: Person) -> None:
        """From the address to the first move."""
        with self.view("lobby, first visit"):
            person.page.goto(self.address)
            person.wait("#live")
            person.wait("a.puzzle .board .piece")
        with self.view("first move"):
            before = person.clicks
            person.touch(".card:has([data-game=othello]) [data-play=computer]")
            person.touch(".room[data-mine] .point.can >> nth=0")
            person.page.wait_for_function("() => Number(document.querySelector('.room')?.dataset.plies) >= 1")
            self.expect("from the address to the first move", person.clicks - before, 2)
        with self.view("room"):
            person.play(1)
            person.resign()

    def game(self, person: Person, game: str) -> None:
        """A game against the first level: played, left, come back to, given up, reviewed and shared."""
        page = person.page
        with self.view("lobby"):
            person.lobby()
            page.mouse.wheel(0, 600)
        with self.view("new game"):
            person.begin(game)
        with self.view("room"):
            person.play(2)
            if person.await_turn():
                person.act(HINT)
                page.wait_for_selector(".room .arrow")
                person.act(DRAW)
                page.wait_for_timeout(1500)
            for tab in ("chat", "info", "moves"):
                person.touch(f"#tab-{tab}")
            page.keyboard.press("ArrowLeft")
            page.wait_for_timeout(300)
            page.keyboard.press("End")
            person.play(1)
        if page.locator(".room[data-phase=playing]").count():
            with self.view("leaving"):
                person.act(LEAVE)
                person.touch("dialog button.main")
                person.wait("[data-running]")
                person.lobby()
            with self.view("rules, with a running game"):
                person.go(f"/rules/{game}", "article")
                person.wait("[data-running]")
            with self.view("coming back"):
                before = person.clicks
                person.touch("[data-running]")
                person.wait(".room[data-phase=playing] .board")
                self.expect("back to a left game", person.clicks - before, 1)
            with self.view("end of a game"):
                person.await_turn()
                if page.locator(".room[data-phase=playing]").count():
                    person.resign()
        with self.view("share"):
            person.touch(page.locator(".after button").nth(2))
            page.wait_for_function("() => document.querySelector('dialog img')?.naturalWidth > 0")
            person.close_dialog()
        with self.view("review"):
            before = person.clicks
            person.touch(page.locator(".after button").first)
            person.wait(".review .board")
            self.expect("from a finished game to its review", person.clicks - before, 1)
            person.wait(".review[data-ready]")
            for key in ("ArrowLeft", "ArrowLeft", "Home", "ArrowRight", "End"):
                page.keyboard.press(key)
                page.wait_for_timeout(150)
        if page.locator("button.learn").count():
            with self.view("mistakes as questions"):
                person.touch("button.learn")
                person.wait(".review[data-learning] .question")
                person.touch(page.locator(".question .row button").nth(0))
                person.touch(page.locator(".question .row button").nth(1))
        with self.view("analysis of a game"):
            person.touch("header a.own")
            person.wait(".games li .board .piece")
            person.touch(".games li a.what")
            person.wait(".game[data-ready]")
            person.touch(".tools a")
            person.wait(".study[data-ready] .analysis ol li")

    def many(self, person: Person) -> None:
        """A game of six, which goes on when one of them gives up."""
        with self.view("room of six"):
            person.lobby()
            person.begin("chinese_checkers", players=6)
            person.play(3)
            person.act(LEAVE)
            person.touch(person.page.locator("dialog .end button").nth(1))
            person.wait(".card .board")

    def own_games(self, person: Person) -> None:
        page = person.page
        with self.view("my games"):
            person.lobby()
            person.touch("header a.own")
            person.wait(".games li .board .piece")
            page.locator("select[name=game]").select_option(self.games[0])
            page.wait_for_timeout(500)
            page.locator("select[name=result]").select_option("lost")
            page.wait_for_timeout(500)
            page.reload()
            person.wait(".games li .board .piece")
        with self.view("game"):
            person.touch(".games li a.what")
            person.wait(".game[data-ready]")
            for key in ("Home", "ArrowRight", "End"):
                page.keyboard.press(key)
                page.wait_for_timeout(200)
            page.reload()
            person.wait(".game[data-ready]")

    def account(self, person: Person, name: str) -> None:
        page = person.page
        with self.view("account"):
            person.account(name, PASSWORD)
            page.locator("header nav bdi").wait_for()
            person.touch("header nav bdi")
            for number in range(page.locator("dialog summary").count()):
                person.touch(page.locator("dialog summary").nth(number))
        with self.view("profile"):
            person.touch("dialog .links a")
            person.wait(".page h1 bdi")
            page.reload()
            person.wait(".page h1 bdi")
        with self.view("leaderboards"):
            for game in self.games:
                person.go(f"/ratings/{game}", ".page fieldset")
                page.wait_for_timeout(300)
        with self.view("log in", refusals=True):
            person.touch("header nav bdi")
            person.touch("dialog .rows > button")
            page.locator("header nav bdi").wait_for(state="detached")
            page.wait_for_selector("dialog", state="detached")
            person.touch(page.locator("header nav button").nth(1))
            page.locator("dialog input[autocomplete=username]").fill(name)
            page.locator("dialog input[type=password]").fill("something else")
            person.touch("dialog button.main")
            page.wait_for_function("() => document.querySelector('dialog [role=alert]')?.textContent")
            page.locator("dialog input[type=password]").fill(PASSWORD)
            person.touch("dialog button.main")
            page.locator("header nav bdi").wait_for()

    def settings(self, person: Person) -> None:
        """Every choice once, in the lobby; and back to what it was."""
        page = person.page
        with self.view("settings"):
            person.lobby()
            person.touch(page.locator("header nav button").nth(2))
            dialog = page.locator("dialog")
            language = dialog.locator("fieldset input:checked").first.get_attribute("value")
            for value in ("zh", "en", "dark", "light", "auto", "paper", "bamboo", "slate", "rosewood", "wood",
                          "simplified", "pictures", "letters", "characters", language):
                dialog.locator(f"fieldset input[value={value}]").check(force=True)
                page.wait_for_timeout(150)
            for choice in dialog.locator("select").all():
                values = choice.locator("option").evaluate_all("all => all.map(one => one.value)")
                for value in (*values[1:], values[0]):
                    choice.select_option(value)
            for tick in dialog.locator(".toggle input:enabled").all():
                tick.click()
                tick.click()
            person.close_dialog()

    def friends(self, person: Person) -> None:
        """A room, and a friend who comes by its link on a phone."""
        friend = self.person("en", "dark", "phone")
        try:
            with self.view("invitation"):
                person.lobby()
                person.touch(".card:has([data-game=xiangqi]) [data-play=friend]")
                person.wait(".invite svg path[d*=M]")
                friend.page.goto(person.page.input_value(".invite input"))
                friend.wait(".room .board")
                friend.touch(".choices button.main")
                person.wait(".actions button.main:enabled")
                person.touch(".actions button.main")
            with self.view("room of two people"):
                both = [person, friend]
                for _ in both:
                    for one in both:
                        one.wait(".room[data-phase=playing]")
                    mover = next((one for one in both if one.page.locator(".room[data-mine]").count()), person)
                    mover.await_turn()
                    mover.move()
                    mover.page.wait_for_timeout(500)
                person.touch("#tab-chat")
                person.page.locator("[role=tabpanel] input").fill("你好 hello")
                person.page.keyboard.press("Enter")
                friend.touch("#tab-chat")
                friend.page.get_by_text("你好 hello").wait_for()
                friend.act(DRAW)
                person.wait(".banner button.main")
                person.touch(person.page.locator(".banner button:not(.main)"))
                friend.page.wait_for_timeout(500)
                friend.resign()
                person.wait(".room[data-phase=finished]")
                person.touch(person.page.locator(".after button").nth(1))
                friend.touch(friend.page.locator(".after button").nth(1))
                for one in both:
                    one.wait(".room[data-phase=playing]")
                person.resign()
        finally:
            self._leave(friend)

    def opponents(self, person: Person) -> None:
        """Two who find each other, and their game in the lobby."""
        other = self.person("zh", "light", "desk")
        try:
            with self.view("find an opponent"):
                for one in (person, other):
                    one.lobby()
                    one.touch(".card:has([data-game=othello]) [data-play=opponent]")
                for one in (person, other):
                    one.wait(".room[data-phase=playing] .board")
            with self.view("lobby with a live game"):
                other.lobby()
                other.wait("[data-live] .board")
                if person.page.locator(".room[data-mine]").count():
                    person.move()
                other.page.wait_for_timeout(1000)
                person.resign()
                other.page.wait_for_timeout(1000)
        finally:
            self._leave(other)

    def puzzles(self, person: Person) -> None:
        page = person.page
        with self.view("puzzles"):
            person.lobby()
            person.touch("a.puzzle")
            person.wait(".puzzle[data-phase=asked] .board")
            person.go("/puzzles", ".page li .board")
        for number, game in enumerate(self.games):
            with self.view("puzzle"):
                person.go(f"/puzzles/{game}", ".puzzle[data-phase=asked] .board:not([data-playing])")
                person.touch(page.locator(".puzzle .buttons button").nth(0))
                page.wait_for_timeout(300)
                person.touch(page.locator(".puzzle .buttons button").nth(1))
                person.wait(".puzzle[data-phase=shown] .board:not([data-playing])")
                person.touch(".puzzle .onward")
                person.wait(".puzzle[data-phase=asked] .board:not([data-playing])")
            with self.view("rush" if number % 2 else "streak"):
                page.locator(f".puzzle input[value={'rush' if number % 2 else 'streak'}]").check(force=True)
                person.touch(".puzzle .onward")
                person.wait(".puzzle[data-phase=asked] .board")

    def lessons(self, person: Person) -> None:
        page = person.page
        with self.view("learn"):
            person.go("/learn", ".page section ol a")
            person.go("/learn/anything-unknown", ".page section")
        for game in self.games:
            with self.view("introduction"):
                person.go(f"/learn/{game}/introduction", ".lesson .board")
                self._walk(person)
            if game in LESSONS:
                with self.view("lesson"):
                    person.go(f"/learn/{game}", ".page ol a")
                    person.touch(page.locator(".page ol a").nth(1))
                    person.wait(".lesson .board")
                    self._walk(person)

    def _walk(self, person: Person) -> None:
        """Through a lesson, being shown every other task."""
        page = person.page
        for number in range(40):
            shown = page.locator(".lesson .buttons button:not(.onward)").nth(1)
            if number % 2 and shown.count():
                person.touch(shown)
                page.wait_for_timeout(1500)   # a move is played, or a stone is marked
            onward = page.locator(".lesson .onward:enabled:not([aria-haspopup])")
            step = page.get_attribute(".lesson", "data-step")
            if not onward.count():
                return
            person.touch(onward)
            page.wait_for_timeout(250)
            if page.locator(f".lesson[data-step='{step}']").count():
                return   # the next lesson begins, or this is the last step

    def reading(self, person: Person) -> None:
        page = person.page
        for game in self.games:
            with self.view("rules"):
                person.go(f"/rules/{game}", "article h1")
                page.mouse.wheel(0, 2000)
        with self.view("results"):
            person.go("/results", ".page section")
            person.touch(page.locator("a[href*='results/multiplayer']"))
            page.wait_for_function("() => document.querySelector('.picture img')?.naturalWidth > 0")

    def analysis(self, person: Person) -> None:
        page = person.page
        for game in self.games:
            with self.view("analysis"):
                person.go(f"/analysis/{game}", ".study[data-ready] .analysis ol li")
                for plies in (1, 2, 3):
                    page.wait_for_selector(".analysis ol li button")
                    person.touch(".analysis ol li button")
                    page.wait_for_function("plies => Number(document.querySelector('.study').dataset.plies) >= plies "
                                           "|| document.querySelector('dialog')", arg=plies)
                    if page.locator("dialog .chance button").count():
                        person.touch("dialog .chance button")
                    page.wait_for_timeout(700)
                for key in ("ArrowLeft", "Home", "End", "x", "3", "x", "1"):
                    page.keyboard.press(key)
                    page.wait_for_timeout(300)
            with self.view("explorer"):
                person.wait(".explorer .sources")
                page.keyboard.press("Home")
                page.wait_for_timeout(600)
                if page.locator(".explorer .move button").count():
                    person.touch(".explorer .move button")
                    page.wait_for_timeout(800)
            with self.view("import and export", refusals=True):
                for text in (BROKEN, PASTED.get(game, "")):
                    if text:
                        person.touch(page.locator(".tools button").nth(1))
                        page.locator("dialog textarea").first.fill(text)
                        person.touch("dialog form button.main")
                        if text == BROKEN:
                            person.wait("dialog .said *")
                            person.close_dialog()
                        else:
                            page.wait_for_selector("dialog", state="detached")
                            person.wait(".study[data-ready]")
                person.touch(page.locator(".tools button").nth(1))
                with page.expect_download():
                    person.touch("dialog section .row button")
                person.close_dialog()
            with self.view("position editor"):
                person.touch(page.locator(".tools button").nth(0))
                person.wait(".editor textarea")
                person.touch(".editor .buttons:last-child button:not(.main)")

    def nowhere(self, person: Person) -> None:
        with self.view("what is not there", refusals=True):
            for path in ("/nothing/here", "/room/nothing", "/review/nothing", "/game/nothing/1", "/people/nobody"):
                person.go(path, ".message")


def report(tour: Tour) -> str:
    """What was seen, as a table, and what was found."""
    rows = [f"{'view':32} {'visits':>6} {'shift':>6}  found"]
    for view, visits in tour.visits.items():
        found = Counter(one.kind for one in tour.findings if one.view == view)
        rows.append(f"{view:32} {visits:6} {tour.shift.get(view, 0.0):6.3f}  "
                    + ", ".join(f"{count} × {kind}" for kind, count in found.items()))
    rows += ["", *(f"{count} × {one.view}: {one.kind}: {one.what}"
                   for one, count in Counter(tour.findings).items())]
    rows.append(f"{tour.rounds} rounds, {sum(tour.visits.values())} visits of {len(tour.visits)} views, "
                f"largest shift {max(tour.shift.values(), default=0.0):.3f}, {len(tour.findings)} findings")
    return "\n".join(rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--games", nargs="+", choices=GAMES, default=GAMES)
    arguments = parser.parse_args()
    if find_chromium() is None:
        print(f"{MISSING}; there is no tour", file=sys.stderr)
        return 0
    with (tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright,
          ServerProcess(folder, "--results", str(LAB), settings=SETTINGS) as server):
        browser = launch(playwright)
        tour = Tour(browser, server.address, arguments.games)
        tour.run(arguments.minutes)
        browser.close()
    print(report(tour))
    return 1 if tour.findings else 0


if __name__ == "__main__":
    sys.exit(main())
