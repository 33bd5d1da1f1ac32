"""Do reviews agree with themselves?

    python -m benchmarks.review                      # every game of two: 50 games, 200 better moves
    python -m benchmarks.review othello --games 4    # a look

Two things, per game:

- Games of a strong level against a weak one are reviewed. In how many is the accuracy of the weak side lower? At least
  95 % are wanted.
- Of the moves that were called wrong some are sampled, and both moves, the one played and the better one, are searched
  by a new searcher with ten times the nodes of the longest look of the review. In how many is the better one really
  better? At least 97 % are wanted.

With `--jobs` games are played and reviewed at the same time, one in each process; the result is the same.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from boyi.agents.searching import find_default
from boyi.agents.spec import make_agent
from boyi.arena.game import play_game
from boyi.arena.pool import Pool
from boyi.core.record import Record
from boyi.core.searcher import Limits
from boyi.games import find_game
from boyi.study.review.look import VERIFICATION, Ask, decisions
from boyi.study.review.run import review, search_for

GAMES = ("xiangqi", "jieqi", "othello", "liuzhou", "chinese_checkers")
STRONG, WEAK = 8, 2
NODES = 20_000
"""Of each search of a review; a second is ten to fifty times as much."""

LONGER = 10.0
"""How many times the nodes of the longest look a sampled move is searched with."""


@dataclass(frozen=True)
class Task:
    """A game to play and review."""

    game: str
    number: int
    nodes: int


@dataclass(frozen=True)
class Mistake:
    """A move that a review called wrong."""

    record: str
    move: int
    """The number of the written move."""

    better: str
    nodes: int


@dataclass(frozen=True)
class Reviewed:
    """What came of a game."""

    strong: float
    weak: float
    """Accuracies."""

    strong_won: bool
    mistakes: tuple[Mistake, ...]


def play_and_review(task: Task) -> Reviewed:
    """A game between the levels, the strong one in turn as first and second player, and its review."""
    position = find_game(task.game).start()
    strong_seat = task.number % 2
    agents = [make_agent(f"level:{STRONG if seat == strong_seat else WEAK},seed={task.number}") for seat in range(2)]
    outcome, _ = play_game(position, agents, seed=task.number)
    record = Record.from_position(position, result=outcome.places, reason=outcome.reason)
    found = review(record, Limits(nodes=task.nodes))
    text = record.to_text()
    mistakes = tuple(Mistake(text, move.number, move.look.best.moves[0], task.nodes) for move in found.wrong
                     if move.look is not None)
    accuracies = [player.accuracy or 0.0 for player in found.players]
    return Reviewed(accuracies[strong_seat], accuracies[1 - strong_seat], outcome.winner == strong_seat, mistakes)


def is_better(mistake: Mistake) -> bool:
    """Is the better move better by a much longer search of both?"""
    record = Record.parse(mistake.record, find_game)
    decision = next(one for one in decisions(record) if one.number == mistake.move)
    position = decision.position
    better = position.parse_move(mistake.better)
    searcher = find_default(position).make(position.game, {})
    *_, found = search_for(searcher, Ask(position, lines=2, only=(better, decision.move)),
                           Limits(nodes=round(LONGER * VERIFICATION * mistake.nodes)))
    odds = {line.moves[0]: line.odds for line in found.lines}
    return len(odds) == 2 and odds[better] > odds[decision.move]


def measure(game: str, games: int, samples: int, nodes: int, pool: Pool) -> dict[str, object]:
    """The figures of one game."""
    reviewed = list(pool.run(play_and_review, [Task(game, number, nodes) for number in range(games)], in_order=True))
    mistakes = [mistake for one in reviewed for mistake in one.mistakes]
    sampled = random.Random(f"review {game}").sample(mistakes, min(samples, len(mistakes)))
    agreed = list(pool.run(is_better, sampled))
    return {
        "game": game, "games": games, "nodes": nodes, "strong_won": sum(one.strong_won for one in reviewed),
        "weak_lower": sum(one.weak < one.strong for one in reviewed),
        "accuracy_strong": round(sum(one.strong for one in reviewed) / games, 1),
        "accuracy_weak": round(sum(one.weak for one in reviewed) / games, 1),
        "mistakes": len(mistakes), "sampled": len(sampled), "really_better": sum(agreed)}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Do reviews agree with themselves?")
    parser.add_argument("games_to_measure", nargs="*", metavar="GAME", default=GAMES)
    parser.add_argument("--games", type=int, default=50, help="games of each kind")
    parser.add_argument("--samples", type=int, default=200, help="mistakes that are searched again")
    parser.add_argument("--nodes", type=int, default=NODES, help="of each search of a review")
    parser.add_argument("--jobs", "-j", type=int, default=1)
    parser.add_argument("--output", type=Path, help="a line of JSON per game")
    chosen = parser.parse_args(arguments)
    print("| game | games | strong side won | weak side less accurate | accuracy strong, weak | mistakes | "
          "really better |")
    print("|---|---|---|---|---|---|---|")
    with Pool(chosen.jobs) as pool:
        for game in chosen.games_to_measure:
            row = measure(game, chosen.games, chosen.samples, chosen.nodes, pool)
            print("| {game} | {games} | {strong_won} | {weak_lower} | {accuracy_strong}, {accuracy_weak} | "
                  "{mistakes} | {really_better} of {sampled} |".format(**row), flush=True)
            if chosen.output is not None:
                with chosen.output.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
