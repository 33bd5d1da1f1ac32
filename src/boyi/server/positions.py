"""Positions for an analysis board that knows no rules: what stands where, what may be played, what can be set up.

A client sends a game, a start (a text, or stones and fields) and moves, and is told everything that it needs to draw
the board and to play on. Nothing is kept here, and there is no secret in a position that comes as text.
"""

from __future__ import annotations

from msgspec import structs

from boyi.core import formats
from boyi.core.errors import TextError, UnknownNameError, shorten
from boyi.core.game import Game
from boyi.core.position import CHANCE, Position
from boyi.core.record import Record
from boyi.games import all_games
from boyi.server.asked import play, read_moves, read_position, read_start
from boyi.server.protocol.messages import PlayedMove
from boyi.server.protocol.positions import (
    describe_legal_moves,
    describe_played,
    describe_standing,
    describe_stones,
)
from boyi.server.protocol.study import (
    ArrangedStones,
    AskPosition,
    AskRecord,
    ChanceResult,
    FieldChoice,
    FieldInfo,
    ShownPosition,
)

__all__ = ["show", "write_record"]


def show(asked: AskPosition) -> ShownPosition:
    """A position as it looks, and what may be played in it."""
    position = read_start(asked if asked.arranged is None else structs.replace(asked, start=""))
    game = position.game
    if asked.arranged is not None:
        position.set_text(_arrange(game, position, asked.arranged))
    start, start_stones = position.to_text(), describe_stones(position)
    played: list[PlayedMove] = []
    last: tuple[int, ...] = ()
    for number, last in enumerate(read_moves(position, asked.moves)):
        if number < asked.known:
            play(position, last)
        else:
            played.append(describe_played(position, last))

    outcome = position.outcome()
    awaits_chance = position.turn == CHANCE
    return ShownPosition(
        dict(position.options), start, start_stones, played, describe_stones(position),
        describe_standing(position, position.turn), [] if awaits_chance else describe_legal_moves(position),
        _chance(position, last) if awaits_chance else [],
        None if outcome is None else list(outcome.places), None if outcome is None else position.reason()[1],
        _fields(game, position))


def _chance(position: Position, last: tuple[int, ...]) -> list[ChanceResult]:
    """What chance may bring, each written together with the move that led here."""
    before = position.copy()
    for _ in last:
        before.undo()
    return [ChanceResult(before.format_moves([*last, move]), list(position.changes(move)), round(odds, 4),
                         position.chance_words(move))
            for move, odds in position.odds()]


def _arrange(game: Game, position: Position, arranged: ArrangedStones) -> str:
    """The text of stones that were put on the board by hand."""
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
    return [FieldInfo(field.name, field.title, [FieldChoice(value, words) for value, words in field.choices],
                      values[field.name])
            for field in game.setup.fields(position)]


def write_record(asked: AskRecord) -> bytes:
    """A game as a file."""
    record = Record.from_position(read_position(asked), players=asked.players, result=asked.result,
                                  reason=asked.reason)
    return formats.write([record], asked.format, asked.notation or None, list(all_games().values()))
