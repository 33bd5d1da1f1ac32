"""Tokens: what lies beside the board, as data. A rolled die, a score, a stake."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from boyi.core.words import Words

__all__ = ["Token"]


@dataclass(frozen=True)
class Token:
    """One thing beside the board.

    >>> Token(Words("Die", "骰子"), "4", kind="die")
    Token(label=Words(en='Die', zh='骰子'), value='4', seat=None, kind='die')
    """

    label: Words
    """What it is: a die, points, a stake."""

    value: str
    """What it shows; the same in both languages."""

    seat: int | None = None
    """Whose it is; None for what belongs to nobody."""

    kind: Literal["text", "die", "tally", "captured"] = "text"
    """A die is drawn as one: with pips where it shows 1 to 6, else with its value on it. A tally is a number beside a
    player that needs no label there. `captured` are stones that the player took: the codes of their glyphs."""
