"""How fast are the searches? Ratios to other engines (or to one thread), measured in the same run.

    python -m benchmarks.search [--rounds 3] [--only mcts] [--json | --markdown]

`benchmarks/peers.py` says how rows are measured.
"""

from __future__ import annotations

import csv
import time
from collections.abc import Callable
from pathlib import Path

import boyi
from benchmarks.fairy import FairyStockfish
from benchmarks.peers import Work, main, package, rate, start
from boyi import playout
from boyi.core.searcher import Limits
from boyi.games import find_game
from boyi.games.othello.position import OthelloPosition
from boyi.games.othello.solver import Solver
from boyi.search.alphabeta import AlphaBeta
from boyi.search.alphabeta_options import AlphaBetaOptions
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


MIDDLEGAMES = (
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 w - - 0 1",
    "2bak4/4a4/4b4/p1p1n1P1p/9/2P1C4/P5N1P/4B4/9/3AKAB2 b - - 0 1",
)
"""An opening, a middlegame, an ending."""


def xiangqi_nodes() -> Work:
    """The same positions for the same time, each with an empty table of the same size."""
    engine = FairyStockfish()
    positions = [boyi.parse("xiangqi", text) for text in MIDDLEGAMES]

    def ours() -> float:
        nodes = seconds = 0.0
        for position in positions:
            result = xiangqi().search(position, Limits(seconds=1.0))
            nodes, seconds = nodes + result.nodes, seconds + result.seconds
        return nodes / seconds

    def theirs() -> float:
        nodes = milliseconds = 0
        for text in MIDDLEGAMES:
            _, more, took = engine.search(text, 1000)
            nodes, milliseconds = nodes + more, milliseconds + took
        return 1000 * nodes / milliseconds

    return Work("xiangqi alpha-beta", "nodes/s", ours, "fairy-stockfish, go movetime 1000", theirs, wanted=2.5)


def xiangqi_depth() -> Work:
    """Plies in five seconds, summed over the positions."""
    engine = FairyStockfish()
    positions = [boyi.parse("xiangqi", text) for text in MIDDLEGAMES]
    return Work("xiangqi depth in 5 s, three positions", "plies",
                lambda: sum(xiangqi().search(position, Limits(seconds=5.0)).depth for position in positions),
                "fairy-stockfish, go movetime 5000", lambda: sum(engine.search(text, 5000)[0] for text in MIDDLEGAMES),
                wanted=1)


def xiangqi() -> AlphaBeta:
    return AlphaBeta(find_game("xiangqi").evaluators["hand"]())


def othello_solver() -> Work:
    """Five endings of 20 to 23 empty points, solved exactly; Edax took 3.2 CPU seconds on this kind of machine."""
    with (Path(__file__).parents[1] / "tests" / "data" / "othello" / "ffo.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if "FFO#40" <= row["name"] <= "FFO#44"]

    def ours() -> float:
        began = time.process_time()
        for row in rows:
            position = boyi.parse("othello", f"{row['board']} {row['side']}")
            assert isinstance(position, OthelloPosition)
            solution = Solver().solve(position)
            assert solution is not None and solution.margin == int(row["best_score"]), row["name"]
        return len(rows) / (time.process_time() - began)

    return Work("Othello solver, FFO 40–44", "positions per CPU second", ours, "Edax 4.5.6", 5 / 3.2, wanted=0.25)


def two_threads() -> Work:
    """What two threads that share a table cost each other: nodes per second of CPU time.

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


ROWS: tuple[Callable[[], Work], ...] = (
    xiangqi_nodes, xiangqi_depth, othello_mcts, othello_solver, two_threads)


if __name__ == "__main__":
    main(ROWS, "How fast are the searches? Ratios to peers, measured in the same run.")
