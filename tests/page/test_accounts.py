"""Accounts: made, left and entered again; rated games; and what is said when something is wrong."""

from __future__ import annotations

import json

import pytest

from tests.page import Visitor
from tests.page.conftest import Visit
from tests.scale import some_of


def account(one: Visitor, *, kind: str, name: str, password: str) -> None:
    one.page.locator("nav button").nth(1).click()
    one.page.locator(f"dialog input[value={kind}]").check(force=True)
    one.page.locator("dialog input[autocomplete=username]").fill(name)
    one.page.locator("dialog input[type=password]").fill(password)
    one.page.locator("dialog button.main").click()


def begin_rated(game: str, host: tuple[Visitor, str], guest: tuple[Visitor, str]) -> None:
    """Both get an account of that name, and their rated game begins; the host reads English, the guest Chinese."""
    for one, name in (host, guest):
        one.lobby()
        account(one, kind="new", name=name, password="grandmaster")
        one.page.locator(f"nav bdi:text('{name}')").wait_for()
    inviting, invited = host[0].page, guest[0].page
    inviting.goto(f"{host[0].address}/play/{game}")
    inviting.locator("dialog input[value=friends]").check(force=True)
    inviting.get_by_label("Rated: all players need an account").check()
    inviting.locator("dialog button.go").click()
    invited.goto(inviting.input_value(".invite input"))
    invited.get_by_role("button", name="坐下").click()
    inviting.get_by_role("button", name="Start the game").click()


def test_an_account_is_made_left_and_entered(visit: Visit) -> None:
    one = visit().lobby()
    account(one, kind="new", name="Ada Lovelace", password="notes on the engine")
    one.page.locator("nav bdi:text('Ada Lovelace')").wait_for()
    one.page.reload()
    one.page.locator("nav bdi:text('Ada Lovelace')").click()
    one.page.get_by_role("button", name="Log out").click()
    one.page.get_by_role("button", name="Log in").wait_for()
    assert "token" not in str(one.page.evaluate("localStorage['boyi.session']"))
    account(one, kind="in", name="ada lovelace", password="something else")
    one.page.locator("dialog [role=alert]:text('no such account, or its password')").wait_for()
    one.page.locator("dialog input[type=password]").fill("notes on the engine")
    one.page.locator("dialog button.main").click()
    one.page.locator("nav bdi:text('Ada Lovelace')").wait_for()
    other = visit(language="zh").lobby()
    account(other, kind="new", name="Ada Lovelace", password="12345678")
    other.page.locator("dialog [role=alert]:text('名字已被注册')").wait_for()


@pytest.mark.parametrize("name", some_of(["<b onclick=x>Eve</b>", "\u0639\u0644\u064a 👩‍👧𠮷"], 2))
def test_strange_names_of_accounts_are_only_shown(visit: Visit, name: str) -> None:
    one = visit(size=(360, 640)).lobby()
    account(one, kind="new", name=name, password="12345678")
    shown = one.page.locator("nav bdi")
    shown.wait_for()
    assert shown.inner_text() == name and one.page.locator("header b").count() == 0
    assert one.page.evaluate("document.documentElement.scrollWidth") <= 360
    shown.click()
    assert name in one.page.inner_text("dialog")


def test_own_account_by_keyboard(visit: Visit) -> None:
    """Devices are logged out, the password is changed, the data is had as a file, and the account is deleted."""
    one, other = visit(bypass_csp=True).lobby(), visit(language="zh").lobby()
    account(one, kind="new", name="Hedy", password="frequency hopping")
    one.page.locator("nav bdi:text('Hedy')").wait_for()
    account(other, kind="in", name="HEDY", password="frequency hopping")
    other.page.locator("nav bdi:text('Hedy')").wait_for()
    other.choose("othello", against="friends")
    page = one.page
    page.locator("nav bdi").click()

    def enter(summary: str) -> None:
        page.locator(f"summary:text('{summary}')").focus()
        page.keyboard.press("Enter")

    enter("Devices")
    devices = page.locator("dialog li")
    devices.nth(1).wait_for()
    assert "this device" in devices.nth(0).inner_text() + devices.nth(1).inner_text()
    page.get_by_role("button", name="Log out all other devices").press("Enter")
    devices.nth(1).wait_for(state="detached")
    other.page.locator("nav button:has-text('登录')").wait_for()   # at once: its socket was closed

    enter("Change password")
    page.get_by_label("Current password").fill("frequency hopping")
    page.get_by_label("New password").fill("spread spectrum")
    page.keyboard.press("Enter")
    page.locator("dialog [role=status]:has-text('Password changed')").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download my data").press("Enter")
    assert json.loads(download.value.path().read_text(encoding="utf-8"))["name"] == "Hedy"

    enter("Delete account")
    form = page.locator("details:has-text('cannot be undone')")
    assert one.barriers() == []
    form.locator("input[type=password]").fill("frequency hopping")
    page.keyboard.press("Enter")
    page.locator("dialog [role=alert]:has-text('password is wrong')").wait_for()
    form.locator("input[type=password]").fill("spread spectrum")
    page.keyboard.press("Enter")
    page.locator("nav button:has-text('Log in')").wait_for()


@pytest.mark.slow
def test_host_mutes_and_removes_and_anyone_reports(visit: Visit) -> None:
    host, guest = visit(bypass_csp=True).lobby().choose("othello", against="friends", name="Host"), visit(language="zh")
    guest.page.goto(host.page.input_value(".invite input"))
    guest.page.wait_for_selector(".room .board")
    for one in (host, guest):
        one.page.locator("#tab-chat").click()
    guest.page.get_by_placeholder("输入消息").fill("讨厌")
    guest.page.keyboard.press("Enter")
    about = host.page.locator(".chat ul button.name")
    about.wait_for()
    assert host.barriers() == []
    about.press("Enter")
    assert host.barriers() == []
    host.page.get_by_role("button", name="Mute", exact=True).press("Enter")
    host.page.get_by_role("button", name="Unmute").wait_for()
    assert guest.page.get_by_placeholder("已禁言").is_disabled()
    host.page.get_by_label("Reason").select_option("spam")
    host.page.get_by_role("button", name="Report", exact=True).press("Enter")
    host.page.locator("dialog [role=status]:has-text('has been sent')").wait_for()
    host.page.get_by_role("button", name="Remove from the room").press("Enter")
    host.page.locator("dialog").wait_for(state="detached")
    assert host.page.locator(".people").count() == 0
    guest.page.locator(".chat ul button.name").wait_for(state="detached")   # their own line


@pytest.mark.slow
def test_a_rated_game_needs_accounts(visit: Visit) -> None:
    """Who has none is told so; two who have one play, and the lobby calls it rated."""
    host, guest = visit(), visit(language="zh")
    host.lobby()
    host.page.goto(f"{host.address}/play/tic_tac_toe")
    host.page.locator("dialog input[value=friends]").check(force=True)
    rated = host.page.get_by_label("Rated: all players need an account")
    assert rated.is_disabled() and "Log in to play rated games" in host.page.inner_text("dialog")
    host.page.keyboard.press("Escape")
    account(host, kind="new", name="Grace", password="nanoseconds")
    host.page.locator("nav bdi:text('Grace')").wait_for()
    host.page.goto(f"{host.address}/play/tic_tac_toe")
    host.page.locator("dialog input[value=friends]").check(force=True)
    assert host.page.locator("dialog input[autocomplete=nickname]").input_value() == "Grace"
    rated.check()
    host.page.locator("dialog button.go").click()
    link = host.page.input_value(".invite input")
    host.page.wait_for_selector("[data-seat='0'] .tag")
    assert "rated" in host.page.inner_text(".status")
    guest.page.goto(link)
    guest.page.get_by_role("button", name="坐下").click()
    guest.page.locator(".notice:has-text('都已注册')").wait_for()
    account(guest, kind="new", name="Tony", password="nullpointer")
    guest.page.locator("nav bdi:text('Tony')").wait_for()
    guest.page.get_by_role("button", name="坐下").click()
    host.page.get_by_role("button", name="Start the game").click()
    host.page.get_by_role("button", name="Autoplay").click()
    host.page.locator("dialog:has-text('you lose it now')").wait_for()   # it is said before
    host.page.get_by_role("button", name="Cancel").click()
    while host.await_turn():
        host.move()
        if guest.await_turn():
            guest.move()
    assert host.page.get_by_role("button", name="Hint").count() == 0
    assert any(row["name"] == "Grace" for row in host.page.evaluate(
        "fetch('/api/ratings?game=tic_tac_toe').then(answer => answer.json())"))
