"""A game, a puzzle and a review by the names that a screen reader says, and by the keys of a keyboard alone.

A `Listener` finds everything by its role and its name, and nothing by where or how it is drawn. A `Typist` goes from
one thing to the next by Tab, as far as it takes, and uses no pointer; nothing is focused for them.
"""

from __future__ import annotations

import re
from typing import Any, Literal

import pytest

from boyi.games import find_game
from boyi.study.puzzles.collection import own_puzzles
from boyi.study.puzzles.puzzle import Step
from tests.page import Visitor
from tests.page.conftest import Visit
from tests.page.test_review import begin

pytestmark = pytest.mark.slow

Role = Literal["button", "heading", "link", "radio", "row", "slider", "status", "textbox"]
Name = str | re.Pattern[str]

POINT = re.compile(r"^[a-z]\d+, ")
"""How the name of any point of a board begins: "e2, empty"."""

MOST_TABS = 150


class Listener:
    """A person who hears the page: what is there has a role and a name."""

    def __init__(self, one: Visitor) -> None:
        self.page = one.page
        self.address = one.address

    def find(self, role: Role, name: Name = "") -> Any:
        """In the dialog, while one is open: the rest cannot be reached then."""
        dialog = self.page.get_by_role("dialog")
        place = dialog if dialog.count() else self.page
        return place.get_by_role(role, name=name) if name else place.get_by_role(role)

    def press(self, role: Role, name: Name, key: str = "Enter") -> None:
        self.find(role, name).first.press(key)

    def hear(self, said: Name) -> None:
        """What is said by itself: regions that a screen reader announces when they change."""
        self.page.get_by_role("status").filter(has_text=said).first.wait_for()

    def move(self) -> None:
        """The first move that the names offer."""
        self.find("button", re.compile("can move|can go here")).first.wait_for()
        if self.find("button", "can move").count():
            self.press("button", "can move")
        self.press("button", "can go here")

    def listed(self, ply: int) -> str:
        """The name of a move in the list of moves, once it is there: "2 Black h9g7"."""
        move = self.find("button", re.compile(rf"^{ply} "))
        move.wait_for()
        return " ".join(str(move.inner_text()).split())


class Typist(Listener):
    """A person at a keyboard without a mouse."""

    def press(self, role: Role, name: Name, key: str = "Enter") -> None:
        self.reach(role, name)
        self.page.keyboard.press(key)

    def reach(self, role: Role, name: Name) -> None:
        """On to it, by Tab."""
        target = self.find(role, name)
        target.first.wait_for()
        for _ in range(MOST_TABS):
            if target.evaluate_all("all => all.includes(document.activeElement)"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{role} {name} is not reached by Tab")

    def move(self) -> None:
        """The next move that offers itself: N goes to what can be touched, Enter touches it."""
        self.find("button", re.compile("can move|can go here")).first.wait_for()
        self.reach("button", POINT)
        for _ in range(2):
            self.page.keyboard.press("n")
            said = self.focused()
            self.page.keyboard.press("Enter")
            if "can go here" in said:
                return
        raise AssertionError(f"no move was made: {said}")

    def touch(self, point: str) -> None:
        """A point of the board that can be touched, by N as often as it takes."""
        self.reach("button", POINT)
        for _ in range(MOST_TABS):
            self.page.keyboard.press("n")
            if self.focused().startswith(f"{point}, "):
                self.page.keyboard.press("Enter")
                return
        raise AssertionError(f"{point} is not reached")

    def focused(self) -> str:
        return str(self.page.evaluate("document.activeElement.getAttribute('aria-label') ?? ''"))


PEOPLE = pytest.mark.parametrize("person", [Listener, Typist], ids=["names", "keys"])


@PEOPLE
def test_a_whole_game_and_its_review(visit: Visit, person: type[Listener]) -> None:
    """From the choice of a level to the result, and what the review says of it."""
    one = person(visit())
    one.page.goto(f"{one.address}/play/tic_tac_toe")
    one.page.get_by_role("dialog").wait_for()
    one.press("slider", "Level", "Home")
    one.press("button", "Start")
    one.page.get_by_role("dialog").wait_for(state="detached")
    over = one.find("button", "Rematch")
    for _ in range(6):
        one.find("button", "can go here").first.or_(over).first.wait_for()
        if over.count():
            break
        one.move()
    one.hear(re.compile("^Game over: (You won|You lost|Draw)"))
    plies = one.find("button", re.compile(r"^\d+ (Crosses|Noughts) ")).count()
    assert 5 <= plies <= 9
    assert one.listed(1).startswith("1") and re.search(r"[abc][123]$", one.listed(plies))
    one.press("button", "Review the game")
    one.find("heading", "Game review: Tic-tac-toe").wait_for()
    one.find("row", re.compile(r"^Accuracy .*%")).wait_for()
    one.press("button", "Next move")
    one.hear(re.compile(r"^Move 1, [abc][123]"))
    one.press("button", "Next move")
    one.hear(re.compile("^Move 2, "))
    one.press("button", "Previous move")
    one.hear(re.compile("^Move 1, "))
    assert one.find("button", re.compile("^[abc][123], cross$")).count() == 1, "the position can be heard, too"


@PEOPLE
def test_a_game_of_xiangqi(visit: Visit, person: type[Listener]) -> None:
    """One press from the lobby: a piece, where it goes, and what the computer answered."""
    one = person(visit())
    one.page.goto(one.address)
    one.press("button", re.compile("^Play the computer Xiangqi"))
    for turn in range(3):
        one.move()
        one.listed(2 * turn + 1)
        answer = one.listed(2 * turn + 2).split()[-1]
        one.hear(re.compile(rf"^Computer.*: {re.escape(answer)}"))
    one.find("button", "can move").first.wait_for()
    for _ in range(2):      # and once more, in the dialog that asks
        one.press("button", "Resign")
    one.hear(re.compile("^Game over: You lost"))
    one.find("button", "Rematch").wait_for()


def steps_of_the_day(one: Listener, game: str) -> list[Step]:
    """The moves that solve the puzzle whose address the page has."""
    puzzles = own_puzzles(find_game(game))
    assert puzzles is not None
    puzzle = puzzles.find(one.page.url.rsplit("/", 1)[1])
    return [step for step in puzzle.steps(puzzles.game, puzzles.options) if step.asked]


@PEOPLE
def test_a_puzzle(visit: Visit, person: type[Listener]) -> None:
    """From the lobby to the puzzle of the day, a hint, every move of the solution, and on to the next one."""
    one = person(visit())
    one.page.goto(one.address)
    one.press("link", re.compile("^Puzzles$"))
    one.press("link", "Puzzle of the day")
    one.find("button", "Show solution").wait_for()
    steps = steps_of_the_day(one, "xiangqi")
    one.press("button", "Hint")
    one.page.get_by_text(f"Hint: {steps[0].position.path(steps[0].move)[0]}").wait_for()
    for step in steps:
        path = step.position.path(step.move)
        one.find("button", re.compile(f"^{path[0]}, .*can move")).wait_for()
        for point in (path[0], path[-1]):
            if isinstance(one, Typist):
                one.touch(point)
            else:
                one.press("button", re.compile(f"^{point}, "))
        one.page.get_by_text("Solved!" if step is steps[-1] else "Right. What next?").wait_for()
        text = step.position.format_move(step.move)
        one.page.get_by_text(re.compile(rf"(^| ){text}\b")).first.wait_for()
    one.press("button", "Next puzzle")
    one.find("button", "Show solution").wait_for()
    one.find("button", "can move").first.wait_for()


@PEOPLE
def test_a_review_with_mistakes(visit: Visit, address: str, person: type[Listener]) -> None:
    """What was wrong and what was better, both lines on the board, and the mistakes as questions."""
    one = person(visit())
    one.page.goto(f"{one.address}/review/{begin(address)}")
    blunder = re.compile(r"^4 Black a8d8 \?\?")
    one.press("button", blunder)
    better = one.find("button", re.compile(r"^Better \d+ %"))
    better.wait_for()
    assert one.find("button", re.compile(r"^Played \d+ % a8d8 d1d8")).count() == 1
    one.press("button", re.compile(r"^Better \d+ %"))
    one.press("button", "Back to the game")
    one.press("button", blunder)
    one.press("button", "Next move")
    one.hear(re.compile("^Move 4, a8d8, blunder"))
    one.press("button", re.compile("^Learn from your mistakes.*Grace"))
    while not one.find("button", "Again").count():
        one.page.get_by_text(re.compile("^Grace played .* Find a better move")).wait_for()
        one.press("button", "Hint")
        one.page.get_by_text(re.compile(r"^Hint: [a-i]\d")).wait_for()
        one.press("button", "Show the solution")
        one.page.get_by_text(re.compile("^Better is ")).wait_for()
        one.press("button", re.compile("^Next$"))
        one.find("button", "Again").or_(one.find("button", "Show the solution")).first.wait_for()
    one.page.get_by_text(re.compile("^Done: you found 0 of")).wait_for()
    one.press("button", "Close")
    one.find("heading", "Moves").wait_for()
