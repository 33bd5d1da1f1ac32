"""The solver at play: the best move near the end, if it can be proven in a part of the time.

With few empty points the margin is solved. With some more, only who wins: a proven win or draw is played, and in a lost
position the search goes on looking for the move that is hardest to answer. With a few more, who very likely wins: a win
is played. With more still, nothing is tried.
"""

from __future__ import annotations

import math

from boyi.core.position import Position
from boyi.core.searcher import Limits, Line, Result
from boyi.games.othello.position import OthelloPosition
from boyi.games.othello.solution import Solution, SolverOptions
from boyi.games.othello.solver import Solver

SHARE = 0.5
"""Of the limits that are spent on a solution; what is left is for the search if there is none."""

NODES_PER_SECOND = 15e6
"""Of a thread of the solver, about; FFO 40 to 49 on one core of 2.3 GHz."""

LIKELY_NODES = 1e6
LIKELY_EMPTIES = 20
GROWTH = 2.0
"""Nodes that a position with this number of empty points takes, about, and the factor for each point more."""

OUTCOME_POINTS = 2
"""With the same nodes it can be told this many empty points earlier who wins than by how much."""

LIKELY_POINTS = 4
"""... and with `CERTAINTY` who likely wins."""

CERTAINTY = 0.95

MEGABYTES = 32
"""Of the table; a match has two players, and each their own."""


class OthelloFinisher:
    """Plays the end of a game by the solver. See `boyi.core.searcher.Finisher`."""

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads
        self._solver = Solver(SolverOptions(megabytes=MEGABYTES, threads=threads))

    def finish(self, position: Position, limits: Limits) -> Result | None:
        """The best move, if it is proven; None where a search has to look."""
        assert isinstance(position, OthelloPosition)
        part = share_of(limits)
        empties = position.to_text().count("-")
        if part is None:
            return None
        beyond = empties - reach(part, self._threads)
        if beyond > LIKELY_POINTS:
            return None
        outcome, proven = beyond > 0, beyond <= OUTCOME_POINTS
        solution = self._solver.solve(position, part, outcome=outcome, certainty=1.0 if proven else CERTAINTY)
        if solution is None or (outcome and solution.margin < (0 if proven else 1)):
            return None
        return as_result(solution, empties, proven=proven)

    def stop(self) -> None:
        """End a running finish() soon, from another thread."""
        self._solver.stop()


def share_of(limits: Limits) -> Limits | None:
    """What of a search's limits may be spent; None where it is asked for what a solver does not tell."""
    if limits.lines != 1 or (limits.seconds is None and limits.nodes is None):
        return None
    return Limits(seconds=None if limits.seconds is None else SHARE * limits.seconds,
                  nodes=None if limits.nodes is None else max(1, int(SHARE * limits.nodes)))


def reach(limits: Limits, threads: int = 1) -> float:
    """With how many empty points a position is probably solved within limits.

    >>> reach(Limits(nodes=4_000_000))
    22.0
    """
    nodes = min(math.inf if limits.seconds is None else limits.seconds * threads * NODES_PER_SECOND,
                math.inf if limits.nodes is None else limits.nodes)
    return LIKELY_EMPTIES + math.log(nodes / LIKELY_NODES, GROWTH)


def as_result(solution: Solution, empties: int, *, proven: bool = True) -> Result:
    """A solution as a search would tell it."""
    plies = len(solution.moves)
    wins_in = None if not proven else plies if solution.margin > 0 else -plies if solution.margin < 0 else None
    return Result((Line(solution.moves, 100 * solution.margin, wins_in),), empties, solution.nodes, solution.seconds)
