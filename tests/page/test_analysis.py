"""The analysis board: any position, every variation, games in and out, and what the engines think."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from boyi.core.formats import find_source
from boyi.games import all_games
from boyi.server.positions import show, write_record
from boyi.server.protocol.study import AskPosition, AskRecord
from tests.page import GAMES, Visitor
from tests.page.conftest import Visit
from tests.scale import some_of

HOSTILE = ("<img src=x onerror=alert(1)>", "\u0645\u0631\u062d\u0628\u0627 \u0628\u0643", "👩‍👩‍👧‍👦𠮷😀")


def study(one: Visitor, address: str) -> Visitor:
    one.page.goto(f"{one.address}/analysis/{address}")
    return settle(one)


def settle(one: Visitor, plies: int | None = None) -> Visitor:
    one.page.wait_for_selector(".study[data-ready]" + ("" if plies is None else f"[data-plies='{plies}']"))
    one.page.wait_for_selector(".study .board:not([data-playing])")
    return one


def touch(one: Visitor, *points: str) -> None:
    for point in points:
        one.touch(one.page.locator(f"[data-point='{point}']"))


def paste(one: Visitor, text: str) -> Visitor:
    """Open what is written: a game, or a position."""
    one.page.locator(".tools button").nth(1).click()
    one.page.locator("dialog textarea").first.fill(text)
    one.page.locator("dialog form button.main").click()
    one.page.wait_for_selector("dialog", state="detached")
    return settle(one, 0)


def test_a_failed_paste_leaves_nothing_behind(visit: Visit) -> None:
    one = study(visit(), "xiangqi")
    one.page.locator(".tools button").nth(1).click()
    one.page.locator("dialog textarea").first.fill("no position at all")
    one.page.locator("dialog form button.main").click()
    one.page.locator("dialog [role=alert]:not(:empty)").wait_for()
    one.page.keyboard.press("Escape")
    one.page.wait_for_selector("dialog", state="detached")
    assert not [text for text in one.page.locator("[role=alert]").all_inner_texts() if text]


def stones(one: Visitor) -> dict[str, str]:
    return dict(one.page.eval_on_selector_all(
        ".study .piece", "all => all.map(one => [one.dataset.stone, one.dataset.glyph])"))


def moves(one: Visitor) -> list[str]:
    return one.page.locator(".study [data-move] bdi").all_inner_texts()


def expected(game: str, texts: list[str], **rest: Any) -> dict[str, str]:
    return {stone.point: stone.glyph for stone in show(AskPosition(game, moves=texts, **rest)).stones}


@pytest.mark.parametrize("game", [
    pytest.param(game, marks=() if game in ("jieqi", "sixth") else pytest.mark.slow) for game in GAMES])
def test_every_game_can_be_looked_at(visit: Visit, game: str) -> None:
    """Moves for all sides; what stands there is what the server says, also after the page is loaded again."""
    one = study(visit(way="touch" if game == "othello" else "mouse"), game)
    for ply in range(1, 4):
        passing = one.page.locator(".passes button")
        if passing.count():
            one.touch(passing.first)
        else:
            start = one.page.locator(".point.can")
            one.touch(start.first if start.count() else one.page.locator(".point.start").first)
            if one.page.locator(".point[aria-pressed=true]").count():
                one.touch(one.page.locator(".point.can").first)
        if game == "jieqi":
            one.touch(one.page.locator("dialog .chance button").first)
        settle(one, ply)
    texts = moves(one)
    assert len(texts) == 3 and stones(one) == expected(game, texts)
    one.page.reload()
    assert moves(settle(one, 3)) == texts and stones(one) == expected(game, texts)


def test_variations_grow_are_promoted_and_deleted_by_keyboard(visit: Visit) -> None:
    one = study(visit(), "xiangqi")
    for ply, points in enumerate((("h2", "e2"), ("h9", "g7"), ("h0", "g2")), 1):
        touch(one, *points)
        settle(one, ply)
    one.page.evaluate("document.activeElement.blur()")
    press = one.page.keyboard.press
    press("ArrowLeft")
    settle(one, 2)
    touch(one, "b0", "c2")
    settle(one, 3)
    assert moves(one) == ["h2e2", "h9g7", "h0g2", "b0c2"]
    one.page.evaluate("document.activeElement.blur()")
    press("ArrowUp")
    one.page.wait_for_selector("[aria-current=step] >> text=h0g2")
    press("ArrowDown")
    one.page.wait_for_selector("[aria-current=step] >> text=b0c2")
    assert stones(settle(one)) == expected("xiangqi", ["h2e2", "h9g7", "b0c2"])
    press("+")
    assert moves(one) == ["h2e2", "h9g7", "b0c2", "h0g2"]
    press("Home")
    settle(one, 0)
    press("End")
    settle(one, 3)
    assert stones(one) == expected("xiangqi", ["h2e2", "h9g7", "b0c2"])
    press("Delete")
    settle(one, 2)
    assert moves(one) == ["h2e2", "h9g7", "h0g2"]
    press("ArrowLeft")
    press("Delete")
    settle(one, 0)
    assert moves(one) == []


def test_what_a_covered_piece_turns_out_to_be_is_asked(visit: Visit) -> None:
    """The odds are those of the pool, in the dialog and beside the board; nothing else is known of a covered piece."""
    one = study(visit(), "jieqi")
    touch(one, "b2", "e2")
    offered = one.page.locator("dialog .chance button")
    one.page.wait_for_selector("dialog .chance")
    assert sum(int(text.strip(" %\n")) for text in offered.locator(".faint").all_inner_texts()) in range(97, 104)
    one.page.keyboard.press("Escape")
    assert moves(settle(one, 0)) == [] and stones(one) == expected("jieqi", [])
    touch(one, "b2", "e2")
    one.page.locator("dialog .chance button:has-text('33 %')").click()
    settle(one, 1)
    assert moves(one) == ["b2e2P"] and stones(one)["e2"] == "P"
    red = one.page.locator(".study section:has(> h3:text('Red:'))").inner_text()
    assert "×4" in red and "29 %" in red and "×5" not in red


def test_a_position_is_set_up_by_hand(visit: Visit) -> None:
    one = study(visit(), "xiangqi")
    one.page.get_by_role("button", name="Set up a position").click()
    one.page.get_by_role("button", name="Empty board").click()
    one.page.get_by_role("alert").filter(has_text="king").wait_for()
    use = one.page.get_by_role("button", name="Use this position")
    assert use.is_disabled()
    for tool, point in (("K", "e0"), ("k", "d9"), ("R", "a5"), ("R", "b5")):
        one.page.locator(f".palette input[value={tool}]").check(force=True)
        touch(one, point)
    one.page.locator(".palette input[value=eraser]").check(force=True)
    touch(one, "b5")
    one.page.locator(".palette input[value=hand]").check(force=True)
    touch(one, "a5", "a7")
    one.page.locator("fieldset input[value=b]").check(force=True)
    one.page.wait_for_function("() => document.querySelector('textarea').value.startsWith('3k5/9/R8/')"
                               " && document.querySelector('textarea').value.includes(' b ')")
    use.click()
    settle(one, 0)
    assert stones(one) == {"e0": "K", "d9": "k", "a7": "R"}
    assert "Black to move" in one.page.inner_text(".study .status")
    touch(one, "d9", "e9")   # opposite the other king
    assert moves(one) == []


@pytest.mark.slow
def test_a_phase_is_set_up_and_a_text_is_read(visit: Visit) -> None:
    one = study(visit(language="zh"), "liuzhou")
    one.page.get_by_role("button", name="编辑局面").click()
    text = one.page.locator("textarea")
    text.fill("bb4/ww4/6/6/6/6 b nonsense 0 0 0")
    one.page.get_by_role("button", name="读取文本").click()
    one.page.get_by_role("alert").filter(has_text="不是有效的局面").wait_for()
    text.fill("bb4/ww4/6/6/6/6 b place 0 4 0")
    one.page.get_by_role("button", name="读取文本").click()
    one.page.locator(".editor select").select_option("move")
    one.page.wait_for_function("() => document.querySelector('textarea').value.includes(' b move 0 ')")
    one.page.get_by_role("button", name="使用此局面").click()
    settle(one, 0)
    assert "走子" in one.page.inner_text(".study .status") and len(stones(one)) == 4
    # A game whose positions are only written has no stones to put.
    study(one, "sixth")
    one.page.get_by_role("button", name="编辑局面").click()
    assert one.page.locator(".palette").count() == 0
    one.page.locator("textarea").fill("123 1")
    one.page.get_by_role("button", name="读取文本").click()
    one.page.get_by_role("button", name="使用此局面").click()
    settle(one, 0)
    assert stones(one) == {"gap1": "A", "home2": "B", "gap2": "C"}


def test_other_rules_change_the_board(visit: Visit) -> None:
    one = study(visit(), "chinese_checkers")
    one.page.get_by_role("button", name="New game").click()
    one.page.locator("dialog input[name=players]").fill("3")
    one.page.locator("dialog form button.main").click()
    one.page.wait_for_function("() => document.querySelectorAll('.study .piece').length === 30")
    one.page.get_by_role("button", name="New game").click()
    one.page.locator("dialog input[name=pieces]").fill("15")   # only for two
    one.page.locator("dialog form button.main").click()
    one.page.locator("dialog [role=alert]").wait_for()


@pytest.mark.parametrize("name", some_of(HOSTILE, 3))
def test_games_come_in_and_go_out(visit: Visit, name: str) -> None:
    """Pasted and from a file, with names that mean harm; what is saved reads back as the line that was shown."""
    texts = ["h2e2", "h9g7", "h0g2"]
    one = study(visit(accept_downloads=True), "othello")
    paste(one, write_record(AskRecord("xiangqi", moves=texts, players=[name, "Bob"], format="pgn")).decode("utf-8"))
    assert one.page.url.endswith("/analysis/xiangqi")
    assert moves(one) == texts and one.page.locator(".players bdi").first.inner_text() == name
    assert one.page.locator("main img").count() == 0
    one.page.get_by_role("button", name="Import / export").click()
    for kind, start in (("boyi", b'[Boyi "1"]'), ("pgn", b"[Game ")):
        one.page.locator("dialog section select").first.select_option(kind)
        with one.page.expect_download() as saved:
            one.page.get_by_role("button", name="Export", exact=True).click()
        data = Path(saved.value.path()).read_bytes()
        (record,) = find_source(data, "", list(all_games().values())).read()
        assert data.startswith(start) and record.players[0] == name and [one.text for one in record.entries] == texts
    both = write_record(AskRecord("xiangqi", moves=texts, players=[name, "Bob"])) * 2
    one.page.locator("dialog input[type=file]").set_input_files(
        {"name": "games.boyi", "mimeType": "text/plain", "buffer": both})
    one.page.locator("dialog li button").last.click()
    one.page.wait_for_selector("dialog", state="detached")
    assert one.page.locator(".players bdi").first.inner_text() == name and moves(one) == texts


def test_what_is_no_game_is_refused_in_words(visit: Visit) -> None:
    one = study(visit(), "xiangqi")
    one.page.get_by_role("button", name="Import / export").click()
    one.page.locator("dialog textarea").first.fill("h2e2 <script>alert(1)</script>\nnothing of the kind")
    one.page.locator("dialog form button.main").click()
    one.page.locator("dialog [role=alert]:has-text('Move 2')").wait_for()
    one.page.keyboard.press("Escape")
    paste(one, show(AskPosition("xiangqi", moves=["h2e2"])).standing.position)
    assert stones(one)["e2"] == "C"


@pytest.mark.slow
def test_engines_show_their_lines_and_a_whole_game_its_mistakes(visit: Visit) -> None:
    """A rook given away is marked on the curve, in the list and in the tree."""
    one = study(visit(), "xiangqi")
    record = write_record(AskRecord("xiangqi", moves=["a0a1", "a9a8", "a1d1", "a8d8", "d1d8", "h9g7", "h0g2"]))
    paste(one, record.decode())
    one.page.wait_for_selector(".analysis ol li:nth-child(3)")
    one.page.wait_for_selector(".study .arrow")
    widths = one.page.eval_on_selector_all(".study .arrow", "all => all.map(one => Number(one.dataset.width))")
    assert len(widths) == 3 and widths == sorted(widths) and widths[-1] > widths[0], "the best is the widest, on top"
    assert one.page.locator(".study .arrow .head").count() == 3
    one.page.locator(".how select").select_option("5")
    one.page.wait_for_selector(".analysis ol li:nth-child(5)")
    one.page.locator(".how select").select_option("1")
    one.page.wait_for_function("() => document.querySelectorAll('.analysis ol li').length === 1")
    one.page.get_by_role("button", name="Draw the curve").click()
    mistake = one.page.locator(".under button:has-text('a8d8')")
    mistake.wait_for()
    one.page.get_by_role("button", name="Draw the curve").wait_for(state="detached")   # nothing is left
    assert "??" in mistake.inner_text() and "h0" in str(one.page.get_attribute(".curve .wrong", "d"))
    mistake.click()
    settle(one, 4)
    assert "??" in one.page.locator("[aria-current=step]").inner_text()
    # A line of the engine becomes a variation.
    one.page.keyboard.press("Home")
    settle(one, 0)
    one.page.locator(".analysis ol .moves button").nth(1).click()
    settle(one, 2)
    assert len(moves(one)) == 9


def test_a_finished_game_is_analysed_in_its_room_and_on_the_board(visit: Visit) -> None:
    one = visit().lobby().choose("jieqi")
    for _ in range(2):
        one.await_turn()
        one.move()
    one.await_turn()
    one.page.get_by_role("tab", name="Game").click()
    assert "covered pieces and their odds" in one.page.inner_text(".info")
    assert one.page.locator(".info .odds > span").count() >= 6
    assert one.page.get_by_role("tab", name="Analysis").count() == 0, "not while it is played"
    before = one.plies
    one.page.get_by_role("button", name="Hint").click()
    one.page.wait_for_selector(".room .arrow")
    assert one.plies == before, "a hint is no move"
    one.page.get_by_role("button", name="Resign", exact=True).click()
    one.page.locator("dialog button.main").click()
    one.page.wait_for_selector(".room[data-phase=finished]")
    one.page.get_by_role("tab", name="Analysis").click()
    one.page.wait_for_selector(".analysis ol li")      # what was given up is evaluated, too
    one.page.get_by_role("button", name="Previous move").first.click()
    one.page.wait_for_selector(".analysis ol li")
    assert one.page.locator(".room .arrow").count() > 0
    stood = one.plies
    one.page.get_by_role("link", name="Open on the analysis board").click()
    settle(one, 0)
    assert len(moves(one)) == stood
    one.page.keyboard.press("End")
    settle(one, stood)
    assert stones(one) == expected("jieqi", moves(one), start=show(AskPosition("jieqi")).start)
    # The lobby lists it, and leads there.
    public = visit().lobby()
    public.page.get_by_role("link", name="Analysis board").click()
    settle(public, 0)


def test_a_game_that_is_played_is_not_analysed(visit: Visit) -> None:
    """A player who copies the position of a game in progress onto the board gets no help with it."""
    one = visit().lobby().choose("othello")
    for _ in range(4):
        one.await_turn()
        one.move()
    one.await_turn()
    record = one.page.evaluate("fetch(`/api/rooms/${location.pathname.split('/').pop()}/record`).then(a => a.text())")
    other = paste(study(visit(), "othello"), record)
    other.page.keyboard.press("End")
    settle(other, 8)
    other.page.locator(".analysis [role=alert]").wait_for()
    assert other.page.locator(".study .arrow").count() == 0


# ---------------------------------------------------------------------- live analysis

def depth(one: Visitor) -> int:
    one.page.wait_for_selector("[data-depth]")
    return int(one.page.locator("[data-depth]").get_attribute("data-depth") or 0)


def deepen(one: Visitor, least: int) -> None:
    one.page.wait_for_function(f"() => Number(document.querySelector('[data-depth]')?.dataset.depth) >= {least}")


def test_an_analysis_deepens_by_itself_and_is_there_when_one_comes_back(visit: Visit) -> None:
    one = study(visit(), "xiangqi")
    deepen(one, depth(one) + 2)
    one.page.wait_for_selector("div.bar:not(.waiting)")
    assert "Red: 5" in str(one.page.locator("div.bar").get_attribute("aria-label"))
    assert "pawns" in str(one.page.locator("div.bar").get_attribute("aria-label"))
    known = depth(one)
    touch(one, "h2", "e2")
    settle(one, 1)
    deepen(one, 1)
    assert "Red: " in str(one.page.locator("div.bar").get_attribute("aria-label")), "the bar does not change sides"
    one.page.evaluate("document.activeElement.blur()")
    one.page.keyboard.press("Home")
    settle(one, 0)
    assert depth(one) >= known


def test_the_engine_is_led_by_keys_and_remembers_what_was_chosen(visit: Visit) -> None:
    one = study(visit(), "xiangqi")
    one.page.evaluate("document.activeElement.blur()")
    press = one.page.keyboard.press
    press("2")
    one.page.wait_for_function("() => document.querySelectorAll('.analysis ol li').length === 2")
    press("x")
    one.page.wait_for_selector(".study .arrow.threat")
    assert "Black plays if you pass" in one.page.inner_text(".analysis .threat")
    press("x")
    one.page.wait_for_selector(".analysis ol button.move")
    best = one.page.locator(".analysis ol li").first.locator(".move").first.inner_text()
    press("Space")
    settle(one, 1)
    assert moves(one) == [best]
    press("l")
    one.page.wait_for_selector(".analysis", state="detached")
    assert one.page.locator("div.bar").count() == 0 and one.page.locator(".study .arrow").count() == 0
    one.page.reload()
    settle(one, 1)
    assert one.page.locator(".analysis").count() == 0, "it remembers"
    one.page.evaluate("document.activeElement.blur()")
    press("l")
    one.page.wait_for_function("() => document.querySelectorAll('.analysis ol li').length === 2")


def test_a_line_is_shown_on_a_small_board_and_becomes_a_variation(visit: Visit) -> None:
    """In the notation that the reader has chosen, by mouse and by keyboard."""
    one = visit(bypass_csp=True)
    chosen = "JSON.stringify({notations: {xiangqi: 'chinese'}})"
    one.page.add_init_script(f"localStorage.setItem('boyi.preferences', {chosen})")
    study(one, "xiangqi")
    deepen(one, 4)
    one.page.keyboard.press("1")
    one.page.wait_for_function("() => document.querySelectorAll('.analysis ol li').length === 1")
    line = one.page.locator(".analysis ol li").first.locator(".move")
    one.page.wait_for_function("() => /[平进退]/.test(document.querySelector('.analysis ol li .move').innerText)")
    one.page.locator("input[type=checkbox]").first.focus()
    line.first.focus()
    one.page.wait_for_selector(".preview .piece")
    assert one.page.locator(".preview .arrived").count() == 1
    assert one.barriers() == []
    line.nth(1).click()
    one.page.mouse.move(5, 5)
    settle(one, 2)
    one.page.wait_for_selector(".preview", state="detached")
    assert len(moves(one)) == 2
    one.page.wait_for_function("() => /[平进退]/.test(document.querySelector('.study [data-move] bdi').innerText)")


def test_what_may_turn_up_is_told_with_a_line(visit: Visit) -> None:
    one = study(visit(size=(390, 844), way="touch", language="zh"), "jieqi")
    one.page.wait_for_selector(".analysis .reveal")
    odds = one.page.locator(".analysis ol li").first.locator(".reveal").all_inner_texts()
    assert odds[0].endswith("33%") and len(odds) == 6
    board, bar, lines = (one.page.locator(what).bounding_box() for what in (".study .board", "div.bar", ".analysis ol"))
    assert board and bar and lines and board["y"] + board["height"] <= bar["y"] < lines["y"], "below the board"
    assert bar["width"] > 300 and one.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_budget_that_is_used_up_is_said_and_goes_on_by_a_click(visit: Visit) -> None:
    one = visit()
    told = {"type": "exhausted", "words": {"en": "used up", "zh": "用完"}, "retry_after_ms": 300}
    asked: list[Any] = []

    def answer(socket: Any) -> None:
        def hear(text: str) -> None:
            message = json.loads(text)
            if message["type"] == "analyse":
                asked.append(message)
                socket.send(json.dumps(told | {"id": message["id"]}))
        socket.on_message(hear)
    one.page.route_web_socket("**/ws/analysis", answer)
    study(one, "othello")
    go_on = one.page.get_by_role("button", name="Go on")
    go_on.wait_for()
    before = len(asked)
    go_on.click()   # which waits until it may
    go_on.wait_for()
    assert len(asked) == before + 1 and "used up" in one.page.inner_text(".exhausted")
