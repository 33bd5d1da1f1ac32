"""What is counted beside the players of Othello: their discs."""

from boyi.core.position import Position
from boyi.core.token import Token
from boyi.core.words import Words

DISCS = Words("Discs", "棋子")


def tally(position: Position) -> tuple[Token, ...]:
    glyphs = [stone.glyph for stone in position.stones()]
    return tuple(Token(DISCS, str(glyphs.count(code)), seat, "tally") for seat, code in enumerate("XO"))
