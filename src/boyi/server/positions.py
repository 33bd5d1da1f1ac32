"""Positions for an analysis board that knows no rules: what stands where, what may be done, how one is set up by hand.

A client sends a game, a start (a text, or stones and fields) and moves, and is told everything that it needs for
drawing and for the next touch. Nothing is kept here, and there is no secret in a position that comes as text.
"""

from __future__ import annotations

from boyi.core import formats
from boyi.core.errors import TextError, UnknownNameError, shorten
from boyi.core.game import Game
from boyi.core.position import CHANCE, Position
from boyi.core.record import Record
from boyi.games import all_games, find_game
from boyi.server.events import Change, Standing, Stone
from boyi.server.messages import (
    ArrangedStones,
    AskPosition,
    AskRecord,
    ChanceResult,
    FieldChoice,
    FieldInfo,
    LegalMove,
    PlayedMove,
    ShownPosition,
    text_of,
)
from boyi.server.room import pools_of

__all__ = ["show", "write_record"]


def show(wish: AskPosition) -> ShownPosition:
    """A position as it looks, and what may be done in it."""
    game = find_game(wish.game)
    position = game.position(game, game.resolve(wish.options))
    if wish.arranged is not None:
        position.set_text(_arrange(game, position, wish.arranged))
    elif wish.start:
        position.set_text(wish.start)
    start, start_stones = position.to_text(), _stones(position)
    plies: list[PlayedMove] = []
    last: tuple[int, ...] = ()
    for number, text in enumerate(wish.moves):
        last = game.read_move(position, text)
        if number < wish.known:
            _play(position, last)
        else:
            plies.append(_describe(position, last))

    task, outcome = position.status(), position.outcome()
    awaits_chance = position.turn == CHANCE
    standing = Standing(position.turn if position.turn >= 0 else None, position.to_text(),
                        None if task is None else text_of(task), position.checked, pools_of(position))
    return ShownPosition(
        dict(position.options), start, start_stones, plies, _stones(position), standing,
        [] if awaits_chance else [LegalMove(position.format_move(move), list(position.path(move)))
                                  for move in position.moves()],
        _chance(position, last) if awaits_chance else [],
        None if outcome is None else list(outcome.places), None if outcome is None else text_of(position.reason()[1]),
        _fields(game, position))


def _play(position: Position, moves: tuple[int, ...]) -> None:
    for move in moves:
        position.play(move)


def _describe(position: Position, moves: tuple[int, ...]) -> PlayedMove:
    """What was seen of a written move, which is played."""
    seat = position.turn if position.turn >= 0 else None
    text = position.format_moves(moves)
    path = list(position.path(moves[0])) if seat is not None else []
    changes = []
    for move in moves:
        changes += _changes(position, move)
        position.play(move)
    return PlayedMove(seat, text, path, changes)


def _changes(position: Position, move: int) -> list[Change]:
    return [Change(one.kind, one.point, one.glyph, one.to) for one in position.changes(move)]


def _chance(position: Position, last: tuple[int, ...]) -> list[ChanceResult]:
    """What may come, each written together with the move that led here."""
    before = position.copy()
    for _ in last:
        before.undo()
    return [ChanceResult(before.format_moves([*last, move]), _changes(position, move), round(odds, 4))
            for move, odds in position.odds()]


def _stones(position: Position) -> list[Stone]:
    return sorted((Stone(stone.point, stone.glyph) for stone in position.stones()), key=lambda stone: stone.point)


def _arrange(game: Game, position: Position, arranged: ArrangedStones) -> str:
    """The text of stones that somebody has put on the board."""
    setup = game.setup
    if setup is None:
        raise TextError(f"positions of {game.name} cannot be set up by their stones, only by their text")
    board = position.board
    stones: dict[str, str] = {}
    for stone in arranged.stones:
        if stone.point not in board.index:
            raise TextError(f"there is no point {shorten(stone.point)} on this board")
        if stone.glyph not in board.glyphs:
            raise TextError(f"there is no stone {shorten(stone.glyph)} in this game: {', '.join(board.glyphs)}")
        if stone.point in stones:
            raise TextError(f"two stones cannot stand on {stone.point}")
        stones[stone.point] = stone.glyph
    fields = dict(setup.read(position))
    for name, value in arranged.fields.items():
        if name not in fields:
            raise UnknownNameError.among(f"field of a position of {game.name}", name, fields)
        fields[name] = value
    return setup.write(position, stones, fields)


def _fields(game: Game, position: Position) -> list[FieldInfo] | None:
    if game.setup is None:
        return None
    values = game.setup.read(position)
    return [FieldInfo(field.name, text_of(field.title),
                      [FieldChoice(value, text_of(words)) for value, words in field.choices], values[field.name])
            for field in game.setup.fields(position)]


def write_record(wish: AskRecord) -> bytes:
    """A game as a file."""
    game = find_game(wish.game)
    position = game.position(game, game.resolve(wish.options))
    if wish.start:
        position.set_text(wish.start)
    for text in wish.moves:
        _play(position, game.read_move(position, text))
    record = Record.from_position(position, players=wish.players, result=wish.result, reason=wish.reason)
    return formats.write([record], wish.format, wish.notation or None, list(all_games().values()))
