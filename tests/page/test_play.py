"""Every game is played in the browser, in every way, and looks right from every seat."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from boyi.games import find_game
from boyi.kit.ladder import find_ladder
from boyi.server import heartbeat
from boyi.server.protocol import messages
from boyi.server.protocol.parts import ClockRule
from boyi.server.rooms import telling
from tests.page import GAMES
from tests.page.conftest import Visit
from tests.scale import SLOW, SOAK, scaled, some_of
from tests.server import Table


def play(visitor: Any, moves: int) -> None:
    for _ in range(moves):
        if not visitor.await_turn():
            return
        visitor.move()


WAYS = {"mouse": "sixth", "touch": "chinese_checkers", "keyboard": "jieqi"}
"""Every day each way is tried with one game; before a merge with all."""


@pytest.mark.parametrize(("way", "game"), [
    pytest.param(way, game, marks=() if game == daily else pytest.mark.slow)
    for way, daily in WAYS.items() for game in GAMES])
def test_every_game_is_played_in_every_way(visit: Visit, game: str, way: str) -> None:
    one = visit(way=way, size=(390, 844) if way == "touch" else (1280, 800)).lobby()
    one.choose(game, rules={"turn_limit": TURNS} if SOAK and game == "chinese_checkers" else None)
    play(one, scaled(200) // 5)
    finish(one)
    if one.await_turn():
        one.touch(one.page.get_by_role("button", name="Resign", exact=True))
        one.touch(one.page.locator("dialog button.main"))
        one.page.wait_for_selector(".room[data-phase=finished]")
    assert "—" in one.page.inner_text(".status")


def test_a_whole_game_by_mouse(visit: Visit) -> None:
    one = visit().lobby().choose("tic_tac_toe")
    while one.await_turn():
        one.move()
    assert re.match("You (won|lost)|Draw", one.page.inner_text(".status"))
    one.page.get_by_role("button", name="Rematch").click()
    one.page.wait_for_selector(".room[data-phase=playing]")


def test_a_level_shows_its_name(visit: Visit) -> None:
    ladder = find_ladder(find_game("othello"))
    for language in ("en", "zh"):
        one = visit(language=language).lobby()
        one.page.locator("[data-game=othello]").first.click()
        slider = one.page.locator("dialog input[type=range]")
        assert slider.get_attribute("max") == str(len(ladder))
        for level in (1, 3, len(ladder)):
            slider.fill(str(level))
            shown = slider.locator("xpath=preceding-sibling::span").inner_text().split()
            assert shown[1:] == [str(level), *ladder.title(level).say(language).split()], shown
            meaning = ladder.meaning(level)
            assert meaning is None or meaning.say(language) in one.page.inner_text("#level-help")
            assert one.page.locator("dialog fieldset").count() == (level == len(ladder))   # seconds for a move
        one.page.locator("dialog select").first.select_option("evaluator:classic")
        assert slider.count() == 0 and one.page.locator("dialog fieldset").count() == 1


def test_an_opponent_is_met_by_its_name(visit: Visit) -> None:
    one = visit(language="en").lobby()
    one.page.locator("[data-game=liuzhou]").first.click()
    one.page.locator("dialog select").first.select_option("net:liuzhou")
    one.page.get_by_role("button", name="Start").click()
    one.page.wait_for_selector(".room[data-phase=playing]")
    assert "network liuzhou" in one.page.inner_text(".room")


TURNS = 15
"""Of each player in a whole game of Chinese checkers, which would else take hours; it then ends as it stands."""


@pytest.mark.parametrize(("game", "players"), [
    *(pytest.param(game, None, marks=() if game == "jieqi" else pytest.mark.slow)
      for game in GAMES if game != "chinese_checkers"),
    *(pytest.param("chinese_checkers", count, marks=() if count == 3 else pytest.mark.slow)
      for count in range(2, 7))])
def test_every_seat_is_at_the_bottom_for_its_player(visit: Visit, game: str, players: int | None) -> None:
    """Sat in, seen the right way round and moved once; under soak, played to the end."""
    one = visit()
    for seat in range(players or (3 if game == "sixth" else 2)):
        rules = {"turn_limit": TURNS} if SOAK and game == "chinese_checkers" else None
        one.lobby().choose(game, players=players, seat=seat, rules=rules)
        one.await_turn()
        card = one.page.locator(f"[data-seat='{seat}']").bounding_box()
        others_cards = [one.page.locator(f"[data-seat='{other}']").bounding_box()
                        for other in range(players or (3 if game == "sixth" else 2)) if other != seat]
        assert card is not None and all(other is not None and other["y"] < card["y"] for other in others_cards)
        if game in ("othello", "liuzhou"):   # where nobody has a side of the board, only the card is below
            one.move()
            finish(one)
            continue
        mine = set(one.page.eval_on_selector_all(".point.start", "all => all.map(one => one.dataset.point)"))
        glyphs = {glyph for point, glyph in one.stones().items() if point in mine}
        others = {glyph for glyph in one.stones().values() if glyph not in glyphs}
        if game in ("xiangqi", "jieqi"):   # capitals are the first player's
            glyphs = {glyph for glyph in one.stones().values() if glyph.isupper() == (seat == 0)}
            others = {glyph for glyph in one.stones().values() if glyph.isupper() != (seat == 0)}
        lowest = max(one.height(glyph) for glyph in others)
        assert max(one.height(glyph) for glyph in glyphs) > lowest, (game, players, seat)
        one.move()
        # Turned coordinates, upright words: nothing on the board is rotated.
        assert one.page.locator(".room .board [transform*=rotate]:not(ellipse)").count() == 0
        finish(one)


def finish(one: Any) -> None:
    """Under soak, play the game to its end."""
    while SOAK and one.await_turn():
        one.move()


def test_a_piece_can_be_dragged(visit: Visit) -> None:
    one = visit().lobby().choose("xiangqi")
    one.await_turn()
    start, end = (one.page.locator(f"[data-point={name}]").bounding_box() for name in ("h2", "e2"))
    assert start and end
    one.page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    one.page.mouse.down()
    one.page.mouse.move(end["x"] + end["width"] / 2, end["y"] + 5, steps=4)
    one.page.mouse.up()
    one.page.wait_for_function("() => Number(document.querySelector('.room').dataset.plies) >= 1")
    assert one.stones()["e2"] == "C" and "h2" not in one.stones()


def test_escape_drops_a_piece_that_was_chosen_by_mouse(visit: Visit) -> None:
    one = visit().lobby().choose("xiangqi")
    one.await_turn()
    one.page.locator("[data-point=h2]").click()
    one.page.wait_for_selector("[data-point=h2][aria-pressed=true]")
    one.page.evaluate("document.activeElement.blur()")
    one.page.keyboard.press("Escape")
    one.page.wait_for_selector("[data-point=h2][aria-pressed=false]")


WATCH = """() => {
  window.seen = [];
  const look = () => {
    for (const piece of document.querySelectorAll(".room .piece")) {
      for (const animation of piece.getAnimations()) {
        const frames = animation.effect.getKeyframes();
        if (!animation.noted) {
          animation.noted = true;
          window.seen.push({from: piece.dataset.stone, length: animation.effect.getTiming().duration,
            places: frames.filter(frame => frame.transform.endsWith("scale(1)")).map(
              frame => frame.transform.match(/-?[0-9.]+(?=px)/g).map(Number))});
        }
      }
    }
    requestAnimationFrame(look);
  };
  look();
}"""


def test_what_is_seen_to_move_is_the_path(visit: Visit) -> None:
    """A hop of several legs rests on every landing, 300 ms a leg and 100 ms each rest."""
    one = visit(still=False).lobby().choose("chinese_checkers", against="watch")
    one.page.evaluate(WATCH)
    one.page.wait_for_function("() => window.seen.some(one => one.length > 400) && window.seen.length > 3")
    seen: list[Any] = one.page.evaluate("window.seen")
    points: dict[str, Any] = dict(one.page.eval_on_selector_all(
        ".point", "all => all.map(one => [one.dataset.point, "
                  "one.getAttribute('transform').match(/-?[0-9.]+/g).map(Number)])"))
    paths = {tuple(text.split("-")) for text in one.page.locator(".moves li bdi").all_inner_texts()}
    names = {tuple(round(value, 3) for value in place): name for name, place in points.items()}
    for travel in seen:
        way: list[str] = []
        for place in travel["places"]:
            name = names[tuple(round(value, 3) for value in place)]
            if not way or way[-1] != name:
                way.append(name)
        assert travel["length"] == 400 * (len(way) - 1)
        assert tuple(way) in paths, (way, paths)


def test_the_last_move_of_each_player_is_shown_again(visit: Visit) -> None:
    one = visit(still=False).lobby().choose("chinese_checkers", players=3)
    one.await_turn()
    one.move()
    one.page.wait_for_function("() => Number(document.querySelector('.room').dataset.plies) >= 3")
    one.await_turn()
    now = one.stones()
    texts = one.page.locator(".moves li bdi").all_inner_texts()
    for seat in range(3) if SLOW else (1,):   # it takes as long as it is seen
        one.page.evaluate(WATCH)
        one.page.locator(f"[data-seat='{seat}'] .replay").click()
        one.page.wait_for_function("() => window.seen.length === 1")
        assert one.page.evaluate("window.seen[0].from") == texts[seat].split("-")[0]
        one.page.wait_for_selector(".room[data-mine]")
        one.rest()
        one.page.wait_for_timeout(900)
        assert one.stones() == now


@pytest.mark.parametrize(("way", "language", "players"), [
    ("keyboard", "en", 2), pytest.param("touch", "zh", 6, marks=pytest.mark.slow),
    pytest.param("touch", "en", 2, marks=pytest.mark.slow), pytest.param("keyboard", "zh", 3, marks=pytest.mark.slow)])
def test_every_player_has_a_button_for_their_last_move(visit: Visit, way: str, language: str, players: int) -> None:
    """It can be seen, named, reached by Tab and touched by a finger; before the first move there is nothing to show."""
    one = visit(way=way, language=language, size=(360, 740) if way == "touch" else (1280, 800), still=False)
    one.lobby().choose("chinese_checkers", players=players)
    one.await_turn()
    buttons = one.page.locator(".seat .replay")
    assert buttons.count() == players
    mine = one.page.locator(".seat.mine .replay")
    assert mine.is_disabled()
    one.move()
    one.page.wait_for_function("players => Number(document.querySelector('.room').dataset.plies) >= players",
                               arg=players)
    one.await_turn()
    one.rest()
    for number in range(players):
        button = buttons.nth(number)
        assert button.is_visible() and button.is_enabled()
        box = button.bounding_box()
        assert box is not None and min(box["width"], box["height"]) >= 24, box   # as WCAG 2.2 has it
        said = str(button.get_attribute("aria-label"))
        name = one.page.locator(".seat .name bdi").nth(number).inner_text()
        assert said == {"en": f"Replay the last move of {name}", "zh": f"重播 {name} 的上一步"}[language]
    assert one.page.evaluate("document.documentElement.scrollWidth") <= (360 if way == "touch" else 1280)
    one.page.evaluate(WATCH)
    if way == "keyboard":
        for _ in range(50):   # by Tab alone
            one.page.keyboard.press("Tab")
            if one.page.evaluate("document.activeElement.matches('.seat .replay')"):
                break
        one.page.keyboard.press("Enter")
    else:
        buttons.first.tap()
    one.page.wait_for_function("() => window.seen.length === 1")   # it goes its way once more


def test_any_move_can_be_looked_at_and_back_to_the_game(visit: Visit) -> None:
    one = visit().lobby().choose("othello")
    known = [one.stones()]
    for _ in range(3):
        one.await_turn()
        one.move()
        one.await_turn()
        known.append(one.stones())
    for reloaded in (False, True):
        if reloaded:
            one.page.reload()
            one.await_turn()
            one.page.wait_for_selector(".moves li button:enabled")
        for turn in (0, 1, 2):
            if turn:
                one.page.locator(".moves li button").nth(2 * turn - 1).click()
            else:
                one.page.get_by_role("button", name="First move").click()
            assert one.stones() == known[turn]
            assert one.page.locator(".room[data-mine]").count() == 0, "the past cannot be changed"
        one.page.keyboard.press("End")
        assert one.await_turn() and one.stones() == known[3]


def test_hand_over_and_take_back(visit: Visit) -> None:
    one = visit().lobby().choose("chinese_checkers")
    one.await_turn()
    one.page.get_by_role("button", name="Autoplay").click()
    one.page.wait_for_function("() => Number(document.querySelector('.room').dataset.plies) >= 6")
    assert "autoplay" in one.page.inner_text("[data-seat='0']")
    one.page.get_by_role("button", name="Take over again").click()
    one.page.get_by_role("button", name="Autoplay").wait_for()
    assert one.await_turn()
    before = one.plies
    one.move()
    assert one.plies > before


def test_a_move_is_taken_back(visit: Visit) -> None:
    one = visit().lobby().choose("xiangqi")
    one.await_turn()
    start = one.stones()
    one.move()
    one.page.wait_for_function("() => Number(document.querySelector('.room').dataset.plies) >= 2")
    one.await_turn()
    one.page.get_by_role("button", name="Takeback").click()
    one.page.wait_for_selector(".room[data-plies='0'][data-mine]")
    assert one.stones() == start


def test_a_cut_line_and_a_reload_lose_nothing(visit: Visit) -> None:
    one = visit().lobby().choose("othello")
    one.await_turn()
    one.move()
    one.await_turn()
    before, plies = one.stones(), one.plies
    one.page.reload()
    assert one.await_turn() and one.stones() == before and one.plies == plies
    one.page.context.set_offline(True)
    one.page.evaluate("() => 0")
    one.page.context.set_offline(False)
    one.move()
    assert one.plies > plies


@pytest.mark.slow
def test_a_line_that_is_cut_for_long_is_taken_up_again(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing comes through in either direction until the server has given up on the player, and then some."""
    one = visit()
    whole = [True]

    def relay(socket: Any) -> None:
        if not whole[0]:
            socket.close()
            return
        server = socket.connect_to_server()
        socket.on_message(lambda message: server.send(message) if whole[0] else None)
        server.on_message(lambda message: socket.send(message) if whole[0] else None)

    one.page.route_web_socket("**/ws", relay)
    one.page.clock.install()
    monkeypatch.setattr(heartbeat, "PING_SECONDS", 0.2)
    one.lobby().choose("othello", against="friends", name="Ada")
    other = visit()
    other.page.goto(one.page.url)
    other.page.get_by_role("button", name="Sit here").click()
    one.page.get_by_role("button", name="Start the game").click()
    assert one.await_turn()
    one.move()
    other.await_turn()
    whole[0] = False
    monkeypatch.setattr(heartbeat, "DEAD_SECONDS", 0.8)   # a few pings without an answer are enough
    other.page.locator("[data-seat='0']:has-text('away')").wait_for()
    monkeypatch.undo()
    other.move()
    one.page.clock.run_for(21_000)   # silence is noticed
    one.page.get_by_text("Connection lost").wait_for()
    assert one.plies == 1, "what was played meanwhile is not known yet"
    whole[0] = True
    one.page.clock.run_for(20_000)
    one.page.wait_for_selector(".room[data-plies='2'][data-mine]")
    assert one.stones() == other.stones()
    other.page.wait_for_selector("[data-seat='0']:not(:has-text('away'))")
    one.move()
    other.page.wait_for_selector(".room[data-plies='3']")
    assert one.stones() == other.stones()


def test_clocks_show_the_time_of_the_room(visit: Visit) -> None:
    """Which stands still while the server does, and begins anew when a turn is told."""
    table = Table("othello", clock=ClockRule(600_000)).seat("ada", "bob")
    began = table.now
    sockets: list[Any] = []
    heard: list[str] = []

    def serve(socket: Any) -> None:
        def hear(message: str) -> None:
            heard.append(json.loads(message)["type"])
            if heard[-1] == "hello":
                sockets.append(socket)
                socket.send(messages.encode(messages.Welcome("table", None, None, table.room.seq, table.now)))
                socket.send(messages.encode(messages.Room(telling.view(table.room, None))))
        socket.on_message(hear)

    one = visit()
    one.page.route_web_socket("**/ws", serve)
    one.page.clock.install(time=0)
    one.page.clock.pause_at(1_000)   # from here on time passes only as it is told to
    one.page.goto(f"{one.address}/room/table")
    one.page.wait_for_selector(".room[data-phase=playing]")

    def shown(after_ms: int) -> list[str]:
        one.page.clock.run_for(after_ms)
        return [one.page.locator(f"[data-seat='{seat}'] [role=timer]").inner_text() for seat in range(2)]

    assert shown(400) == ["10:00", "10:00"]
    assert shown(5_000) == ["9:55", "10:00"]
    sockets[-1].send(messages.encode(messages.Ping(1, began + 1_000)))   # it has stood still for four seconds
    while heard[-1] != "pong":
        one.page.wait_for_timeout(10)
    assert shown(400) == ["9:59", "10:00"]
    table.now += 7_000
    table.play("f5")
    sockets[-1].send(table.told[None][-1])
    one.page.wait_for_selector(".room[data-plies='1']")
    assert shown(2_400) == ["9:53", "9:58"]


def test_two_browsers_play_each_other(visit: Visit) -> None:
    host = visit().lobby().choose("xiangqi", against="friends", name="Ada")
    link = host.page.input_value(".invite input")
    host.page.wait_for_selector("[data-seat='0'] .tag")
    host.page.wait_for_selector(".invite svg[role=img] path[d^=M]")   # the QR code is loaded late
    guest = visit(language="zh", size=(360, 640))
    guest.page.goto(link)
    guest.page.get_by_role("button", name="坐下").click()
    host.page.get_by_role("button", name="Start the game").click()
    guest.page.wait_for_selector(".room[data-phase=playing]")
    assert guest.page.locator(".notice").count() == 0   # who joins has not been away
    for turn in range(6):
        mover, other = (host, guest) if turn % 2 == 0 else (guest, host)
        assert mover.await_turn()
        mover.move()
        other.page.wait_for_selector(f".room[data-plies='{turn + 1}']")
        assert mover.stones() == other.stones()
    guest.page.get_by_role("tab", name="聊天").click()
    guest.page.locator(".chat input").fill("好棋！")
    guest.page.get_by_role("button", name="发送").click()
    host.page.get_by_role("tab", name="Chat").click()
    host.page.get_by_text("好棋！").wait_for()
    guest.page.get_by_role("button", name="提和").click()
    host.page.get_by_role("button", name="Decline").click()
    guest.page.locator(".notice", has_text="Ada 不同意和棋").wait_for()
    assert host.await_turn()
    host.move()
    guest.await_turn()
    guest.page.get_by_role("button", name="提和").click()
    host.page.get_by_role("button", name="Accept").click()
    guest.page.wait_for_selector(".room[data-phase=finished]")
    assert guest.page.inner_text(".status").startswith("和棋")


HOSTILE = ("<img src=x onerror=alert(1)>", "\u0645\u0631\u062d\u0628\u0627 \u0628\u0643", "👩‍👩‍👧‍👦𠮷😀",
           "{{7*7}}${1}</script>")


@pytest.mark.parametrize("name", some_of(HOSTILE, 4))
def test_strange_names_are_only_shown(visit: Visit, name: str) -> None:
    host = visit().lobby().choose("othello", against="friends", name=name[:24])
    shown = host.page.locator("[data-seat='0'] .name bdi")
    host.page.wait_for_selector("[data-seat='0'] .tag")
    assert shown.inner_text() == name[:24]
    host.page.get_by_role("tab", name="Chat").click()
    host.page.locator(".chat input").fill(name)
    host.page.get_by_role("button", name="Send").click()
    host.page.locator(".chat li").wait_for()
    assert name in host.page.inner_text(".chat li")
    other = visit().lobby()
    other.page.wait_for_selector(".list a")
    assert name[:24] in other.page.inner_text(".list")
    assert host.page.locator("main img").count() == other.page.locator("main img").count() == 0


def test_a_page_never_holds_a_covered_identity(visit: Visit) -> None:
    """What comes over the wire, stands in the document or is stored, until the game is over and the seed is told."""
    one = visit()
    frames: list[str] = []
    one.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))))
    one.lobby().choose("jieqi")
    for _ in range(4):
        one.await_turn()
        one.move()
    one.await_turn()
    covered = [glyph for glyph in one.stones().values() if glyph in "Xx"]
    assert len(covered) > 20
    shown = one.page.content() + one.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    heard = "".join(frames)
    one.page.get_by_role("button", name="Resign", exact=True).click()
    one.page.locator("dialog button.main").click()
    one.page.wait_for_selector(".room[data-phase=finished]")
    ended = next(frame for frame in frames if '"kind":"ended"' in frame)
    seed = re.search('"seed":"([0-9a-f]{64})"', ended)
    assert seed is not None and seed[1] not in heard and seed[1] not in shown
    assert '"truth":{' not in heard


def test_the_page_obeys_its_own_policy(visit: Visit, address: str) -> None:
    """No style or script is written into the page: the policy would refuse it, and the console would say so."""
    one = visit()
    response = one.page.goto(address + "/")
    assert response is not None
    policy = response.headers["content-security-policy"]
    assert "unsafe" not in policy and "default-src 'none'" in policy
    one.lobby().choose("liuzhou")
    one.await_turn()
    one.move()


def test_it_fits_a_small_phone(visit: Visit) -> None:
    one = visit(size=(360, 640), language="zh", way="touch")
    for start in (one.lobby, lambda: one.choose("xiangqi")):
        start()
        assert one.page.evaluate("document.documentElement.scrollWidth") <= 360
    board = one.page.locator(".room .board").bounding_box()
    assert board is not None and board["y"] + board["height"] < 640


READ_DAILY = ("lobby", "new game", "analysis", "moves")
"""Where barriers are looked for every day: a page, a dialog, a board that is studied and one that is played on."""


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_everybody_can_read_every_page(visit: Visit, language: str) -> None:
    one = visit(language=language, bypass_csp=True)
    problems: list[Any] = []

    def check(where: str) -> None:
        if SLOW or where in READ_DAILY:
            problems.extend([where, *barrier] for barrier in one.barriers())

    one.lobby()
    check("lobby")
    one.page.locator("[data-game=jieqi]").click()
    one.page.locator("dialog details summary").click()
    check("new game")
    one.page.keyboard.press("Escape")
    one.page.locator("nav button").last.click()
    check("settings")
    one.page.goto(one.address + "/rules/liuzhou")
    one.page.wait_for_selector("article h2")
    check("rules")
    one.page.keyboard.press("Escape")
    one.page.locator("nav button").nth(1).click()
    check("account")
    one.page.goto(one.address + "/analysis/jieqi")
    one.page.wait_for_selector(".study .analysis ol")
    one.page.locator("[data-point=b2]").click()
    one.page.locator("[data-point=e2]").click()
    one.page.wait_for_selector("dialog .chance")
    check("what turned up")
    one.page.locator("dialog .chance button").first.click()
    one.page.wait_for_selector(".study[data-plies='1'] .analysis ol")
    check("analysis")
    for number, name in enumerate(("editor", "records", "other rules")):
        one.page.locator(".tools button").nth(number).click()
        one.page.wait_for_selector(".editor" if number == 0 else "dialog")
        check(name)
        if number == 0:
            one.page.locator(".editor .buttons button").last.click()
        else:
            one.page.keyboard.press("Escape")
    one.lobby().choose("othello", against="friends")
    one.page.wait_for_selector("[data-seat='0'] .tag")
    check("waiting")
    one.lobby().choose("jieqi")
    one.await_turn()
    one.move()
    one.await_turn()
    for tab in ("moves", "chat", "info"):
        one.page.locator(f"#tab-{tab}").click()
        check(tab)
    assert problems == []
