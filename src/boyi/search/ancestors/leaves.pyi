from boyi.core.evaluator import Evaluator
from boyi.core.position import Position
from boyi.search.forward_pruning import PruningSearch
from boyi.search.multiplayer_options import MultiplayerOptions

class LeafSearch(PruningSearch):
    """A search in which every line counts."""

    def __init__(self, evaluator: Evaluator, options: MultiplayerOptions) -> None: ...
    def leaves_below(self, position: Position, depth: int) -> list[tuple[int, int, float, float | None]]:
        """Per root move, in the order of the search: the move, how many leaves it has, their sum and the least of them.

        Values are in the evaluator's unit; without a leaf the least is None. The position is left as it was.
        """
