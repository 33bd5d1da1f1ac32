"""How fast are the searches? Ratios to other engines, measured in the same run, on one thread.

    python -m benchmarks.search [--rounds 3] [--only mcts] [--json | --markdown]

Rows are made and measured as in `benchmarks/rules.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.rules import Work, main, package, rate, start
from boyi.core.searcher import Limits
from boyi.search.mcts import MCTS


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


ROWS: tuple[Callable[[], Work], ...] = (othello_mcts,)


if __name__ == "__main__":
    main(ROWS, "How fast are the searches? Ratios to peers, measured in the same run.")
