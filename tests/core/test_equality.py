"""Two positions are equal when they are the same game, from the same start, by the same moves."""

from __future__ import annotations

import pickle

import pytest

import boyi
from boyi.core.position import Position
from tests.toys import TOYS, find_game_or_toy
from tests.walks import walk

GAMES = [*boyi.all_games(), *TOYS]


def some_position(game: str, seed: int = 1, plies: int = 9) -> Position:
    return walk(find_game_or_toy(game).start(), plies, seed)


@pytest.mark.parametrize("game", GAMES)
def test_copies_are_equal_until_one_is_played_on(game: str) -> None:
    position = some_position(game)
    for twin in (position.copy(), pickle.loads(pickle.dumps(position)), some_position(game)):
        assert twin == position
        if position.moves():
            twin.play(position.moves()[0])
            assert twin != position
            twin.undo()
            assert twin == position


@pytest.mark.parametrize("game", GAMES)
def test_history_tells_positions_apart(game: str) -> None:
    position = some_position(game)
    anew = position.game.parse(position.to_text(), **position.options)
    assert anew.to_text() == position.to_text()
    assert anew != position
    assert anew == position.game.parse(position.to_text(), **position.options)


@pytest.mark.parametrize("game", GAMES)
def test_a_position_has_a_key_and_no_hash(game: str) -> None:
    position = some_position(game)
    with pytest.raises(TypeError, match="unhashable"):
        hash(position)
    assert {position.key: game}[position.copy().key] == game
    assert position.key == position.fingerprint


def test_transpositions_share_a_key_and_are_not_equal() -> None:
    one, other = boyi.start("xiangqi"), boyi.start("xiangqi")
    for position, moves in ((one, "h2e2 h9g7 b0c2"), (other, "b0c2 h9g7 h2e2")):
        for move in moves.split():
            position.play(move)
    assert one.key == other.key
    assert one != other


def test_rules_tell_positions_apart() -> None:
    assert boyi.start("liuzhou") == boyi.start("liuzhou")
    assert boyi.start("xiangqi") != boyi.start("xiangqi", rules="simple")
    assert boyi.start("xiangqi") != boyi.start("jieqi")
    assert boyi.start("othello") != boyi.start("othello").to_text()


def test_what_is_known_tells_positions_apart() -> None:
    dealt = walk(find_game_or_toy("cards").start(), 4, 1)
    views = [dealt.observe(player) for player in range(dealt.players)]
    assert views[0] == dealt.observe(0)
    assert views[0] != views[1]
