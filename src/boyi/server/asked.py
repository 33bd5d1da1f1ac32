"""The position that a request is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from boyi.core.position import Position
from boyi.games import find_game
from boyi.server.protocol.study import AskGame


def read_start(asked: AskGame) -> Position:
    """Where the game of a request begins."""
    game = find_game(asked.game)
    position = game.position(game, game.resolve(asked.options))
    if asked.start:
        position.set_text(asked.start)
    return position


def read_moves(position: Position, texts: Iterable[str]) -> Iterator[tuple[int, ...]]:
    """The moves of a request one after the other, each before it is to be played on `position` by the caller."""
    for text in texts:
        yield position.game.read_move(position, text)


def read_position(asked: AskGame) -> Position:
    """The position that the moves of a request lead to."""
    position = read_start(asked)
    for moves in read_moves(position, asked.moves):
        play(position, moves)
    return position


def play(position: Position, moves: Iterable[int]) -> None:
    for move in moves:
        position.play(move)
