"""Distinct positions and symmetry classes: published counts, and a naive count with sets of texts instead of keys."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import pytest

import boyi
from boyi import Position
from boyi.core.errors import BoyiError, OptionError, TextError
from boyi.games import find_game
from boyi.search.distinct import DistinctPositions, MemoryBoundError, count_distinct
from tests.data import FACTS
from tests.scale import some_of
from tests.toys import race

# ---------------------------------------------------------------------- the naive count


Look = tuple[str, str]
"""The rows of the board as text, and all else that decides the future; no counters."""

Rows = tuple[str, ...]


def look_othello(position: Position) -> Look:
    cells, side = position.to_text().split()
    return "/".join(cells[start:start + 8] for start in range(0, 64, 8)), side


def look_by_fields(*numbers: int) -> Callable[[Position], Look]:
    """Of a text: the rows, and the fields of these numbers."""
    def look(position: Position) -> Look:
        rows, *fields = position.to_text().split()
        return rows, " ".join(fields[number] for number in numbers)
    return look


def look_tic_tac_toe(position: Position) -> Look:
    return position.to_text(), ""


def spread(rows: str) -> Rows:
    """Rows of a FEN, one character per point: `2ab10` is two empty points, a, b, and ten empty points."""
    return tuple(re.sub("[0-9]+", lambda found: "." * int(found[0]), row) for row in rows.split("/"))


def mirrored(rows: Rows) -> Rows:
    return tuple(row[::-1] for row in rows)


def turned(rows: Rows) -> Rows:
    """By a right angle."""
    return tuple("".join(column) for column in zip(*rows[::-1], strict=True))


def square_images(look: Look) -> Iterable[tuple[Rows, str]]:
    rows, rest = spread(look[0]), look[1]
    for _ in range(4):
        rows = turned(rows)
        yield rows, rest
        yield mirrored(rows), rest


def two_images(look: Look) -> Iterable[tuple[Rows, str]]:
    """Mirrored, and so is the square that jieqi's text names while chance acts: `w?g4X`."""
    rows, rest = spread(look[0]), look[1]
    yield rows, rest
    yield mirrored(rows), re.sub("[?]([a-i])", lambda found: "?" + "abcdefghi"[8 - "abcdefghi".index(found[1])], rest)


@dataclass(frozen=True)
class Case:
    """A game to be counted, and how a stranger sees its positions."""

    game: str
    depth: int
    look: Callable[[Position], Look]
    images: Callable[[Look], Iterable[tuple[Rows, str]]] | None = None
    options: tuple[tuple[str, Any], ...] = ()
    moves: str = ""
    text: str = ""

    def __str__(self) -> str:
        return "-".join(filter(None, (self.game, str(self.depth), self.moves.replace(" ", ""), self.text[:20])))

    def start(self) -> Position:
        options = dict(self.options)
        position = boyi.parse(self.game, self.text, **options) if self.text else boyi.start(self.game, **options)
        for move in self.moves.split():
            position.play(move)
        return position


def naive_levels(case: Case) -> list[tuple[int, int, int | None]]:
    """Sequences, positions and classes per depth. History matters nowhere this near to the start: each position is
    gone on from once, and remembers in how many ways it was reached."""
    start = case.start()
    level: dict[Look, tuple[Position | None, int]] = {case.look(start): (start, 1)}
    found = []
    for depth in range(case.depth + 1):
        classes = None if case.images is None else len({min(case.images(look)) for look in level})
        found.append((sum(ways for _, ways in level.values()), len(level), classes))
        following: dict[Look, tuple[Position | None, int]] = {}
        for look, (position, ways) in level.items() if depth < case.depth else ():
            assert position is not None
            moves = position.moves()
            if not moves and position.game.finished_is_leaf:
                following[look] = (position, ways + following.get(look, (position, 0))[1])
            for move in moves:
                position.play(move)
                after = case.look(position)
                if after in following:
                    following[after] = (following[after][0], following[after][1] + ways)
                else:
                    following[after] = (position.copy() if depth + 1 < case.depth else None, ways)
                position.undo()
        level = following
    return found


XIANGQI, JIEQI, LIUZHOU, CHECKERS = (look_by_fields(0), look_by_fields(0, 1, 4), look_by_fields(0, 1, 2),
                                     look_by_fields(0, 2))
PLACED = "f6 a1 b6 c4 e5 a5 c2 e1 c3 b5 d1 d3 a6 a3 f5 e2 e6 !a3 c1 d6 d2 d5 !a1 e3 !c2 c6 !c1"
CASES = [
    Case("othello", 5, look_othello, square_images),
    Case("othello", 4, look_othello, square_images, moves="f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 f7 g6"),
    Case("othello", 4, look_othello, square_images, moves="e6 f4 e3 f6 g5 d6 e7 f5"),     # a game of nine moves
    Case("liuzhou", 3, LIUZHOU, square_images),
    Case("liuzhou", 3, LIUZHOU, square_images, moves=PLACED),
    Case("xiangqi", 2, XIANGQI, two_images),
    Case("xiangqi", 2, XIANGQI, two_images, moves="h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7"),
    Case("xiangqi", 4, XIANGQI, two_images, text="4ka3/4a4/9/9/9/9/4P4/9/9/3K1A3 w"),
    Case("jieqi", 3, JIEQI, two_images),
    Case("jieqi", 3, JIEQI, two_images, moves="b2e2R h7e7c b0c2P b9c7n h0g2N h9g7p"),
    Case("chinese_checkers", 3, CHECKERS, two_images),
    Case("chinese_checkers", 3, CHECKERS, options=(("players", 3),)),
    Case("chinese_checkers", 3, CHECKERS, options=(("players", 6),)),
    Case("tic_tac_toe", 4, look_tic_tac_toe),
]
DEEPER = [
    Case("othello", 7, look_othello, square_images),
    Case("xiangqi", 3, XIANGQI, two_images),
    Case("liuzhou", 4, LIUZHOU, square_images),
    Case("jieqi", 4, JIEQI, two_images),
    Case("chinese_checkers", 4, CHECKERS, two_images),
    Case("chinese_checkers", 4, CHECKERS, options=(("players", 3),)),
    Case("chinese_checkers", 4, CHECKERS, options=(("players", 6),)),
    Case("tic_tac_toe", 6, look_tic_tac_toe),
]
DEEPEST = [
    Case("othello", 8, look_othello, square_images),
    Case("xiangqi", 4, XIANGQI, two_images),
    Case("tic_tac_toe", 9, look_tic_tac_toe),
]


@pytest.mark.parametrize("case", [*CASES, *(pytest.param(case, marks=pytest.mark.slow) for case in DEEPER),
                                  *(pytest.param(case, marks=pytest.mark.soak) for case in DEEPEST)], ids=str)
def test_a_naive_count_agrees(case: Case) -> None:
    position = case.start()
    for depth, expected in enumerate(naive_levels(case)):
        found = count_distinct(position, depth, symmetric=case.images is not None)
        assert (found.sequences, found.positions, found.classes) == expected, depth
        assert found.sequences == boyi.perft(position, depth)


# ---------------------------------------------------------------------- published counts


def published(column: str) -> list[tuple[int, int]]:
    with (FACTS / "othello" / "distinct.csv").open(encoding="utf-8", newline="") as file:
        return [(int(row["ply"]), int(row[column])) for row in csv.DictReader(file) if row[column]]


def _marked(ply: int, count: int) -> Any:
    """By how long it takes: seconds from the ninth ply on, a minute for the eleventh."""
    mark = () if ply < 9 else pytest.mark.slow if ply < 11 else pytest.mark.soak
    return pytest.param(ply, count, marks=mark)


@pytest.mark.parametrize(("ply", "positions"), [_marked(*each) for each in published("positions")])
def test_published_positions(ply: int, positions: int) -> None:
    """There, unlike here, a finished game is not counted again at greater depths."""
    game = replace(find_game("othello"), finished_is_leaf=False)
    assert count_distinct(game.start(), ply).positions == positions


@pytest.mark.parametrize(("ply", "classes"), published("classes"))
def test_published_classes(ply: int, classes: int) -> None:
    assert count_distinct(boyi.start("othello"), ply, symmetric=True).classes == classes


@pytest.mark.parametrize(("ply", "positions"), some_of(enumerate((1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78)), 5))
def test_tic_tac_toe(ply: int, positions: int) -> None:
    """All 5,478 positions of the game, by the number of marks; everybody who counted them found these."""
    assert count_distinct(boyi.start("tic_tac_toe"), ply).positions == positions


def test_finished_games_are_leaves_where_perft_counts_them() -> None:
    """Othello's shortest games have nine moves; after the tenth ply they are still there."""
    othello = find_game("othello")
    position = othello.start()
    for move in "e6 f4 e3 f6 g5 d6 e7 f5 c5".split():
        position.play(move)
    assert position.outcome() is not None
    assert [(found.sequences, found.positions) for found in (count_distinct(position, depth) for depth in (0, 3))] == [
        (1, 1), (1, 1)]
    strict = replace(othello, finished_is_leaf=False).parse(position.to_text())
    assert [(found.sequences, found.positions) for found in (count_distinct(strict, depth) for depth in (0, 3))] == [
        (1, 1), (0, 0)]


# ---------------------------------------------------------------------- chance, history, several starts


def test_results_of_chance_are_plies() -> None:
    position = race.GAME.start()
    texts = {position.to_text()}
    for depth in range(4):
        found = count_distinct(position, depth)
        assert found.sequences == boyi.perft(position, depth) and found.positions == len(texts)
        texts = {after for text in texts for after in _after(race.GAME.parse(text))}


def _after(position: Position) -> Iterable[str]:
    for move in position.moves():
        position.play(move)
        yield position.to_text()
        position.undo()


def test_rules_that_look_back_are_heard() -> None:
    """A king goes back and forth for the third time: the game is over, and nothing follows. From the same position
    without that history much does."""
    position = boyi.parse("xiangqi", "3k5/9/9/9/9/9/9/9/9/R3K4 w")
    fresh = position.copy()
    for _ in range(2):
        for move in "a0a1 d9d8 a1a0 d8d9".split():
            position.play(move)
            if position.outcome() is not None:
                break
    assert position.outcome() is not None and position.key == fresh.key
    assert count_distinct(position, 1).positions == 0 < count_distinct(fresh, 1).positions


def test_several_starts_are_one_count() -> None:
    """What first moves have in common is counted once."""
    whole = count_distinct(boyi.start("othello"), 6, symmetric=True)
    parts = DistinctPositions(symmetric=True)
    position = boyi.start("othello")
    apart = 0
    for move in position.moves():
        position.play(move)
        parts.add(position, 5)
        apart += count_distinct(position, 5).positions
        position.undo()
    assert (parts.sequences, parts.positions, parts.classes) == (whole.sequences, whole.positions, whole.classes)
    assert apart > whole.positions


# ---------------------------------------------------------------------- limits and refusals


def test_memory_is_bounded_and_the_position_unharmed() -> None:
    position = boyi.start("othello")
    position.play("f5")
    text, history = position.to_text(), position.history()
    with pytest.raises(MemoryBoundError, match=r"more than 1 MB .* allow more memory, or count less deep") as refused:
        count_distinct(position, 8, megabytes=1)
    assert isinstance(refused.value, BoyiError) and isinstance(refused.value, MemoryError)
    assert (position.to_text(), position.history()) == (text, history)
    # 2^16 slots, 70 % of them taken, are the most that fit into a megabyte together with the 2^15 they grew from.
    assert count_distinct(boyi.start("othello"), 7, megabytes=1).positions == 42_614
    with pytest.raises(MemoryBoundError, match="45,876"):
        count_distinct(boyi.start("othello"), 8, megabytes=1)


@pytest.mark.parametrize("megabytes", [0, -1, 1.5, True, "1", 2**40])
def test_nonsense_of_memory_is_refused(megabytes: Any) -> None:
    with pytest.raises(OptionError, match="megabytes from 1 to"):
        DistinctPositions(megabytes=megabytes)


@pytest.mark.parametrize("depth", [-1, 65, 1.5, "3", None])
def test_nonsense_of_depth_is_refused(depth: Any) -> None:
    with pytest.raises(TextError, match="0 to 64"):
        count_distinct(boyi.start("othello"), depth)


@pytest.mark.parametrize(("game", "options", "images"), [
    ("othello", {}, 8), ("liuzhou", {}, 8), ("xiangqi", {}, 2), ("jieqi", {}, 2), ("chinese_checkers", {}, 2),
    ("chinese_checkers", {"players": 3}, 1), ("tic_tac_toe", {}, 1)])
def test_symmetry_classes_need_images(game: str, options: dict[str, Any], images: int) -> None:
    position = boyi.start(game, **options)
    assert position.image_count == images
    if images > 1:
        assert (count_distinct(position, 1, symmetric=True).classes or 0) < count_distinct(position, 1).positions
    else:
        with pytest.raises(OptionError, match=f"{game} knows no images of this position"):
            count_distinct(position, 1, symmetric=True)
    assert count_distinct(position, 1).classes is None


def test_what_is_no_position_is_refused() -> None:
    nothing: Any = None
    with pytest.raises(TypeError):
        count_distinct(nothing, 1)
