"""The review of a game: how it went, what was better, and mistakes as questions."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

import pytest

from boyi.server.positions import write_record
from boyi.server.protocol.study import AskRecord
from tests.page import Visitor
from tests.page.conftest import Visit

MOVES = ["a0a1", "a9a8", "a1d1", "a8d8", "d1d8", "h9g7", "h0g2"]
"""The fourth move gives a chariot away."""


def record() -> str:
    return write_record(AskRecord("xiangqi", moves=MOVES, players=["Ada", "Grace"])).decode()


def begin(address: str) -> str:
    """A review that is finished; its identifier."""
    asked = urllib.request.Request(f"{address}/api/reviews", json.dumps({"record": record()}).encode(),
                                   {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked) as answer:
        shown: dict[str, Any] = json.load(answer)
    return str(shown["id"])


def see(one: Visitor, identity: str) -> Visitor:
    one.page.goto(f"{one.address}/review/{identity}")
    one.page.wait_for_selector(".review[data-ready] .board")
    return one


@pytest.mark.parametrize(("language", "size"), [("en", (1280, 800)), ("zh", (390, 844))])
def test_a_mistake_is_shown_with_what_was_better(visit: Visit, address: str, language: str,
                                                 size: tuple[int, int]) -> None:
    one = see(visit(language=language, size=size, bypass_csp=True), begin(address))
    assert one.page.locator("table thead bdi").all_inner_texts() == ["Ada", "Grace"]
    played, answer = {"en": ("a8d8", "d1d8"), "zh": ("车１平４", "车六进七")}[language]
    wrong = one.page.locator(".panel ul button", has_text="→").filter(has_text=played)
    assert "??" in wrong.inner_text()
    one.touch(wrong)
    card = one.page.locator(".card")
    assert ("漏着" if language == "zh" else "blunder") in card.inner_text()
    card.get_by_text(f"{played} {answer}").wait_for()     # the server writes lines in the reader's notation
    assert one.page.locator(".arrow.good").count() == one.page.locator(".arrow.bad").count() == 1
    one.touch(card.locator("button").last)     # the better line, played on the board
    one.page.wait_for_selector(".arrow.good", state="detached")
    one.touch(one.page.get_by_role("button", name="回到对局" if language == "zh" else "Back to the game"))
    assert one.barriers() == []


def test_mistakes_are_questions(visit: Visit, address: str) -> None:
    one = see(visit(bypass_csp=True), begin(address))
    one.touch(one.page.locator("button.learn", has_text="Grace"))
    question = one.page.locator(".question")
    while "a8d8" not in question.inner_text():     # at this speed other moves may be held against her
        one.touch(question.get_by_role("button", name="Show the solution"))
        one.touch(question.get_by_role("button", name="Next"))

    def play(*points: str) -> None:
        for point in points:
            one.touch(one.page.locator(f"[data-point='{point}']"))

    play("a8", "d8")
    question.get_by_text("That was played in the game").wait_for()
    play("a8", "a7")
    assert one.page.locator(".piece[data-stone='a8']").count() == 1, "a wrong move is taken back"
    one.touch(question.get_by_role("button", name="Hint"))
    assert one.page.locator(".arrow").count() == 1
    one.touch(question.get_by_role("button", name="Show the solution"))
    one.page.wait_for_selector(".arrow.good")
    assert one.page.locator(".card").count() == 1
    assert one.barriers() == []


def test_what_the_review_holds_as_good_is_accepted(visit: Visit, address: str) -> None:
    identity = begin(address)
    one = see(visit(), identity)
    with urllib.request.urlopen(f"{address}/api/reviews/{identity}") as answer:
        moves = json.load(answer)["moves"]
    wrong = next(move for move in moves if move["judgement"] == "blunder" and move["player"] == 1)
    one.touch(one.page.locator("button.learn", has_text="Grace"))
    question = one.page.locator(".question")
    while f" {wrong['text']}" not in question.inner_text():
        one.touch(question.get_by_role("button", name="Show the solution"))
        one.touch(question.get_by_role("button", name="Next"))
    accepted = wrong["look"]["accepted"][-1]
    for point in (accepted[:2], accepted[2:]):
        one.touch(one.page.locator(f"[data-point='{point}']"))
    question.get_by_text(f"Yes, {accepted} is better.").wait_for()


def test_the_analysis_board_has_its_game_reviewed(visit: Visit) -> None:
    one = visit()
    one.page.goto(f"{one.address}/analysis/tic_tac_toe")
    one.page.wait_for_selector(".study[data-ready]")
    assert one.page.get_by_role("button", name="Review the game").count() == 0
    for number, point in enumerate(("a1", "b1"), 1):
        one.touch(one.page.locator(f"[data-point='{point}']"))
        one.page.wait_for_selector(f".study[data-ready][data-plies='{number}']")
    one.touch(one.page.get_by_role("button", name="Review the game"))
    one.page.wait_for_selector(".review")
    assert "/review/" in one.page.url


def test_a_finished_room_is_reviewed(visit: Visit) -> None:
    one = visit().lobby().choose("othello")
    one.await_turn()
    one.move()
    one.await_turn()
    one.touch(one.page.get_by_role("button", name="Resign"))
    one.touch(one.page.locator("dialog button.main"))
    one.page.wait_for_selector(".room[data-phase=finished]")
    one.touch(one.page.get_by_role("button", name="Review the game"))
    one.page.wait_for_selector(".review[data-ready]")


def test_what_is_no_review_is_said(visit: Visit) -> None:
    one = visit()
    one.page.goto(f"{one.address}/review/nothing")
    one.page.get_by_text("there is no such review").wait_for()
