"""How fast are the searches? Ratios to other engines (or to one thread), measured in the same run.

    python -m benchmarks.search [--rounds 3] [--only mcts] [--json | --markdown]

Rows are made and measured as in `benchmarks/rules.py`.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from benchmarks.rules import Work, main, package, rate, start
from boyi import playout
from boyi.core.searcher import Limits
from boyi.games import find_game
from boyi.search.alphabeta import AlphaBeta
from boyi.search.mcts import MCTS
from boyi.search.options import AlphaBetaOptions


def othello_mcts() -> Work:
    """Both from the start position, a random game per simulation, with the solver, a fresh tree for each search."""
    spiel = package("pyspiel", "open_spiel")
    position = start("othello")
    game = spiel.load_game("othello")
    searcher = MCTS()
    bot = spiel.MCTSBot(game, spiel.RandomRolloutEvaluator(1, 1), 1.0, 1000, 1000, True, 1, False)

    def ours() -> int:
        return searcher.search(position, Limits(nodes=20_000)).nodes

    def theirs() -> int:
        bot.step(game.new_initial_state())
        return 1000

    return Work("Othello MCTS with rollouts", "simulations/s", lambda: rate(ours), "OpenSpiel C++, MCTSBot",
                lambda: rate(theirs), wanted=30)


def two_threads() -> Work:
    """What two threads that share a table cost each other: nodes per second of processor time, not of the clock.

    Wants two idle cores, not two threads of one core.
    """
    evaluator = find_game("xiangqi").evaluators["hand"]()
    searchers = {threads: AlphaBeta(evaluator, AlphaBetaOptions(threads=threads)) for threads in (1, 2)}
    position = start("xiangqi")
    playout(position, 7, 12)

    def speed(threads: int) -> float:
        searchers[threads].table.clear()
        nodes = 0
        began = time.process_time()
        while (spent := time.process_time() - began) < 2 * threads:
            nodes += searchers[threads].search(position, Limits(nodes=1_000_000 * threads)).nodes
        return nodes / spent

    return Work("xiangqi alpha-beta on two threads", "nodes per CPU second", lambda: speed(2), "ours on one thread",
                lambda: speed(1), wanted=0.8)


ROWS: tuple[Callable[[], Work], ...] = (othello_mcts, two_threads)


if __name__ == "__main__":
    main(ROWS, "How fast are the searches? Ratios to peers, measured in the same run.")
