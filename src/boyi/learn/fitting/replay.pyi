"""From games in shards to what a network is shown: replayed move by move, on the compiled side."""

from collections.abc import Sequence
from typing import Any

from boyi.core.position import Position
from boyi.kit.nnue import NetEvaluator

class Encoder:
    """Encodes the kept positions of games; one that was there before, in these games or earlier ones, is left out."""

    def __init__(self, evaluator: NetEvaluator, start: Position, imitated: int = 0) -> None:
        """`evaluator` has a base, which is asked for the hand-written evaluation. Per position, `imitated` more are
        encoded, a few random moves away."""
    @property
    def distinct(self) -> int:
        """Positions that were encoded so far, without imitated ones."""
    def encode(self, starts: Sequence[str], families: Any, plies: Any, results: Any, moves: Any, values: Any, kept: Any,
               first_family: int, codes: Any, facts: Any, labels: Any, numbers: Any) -> int:
        """Write the positions of games into the arrays, from their beginning; the number of positions.

        `first_family` is added to what `numbers` gets, so that sets of games are kept apart.
        """
