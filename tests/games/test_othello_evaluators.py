"""Othello's evaluators: what must be true of any opinion, and that the patterns are read as drawn."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import boyi
from boyi.core.position import OVER, Position
from boyi.games import find_game
from boyi.games.othello import automata, patterns
from tests.scale import scaled

GAME = find_game("othello")
EXCHANGE = str.maketrans("XO", "OX")


def positions(count: int, seed: int) -> Iterator[Position]:
    """Unfinished positions of random games, at all stages."""
    rng = random.Random(seed)
    made = 0
    while made < count:
        position = boyi.start("othello")
        for _ in range(rng.randrange(60)):
            if position.turn != OVER:
                position.play(rng.choice(position.moves()))
        if position.turn != OVER:
            made += 1
            yield position


def images(text: str) -> Iterator[str]:
    """The eight images of a board in words."""
    cells, side = text.split()
    for turned in range(2):
        rows = [cells[i::8] if turned else cells[8 * i:8 * i + 8] for i in range(8)]
        for upside_down in range(2):
            for mirrored in range(2):
                yield "".join(row[::-1] if mirrored else row
                              for row in (rows[::-1] if upside_down else rows)) + " " + side


@pytest.mark.parametrize("name", GAME.evaluators)
def test_images_and_colours_are_worth_the_same(name: str) -> None:
    evaluator = GAME.evaluators[name]()
    for position in positions(scaled(3000), 1):
        value = evaluator.value(position)
        assert -6400 <= value <= 6400 or name.startswith("classic")
        for text in images(position.to_text()):
            assert evaluator.value(GAME.parse(text)) == value
        assert evaluator.value(GAME.parse(position.to_text().translate(EXCHANGE))) == value


@pytest.mark.parametrize("name", ["classic", "lines", "lines_dfa", "lines_loops"])
def test_antisymmetric(name: str) -> None:
    evaluator = GAME.evaluators[name]()
    for position in positions(scaled(3000), 2):
        cells, side = position.to_text().split()
        assert evaluator.value(position) == -evaluator.value(GAME.parse(f"{cells} {side.translate(EXCHANGE)}"))


def test_classic_likes_corners_and_mobility() -> None:
    evaluator = GAME.evaluators["classic"]()
    with_corner = GAME.parse("X--------------------------OX------XO--------------------------- X")
    with_x_point = GAME.parse("---------X-----------------OX------XO--------------------------- X")
    assert evaluator.value(with_corner) > 500 > -100 > evaluator.value(with_x_point)


def test_lines_are_summed_as_the_automaton_scans_them() -> None:
    """The evaluator against the board written out line by line and scanned."""
    evaluator = GAME.evaluators["lines"]()
    exchange = str.maketrans("BW", "WB")
    for position in positions(scaled(200), 4):
        cells, side = position.to_text().split()
        letters = cells.translate(str.maketrans("XO-", "BWE" if side == "X" else "WBE"))
        value = 0
        for points, kind in [([(i, c) for c in range(8)], "edge" if i in (0, 7) else "inner") for i in range(8)] \
                + [([(r, i) for r in range(8)], "edge" if i in (0, 7) else "inner") for i in range(8)] \
                + [([(r, r + i) for r in range(8) if 0 <= r + i < 8], "diagonal") for i in range(-5, 6)] \
                + [([(r, 7 - r + i) for r in range(8) if 0 <= 7 - r + i < 8], "diagonal") for i in range(-5, 6)]:
            line = "".join(letters[8 * row + column] for row, column in points)
            for sign, word in ((1, line), (1, line[::-1]), (-1, line.translate(exchange)),
                               (-1, line[::-1].translate(exchange))):
                for name, count in automata.automaton().scan(word).items():
                    value += sign * count * getattr(automata.FEATURES[name], kind)
        assert evaluator.value(position) == max(-6400, min(6400, value))


@pytest.mark.parametrize("name", GAME.evaluators)
def test_boards_with_fewer_discs_than_a_game_has(name: str) -> None:
    assert -6400 <= GAME.evaluators[name]().value(GAME.parse("XO" + "-" * 62 + " X")) <= 6400


def test_every_pattern_has_all_its_images() -> None:
    """46 instances, told from a board on which one disc is moved about: which indices change says who reads a point."""
    numpy = pytest.importorskip("numpy")
    own = numpy.array([1 << point for point in range(64)], numpy.uint64)
    indices = numpy.empty((64, 46), numpy.uint32)
    patterns.shared_indices(own, numpy.zeros(64, numpy.uint64), indices)
    empty = numpy.empty((1, 46), numpy.uint32)
    patterns.shared_indices(numpy.zeros(1, numpy.uint64), numpy.zeros(1, numpy.uint64), empty)
    readers = (indices != empty).sum(axis=1).reshape(8, 8)
    sizes = sorted((indices != empty).sum(axis=0))
    assert sizes == sorted([9] * 4 + [10] * 12 + [8] * 14 + [7] * 4 + [6] * 4 + [5] * 4 + [4] * 4)
    assert (readers == readers.T).all() and (readers == readers[::-1]).all() and readers.min() >= 3


def test_weights_of_the_wrong_size_are_refused() -> None:
    with pytest.raises(boyi.BoyiError, match="61 stages"):
        patterns.set_weights(b"123")


@pytest.mark.parametrize("name", ["lines_dfa", "lines_loops"])
def test_lines_are_worth_the_same_however_they_are_read(name: str) -> None:
    """The automaton at run time and the loops find what the table of all lines holds."""
    table, other = GAME.evaluators["lines"](), GAME.evaluators[name]()
    for position in positions(scaled(20_000), 3):
        assert other.value(position) == table.value(position)
