"""The page on a phone: what fits, what scrolls, and what works without the server."""

from __future__ import annotations

import pytest

from tests.page.conftest import Visit

VIEWS = (("/learn", ".page section"), ("/learn/xiangqi", ".page section"), ("/learn/othello/parity", ".lesson .board"),
         ("/rules/xiangqi", "article dt"), ("/puzzles", ".page li"), ("/puzzles/xiangqi", ".puzzle .board"),
         ("/analysis/xiangqi", ".study[data-ready] .board"), ("/results", ".page"))


@pytest.mark.parametrize("language", ["en", pytest.param("zh", marks=pytest.mark.slow)])
def test_nothing_scrolls_sideways(visit: Visit, language: str) -> None:
    one = visit(language=language, size=(360, 740), way="touch")
    for path, ready in VIEWS:
        one.page.goto(one.address + path)
        one.page.wait_for_selector(ready)
        assert one.page.evaluate("document.documentElement.scrollWidth") <= 360, path


FITTING = (("/puzzles/xiangqi", ".puzzle .board", ".puzzle .buttons button"),
           ("/puzzles/chinese_checkers", ".puzzle .board", ".puzzle .buttons button"),
           ("/learn/xiangqi/introduction", ".lesson .board", ".lesson .buttons button"),
           ("/analysis/xiangqi", ".study[data-ready] .board", ".study button[aria-label='Next move']"))
"""Views, their board, and what must be reached without scrolling."""


def test_board_and_controls_fit_without_scrolling(visit: Visit) -> None:
    one = visit(size=(390, 844), way="touch")
    for path, board, controls in FITTING:
        one.page.goto(one.address + path)
        one.page.wait_for_selector(board)
        one.page.wait_for_selector(controls)
        for selector in (board, controls):
            box = one.page.locator(selector).last.bounding_box()
            assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= 844, (path, selector, box)


def test_the_engine_is_below_the_board(visit: Visit) -> None:
    one = visit(size=(390, 844), way="touch")
    one.page.goto(f"{one.address}/analysis/xiangqi")
    one.page.wait_for_selector(".study[data-ready] .analysis")
    board, bar, lines = (one.page.locator(selector).first.bounding_box()
                         for selector in (".study .board", ".study .bar", ".study .analysis"))
    assert board and bar and lines
    assert bar["y"] >= board["y"] + board["height"] - 8 and lines["y"] >= board["y"] + board["height"] - 8


@pytest.mark.slow
def test_lessons_and_puzzles_work_offline(visit: Visit) -> None:
    """After one visit: the introduction, a lesson and a puzzle to its end; a room says that it needs the server."""
    one = visit(size=(390, 844))
    one.page.goto(f"{one.address}/learn")
    one.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    one.page.reload()
    one.page.wait_for_selector("html[data-offline=ready]")
    one.page.context.set_offline(True)
    for path in ("/learn", "/learn/liuzhou", "/learn/xiangqi/basic_mates"):
        one.page.goto(one.address + path)
        one.page.wait_for_selector(".page section" if path == "/learn" else ".lesson .board")
    one.page.get_by_role("button", name="Show me").click()
    one.page.wait_for_selector(".lesson[data-done]")
    one.page.goto(f"{one.address}/puzzles/othello")
    one.page.wait_for_selector(".puzzle[data-phase=asked] .board")
    one.page.get_by_role("button", name="Hint").click()
    one.page.wait_for_selector(".puzzle .arrow")
    one.page.locator(".puzzle .point.can").first.click()
    one.page.wait_for_selector(".puzzle[data-phase=wrong], .puzzle[data-phase=right], .puzzle[data-phase=solved]")
    if one.page.locator(".puzzle[data-phase=solved]").count() == 0:
        one.page.get_by_role("button", name="Show solution").click()
        one.page.wait_for_selector(".puzzle[data-phase=shown]")
    one.page.goto(f"{one.address}/room/nothing")
    one.page.get_by_text("The server cannot be reached").wait_for()
    kept = one.page.evaluate("""async () => (await Promise.all((await caches.keys()).map(async name =>
        (await (await caches.open(name)).keys()).map(request => new URL(request.url).pathname)))).flat()""")
    assert not [path for path in kept if "/room" in path or "/records" in path or "/session" in path]
