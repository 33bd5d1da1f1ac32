from typing import Final

from boyi.core.position import Position

LONGEST: Final[int]

def playout(position: Position, seed: int = 1, most: int = ...) -> int:
    """Finish the game from here with random moves; how many were made. The position moves on."""

def playouts(position: Position, games: int, seed: int = 1) -> tuple[int, list[float]]:
    """Play `games` random games from here and back; (moves made, sum of scores per player).

    A game that has not ended after `LONGEST` moves is broken off and scores nothing.
    """
