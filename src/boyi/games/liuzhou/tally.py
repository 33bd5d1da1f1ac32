"""What is counted beside the players of Liuzhou qi: their stones on the board."""

from boyi.core.position import Position
from boyi.core.token import Token
from boyi.core.words import Words

STONES = Words("Stones on the board", "盘上棋子")


def tally(position: Position) -> tuple[Token, ...]:
    glyphs = [stone.glyph.lower() for stone in position.stones()]   # a marked stone is a capital
    return tuple(Token(STONES, str(glyphs.count(code)), seat, "tally") for seat, code in enumerate("bw"))
