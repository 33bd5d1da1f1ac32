"""How an outside protocol (UCI, UCCI, XBoard, GTP, NBoard) writes a game.

A game names the protocols it is played by in `Game.protocols`, with a dialect each. Both ends use it: our agents that
ask outside engines, and Boyi as an engine for outside programs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boyi.core.position import Position

__all__ = ["Dialect"]


@dataclass(frozen=True)
class Dialect:
    """What programs that speak a protocol call a game and its parts, where that differs from our own writing."""

    variant: str
    """The name of the game."""

    aliases: tuple[str, ...] = ()
    """Other names of it that are understood."""

    colours: tuple[str, ...] = ()
    """The names of the players, in protocols that name them (GTP)."""

    letters: Mapping[str, str] = field(default_factory=dict)
    """Letters of a position text, ours to theirs."""

    first_rank: int | None = None
    """The number of the lowest rank, in games where ours is 0; None to leave points as they are."""

    board_size: int = 0
    """Points along an edge of the board, in protocols that name it (GTP, NBoard)."""

    lead: Callable[[Position], int] | None = None
    """Points by which the first player leads, in protocols that ask for the score (GTP)."""

    def write_move(self, move: str) -> str:
        """A move of ours as they write it.

        >>> Dialect("xiangqi", first_rank=1).write_move("h2e2")
        'h3e3'
        """
        return move if self.first_rank is None else _shift(move, self.first_rank)

    def read_move(self, move: str) -> str:
        """A move of theirs as we write it."""
        return move.lower() if self.first_rank is None else _shift(move.lower(), -self.first_rank)

    def write_position(self, text: str) -> str:
        """A position text of ours as they write it."""
        board, _, rest = text.partition(" ")
        return f"{self.write_letters(board)} {rest}".rstrip()

    def write_letters(self, text: str) -> str:
        """Our letters exchanged for theirs."""
        return "".join(self.letters.get(letter, letter) for letter in text)

    def read_position(self, text: str) -> str:
        """A position text of theirs with our letters.

        >>> Dialect("xiangqi", letters={"n": "h"}).read_position("4h4/9 w 0 1")
        '4n4/9 w 0 1'
        """
        board, *words = text.split() or [""]
        ours = {theirs: letter for letter, theirs in self.letters.items()}
        return " ".join(["".join(ours.get(letter, letter) for letter in board), *words])


def _shift(move: str, ranks: int) -> str:
    """Count ranks from another number: `h2e2` by 1 is `h3e3`."""
    return re.sub(r"[0-9]{1,3}", lambda found: str(int(found[0]) + ranks), move, count=2) if ranks else move
