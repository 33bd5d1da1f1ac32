from typing import Final, Literal, overload

from boyi.core.position import Position
from boyi.core.record import Record

LONGEST: Final[int]

def playout(position: Position, seed: int = 1, most: int = ...) -> int:
    """Finish the game from here with random moves; how many were made. The position moves on."""

@overload
def playouts(position: Position, games: int, seed: int = 1, *,
             records: Literal[False] = False) -> tuple[int, list[float]]: ...
@overload
def playouts(position: Position, games: int, seed: int = 1, *,
             records: Literal[True]) -> tuple[int, list[float], list[Record]]:
    """Play `games` random games from here and back; (moves made, sum of scores per player).

    A game that has not ended after `LONGEST` moves is broken off and scores nothing. With `records` the answer has
    a third part: the games themselves, each a `Record` from its start on.
    """
