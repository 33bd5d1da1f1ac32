"""A board with drama: what is seen, heard and felt in a room, and that it fits a phone.

Most rooms here have no server: a `Table` of the tests answers at the other end of the socket, so that every move is
known.
"""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

import pytest

from boyi.core.board import Stone
from boyi.games import find_game
from boyi.games.chinese_checkers.board import COLOURS
from boyi.server.protocol import messages
from boyi.server.protocol.parts import ClockRule
from boyi.server.protocol.refusals import Refusal
from boyi.server.rooms import EngineAnswer, Identity, asking, telling
from tests.page import Visitor
from tests.page.conftest import Visit
from tests.page.test_analysis import settle, study
from tests.server import Table

CHECK = ("h2e2", "d9e8", "e2e6")
"""A cannon takes the pawn in the middle and gives check across the advisor."""

SOUNDS = """() => {
  window.heard = 0;
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (...rest) { window.heard += 1; return start.apply(this, rest); };
}"""


class Served:
    """A table, served to one person's page; the others move as they are told to."""

    def __init__(self, one: Visitor, table: Table, person: str | None = "ada") -> None:
        self.one, self.table, self.person = one, table, person
        self.socket: Any = None
        self.told = 0
        one.page.route_web_socket("**/ws", self._serve)
        one.page.goto(f"{one.address}/room/table")
        one.page.wait_for_selector(".room .board .point")

    @property
    def viewer(self) -> int | None:
        return self.table.room.viewer(self.person)

    def _serve(self, socket: Any) -> None:
        socket.on_message(lambda text: self._hear(socket, messages.decode_from_client(text)))

    def _hear(self, socket: Any, message: Any) -> None:
        room = self.table.room
        match message:
            case messages.Hello():
                self.socket = socket
                welcome = messages.Welcome("table", self.person, self.viewer, room.seq, self.table.now)
                socket.send(messages.encode(welcome))
                socket.send(messages.encode(messages.Room(telling.view(room, self.viewer))))
                self.told = len(self.table.told[None])
                self._turn()
            case messages.AskHistory(id=number):
                text = None
                while text is None:
                    text = telling.history(room, number, self.viewer)
                socket.send(text)
            case messages.Request(id=number) if self.person is not None:
                by = Identity(self.person, self.person.title(), False, "page")
                try:
                    decision = self.table.commit(room.decide(message, self.table.moment(), by))  # type: ignore[arg-type]
                except Refusal as refusal:
                    socket.send(messages.encode(messages.nack(refusal, id=number)))
                    return
                self.tell()
                socket.send(messages.encode(messages.Ack(number, decision.seq)))

    def _turn(self) -> None:
        turn = telling.turn(self.table.room, self.viewer)
        if turn is not None:
            self.socket.send(messages.encode(turn))

    def tell(self) -> None:
        """What has happened at the table since."""
        texts = self.table.told[self.viewer]
        for text in texts[self.told:]:
            self.socket.send(text)
        self.told = len(texts)
        self._turn()

    def play(self, *moves: str) -> None:
        """Moves of whoever is to move."""
        for move in moves:
            self.table.play(move)
        self.tell()
        self.one.page.wait_for_selector(f".room[data-plies='{len(self.table.room.refereed.log)}']")


def captured(one: Visitor, seat: int) -> str:
    label = one.page.locator(f"[data-seat='{seat}'] .taken").get_attribute("aria-label")
    return label or ""


# ---------------------------------------------------------------------- playing


def test_a_premove_a_capture_a_check_and_the_end(visit: Visit) -> None:
    one = visit()
    one.page.add_init_script(f"({SOUNDS})()")
    served = Served(one, Table("xiangqi").seat("ada", "bob"))
    assert one.page.locator(".notice").count() == 0
    one.page.locator("[data-point=h2]").click()
    one.page.locator("[data-point=e2]").click()
    one.page.wait_for_selector(".room[data-plies='1']:not([data-mine])")
    # 1. While the other thinks a move is chosen ahead, by hand, and taken back by Escape and by the right button.
    for cancel in ("Escape", "right", ""):
        one.page.locator("[data-point=e2]").click()
        one.page.locator("[data-point=e2][aria-pressed=true]").wait_for()
        one.page.locator("[data-point=e6]").click()
        one.page.wait_for_selector("[data-premove=e2-e6]")
        if cancel == "Escape":
            one.page.keyboard.press("Escape")
        elif cancel == "right":
            one.page.locator("[data-point=a5]").click(button="right")
        if cancel:
            one.page.wait_for_selector("[data-premove]", state="detached")
    assert len(served.table.room.refereed.log) == 1, "nothing is sent before it is our turn"
    # 2. It is played when it is legal; the king is seen to be in check, and what was taken stands beside who took it.
    before = one.page.evaluate("window.heard")
    served.play("d9e8")
    one.page.wait_for_selector(".room[data-plies='3']")
    assert one.page.locator("[data-check]").get_attribute("data-check") == "e9"
    assert "Check" in one.page.inner_text(".status")
    assert "black soldier" in captured(one, 0) and one.page.locator("[data-seat='1'] .taken").count() == 0
    assert one.page.locator("[data-seat='0'] .tally").inner_text() == "+1"
    assert one.page.evaluate("window.heard") > before, "sounds are on by default, after the first click"
    # 3. One switch for all sounds.
    one.page.get_by_role("button", name="Sound is on").click()
    before = one.page.evaluate("window.heard")
    served.play("e9d9")
    assert one.page.locator("[data-check]").count() == 0 and one.page.evaluate("window.heard") == before
    # 4. What is not legal then is not played.
    one.await_turn()
    one.page.locator("[data-point=a0]").click()
    one.page.locator("[data-point=a1]").click()
    one.page.wait_for_selector(".room[data-plies='5']")
    one.page.locator("[data-point=e6]").click()
    one.page.locator("[data-point=b5]").click()
    one.page.wait_for_selector("[data-premove=e6-b5]")
    served.play("a9a8")
    assert one.await_turn() and one.page.locator("[data-premove]").count() == 0
    # 5. The end is a moment.
    served.table.do("bob", messages.Resign)
    served.tell()
    one.page.wait_for_selector(".told.final[data-mood=won]")
    assert one.page.inner_text(".final .who") == "You won" and "resign" in one.page.inner_text(".final .how")
    assert [button.strip() for button in one.page.locator(".after button").all_inner_texts()] == [
        "Review the game", "Rematch", "Share", "New game"]
    one.page.locator(".after button").last.click()
    one.page.locator("dialog input[type=range]").wait_for()


def test_a_dragged_premove_and_one_of_a_single_point(visit: Visit) -> None:
    one = visit()
    served = Served(one, Table("xiangqi").seat("bob", "ada"))
    start, end = (one.page.locator(f"[data-point={name}]").bounding_box() for name in ("h9", "g7"))
    assert start and end
    one.page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    one.page.mouse.down()
    one.page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)
    one.page.mouse.up()
    one.page.wait_for_selector("[data-premove=h9-g7]")
    served.play("h2e2")
    one.page.wait_for_selector(".room[data-plies='2']")
    assert one.stones()["g7"] == "n"
    discs = Served(visit(), Table("othello").seat("bob", "ada"))
    discs.one.page.locator("[data-point=d6]").click()
    discs.one.page.wait_for_selector("[data-premove=d6]")
    discs.play("f5")
    discs.one.page.wait_for_selector(".room[data-plies='2']")
    assert [discs.one.page.locator(f"[data-seat='{seat}'] .tally").inner_text() for seat in (0, 1)] == ["3", "3"]


def test_no_animation_keeps_a_player_waiting(visit: Visit) -> None:
    served = Served(visit(still=False), Table("xiangqi").seat("bob", "ada"))
    page = served.one.page
    served.table.play("h2e2")
    served.tell()
    page.wait_for_selector(".board[data-playing]")
    page.locator("[data-point=h9]").click()
    page.locator("[data-point=g7]").click()
    page.wait_for_selector(".room[data-plies='2']")
    assert served.one.stones()["g7"] == "n"


@pytest.mark.parametrize(("language", "words"), [
    ("en", "Computer declines: it is too early"), ("zh", "电脑认为现在求和为时尚早")])
def test_the_computer_answers_to_a_draw(visit: Visit, language: str, words: str) -> None:
    served = Served(visit(language=language), Table("xiangqi").seat("ada", 1))
    page = served.one.page
    page.locator("button.act").nth(2).click()
    page.wait_for_selector("button.act:nth-child(3):disabled")
    [offer] = asking.draws_to_consider(served.table.room)
    served.table.internal(EngineAnswer(*offer, "early"))
    served.tell()
    page.locator(".notice", has_text=words).wait_for()
    # What is said stands beside the board and not on it.
    board, notice = (page.locator(name).bounding_box() for name in (".room .board", ".notice"))
    assert board and notice and notice["x"] >= board["x"] + board["width"]
    page.locator("button.act:nth-child(3):not(:disabled)").wait_for()


def test_who_moves_on_has_declined(visit: Visit) -> None:
    served = Served(visit(), Table("xiangqi").seat("bob", "ada"))
    served.one.page.get_by_role("button", name="Offer draw").click()
    served.one.page.wait_for_selector("button.act:nth-child(3):disabled")
    served.play("h2e2")
    served.one.page.locator(".notice", has_text="Bob declines the draw").wait_for()


def test_a_real_computer_considers_a_draw(visit: Visit) -> None:
    one = visit(language="zh").lobby().choose("xiangqi")
    one.await_turn()
    one.page.get_by_role("button", name="提和").click()
    one.page.locator(".notice", has_text="为时尚早").wait_for()


def test_a_game_is_left_and_is_still_there(visit: Visit) -> None:
    served = Served(visit(), Table("xiangqi").seat("ada", "bob"))
    page = served.one.page
    page.get_by_role("button", name="Leave").click()
    page.get_by_role("button", name="Keep playing").click()
    page.get_by_role("button", name="Leave").click()
    page.locator("dialog button.main").click()
    page.wait_for_selector(".card .board")
    assert served.table.room.state.phase == "playing"


def test_a_clock_that_runs_low_is_felt(visit: Visit) -> None:
    one = visit()
    one.page.add_init_script(f"({SOUNDS})()")
    served = Served(one, Table("othello", clock=ClockRule(20_500)).seat("ada", "bob"))
    one.page.locator(".room .board").click(position={"x": 5, "y": 5})
    one.page.wait_for_selector("[data-seat='0'] .clock.low")
    assert one.page.locator(".urgent").count() == 0
    served.socket.send(messages.encode(messages.Ping(1, served.table.now + 11_500)))
    one.page.wait_for_selector("[data-seat='0'].urgent .clock")
    heard = one.page.evaluate("window.heard")
    one.page.wait_for_function(f"() => window.heard > {heard}")
    assert one.page.locator("[data-seat='1'].urgent").count() == 0


# ---------------------------------------------------------------------- what is drawn


def test_the_last_move_a_hint_and_arrows_have_colours_of_their_own(visit: Visit) -> None:
    one = visit().lobby().choose("xiangqi")
    one.await_turn()
    one.move()
    one.page.wait_for_function("() => Number(document.querySelector('.room').dataset.plies) >= 2")
    one.await_turn()
    one.page.get_by_role("button", name="Hint").click()
    one.page.wait_for_selector(".arrow.hint")
    one.page.locator("[data-point=e4]").click(button="right")
    one.page.wait_for_selector("[data-drawn=e4-e4]")
    colours = [one.page.eval_on_selector(name, "one => getComputedStyle(one).stroke")
               for name in (".arrived", ".arrow.hint", ".drawn")]
    one.page.goto(one.address + "/analysis/xiangqi")
    one.page.wait_for_selector(".arrow:not(.hint)")
    colours.append(one.page.eval_on_selector(".arrow", "one => getComputedStyle(one).stroke"))
    assert len(set(colours)) == 4, colours


def test_what_is_drawn_is_kept_with_the_variation(visit: Visit) -> None:
    one = study(visit(), "othello")
    page = one.page

    def drawn() -> list[str]:
        return [str(each.get_attribute("data-drawn")) for each in page.locator("[data-drawn]").all()]

    def drag(start: str, end: str) -> None:
        boxes = [page.locator(f"[data-point={name}]").bounding_box() for name in (start, end)]
        assert boxes[0] and boxes[1]
        page.mouse.move(boxes[0]["x"] + 20, boxes[0]["y"] + 20)
        page.mouse.down(button="right")
        page.mouse.move(boxes[1]["x"] + 20, boxes[1]["y"] + 20, steps=3)
        page.mouse.up(button="right")

    page.locator("[data-point=f5]").click()
    settle(one, 1)
    drag("d6", "f6")
    page.locator("[data-point=a1]").click(button="right")
    assert drawn() == ["d6-f6", "a1-a1"]
    page.locator("[data-point=d6]").click()
    settle(one, 2)
    assert drawn() == []
    # By keys, too: C a circle, A twice an arrow.
    page.locator(".point[tabindex='0']").focus()
    page.keyboard.press("c")
    page.keyboard.press("a")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("a")
    assert drawn() == ["d6-d6", "d6-e6"]
    page.reload()
    settle(one, 2)
    assert drawn() == ["d6-d6", "d6-e6"]
    page.keyboard.press("ArrowLeft")
    settle(one, 1)
    assert drawn() == ["d6-f6", "a1-a1"]
    page.locator("[data-point=a1]").click(button="right")   # once more takes it away
    assert drawn() == ["d6-f6"]
    page.keyboard.press("Escape")
    assert drawn() == []


def test_a_turned_board_reads_well(visit: Visit) -> None:
    served = Served(visit(), Table("xiangqi").seat("bob", "ada"))
    page = served.one.page
    words = page.eval_on_selector_all(".label.words", """all => all.map(one => [one.getBoundingClientRect().x,
        one.querySelector("path").getAttribute("d").slice(0, 40)]).sort((a, b) => a[0] - b[0]).map(one => one[1])""")
    page.get_by_role("button", name="Rotate board").click()
    page.wait_for_timeout(100)
    again = page.eval_on_selector_all(".label.words", """all => all.map(one => [one.getBoundingClientRect().x,
        one.querySelector("path").getAttribute("d").slice(0, 40)]).sort((a, b) => a[0] - b[0]).map(one => one[1])""")
    assert words == again and len(words) == 4
    # As many coordinates on one side as on the other: the board is in the middle, and no strip is empty.
    board = page.locator(".room .board .ground").bounding_box()
    labels = [label.bounding_box() for label in page.locator(".label.coordinate").all()]
    assert board
    middle = board["x"] + board["width"] / 2
    sides = [sum((label["x"] + label["width"] / 2 < middle) == left for label in labels if label
                 and abs(label["x"] - middle) > board["width"] * 0.44) for left in (True, False)]
    assert sides[0] == sides[1] == 10


def test_coordinates_are_of_one_size(visit: Visit) -> None:
    heights = {}
    for game in ("liuzhou", "xiangqi"):
        served = Served(visit(), Table(game).seat("ada", "bob"))
        box = served.one.page.locator(".label.coordinate text").first.bounding_box()
        assert box
        heights[game] = box["height"]
    assert heights["liuzhou"] < 1.35 * heights["xiangqi"], heights


def test_long_hops_are_cut_with_dots(visit: Visit) -> None:
    table = Table("chinese_checkers", {"players": 6}, check=False).seat("ada", "bob", "cyd", "dan", "eve", "fay")
    for _ in range(60):
        turn = telling.turn(table.room, table.turn)
        assert turn is not None
        table.play(max(turn.moves, key=lambda move: len(move.path)).text)
    page = Served(visit(), table).one.page
    page.wait_for_selector(".moves li:nth-child(60)")
    cut = page.eval_on_selector_all(".moves .move", """all => all.filter(one => one.scrollWidth > one.clientWidth + 1)
        .map(one => [getComputedStyle(one).textOverflow, one.title])""")
    assert cut and all(style == "ellipsis" and "-" in title for style, title in cut)


def test_whose_turn_it_is_among_six(visit: Visit) -> None:
    served = Served(visit(), Table("chinese_checkers", {"players": 6}).seat("ada", "bob", "cyd", "dan", "eve", "fay"))
    page = served.one.page
    for seat, place in enumerate(("", "(bottom left)", "(top left)", "(top)", "(top right)", "(bottom right)")):
        status = page.inner_text(".status")
        name = ("Your turn", "Bob", "Cyd", "Dan", "Eve", "Fay")[seat]
        assert name in status and status.endswith(place), status
        colour = find_game("chinese_checkers").start(players=6).board.seat_colours[seat]
        assert page.locator(".zone.acting").get_attribute("fill") == colour
        assert page.locator(".status svg circle").get_attribute("fill") == colour
        assert page.locator(f"[data-seat='{seat}'].acting").count() == 1
        turn = telling.turn(served.table.room, seat)
        assert turn is not None
        served.play(turn.moves[0].text)


# ---------------------------------------------------------------------- phones


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize(("game", "options", "people"), [
    ("xiangqi", {}, ("ada", "bob")), ("othello", {}, ("ada", "bob")),
    ("chinese_checkers", {"players": 6}, ("ada", "bob", "cyd", "dan", "eve", "fay"))])
def test_a_room_fits_a_phone(visit: Visit, game: str, options: dict[str, Any], people: tuple[str, ...],
                             language: str) -> None:
    one = visit(size=(390, 844), way="touch", language=language)
    served = Served(one, Table(game, options, clock=ClockRule(600_000)).seat(*people))
    if game == "xiangqi":
        served.play(*CHECK)
    page = one.page
    for ended in (False, True):
        if ended:
            for person in people[1:]:
                served.table.do(person, messages.Resign)
            served.tell()
            page.wait_for_selector(".room[data-phase=finished]")
        for name in (".room .board", *(f"[data-seat='{seat}']" for seat in range(len(people))), ".stepping .steps",
                     ".after" if ended else ".actions.bar", ".status"):
            box = page.locator(name).first.bounding_box()
            assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390, name
            assert box["y"] + box["height"] <= 844, (name, box)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    unit = page.eval_on_selector(".room .board", "one => one.getScreenCTM().a")
    assert unit >= 40 or game == "chinese_checkers"


def test_a_finger_on_a_crowded_board_sees_what_it_is_on(visit: Visit) -> None:
    one = visit(size=(390, 844), way="touch")
    served = Served(one, Table("chinese_checkers").seat("ada", "bob"))
    page = one.page
    session = page.context.new_cdp_session(page)

    def finger(kind: str, *place: tuple[float, float]) -> None:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in place]})

    def middle(name: str) -> tuple[float, float]:
        box = page.locator(f"[data-point={name}]").bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    # 1. It comes down beside the stone that is meant, and slides.
    finger("touchStart", middle("n3"))
    page.wait_for_selector(".loupe[data-aim=n3]")
    assert float(page.locator(".loupe").get_attribute("data-unit") or 0) >= 40
    finger("touchMove", middle("n2"))
    page.wait_for_selector(".loupe[data-aim=n2]")
    finger("touchEnd")
    page.wait_for_selector("[data-point=n2][aria-pressed=true]")
    assert page.locator(".loupe").count() == 0
    # 2. A tap is enough, and so is dragging a stone along.
    page.locator("[data-point=m6]").tap()
    page.wait_for_selector(".room[data-plies='1']")
    served.play(telling.turn(served.table.room, 1).moves[0].text)  # type: ignore[union-attr]
    one.await_turn()
    finger("touchStart", middle("n3"))
    finger("touchMove", middle("m7"))
    finger("touchEnd")
    page.wait_for_selector(".room[data-plies='3']")
    assert "m7" in one.stones()


def test_a_long_press_draws(visit: Visit) -> None:
    served = Served(visit(size=(390, 844), way="touch"), Table("xiangqi").seat("bob", "ada"))
    page = served.one.page
    session = page.context.new_cdp_session(page)
    box = page.locator("[data-point=e5]").bounding_box()
    assert box
    place = {"x": box["x"] + 15, "y": box["y"] + 15}
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [place]})
    page.wait_for_selector("[data-drawn=e5-e5].sketch")
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_selector("[data-drawn=e5-e5]:not(.sketch)")


# ---------------------------------------------------------------------- what everyone can see


def test_six_colours_for_all_eyes() -> None:
    """Far apart in CIELAB, also as people see them who lack one kind of cones (Machado and others, 2009)."""
    eyes = {
        "deuteranopia": ((0.36732, 0.86065, -0.22797), (0.28009, 0.67250, 0.04741), (-0.01182, 0.04294, 0.96888)),
        "protanopia": ((0.15229, 1.05258, -0.20487), (0.11450, 0.78628, 0.09922), (-0.00388, -0.04812, 1.05200)),
        "tritanopia": ((1.25553, -0.07675, -0.17878), (-0.07841, 0.93081, 0.14760), (0.00473, 0.69137, 0.30390)),
        "all cones": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    }

    def linear(value: int) -> float:
        return value / 255 / 12.92 if value <= 10 else ((value / 255 + 0.055) / 1.055) ** 2.4

    def lab(rgb: list[float]) -> tuple[float, float, float]:
        white = ((0.4124, 0.3576, 0.1805, 0.9505), (0.2126, 0.7152, 0.0722, 1.0), (0.0193, 0.1192, 0.9505, 1.089))
        ratios = [max(0.0, sum(a * b for a, b in zip(row[:3], rgb, strict=True)) / row[3]) for row in white]
        x, y, z = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in ratios)
        return 116 * y - 16, 500 * (x - y), 200 * (y - z)

    for name, matrix in eyes.items():
        seen = {}
        for colour, _, code, _ in COLOURS:
            rgb = [linear(int(code[place:place + 2], 16)) for place in (1, 3, 5)]
            seen[colour] = lab([sum(a * b for a, b in zip(row, rgb, strict=True)) for row in matrix])
        for one, other in itertools.combinations(seen, 2):
            assert math.dist(seen[one], seen[other]) > 30, (name, one, other)
    assert len({mark for *_, mark in COLOURS}) == 6


def test_a_captor_knows_what_they_took(visit: Visit) -> None:
    """And nobody else does, until the game is over: neither by what is counted nor by anything on the wire."""
    for seed in range(20):
        table = Table("jieqi", seed=bytes([seed]) * 32).seat("ada", "bob")
        generator = random.Random(seed)
        taken = ""
        for _ in range(60):
            if table.turn is None or taken:
                break
            moves = telling.turn(table.room, table.turn).moves  # type: ignore[union-attr]
            stones = table.room.views.observe(None).stones()
            backs = {stone.point for stone in stones if stone.glyph == "Xx"[1 - table.turn]}
            move = next((move for move in moves if move.path[-1] in backs), generator.choice(moves))
            mover, covers = table.turn, move.path[-1] in backs
            table.play(move.text)
            if covers and table.turn is not None:
                taken = table.room.refereed.log[-1].text[-1]
        if taken:
            break
    else:
        raise AssertionError("nothing was ever taken covered")

    def shown(viewer: int | None) -> str:
        tokens = table.room.views.standing(viewer).tokens or []
        return next(token.value for token in tokens if token.kind == "captured" and token.seat == mover)

    back = "Xx"[1 - mover]
    assert shown(mover) == taken and taken not in "Xx"
    assert shown(None) == shown(1 - mover) == back
    person = ("ada", "bob")[mover]
    served = Served(visit(), table, person)
    glyph = table.room.refereed.position.board.glyphs[taken]
    assert glyph.name.en in captured(served.one, mover)
    served.one.page.get_by_role("tab", name="Game").click()
    assert served.one.page.locator(f".info .stones [aria-label='{glyph.name.en}']").count() == 1
    other = Served(visit(), table, ("bob", "ada")[mover])
    assert "covered" in captured(other.one, mover) and glyph.name.en not in captured(other.one, mover)


def test_what_is_counted_beside_the_players() -> None:
    def tally(game: str, *moves: str, **options: Any) -> list[tuple[int | None, str]]:
        position = find_game(game).start(**options)
        for move in moves:
            position.play(position.parse_move(move))
        assert position.game.tally is not None
        return [(token.seat, token.value) for token in position.game.tally(position)]

    assert tally("xiangqi") == [] and tally("xiangqi", *CHECK) == [(0, "p"), (0, "+1")]
    assert tally("othello", "f5") == [(0, "4"), (1, "1")]
    assert tally("liuzhou", "a1", "b1", "a2") == [(0, "2"), (1, "1")]
    start = dict(tally("chinese_checkers", players=6))
    assert len(start) == 6 and len(set(start.values())) == 1
    star = find_game("chinese_checkers").parse("A/AA/AAA/AAAA/13/12/11/10/9/10/11/12/6D6/1DDD/DDD/DD/D D AD A 31")
    assert star.game.tally is not None
    assert [token.value for token in star.game.tally(star)] == ["0", "1"]
    assert Stone("e9", "k") in find_game("xiangqi").start().stones()
    assert [glyph.code for glyph in find_game("jieqi").start().board.glyphs.values() if glyph.royal] == ["K", "k"]
