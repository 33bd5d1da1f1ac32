from boyi.core.evaluator import Evaluator
from boyi.core.position import Position

class HandEvaluator(Evaluator):
    """Stones, shapes made and one short, freedom: weighed by hand."""

    def terms(self, position: Position) -> dict[str, tuple[int, int]]:
        """What the evaluator counts: per name for the player to act and for the opponent."""
