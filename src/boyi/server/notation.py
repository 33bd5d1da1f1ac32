"""Moves in the notation that a reader likes: `h2e2` as 炮二平五 or C2=5.

Stateless: a request says where the game began and how it went, as the client knows it. So the answer tells nothing that
the client did not know.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from boyi.core.game import Game
from boyi.server.asked import play, read_moves, read_start
from boyi.server.protocol.bodies import AskGame


class NotationInfo(Struct, frozen=True):
    """A way to write moves, and what a move of the start looks like in it. The game's own has no name."""

    name: str
    sample: str


class AskNotation(AskGame, frozen=True, kw_only=True):
    """A game whose moves are to be written in another notation."""

    notation: Annotated[str, Meta(max_length=60)]


def notations(game: Game) -> list[NotationInfo]:
    """Every way in which a game's moves are written, its own first."""
    start = game.start()
    moves = start.moves()
    if not moves:
        return [NotationInfo("", "")]
    return [NotationInfo("", start.format_move(moves[0])),
            *(NotationInfo(name, notation.format(start, moves[0])) for name, notation in game.notations.items())]


def write(asked: AskNotation) -> list[str]:
    """The moves, each written in the position where it is made."""
    position = read_start(asked)
    notation = position.game.notation(asked.notation)
    written = []
    for moves in read_moves(position, asked.moves):
        written.append(notation.format(position, moves[0]))
        play(position, moves)
    return written
