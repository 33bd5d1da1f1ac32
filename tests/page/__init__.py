"""Tests of the page in a real browser, against a real server.

A `Visitor` is a person at a screen: they see what is drawn and touch points, by mouse, finger or keyboard. They know
as little of the rules as the page does: they touch what the page says can be touched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import pytest

from tests.places import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Way = Literal["mouse", "touch", "keyboard"]
GAMES = ("xiangqi", "jieqi", "othello", "liuzhou", "chinese_checkers", "sixth")
"""The page knows none of them; the last one is written beside these tests."""

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"


class Visitor:
    """A person at a page."""

    def __init__(self, page: Page, address: str, way: Way = "mouse") -> None:
        self.page = page
        self.address = address
        self.way: Way = way

    # ------------------------------------------------------------------ getting to a game

    def lobby(self) -> Visitor:
        """From within the page by its own link; the first time by address."""
        if self.page.url.startswith(self.address) and not self.page.locator("dialog").count():
            self.page.locator("a.brand").click()
        else:
            self.page.goto(self.address + "/")
        self.page.wait_for_selector(".card .board")
        return self

    def choose(self, game: str, *, against: str = "computer", players: int | None = None, seat: int | None = None,
               name: str | None = None, rules: dict[str, int] | None = None) -> Visitor:
        """From the lobby into a room."""
        if self.page.locator(f"[data-game={game}]").count():
            self.touch(self.page.locator(f"[data-game={game}]"))
        else:   # one that is not listed
            self.page.goto(f"{self.address}/play/{game}")
        dialog = self.page.locator("dialog")
        dialog.locator(f"input[value={against}]").check(force=True)
        if name is not None:
            dialog.locator("input[autocomplete=nickname]").fill(name)
        if against != "friends":
            dialog.locator("input[type=range]").fill("1")
        if players is not None:
            dialog.locator(f"fieldset input[value='{players}']").check(force=True)
        if seat is not None:
            dialog.locator(f"select:has(option[value='{seat}'])").select_option(str(seat))
        if rules:
            dialog.locator("details summary").click()
        for option, value in (rules or {}).items():
            dialog.locator(f"details input[name={option}]").fill(str(value))
        self.touch(dialog.locator("button.go"))
        self.page.wait_for_selector(".room .board")
        if against != "friends":
            self.page.wait_for_selector(".room[data-phase=playing]")
        return self

    # ------------------------------------------------------------------ playing

    def touch(self, target: Locator) -> None:
        if self.way == "touch":
            target.tap()
        elif self.way == "keyboard":
            target.focus()
            self.page.keyboard.press("Enter")
        else:
            target.click()

    @property
    def plies(self) -> int:
        return int(self.page.get_attribute(".room", "data-plies") or 0)

    def await_turn(self) -> bool:
        """Wait until it is their turn (true) or the game is over (false)."""
        self.page.wait_for_selector(".room[data-mine], .room[data-phase=finished]")
        return self.page.locator(".room[data-mine]").count() == 1

    def move(self) -> list[str]:
        """Make the first move that offers itself; the points that were touched."""
        before = self.plies
        touched: list[str] = []
        passing = self.page.locator(".passes button")
        if passing.count():
            self.touch(passing.first)
        else:
            while not touched or self.page.locator(".point[aria-pressed=true]").count():
                wanted = ".point.can" if touched or self.page.locator(".point.can").count() else ".point.start"
                touched.append(self.pick(wanted))
                if len(touched) > 1:
                    break
        self.page.wait_for_function("before => Number(document.querySelector('.room').dataset.plies) > before",
                                    arg=before)
        return touched

    def pick(self, wanted: str) -> str:
        """Touch the first point of a kind; its name."""
        target = self.page.locator(wanted).first
        name = str(target.get_attribute("data-point"))
        if self.way == "keyboard":
            # From wherever the cursor is: N goes to the next point that can be touched.
            self.page.locator(".point[tabindex='0']").focus()
            self.page.keyboard.press("n")
            name = str(self.page.evaluate("document.activeElement.dataset.point"))
            self.page.keyboard.press("Enter")
        else:
            self.touch(target)
        return name

    # ------------------------------------------------------------------ looking

    def stones(self) -> dict[str, str]:
        """What stands where, once everything has come to rest."""
        self.rest()
        return dict(self.page.eval_on_selector_all(
            ".room .piece", "all => all.map(one => [one.dataset.stone, one.dataset.glyph])"))

    def rest(self) -> None:
        self.page.wait_for_selector(".room .board:not([data-playing])")

    def barriers(self) -> list[Any]:
        """What axe finds on this page that keeps people from using it, by day and by night.

        The page's own policy must be bypassed. In the dark only contrasts are looked at: nothing else is different.
        """
        if not AXE.is_file():
            pytest.skip("axe-core not found; make page")
        self.page.add_script_tag(path=str(AXE))
        found: list[Any] = []
        for scheme, rules in (("dark", ["color-contrast"]), ("light", None)):
            self.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            found += self.page.evaluate("""rules => axe.run(rules === null ? {} : {runOnly: rules})
                .then(result => result.violations.filter(one => ["serious", "critical"].includes(one.impact))
                .map(one => [one.id, one.nodes.map(node => node.html.slice(0, 120) + " " + node.any.map(
                    reason => reason.message)).slice(0, 3)]))""", rules)
        return found

    def height(self, glyphs: str) -> float:
        """How far down the screen stones of these kinds are, on average."""
        boxes: list[Any] = self.page.eval_on_selector_all(
            ".room .piece", "all => all.map(one => [one.dataset.glyph, one.getBoundingClientRect().y])")
        heights = [y for glyph, y in boxes if glyph in glyphs]
        return float(sum(heights) / len(heights))
