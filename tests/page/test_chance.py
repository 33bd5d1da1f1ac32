"""What chance brings, on the page: a die and scores beside the board, and words for what was rolled."""

from __future__ import annotations

import pytest

from tests.page.conftest import Visit


def test_a_die_is_shown_and_told(visit: Visit) -> None:
    reader = visit(bypass_csp=True).lobby().choose("rolling", seat=0)
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
    page.goto(reader.address + "/analysis/rolling")
    page.locator("dialog .chance button").nth(2).click()
    page.wait_for_selector(".study[data-plies='1'][data-ready]")
    assert page.locator(".moves button").first.inner_text().endswith("红方掷出 3")
    assert page.locator(".tokens [data-token=die] circle").count() == 3


@pytest.mark.parametrize("name", [pytest.param("connect_four", marks=pytest.mark.slow),
                                  pytest.param("einstein", marks=pytest.mark.slow), "small_ludo"])
def test_an_example_is_played_to_its_end(visit: Visit, name: str) -> None:
    one = visit().lobby().choose(name)
    while one.await_turn():
        one.move()
    assert one.page.get_by_role("button", name="Rematch").count() == 1
    assert "—" in one.page.inner_text(".status")
