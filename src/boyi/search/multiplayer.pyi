from boyi.core.evaluator import Evaluator
from boyi.core.position import Position
from boyi.core.searcher import Limits, Result
from boyi.search.forward_pruning import PruningSearch
from boyi.search.multiplayer_options import MultiplayerOptions

class BoundedSearch(PruningSearch):
    """Best reply, paranoid and own plan: the player at the root maximises, the others minimise."""

    def __init__(self, evaluator: Evaluator, options: MultiplayerOptions) -> None: ...

class Multiplayer:
    """The searcher: an evaluator, options, and memory that is taken once."""

    @property
    def evaluator(self) -> Evaluator: ...
    @property
    def options(self) -> MultiplayerOptions: ...
    def __init__(self, evaluator: Evaluator | None = None, options: MultiplayerOptions | None = None) -> None: ...
    def search(self, position: Position, limits: Limits) -> Result:
        """The best moves of a position in which a player acts; the position is left as it was."""
    def stop(self) -> None:
        """End a running search soon, from another thread; it answers with what it has."""
    def forget(self) -> None:
        """Empty the tables, as before the first search."""
