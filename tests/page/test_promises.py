"""Small promises of the page that are no part of a longer visit: docs/page-tests.md says which test keeps which."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from boyi.games import find_game
from boyi.server.protocol import messages
from boyi.server.rooms import telling
from tests.page import Visitor
from tests.page.conftest import Visit
from tests.page.test_drama import CHECK, Served
from tests.page.test_front import play
from tests.page.test_my_games import to_games
from tests.page.test_review import begin
from tests.page.test_sources import _texts as texts
from tests.server import Table

SIX = ("ada", "bob", "cyd", "dan", "eve", "fay")


# ---------------------------------------------------------------------- words

WORDS = {
    "en": {"handOver": "Autoplay", "resume": "Take over again", "randomSeat": "Random", "previous": "Previous move",
           "rematch": "Rematch", "importExport": "Import / export", "reviewGame": "Review the game",
           "capturedBy": "Captured from {name}", "addComputer": "Add computer"},
    "zh": {"handOver": "托管", "lineCount": "候选着数", "results": "测评结果", "takes": "吃 {point}",
           "yourSeat": "执子", "removeComputer": "移除", "exportLine": "保存当前变化"},
}


@pytest.mark.parametrize("language", WORDS)
def test_words_are_those_of_players(language: str) -> None:
    found = texts(language)
    assert {key: found[key] for key in WORDS[language]} == WORDS[language]
    assert not [text for text in found.values() if "and then" in text or "然后" in text], "lists are lists"


DRAWN = "a1 b2 c3 c2 a2 a3 c1 b1 b3".split()
"""A game of tic-tac-toe in which nobody has a line."""


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_draw_is_said_once(visit: Visit, language: str) -> None:
    """By agreement with how it came, else not twice with the same word."""
    agreed = Served(visit(language=language), Table("xiangqi").seat("ada", "bob"))
    agreed.table.do("bob", messages.OfferDraw)
    agreed.table.do("ada", messages.AnswerDraw, accept=True)
    played = Served(visit(language=language), Table("tic_tac_toe").seat("ada", "bob"))
    for move in DRAWN:
        played.table.play(move)
    for served in (agreed, played):
        served.tell()
        served.one.page.wait_for_selector(".told.final[data-mood=drawn]")
        who, _, how = " ".join(served.one.page.inner_text(".told .status").split()).partition(" — ")
        assert who == {"en": "Draw", "zh": "和棋"}[language] and how.lower() != who.lower()
        assert ("agree" in how or "同意" in how) == (served is agreed)


# ---------------------------------------------------------------------- the front door and my games


def test_nobody_steps_in_where_that_is_switched_off(visit: Visit) -> None:
    one = visit().lobby()
    asked: list[int] = []

    def answer(route: Any) -> None:
        if route.request.method == "POST":
            asked.append(json.loads(route.request.post_data)["seconds"])
        route.fulfill(body='{"room":""}' if route.request.method == "POST" else "[]", content_type="application/json")

    one.page.route("**/api/opponents", answer)
    one.page.evaluate("localStorage.clear()")
    one.page.clock.install()
    play(one, "othello", "opponent")
    switch = one.page.locator("dialog").get_by_role("checkbox").last
    switch.uncheck()
    for _ in range(4):
        one.page.clock.fast_forward(15_000)
        one.page.wait_for_timeout(300)
    assert one.page.locator("dialog [role=status]").count() == 1 and one.page.locator(".room").count() == 0
    assert len(asked) >= 2, "it goes on looking"


@pytest.mark.slow
def test_a_review_begins_in_my_games(visit: Visit) -> None:
    one = visit().lobby().choose("tic_tac_toe", name="Ada")
    while one.await_turn():
        one.move()
    page = to_games(one)
    page.locator(".games li").get_by_role("button", name="Review").first.click()
    page.wait_for_selector(".review .board")


# ---------------------------------------------------------------------- the board


def test_legal_moves_are_dots(visit: Visit) -> None:
    """Of the chosen piece: a dot on every empty point it can go to, a ring around what it can take."""
    served = Served(visit(), Table("xiangqi").seat("ada", "bob"))
    page = served.one.page
    assert page.locator(".spot").count() == 0
    page.locator("[data-point=h2]").click()
    page.wait_for_selector("[data-point=h2][aria-pressed=true]")
    position = find_game("xiangqi").start()
    ends = {position.path(move)[-1] for move in position.moves() if position.path(move)[0] == "h2"}
    taken = {stone.point for stone in position.stones()} & ends
    marked = "all => all.map(one => one.closest('.point').dataset.point)"
    assert set(page.eval_on_selector_all(".spot", marked)) == ends - taken
    assert set(page.eval_on_selector_all(".aim:not(.full)", marked)) == taken == {"h9"}


def test_everyone_of_six_has_a_distance_and_a_mark(visit: Visit) -> None:
    """Beside each player how far they are from their goal, in earlier positions, too; and a sign on every stone."""
    served = Served(visit(), Table("chinese_checkers", {"players": 6}).seat(*SIX))
    page = served.one.page
    start = [page.locator(f"[data-seat='{seat}'] .tally").inner_text() for seat in range(6)]
    assert len(set(start)) == 1
    turn = telling.turn(served.table.room, 0)
    assert turn is not None
    served.play(max(turn.moves, key=lambda move: len(move.path)).text)
    assert page.locator("[data-seat='0'] .tally").inner_text() != start[0]
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("text => document.querySelector(`[data-seat='0'] .tally`).innerText === text", arg=start[0])
    marks = page.eval_on_selector_all(".room .piece", """all => all.map(one => [one.dataset.glyph,
        one.querySelector("path")?.getAttribute("d") ?? ""])""")
    assert len(marks) == 60 and all(path for _, path in marks)
    assert len({path for _, path in marks}) == len({glyph for glyph, _ in marks}) == 6


def test_what_turned_up_is_a_piece_in_the_list(visit: Visit) -> None:
    """Jieqi: the piece itself is drawn behind the move, and named for those who do not see it."""
    table = Table("jieqi", seed=bytes(range(32))).seat("ada", "bob")
    served = Served(visit(), table)
    served.play("b2e2")
    shown = served.one.page.locator(".moves li").first
    shown.locator(".revealed svg").wait_for()
    assert re.search(r"red \w+", shown.locator("button").inner_text())


ROWS = (".steps", ".actions.bar", ".tabs", ".after")


@pytest.mark.parametrize(("language", "size"), [("en", (1280, 800)), ("zh", (1280, 800)), ("en", (390, 844)),
                                                ("zh", (390, 844))])
def test_no_button_wraps_alone(visit: Visit, language: str, size: tuple[int, int]) -> None:
    """While a game is played and when it is over: no row of buttons has a last line with a single one."""
    served = Served(visit(language=language, size=size), Table("xiangqi").seat("ada", "bob"))
    served.play(*CHECK)
    page = served.one.page
    for over in (False, True):
        if over:
            served.table.do("bob", messages.Resign)
            served.tell()
            page.wait_for_selector(".room[data-phase=finished] .after")
        for row in ROWS:
            lines: list[list[int]] = page.eval_on_selector_all(row, """all => all.map(row => [...row.children]
                .map(one => one.getBoundingClientRect()).filter(box => box.width)
                .map(box => Math.round((box.top + box.bottom) / 2)))""")
            for middles in lines:
                counts = [sum(abs(middle - other) < 6 for other in middles) for middle in middles]
                assert len(middles) < 2 or min(counts) > 1, (row, middles)


# ---------------------------------------------------------------------- phones


def fits(one: Visitor, *names: str) -> None:
    for name in names:
        box = one.page.locator(name).first.bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390, (name, box)
        assert box["y"] >= 0 and box["y"] + box["height"] <= 844, (name, box)


@pytest.mark.parametrize("language", ["en", pytest.param("zh", marks=pytest.mark.slow)])
def test_reviews_fit_a_phone(visit: Visit, address: str, language: str) -> None:
    """The board and the buttons that step through the game, without scrolling; and a mistake brings the board back."""
    one = visit(size=(390, 844), way="touch", language=language)
    one.page.goto(f"{one.address}/review/{begin(address)}")
    one.page.wait_for_selector(".review[data-ready] .board")
    fits(one, ".review .board", ".review .steps")
    one.page.locator(".panel ul button").last.tap()
    fits(one, ".review .board")


@pytest.mark.slow
def test_the_page_of_a_game_fits_a_phone(visit: Visit) -> None:
    one = visit(size=(390, 844), way="touch").lobby().choose("tic_tac_toe", name="Ada")
    while one.await_turn():
        one.move()
    one.page.goto(f"{one.address}/game/{one.page.url.rsplit('/', 1)[1]}/1")
    one.page.wait_for_selector(".game[data-ready] .board")
    fits(one, ".game .board", ".game .steps")
