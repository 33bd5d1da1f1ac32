"""What is counted beside the players of xiangqi: the pieces they took, and who is ahead in material."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from boyi.core.position import Position
from boyi.core.token import Token
from boyi.core.words import Words
from boyi.games.xiangqi.piece_values import PIECE_VALUES

BY_WORTH = "RCNBAPK"
"""In which order captured pieces are shown."""

CAPTURED = Words("Captured", "吃子")
MATERIAL = Words("Material", "子力")
HUNDREDTHS = 100


def tally(position: Position) -> tuple[Token, ...]:
    """What was taken since the start of the game, and the lead in material, in pawns."""
    begun, now = _count(position.start_text), _count(position.to_text())
    return describe_taken(begun - now, PIECE_VALUES)


def describe_taken(taken: Mapping[str, float], values: Mapping[str, int], covered: Mapping[str, float] | None = None,
                   ) -> tuple[Token, ...]:
    """Captured pieces by letter, capitals being Red's, beside those who took them.

    `covered` are what pieces of unknown kinds (`X`, `x`) are worth.
    """
    worth = {**values, **{letter.lower(): value for letter, value in values.items()}, **(covered or {})}
    order = [*BY_WORTH, *BY_WORTH.lower(), "X", "x"]
    sums, tokens = [0.0, 0.0], []
    for captor in (0, 1):
        letters = [letter for letter in order if letter.islower() == (captor == 0)]
        sums[captor] = sum(taken.get(letter, 0) * worth.get(letter, 0) for letter in letters)
        codes = "".join(letter * int(taken.get(letter, 0)) for letter in letters)
        if codes:
            tokens.append(Token(CAPTURED, codes, captor, "captured"))
    lead = round((sums[0] - sums[1]) / HUNDREDTHS)
    if lead:
        tokens.append(Token(MATERIAL, f"+{abs(lead)}", 0 if lead > 0 else 1, "tally"))
    return tuple(tokens)


def _count(text: str) -> Counter[str]:
    return Counter(letter for letter in text.split()[0] if letter.isalpha())
