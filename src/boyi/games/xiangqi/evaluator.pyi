from boyi.core.evaluator import Evaluator
from boyi.games.xiangqi.weights import Weights

class HandEvaluator(Evaluator):
    """The evaluator `hand`."""

    @property
    def weights(self) -> Weights: ...
    def __init__(self, weights: Weights | None = None) -> None: ...
