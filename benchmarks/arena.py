"""What the arena itself costs: games played by `Match`, against the same searches in one loop, in CPU time.

    python benchmarks/arena.py                     1,000 fast games of Othello, three times; a quarter of an hour
    python benchmarks/arena.py --games 100 --nodes 2000

Games are played as `boyi match` plays them: agents made anew for every game, a referee who shows, checks and records
every move, a line for the journal. The positions that were searched in them are then searched once more, in the same
order, by the searchers alone: one for every seat of a game, because the contents of its table are part of a search.

Other load on the machine slows either at random, so the two take turns, every game is played and searched several
times, and the best of each counts. A second figure needs no loop: the CPU time of the arena that was spent outside of
its searchers.

Agents search as in a fast match: 5,000 nodes per move, some three milliseconds. The cheaper the searches, the more the
arena weighs.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict, dataclass

import boyi
from boyi.agents import searching
from boyi.agents.interruption import search
from boyi.agents.searching import Algorithm, all_algorithms
from boyi.arena.tournament import Tournament
from boyi.core.game import Game
from boyi.core.position import OVER, Position
from boyi.core.record import Record
from boyi.core.searcher import Limits, Result, Searcher
from boyi.games import find_game

MOST = 0.03
"""How much of the CPU the arena may cost."""


@dataclass(frozen=True)
class Cost:
    """CPU time of the same games."""

    games: int
    nodes_per_move: int
    searches: int
    arena_seconds: float
    loop_seconds: float
    outside_seconds: float
    """What of the arena's time was spent outside of searchers."""

    @property
    def lost(self) -> float:
        """The share of the arena's time that the loop does not need."""
        return 1 - self.loop_seconds / self.arena_seconds


class Meter:
    """Counts the CPU time that agents' searchers take, to be made and to search."""

    def __init__(self) -> None:
        self.seconds = 0.0
        make = Algorithm.make

        def timed_search(searcher: Searcher, position: Position, limits: Limits) -> Result:
            began = time.process_time()
            try:
                return search(searcher, position, limits)
            finally:
                self.seconds += time.process_time() - began

        def timed_make(algorithm: Algorithm, game: Game, values: dict[str, object]) -> Searcher:
            began = time.process_time()
            try:
                return make(algorithm, game, values)  # type: ignore[arg-type]
            finally:
                self.seconds += time.process_time() - began

        vars(searching)["search"] = timed_search
        Algorithm.make = timed_make  # type: ignore[method-assign,assignment]


def measure(games: int, nodes: int, seed: int, rounds: int, meter: Meter) -> Cost:
    agent, algorithm, limits = f"alphabeta:nodes={nodes}", all_algorithms()["alphabeta"], Limits(nodes=nodes)
    start = boyi.start("othello")
    match = Tournament((agent, agent), start, match_games=games, seed=seed)
    (slots,) = match.stages({})
    searches, arena, loop, outside = 0, 0.0, 0.0, 0.0
    for slot in slots:
        in_arena, in_loop, beside = list[float](), list[float](), list[float]()
        positions: list[Position] = []
        for _ in range(rounds):
            meter.seconds, began = 0.0, time.process_time()
            bout = match.play(slot)
            json.dumps(bout.to_entry(), ensure_ascii=False)
            in_arena.append(time.process_time() - began)
            beside.append(in_arena[-1] - meter.seconds)

            positions = positions or find_questions(Record.parse(bout.record, find_game), match.random_plies)
            began = time.process_time()
            searchers = [algorithm.make(start.game, {}) for _ in range(start.players)]
            for position in positions:
                searchers[position.turn].search(position, limits)
            del searchers
            in_loop.append(time.process_time() - began)
        arena, loop, outside = arena + min(in_arena), loop + min(in_loop), outside + min(beside)
        searches += len(positions)
    return Cost(games, nodes, searches, arena, loop, outside)


def find_questions(record: Record, opening: int) -> list[Position]:
    """The positions of a game in which an agent had a choice."""
    asked = []
    for number, position in enumerate(record.positions()):
        if number >= opening and position.turn != OVER:
            moves = position.moves()
            if len(moves) > 1 or position.path(moves[0]):
                asked.append(position)
    return asked


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=5000, help="how much agents search for a move (5000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3, help="how often every game is played; the best counts (3)")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    meter = Meter()
    measure(1, arguments.nodes, arguments.seed, 1, meter)   # loads what is loaded once
    cost = measure(arguments.games, arguments.nodes, arguments.seed, arguments.rounds, meter)
    if arguments.json:
        print(json.dumps(asdict(cost) | {"lost": cost.lost}, indent=2))
    else:
        print(f"{cost.games} games of Othello, {cost.searches} searches of {cost.nodes_per_move} nodes: "
              f"{cost.arena_seconds:.1f} s of CPU in the arena, {cost.loop_seconds:.1f} s in a loop; the arena costs "
              f"{cost.lost:.1%} (at most {MOST:.0%}), and {cost.outside_seconds / cost.arena_seconds:.1%} is spent "
              f"outside of searchers")
    return cost.lost > MOST


if __name__ == "__main__":
    sys.exit(main())
