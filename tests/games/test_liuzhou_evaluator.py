"""The Liuzhou evaluator counts what a slow reading of the board counts, and has no favourite colour or corner."""

from __future__ import annotations

import random

import pytest

import boyi
from boyi.core.errors import TextError
from boyi.core.searcher import Limits
from boyi.games.liuzhou.evaluator import HandEvaluator
from boyi.search.alphabeta import AlphaBeta
from tests.scale import scaled

SQUARES = [[(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)] for x in range(5) for y in range(5)]
LINES = [[(x, y) for x in range(6)] for y in range(6)] + [[(x, y) for y in range(6)] for x in range(6)]


def positions(count: int, seed: int = 1) -> list[boyi.Position]:
    """From random games under both sets of rules, all phases."""
    choose = random.Random(seed)
    found: list[boyi.Position] = []
    while len(found) < count:
        position = boyi.start("liuzhou", rules=choose.choice(["document", "reference"]))
        while moves := position.moves():
            if choose.random() < 0.2:
                found.append(position.copy())
            position.play(choose.choice(moves))
    return found[:count]


def board(position: boyi.Position) -> dict[tuple[int, int], str]:
    cells = {}
    for y, row in enumerate(position.to_text().split()[0].split("/")):
        row = "".join("." * int(cell) if cell.isdigit() else cell for cell in row)
        cells.update({(x, y): cell for x, cell in enumerate(row)})
    return cells


def beside(point: tuple[int, int]) -> list[tuple[int, int]]:
    x, y = point
    return [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]


def slow_terms(position: boyi.Position, own: str) -> dict[str, int]:
    """The counts of one side, read off the board point by point."""
    cells = board(position)
    moving = position.to_text().split()[2] in ("move", "capture", "forced", "counter")
    stones = {point for point, cell in cells.items() if cell == own}
    empty = {point for point, cell in cells.items() if cell == "."}

    def threatened(shape: list[tuple[int, int]]) -> bool:
        gaps = [point for point in shape if point not in stones]
        return len(gaps) == 1 and gaps[0] in empty and (
            not moving or any(near in stones and near not in shape for near in beside(gaps[0])))

    def swings(shape: list[tuple[int, int]]) -> bool:
        return moving and all(point in stones for point in shape) and any(
            near in empty for point in shape for near in beside(point))

    whole = [shape for shape in SQUARES + LINES if all(point in stones for point in shape)]
    return {
        "stones": len(stones),
        "squares": sum(shape in SQUARES for shape in whole), "lines": sum(shape in LINES for shape in whole),
        "square_threats": sum(map(threatened, SQUARES)), "line_threats": sum(map(threatened, LINES)),
        "square_swings": sum(map(swings, SQUARES)), "line_swings": sum(map(swings, LINES)),
        "hopes": 0 if moving else sum(sum(point in stones for point in shape) == 2
                                      and sum(point in empty for point in shape) == 2 for shape in SQUARES),
        "protected": len({point for shape in whole for point in shape}),
        "steps": sum(near in empty for point in stones for near in beside(point)),
    }


def test_counts_are_those_of_a_slow_reading() -> None:
    evaluator = HandEvaluator()
    seen: set[str] = set()
    for position in positions(scaled(5000)):
        own, other = ("b", "w") if position.turn == 0 else ("w", "b")
        mine, theirs = slow_terms(position, own), slow_terms(position, other)
        assert evaluator.terms(position) == {name: (mine[name], theirs[name]) for name in mine}
        seen |= {name for name in mine if mine[name]}
    assert seen >= {"squares", "square_threats", "square_swings", "hopes", "protected", "steps"}


@pytest.mark.parametrize("text", [
    "bbbbb1/wwwww1/6/6/6/5b b move 0 40 0",       # gap f1: nothing stands beside it
    "bbbbb1/wwww1b/6/6/6/6 b move 0 40 0",        # f2 can step up
    "bbbbbb/wwww2/6/6/6/6 b move 0 40 0",         # stones of row 1 can step out at e and f
    "bbbbb1/wwwww1/6/6/6/6 b place 0 10 0",
])
def test_lines(text: str) -> None:
    """Random games rarely fill a line."""
    position = boyi.parse("liuzhou", text)
    terms = HandEvaluator().terms(position)
    mine, theirs = slow_terms(position, "b"), slow_terms(position, "w")
    assert terms == {name: (mine[name], theirs[name]) for name in mine}
    assert terms["lines"][0] + terms["line_threats"][0] == (0 if text.startswith("bbbbb1/wwwww1/6/6/6/5b") else 1)


def test_same_value_for_all_images_of_the_board() -> None:
    evaluator = HandEvaluator()
    for position in positions(scaled(2000), seed=2):
        rest = position.to_text().split(" ", 1)[1]
        cells = board(position)
        options = dict(position.options)
        value = evaluator.value(position)
        for symmetry in position.board.symmetries:
            image = [cells[number % 6, number // 6] for number in symmetry]
            text = "/".join("".join(image[6 * y:6 * y + 6]).replace(".", "1") for y in range(6))
            assert evaluator.value(boyi.parse("liuzhou", f"{text} {rest}", **options)) == value


def test_same_value_with_colours_exchanged() -> None:
    """The clearing and the two removals after an unmarked game have their colours fixed by the rules."""
    evaluator = HandEvaluator()
    for position in positions(scaled(5000), seed=3):
        cells, side, phase, *rest = position.to_text().split()
        if phase in ("clear", "forced"):
            continue
        swapped = " ".join([cells.translate(str.maketrans("bwBW", "wbWB")), "wb"["bw".index(side)], phase, *rest])
        image = boyi.parse("liuzhou", swapped, **dict(position.options))
        assert evaluator.value(image) == evaluator.value(position)


def test_prefers_what_wins() -> None:
    evaluator = HandEvaluator()

    def value(text: str) -> int:
        return evaluator.value(boyi.parse("liuzhou", text))

    level = value("bb4/6/6/6/6/4ww b move 0 40 0")
    assert level == 0
    assert value("bbb3/6/6/6/6/4ww b move 0 40 0") > level                  # a stone more
    assert value("bb4/b1b3/6/6/4w1/3w1w b move 0 40 0") > 0                 # a threat and the turn
    assert value("bb4/bb4/6/6/4ww/4ww w capture 1 40 0") > value("bb4/bb4/6/6/4ww/4ww w move 0 40 0")
    assert value("bB4/6/6/6/6/4ww b place 0 5 0") < value("bb4/6/6/6/6/4ww b place 0 5 0")


def test_two_plies_beat_random_play() -> None:
    searcher = AlphaBeta(HandEvaluator())
    choose = random.Random(5)
    score, games = 0.0, scaled(200)
    for number in range(games):
        position = boyi.start("liuzhou")
        while moves := position.moves():
            if position.turn == number % 2:
                position.play(searcher.search(position, Limits(depth=2)).move)
            else:
                position.play(choose.choice(moves))
        outcome = position.outcome()
        assert outcome is not None
        score += (1 + outcome.scores[number % 2]) / 2
    assert score >= 0.98 * games


def test_is_the_games_evaluator() -> None:
    game = boyi.find_game("liuzhou")
    assert next(iter(game.evaluators)) == "hand"      # which the levels were measured with
    with pytest.raises(TextError, match="knows Liuzhou qi"):
        HandEvaluator().terms(boyi.start("othello"))
