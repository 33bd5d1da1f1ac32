from collections.abc import Callable, Iterable

from boyi.core.evaluator import Evaluator
from boyi.core.position import Position
from boyi.core.searcher import Limits, Result
from boyi.search.attentive_options import AttentiveOptions

class Attentive:
    """The searcher: an evaluator, perhaps, and options."""

    @property
    def evaluator(self) -> Evaluator | None: ...
    @property
    def options(self) -> AttentiveOptions: ...
    def __init__(self, evaluator: Evaluator | None = None, options: AttentiveOptions | None = None) -> None: ...
    def search(self, position: Position, limits: Limits, on_depth: Callable[[Result], object] | None = None,
               only: Iterable[int] = ()) -> Result:
        """The best of the noticed moves; the position is left as it was.

        `on_depth` is called with the result of every depth as it ends. `only`, if not empty, are the moves to keep to.
        """
    def stop(self) -> None:
        """End a running search soon, from another thread; it answers with what it has."""
    def answer(self, depth: int, lines: int) -> Result:
        """The result as it stands."""
