from typing import Any

from boyi.core.position import Position
from boyi.core.race import StrideEvaluator

class Evaluator:
    """Every position is level. The parent of all other evaluators."""

    @property
    def scale(self) -> float: ...
    @property
    def weights(self) -> Any:
        """The numbers that can be tuned, a record as in `core.weights`; None where there are none."""
    def check(self, position: Position) -> None:
        """Refuse, in words, a position that cannot be evaluated: searches ask before they begin."""
    def fork(self) -> Evaluator:
        """An evaluator of the same values for another thread: this very one, unless it caches anything."""
    def race(self) -> StrideEvaluator | None:
        """What describes moves to forward pruning, in games that are races (`core.race`); else None."""
    def value(self, position: Position) -> int: ...
    def values(self, position: Position) -> list[float]: ...
    def value_range(self, position: Position) -> tuple[int, int] | None:
        """A confidence interval of the value for the player to act; None where nothing is known."""
    def presumed_result(self, position: Position) -> int:
        """At a CHANCE turn, the one result to look at where a search does not look at all of them."""

class PythonEvaluator(Evaluator):
    """An evaluator in plain Python: override `guess`. Slow, and good for trying an idea."""

    def guess(self, position: Position) -> int:
        """The value for the player to act."""
