"""A network for a game that says nothing about itself: it sees which stone stands where.

The evaluator that `boyi learn evaluator` fits for a game of two players without an encoding of its own, as plug-ins
are. It reads `Position.stones()`, which every game has:

    alphabeta:weights=net.xz             the file takes the place of the evaluator that the game does not have
    alphabeta:evaluator=board,weights=net.xz    the same where the game has evaluators

A game that ships its network names it among its evaluators, and from then on its levels use it:

    evaluators={"net": lambda: open_board_net(GAME, Path(__file__).with_name("net.xz"))}

Its limits, which an encoding of the game's own (`kit.nnue`) lifts: it sees stones and whose turn it is, nothing else;
the two seats share no weights, for nobody says how the board looks from the other side; and it asks the position in
Python, tens of microseconds a time.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from boyi.core.errors import BoyiError, TextError, explain, shorten
from boyi.core.evaluator import Evaluator
from boyi.core.game import Game, Options
from boyi.core.position import Position
from boyi.kit.nnue import MOST_CODES, MOST_PLACES, Net, PythonNetEvaluator

__all__ = ["NAME", "BoardNet", "board_net", "open_board_net"]

NAME = "board"
"""What an agent calls it: `evaluator=board`."""

VERSION = 1


class BoardNet(PythonNetEvaluator):
    """The network of one game; `board_net` makes the class for it."""

    GAME: ClassVar[Game]
    OPTIONS: ClassVar[Options]
    PLACE: ClassVar[dict[str, int]]
    """From a point to its place."""

    CODE: ClassVar[dict[str, int]]
    """From a glyph to its code."""

    def __init__(self, net: Net) -> None:
        self._install(net, next(iter(self.GAME.evaluators.values()), Evaluator))

    def check(self, position: Position) -> None:
        if position.game is not self.GAME or position.options != self.OPTIONS:
            raise TextError(f"this network was fitted to {self.GAME.name} under {self.OPTIONS}, not to "
                            f"{position.game.name} under {position.options}")
        super().check(position)

    def look(self, position: Position) -> bytes:
        codes = bytearray(len(self.PLACE))
        for stone in position.stones():
            codes[self.PLACE[stone.point]] = self.CODE[stone.glyph]
        return bytes(codes)


_classes: dict[str, type[BoardNet]] = {}
"""By the module of the game."""


def board_net(game: Game) -> type[BoardNet]:
    """The evaluator that asks a network about the board of a game."""
    found = _classes.get(game.module)
    if found is not None and found.GAME is game:
        return found
    start, options = game.start(), game.resolve()
    points, glyphs = start.board.points, start.board.glyphs
    if start.players != 2:
        raise BoyiError(f"an evaluator is fitted for two players, and {game.name} has {start.players}; "
                        f"`boyi train {game.name}` trains a network for any number")
    if len(points) > MOST_PLACES or len(glyphs) >= MOST_CODES:
        raise BoyiError(f"the board of {game.name} has {len(points)} points and {len(glyphs)} kinds of stones, and at "
                        f"most {MOST_PLACES} and {MOST_CODES - 1} fit an evaluator; `boyi train {game.name}` trains a "
                        "network for any board")
    kinds = len(glyphs)
    facts: dict[str, Any] = {
        "GAME": game, "OPTIONS": options,
        "PLACE": {point.name: place for place, point in enumerate(points)},
        "CODE": {glyph: code for code, glyph in enumerate(glyphs, 1)},
        "INPUTS": f"{NAME} {VERSION} of {game.name}, {len(points)} points, {kinds} kinds",
        "ROWS": 2 * len(points) * kinds, "BUCKETS": 1,
        "SEATS": tuple(tuple((None, *range(first := (seat * len(points) + place) * kinds, first + kinds))
                             for place in range(len(points))) for seat in range(2)),
        "IMAGES": start.board.symmetries,
    }
    _classes[game.module] = type(BoardNet.__name__, (BoardNet,), {"__module__": __name__} | facts)
    return _classes[game.module]


def open_board_net(game: Game, path: Path) -> BoardNet:
    """The evaluator with the network in a file, as `boyi learn evaluator` writes it."""
    try:
        return board_net(game)(Net.read(path.read_bytes()))
    except OSError as error:
        raise BoyiError(f"the network in {shorten(str(path))} cannot be read: {explain(error)}") from error
