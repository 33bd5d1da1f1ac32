"""What is counted beside the players of jieqi, by what the viewer knows: a captor is shown what they took covered, the
others see its back.

A kind's pieces are open on the board, may still be covered (the pools), or were captured. What the viewer does not know
of captured pieces stays in the pools; so what has gone from both, since the start, is known to be captured, and what
the pools hold beyond the covered pieces on the board was captured as a back.
"""

from __future__ import annotations

from collections import Counter

from boyi.core.position import Position
from boyi.core.token import Token
from boyi.games.jieqi.fen import Fen, read_fen
from boyi.games.jieqi.piece_values import PIECE_VALUES
from boyi.games.xiangqi.tally import describe_taken

BACKS = "Xx"


def tally(position: Position) -> tuple[Token, ...]:
    """What each player took, and the lead in material, in pawns; a back counts the mean of what it may be."""
    begun, now = read_fen(position.start_text), read_fen(position.to_text())
    taken: dict[str, float] = dict(_known(begun) - _known(now))
    means: dict[str, float] = {}
    for side, back in enumerate(BACKS):
        taken[back] = _elsewhere(now, side) - _elsewhere(begun, side)
        pool = now.pools[side]
        worth = sum(PIECE_VALUES[letter.upper()] * count for letter, count in pool.items())
        means[back] = worth / max(1, sum(pool.values()))
    return describe_taken(taken, PIECE_VALUES, means)


def _known(fen: Fen) -> Counter[str]:
    """By letter, pieces that are open or may be covered."""
    found = Counter(letter for letter in fen.pieces.values() if letter not in BACKS)
    for side, pool in enumerate(fen.pools):
        for letter, count in pool.items():
            found[letter.lower() if side else letter.upper()] += count
    return found


def _elsewhere(fen: Fen, side: int) -> int:
    """How many pieces of a side are covered to the viewer, and not on the board."""
    return sum(fen.pools[side].values()) - list(fen.pieces.values()).count(BACKS[side])
