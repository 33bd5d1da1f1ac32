"""Three evaluations of jieqi: `hand`, and the ancestor's `it2` and `iterative`."""

from boyi.core.evaluator import Evaluator
from boyi.games.jieqi.weights import AncestorWeights

class It2(Evaluator):
    """The evaluation of the ancestor's IT2."""

    @property
    def weights(self) -> AncestorWeights: ...
    def __init__(self, weights: AncestorWeights | None = None) -> None: ...

class Iterative(It2):
    """The evaluation of the ancestor's earlier engine, which took every covered piece for what it stands for."""

class Hand(Evaluator):
    """The default: see the module's text."""
