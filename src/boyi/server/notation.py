"""Moves in the notation that a reader likes: `h2e2` as 炮二平五 or C2=5.

Stateless: a request says where the game began and how it went, as the client knows it. So the answer tells nothing that
the client did not know.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from boyi.core.game import Game
from boyi.core.words import Words
from boyi.server.asked import play, read_moves, read_start
from boyi.server.protocol.study import AskGame

OWN = Words("Usual", "通用")
"""What a game's own writing is called where the game does not say."""


class NotationInfo(Struct, frozen=True):
    """A way to write moves, and what a move of the start looks like in it. The game's own has no name."""

    name: str
    title: Words
    sample: str


class AskNotation(AskGame, frozen=True, kw_only=True):
    """A game whose moves are to be written in another notation."""

    notation: Annotated[str, Meta(max_length=60)]
    known: Annotated[int, Meta(ge=0)] = 0
    """How many of the moves are known already; only those after them are written."""


def family(game: Game) -> str:
    """Under which name a reader's choice is kept; games of one family share it."""
    return game.notation_guide.family if game.notation_guide else game.name


def usual(game: Game) -> Words:
    """By language, the notation of readers who have chosen none."""
    return game.notation_guide.usual if game.notation_guide else Words("", "")


def notations(game: Game) -> list[NotationInfo]:
    """Every way in which a game's moves are written, its own first."""
    start = game.start()
    moves = start.moves()
    guide = game.notation_guide
    titles = guide.titles if guide else {}
    if not moves:
        return [NotationInfo("", titles.get("", OWN), "")]
    move = start.parse_move(guide.example) if guide else moves[0]
    return [NotationInfo("", titles.get("", OWN), start.format_move(move)),
            *(NotationInfo(name, titles.get(name, Words(name, name)), notation.format(start, move))
              for name, notation in game.notations.items())]


def write(asked: AskNotation) -> list[str]:
    """The moves, each written in the position where it is made."""
    position = read_start(asked)
    notation = position.game.notation(asked.notation)
    written = []
    for number, moves in enumerate(read_moves(position, asked.moves)):
        if number >= asked.known:
            written.append(notation.format(position, moves[0]))
        play(position, moves)
    return written
