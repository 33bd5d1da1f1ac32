from typing import Final

from boyi.core.errors import BoyiError
from boyi.core.position import Position

MEGABYTES: Final[int]
"""How much memory a count may take, unless told otherwise: enough for 94 million positions."""

MOST_MEGABYTES: Final[int]

class MemoryBoundError(BoyiError, MemoryError):
    """A count that would take more memory than it may."""

class DistinctPositions:
    """The ends of sequences of moves, which `add` follows: how many they are, and how many are not the same.

    Sequences may be added from several positions; what they have in common is counted once. After an error the counts
    are those of a part.
    """

    def __init__(self, *, symmetric: bool = False, megabytes: int = 2048) -> None: ...
    @property
    def symmetric(self) -> bool: ...
    @property
    def megabytes(self) -> int: ...
    @property
    def sequences(self) -> int: ...
    @property
    def positions(self) -> int:
        """How many positions the sequences end in."""
    @property
    def classes(self) -> int | None:
        """How many there are if images of a position are not told apart; None where that was not asked for."""
    def add(self, position: Position, depth: int) -> None:
        """Follow all sequences of `depth` moves from here."""

def count_distinct(position: Position, depth: int, *, symmetric: bool = False,
                   megabytes: int = 2048) -> DistinctPositions:
    """The sequences of `depth` moves from here and the distinct positions they end in, as `DistinctPositions`."""
