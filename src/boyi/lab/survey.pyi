from collections.abc import Sequence

from boyi.core.evaluator import Evaluator
from boyi.core.position import Position

def sum_values(evaluator: Evaluator, positions: Sequence[Position], rounds: int = 1) -> int:
    """Evaluate every position, round after round; the sum of all values is a checksum of the evaluator."""
