"""A person at the page, for pictures and tours: goes somewhere, plays, and waits until everything has come."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

GAMES = ("xiangqi", "jieqi", "othello", "liuzhou", "chinese_checkers")
HINT, TAKEBACK, DRAW, RESIGN, AUTOPLAY, LEAVE = range(6)
"""The buttons below the board while a game is played, in their order."""


class Person:
    """Whoever looks at a page; by mouse, or by finger where the page has a touch screen."""

    def __init__(self, page: Page, address: str, *, finger: bool = False) -> None:
        self.page = page
        self.address = address.rstrip("/")
        self.finger = finger
        self.clicks = 0
        """How often something was touched."""

    def touch(self, target: str | Locator) -> None:
        found = self.page.locator(target) if isinstance(target, str) else target
        if self.finger:
            found.first.tap()
        else:
            found.first.click()
        self.clicks += 1

    def wait(self, selector: str) -> None:
        self.page.wait_for_selector(selector)

    def go(self, path: str, ready: str) -> None:
        """By its address, as a link from elsewhere would."""
        self.page.goto(self.address + path)
        self.wait(ready)

    def close_dialog(self) -> None:
        self.page.keyboard.press("Escape")
        self.page.wait_for_selector("dialog", state="detached")

    # ------------------------------------------------------------------ getting to a game

    def lobby(self) -> None:
        """The front door, with everything that comes late."""
        if self.page.url.startswith(self.address) and not self.page.locator("dialog").count():
            self.touch("a.brand")
        else:
            self.page.goto(self.address + "/")
        self.wait(".card .board")
        self.wait("#live")
        self.wait("a.puzzle .board .piece")

    def begin(self, game: str, *, players: int | None = None, level: int = 1) -> None:
        """From the lobby into a game against the computer, by “More options”."""
        self.touch(f"[data-game={game}]")
        dialog = self.page.locator("dialog")
        dialog.locator("input[type=range]").fill(str(level))
        if players is not None:
            dialog.locator(f"fieldset input[value='{players}']").check(force=True)
        self.touch(dialog.locator("button.go"))
        self.wait(".room[data-phase=playing] .board")

    # ------------------------------------------------------------------ playing

    @property
    def plies(self) -> int:
        return int(self.page.get_attribute(".room", "data-plies") or 0)

    def await_turn(self) -> bool:
        """Wait until it is their turn (true) or the game is over (false)."""
        self.wait(".room[data-mine] .board:not([data-playing]), .room[data-phase=finished]")
        return self.page.locator(".room[data-mine]").count() == 1

    def move(self, choice: int = 0) -> None:
        """Make one of the moves that offer themselves; no knowledge of the rules is needed."""
        before = self.plies
        if self.page.locator(".passes button").count():
            self.touch(".passes button")
        else:
            starts = self.page.locator(".point.start")
            if not self.page.locator(".point.can").count():
                self.touch(starts.nth(choice % max(1, starts.count())))
            ends = self.page.locator(".point.can")
            ends.first.wait_for()
            self.touch(ends.nth(choice % ends.count()))
        self.page.wait_for_function("before => Number(document.querySelector('.room').dataset.plies) > before",
                                    arg=before)

    def play(self, moves: int) -> None:
        """So many moves, if the game lasts so long."""
        for number in range(moves):
            if not self.await_turn():
                return
            self.move(number)
        self.await_turn()

    def act(self, button: int) -> None:
        self.touch(self.page.locator("button.act").nth(button))

    def resign(self) -> None:
        self.act(RESIGN)
        self.touch("dialog button.main")
        self.wait(".room[data-phase=finished]")

    # ------------------------------------------------------------------ an account

    def account(self, name: str, password: str, *, new: bool = True) -> None:
        self.touch(self.page.locator("header nav button").nth(1))
        self.page.locator(f"dialog input[value={'new' if new else 'in'}]").check(force=True)
        self.page.locator("dialog input[autocomplete=username]").fill(name)
        self.page.locator("dialog input[type=password]").fill(password)
        self.touch("dialog button.main")
        self.page.locator("header nav bdi", has_text=name).wait_for()
