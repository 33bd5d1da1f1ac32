"""Moves in the notation that a reader likes: `h2e2` as 炮二平五 or C2=5.

Stateless: whoever asks says where the game began and how it went, in the game's own writing, as he knows it. So it
tells nobody anything that he did not know.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from boyi.core.game import Game
from boyi.games import find_game
from boyi.server.events import OptionValue
from boyi.server.messages import MoveText


class NotationInfo(Struct, frozen=True):
    """A way to write moves, and what a move of the start looks like in it. The game's own has no name."""

    name: str
    sample: str


class AskNotation(Struct, frozen=True, forbid_unknown_fields=True):
    """The wish to have the moves of a game written in another notation."""

    game: Annotated[str, Meta(max_length=60)]
    notation: Annotated[str, Meta(max_length=60)]
    options: dict[str, OptionValue] = {}
    start: Annotated[str, Meta(max_length=2000)] = ""
    """A position text; empty for the start of the game."""

    moves: Annotated[list[MoveText], Meta(max_length=4000)] = []
    """In the game's own writing."""


def notations(game: Game) -> list[NotationInfo]:
    """Every way in which a game's moves are written, its own first."""
    start = game.start()
    moves = start.moves()
    if not moves:
        return [NotationInfo("", "")]
    return [NotationInfo("", start.format_move(moves[0])),
            *(NotationInfo(name, notation.format(start, moves[0])) for name, notation in game.notations.items())]


def write(wish: AskNotation) -> list[str]:
    """The moves, each written where it is made."""
    game = find_game(wish.game)
    notation = game.notation(wish.notation)
    position = game.position(game, game.resolve(wish.options))
    if wish.start:
        position.set_text(wish.start)
    written = []
    for text in wish.moves:
        moves = position.parse_moves(text)
        written.append(notation.format(position, moves[0]))
        for move in moves:
            position.play(move)
    return written
