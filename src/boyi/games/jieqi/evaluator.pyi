"""Three evaluations of jieqi: `hand`, and the ancestor's `it2` and `iterative`."""

from boyi.core.evaluator import Evaluator

class It2(Evaluator):
    """The evaluation of the ancestor's IT2."""

class Iterative(It2):
    """The evaluation of the ancestor's earlier engine, which took every covered piece for what it stands for."""

class Hand(Evaluator):
    """The default: see the module's text."""
