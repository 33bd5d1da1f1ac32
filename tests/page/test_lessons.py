"""Learning a game on the page: introductions, lessons, rules in words; and the words of the page itself."""

from __future__ import annotations

import re
from typing import Any

import pytest

from boyi.games import find_game
from boyi.kit.folder import read_table
from tests.page import Visitor
from tests.page.conftest import Visit
from tests.page.test_reading import task
from tests.scale import some_of

TAUGHT = {"xiangqi": ["basic_mates", "cannon_and_screen", "horse_and_rook", "opening_principles", "winning_endings"],
          "othello": ["corners", "mobility", "edges", "parity", "counting"]}
WALKS = [("xiangqi", "introduction", "mouse", "en", (1280, 800)),
         ("othello", "introduction", "touch", "zh", (390, 844)),
         *((game, lesson, way, language, size) for number, (game, lesson) in enumerate(
             (game, lesson) for game, lessons in TAUGHT.items() for lesson in lessons)
           for way, language, size in [(("keyboard", "zh", (1280, 800)), ("touch", "en", (390, 844)))[number % 2]])]


def open_lesson(one: Visitor, game: str, lesson: str) -> list[dict[str, Any]]:
    one.page.goto(f"{one.address}/learn/{game}/{lesson}")
    one.page.wait_for_selector(".lesson .board")
    file = "introduction.toml" if lesson == "introduction" else f"lessons/{lesson}.toml"
    return list(read_table(find_game(game), file)["step"])


@pytest.mark.parametrize(("game", "lesson", "way", "language", "size"), some_of(WALKS, 2))
def test_a_lesson_is_gone_through(visit: Visit, game: str, lesson: str, way: str, language: str,
                                  size: tuple[int, int]) -> None:
    """Every step fits on the screen, is done as its file says, and answers in words."""
    one = visit(way=way, language=language, size=size)
    steps = open_lesson(one, game, lesson)
    for number, entry in enumerate(steps):
        one.page.wait_for_selector(f".lesson[data-step='{number}']")
        assert "".join(entry[language].split()) in "".join(one.page.inner_text(".told").split())
        assert one.page.evaluate("document.documentElement.scrollWidth") <= size[0]
        assert one.page.evaluate("document.documentElement.scrollHeight") <= size[1], "it fits on the screen"
        if "moves" in entry or "touch" in entry:
            task(one, entry)
            one.page.wait_for_selector(".lesson[data-done]")
            assert "".join(entry["done"][language].split()) in "".join(one.page.inner_text(".told").split())
        one.page.wait_for_selector(".lesson .board:not([data-playing])")
        if number < len(steps) - 1:
            one.touch(one.page.locator(".onward"))
    last = lesson == "introduction" or lesson == TAUGHT[game][-1]
    one.touch(one.page.locator(".onward"))
    if last:
        one.page.wait_for_selector("dialog button.go")
    else:
        one.page.wait_for_url(f"**/learn/{game}/{TAUGHT[game][TAUGHT[game].index(lesson) + 1]}")


def test_progress_is_kept_and_listed(visit: Visit) -> None:
    one = visit()
    steps = open_lesson(one, "othello", "corners")
    task(one, steps[0])
    one.page.wait_for_selector(".lesson[data-done]")
    one.page.locator(".onward").click()
    one.page.wait_for_selector(".lesson[data-step='1']")
    one.page.reload()
    one.page.wait_for_selector(".lesson[data-step='1']")
    one.page.get_by_role("link", name="Othello").click()
    one.page.wait_for_url("**/learn/othello")
    links = one.page.locator(".page ol a").all_inner_texts()
    assert len(links) == 6 and "Started" in links[1] and "Started" not in links[2]
    open_lesson(one, "othello", "corners")
    for number in range(1, len(steps)):
        one.page.wait_for_selector(f".lesson[data-step='{number}']")
        task(one, steps[number])
        one.page.wait_for_selector(".lesson[data-done]")
        one.page.locator(".onward").click()
    one.page.wait_for_url("**/learn/othello/mobility")
    one.page.goto(f"{one.address}/learn")
    one.page.get_by_role("heading", name="Othello").wait_for()
    assert one.page.locator("section", has_text="Othello").get_by_text("Done").count() == 1


@pytest.mark.parametrize(("language", "said"), [
    pytest.param("en", "There is no such lesson", marks=pytest.mark.slow), ("zh", "没有这一课")])
def test_what_cannot_be_learnt_here_is_a_friendly_page(visit: Visit, language: str, said: str) -> None:
    one = visit(language=language)
    for path in ("go", "xiangqi/nothing", "othello/corners/9", "%F0%9F%90%B4"):
        one.page.goto(f"{one.address}/learn/{path}")
        one.page.get_by_role("alert").filter(has_text=said).wait_for()
        assert one.page.locator(".page section a[href*='/learn/']").count() >= 6, "there is something else to learn"
    one.page.locator("a[href$='/learn']").click()
    one.page.wait_for_url("**/learn")
    assert one.page.locator(".page section").count() >= 5


# ---------------------------------------------------------------------- rules in words

@pytest.mark.parametrize("language", ["en", pytest.param("zh", marks=pytest.mark.slow)])
def test_rules_pages_are_for_people(visit: Visit, language: str) -> None:
    """Nothing of the command line, and every option with its values in words."""
    one = visit(language=language)
    for game in ("xiangqi", "jieqi", "othello", "liuzhou", "chinese_checkers"):
        one.page.goto(f"{one.address}/rules/{game}")
        one.page.wait_for_selector("article h1")
        text = one.page.inner_text("article")
        assert not re.search(r"\bboyi\b|--\w|\b(cxa|axf|quiet_limit|turn_limit)\b|Command line|命令行", text), game
        assert one.page.locator("article code, article pre").count() == 0, game
        titles = {option.title.say(language) for option in find_game(game).options if option.title}  # type: ignore[arg-type]
        assert titles <= set(one.page.locator("article dt").all_inner_texts())
        letters, characters = len(re.findall("[a-z]", text)), len(re.findall("[\u4e00-\u9fff]", text))
        assert (characters > letters) == (language == "zh")


def test_rule_choices_are_words_with_an_explanation(visit: Visit) -> None:
    one = visit()
    one.page.goto(f"{one.address}/rules/xiangqi")
    one.page.locator("aside button.main").click()
    dialog = one.page.locator("dialog")
    dialog.locator("details summary").click()
    choice = dialog.get_by_label("Repetition")
    assert choice.locator("option").all_inner_texts() == [
        "Chinese rules: perpetual attack loses", "Asian rules: perpetual chase loses", "Perpetual check loses",
        "Always a draw"]
    choice.select_option(label="Asian rules: perpetual chase loses")
    explained = choice.evaluate("one => document.getElementById(one.getAttribute('aria-describedby')).innerText")
    assert "one and the same piece" in explained
    assert dialog.get_by_role("link", name="Rules").count() == 0 and dialog.get_by_text("How to play").count() == 1


def test_the_placeholder_of_a_password_is_not_cut(visit: Visit) -> None:
    one = visit(size=(390, 844))
    one.page.goto(f"{one.address}/rules/xiangqi")
    one.page.locator(".page button.main").first.click()
    one.page.locator("dialog input[value=friends]").check(force=True)
    field = one.page.get_by_label("Password")
    assert not field.get_attribute("placeholder")
    told = one.page.locator("#password-help")
    assert "6" in told.inner_text() and told.evaluate("one => one.scrollWidth <= one.clientWidth")


# ---------------------------------------------------------------------- words

def test_the_brand_is_in_the_readers_script(visit: Visit) -> None:
    for language, brand in (("zh", "博弈"), ("en", "Boyi")):
        one = visit(language=language).lobby()
        text = "".join(one.page.inner_text("a.brand").split())
        assert brand in text and ("Boyi" in text) == (language == "en")
        assert brand in one.page.title()


def test_errors_are_whole_in_the_readers_language(visit: Visit) -> None:
    one = visit(language="zh")
    one.page.goto(f"{one.address}/review/nothing")
    one.page.wait_for_selector("[role=alert]")
    assert not re.search("[A-Za-z]{2,} [A-Za-z]{2,}", one.page.inner_text("[role=alert]"))


@pytest.mark.slow
def test_a_resignation_does_not_bend_the_curve(visit: Visit) -> None:
    """The last position is evaluated as any other; the result is no evaluation."""
    one = visit().lobby().choose("xiangqi")
    one.await_turn()
    one.move()
    one.await_turn()
    one.move()
    one.await_turn()
    one.page.get_by_role("button", name="Resign").click()
    one.page.get_by_role("button", name="Resign").last.click()
    one.page.wait_for_selector(".room[data-phase=finished]")
    number = re.search(r"/room/(\w+)", one.page.url)
    assert number is not None
    one.page.get_by_role("tab", name="Analysis").click()
    one.page.wait_for_selector(".analysis ol")          # the engine looks at the last position
    one.page.get_by_role("button", name="Draw the curve").click()
    one.page.wait_for_function(
        "() => document.querySelector('.curve .line')?.getAttribute('d').split(/[ML]/).length > 5")
    line = one.page.get_attribute(".curve .line", "d") or ""
    heights = [float(point.split()[1]) for point in re.split("[ML]", line)[1:]]
    assert abs(heights[-1] - heights[-2]) < 20, "of forty"
