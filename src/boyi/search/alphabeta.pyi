from collections.abc import Callable, Iterable
from typing import ClassVar

from boyi.core.evaluator import Evaluator
from boyi.core.position import Position
from boyi.core.searcher import Limits, Result
from boyi.kit.gate import Gate
from boyi.search.alphabeta_options import AlphaBetaOptions
from boyi.search.deepening import Deepening
from boyi.search.table import Table
from boyi.search.window_options import WindowOptions

class Worker(Deepening):
    """One thread's search. All its memory is taken when it is made."""

    @property
    def evaluator(self) -> Evaluator: ...

class AlphaBeta:
    """The searcher: options, a table that outlives a search, and a worker per thread (Lazy SMP)."""

    FOR_TWO: ClassVar[bool]
    NAME: ClassVar[str]
    @property
    def options(self) -> WindowOptions: ...
    @property
    def evaluator(self) -> Evaluator: ...
    @property
    def table(self) -> Table: ...
    def __init__(self, evaluator: Evaluator | None = None, options: AlphaBetaOptions | None = None) -> None: ...
    def check(self, position: Position) -> None:
        """Refuse, in words, a game in which this search would fail."""
    def search(self, position: Position, limits: Limits, on_depth: Callable[[Result], object] | None = None,
               only: Iterable[int] = ()) -> Result:
        """The best moves of a position in which a player acts; the position is left as it was.

        `on_depth` is called with the result of every depth as it ends. `only`, if not empty, are the moves to keep to.
        """
    def stop(self) -> None:
        """End a running search soon; it answers with what it has."""
    def pass_through(self, gate: Gate) -> None:
        """From the next search on, wait at a gate while it is closed."""
