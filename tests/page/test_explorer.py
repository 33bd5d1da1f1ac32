"""The opening explorer on the analysis board: names, moves that can be played, and games of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import boyi
from benchmarks.tour import BUDGET_SHIFT, SHIFTS, session_window
from boyi.core.record import Record, write_records
from tests.page import Visitor
from tests.page.conftest import Visit
from tests.page.test_analysis import settle, study, touch


def rows(one: Visitor) -> list[str]:
    one.page.wait_for_selector(".explorer tbody tr")
    return one.page.locator(".explorer .move bdi").all_inner_texts()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two games that begin as nobody else does."""
    records = []
    for line, result in (("a3a4 a6a5", (1, 2)), ("i3i4 i6i5", (2, 1))):
        position = boyi.start("xiangqi")
        for move in line.split():
            position.play(move)
        records.append(Record.from_position(position, result=result))
    path = tmp_path / "mine.boyi"
    path.write_text(write_records(records), encoding="utf-8")
    return path


def test_moves_of_the_explorer_are_played(visit: Visit) -> None:
    one = study(visit(language="zh", way="keyboard"), "xiangqi")
    assert "马二进三" in rows(one)
    one.touch(one.page.locator(".explorer .move button", has_text="马二进三"))
    settle(one, 1)
    one.page.wait_for_selector(".explorer .name >> text=A40 起马局")
    one.touch(one.page.locator(".explorer .move button").first)
    settle(one, 2)
    one.page.wait_for_function("() => document.querySelector('.study [data-move] bdi').innerText === '马二进三'")


def test_games_of_a_file_are_added_and_removed(visit: Visit, file: Path) -> None:
    one = study(visit(way="touch", size=(390, 844)), "xiangqi")
    rows(one)
    one.page.locator(".explorer input[type=file]").set_input_files(file)
    one.page.wait_for_selector(".explorer [role=status] >> text=mine.boyi: 2 games added.")
    for source in one.page.locator(".sources input[type=checkbox]").all()[:2]:
        one.touch(source)   # neither the book nor the server's games
    assert rows(one)[0] in ("a3a4", "i3i4")
    assert one.page.locator(".explorer .share").all_inner_texts() == ["100 %"]
    assert one.page.locator(".explorer .bar").get_attribute("aria-label") == "Red 50 %, draws 0 %, Black 50 %"
    one.touch(one.page.get_by_role("button", name="Remove mine.boyi"))
    one.page.wait_for_selector(".explorer .share", state="detached")
    one.page.locator(".explorer input[type=file]").set_input_files(Path(__file__))
    one.page.wait_for_selector(".explorer [role=alert]")


def test_it_can_be_switched_off_for_good(visit: Visit) -> None:
    one = study(visit(), "othello")
    rows(one)
    one.page.locator(".explorer .toggle input").click()
    one.page.wait_for_selector(".explorer table", state="detached")
    one.page.reload()
    settle(one)
    assert one.page.locator(".explorer table").count() == 0


def test_nothing_keeps_people_from_using_it(visit: Visit) -> None:
    one = study(visit(bypass_csp=True), "xiangqi")
    rows(one)
    assert one.barriers() == []


def test_what_is_found_moves_nothing(visit: Visit) -> None:
    """The explorer has its place before the server answers."""
    one = visit(size=(390, 844), bypass_csp=True)
    asked: list[Any] = []
    one.page.route("**/api/explorer", lambda route: asked.append(route))
    study(one, "othello")
    one.page.wait_for_function("() => document.querySelector('.explorer .body')")

    def height() -> float:
        box = one.page.locator(".explorer").bounding_box()
        assert box is not None
        return float(box["height"])

    waiting = height()
    one.page.wait_for_timeout(300)
    assert asked, "the server was not asked"
    asked[-1].continue_()
    rows(one)
    assert height() == waiting
    assert one.barriers() == []


LATE = """const fetched = window.fetch;
window.fetch = async (address, asked) => {
  const answer = await fetched(address, asked);
  if (!String(address).endsWith("/api/explorer")) return answer;
  await new Promise(later => setTimeout(later, 800));
  const found = await answer.json();
  return Response.json(JSON.parse(asked.body).moves.length < 5 ? found : {...found, opening: null, moves: []}); };"""
"""Answers of the explorer come when a touch excuses no layout shift any more. After five moves nothing was played."""


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_late_answers_shift_nothing(visit: Visit, size: tuple[int, int]) -> None:
    """Openings with and without a name, a position that nobody has played, and back."""
    one = visit(size=size)
    one.page.add_init_script(SHIFTS + ";" + LATE)
    study(one, "othello")
    one.page.wait_for_selector(".explorer .sources")
    for ply, point in enumerate(("f5", "f6", "e6", "d6", "f7"), 1):
        touch(one, point)
        settle(one, ply)
    one.page.reload()   # nothing is known any more; the moves are
    settle(one, 5)
    one.page.locator(".panel > .moves").evaluate("one => one.scrollIntoView({block: 'center'})")
    one.page.wait_for_selector(".explorer .sources")
    for key in ("Home", "ArrowRight"):
        one.page.keyboard.press(key)
        one.page.wait_for_selector(".explorer tbody tr")
        one.page.wait_for_timeout(1500)
    worst, moved = session_window(one.page.evaluate("window.shifts"))
    assert worst < BUDGET_SHIFT, moved
