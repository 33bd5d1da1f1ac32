from typing import Self

from boyi.core.evaluator import Evaluator

class StrideEvaluator(Evaluator):
    """An evaluator that also describes moves, for searches that prune the moves of a race (`search.multiplayer`)."""

    @property
    def places(self) -> int:
        """The numbers of pieces and targets are less than this."""
    @property
    def linear(self) -> bool:
        """Is a value what the others lack, less `own_weight` times what the player lacks, by `unit`?"""
    @property
    def own_weight(self) -> float: ...
    @property
    def unit(self) -> float: ...
    def race(self) -> Self: ...
