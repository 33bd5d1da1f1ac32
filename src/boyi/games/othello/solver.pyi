from boyi.core.searcher import Limits
from boyi.games.othello.position import OthelloPosition
from boyi.games.othello.solution import Solution, SolverOptions

class Solver:
    """Solves positions exactly. A solver answers one question at a time and keeps what it has learnt for the next."""

    @property
    def options(self) -> SolverOptions: ...
    @property
    def processor(self) -> str:
        """What the search that runs is compiled for."""
    def __init__(self, options: SolverOptions | None = None) -> None: ...
    def solve(self, position: OthelloPosition, limits: Limits | None = None, *, outcome: bool | None = None,
              certainty: float | None = None) -> Solution | None:
        """The margin and a line of best play; None where the seconds or nodes ran out or it was stopped.

        `outcome` and `certainty` are those of the options where they are not given; what is learnt serves them all.
        With an `outcome` the margin is a bound: more than 0 for a win, less for a loss, and the line may end before
        the game does. With a `certainty` below 1 all of it may be wrong.
        """
    def value(self, position: OthelloPosition, depth: int) -> int:
        """What a search of `depth` plies with the pattern evaluation finds, in hundredths of a disc.

        It is for the player to act. A game that ends before the last ply counts what it is worth.
        """
    def stop(self) -> None:
        """End a running solve() soon, from another thread."""
