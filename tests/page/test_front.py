"""The front door: every game with one click, an opponent, the way back to a game, and what goes on here."""

from __future__ import annotations

import json
from typing import Any

import pytest

from boyi.core.level import DIFFICULTIES
from boyi.games import find_game
from boyi.kit.ladder import find_ladder
from tests.page import Visitor
from tests.page.conftest import Visit

FIVE = ["xiangqi", "jieqi", "othello", "liuzhou", "chinese_checkers"]
"""In the order that the games state."""


def card(one: Visitor, game: str) -> Any:
    return one.page.locator(f".card:has([data-game={game}])")


def play(one: Visitor, game: str, how: str = "computer") -> Visitor:
    """One click in the lobby."""
    one.touch(card(one, game).locator(f"[data-play={how}]"))
    return one


def listed(one: Visitor) -> list[str]:
    return list(one.page.eval_on_selector_all("[data-game]", "all => all.map(one => one.dataset.game)"))


# ---------------------------------------------------------------------- the first page

@pytest.mark.parametrize(("language", "size"), [("en", (1280, 800)), ("zh", (390, 844)), ("en", (390, 844))])
def test_five_games_are_seen_at_once(visit: Visit, language: str, size: tuple[int, int]) -> None:
    """In their order, without scrolling, plug-ins after them; on a phone as a list."""
    one = visit(language=language, size=size, bypass_csp=True).lobby()
    assert listed(one)[:5] == FIVE and "sixth" in listed(one)[5:] and "tic_tac_toe" not in listed(one)
    boxes = [card(one, game).bounding_box() for game in FIVE]
    assert all(box is not None and box["y"] + box["height"] <= size[1] for box in boxes)
    assert one.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    lefts = {round(box["x"]) for box in boxes}
    assert len(lefts) == (5 if size[0] > 1000 else 1)
    for game in FIVE:   # nothing is cut off, and nothing sticks out
        for part in (card(one, game), *card(one, game).locator("h3, button").all()):
            assert part.evaluate("one => one.scrollWidth <= one.clientWidth + 1"), part.inner_text()
    assert one.barriers() == []


def test_a_newcomer_moves_after_two_clicks(visit: Visit) -> None:
    """From the address: one click to a board where it is their turn, at a level that a beginner beats, one to move."""
    one = visit()
    one.page.goto(one.address)
    clicks = 0
    for target in (".card:has([data-game=othello]) [data-play=computer]", ".room[data-mine] .point.can >> nth=0"):
        one.page.locator(target).click()
        clicks += 1
    one.page.wait_for_function("() => Number(document.querySelector('.room')?.dataset.plies) >= 1")
    assert clicks == 2
    easy = DIFFICULTIES[0].level(len(find_ladder(find_game("othello"))))
    assert f"Level {easy}" in one.page.inner_text("[data-seat='1']")


def test_the_level_last_played_is_played_again(visit: Visit) -> None:
    one = visit().lobby()
    one.page.locator("[data-game=xiangqi]").click()
    one.page.locator("dialog input[type=range]").fill("6")
    one.page.keyboard.press("Escape")
    assert "Level 6" in card(one, "xiangqi").inner_text() and "Level 6" not in card(one, "othello").inner_text()
    one.page.reload()
    one.page.wait_for_selector(".card .board")
    play(one, "xiangqi").await_turn()
    assert "Level 6" in one.page.inner_text("[data-seat='1']")


def test_a_friend_is_invited_with_one_click(visit: Visit) -> None:
    host, friend, other = visit().lobby(), visit(language="zh"), visit()
    play(host, "jieqi", "friend")
    host.page.wait_for_selector(".invite svg path[d*=M]")
    link = host.page.input_value(".invite input")
    rooms = other.page.request.get(f"{other.address}/api/rooms").json()
    assert link.rpartition("/")[2] not in [room["room"] for room in rooms]   # for those who have the link
    friend.page.goto(link)
    friend.page.get_by_role("button", name="坐下").click()
    host.page.get_by_role("button", name="Start the game").click()
    host.await_turn()
    assert host.page.locator(".invite").count() == 0


def test_a_game_that_is_not_listed_has_an_address(visit: Visit) -> None:
    one = visit()
    one.page.goto(f"{one.address}/play/tic_tac_toe")
    assert "Tic-tac-toe" in one.page.locator("dialog h2").inner_text()
    one.page.locator("dialog button.go").click()
    one.await_turn()
    assert one.page.title().startswith("● Tic-tac-toe")
    one.page.goto(f"{one.address}/play/nothing")
    one.page.locator(".problem").wait_for()


def test_nothing_jumps_while_the_lobby_fills(visit: Visit) -> None:
    """What comes late takes no place from what is there."""
    one = visit(size=(390, 844))
    one.page.goto(one.address)
    one.page.wait_for_selector("#live")
    one.page.wait_for_selector(".puzzle .board")
    shift = one.page.evaluate("""() => new Promise(done => new PerformanceObserver(list => done(
        list.getEntries().reduce((all, one) => all + (one.hadRecentInput ? 0 : one.value), 0)))
        .observe({type: "layout-shift", buffered: true}) || setTimeout(() => done(0), 1000))""")
    assert shift < 0.05


# ---------------------------------------------------------------------- an opponent

def test_two_find_each_other_and_a_third_watches(visit: Visit) -> None:
    """One click each; the game begins by itself; the lobby's small board follows it, and leads there."""
    one, two, third = visit().lobby(), visit(language="zh").lobby(), visit()
    play(one, "othello", "opponent")
    one.page.get_by_text("Looking for an opponent").wait_for()
    third.lobby().page.locator(".rooms .list button:has-text('looking for an opponent')").wait_for()
    play(two, "othello", "opponent")
    for person in (one, two):
        person.page.wait_for_selector(".room[data-phase=playing]")
        assert person.page.locator(".invite, dialog").count() == 0
    assert one.page.url == two.page.url
    room = one.page.url.rpartition("/")[2]
    board = third.page.locator(f"[data-live='{room}'] [data-moves='0'] .board")
    board.wait_for()
    assert board.locator(".piece").count() == 4
    for person in (one, two):
        if person.page.locator(".room[data-mine]").count():
            person.move()
            break
    third.page.locator(f"[data-live='{room}'] [data-moves='1'] .piece >> nth=4").wait_for()
    third.page.locator(f"[data-live='{room}']").click()
    third.page.wait_for_selector(".room[data-plies='1']")


@pytest.mark.slow
def test_a_search_is_called_off_and_found_in_the_list(visit: Visit) -> None:
    """Who closes the dialog waits no more. The clock can be changed, and a search be answered from the list."""
    one, two = visit(bypass_csp=True).lobby(), visit().lobby()

    def sought() -> list[Any]:
        found: list[Any] = one.page.request.get(f"{one.address}/api/opponents").json()
        return [game["clock"] for game in found if game["game"] == "liuzhou"]

    def until(wanted: list[Any]) -> None:
        for _ in range(100):
            if sought() == wanted:
                return
            one.page.wait_for_timeout(100)
        assert sought() == wanted

    play(one, "liuzhou", "opponent")
    until([{"main_ms": 600_000, "increment_ms": 5000}])
    assert one.barriers() == []
    one.page.locator("dialog label:has-text('3+2')").click()
    until([{"main_ms": 180_000, "increment_ms": 2000}])
    one.page.keyboard.press("Escape")
    until([])
    play(one, "liuzhou", "opponent")   # the clock is remembered
    until([{"main_ms": 180_000, "increment_ms": 2000}])
    two.page.locator(".rooms .list button:has-text('3 min + 2 s')").click()
    for person in (one, two):
        person.page.wait_for_selector(".room[data-phase=playing]")


def test_a_level_steps_in_if_wanted(visit: Visit) -> None:
    one = visit().lobby()
    one.page.clock.install()
    answers = []

    def answer(route: Any) -> None:
        if route.request.method != "POST":
            route.fulfill(body="[]", content_type="application/json")
            return
        answers.append(json.loads(route.request.post_data))
        one.page.clock.fast_forward(answers[-1]["seconds"] * 1000)
        route.fulfill(body='{"room":""}', content_type="application/json")

    one.page.route("**/api/opponents", answer)
    play(one, "othello", "opponent")
    one.page.wait_for_selector(".room[data-phase=playing]")
    first, second = (asked["seconds"] for asked in answers[:2])
    assert 20 < first <= 25 and 0 < second <= 5     # the clock of the page goes on beside what is added to it
    assert "Level" in one.page.inner_text("[data-seat='1']")


# ---------------------------------------------------------------------- the way back

ELSEWHERE = ("/", "/rules/xiangqi", "/learn/jieqi", "/analysis", "/puzzles", "/results", "/nothing")


@pytest.mark.slow
def test_a_running_game_is_never_out_of_sight(visit: Visit) -> None:
    """Every other page says whose turn it is and leads back with one click; when the game is over it is gone."""
    one = visit().lobby()
    play(one, "othello").await_turn()
    one.move()
    one.await_turn()
    room, stones = one.page.url, one.stones()
    assert one.page.locator("[data-running]").count() == 0   # here it would lead nowhere
    for number, path in enumerate(ELSEWHERE):
        if number % 2:
            one.page.goto(one.address + path)
        else:
            one.page.evaluate(
                "path => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }", path)
        way = one.page.locator("[data-running]", has_text="Continue: Othello against Computer")
        way.wait_for()
        assert "your turn" in way.inner_text(), path
        way.click()
        one.page.wait_for_selector(".room[data-mine]")
        assert one.page.url == room and one.stones() == stones
    one.touch(one.page.get_by_role("button", name="Resign", exact=True))
    one.touch(one.page.locator("dialog button.main"))
    one.page.wait_for_selector(".room[data-phase=finished]")
    one.lobby()
    assert one.page.locator("[data-running]").count() == 0


@pytest.mark.slow
def test_a_game_that_ended_meanwhile_is_not_offered(visit: Visit) -> None:
    """And on a phone the way back stays in the header."""
    one, two = visit(size=(390, 844), bypass_csp=True).lobby(), visit().lobby()
    for person in (one, two):
        play(person, "othello", "opponent")
    for person in (one, two):
        person.page.wait_for_selector(".room[data-phase=playing]")
    one.lobby()
    way = one.page.locator("header [data-running]")
    way.wait_for()
    box = way.bounding_box()
    assert box is not None and box["y"] + box["height"] < 60 and box["x"] + box["width"] < 390
    assert one.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert one.barriers() == []
    two.page.get_by_role("button", name="Resign", exact=True).click()
    two.page.locator("dialog button.main").click()
    two.page.wait_for_selector(".room[data-phase=finished]")
    one.page.reload()
    one.page.wait_for_selector("[data-running]", state="detached")


@pytest.mark.slow
def test_an_account_sees_its_game_on_another_device(visit: Visit) -> None:
    desk, phone = visit().lobby(), visit(size=(390, 844), language="zh").lobby()
    name = f"Mei {id(desk) % 10**6}"
    for person, path in ((desk, "accounts"), (phone, "login")):
        person.page.evaluate("""async ([path, name]) => {
            const answer = await fetch(`/api/${path}`, {method: "POST", headers: {"Content-Type": "application/json"},
                                       body: JSON.stringify({name, password: "plum blossom"})});
            localStorage.setItem("boyi.session", JSON.stringify(await answer.json()));
        }""", [path, name])
        person.page.reload()
        person.page.wait_for_selector(".card .board")
    play(desk, "othello").await_turn()
    phone.page.reload()
    phone.page.locator("[data-running]").click()
    phone.page.wait_for_selector(".room[data-mine]")
    assert phone.page.url == desk.page.url


def test_the_analysis_board_opens_on_the_game_last_used(visit: Visit) -> None:
    one = visit()
    one.page.goto(f"{one.address}/analysis")
    one.page.wait_for_selector(".study[data-ready]")
    assert one.page.title().startswith("Analysis: Xiangqi")
    play(one.lobby(), "liuzhou").await_turn()
    one.page.goto(f"{one.address}/analysis")
    one.page.wait_for_selector(".study[data-ready]")
    assert one.page.title().startswith("Analysis: Liuzhou")


def test_the_puzzle_of_the_day_is_there(visit: Visit) -> None:
    one = visit().lobby()
    puzzle = one.page.locator("a.puzzle:has(.piece)")
    puzzle.wait_for()
    assert "Xiangqi" in puzzle.inner_text()
    puzzle.click()
    one.page.wait_for_selector(".puzzle[data-phase=asked]")
