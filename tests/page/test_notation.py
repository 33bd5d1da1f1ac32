"""The player's own notation in lists, hints, lines and exports, on the board and spoken; pieces, boards, imports."""

from __future__ import annotations

from pathlib import Path

import pytest

from boyi.server.positions import write_record
from boyi.server.protocol.study import AskRecord
from tests.page import Visitor
from tests.page.conftest import Visit
from tests.page.test_analysis import moves, paste, settle, study, touch

OPENING = "炮二平五 马8进7 马二进三"
SAID = {"en": "Move 3 (Red), “炮五进三”, cannot be played in this position.",
        "zh": "第 3 步（红方）“炮五进三”在此局面不能走。"}
RED = "九八七六五四三二一"


def side(one: Visitor, place: str) -> str:
    """The coordinates along an edge of the board, from left to right."""
    return str(one.page.evaluate("""place => {
        const places = [...document.querySelectorAll("main .board .label.coordinate")].map(one => {
            const [x, y] = one.getAttribute("transform").match(/-?[0-9.]+/g).map(Number);
            return {x, y, text: one.dataset.label};
        });
        const edge = places.map(one => one.y).sort((a, b) => a - b).at(place === "below" ? -1 : 0);
        return places.filter(one => one.y === edge).sort((a, b) => a.x - b.x).map(one => one.text).join("");
    }""", place))


def open_import(one: Visitor, text: str) -> None:
    one.page.locator(".tools button").nth(1).click()
    one.page.locator("dialog textarea").first.fill(text)
    one.page.locator("dialog form button.main").click()


def test_a_chinese_player_reads_chinese_everywhere_in_a_room(visit: Visit) -> None:
    one = visit(language="zh").lobby().choose("xiangqi")
    one.await_turn()
    assert (side(one, "below"), side(one, "above")) == (RED, "123456789")
    one.page.get_by_role("button", name="旋转棋盘").click()
    assert (side(one, "below"), side(one, "above")) == ("987654321", RED[::-1])
    one.page.get_by_role("button", name="旋转棋盘").click()
    one.page.get_by_role("button", name="提示").click()
    one.page.wait_for_function("() => /提示.*[平进退]/.test(document.querySelector('.notice')?.innerText ?? '')")
    one.page.evaluate("""() => {
        const said = document.querySelector("p[aria-live]");
        window.heard = [];
        new MutationObserver(() => window.heard.push(said.innerText)).observe(said, {subtree: true, characterData: true,
                                                                                     childList: true});
    }""")
    touch(one, "h2", "e2")
    one.page.wait_for_function("() => document.querySelector('.moves li bdi')?.innerText === '炮二平五'")
    one.page.wait_for_function("() => window.heard.some(text => /[平进退]/.test(text))")
    one.await_turn()
    one.page.wait_for_function("""() => [...document.querySelectorAll(".moves li bdi")].length > 1
        && [...document.querySelectorAll(".moves li bdi")].every(one => /[平进退]/.test(one.innerText))""")


def test_the_choice_is_one_for_the_family_and_holds_on_the_analysis_board(visit: Visit) -> None:
    one = paste(study(visit(language="zh", accept_downloads=True), "xiangqi"), OPENING)
    one.page.wait_for_function("() => document.querySelector('.study [data-move] bdi')?.innerText === '炮二平五'")
    one.page.wait_for_function("() => /[平进退]/.test(document.querySelector('.analysis ol .move')?.innerText ?? '')")
    one.page.keyboard.press("End")
    settle(one, 3)
    one.page.keyboard.press("ArrowLeft")
    settle(one, 2)
    touch(one, "b2", "d2")     # a variation beside the line
    settle(one, 3)
    one.page.keyboard.press("Home")
    settle(one, 0)
    one.page.wait_for_function("""() => {
        const all = [...document.querySelectorAll(".study [data-move] bdi")];
        return all.length === 4 && all.every(one => /[平进退]/.test(one.innerText));
    }""")
    one.page.locator(".study .notation").select_option("wxf")
    one.page.wait_for_function("() => document.querySelector('.study [data-move] bdi').innerText === 'C2=5'")
    assert (side(one, "below"), side(one, "above")) == ("987654321", "123456789")
    one.page.locator(".tools button").nth(1).click()
    for kind in ("pgn", "text"):
        one.page.locator("dialog section select").first.select_option(kind)
        assert "WXF" in one.page.locator("dialog section select").last.locator("option:checked").inner_text()
        with one.page.expect_download() as saved:
            one.page.locator("dialog section button").first.click()
        assert "1. C2=5 H8+7" in Path(saved.value.path()).read_text(encoding="utf-8")
    one.page.keyboard.press("Escape")
    paste(one, "XC2=5(H) XH8+7(C)")
    assert one.page.url.endswith("/analysis/jieqi")
    one.page.wait_for_function("() => document.querySelector('.study [data-move] bdi').innerText === 'XC2=5'")
    revealed = one.page.locator(".study [data-move] .revealed svg")
    assert [one.get_attribute("aria-label") for one in revealed.all()] == ["红方傌", "黑方砲"]


def test_a_readers_notations_have_names_and_examples(visit: Visit) -> None:
    one = study(visit(), "xiangqi")
    one.page.locator(".study .notation option").first.wait_for(state="attached")
    offered = one.page.locator(".study .notation option").all_inner_texts()
    assert {"WXF: C2=5", "Chinese: 炮二平五", "Algebraic: h2e2"} <= set(offered)
    assert side(one, "below") == "abcdefghi"


def test_readers_of_english_are_asked_once_which_pieces_they_like(visit: Visit) -> None:
    one = study(visit(bypass_csp=True), "xiangqi")
    chooser = one.page.locator(".chooser")
    assert chooser.locator("button").count() == 4
    assert one.barriers() == []
    chooser.get_by_role("button", name="Pictures").click()
    chooser.wait_for(state="detached")
    assert one.page.locator(".study .piece path[fill-rule=evenodd]").count() == 32
    study(one, "jieqi")
    assert one.page.locator(".chooser").count() == 0
    assert one.page.locator(".study .piece path[fill-rule=evenodd]").count() == 2, "what is covered shows nothing"
    other = study(visit(), "othello")
    assert other.page.locator(".chooser").count() == 0
    assert study(visit(language="zh"), "xiangqi").page.locator(".chooser").count() == 0


def test_boards_and_pieces_are_chosen_in_the_settings(visit: Visit) -> None:
    one = study(visit(bypass_csp=True), "xiangqi")
    grounds = set()
    one.page.get_by_role("button", name="Settings").click()
    for surface in ("wood", "paper", "bamboo", "slate", "rosewood"):
        one.page.locator(f"dialog input[value={surface}]").check(force=True)
        grounds.add(one.page.evaluate("getComputedStyle(document.querySelector('main .ground')).fill"))
    assert len(grounds) == 5
    drawn = set()
    for pieces in ("characters", "simplified", "pictures", "letters"):
        one.page.locator(f"dialog input[value={pieces}]").check(force=True)
        drawn.add(one.page.locator("main [data-stone=h0] path").last.get_attribute("d"))
    assert len(drawn) == 4
    one.page.get_by_label("Moves of Xiangqi, Jieqi").select_option("chinese")
    assert one.barriers() == []
    one.page.keyboard.press("Escape")
    assert side(one, "below") == RED
    one.page.reload()
    settle(one)
    assert side(one, "below") == RED
    assert one.page.evaluate("document.documentElement.dataset.surface") == "rosewood"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_failed_is_said_with_the_board_up_to_there(visit: Visit, language: str) -> None:
    one = study(visit(language=language, bypass_csp=True), "othello")
    open_import(one, "炮二平五 马8进7 炮五进三 马2进3")
    said = one.page.locator("dialog [role=alert]")
    said.wait_for()
    assert said.inner_text() == SAID[language]
    one.page.locator("dialog .failed [data-stone=e2]").wait_for(state="attached")
    assert one.page.locator("dialog .failed [data-stone=g7]").get_attribute("data-glyph") == "n"
    assert one.barriers() == []
    one.page.keyboard.press("Escape")
    one.page.wait_for_selector("dialog", state="detached")
    assert not [text for text in one.page.locator("[role=alert]").all_inner_texts() if text]
    open_import(one, "炮二平五 马8进7 炮五进三")
    one.page.locator("dialog .failed button").click()
    one.page.wait_for_selector("dialog", state="detached")
    settle(one, 2)
    assert one.page.url.endswith("/analysis/xiangqi")
    assert len(moves(one)) == 2


def test_a_link_of_ours_is_opened_and_a_foreign_one_is_not(visit: Visit) -> None:
    one = study(visit(), "xiangqi")
    open_import(one, "https://example.org/game/1")
    one.page.locator("dialog [role=alert]", has_text="other sites").wait_for()
    one.page.locator("dialog textarea").first.fill(f"{one.address}/analysis/othello")
    assert one.page.locator("dialog [role=alert]").count() == 0, "what was wrong with the text before is over"
    one.page.locator("dialog form button.main").click()
    one.page.wait_for_selector("dialog", state="detached")
    one.page.wait_for_url("**/analysis/othello")
    settle(one, 0)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "game", "plies"), [
    ("f5d6c3d3c4", "othello", 5), ("position startpos moves h2e2 h9g7", "xiangqi", 2), ("C2=5 H8+7", "xiangqi", 2),
    ("１．炮二平五　馬８進７", "xiangqi", 2), ("b2e2N b7e7c", "jieqi", 2), ("1. H2-E2 {well} H9-G7 *", "xiangqi", 2),
    ("[DhtmlXQ][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist][/DhtmlXQ]", "xiangqi", 2),
])
def test_the_game_is_guessed(visit: Visit, text: str, game: str, plies: int) -> None:
    one = paste(study(visit(), "liuzhou"), text)
    assert one.page.url.endswith(f"/analysis/{game}")
    assert len(moves(one)) == plies


@pytest.mark.slow
def test_files_come_in_by_their_content(visit: Visit) -> None:
    one = study(visit(), "othello")
    record = write_record(AskRecord("xiangqi", moves=["h2e2", "h9g7"], format="dhtmlxq"))
    one.page.locator(".tools button").nth(1).click()
    one.page.locator("dialog input[type=file]").set_input_files(
        {"name": "something.bin", "mimeType": "application/octet-stream", "buffer": record})
    one.page.wait_for_selector("dialog", state="detached")
    settle(one, 0)
    assert moves(one) == ["h2e2", "h9g7"]
