"""Puzzles on the page: solved by mouse, finger and keyboard, wrong moves, help, streaks and rushes."""

from __future__ import annotations

import json

import pytest

from boyi.games import find_game
from boyi.study.puzzles.answer import accepts
from boyi.study.puzzles.collection import own_puzzles
from boyi.study.puzzles.puzzle import Puzzle, Step
from tests.page import Visitor
from tests.page.conftest import Visit
from tests.scale import some_of


def find(game: str, asked: int) -> tuple[Puzzle, list[Step]]:
    """A puzzle of a game with so many moves to find, all of them touched on the board, and its steps."""
    puzzles = own_puzzles(find_game(game))
    assert puzzles is not None
    for puzzle in puzzles.puzzles:
        steps = list(puzzle.steps(puzzles.game, puzzles.options))
        if sum(step.asked for step in steps) == asked and all(step.position.path(step.move) for step in steps):
            return puzzle, steps
    raise AssertionError(f"no puzzle of {game} has {asked} moves to find")


def open_puzzle(one: Visitor, game: str, puzzle: Puzzle) -> None:
    one.page.goto(f"{one.address}/puzzles/{game}/{puzzle.id}")
    one.page.wait_for_selector(f".puzzle[data-puzzle='{puzzle.id}'][data-phase=asked] .board")


def play(one: Visitor, step: Step, move: int | None = None) -> None:
    """Touch the points of a move: where it starts and where it ends."""
    path = step.position.path(step.move if move is None else move)
    for point in dict.fromkeys((path[0], path[-1])):
        target = one.page.locator(f".puzzle [data-point='{point}']")
        if one.way == "keyboard":
            target.focus()
            one.page.keyboard.press("Enter")
        else:
            one.touch(target)


def stones(one: Visitor) -> dict[str, str]:
    one.page.wait_for_selector(".puzzle .board:not([data-playing])")
    return dict(one.page.eval_on_selector_all(
        ".puzzle .piece", "all => all.map(one => [one.dataset.stone, one.dataset.glyph])"))


@pytest.mark.parametrize(("game", "way", "language", "size"), some_of([
    ("othello", "mouse", "en", (1280, 800)), ("liuzhou", "touch", "zh", (390, 844)),
    ("xiangqi", "keyboard", "en", (1280, 800))], 3))
def test_a_puzzle_is_solved(visit: Visit, game: str, way: str, language: str, size: tuple[int, int]) -> None:
    one = visit(way=way, language=language, size=size)
    puzzle, steps = find(game, 2)
    open_puzzle(one, game, puzzle)
    assert stones(one) == {stone.point: stone.glyph for stone in steps[0].position.stones()}
    assert one.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    asked = [step for step in steps if step.asked]
    for number, step in enumerate(asked):
        play(one, step)
        one.page.wait_for_selector(f".puzzle[data-phase={'solved' if step is asked[-1] else 'right'}]")
        if step is not asked[-1]:
            assert stones(one) == {stone.point: stone.glyph for stone in asked[number + 1].position.stones()}
    assert one.page.evaluate("document.activeElement.classList.contains('onward')")
    kept = json.loads(one.page.evaluate("localStorage['boyi.puzzles']"))[game]
    assert (kept["tried"], kept["solved"], kept["seen"]) == (1, 1, [puzzle.id])
    one.touch(one.page.locator(".onward"))
    one.page.wait_for_selector(f".puzzle[data-phase=asked]:not([data-puzzle='{puzzle.id}'])")


def test_wrong_moves_hints_and_the_solution(visit: Visit) -> None:
    one = visit()
    puzzle, steps = find("othello", 2)
    open_puzzle(one, "othello", puzzle)
    first = steps[0]
    wrong = next(move for move in first.position.moves() if not accepts(first.position, move, first.move, 1_000))
    before = stones(one)
    play(one, first, wrong)
    one.page.wait_for_selector(".puzzle[data-phase=wrong]")
    assert stones(one) == before
    one.page.get_by_role("button", name="Hint").click()
    one.page.wait_for_selector(".puzzle .arrow")
    one.page.get_by_role("button", name="Show solution").click()
    one.page.wait_for_selector(".puzzle[data-phase=shown]")
    after = steps[-1].position.copy()
    after.play(steps[-1].move)
    assert stones(one) == {stone.point: stone.glyph for stone in after.stones()}
    kept = json.loads(one.page.evaluate("localStorage['boyi.puzzles']"))["othello"]
    assert (kept["tried"], kept["solved"]) == (1, 0), "a puzzle counts once"
    assert kept["rating"] < 1000


def test_what_is_told_of_a_puzzle_hides_no_button(visit: Visit) -> None:
    """In a panel that must be scrolled nothing lies over anything: jieqi tells of odds below the buttons."""
    one = visit(size=(900, 600))
    puzzles = own_puzzles(find_game("jieqi"))
    assert puzzles is not None
    puzzle = max(puzzles.puzzles, key=lambda one: len(one.themes))
    open_puzzle(one, "jieqi", puzzle)
    one.page.get_by_role("button", name="Show solution").click()
    one.page.wait_for_selector(".puzzle[data-phase=shown]")
    bottom, top = one.page.evaluate("""['.themes', '.buttons'].map(name => document.querySelector(`.panel ${name}`)
        .getBoundingClientRect()).map((box, index) => index ? box.top : box.bottom)""")
    assert bottom <= top


def test_a_streak_ends_with_the_first_mistake(visit: Visit) -> None:
    one = visit()
    one.page.goto(one.address + "/puzzles/othello")
    one.page.locator(".puzzle input[value=streak]").check(force=True)
    one.page.get_by_role("button", name="Start").click()
    one.page.wait_for_selector(".puzzle[data-mode=streak][data-phase=asked]")
    puzzles = own_puzzles(find_game("othello"))
    assert puzzles is not None
    puzzle = puzzles.find(str(one.page.get_attribute(".puzzle", "data-puzzle")))
    first = next(puzzle.steps(puzzles.game, puzzles.options))
    wrong = next(move for move in first.position.moves() if not accepts(first.position, move, first.move, 1_000))
    play(one, first, wrong)
    one.page.get_by_role("button", name="Again").wait_for()
    assert "boyi.puzzles" not in json.loads(one.page.evaluate("JSON.stringify(localStorage)")), "a streak is not rated"


@pytest.mark.parametrize("language", some_of(["en", "zh"], 2))
def test_puzzles_have_no_barriers(visit: Visit, language: str) -> None:
    one = visit(language=language, size=(390, 844), bypass_csp=True)
    one.lobby().page.locator("a[href='/puzzles']").click()
    one.page.wait_for_selector(".page li .board")
    assert one.page.locator(".page li").count() >= 2
    assert one.barriers() == []
    one.page.locator(".day").first.click()
    one.page.wait_for_selector(".puzzle[data-phase=asked] .board")
    assert one.barriers() == []
    one.page.locator(".puzzle input[value=rush]").check(force=True)
    one.page.locator(".puzzle .onward").click()
    one.page.wait_for_selector(".puzzle[data-phase=asked] [role=timer]")
    assert one.barriers() == []
