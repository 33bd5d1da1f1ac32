"""Searchers that go depth by depth: what they tell on the way, and keeping to some of the first moves."""

from __future__ import annotations

import pytest

import boyi
from boyi.core.errors import IllegalMoveError
from boyi.core.game import Game
from boyi.core.position import Position
from boyi.core.searcher import DeepeningSearcher, Limits, Result
from boyi.games import find_game
from boyi.search.alphabeta import AlphaBeta
from boyi.search.alphabeta_options import AlphaBetaOptions
from boyi.search.expectimax import Expectimax

DEPTHS = {"xiangqi": 5, "othello": 7, "jieqi": 2}


def make(game: Game) -> DeepeningSearcher:
    evaluator = next(iter(game.evaluators.values()))()
    return Expectimax(evaluator) if game.has_chance else AlphaBeta(evaluator)


def begin(name: str) -> Position:
    return boyi.start(name).observe(0)


@pytest.mark.parametrize("name", DEPTHS)
def test_who_is_told_changes_nothing(name: str) -> None:
    game, limits = find_game(name), Limits(depth=DEPTHS[name])
    told: list[Result] = []
    alone = make(game).search(begin(name), limits)
    watched = make(game).search(begin(name), limits, told.append)
    assert (watched.lines, watched.nodes, watched.depth) == (alone.lines, alone.nodes, alone.depth)
    assert [result.depth for result in told] == list(range(1, DEPTHS[name] + 1))
    assert told[-1].lines == watched.lines
    assert [result.nodes for result in told] == sorted(result.nodes for result in told)


@pytest.mark.parametrize("name", DEPTHS)
def test_only_some_moves(name: str) -> None:
    game, position = find_game(name), begin(name)
    searcher, some = make(game), position.moves()[1:4]
    result = searcher.search(position, Limits(depth=2, lines=10), None, some)
    assert sorted(line.moves[0] for line in result.lines) == sorted(some)
    worst = result.lines[-1].moves[0]
    assert searcher.search(position, Limits(depth=2), None, [worst]).move == worst
    with pytest.raises(IllegalMoveError, match="no legal move"):
        searcher.search(position, Limits(depth=2), None, [some[0], 10**6])


def test_the_best_of_some_moves_is_no_value_of_the_position() -> None:
    """At depth 1, if quiescence does without the table, only the root is worth an entry; of some moves it is not."""
    game, position = find_game("xiangqi"), begin("xiangqi")
    options = AlphaBetaOptions(quiescence_table=False)
    for only, entries in (((), 1), (position.moves()[:3], 0)):
        searcher = AlphaBeta(game.evaluators["hand"](), options)
        assert searcher.search(position, Limits(depth=1), None, only).statistics["table_entries"] == entries


@pytest.mark.parametrize("name", DEPTHS)
def test_what_the_listener_raises_comes_out(name: str) -> None:
    def raises(result: Result) -> None:
        raise LookupError("enough")
    searcher, position = make(find_game(name)), begin(name)
    before = position.to_text()
    with pytest.raises(LookupError, match="enough"):
        searcher.search(position, Limits(depth=3), raises)
    assert position.to_text() == before
    assert searcher.search(position, Limits(depth=1)).depth == 1
