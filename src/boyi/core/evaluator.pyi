from typing import Any, Final

from boyi.core.position import Position
from boyi.core.race import StrideEvaluator

EXTREME_SHARE: Final[float]
"""Of the points: a kind of position is extreme if it is certain that less than this share is lost in it, or won."""

RANGE_DEVIATIONS: Final[float]
"""In standard deviations: how far from the mean the value of a position in an extreme kind is expected at most."""

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
    def value_range(self, position: Position, *, share: float = 0.1,
                    deviations: float = 2.0) -> tuple[int, int] | None:
        """Between which values statistics expect the position for the player to act; None where they say too little.

        They speak of positions in which it is certain that less than `share` of the points was lost, or won, and reach
        so many standard `deviations` to either side of the mean.
        """
    def foretold(self, position: Position, depth: int) -> tuple[int, float, float, float] | None:
        """What statistics tell about a search of `depth` plies; None where there are none.

        A tuple (shallow, slope, offset, deviation): its value is expected at slope * v + offset, give or take the
        standard deviation, where v is the value of a search of `shallow` plies.
        """
    def presumed_result(self, position: Position) -> int:
        """At a CHANCE turn, the one result to look at where a search does not look at all of them."""

class PythonEvaluator(Evaluator):
    """An evaluator in plain Python: override `guess`. Slow, and good for trying an idea."""

    def guess(self, position: Position) -> int:
        """The value for the player to act."""
