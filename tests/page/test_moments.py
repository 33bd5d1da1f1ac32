"""The moments of a game: a check wherever it is looked at, a rating that changes, a phone that is felt."""

from __future__ import annotations

from typing import Any

import pytest

from boyi.games import find_game
from boyi.server.protocol import messages
from boyi.server.protocol.parts import ClockRule
from boyi.study.puzzles.collection import own_puzzles
from tests.page import Visitor
from tests.page.conftest import Visit
from tests.page.test_accounts import begin_rated
from tests.page.test_drama import CHECK, Served
from tests.server import Table

MATE = ("h2e2", "i6i5", "e2e6", "i5i4", "b2b5", "i4i3", "b5e5")
"""Two cannons, one behind the other."""

VIBRATIONS = """() => {
  window.felt = [];
  Navigator.prototype.vibrate = function (pattern) { window.felt.push(pattern); return true; };
}"""


def check(one: Visitor) -> list[str]:
    """Where kings are seen to be in check."""
    return [str(mark.get_attribute("data-check")) for mark in one.page.locator("[data-check]").all()]


# ---------------------------------------------------------------------- check


def test_a_check_is_seen_and_heard_again(visit: Visit) -> None:
    """In the position where it was given, for those who come later, too, and in no other."""
    one = visit()
    served = Served(one, Table("xiangqi").seat("ada", "bob"))
    served.play(*CHECK)
    page = one.page
    assert check(one) == ["e9"]
    assert page.get_by_role("button", name="e9, black general, in check").count() == 1
    page.get_by_role("status").filter(has_text="Check!").wait_for()
    served.play("e9d9")
    for visitor in ("who was there", "who comes now"):
        if visitor == "who comes now":
            page.reload()
            page.wait_for_selector(".room[data-plies='4'] .board .point")
            page.wait_for_selector(".moves li:nth-child(3) button:not(:disabled)")
        assert check(one) == []
        for ply, seen in ((3, ["e9"]), (2, []), (1, []), (3, ["e9"])):
            page.locator(f".moves li:nth-child({ply}) button").click()
            page.wait_for_selector(f".moves li:nth-child({ply}) button[aria-current=step]")
            assert check(one) == seen, (visitor, ply)
        page.get_by_role("button", name="Back to the game").click()
        assert check(one) == []


def test_a_mated_king_is_seen(visit: Visit) -> None:
    one = visit()
    served = Served(one, Table("xiangqi").seat("ada", "bob"))
    served.play(*MATE)
    one.page.wait_for_selector(".room[data-phase=finished]")
    assert check(one) == ["e9"]
    one.page.keyboard.press("ArrowLeft")
    one.page.wait_for_selector("[data-check]", state="detached")
    one.page.keyboard.press("End")
    one.page.wait_for_selector("[data-check=e9]")


@pytest.mark.parametrize("path", ["analysis", "review"])
def test_a_mate_is_seen_where_it_is_studied(visit: Visit, path: str) -> None:
    one = visit()
    one.page.goto(f"{one.address}/analysis/xiangqi")
    one.page.wait_for_selector(".study[data-ready]")
    one.page.get_by_role("button", name="Import / export").click()
    one.page.locator("dialog textarea").first.fill(" ".join(MATE))
    one.page.locator("dialog").get_by_role("button", name="Import", exact=True).click()
    one.page.locator("dialog").wait_for(state="detached")
    if path == "review":
        one.page.get_by_role("button", name="Review the game").click()
        one.page.wait_for_selector(".review .board .point")
    assert check(one) == []
    if path == "analysis":      # none of its buttons is alone in its row
        tops = one.page.locator(".tools button").evaluate_all("all => all.map(one => one.getBoundingClientRect().top)")
        assert len(tops) == 4 and all(tops.count(top) > 1 for top in tops)
    one.page.keyboard.press("End")
    one.page.wait_for_selector("[data-check=e9]")
    if path == "analysis":      # the bar is all of the winner's
        one.page.wait_for_selector(".bar[aria-label='Red wins']")
        assert one.page.locator(".bar").evaluate("one => one.style.getPropertyValue('--share')") == "1"


def test_a_mate_ends_a_puzzle(visit: Visit) -> None:
    """The king is seen to be in check when the puzzle is solved, and when its solution is shown."""
    puzzles = own_puzzles(find_game("xiangqi"))
    assert puzzles is not None
    for puzzle in puzzles.puzzles:
        *_, last = puzzle.steps(puzzles.game, puzzles.options)
        after = last.position.copy()
        after.play(last.move)
        if after.turn < 0 and after.checked:
            break
    else:
        raise AssertionError("no puzzle ends with a mate")
    one = visit()
    one.page.goto(f"{one.address}/puzzles/xiangqi/{puzzle.id}")
    one.page.wait_for_selector(".puzzle[data-phase=asked] .board")
    one.page.get_by_role("button", name="Show solution").click()
    one.page.wait_for_selector(".puzzle[data-phase=shown]")
    king = next(stone.point for stone in after.stones() if stone.glyph == "Kk"[1 - last.position.turn])
    one.page.wait_for_selector(f"[data-check={king}]")


# ---------------------------------------------------------------------- ratings, and the page of the game


def touch(one: Visitor, *points: str) -> None:
    assert one.await_turn()
    for point in points:
        one.page.locator(f"[data-point={point}]").click()


@pytest.mark.slow
def test_a_rated_game_ends_with_what_it_changed(visit: Visit) -> None:
    """The first one with a rating, the next one with a change; and its page shows the check that it ended with."""
    host, guest = visit(), visit(language="zh")
    begin_rated("xiangqi", (host, "Hypatia"), (guest, "Yixing"))
    ratings: list[list[str]] = []
    for number in (1, 2):
        if number == 2:
            for one, word in ((host, "Rematch"), (guest, "再来一局")):
                one.page.get_by_role("button", name=word).click()
        for one in (host, guest):
            one.page.wait_for_selector(".room[data-phase=playing][data-plies='0']")
        while not any(one.page.locator(".room[data-mine]").count() for one in (host, guest)):
            host.page.wait_for_timeout(50)
        first, second = (host, guest) if host.page.locator(".room[data-mine]").count() else (guest, host)
        touch(first, "h2", "e2")
        touch(second, "d9", "e8")
        touch(first, "e2", "e6")
        guest.page.wait_for_selector(".room[data-plies='3']")
        guest.page.locator(".actions button", has_text="认输").first.click()
        guest.page.locator("dialog button.main").click()
        host.page.wait_for_selector(".told.final[data-mood=won] .rating")
        guest.page.wait_for_selector(".told.final[data-mood=lost] .rating")
        ratings.append([one.page.inner_text(".told .rating") for one in (host, guest)])
    [[won, lost], [won_again, lost_again]] = ratings
    assert won.startswith("Rating ") and "(" not in won and lost.startswith("等级分 ") and "（" not in lost
    before, after = (int(text.split()[1]) for text in (won, won_again))
    assert won_again == f"Rating {after} (+{after - before})" and after > before
    assert "（−" in lost_again
    # The page of the first game, seen by anyone.
    room = host.page.url.rsplit("/", 1)[1]
    other = visit()
    other.page.goto(f"{other.address}/game/{room}/1")
    other.page.wait_for_selector(".game[data-ready] [data-check=e9]")
    other.page.get_by_role("button", name="Previous move").click()
    other.page.wait_for_selector("[data-check]", state="detached")


# ---------------------------------------------------------------------- a phone that is felt


def felt(one: Visitor) -> list[Any]:
    found: list[Any] = one.page.evaluate("window.felt.splice(0)")
    return found


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_a_phone_is_felt(visit: Visit, phone: bool) -> None:
    """When a piece is touched, when it is the reader's turn again, while their time runs out; never at a desk, and not
    when it is switched off."""
    one = visit(way="touch", size=(390, 844), is_mobile=True) if phone else visit()
    one.page.add_init_script(f"({VIBRATIONS})()")
    served = Served(one, Table("xiangqi", clock=ClockRule(60_500)).seat("ada", "bob"))
    assert felt(one) == []
    one.touch(one.page.locator("[data-point=h2]"))
    one.page.wait_for_selector("[data-point=h2][aria-pressed=true]")
    assert bool(felt(one)) == phone
    one.touch(one.page.locator("[data-point=e2]"))
    one.page.wait_for_selector(".room[data-plies='1']")
    felt(one)
    served.play("d9e8")
    assert one.await_turn() and bool(felt(one)) == phone
    served.socket.send(messages.encode(messages.Ping(1, served.table.now + 52_000)))
    one.page.wait_for_selector("[data-seat='0'].urgent .clock")
    one.page.wait_for_timeout(1_500)
    assert bool(felt(one)) == phone
    if phone:
        one.page.get_by_role("button", name="Settings").tap()
        one.page.get_by_label("Vibration").uncheck()
        one.page.locator("dialog").get_by_role("button").first.tap()
        felt(one)
        one.touch(one.page.locator("[data-point=e2]"))
        one.page.wait_for_selector("[data-point=e2][aria-pressed=true]")
        assert felt(one) == []
