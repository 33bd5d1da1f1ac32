from boyi.core.evaluator import Evaluator
from boyi.search.deepening import Deepening

class HorizonSearch(Deepening):
    """A search for two players that ends in quiescence."""

    @property
    def evaluator(self) -> Evaluator: ...
