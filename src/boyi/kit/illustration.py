"""The small pictures in a game's rules.

A game describes them in `pictures.toml` in its folder, a table each:

    [square]
    position = "6/1bb3/…"    # as text; without it the start of the game
    options = { … }          # rule options, if it needs any
    play = ["c3"]            # moves made from there; the way of the last one is shown
    marks = ["b2", "c2"]     # points that are pointed out

`rules.md` shows one with `![words](pictures/square.svg)`. The file is there for those who read the rules as a file, and
is drawn by `python -m tools.pictures`; the page draws the same itself, on the reader's own board.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from boyi.core.errors import BoyiError, TextError, shorten
from boyi.core.game import Game
from boyi.core.position import Position
from boyi.kit.folder import read_table, refuse_unknown
from boyi.kit.picture import svg

__all__ = ["FILE", "Illustration", "read_illustrations"]

FILE = "pictures.toml"


@dataclass(frozen=True)
class Illustration:
    """A position to look at."""

    options: Mapping[str, object]
    position: Position
    path: tuple[str, ...]
    """The way of the last move, if one was made."""

    marks: tuple[str, ...]

    def draw(self) -> str:
        """As SVG."""
        return svg.draw(self.position, last_move=self.path, targets=self.marks)


def read_illustrations(game: Game) -> dict[str, Illustration]:
    """All pictures of a game's rules, by name."""
    found = {}
    for name, entry in read_table(game, FILE).items():
        try:
            found[name] = _read(game, entry)
        except BoyiError as error:
            raise TextError(f"{FILE} of {game.name}, {name}: {error}") from error
    return found


def _read(game: Game, entry: Mapping[str, Any]) -> Illustration:
    refuse_unknown(entry, ("position", "options", "play", "marks"), "the picture")
    options = entry.get("options", {})
    position = game.parse(entry["position"], **options) if "position" in entry else game.start(**options)
    path: tuple[str, ...] = ()
    for text in entry.get("play", ()):
        moves = position.parse_moves(text)
        path = tuple(position.path(moves[0]))
        for move in moves:
            position.play(move)
    marks = tuple(entry.get("marks", ()))
    for name in marks:
        if name not in position.board.index:
            raise TextError(f"{shorten(name)} is no point of the board")
    return Illustration(options, position, path, marks)
