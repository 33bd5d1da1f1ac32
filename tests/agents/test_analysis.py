"""Searching a position and describing the best lines."""

from __future__ import annotations

import pytest

import boyi
from boyi.agents.analysis import AnalysedLine, Analysis, analyse, describe, describe_line, follow
from boyi.agents.searching import find_default
from boyi.core.position import CHANCE, Position
from boyi.core.searcher import Limits, Line, Result, Searcher


def searcher_for(position: Position) -> Searcher:
    return find_default(position).make(position.game, {})


class Replaying:
    """A searcher that reports given results depth by depth and answers with the last one."""

    def __init__(self, depths: list[Result], answer: Result) -> None:
        self._depths, self._answer = depths, answer

    def search(self, position: Position, limits: Limits, told: object = None, only: tuple[int, ...] = ()) -> Result:
        for result in self._depths if callable(told) else []:
            told(result)       # type: ignore[operator]
        return self._answer

    def stop(self) -> None:
        pass


@pytest.mark.parametrize("game", ["xiangqi", "jieqi", "othello", "liuzhou", "chinese_checkers"])
def test_lines_say_what_the_search_answered(game: str) -> None:
    position = boyi.start(game)
    limits = Limits(nodes=2_000, lines=3)
    result = searcher_for(position).search(position, limits)
    analysis = analyse(searcher_for(position), position, limits)
    assert (analysis.depth, analysis.nodes) == (result.depth, result.nodes)
    assert [line.value for line in analysis.lines] == [line.value for line in result.lines]
    assert all(0 < line.odds < 1 for line in analysis.lines)
    for line, found in zip(analysis.lines, result.lines, strict=True):
        assert line.moves[0] == position.parse_move(line.texts[0]) == found.moves[0]
        walk = position.copy()
        for move, text, path in zip(line.moves, line.texts, line.paths, strict=True):
            assert walk.parse_move(text) == move
            assert tuple(walk.path(move)) == path
            walk.play(move)
    assert position.ply == 0


def test_a_line_ends_where_chance_acts() -> None:
    position = boyi.start("jieqi")
    revealing = next(move for move in position.moves() if _reveals(position, move))
    line = describe_line(position, Line((revealing, revealing), 0.0), 0.5)
    assert line.texts == (position.format_move(revealing),)
    assert line.moves == (revealing,)


def _reveals(position: Position, move: int) -> bool:
    after = position.copy()
    after.play(move)
    return after.turn == CHANCE


def test_a_line_ends_with_the_game_and_at_an_illegal_move() -> None:
    position = boyi.start("tic_tac_toe")
    assert [move for _, move in follow(position, (0, 3, 1, 4, 2, 5, 6))] == [0, 3, 1, 4, 2]
    assert [move for _, move in follow(position, (0, 3, 3, 4))] == [0, 3]
    assert position.ply == 0


def test_a_proven_end_is_certain() -> None:
    position = boyi.start("tic_tac_toe")
    for move in ("a1", "b2", "a2", "c1"):
        position.play(move)
    best, *others = analyse(searcher_for(position), position, Limits(depth=5, lines=9)).lines
    assert (best.texts[0], best.odds, best.wins_in, best.mate_in) == ("a3", 1.0, 1, 1)
    assert {line.odds for line in others if line.wins_in == -2} == {0.0}


@pytest.mark.parametrize(("wins_in", "mate_in"), [(None, None), (1, 1), (2, 1), (3, 2), (-1, -1), (-2, -1), (-3, -2)])
def test_plies_and_moves_to_an_end(wins_in: int | None, mate_in: int | None) -> None:
    assert AnalysedLine((0,), ("a1",), (("a1",),), 0.0, 0.5, wins_in).mate_in == mate_in


def test_every_depth_is_reported() -> None:
    position = boyi.start("othello")
    heard: list[Analysis] = []
    analysis = analyse(searcher_for(position), position, Limits(depth=4, lines=2), heard.append)
    assert [found.depth for found in heard] == [1, 2, 3, 4]
    assert analysis.lines == heard[-1].lines
    assert all(len(found.lines) == 2 for found in heard)


def test_only_some_first_moves() -> None:
    position = boyi.start("othello")
    only = tuple(position.parse_move(move) for move in ("c4", "e6"))
    analysis = analyse(searcher_for(position), position, Limits(depth=3, lines=4), only=only)
    assert {line.texts[0] for line in analysis.lines} == {"c4", "e6"}


def test_what_an_unfinished_depth_found_is_reported_too() -> None:
    position = boyi.start("tic_tac_toe")
    first, second = Result((Line((0,), 1.0),), 1, 10, 0.1), Result((Line((4,), 2.0),), 1, 20, 0.2)
    for depths, answer, expected in (([first], second, ["a1", "b2"]), ([first], first, ["a1"]), ([], second, ["b2"])):
        heard: list[Analysis] = []
        analysis = analyse(Replaying(depths, answer), position, Limits(depth=2), heard.append)
        assert [found.lines[0].texts[0] for found in heard] == expected
        assert analysis.lines == heard[-1].lines


def test_nodes_are_those_of_the_whole_search() -> None:
    """Also where the depth in which they were spent was not finished and found nothing."""
    position, lines = boyi.start("tic_tac_toe"), (Line((0,), 1.0),)
    heard: list[Analysis] = []
    analysis = analyse(Replaying([Result(lines, 1, 10, 0.1)], Result(lines, 1, 25, 0.2)), position, Limits(nodes=25),
                       heard.append)
    assert ([found.nodes for found in heard], analysis.nodes, analysis.seconds) == ([10], 25, 0.2)


def test_speed() -> None:
    searcher, position = Replaying([], Result((), 0, 0, 0.0)), boyi.start("tic_tac_toe")
    assert describe(searcher, position, Result((), 3, 300, 2.0)).speed == 150
    assert describe(searcher, position, Result((), 0, 0, 0.0)).speed == 0
