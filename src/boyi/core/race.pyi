from typing import Self

from boyi.core.evaluator import Evaluator

class StrideEvaluator(Evaluator):
    """An evaluator that also describes moves, for searches that prune the moves of a race (`search.multiplayer`)."""

    @property
    def places(self) -> int:
        """The numbers of pieces and targets are less than this."""
    def race(self) -> Self: ...
