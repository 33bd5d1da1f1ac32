from boyi.core.evaluator import Evaluator
from boyi.core.position import Position
from boyi.core.searcher import Limits, Result
from boyi.search.options import MCTSOptions

class MCTS:
    """The searcher: options, perhaps an evaluator, and a tree that outlives a search."""

    @property
    def options(self) -> MCTSOptions: ...
    @property
    def evaluator(self) -> Evaluator | None: ...
    def __init__(self, evaluator: Evaluator | None = None, options: MCTSOptions | None = None) -> None: ...
    def search(self, position: Position, limits: Limits) -> Result:
        """The best moves of a position in which a player acts; the position is left as it was.

        A node, in the limits and the result, is a simulation.
        """
    def stop(self) -> None:
        """End a running search soon; it answers with what it has."""
    def forget(self) -> None:
        """Give the tree up; the next search starts from nothing."""
