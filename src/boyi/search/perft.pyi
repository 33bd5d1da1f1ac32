from typing import Final

from boyi.core.position import Position

DEEPEST: Final[int]

def perft(position: Position, depth: int) -> int:
    """How many sequences of `depth` moves the rules allow from here."""

def read_depth(depth: int) -> int:
    """A number of plies that can be counted; anything else is refused."""

def divide(position: Position, depth: int) -> dict[str, int]:
    """`perft`, split by the first move: a dict from the move's text to its leaves."""
