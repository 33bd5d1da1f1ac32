"""My games, the page of a game, profiles and leaderboards, as people use them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from boyi.core.record import read_records
from boyi.games import find_game
from tests.page import Visitor
from tests.page.conftest import Visit
from tests.page.test_accounts import account, begin_rated

WORDS = {"en": {"share": "Share", "copy": "Copy link", "resign": "Resign", "continue": "Continue"},
         "zh": {"share": "分享", "copy": "复制链接", "resign": "认输", "continue": "继续对局"}}


def to_games(one: Visitor) -> Any:
    """By the header's link."""
    one.page.locator("header nav a.own").click()
    one.page.wait_for_selector(".page[data-own]")
    return one.page


def resign(one: Visitor, language: str = "en") -> None:
    one.page.locator(".actions button", has_text=WORDS[language]["resign"]).first.click()
    one.page.locator("dialog button.main").click()
    one.page.wait_for_selector(".room[data-phase=finished]")


@pytest.mark.slow
def test_a_guest_finds_every_game_of_this_browser(visit: Visit) -> None:
    """Running ones to go on with, finished ones with result, picture, review and share; also under another name, and
    after signing up; and nobody else's."""
    one = visit(bypass_csp=True).lobby().choose("othello", name="Ada")
    one.await_turn()
    one.move()
    page = to_games(one)
    running = page.locator(".running li")
    assert running.count() == 1 and "Computer (Level 1)" in running.inner_text()
    page.wait_for_selector(".running .board .piece")
    assert one.barriers() == []
    running.get_by_role("link", name="Continue").click()   # back to a left game in one
    one.page.wait_for_selector(".room[data-phase=playing]")
    one.await_turn()
    resign(one)
    one.lobby().choose("tic_tac_toe", name="Ada the second")
    while one.await_turn():
        one.move()
    page = to_games(one)
    assert page.locator(".running li").count() == 0 and page.locator(".games li").count() == 2
    page.wait_for_selector(".games li .board .piece")
    assert page.locator("[data-result=lost] .result").first.inner_text() == "Lost"
    assert "resigns" in page.locator(".games li", has_text="Othello").inner_text()
    assert one.barriers() == []
    account(one, kind="new", name="Ada Byron", password="first programmer")
    page.locator("nav bdi:text('Ada Byron')").wait_for()
    page.reload()
    page.wait_for_selector(".games li:nth-child(2)")
    other = to_games(visit(language="zh").lobby())
    assert "还没有对局" in other.locator("section").inner_text()


@pytest.mark.slow
def test_the_list_is_filtered_and_exported(visit: Visit, tmp_path: Path) -> None:
    one = visit().lobby().choose("tic_tac_toe", name="Ada")
    while one.await_turn():
        one.move()
    one.lobby().choose("xiangqi")
    one.await_turn()
    resign(one)
    page = to_games(one)
    page.wait_for_selector(".games li:nth-child(2)")
    with page.expect_download() as file:
        page.get_by_role("button", name="Export all").click()
    records = read_records(file.value.path().read_text(encoding="utf-8"), find_game)
    assert [record.game.name for record in records] == ["tic_tac_toe", "xiangqi"]
    page.locator("select[name=game]").select_option("xiangqi")
    page.wait_for_selector(".games li:nth-child(2)", state="detached")
    assert "Xiangqi" in page.inner_text(".games li") and "1 game" in page.inner_text(".export")
    page.locator("select[name=format]").select_option("pgn")
    with page.expect_download() as file:
        page.get_by_role("button", name="Export these").click()
    assert file.value.suggested_filename.endswith(".pgn")
    page.locator("select[name=result]").select_option("won")
    page.locator("p:has-text('No games match')").wait_for()
    page.locator("select[name=result]").select_option("lost")
    page.wait_for_selector(".games li")
    page.locator("select[name=opponent]").select_option("people")
    page.locator("p:has-text('No games match')").wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page_of_a_game(visit: Visit, language: str) -> None:
    """From the list to the game: its end, the way there, analysis, download, link, picture and animation."""
    words = WORDS[language]
    one = visit(language=language, permissions=["clipboard-read", "clipboard-write"], bypass_csp=True)
    one.lobby().choose("othello", name="Ada <b>")
    for _ in range(2):
        one.await_turn()
        one.move()
    one.await_turn()
    resign(one, language)
    page = to_games(one)
    page.wait_for_selector(".games li .what")
    page.locator(".games li a.what").click()
    page.wait_for_selector(".game[data-ready]")
    address = page.url
    assert re.search(r"/game/[\w-]+/1$", address)
    plies = int(page.get_attribute(".game", "data-ply"))
    assert plies >= 4 and page.locator(".game .piece").count() == 4 + plies
    assert "Ada <b>" in page.inner_text(".players") and page.locator(".players b").count() == 0
    assert "Ada <b>" in page.title()
    assert {"en": "resigns", "zh": "方认输"}[language] in page.inner_text(".result")
    assert one.barriers() == []
    page.keyboard.press("Home")
    page.wait_for_selector(".game[data-ply='0']")
    assert page.locator(".game .piece").count() == 4
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".game[data-ply='1']")
    page.wait_for_function("() => document.querySelectorAll('.game .piece').length === 5")
    page.locator(".moves button").nth(2).click()
    page.wait_for_selector(".game[data-ply='3']")
    with page.expect_download() as file:
        page.get_by_role("button", name={"en": "Download", "zh": "下载"}[language]).click()
    assert len(read_records(file.value.path().read_text(encoding="utf-8"), find_game)[0].entries) == plies

    page.get_by_role("button", name=words["share"], exact=True).click()
    page.wait_for_function("() => document.querySelector('dialog img')?.naturalWidth > 0")
    assert one.barriers() == []
    page.get_by_role("button", name=words["copy"]).click()
    page.locator("dialog button.main", has_text={"en": "Copied", "zh": "已复制"}[language]).wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == address
    for number, (ending, begins) in enumerate(((".png", b"\x89PNG"), (".svg", b"<svg ")), 1):
        with page.expect_download() as file:
            page.locator("dialog .row button").nth(number).click()
        assert file.value.suggested_filename.endswith(ending)
        assert file.value.path().read_bytes().startswith(begins)
    page.keyboard.press("Escape")

    stranger = visit(language=language)
    stranger.page.goto(address)   # anyone who has the link
    stranger.page.wait_for_selector(".game[data-ready]")
    assert "Ada <b>" in stranger.page.title()
    stranger.page.locator(".tools a").click()
    stranger.page.wait_for_selector(".study[data-ready]")


def test_sharing_by_the_system_where_there_is_a_way(visit: Visit) -> None:
    one = visit().lobby().choose("tic_tac_toe", name="Ada")
    one.page.add_init_script("navigator.share = what => { window.shared = what; return Promise.resolve(); };")
    while one.await_turn():
        one.move()
    room = one.page.url.rpartition("/")[2]
    one.page.goto(f"{one.address}/game/{room}/1")
    one.page.wait_for_selector(".game[data-ready]")
    one.page.get_by_role("button", name="Share", exact=True).click()
    one.page.get_by_role("button", name="Share the link").click()
    one.page.wait_for_function("() => window.shared")
    shared = one.page.evaluate("window.shared")
    assert shared["url"] == one.page.url and "Ada" in shared["title"]


def test_the_animation_plays_by_itself_and_stands_still_where_asked(visit: Visit) -> None:
    """Opened alone, under the policy that the server sends: its styles work, and end where motion is not wanted."""
    one = visit().lobby().choose("tic_tac_toe", name="Ada")
    while one.await_turn():
        one.move()
    room = one.page.url.rpartition("/")[2]
    for still, count in ((True, 0), (False, 1)):
        viewer = visit(still=still)
        viewer.page.goto(f"{viewer.address}/api/records/{room}/1/animation.svg")
        moving = viewer.page.evaluate("document.getAnimations().filter(one => one.playState === 'running').length")
        assert (moving > 0) == bool(count)


def test_what_is_not_there_is_said(visit: Visit) -> None:
    one = visit(language="zh")
    for path, words in (("/game/nowhere/1", "没有这一局"), ("/people/nobody-at-all", "没有这个名字的玩家"),
                        ("/ratings/chess", "页面不存在")):
        one.page.goto(one.address + path)
        one.page.locator(".message", has_text=words).wait_for()
        assert one.page.locator(".message a").count() == 1


@pytest.mark.slow
def test_profiles_and_leaderboards(visit: Visit) -> None:
    """Two with accounts play a rated game: both are in the table, and have profiles."""
    host, guest = visit(bypass_csp=True), visit(language="zh")
    begin_rated("othello", (host, "Judit"), (guest, "诸宸"))
    host.await_turn()
    resign(host)
    host.page.goto(f"{host.address}/ratings/othello")
    host.page.wait_for_selector("tbody tr")
    names = host.page.locator("tbody td.name").all_inner_texts()
    assert names.index("诸宸") < names.index("Judit")
    assert "Judit" in host.page.inner_text("tr.me")
    assert host.barriers() == []
    host.page.get_by_role("link", name="诸宸").click()
    host.page.wait_for_selector(".games li[data-game=othello]")
    assert "1 won · 0 drawn · 0 lost" in host.page.inner_text(".games li[data-game=othello]")
    assert "Judit" in host.page.inner_text(".rows") and host.barriers() == []
    guest.page.locator("nav bdi").click()   # one's own, from the account
    guest.page.get_by_role("link", name="我的主页").click()
    guest.page.wait_for_selector(".games li[data-game=othello]")
    assert guest.page.locator("dialog").count() == 0 and "1 胜 · 0 和 · 0 负" in guest.page.inner_text(".games")
    guest.page.locator("nav bdi").click()
    guest.page.locator("dialog a", has_text="我的对局").click()
    guest.page.wait_for_selector("[data-result=won]")
    assert guest.page.evaluate("document.documentElement.scrollWidth") <= 1280


@pytest.mark.slow
def test_a_game_behind_a_password_is_not_shown_to_others(visit: Visit) -> None:
    one = visit().lobby()
    room = one.page.evaluate("""async () => {
        const ask = async (path, body, token) => (await fetch(path, {method: "POST", body: JSON.stringify(body),
            headers: token ? {Authorization: `Bearer ${token}`} : {}})).json();
        const me = await ask("/api/session", {name: "Ada"});
        localStorage.setItem("boyi.session", JSON.stringify(me));
        return (await ask("/api/rooms", {game: "tic_tac_toe", password: "secret word"}, me.token)).room; }""")
    one.page.goto(f"{one.address}/room/{room}")
    one.page.wait_for_selector(".room .board")
    one.page.get_by_role("button", name="Sit here").first.click()
    one.page.get_by_role("button", name="Computer").first.click()
    one.page.get_by_role("button", name="Start the game").click()
    one.page.wait_for_selector(".room[data-phase=playing]")
    one.await_turn()
    resign(one)
    page = to_games(one)
    page.get_by_role("button", name="Share", exact=True).click()
    assert "has a password" in page.inner_text("dialog") and page.locator("dialog img").count() == 0
    page.keyboard.press("Escape")
    page.locator(".games li a.what").click()
    page.wait_for_selector(".game")
    stranger = visit(language="zh")
    stranger.page.goto(page.url)
    stranger.page.locator(".message", has_text="没有这一局").wait_for()
    assert "Ada" not in stranger.page.content()


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_is_wider_than_the_screen(visit: Visit, size: tuple[int, int], language: str) -> None:
    one = visit(size=size, language=language, way="touch" if size[0] < 500 else "mouse").lobby()
    for path in ("/games", "/ratings", "/ratings/othello"):
        one.page.goto(one.address + path)
        one.page.wait_for_selector(".page h1")
        assert one.page.evaluate("document.documentElement.scrollWidth") <= size[0], path
