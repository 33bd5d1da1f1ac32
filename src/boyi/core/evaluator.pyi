from boyi.core.position import Position

class Evaluator:
    """The evaluator without an opinion: every position is level. The parent of all others."""

    @property
    def scale(self) -> float: ...
    def check(self, position: Position) -> None:
        """Refuse, in words, a position that there is nothing to say of: searches ask before they begin."""
    def fork(self) -> Evaluator:
        """One of the same opinion for another thread to ask: this very one, unless it remembers anything."""
    def value(self, position: Position) -> int: ...
    def values(self, position: Position) -> list[float]: ...
    def value_range(self, position: Position) -> tuple[int, int] | None:
        """Between which values the position's almost certainly is, for the player to act; None where nobody knows."""

class PythonEvaluator(Evaluator):
    """An opinion in plain Python: override `guess`. Slow, and good for trying an idea."""

    def guess(self, position: Position) -> int:
        """The value for the player to act."""
