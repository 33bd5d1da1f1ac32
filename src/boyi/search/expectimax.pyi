"""Expectimax: search for any game of two players, with or without chance."""

from boyi.core.evaluator import Evaluator
from boyi.search.alphabeta import AlphaBeta, Worker
from boyi.search.expectimax_options import ExpectimaxOptions

class ChanceWorker(Worker):
    """One thread's search. All its memory is taken when it is made."""

class Expectimax(AlphaBeta):
    """The searcher: options, a table that outlives a search, and a worker per thread (Lazy SMP)."""

    def __init__(self, evaluator: Evaluator | None = None, options: ExpectimaxOptions | None = None) -> None: ...
