from collections.abc import Callable, Iterable

from boyi.core.evaluator import Evaluator
from boyi.core.position import Position
from boyi.core.searcher import Limits, Result
from boyi.kit.gate import Gate
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
    def check(self, position: Position) -> None:
        """Refuse, in words, a game in which this search would fail."""
    def search(self, position: Position, limits: Limits, on_depth: Callable[[Result], object] | None = None,
               only: Iterable[int] = ()) -> Result:
        """The best moves of a position in which a player acts; the position is left as it was.

        `on_depth` is called with the result of every depth as it ends. `only`, if not empty, are the moves to keep to.
        """
    def stop(self) -> None:
        """End a running search soon, from another thread; it answers with what it has."""
    def pass_through(self, gate: Gate) -> None:
        """From the next search on, wait at a gate while it is closed."""
    def forget(self) -> None:
        """Empty the tables, as before the first search."""
