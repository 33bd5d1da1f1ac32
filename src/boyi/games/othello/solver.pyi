from boyi.core.searcher import Limits
from boyi.games.othello.position import OthelloPosition
from boyi.games.othello.solution import Solution, SolverOptions

class Solver:
    """Solves positions exactly. One solver serves one thread and keeps what it has learnt for the next position."""

    @property
    def options(self) -> SolverOptions: ...
    def __init__(self, options: SolverOptions | None = None) -> None: ...
    def solve(self, position: OthelloPosition, limits: Limits | None = None) -> Solution | None:
        """The exact margin and a line of best play; None where the seconds or nodes ran out or it was stopped."""

    def stop(self) -> None:
        """End a running solve() soon, from another thread."""
