"""What chance brings, on the page: a die and scores beside the board, and words for what was rolled."""

from __future__ import annotations

from tests.page.conftest import Visit


def test_a_die_is_shown_and_told(visit: Visit) -> None:
    reader = visit(bypass_csp=True).lobby().choose("einstein", seat=0)
    page = reader.page
    assert reader.await_turn()
    first = page.locator(".moves li").first.inner_text().split("\n")[-1]
    assert first.startswith("Red rolls ")
    die = page.locator(".mine [data-token=die] svg")
    assert die.get_attribute("aria-label") == f"Die {first[-1]}"
    assert die.locator("circle").count() == int(first[-1])
    assert "Stones 6" in page.locator(".mine").inner_text().replace("\n", " ")

    reader.move()
    assert reader.await_turn()
    last = page.locator(".moves li").last.inner_text().split("\n")[-1]
    assert page.locator("p.visually-hidden[role=status]").inner_text().endswith(f", {last}")
    assert die.get_attribute("aria-label") == f"Die {last[-1]}"
    page.keyboard.press("ArrowLeft")   # the die that was rolled after one's own move is the computer's
    assert page.locator(".above [data-token=die]").count() == 1
    page.keyboard.press("End")
    while reader.await_turn():
        reader.move()
    assert page.locator("[data-token=die]").count() == 0   # the game is over, and no die is to be rolled
    assert page.locator("[data-token=text]").count() == 2
    assert reader.barriers() == []


def test_an_analysis_that_begins_with_a_roll(visit: Visit) -> None:
    reader = visit(language="zh")
    page = reader.page
    page.goto(reader.address + "/analysis/einstein")
    page.locator("dialog .chance button").nth(2).click()
    page.wait_for_selector(".study[data-plies='1'][data-ready]")
    assert page.locator(".moves button").first.inner_text().endswith("红方掷出 3")
    assert page.locator(".tokens [data-token=die] circle").count() == 3
