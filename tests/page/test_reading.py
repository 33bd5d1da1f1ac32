"""Pages to learn from and to read: introductions, rules with pictures, results, notations; and the page installed."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from boyi.games import find_game
from boyi.kit.folder import read_table
from tests.page import Visitor
from tests.page.conftest import Visit
from tests.scale import SLOW, some_of

GAMES = ("liuzhou", "jieqi", "chinese_checkers")


def lesson(one: Visitor, game: str) -> None:
    one.page.goto(f"{one.address}/learn/{game}")
    one.page.wait_for_selector(".lesson .board")


def task(one: Visitor, entry: dict[str, Any]) -> None:
    """Do what a step asks for, as its file says: by the first and the last point of a move, or a button."""
    wanted = entry["moves"][0] if entry.get("moves") not in (None, "any") else ""
    passing = one.page.locator(".passes button")
    if passing.count():
        one.touch(passing.first)
        return
    points: list[str]
    if "touch" in entry:
        points = [entry["touch"][0]]
    elif not wanted:
        points = [str(one.page.locator(".point.can").first.get_attribute("data-point"))]
    elif "-" in wanted:
        points = [wanted.split("-")[0], wanted.split("-")[-1]]
    elif wanted[0] in "x!":
        points = [wanted[1:]]
    else:
        points = [wanted[start:start + 2] for start in range(0, min(4, len(wanted)), 2)]
    for point in points:
        target = one.page.locator(f".lesson [data-point={point}]")
        if one.way == "keyboard":
            target.focus()
            one.page.keyboard.press("Enter")
        else:
            one.touch(target)


@pytest.mark.parametrize(("game", "way", "language", "size"), some_of([
    ("liuzhou", "touch", "zh", (360, 640)), ("jieqi", "mouse", "en", (1280, 800)),
    ("chinese_checkers", "keyboard", "en", (360, 640))], 3))
def test_an_introduction_is_gone_through(visit: Visit, game: str, way: str, language: str,
                                         size: tuple[int, int]) -> None:
    one = visit(way=way, language=language, size=size)
    lesson(one, game)
    steps = read_table(find_game(game), "introduction.toml")["step"]
    for number, entry in enumerate(steps):
        one.page.wait_for_selector(f".lesson[data-step='{number}']")
        assert "".join(one.page.inner_text(".told").split()) == "".join(entry[language].split())
        assert one.page.evaluate("document.documentElement.scrollWidth") <= size[0]
        assert one.page.evaluate("document.documentElement.scrollHeight") <= size[1], "it fits on the screen"
        if "moves" in entry or "touch" in entry:
            task(one, entry)
            one.page.wait_for_selector(".lesson[data-done]")
            assert "".join(entry["done"][language].split()) in "".join(one.page.inner_text(".told").split())
            assert one.page.evaluate("document.activeElement.classList.contains('onward')")
        one.page.wait_for_selector(".lesson .board:not([data-playing])")
        one.touch(one.page.locator(".onward"))
    one.page.wait_for_selector("dialog button.go")


def test_a_wrong_answer_is_said_and_helped(visit: Visit) -> None:
    one = visit()
    lesson(one, "liuzhou")
    one.page.locator(".onward").click()

    def standing() -> Any:
        return one.page.eval_on_selector_all(".lesson .piece", "all => all.map(one => one.dataset.stone)")

    before = standing()
    for point in ("a1", "f6"):
        assert one.page.locator(".lesson .arrow").count() == 0
        one.page.locator(f"[data-point={point}]").click()
        one.page.locator(".again").wait_for()
        assert standing() == before
    assert one.page.locator(".lesson .arrow").count() == 1
    one.page.get_by_role("button", name="Show me").click()
    one.page.wait_for_selector(".lesson[data-done] .piece[data-stone=c3]")
    one.page.get_by_role("button", name="Back").click()
    one.page.wait_for_selector(".lesson[data-step='0']:not([data-done])")


def test_a_question_does_not_give_its_answer_away(visit: Visit) -> None:
    one = visit()
    lesson(one, "jieqi")
    for _ in range(2):
        one.page.locator(".onward").click()
    one.page.wait_for_selector(".lesson[data-step='2']")
    assert one.page.locator(".lesson .aim, .lesson .spot").count() == 0
    said = one.page.eval_on_selector_all(".lesson .point", "all => all.map(one => one.getAttribute('aria-label'))")
    assert all("can" not in label for label in said)
    one.page.locator("[data-point=e0]").click()
    one.page.locator(".again").wait_for()


def test_a_move_that_is_shown_is_seen(visit: Visit) -> None:
    """An introduction moves its stones as a room does: eight legs, each with a rest."""
    one = visit(still=False)
    lesson(one, "chinese_checkers")
    for _ in range(4):
        one.page.locator(".onward").click()
    one.page.get_by_role("button", name="Show me").click()
    one.page.wait_for_function("() => [...document.querySelectorAll('.lesson .piece')].some(piece => "
                               "piece.getAnimations().some(one => one.effect.getTiming().duration === 8 * 400))")


def test_introductions_are_found(visit: Visit) -> None:
    one = visit().lobby()
    assert one.page.locator(".learn a").count() == 5
    one.page.locator("[data-game=jieqi]").click()
    one.page.locator("dialog a[href='/learn/jieqi']").click()
    one.page.wait_for_selector(".lesson")
    one.page.goto(one.address + "/rules/chinese_checkers")
    one.page.locator("aside a[href='/learn/chinese_checkers']").click()
    one.page.wait_for_selector(".lesson")


@pytest.mark.parametrize("language", some_of(["en", "zh"], 2))
def test_rules_have_pictures(visit: Visit, language: str) -> None:
    one = visit(language=language, size=(360, 640))
    for game in ("liuzhou", "jieqi", "chinese_checkers", "xiangqi", "othello"):
        one.page.goto(f"{one.address}/rules/{game}")
        one.page.wait_for_selector("figure .board .piece")
        wanted = len(read_table(find_game(game), "pictures.toml"))
        one.page.wait_for_function("wanted => document.querySelectorAll('figure svg').length === wanted", arg=wanted)
        assert one.page.locator("figcaption").count() == wanted
        assert "![" not in one.page.inner_text("article")
        assert one.page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("language", some_of(["zh", "en"], 2))
def test_results_are_read(visit: Visit, language: str) -> None:
    one = visit(language=language, size=(360, 640))
    one.lobby()
    one.page.locator("a[href='/results']").click()
    one.page.locator(".page ul li").first.wait_for()
    assert one.page.locator(".page ul li").count() == 3
    one.page.locator("a[href='/results/run']").click()
    one.page.wait_for_selector("figure .line")
    assert one.page.locator("figure").count() == 2 and one.page.locator("figure .band").count() == 1
    one.page.goto(one.address + "/results/two.jsonl")
    one.page.wait_for_selector("table")
    assert one.page.locator("ol li").count() == 2 and "<b>level:1</b>" in one.page.inner_text("ol")
    one.page.goto(one.address + "/results/multiplayer.json")
    one.page.wait_for_function("() => document.querySelector('.picture img')?.naturalWidth > 100")
    said = one.page.inner_text(".prose > p >> nth=0")
    assert ("first places" in said) == (language == "en")
    assert one.page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("language", some_of(["en", "zh"], 2))
def test_people_against_the_computer(visit: Visit, language: str) -> None:
    """A game that was lost here is counted; without games the page says so, and draws nothing."""
    one = visit(language=language, size=(360, 640), bypass_csp=True)
    one.lobby().choose("othello")
    for _ in range(2):
        assert one.await_turn()
        one.move()
    assert one.await_turn()
    one.page.get_by_role("button", name={"en": "Resign", "zh": "认输"}[language], exact=True).click()
    one.page.locator("dialog button.main").click()
    one.page.wait_for_selector(".room[data-phase=finished]")
    one.page.goto(one.address + "/results")
    title = {"en": "Othello", "zh": "黑白棋"}[language]
    row = one.page.locator(f"ol[aria-label='{title}'] li").first
    row.wait_for()
    assert {"en": "Level 1", "zh": "1 级"}[language] in row.inner_text()
    assert re.search({"en": r"won 0, drawn 0, lost [1-9]", "zh": r"胜 0 和 0 负 [1-9]"}[language], row.inner_text())
    assert one.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert one.barriers() == []
    one.page.route("**/api/people-scores", lambda route: route.fulfill(json=[]))
    one.page.reload()
    one.page.get_by_text({"en": "Nobody has finished a game against the computer",
                          "zh": "还没有下完的人机对局"}[language]).wait_for()
    assert one.page.locator(".page ol").count() == 0


@pytest.mark.slow
def test_moves_are_written_as_one_likes(visit: Visit) -> None:
    one = visit().lobby().choose("xiangqi")
    one.await_turn()
    for point in ("h2", "e2"):
        one.page.locator(f"[data-point={point}]").click()
    first = one.page.locator(".moves li bdi").first
    first.wait_for()
    assert first.inner_text() == "h2e2"
    for notation, text in (("chinese", "炮二平五"), ("wxf", "C2=5"), ("", "h2e2"), ("iccs", "H2-E2")):
        one.page.locator(".notation").select_option(notation)
        one.page.wait_for_function("text => document.querySelector('.moves li bdi').innerText === text", arg=text)
    one.await_turn()
    one.page.reload()
    one.page.wait_for_function("() => document.querySelector('.moves li bdi')?.innerText === 'H2-E2'")
    one.move()
    one.page.wait_for_function("() => [...document.querySelectorAll('.moves li bdi')].every("
                               "one => /^[A-I][0-9]-/.test(one.innerText))")


# ---------------------------------------------------------------------- a program of its own

def test_the_page_can_be_installed(visit: Visit) -> None:
    one = visit().lobby()
    one.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    devtools = one.page.context.new_cdp_session(one.page)
    manifest = devtools.send("Page.getAppManifest")
    assert manifest["errors"] == [] and json.loads(manifest["data"])["icons"]
    wrong = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A context of its own is private, and nothing can be installed from there; nothing else may be wrong.
    assert {error["errorId"] for error in wrong} <= {"in-incognito"}, wrong
    for icon in json.loads(manifest["data"])["icons"]:
        if icon["type"] == "image/png":
            size = one.page.evaluate("""path => new Promise((done, fail) => {
                const image = new Image();
                image.onload = () => done(`${image.naturalWidth}x${image.naturalHeight}`);
                image.onerror = fail;
                image.src = path;
            })""", icon["src"])
            assert size == icon["sizes"]


def test_without_the_server_a_page_says_so(visit: Visit) -> None:
    one = visit(language="zh").lobby()
    one.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    one.choose("othello")
    room = one.page.url
    kept = one.page.evaluate("""async () => {
        const found = [];
        for (const name of await caches.keys())
          for (const request of await (await caches.open(name)).keys()) found.push(new URL(request.url).pathname);
        return found;
    }""")
    facts = re.compile(r"/(icon.svg|offline.(css|html)|assets/.*|api/games(/\w+(/board)?)?|api/puzzles)$")
    assert {"/icon.svg", "/offline.css", "/offline.html"} <= set(kept)
    assert all(facts.fullmatch(path) for path in kept), f"no room and nothing of a game is kept: {kept}"
    one.page.context.set_offline(True)
    one.page.goto(room)
    one.page.get_by_text("无法连接服务器").wait_for()
    again = one.page.locator("a:not(.plain)")
    assert again.evaluate("one => getComputedStyle(one).backgroundColor") != "rgba(0, 0, 0, 0)"
    assert one.page.evaluate("document.querySelector('img').naturalWidth") > 0
    one.page.context.set_offline(False)
    again.click()
    assert one.page.url == room and one.await_turn()


READABLE = (("/learn/jieqi", ".lesson .board"), ("/rules/liuzhou", "figure svg"), ("/results", ".page li"),
            ("/results/run", "figure .line"), ("/results/two.jsonl", "table"),
            ("/results/multiplayer.json", ".picture img"), ("/offline.html", "a"))
"""Pages, and what is there when they are: every day a lesson, curves and what is shown without the server."""


@pytest.mark.parametrize("language", ["zh", pytest.param("en", marks=pytest.mark.slow)])
def test_everybody_can_read_these_pages(visit: Visit, language: str) -> None:
    one = visit(language=language, bypass_csp=True)
    problems: list[Any] = []
    for path, ready in READABLE if SLOW else READABLE[::3]:
        one.page.goto(one.address + path)
        one.page.wait_for_selector(ready)
        if path.startswith("/learn"):
            one.page.locator(".onward").click()
            one.page.locator(".buttons button").nth(1).click()
            one.page.wait_for_selector(".lesson[data-done]")
        problems.extend([path, *barrier] for barrier in one.barriers())
    assert problems == []
